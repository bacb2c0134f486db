//! Partial files: `.partial/<sha256>` in the model cache, each with a note of its source's address and entity tag.
//!
//! An open [`Partial`] is locked, so that two processes never write the same file. Its checksum is computed while it
//! grows.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use oriel_core::CancelToken;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::install::{STAGING, copy_into, hex};
use crate::{DownloadError, RemoteFile};

/// The folder of partial files in the cache.
const FOLDER: &str = ".partial";

/// How long a partial file is kept without a change.
const KEPT: Duration = Duration::from_hours(7 * 24);

/// The same for a folder left by a killed installation, which takes only minutes.
const KEPT_STAGING: Duration = Duration::from_hours(24);

/// Written data is flushed after this many bytes, so that the final flush is quick.
const FLUSH: u64 = 64 << 20;

/// The note beside a partial file.
#[derive(Default, PartialEq, Serialize, Deserialize)]
struct Origin {
    url: String,
    etag: Option<String>,
}

/// Bytes of `files` that an earlier download left in `cache`.
#[must_use]
pub fn downloaded(cache: &Path, files: &[RemoteFile]) -> u64 {
    let here =
        |file: &RemoteFile| cache.join(FOLDER).join(&file.sha256).metadata().map_or(0, |found| found.len());
    files.iter().map(here).sum()
}

/// A partial file, locked while it is open.
pub(crate) struct Partial<'a> {
    pub(crate) wanted: &'a RemoteFile,
    file: File,
    path: PathBuf,
    /// The hash of the whole file, after [`Partial::rehash`].
    digest: Sha256,
    have: u64,
    flushed: u64,
}

/// Unlocks explicitly: a child process that another thread is just starting may hold a copy of the descriptor.
impl Drop for Partial<'_> {
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl<'a> Partial<'a> {
    /// Opens or creates the partial file in `cache` and locks it.
    pub(crate) fn open(cache: &Path, wanted: &'a RemoteFile) -> Result<Self, DownloadError> {
        let folder = cache.join(FOLDER);
        fs::create_dir_all(&folder).map_err(|e| DownloadError::file(&folder, e))?;
        let path = folder.join(&wanted.sha256);
        loop {
            let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
            let file = opened.map_err(|e| DownloadError::file(&path, e))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(DownloadError::InUse { name: wanted.name.clone() });
                }
                // Some network file systems have no locks.
                Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(e)) => return Err(DownloadError::file(&path, e)),
            }
            // Another process may have finished its download and removed the file just before the lock.
            if !is_at(&file, &path) {
                continue;
            }
            let have = file.metadata().map_err(|e| DownloadError::file(&path, e))?.len();
            let mut partial = Self { wanted, file, path, digest: Sha256::new(), have, flushed: have };
            if have > wanted.size {
                partial.restart()?;
            }
            return Ok(partial);
        }
    }

    /// Bytes on disk.
    pub(crate) fn have(&self) -> u64 {
        self.have
    }

    /// Whether all bytes are on disk, correct or not.
    pub(crate) fn is_complete(&self) -> bool {
        self.have == self.wanted.size
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The entity tag of the existing bytes, if they came from the same address.
    pub(crate) fn etag(&self) -> Option<String> {
        let note = fs::read(self.note()).ok()?;
        let origin: Origin = serde_json::from_slice(&note).ok()?;
        origin.etag.filter(|_| self.have > 0 && origin.url == self.wanted.url)
    }

    /// Hashes the bytes of an earlier download. Must be called first, and once.
    pub(crate) fn rehash(&mut self, cancel: &CancelToken) -> Result<(), DownloadError> {
        let left =
            copy_into(&mut self.digest, &mut self.file, &mut io::sink(), u64::MAX, cancel, &mut |_| ())?;
        self.have = left.map_err(|e| self.failed(e))?;
        Ok(())
    }

    /// Prepares to write from byte `from` on, which is 0 or the file's length.
    pub(crate) fn begin(&mut self, from: u64, etag: Option<String>) -> Result<(), DownloadError> {
        if from != self.have {
            self.restart()?;
        }
        let origin = Origin { url: self.wanted.url.clone(), etag };
        let note = serde_json::to_vec(&origin).map_err(|e| self.failed(e.into()))?;
        fs::write(self.note(), note).map_err(|e| self.failed(e))
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), DownloadError> {
        self.file.write_all(bytes).map_err(|e| self.failed(e))?;
        self.digest.update(bytes);
        self.have += bytes.len() as u64;
        if self.have >= self.flushed + FLUSH {
            self.flush()?;
        }
        Ok(())
    }

    /// Flushes the written bytes to the disk.
    pub(crate) fn flush(&mut self) -> Result<(), DownloadError> {
        self.flushed = self.have;
        self.file.sync_data().map_err(|e| self.failed(e))
    }

    /// Whether the checksum is the published one. If not, deletes the file.
    pub(crate) fn verify(&self) -> Result<(), DownloadError> {
        if hex(&self.digest.clone().finalize()) == self.wanted.sha256 {
            return Ok(());
        }
        self.remove().map_err(|e| self.failed(e))?;
        Err(DownloadError::Mismatch { name: self.wanted.name.clone() })
    }

    /// Deletes the file and its note.
    pub(crate) fn remove(&self) -> io::Result<()> {
        let _ = fs::remove_file(self.note());
        match fs::remove_file(&self.path) {
            // On a disk without links the file was moved.
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    fn restart(&mut self) -> Result<(), DownloadError> {
        self.file.set_len(0).map_err(|e| self.failed(e))?;
        self.file.seek(SeekFrom::Start(0)).map_err(|e| self.failed(e))?;
        self.digest = Sha256::new();
        (self.have, self.flushed) = (0, 0);
        Ok(())
    }

    fn note(&self) -> PathBuf {
        self.path.with_extension("json")
    }

    fn failed(&self, cause: io::Error) -> DownloadError {
        let kept = self.file.metadata().map_or(0, |now| now.len());
        DownloadError::File { path: self.path.clone(), cause, kept }
    }
}

/// Whether the open file is still at the path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    file.metadata().map(identity).ok() == fs::metadata(path).map(identity).ok()
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

/// Deletes partial files that were not resumed for long, except the `wanted` ones.
pub fn sweep(cache: &Path, wanted: &[RemoteFile]) {
    let is_old = |path: &Path, kept: Duration| {
        let changed = fs::metadata(path).and_then(|found| found.modified());
        changed.is_ok_and(|changed| SystemTime::now().duration_since(changed).is_ok_and(|age| age > kept))
    };
    for path in listed(&cache.join(FOLDER)) {
        let sum = path.file_stem().unwrap_or_default();
        let is_wanted = wanted.iter().any(|file| sum == file.sha256.as_str());
        let is_note = path.extension().is_some();
        // A note's time is the start of its download, so its file decides.
        let has_file = is_note && path.with_extension("").exists();
        if is_wanted || has_file || !is_old(&path, KEPT) {
            continue;
        }
        let is_free = File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if is_free && fs::remove_file(&path).is_ok() && !is_note {
            let _ = fs::remove_file(path.with_extension("json"));
        }
    }
    for path in listed(cache) {
        let is_staging =
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(STAGING));
        if is_staging && is_old(&path, KEPT_STAGING) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(text: &str) -> RemoteFile {
        RemoteFile {
            url: "https://h/f".into(),
            name: "f".into(),
            size: text.len() as u64,
            sha256: hex(&Sha256::digest(text)),
        }
    }

    #[test]
    fn a_second_download_of_the_same_file_is_refused() {
        let cache = tempfile::tempdir().unwrap();
        let file = wanted("abc");
        let first = Partial::open(cache.path(), &file).unwrap();
        assert!(matches!(Partial::open(cache.path(), &file), Err(DownloadError::InUse { .. })));
        drop(first);
        Partial::open(cache.path(), &file).unwrap();
    }

    #[test]
    fn what_was_left_is_continued_and_checked() {
        let cache = tempfile::tempdir().unwrap();
        let (file, never) = (wanted("abcdef"), CancelToken::new());
        let mut partial = Partial::open(cache.path(), &file).unwrap();
        partial.begin(0, Some("\"1\"".into())).unwrap();
        partial.append(b"abc").unwrap();
        drop(partial);

        let mut partial = Partial::open(cache.path(), &file).unwrap();
        assert_eq!((partial.have(), partial.etag().as_deref()), (3, Some("\"1\"")));
        partial.rehash(&never).unwrap();
        partial.begin(3, Some("\"1\"".into())).unwrap();
        partial.append(b"def").unwrap();
        assert!(partial.is_complete());
        partial.verify().unwrap();

        // A start at 0 begins the file again, and a mismatch deletes it.
        partial.begin(0, None).unwrap();
        assert_eq!((partial.have(), partial.etag()), (0, None));
        partial.append(b"abcdeX").unwrap();
        assert!(matches!(partial.verify(), Err(DownloadError::Mismatch { .. })));
        assert!(listed(&cache.path().join(FOLDER)).is_empty());
    }

    #[test]
    fn what_was_abandoned_long_ago_is_deleted() {
        let cache = tempfile::tempdir().unwrap();
        let files = [wanted("old"), wanted("new"), wanted("wanted"), wanted("running")];
        let [old, new, asked, running] = &files;
        for file in [old, new, asked] {
            Partial::open(cache.path(), file).unwrap().begin(0, None).unwrap();
        }
        let mut open = Partial::open(cache.path(), running).unwrap();
        open.begin(0, None).unwrap();
        let staging = cache.path().join(format!("{STAGING}x"));
        fs::create_dir(&staging).unwrap();
        let age = |path: PathBuf| {
            let long_ago = SystemTime::now() - KEPT - Duration::from_mins(1);
            File::open(path).unwrap().set_modified(long_ago).unwrap();
        };
        for file in [old, asked, running] {
            let path = cache.path().join(FOLDER).join(&file.sha256);
            age(path.with_extension("json"));
            age(path);
        }
        age(staging.clone());
        sweep(cache.path(), std::slice::from_ref(asked));
        let left = |file: &RemoteFile| cache.path().join(FOLDER).join(&file.sha256).exists();
        assert_eq!([old, new, asked, running].map(left), [false, true, true, true]);
        assert_eq!(listed(&cache.path().join(FOLDER)).len(), 6, "each with its note");
        assert!(!staging.exists());
    }
}
