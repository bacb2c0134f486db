//! The key that a program must know to ask: 256 random bits in a file that only its user can read.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use oriel_core::Notice;
use oriel_endpoint::others_can_read;
use oriel_engine::{personal_folder, replace_file};

use crate::error::AppError;

/// In the user's folder of the library.
const FILE: &str = "serve-token";
/// What every key begins with, so that people and scanners know one when they see it.
const PREFIX: &str = "or-";
const BYTES: usize = 32;

/// The key of a library, with its file.
pub struct ServeKey {
    path: PathBuf,
    token: String,
}

impl ServeKey {
    /// The key of the library in the folder `library`; a new one if there is none.
    pub fn open(library: &Path) -> Result<Self, AppError> {
        let path = Self::path_of(library);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let token = text.trim().to_owned();
                let is_key = token.strip_prefix(PREFIX).is_some_and(|digits| {
                    digits.len() == 2 * BYTES && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
                });
                let why = match () {
                    () if others_can_read(&path)
                        .map_err(|error| AppError::cannot_be_read(&path, &error))? =>
                    {
                        Notice::KeyReadableByOthers
                    }
                    () if !is_key => Notice::NoKeyInFile,
                    () => return Ok(Self { path, token }),
                };
                Err(AppError::File { path, why })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Self::renew(library),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                Err(AppError::File { path, why: Notice::NoKeyInFile })
            }
            Err(error) => Err(AppError::cannot_be_read(&path, &error)),
        }
    }

    /// Replaces the key by a new one.
    pub fn renew(library: &Path) -> Result<Self, AppError> {
        let path = Self::path_of(library);
        let write = || {
            let mut bytes = [0; BYTES];
            getrandom::fill(&mut bytes).map_err(io::Error::other)?;
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let token = format!("{PREFIX}{digits}");
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            // The file that takes its place is for its user alone.
            replace_file(&path, format!("{token}\n").as_bytes())?;
            Ok(token)
        };
        match write() {
            Ok(token) => Ok(Self { path, token }),
            Err(error) => Err(AppError::cannot_be_written(&path, &error)),
        }
    }

    /// Where the key of a library lies.
    pub fn path_of(library: &Path) -> PathBuf {
        personal_folder(library).join(FILE)
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The key. Show it to nobody but the user.
    pub fn token(&self) -> &str {
        &self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_kept_for_its_user_alone() {
        let place = tempfile::tempdir().unwrap();
        let first = ServeKey::open(place.path()).unwrap();
        assert_eq!(first.token().len(), PREFIX.len() + 2 * BYTES);
        assert_eq!(ServeKey::open(place.path()).unwrap().token(), first.token());
        let renewed = ServeKey::renew(place.path()).unwrap();
        assert_ne!(renewed.token(), first.token());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;

            assert_eq!(fs::metadata(renewed.path()).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(renewed.path(), fs::Permissions::from_mode(0o640)).unwrap();
            let error = ServeKey::open(place.path()).err().unwrap().to_string();
            assert!(error.contains(FILE) && error.contains("others"), "{error}");
            fs::set_permissions(renewed.path(), fs::Permissions::from_mode(0o600)).unwrap();
        }
        for wrong in [&b""[..], b"or-123", b"\xff\xfe"] {
            fs::write(renewed.path(), wrong).unwrap();
            let error = ServeKey::open(place.path()).err().unwrap().to_string();
            assert!(error.contains("no key"), "{error}");
        }
    }
}
