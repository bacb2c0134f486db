//! Passages for a question, without an answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oriel_core::{CancelToken, Embedder, Passage, Reranker};
use oriel_engine::{Filter, PassageDocument, Query, SearchModels, SearchResult, Turn as KeptTurn, Window};

use crate::api::{Found, IpcError, Missing, Widen, count};
use crate::commands::scope::{filter, missing};
use crate::commands::yield_guard::YieldGuard;
use crate::state::app::App;
use crate::state::session::LibrarySession;
use crate::state::settings::MAX_WINDOW;
use crate::views::turns::{cards, filter_of};

/// Passages for another window, without keeping anything.
pub(crate) fn widen(app: &Arc<App>, wanted: &Widen) -> Result<Found, IpcError> {
    let session = &app.session()?;
    let _yielding = YieldGuard::new(app, session);
    let models = LoadedModels::new(session)?;
    let window = Window { before: wanted.window.before, after: wanted.window.after };
    let query = query(session, &wanted.question, filter(session, &wanted.scope)?, window);
    let result = session.library.search(&query, &models.as_search_models(), &CancelToken::new())?;
    let sources = sources(session, &result.passages);
    Ok(found(session, &result, &sources, missing(session)?, &session.library.folders()?))
}

/// The models of a search, held while it runs.
pub(crate) struct LoadedModels {
    embedder: Option<Arc<dyn Embedder>>,
    reranker: Option<Arc<dyn Reranker>>,
}

impl LoadedModels {
    pub(crate) fn new(session: &LibrarySession) -> Result<Self, IpcError> {
        Ok(Self {
            embedder: session.roles.embedder_of(session.library.embedder_fingerprint()?.as_deref())?,
            reranker: session.reranker()?,
        })
    }

    pub(crate) fn as_search_models(&self) -> SearchModels<'_> {
        SearchModels { embedder: self.embedder.as_deref(), reranker: self.reranker.as_deref() }
    }
}

/// The query of a kept turn, with the numbers of candidates and passages that are set now.
pub(crate) fn query_of(session: &LibrarySession, turn: &KeptTurn) -> Result<Query, IpcError> {
    let filter = filter_of(&session.library, turn)?;
    Ok(query(session, turn.searched.as_ref().unwrap_or(&turn.question), filter, turn.window))
}

fn query(session: &LibrarySession, question: &str, filter: Filter, window: Window) -> Query {
    let settings = session.settings.get();
    let mut query = Query::new(question);
    query.window = Window { before: window.before.min(MAX_WINDOW), after: window.after.min(MAX_WINDOW) };
    query.top = settings.passages as usize;
    query.candidates = settings.candidates as usize;
    query.filter = filter;
    query
}

/// The passages that were found. `roots` are the followed folders.
pub(crate) fn found(
    session: &LibrarySession,
    result: &SearchResult,
    sources: &[Option<PassageDocument>],
    missing: Missing,
    roots: &[PathBuf],
) -> Found {
    Found {
        cards: cards(&session.library, &result.passages, sources, Some(&result.trace), roots),
        confidence: result.confidence,
        read: count(result.trace.passages.len()),
        ms: result.timings.total_ms,
        missing,
    }
}

/// The documents of passages at this moment. Ask as soon as the passages are there: a document may be read again while the
/// answer is written.
pub(crate) fn sources(session: &LibrarySession, passages: &[Passage]) -> Vec<Option<PassageDocument>> {
    passages.iter().map(|passage| source(session, &passage.path)).collect()
}

/// The document that lies at a path at this moment.
pub(crate) fn source(session: &LibrarySession, path: &Path) -> Option<PassageDocument> {
    let row = session.library.document_at(path).ok()?;
    let hash = session.library.hash_of(row.id).ok()??;
    Some(PassageDocument { id: row.id, hash })
}
