//! The command `mentions`.

use std::sync::Arc;

use oriel_api::Searcher;
use oriel_engine::Filter;

use crate::arguments::MentionsArguments;
use crate::progress::Progress;
use crate::search::paths_of;
use crate::session::Session;
use crate::{output, render};

pub(crate) fn run(session: &Session, arguments: &MentionsArguments) -> anyhow::Result<()> {
    let searcher = Searcher::new(Arc::new(session.open()?), Arc::clone(&session.roles));
    let within = paths_of(searcher.library(), &arguments.within);
    let filter = Filter { within, ..Filter::default() };
    let mut progress = Progress::new();
    let survey =
        searcher.survey(&arguments.question, &filter, &mut |survey| progress.survey(survey), &session.cancel);
    progress.finish();
    let survey = survey?;
    if session.json {
        return output::json(&survey);
    }
    output::text(&render::survey(&survey, &searcher.library().folders()?))
}
