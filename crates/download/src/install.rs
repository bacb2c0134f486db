//! Installs a model's files all at once: they are collected in a hidden folder beside the target, flushed to the disk,
//! and renamed. A crash leaves the hidden folder behind and nothing half-installed.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, Cancelled, ModelError, Notice};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// Bytes read at once, and bytes between two progress reports.
pub(crate) const BLOCK: usize = 1 << 20;

/// Prefix of the hidden folder's name.
pub(crate) const STAGING: &str = ".installing-";

/// A folder under construction; deleted if it is dropped before [`Staging::finish`].
pub struct Staging {
    /// Deletes the hidden folder with its remaining content.
    _room: TempDir,
    folder: PathBuf,
    target: PathBuf,
}

impl Staging {
    /// Starts a folder that will become `parent/id`.
    ///
    /// # Errors
    /// If `parent` cannot be written.
    pub fn new(parent: &Path, id: &str) -> Result<Self, ModelError> {
        let begin = || {
            fs::create_dir_all(parent)?;
            let room = tempfile::Builder::new().prefix(STAGING).tempdir_in(parent)?;
            let folder = room.path().join(id);
            fs::create_dir(&folder)?;
            Ok((room, folder))
        };
        let (room, folder) = begin().map_err(|e| failed(parent, &e))?;
        Ok(Self { _room: room, folder, target: parent.join(id) })
    }

    /// The folder to fill.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Moves the folder into place, replacing an existing one.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`], or an error of the disk; nothing is installed then.
    pub fn finish(self, cancel: &CancelToken) -> Result<PathBuf, ModelError> {
        let flush = || {
            for item in fs::read_dir(&self.folder)? {
                File::open(item?.path())?.sync_all()?;
            }
            sync_folder(&self.folder)
        };
        flush().map_err(|e| failed(&self.folder, &e))?;
        // Flushing may have taken long.
        cancel.check()?;
        let replace = || {
            if self.target.exists() {
                fs::rename(&self.target, self._room.path().join("before"))?;
            }
            fs::rename(&self.folder, &self.target)?;
            self.target.parent().map_or(Ok(()), sync_folder)
        };
        replace().map_err(|e: io::Error| failed(&self.target, &e))?;
        Ok(self.target)
    }
}

/// Flushes a folder's entries; only Unix supports this.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Copies at most `limit` bytes and returns their number and SHA-256.
///
/// # Errors
/// The outer error if it is cancelled, the inner one if reading or writing fails or there are more bytes.
pub fn copy_hashed(
    from: &mut dyn Read,
    to: &mut dyn Write,
    limit: u64,
    cancel: &CancelToken,
    done: &mut dyn FnMut(u64),
) -> Result<io::Result<(u64, String)>, Cancelled> {
    let mut digest = Sha256::new();
    let copied = copy_into(&mut digest, from, to, limit, cancel, done)?;
    Ok(copied.map(|total| (total, hex(&digest.finalize()))))
}

/// Like [`copy_hashed`] with an existing hash; returns the number of bytes.
pub(crate) fn copy_into(
    digest: &mut Sha256,
    from: &mut dyn Read,
    to: &mut dyn Write,
    limit: u64,
    cancel: &CancelToken,
    done: &mut dyn FnMut(u64),
) -> Result<io::Result<u64>, Cancelled> {
    let mut block = vec![0; BLOCK];
    let (mut total, mut told) = (0, 0);
    loop {
        cancel.check()?;
        let read = match from.read(&mut block) {
            Ok(0) => return Ok(Ok(total)),
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Ok(Err(e)),
        };
        total += read as u64;
        if total > limit {
            return Ok(Err(io::Error::other(format!("is larger than {limit} bytes"))));
        }
        digest.update(&block[..read]);
        if let Err(e) = to.write_all(&block[..read]) {
            return Ok(Err(e));
        }
        if total >= told + BLOCK as u64 {
            done(total);
            told = total;
        }
    }
}

/// A checksum in lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file error as one line that says what to do.
#[must_use]
pub fn failed(path: &Path, error: &io::Error) -> ModelError {
    let what = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Notice::DiskFull,
        io::ErrorKind::PermissionDenied => Notice::ModelFolderForbidden,
        io::ErrorKind::ReadOnlyFilesystem => Notice::ModelFolderReadOnly,
        _ => Notice::io(error),
    };
    ModelError::Failed(Notice::about(path.display(), what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let parent = tempfile::tempdir().unwrap();
        let staging = Staging::new(parent.path(), "m").unwrap();
        fs::write(staging.folder().join("a"), "1").unwrap();
        drop(staging);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0, "an abandoned folder stays");

        for text in ["2", "3"] {
            let staging = Staging::new(parent.path(), "m").unwrap();
            fs::write(staging.folder().join("a"), text).unwrap();
            let folder = staging.finish(&CancelToken::new()).unwrap();
            assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), text);
        }
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
        // A cancellation at the very end changes nothing.
        let staging = Staging::new(parent.path(), "m").unwrap();
        fs::write(staging.folder().join("a"), "4").unwrap();
        let token = CancelToken::new();
        token.cancel();
        assert!(matches!(staging.finish(&token), Err(ModelError::Cancelled(_))));
        assert_eq!(fs::read_to_string(parent.path().join("m/a")).unwrap(), "3");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[test]
    fn copies_are_hashed_and_bounded() {
        let token = CancelToken::new();
        let mut to = Vec::new();
        let copied = copy_hashed(&mut &b"abc"[..], &mut to, 3, &token, &mut |_| ()).unwrap().unwrap();
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((copied, to.as_slice()), ((3, sum.into()), &b"abc"[..]));
        assert!(copy_hashed(&mut &b"abc"[..], &mut to, 2, &token, &mut |_| ()).unwrap().is_err());
        token.cancel();
        let cancelled = copy_hashed(&mut &b"abc"[..], &mut to, 3, &token, &mut |_| ());
        assert_eq!(cancelled.unwrap_err(), Cancelled);
    }
}
