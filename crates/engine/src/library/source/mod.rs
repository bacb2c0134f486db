//! Where the documents of a library are: in its own store, or in a remote index.

pub(crate) mod local;
pub(crate) mod remote;
pub(crate) mod store_state;

use std::path::Path;

use oriel_core::{DocumentId, Retriever};
use oriel_store::Store;

use crate::error::EngineError;
use crate::library::document_row::DocumentRow;
use crate::library::document_text::{DocumentText, Freshness, PassageDocument};
use crate::library::overview::Overview;

/// One state of any index.
pub(crate) type AnyRetriever<'a> = dyn Retriever<Error = EngineError> + 'a;

/// What reads one state of an index.
pub(crate) type ReadState<'a> = dyn FnMut(&AnyRetriever<'_>) -> Result<(), EngineError> + 'a;

/// What holds the documents that a library searches and shows.
pub(crate) trait DocumentSource {
    /// The store, if that is the source. Only the store counts words, has dates and lists its documents.
    fn store(&self) -> Option<&Store>;

    /// Gives one state to `read`; another one if the documents change meanwhile.
    fn read_state(&self, read: &mut ReadState<'_>) -> Result<(), EngineError>;

    /// The fingerprint of the embedder whose vectors are searched; `None` before the first.
    fn embedder(&self) -> Result<Option<String>, EngineError>;

    /// One document.
    fn document(&self, id: DocumentId) -> Result<DocumentRow, EngineError>;

    /// The document at exactly this path.
    fn id_at(&self, path: &Path) -> Result<Option<DocumentId>, EngineError>;

    /// BLAKE3 of the file that a document's text was read from; `None` if it has no text.
    fn hash_of(&self, id: DocumentId) -> Result<Option<String>, EngineError>;

    /// A document's text as it was indexed.
    fn text_of(&self, id: DocumentId) -> Result<DocumentText, EngineError>;

    /// Whether a document's file is still the one that was indexed.
    fn freshness(&self, id: DocumentId) -> Result<Freshness, EngineError>;

    /// The document that was at `path` before, see [`Library::relocate`](crate::library::Library::relocate).
    fn relocate(
        &self,
        path: &Path,
        kept: Option<&PassageDocument>,
        sentences: &[&str],
    ) -> Result<Option<DocumentRow>, EngineError>;

    /// The summary of the store, with the counts of the documents that are searched.
    fn counted(&self, overview: Overview) -> Overview {
        overview
    }
}
