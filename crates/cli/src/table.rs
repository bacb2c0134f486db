//! The command `table`.

use std::sync::Arc;

use anyhow::Context as _;
use oriel_api::{Searcher, table_csv};
use oriel_core::Table;
use oriel_engine::{Filter, absolute, replace_file};

use crate::arguments::TableArguments;
use crate::progress::Progress;
use crate::search::paths_of;
use crate::session::Session;
use crate::{output, render};

pub(crate) fn run(session: &Session, arguments: &TableArguments) -> anyhow::Result<()> {
    let searcher = Searcher::new(Arc::new(session.open()?), Arc::clone(&session.roles));
    let within = paths_of(searcher.library(), &arguments.within);
    let filter = Filter { within, ..Filter::default() };
    let mut progress = Progress::new();
    let mut about = None;
    let documents = match &arguments.mentioning {
        None => searcher.library().documents_in(&filter)?,
        Some(question) => {
            let survey =
                searcher.survey(question, &filter, &mut |survey| progress.survey(survey), &session.cancel)?;
            about = Some(survey.thing);
            survey.documents.into_iter().map(|document| document.path).collect()
        }
    };
    let mut table = Table::new(arguments.questions.clone(), documents);
    let (mut done, (_, total)) = (0, table.filled());
    let filled = searcher.fill_table(
        &mut table,
        about.as_deref(),
        &mut |_| {
            done += 1;
            progress.step("filling", "cells", done, Some(total as u64));
        },
        &mut |_| Ok(()),
        &session.cancel,
    );
    progress.finish();
    // The cells read before an interruption are written too.
    if let Some(path) = &arguments.csv {
        replace_file(&absolute(path), table_csv(&table).as_bytes())
            .with_context(|| format!("the table cannot be written to {}", path.display()))?;
    }
    filled?;
    if session.json {
        return output::json(&table);
    }
    output::text(&render::table(&table, &searcher.library().folders()?))
}
