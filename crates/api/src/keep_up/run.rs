//! One run that brings a library up to date.

use std::sync::Arc;

use oriel_core::{CancelToken, Embedder, ModelError};
use oriel_engine::{EngineError, IndexProgress, IndexReport, LazyEmbedder, Library};
use oriel_models::Roles;

use crate::models::{no_embedder, prefer_embedder_of};

/// Brings the library up to date once, with the embedder that the user chose, else that of the library's vectors.
///
/// # Errors
/// If the chosen embedder is not here, and as [`Library::index`].
pub fn index_library(
    library: &Library,
    roles: &Roles,
    progress: &mut (dyn FnMut(IndexProgress<'_>) + Send),
    cancel: &CancelToken,
) -> Result<IndexReport, EngineError> {
    prefer_embedder_of(library, roles)?;
    let embedder =
        LazyEmbedder { fingerprint: roles.embedder_fingerprint()?, load: &|| indexing_embedder(roles) };
    library.index(&embedder, progress, cancel)
}

/// The embedder for the index, or an error that names the one to get.
pub(crate) fn indexing_embedder(roles: &Roles) -> Result<Arc<dyn Embedder>, ModelError> {
    roles.indexing_embedder()?.ok_or_else(|| no_embedder(roles))
}
