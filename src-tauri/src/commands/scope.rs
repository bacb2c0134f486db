//! The documents that a question looks at, as the UI names them.

use oriel_core::DocumentId;
use oriel_engine::Filter;

use crate::api::{IpcError, Scope};
use crate::state::session::LibrarySession;

/// The documents that a scope admits.
pub(crate) fn filter(session: &LibrarySession, scope: &Scope) -> Result<Filter, IpcError> {
    let scope = oriel_api::Scope {
        folders: scope.folders.iter().map(|folder| folder.id).collect(),
        documents: scope.documents.iter().map(|document| DocumentId(document.id)).collect(),
        gone: scope.gone.clone(),
        kinds: scope.kinds.clone(),
        from: scope.from.clone(),
        since: scope.since.clone(),
        until: scope.until.clone(),
    };
    Ok(scope.filter(&session.library)?)
}
