//! The bytes that a document was read from: its file, or the member of a file, without a password.

use oriel_core::{CancelToken, DocumentId, Kind};
use oriel_store::{DocumentRecord, DocumentState, Store};

use crate::error::EngineError;
use crate::extract::load::load;
use crate::extract::members;
use crate::extract::process::Extractor;
use crate::library::Library;
use crate::library::limits::ExtractorLimits;
use crate::library::passwords::Passwords;

impl Library {
    /// A PDF that shows the pages of a document: for a PDF its own bytes (without a password), for an image a PDF made
    /// of it, for a document of iWork the PDF inside.
    ///
    /// # Errors
    /// Those of [`Library::highlights`].
    pub fn pages_of(&self, document: DocumentId, cancel: &CancelToken) -> Result<Vec<u8>, EngineError> {
        let record = self.store.read(|view| view.document(document))?;
        let record = record.ok_or(EngineError::NoDocument { id: document })?;
        let mut extractor = Extractor::new(self.worker.clone(), self.limits);
        let (store, passwords) = (&self.store, &self.passwords);
        let (bytes, _) = readable_bytes(store, passwords, self.limits, &mut extractor, &record, cancel)?;
        if record.kind == Kind::Pdf {
            return Ok(bytes);
        }
        let pages = extractor.pages_as_pdf(&bytes, cancel)?;
        pages.map_err(|failure| EngineError::Unmarked { path: record.path, why: failure.reason })
    }

    /// The unchanged bytes of a document's file, or of a member.
    pub(crate) fn locked_bytes(
        &self,
        extractor: &mut Extractor,
        record: &DocumentRecord,
        cancel: &CancelToken,
    ) -> Result<Vec<u8>, EngineError> {
        locked_bytes(&self.store, self.limits, extractor, record, cancel)
    }
}

/// The bytes that a document's text was read from or is recognised in, and whether that took a password. Errors are
/// those of [`Library::highlights`].
pub(crate) fn readable_bytes(
    store: &Store,
    passwords: &Passwords,
    limits: ExtractorLimits,
    extractor: &mut Extractor,
    record: &DocumentRecord,
    cancel: &CancelToken,
) -> Result<(Vec<u8>, bool), EngineError> {
    let bytes = locked_bytes(store, limits, extractor, record, cancel)?;
    let hash = blake3::hash(&bytes).to_hex();
    if record.hash.as_deref() != Some(hash.as_str()) {
        return Err(EngineError::Changed { path: record.path.clone() });
    }
    // A locked scan has no text yet, so its record does not tell that it is locked.
    let is_locked = record.locked || matches!(record.state, DocumentState::Failed(_));
    let Some(password) = is_locked.then(|| passwords.of(&hash)).flatten() else { return Ok((bytes, false)) };
    let copy = extractor.unlock(&bytes, &password, cancel)?;
    let copy =
        copy.map_err(|failure| EngineError::Unmarked { path: record.path.clone(), why: failure.reason })?;
    Ok((copy, true))
}

fn locked_bytes(
    store: &Store,
    limits: ExtractorLimits,
    extractor: &mut Extractor,
    record: &DocumentRecord,
    cancel: &CancelToken,
) -> Result<Vec<u8>, EngineError> {
    let unmarked = |why| EngineError::Unmarked { path: record.path.clone(), why };
    let load = |path| load(path, limits.file_bytes).map_err(|error| unmarked(error.into_reason()));
    let Some(id) = record.within else { return Ok(load(&record.path)?.0) };
    let file = store.read(|view| view.document(id))?.ok_or(EngineError::NoDocument { id })?;
    let (bytes, _) = load(&file.path)?;
    let member =
        members::bytes_of(extractor, &file.path, file.kind, &bytes, &record.path, &limits.text, cancel)?;
    let member = member.map_err(|failure| unmarked(failure.reason))?;
    member.ok_or_else(|| EngineError::Changed { path: record.path.clone() })
}
