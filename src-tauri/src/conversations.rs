//! Kept conversations: listed, shown, renamed, deleted, written as Markdown. How they are kept is the engine's matter.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oriel_core::{Answer, Kind, Passage};
use oriel_engine::{
    Answered, Conversation as Kept, ConversationError, ConversationId, DocumentRow, ExportWording, Filter,
    PassageDocument, Trace, Turn as KeptTurn, export_markdown,
};

use crate::app::{App, Opened};
use crate::cards::{card, claims};
use crate::folders::{count, name_of, roots};
use crate::ipc::*;
use crate::listing;

/// The name under which answers are quotes.
const QUOTES: &str = oriel_models::QUOTES;

impl From<ConversationError> for IpcError {
    fn from(error: ConversationError) -> Self {
        let code = if matches!(error, ConversationError::Unknown { .. }) {
            ErrorCode::Gone
        } else {
            ErrorCode::Failed
        };
        Self { code, message: error.to_string() }
    }
}

/// One conversation as it is kept.
pub(crate) fn kept(opened: &Opened, id: &str) -> Result<Kept, IpcError> {
    Ok(opened.conversations.get(&parsed(id)?)?)
}

pub(crate) fn parsed(id: &str) -> Result<ConversationId, IpcError> {
    id.parse().map_err(|error| IpcError::gone(format!("there is no such conversation: {error}")))
}

/// One turn as it is kept.
pub(crate) fn turn(opened: &Opened, conversation: &str, number: u32) -> Result<KeptTurn, IpcError> {
    let mut turns = kept(opened, conversation)?.turns;
    match (number as usize) < turns.len() {
        true => Ok(turns.swap_remove(number as usize)),
        false => Err(IpcError::gone("this question is not there any more")),
    }
}

/// One conversation for the window.
pub(crate) fn get(app: &Arc<App>, wanted: &ConversationRef) -> Result<Conversation, IpcError> {
    let opened = &app.opened()?;
    let kept = kept(opened, &wanted.conversation).inspect_err(|error| {
        // Another process may have deleted it, and the window still lists it.
        if error.code == ErrorCode::Gone {
            listing::tell(app);
        }
    })?;
    let turns = kept.turns.iter().map(|turn| shown(opened, turn)).collect::<Result<_, _>>()?;
    Ok(Conversation { id: kept.id.to_string(), title: kept.title, turns })
}

/// Gives a conversation another title.
pub(crate) fn rename(app: &Arc<App>, wanted: &Rename) -> Result<(), IpcError> {
    app.opened()?.conversations.rename(&parsed(&wanted.conversation)?, &wanted.title)?;
    listing::tell(app);
    Ok(())
}

/// Deletes a conversation.
pub(crate) fn delete(app: &Arc<App>, wanted: &ConversationRef) -> Result<(), IpcError> {
    crate::asking::stop(app, wanted)?;
    app.opened()?.conversations.delete(&parsed(&wanted.conversation)?)?;
    listing::tell(app);
    Ok(())
}

/// A conversation's title, and the whole of it as Markdown.
pub(crate) fn markdown(app: &Arc<App>, id: &str) -> Result<(String, String), IpcError> {
    let opened = &app.opened()?;
    let kept = kept(opened, id)?;
    let text = export_markdown(&kept, &wording(&app.settings()));
    Ok((kept.title, text))
}

/// The whole of a conversation as Markdown.
pub(crate) fn whole_markdown(app: &Arc<App>, wanted: &ConversationRef) -> Result<String, IpcError> {
    Ok(markdown(app, &wanted.conversation)?.1)
}

/// One turn as Markdown, without the conversation's title.
pub(crate) fn turn_markdown(app: &Arc<App>, wanted: &TurnRef) -> Result<String, IpcError> {
    let opened = &app.opened()?;
    let mut kept = kept(opened, &wanted.conversation)?;
    let at = wanted.turn as usize;
    if at >= kept.turns.len() {
        return Err(IpcError::gone("this question is not there any more"));
    }
    kept.turns = vec![kept.turns.swap_remove(at)];
    let text = export_markdown(&kept, &wording(&app.settings()));
    let without_title = text.split_once("\n\n").map_or(text.as_str(), |(_, rest)| rest);
    Ok(without_title.to_owned())
}

/// A question that has just been asked.
pub(crate) fn begun(
    question: &str,
    searched: Option<String>,
    ask: &Ask,
    (scope, scoped): (Filter, Vec<Option<PassageDocument>>),
    missing: Missing,
    asked: i64,
) -> KeptTurn {
    let mut turn = KeptTurn::new(question, asked);
    turn.searched = searched;
    turn.scope = scope;
    turn.scoped = scoped;
    turn.window = oriel_engine::Window { before: ask.window.before, after: ask.window.after };
    turn.missing =
        oriel_engine::Missing { unread: missing.unread as usize, unembedded: missing.unembedded as usize };
    turn
}

/// The documents of passages as they are at this moment; to be asked as soon as the passages are there, for a document
/// may be read anew while the answer is written.
pub(crate) fn sources(opened: &Opened, passages: &[Passage]) -> Vec<Option<PassageDocument>> {
    passages.iter().map(|passage| source(opened, &passage.path)).collect()
}

/// The document that lies at a path at this moment.
pub(crate) fn source(opened: &Opened, path: &Path) -> Option<PassageDocument> {
    let row = opened.library.document_at(path).ok()?;
    let hash = opened.library.hash_of(row.id).ok()??;
    Some(PassageDocument { id: row.id, hash })
}

/// Puts an answer into its turn.
pub(crate) fn answered(turn: &mut KeptTurn, answered: Answered, sources: Vec<Option<PassageDocument>>) {
    // What was not read yet when it was asked about has been read first.
    for (path, kept) in turn.scope.within.iter().zip(&mut turn.scoped) {
        if kept.is_none() {
            let at = answered.answer.passages.iter().position(|passage| passage.path == *path);
            *kept = at.and_then(|at| sources.get(at).cloned().flatten());
        }
    }
    turn.documents = sources;
    turn.stopped = answered.stopped;
    turn.answer = Some(answered.answer);
    turn.trace = serde_json::to_value(&answered.trace).ok();
}

/// How an answer came about, where that was kept.
pub(crate) fn trace_of(turn: &KeptTurn) -> Option<Trace> {
    turn.trace.as_ref().and_then(|trace| serde_json::from_value(trace.clone()).ok())
}

/// A turn for the window.
pub(crate) fn shown(opened: &Opened, turn: &KeptTurn) -> Result<Turn, IpcError> {
    let roots = roots(opened)?;
    let trace = trace_of(turn);
    let found = turn.answer.as_ref().map(|answer| Found {
        cards: cards(opened, &answer.passages, &turn.documents, trace.as_ref(), &roots),
        confidence: answer.confidence,
        read: count(trace.as_ref().map_or(answer.passages.len(), |trace| trace.passages.len())),
        ms: search_ms(&answer.timings),
        missing: missing_of(turn),
    });
    let answer = turn.answer.as_ref().filter(|answer| !answer.answer.is_empty()).map(|answer| AnswerView {
        text: answer.answer.clone(),
        abstained: answer.abstained,
        quoted: answer.model == QUOTES,
        overruled: answer.model == QUOTES && trace.as_ref().is_some_and(|trace| trace.prompt.is_some()),
        model: answer.model.clone(),
        limit: oriel_engine::LEAST_CONFIDENCE,
        sentences: claims(&answer.answer, &answer.sentences),
        first_word_ms: answer.timings.first_token_ms,
        total_ms: answer.timings.total_ms,
    });
    Ok(Turn {
        question: turn.question.clone(),
        searched: turn.searched.clone(),
        words: oriel_engine::named_words(turn.searched.as_ref().unwrap_or(&turn.question)),
        asked: turn.asked,
        scope: scope_of(opened, turn)?,
        window: WindowSize { before: turn.window.before, after: turn.window.after },
        found,
        answer,
        // What has neither was under way when Oriel was ended from outside.
        stopped: turn.stopped || turn.answer.is_none() && turn.error.is_none(),
        error: turn.error.clone(),
    })
}

/// Milliseconds from the question to the passages.
pub(crate) fn search_ms(timings: &oriel_core::Timings) -> f64 {
    timings.embed_ms + timings.dense_ms + timings.sparse_ms + timings.window_ms + timings.rerank_ms
}

/// What an answer's passages show to have been found in the document at `path`.
pub(crate) fn sentences_of<'a>(answer: &'a Answer, path: &Path) -> Vec<&'a str> {
    let of_it = answer.passages.iter().filter(|passage| passage.path == path);
    of_it.flat_map(|passage| &passage.hits).map(|hit| hit.text.as_str()).collect()
}

/// A document that was kept, wherever it lies now.
pub(crate) fn found_again(
    opened: &Opened,
    path: &Path,
    source: Option<&PassageDocument>,
    sentences: &[&str],
) -> Option<DocumentRow> {
    opened.library.relocate(path, source, sentences).unwrap_or_else(|error| {
        tracing::warn!(%error, "a document of a passage is not looked up");
        None
    })
}

/// The document of a passage, wherever it lies now.
pub(crate) fn document_of(
    opened: &Opened,
    passage: &Passage,
    source: Option<&PassageDocument>,
) -> Option<DocumentRow> {
    let sentences: Vec<&str> = passage.hits.iter().map(|hit| hit.text.as_str()).collect();
    found_again(opened, &passage.path, source, &sentences)
}

/// Passages for the window; `sources` are their documents as they were then.
pub(crate) fn cards(
    opened: &Opened,
    passages: &[Passage],
    sources: &[Option<PassageDocument>],
    trace: Option<&Trace>,
    roots: &[PathBuf],
) -> Vec<Card> {
    passages
        .iter()
        .enumerate()
        .map(|(at, passage)| {
            let traced = trace.and_then(|trace| {
                trace.passages.iter().find(|one| one.start == passage.start && one.path == passage.path)
            });
            let source = sources.get(at).and_then(Option::as_ref);
            let row = document_of(opened, passage, source);
            // Only Markdown has headings to be read off its text.
            let text = row.as_ref().filter(|row| row.kind == Kind::Markdown);
            let text = text.and_then(|row| opened.library.text_of(row.id).ok());
            card(passage, row.as_ref(), source, text.as_ref(), traced, roots)
        })
        .collect()
}

/// What could not be looked at when a question was asked.
pub(crate) fn missing_of(turn: &KeptTurn) -> Missing {
    Missing { unread: count(turn.missing.unread), unembedded: count(turn.missing.unembedded) }
}

/// What a question was limited to, as it is now.
enum Limit {
    Folder(Named, PathBuf),
    Document(Named, PathBuf),
    /// It is not in the library any more.
    Gone(PathBuf),
}

fn limits(opened: &Opened, turn: &KeptTurn) -> Result<Vec<Limit>, IpcError> {
    if turn.scope.within.is_empty() {
        return Ok(Vec::new());
    }
    let folders = opened.library.overview()?.folders;
    let limit = |(at, path): (usize, &PathBuf)| {
        if let Some(folder) = folders.iter().find(|folder| folder.path == *path) {
            return Ok(Limit::Folder(Named { id: folder.number, name: name_of(path) }, path.clone()));
        }
        let source = turn.scoped.get(at).and_then(Option::as_ref);
        let answer = turn.answer.as_ref();
        let sentences = answer.map_or_else(Vec::new, |answer| sentences_of(answer, path));
        Ok(match opened.library.relocate(path, source, &sentences)? {
            Some(row) => Limit::Document(Named { id: row.id.0, name: name_of(&row.path) }, row.path),
            None => Limit::Gone(path.clone()),
        })
    };
    turn.scope.within.iter().enumerate().map(limit).collect()
}

/// The documents that a kept question was asked of, wherever they lie now.
pub(crate) fn filter_of(opened: &Opened, turn: &KeptTurn) -> Result<Filter, IpcError> {
    let limits = limits(opened, turn)?.into_iter();
    let within = limits.map(|limit| match limit {
        Limit::Folder(_, path) | Limit::Document(_, path) | Limit::Gone(path) => path,
    });
    Ok(Filter { within: within.collect(), ..turn.scope.clone() })
}

/// A kept scope as chips.
fn scope_of(opened: &Opened, turn: &KeptTurn) -> Result<Scope, IpcError> {
    let filter = &turn.scope;
    let mut scope =
        Scope { kinds: filter.kinds.iter().map(|&kind| kind.into()).collect(), ..Scope::default() };
    for limit in limits(opened, turn)? {
        match limit {
            Limit::Folder(named, _) => scope.folders.push(named),
            Limit::Document(named, _) => scope.documents.push(named),
            Limit::Gone(path) => scope.gone.push(name_of(&path)),
        }
    }
    scope.since = filter.since.and_then(|since| day(since, 0));
    // Until is kept as the beginning of the day after.
    scope.until = filter.until.and_then(|until| day(until, -1));
    Ok(scope)
}

/// The day of a time here, or the one `after` days later.
fn day(nanoseconds: i64, after: i64) -> Option<String> {
    let time = jiff::Timestamp::from_nanosecond(i128::from(nanoseconds)).ok()?;
    let date = time.to_zoned(jiff::tz::TimeZone::system()).date();
    Some(date.checked_add(jiff::Span::new().days(after)).ok()?.to_string())
}

fn wording(settings: &Settings) -> ExportWording<'static> {
    match settings.is_german() {
        true => ExportWording {
            sources: "Quellen",
            nearest: "Nächstliegende Stellen",
            page: "Seite",
            unanswered: "Keine Antwort.",
            stopped: "Angehalten, bevor die Antwort fertig war.",
        },
        false => ExportWording {
            sources: "Sources",
            nearest: "Nearest passages",
            page: "page",
            unanswered: "No answer.",
            stopped: "Stopped before the answer was complete.",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_comes_back_as_it_was_said() {
        let date: jiff::civil::Date = "2024-03-31".parse().unwrap();
        let midnight = date.to_zoned(jiff::tz::TimeZone::system()).unwrap().timestamp().as_nanosecond();
        assert_eq!(day(i64::try_from(midnight).unwrap(), 0).as_deref(), Some("2024-03-31"));
        assert_eq!(day(i64::try_from(midnight).unwrap(), -1).as_deref(), Some("2024-03-30"));
    }
}
