//! Passages for a question, without an answer.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use oriel_core::CancelToken;
use oriel_engine::{Filter, Missing, PassageDocument, Query, SearchResult, Turn as KeptTurn, Window};

use crate::api::{Found, IpcError, Widen};
use crate::commands::scope::filter;
use crate::commands::yield_guard::YieldGuard;
use crate::state::app::App;
use crate::state::session::LibrarySession;
use crate::state::settings::MAX_WINDOW;
use crate::views::turns::{cards, filter_of};

/// Passages for another window, without keeping anything.
pub(crate) fn widen(app: &Arc<App>, wanted: &Widen) -> Result<Found, IpcError> {
    let session = &app.session()?;
    let _yielding = YieldGuard::new(app, session);
    let assistant = &session.assistant;
    let query =
        query(session, &wanted.question, filter(session, &wanted.scope)?, within_limits(wanted.window));
    let result = assistant.searcher.search(&query, &CancelToken::new())?;
    let documents = assistant.searcher.documents_of(&result.passages);
    Ok(found(session, &result, &documents, assistant.missing()?, &session.library.folders()?))
}

/// The query of a kept turn, with the numbers of candidates and passages that are set now.
pub(crate) fn query_of(session: &LibrarySession, turn: &KeptTurn) -> Result<Query, IpcError> {
    let filter = filter_of(&session.library, turn)?;
    let query = query(session, turn.searched.as_ref().unwrap_or(&turn.question), filter, turn.window);
    Ok(Query { today: day_of(turn.asked), ignore_time: turn.any_time, ..query })
}

/// The local day of a time in milliseconds since 1970.
fn day_of(milliseconds: i64) -> Date {
    let time = Timestamp::from_millisecond(milliseconds).unwrap_or_default();
    time.to_zoned(TimeZone::system()).date()
}

/// A question as the settings have it searched.
pub(crate) fn query(session: &LibrarySession, question: &str, filter: Filter, window: Window) -> Query {
    let settings = session.settings.get();
    Query {
        window,
        filter,
        top: settings.passages as usize,
        candidates: settings.candidates as usize,
        ..Query::new(question)
    }
}

/// The window, no wider than windows may be.
pub(crate) fn within_limits(window: Window) -> Window {
    Window { before: window.before.min(MAX_WINDOW), after: window.after.min(MAX_WINDOW) }
}

/// The passages that were found, with their documents. `roots` are the followed folders.
pub(crate) fn found(
    session: &LibrarySession,
    result: &SearchResult,
    documents: &[Option<PassageDocument>],
    missing: Missing,
    roots: &[PathBuf],
) -> Found {
    Found {
        cards: cards(&session.library, &result.passages, documents, Some(&result.trace), roots),
        confidence: result.confidence,
        read: result.trace.passages.len(),
        ms: result.timings.total_ms,
        missing,
    }
}
