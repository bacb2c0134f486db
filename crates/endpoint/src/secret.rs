//! Secrets in the system's keyring, where users can see and delete them.

pub use keyring::Result as KeyringResult;

/// The service under which the keyring lists them.
const SERVICE: &str = "Oriel";

/// Reads the secret with this name.
///
/// # Errors
/// If the keyring has none, or there is no keyring.
pub fn secret(name: &str) -> KeyringResult<String> {
    keyring::Entry::new(SERVICE, name)?.get_password()
}

/// Stores a secret under a name.
///
/// # Errors
/// If there is no keyring, or it refuses.
pub fn keep_secret(name: &str, secret: &str) -> KeyringResult<()> {
    keyring::Entry::new(SERVICE, name)?.set_password(secret)
}

/// Deletes the secret with this name, if it exists.
///
/// # Errors
/// If there is no keyring, or it refuses.
pub fn forget_secret(name: &str) -> KeyringResult<()> {
    match keyring::Entry::new(SERVICE, name)?.delete_credential() {
        Err(keyring::Error::NoEntry) => Ok(()),
        deleted => deleted,
    }
}
