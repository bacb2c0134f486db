//! Reads PDFs that are protected by a password.

use oriel_core::{CancelToken, DocumentId, Extracted, Failure, Kind, Notice};
use oriel_store::DocumentState;
use oriel_text::Limits;

use crate::error::EngineError;
use crate::extract::process::Extractor;
use crate::library::Library;
use crate::library::passwords::Passwords;

/// The result of reading, and whether it took a password.
pub(crate) struct Unlocked {
    pub extracted: Extracted,
    pub locked: bool,
}

/// Extracts a file with this hash, using its password if it needs one and that is known. Errors are those of
/// [`Extractor::extract`].
pub(crate) fn extract(
    extractor: &mut Extractor,
    passwords: &Passwords,
    kind: Kind,
    bytes: &[u8],
    hash: &str,
    limits: &Limits,
    cancel: &CancelToken,
) -> Result<Result<Unlocked, Failure>, EngineError> {
    let read = extractor.extract(kind, bytes, limits, cancel)?;
    let asks = matches!(&read, Err(failure) if failure.reason == Notice::PdfWantsPassword);
    let Some(password) = asks.then(|| passwords.of(hash)).flatten() else {
        return Ok(read.map(|extracted| Unlocked { extracted, locked: false }));
    };
    let copy = match extractor.unlock(bytes, &password, cancel)? {
        Ok(copy) => copy,
        Err(failure) => return Ok(Err(failure)),
    };
    let read = extractor.extract(kind, &copy, limits, cancel)?;
    Ok(read.map(|extracted| Unlocked { extracted, locked: true }))
}

impl Library {
    /// Sets the password of a PDF. The next indexing can then read it, and its pages can be shown. With `keep` the
    /// password is also stored in the system's keyring.
    ///
    /// # Errors
    /// If the document has no password, its file cannot be opened, or the password is wrong. If only the keyring
    /// refuses, the password is used anyway, and the error says so.
    pub fn unlock(
        &self,
        id: DocumentId,
        password: &str,
        keep: bool,
        cancel: &CancelToken,
    ) -> Result<(), EngineError> {
        let record = self.store.read(|view| view.document(id))?.ok_or(EngineError::NoDocument { id })?;
        let failed = |why| EngineError::Path { path: record.path.clone(), why };
        let asks = match &record.state {
            DocumentState::Failed(failure) => failure.reason == Notice::PdfWantsPassword,
            _ => record.locked,
        };
        if !asks {
            return Err(failed(Notice::WantsNoPassword));
        }
        let mut extractor = Extractor::new(self.worker.clone(), self.limits);
        let bytes = self.locked_bytes(&mut extractor, &record, cancel)?;
        extractor.unlock(&bytes, password, cancel)?.map_err(|failure| failed(failure.reason))?;
        let hash = blake3::hash(&bytes).to_hex();
        self.passwords.give(&hash, password);
        let kept = if keep { Passwords::keep(&hash, password) } else { Ok(()) };
        self.store.write(|edit| edit.retry(id))?;
        kept.map_err(|error| failed(Notice::PasswordNotKept { cause: Notice::text(error).into() }))
    }

    /// Forgets the password of a PDF, also in the system's keyring. The text that was read with it stays.
    ///
    /// # Errors
    /// If there is no such document, or the keyring refuses.
    pub fn forget_password(&self, id: DocumentId) -> Result<(), EngineError> {
        let record = self.store.read(|view| view.document(id))?.ok_or(EngineError::NoDocument { id })?;
        let forgotten = record.hash.as_deref().map_or(Ok(()), |hash| self.passwords.forget(hash));
        forgotten.map_err(|error| EngineError::Path {
            path: record.path,
            why: Notice::PasswordNotForgotten { cause: Notice::text(error).into() },
        })
    }
}
