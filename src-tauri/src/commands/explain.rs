//! How an answer came about, and why a document is not in it.

use std::sync::Arc;

use oriel_core::{CancelToken, DocumentId, Notice};

use crate::api::{AskWhyNot, IpcError, TurnRef, Why, WhyNot};
use crate::commands::conversations::kept_turn;
use crate::commands::search::query_of;
use crate::commands::yield_guard::YieldGuard;
use crate::state::app::App;
use crate::views;

/// How an answer came about.
pub(crate) fn why(app: &Arc<App>, wanted: &TurnRef) -> Result<Why, IpcError> {
    let session = &app.session()?;
    let turn = kept_turn(session, &wanted.conversation, wanted.turn)?;
    let nothing = || IpcError::gone(Notice::TraceGone);
    let answer = turn.answer.as_ref().ok_or_else(nothing)?;
    let trace = views::turns::trace_of(&turn).ok_or_else(nothing)?;
    Ok(views::explain::why(&session.library, &turn, answer, &trace)?)
}

/// Why a document is not in an answer.
pub(crate) fn why_not(app: &Arc<App>, wanted: &AskWhyNot) -> Result<WhyNot, IpcError> {
    let session = &app.session()?;
    let turn = kept_turn(session, &wanted.conversation, wanted.turn)?;
    let _yielding = YieldGuard::new(app, session);
    let query = query_of(session, &turn)?;
    let id = DocumentId(wanted.document);
    let found = session.assistant.searcher.explain_absence(&query, id, &CancelToken::new())?;
    Ok(views::explain::why_not(found))
}
