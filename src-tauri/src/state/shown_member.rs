//! The attachment, or file of an archive, whose pages are shown.

use std::sync::{Arc, Mutex};

use oriel_app::lock;
use oriel_core::{CancelToken, DocumentId};
use oriel_engine::{EngineError, Library};

/// The bytes of the attachment, or file of an archive, that is shown: the viewer asks for them range by range.
#[derive(Default)]
pub(crate) struct ShownMember(Mutex<Option<Shown>>);

struct Shown {
    id: DocumentId,
    hash: Option<String>,
    bytes: Arc<[u8]>,
}

impl ShownMember {
    /// The bytes of a member of a file.
    pub(crate) fn bytes(&self, library: &Library, id: DocumentId) -> Result<Arc<[u8]>, EngineError> {
        let hash = library.hash_of(id)?;
        let mut shown = lock(&self.0);
        if let Some(shown) = shown.as_ref().filter(|shown| shown.id == id && shown.hash == hash) {
            return Ok(Arc::clone(&shown.bytes));
        }
        let bytes: Arc<[u8]> = library.bytes_of(id, &CancelToken::new())?.into();
        *shown = Some(Shown { id, hash, bytes: Arc::clone(&bytes) });
        Ok(bytes)
    }
}
