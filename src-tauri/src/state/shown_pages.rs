//! The document whose pages are shown, where its file is not the PDF that shows them.

use std::sync::{Arc, Mutex};

use oriel_api::lock;
use oriel_core::{CancelToken, DocumentId};
use oriel_engine::{EngineError, Library};

/// The PDF of the image, attachment, file of an archive or locked file that is shown: the viewer asks for it range by range.
#[derive(Default)]
pub(crate) struct ShownPages(Mutex<Option<Shown>>);

struct Shown {
    id: DocumentId,
    hash: Option<String>,
    bytes: Arc<[u8]>,
}

impl ShownPages {
    /// The PDF that shows a document.
    pub(crate) fn bytes(&self, library: &Library, id: DocumentId) -> Result<Arc<[u8]>, EngineError> {
        let hash = library.hash_of(id)?;
        let mut shown = lock(&self.0);
        if let Some(shown) = shown.as_ref().filter(|shown| shown.id == id && shown.hash == hash) {
            return Ok(Arc::clone(&shown.bytes));
        }
        let bytes: Arc<[u8]> = library.pages_of(id, &CancelToken::new())?.into();
        *shown = Some(Shown { id, hash, bytes: Arc::clone(&bytes) });
        Ok(bytes)
    }
}
