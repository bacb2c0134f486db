//! The command `search`.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Zoned;
use oriel_api::Searcher;
use oriel_core::TimeLimit;
use oriel_engine::{Filter, Library, Mode, Query};

use crate::arguments::{SearchArguments, SearchSettings};
use crate::batch::{BatchLine as _, Question};
use crate::session::Session;
use crate::{batch, output, render};

/// Opens the library for questions, and reports if the search uses words only.
pub(crate) fn searcher(session: &Session, settings: &SearchSettings) -> anyhow::Result<Searcher> {
    let searcher = Searcher::new(Arc::new(session.open()?), Arc::clone(&session.roles));
    if settings.mode == Mode::Hybrid && !searcher.has_embedder()? {
        eprintln!("oriel: there is no embedder here, the search is by words only; see 'oriel models list'");
    }
    Ok(searcher)
}

/// The query for the settings, without a limit on the documents.
pub(crate) fn query_of(settings: &SearchSettings, question: &str) -> Query {
    Query {
        question: question.to_owned(),
        earlier: Vec::new(),
        as_typed: settings.as_typed,
        parts: Vec::new(),
        mode: settings.mode,
        window: settings.window,
        candidates: settings.candidates.unwrap_or(Query::CANDIDATES.max(settings.top)),
        grows: settings.candidates.is_none(),
        pace: None,
        top: settings.top,
        filter: Filter::default(),
        rerank: settings.rerank,
        merge: !settings.no_merge,
        today: settings.today.unwrap_or_else(|| Zoned::now().date()),
        ignore_time: settings.any_time || settings.as_typed,
    }
}

pub(crate) fn query(library: &Library, arguments: &SearchArguments, question: &str) -> Query {
    let filter = Filter {
        within: paths_of(library, &arguments.within),
        kinds: arguments.kind.clone(),
        from: arguments.from.clone(),
        since: arguments.since,
        until: arguments.until,
        ..Filter::default()
    };
    Query { filter, ..query_of(&arguments.settings, question) }
}

/// The paths of documents and folders in the form in which the library stores them.
pub(crate) fn paths_of(library: &Library, paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().map(|path| library.path_of(path)).collect()
}

/// Reports that the time in a question limits or orders the documents.
pub(crate) fn say_time(time: Option<&TimeLimit>) {
    let Some(TimeLimit { words, since, until, .. }) = time else { return };
    let days = match (since, until) {
        (Some(since), Some(until)) => format!(", from {since} to {until}"),
        (Some(since), None) => format!(", since {since}"),
        (None, Some(until)) => format!(", until {until}"),
        (None, None) => String::new(),
    };
    eprintln!("oriel: documents of “{words}”{days}; --any-time searches all");
}

pub(crate) fn run(session: &Session, arguments: &SearchArguments) -> anyhow::Result<()> {
    // Reads the file of questions before the models are loaded, so that a bad one fails fast.
    let questions = arguments.batch.as_deref().map(batch::read::<Question>).transpose()?;
    let searcher = searcher(session, &arguments.settings)?;
    let search =
        |question: &str| searcher.search(&query(searcher.library(), arguments, question), &session.cancel);
    if let Some(questions) = questions {
        return batch::answer(&questions, &session.cancel, |line| Ok(search(line.text())?));
    }
    let result = search(arguments.question.as_deref().unwrap_or_default())?;
    if session.json {
        return output::json(&result);
    }
    say_time(result.time.as_ref());
    output::text(&render::passages(&result.passages, &searcher.library().folders()?))?;
    if result.passages.is_empty() {
        output::text("Nothing was found. 'oriel status' shows what the library holds.\n")?;
    }
    Ok(())
}
