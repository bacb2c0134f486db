//! The passwords of PDFs: in memory as long as the library is open, and in the system's keyring if the user says so.
//!
//! A password belongs to the bytes of a file: a moved file keeps it, a changed one needs it again.

use std::collections::HashMap;

use oriel_endpoint::{KeyringResult, forget_secret, keep_secret, secret};
use parking_lot::Mutex;

/// The passwords that are known, by BLAKE3 of the file's bytes in hex.
#[derive(Default)]
pub(crate) struct Passwords {
    /// Those that were given or looked up; `None` where the keyring had none.
    known: Mutex<HashMap<String, Option<String>>>,
}

impl Passwords {
    /// The password of the file with this hash, from memory or the keyring.
    pub(crate) fn of(&self, hash: &str) -> Option<String> {
        let mut known = self.known.lock();
        let look_up =
            || secret(hash).inspect_err(|error| tracing::debug!(%error, "the keyring has no password")).ok();
        known.entry(hash.to_owned()).or_insert_with(look_up).clone()
    }

    /// Remembers the password of the file with this hash.
    pub(crate) fn give(&self, hash: &str, password: &str) {
        let mut known = self.known.lock();
        known.insert(hash.to_owned(), Some(password.to_owned()));
    }

    /// Keeps a password in the system's keyring.
    ///
    /// # Errors
    /// If there is no keyring, or it refuses.
    pub(crate) fn keep(hash: &str, password: &str) -> KeyringResult<()> {
        keep_secret(hash, password)
    }

    /// Forgets the password of the file with this hash, in memory and in the keyring.
    ///
    /// # Errors
    /// If the keyring refuses. That it has no such password is not an error.
    pub(crate) fn forget(&self, hash: &str) -> KeyringResult<()> {
        self.known.lock().remove(hash);
        forget_secret(hash)
    }
}
