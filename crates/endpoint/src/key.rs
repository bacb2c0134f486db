//! The key for a server.

use std::io;
use std::path::{Path, PathBuf};

use oriel_core::Notice;
use oriel_core::notice::shown;
use oriel_wire::remote::Key;
use serde::{Deserialize, Serialize};

use crate::{EndpointError, ServerAddress, forget_secret, keep_secret, secret};

/// Maximum bytes of a key.
const MAX_KEY: u64 = 8 << 10;

/// The key for a server, as the user provides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerKey {
    None,
    /// In a file of the user's, which is read for each connection.
    File(PathBuf),
    /// The key itself, which is stored in the system's keyring.
    Keyring(Key),
}

impl ServerKey {
    /// Reads the key. Returns it with the place where it is stored.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub fn read(self) -> Result<(Option<Key>, KeyPlace), EndpointError> {
        Ok(match self {
            Self::None => (None, KeyPlace::None),
            Self::File(path) => {
                let path = std::path::absolute(&path).unwrap_or(path);
                (Some(key_of_file(&path)?), KeyPlace::File(path))
            }
            Self::Keyring(key) => (Some(key), KeyPlace::Keyring),
        })
    }
}

/// Where the key for a server is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyPlace {
    /// The server needs no key.
    #[default]
    None,
    File(PathBuf),
    Keyring,
}

impl KeyPlace {
    /// Whether the server needs no key.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// The key for the server at this address; `name` is the name of its secret.
    ///
    /// # Errors
    /// If its file or the keyring cannot provide it.
    pub fn key(&self, address: &ServerAddress, name: &str) -> Result<Option<Key>, EndpointError> {
        match self {
            Self::None => Ok(None),
            Self::File(path) => key_of_file(path).map(Some),
            Self::Keyring => {
                let kept = secret(name);
                Ok(Some(Key(kept.map_err(|error| keyring_refuses(address, &error))?)))
            }
        }
    }

    /// Stores a key that belongs in the keyring as the secret `name`.
    ///
    /// # Errors
    /// If the keyring refuses.
    pub fn keep(&self, address: &ServerAddress, name: &str, key: Option<&Key>) -> Result<(), EndpointError> {
        match (self, key) {
            (Self::Keyring, Some(Key(key))) => {
                keep_secret(name, key).map_err(|error| keyring_refuses(address, &error))
            }
            _ => Ok(()),
        }
    }

    /// Deletes a key that is stored in the keyring as the secret `name`.
    ///
    /// # Errors
    /// If the keyring refuses.
    pub fn forget(&self, address: &ServerAddress, name: &str) -> Result<(), EndpointError> {
        match self {
            Self::Keyring => forget_secret(name).map_err(|error| keyring_refuses(address, &error)),
            Self::None | Self::File(_) => Ok(()),
        }
    }
}

fn keyring_refuses(address: &ServerAddress, error: &keyring::Error) -> EndpointError {
    EndpointError(Notice::KeyringRefuses { host: address.host(), cause: Notice::text(error).into() })
}

/// Whether other users may read a file. Only Unix reports this; on other systems a user's folders are closed to others
/// as a whole.
///
/// # Errors
/// If the system does not report it.
pub fn others_can_read(path: &Path) -> io::Result<bool> {
    let metadata = path.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        Ok(metadata.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        Ok(false)
    }
}

/// Reads the key in a file that only its owner may read.
fn key_of_file(path: &Path) -> Result<Key, EndpointError> {
    let unusable =
        |cause: Notice| EndpointError(Notice::KeyFileUnusable { path: shown(path), cause: cause.into() });
    if others_can_read(path).map_err(|error| unusable(Notice::io(&error)))? {
        return Err(EndpointError(Notice::KeyFileOpen { path: shown(path) }));
    }
    if path.metadata().map_err(|error| unusable(Notice::io(&error)))?.len() > MAX_KEY {
        return Err(unusable(Notice::text("it is too long")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| unusable(Notice::io(&error)))?;
    let key = text.trim();
    let is_key = !key.is_empty() && !key.chars().any(char::is_control);
    if is_key { Ok(Key(key.to_owned())) } else { Err(unusable(Notice::text("it holds no key"))) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_a_file_is_the_persons_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let allow = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        std::fs::write(&path, "sk-1234\n").unwrap();
        allow(0o644);
        assert!(key_of_file(&path).unwrap_err().to_string().contains("chmod 600"));
        allow(0o600);
        assert_eq!(key_of_file(&path).unwrap(), Key("sk-1234".into()));
        std::fs::write(&path, "two\nlines").unwrap();
        assert!(key_of_file(&path).is_err());
    }
}
