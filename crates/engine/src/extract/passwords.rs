//! The passwords of PDFs: in memory as long as the library is open, and in the system's keyring if the person says so.
//!
//! A password belongs to the bytes of a file: a copy or a moved file needs no other one, a changed file asks again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use oriel_core::{CancelToken, DocumentId, Failure, FailureCode, Notice};
use oriel_store::DocumentState;

use crate::error::EngineError;
use crate::extract::process::Extractor;
use crate::library::Library;

/// The service under which the keyring lists them.
const SERVICE: &str = "Oriel";

/// The passwords that are known, by BLAKE3 of the file's bytes in hex.
#[derive(Default)]
pub(crate) struct Passwords(Mutex<HashMap<String, String>>);

impl Passwords {
    /// The password of the file with this hash, from memory or the keyring.
    fn of(&self, hash: &str) -> Option<String> {
        let given = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(hash).cloned();
        given.or_else(|| {
            let kept = keyring::Entry::new(SERVICE, hash).and_then(|entry| entry.get_password());
            kept.inspect_err(|error| tracing::debug!(%error, "the keyring has no password")).ok()
        })
    }

    fn give(&self, hash: &str, password: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(hash.to_owned(), password.to_owned());
    }

    /// The PDF without its password, if it asks for one that is known. Errors as in [`Extractor::extract`].
    pub(crate) fn unlocked(
        &self,
        extractor: &mut Extractor,
        bytes: &[u8],
        hash: &str,
        cancel: &CancelToken,
    ) -> Result<Option<Vec<u8>>, EngineError> {
        let is_encrypted = || bytes.windows(8).any(|word| word == b"/Encrypt");
        match is_encrypted().then(|| self.of(hash)).flatten() {
            Some(password) => Ok(extractor.unlock(bytes, &password, cancel)?.ok()),
            None => Ok(None),
        }
    }
}

impl Library {
    /// Opens a PDF that asks for a password: from now on it can be read, and the next indexing does so. With `keep` the
    /// password is kept in the system's keyring as well.
    ///
    /// # Errors
    /// If the document asks for no password, its file cannot be opened, or the password is wrong. If only the keyring
    /// refuses, the document is opened all the same, and the error says so.
    pub fn unlock(
        &self,
        id: DocumentId,
        password: &str,
        keep: bool,
        cancel: &CancelToken,
    ) -> Result<(), EngineError> {
        let record = self.store.read(|view| view.document(id))?.ok_or(EngineError::NoDocument { id })?;
        let failed = |why| EngineError::Path { path: record.path.clone(), why };
        let asks = |failure: &Failure| failure.code == FailureCode::Encrypted;
        if !matches!(&record.state, DocumentState::Failed(failure) if asks(failure)) {
            return Err(failed(Notice::WantsNoPassword));
        }
        let mut extractor = Extractor::new(self.worker.clone(), self.limits);
        let bytes = self.locked_bytes(&mut extractor, &record, cancel)?;
        extractor.unlock(&bytes, password, cancel)?.map_err(|failure| failed(failure.reason))?;
        let hash = blake3::hash(&bytes).to_hex();
        self.passwords.give(&hash, password);
        self.store.write(|edit| edit.retry(id))?;
        if keep {
            let kept = keyring::Entry::new(SERVICE, &hash).and_then(|entry| entry.set_password(password));
            kept.map_err(|error| failed(Notice::PasswordNotKept { cause: Notice::text(error).into() }))?;
        }
        Ok(())
    }
}
