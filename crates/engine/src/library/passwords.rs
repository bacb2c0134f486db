//! The passwords of PDFs: in memory as long as the library is open, and in the system's keyring if the person says so.
//!
//! A password belongs to the bytes of a file: one that was moved needs no other, one that was changed asks again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The service under which the keyring lists them.
const SERVICE: &str = "Oriel";

/// The passwords that are known, by BLAKE3 of the file's bytes in hex.
#[derive(Default)]
pub(crate) struct Passwords {
    /// Those that were given or looked up; `None` where the keyring had none.
    known: Mutex<HashMap<String, Option<String>>>,
}

impl Passwords {
    /// The password of the file with this hash, from memory or the keyring.
    pub(crate) fn of(&self, hash: &str) -> Option<String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let look_up = || {
            let kept = keyring::Entry::new(SERVICE, hash).and_then(|entry| entry.get_password());
            kept.inspect_err(|error| tracing::debug!(%error, "the keyring has no password")).ok()
        };
        known.entry(hash.to_owned()).or_insert_with(look_up).clone()
    }

    /// Remembers the password of the file with this hash.
    pub(crate) fn give(&self, hash: &str, password: &str) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(hash.to_owned(), Some(password.to_owned()));
    }

    /// Keeps a password in the system's keyring.
    ///
    /// # Errors
    /// If there is no keyring, or it refuses.
    pub(crate) fn keep(hash: &str, password: &str) -> keyring::Result<()> {
        keyring::Entry::new(SERVICE, hash)?.set_password(password)
    }

    /// Forgets the password of the file with this hash, in memory and in the keyring.
    ///
    /// # Errors
    /// If the keyring refuses; one that has none does not.
    pub(crate) fn forget(&self, hash: &str) -> keyring::Result<()> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(hash);
        match keyring::Entry::new(SERVICE, hash)?.delete_credential() {
            Err(keyring::Error::NoEntry) => Ok(()),
            deleted => deleted,
        }
    }
}
