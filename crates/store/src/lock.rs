//! Advisory locks beside the database. The system releases them when a process ends for any reason.
//!
//! LMDB already allows only one write transaction at a time, which keeps the data sound. The writer's lock keeps two
//! processes from doing the same long work.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::{StoreError, unusable};
use crate::schema::DATA_FILE;

/// A lock file. It unlocks explicitly when dropped: a child process that another thread is just starting may hold a
/// copy of the descriptor, which would keep the lock.
#[derive(Debug)]
struct LockFile(File);

impl Deref for LockFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// The right to index a library. Dropping it releases the lock.
#[derive(Debug)]
pub struct WriterLock {
    _file: LockFile,
}

impl WriterLock {
    pub(crate) fn take(library: &Path) -> Result<Self, StoreError> {
        let file = lock_file(library, "writer.lock")?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // The process id only improves the message.
                let pid = (&*file).read_to_string(&mut pid).ok().and_then(|_| pid.trim().parse().ok());
                return Err(StoreError::Busy { path: library.to_owned(), pid });
            }
            Err(TryLockError::Error(cause)) => return Err(unusable(library, cause)),
        }
        let written = file
            .set_len(0)
            .and_then(|()| (&*file).rewind())
            .and_then(|()| writeln!(&*file, "{}", std::process::id()));
        if let Err(error) = written {
            tracing::debug!(%error, "the writer's process number could not be noted");
        }
        Ok(Self { _file: file })
    }
}

/// Held shared by everyone who has the library open, and exclusively to replace the data file.
#[derive(Debug)]
pub struct OpenLock {
    file: LockFile,
    library: PathBuf,
}

impl OpenLock {
    /// Takes the shared lock; waits at most `patience` while the data file is being replaced.
    pub(crate) fn shared(library: &Path, patience: Duration) -> Result<Self, StoreError> {
        Self::share(library, OPEN_LOCK_FILE, lock_file, patience)
    }

    /// Like [`Self::shared`], for a user who may not write the folder. If the lock file is missing, as in a copied
    /// library, the data file is locked instead.
    pub(crate) fn of_reader(library: &Path, patience: Duration) -> Result<Self, StoreError> {
        let can_be_read = File::open(library.join(OPEN_LOCK_FILE)).is_ok();
        let name = if can_be_read { OPEN_LOCK_FILE } else { DATA_FILE };
        Self::share(library, name, existing_file, patience)
    }

    fn share(library: &Path, name: &str, open: OpenFile, patience: Duration) -> Result<Self, StoreError> {
        let begun = Instant::now();
        let file = waiting(library, name, open, File::try_lock_shared, || {
            if begun.elapsed() < patience {
                Ok(())
            } else {
                Err(StoreError::Replacing { path: library.to_owned() })
            }
        })?;
        Ok(Self { file, library: library.to_owned() })
    }

    /// Takes the exclusive lock to replace the whole folder `library`. A missing folder needs no lock.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another process has it open.
    pub fn of_folder(library: &Path) -> Result<Self, StoreError> {
        let lock = Self { file: lock_file(library, OPEN_LOCK_FILE)?, library: library.to_owned() };
        lock.exclusive()?;
        Ok(lock)
    }

    /// Turns a shared lock into an exclusive one.
    pub(crate) fn exclusive(&self) -> Result<(), StoreError> {
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: self.library.clone() }),
            Err(TryLockError::Error(cause)) => Err(unusable(&self.library, cause)),
        }
    }

    /// Turns an exclusive lock into a shared one.
    pub(crate) fn share_again(&self) -> Result<(), StoreError> {
        self.file.lock_shared().map_err(|cause| unusable(&self.library, cause))
    }
}

const OPEN_LOCK_FILE: &str = "open.lock";

/// How often a waiting process tries the lock: the system has no lock with a timeout.
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waits for a lock until `may_wait` fails.
fn waiting(
    library: &Path,
    name: &str,
    open: OpenFile,
    lock: impl Fn(&File) -> Result<(), TryLockError>,
    may_wait: impl Fn() -> Result<(), StoreError>,
) -> Result<LockFile, StoreError> {
    let mut file = open(library, name)?;
    loop {
        match lock(&file) {
            Ok(()) if is_at(&file, &library.join(name)) => return Ok(file),
            // The library was replaced during the wait, so this lock is on the old file.
            Ok(()) => {
                file = open(library, name)?;
                continue;
            }
            Err(TryLockError::Error(cause)) => return Err(unusable(library, cause)),
            Err(TryLockError::WouldBlock) => may_wait()?,
        }
        pause(LOCK_POLL_INTERVAL);
    }
}

#[expect(clippy::disallowed_methods, reason = "there is no event for the end of another's lock")]
fn pause(time: Duration) {
    std::thread::sleep(time);
}

/// Whether `path` is this file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |found: std::fs::Metadata| (found.dev(), found.ino());
    file.metadata().ok().map(place) == std::fs::metadata(path).ok().map(place)
}

/// Always true: outside Unix a folder with an open file cannot be replaced.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

/// Opens a file in the library's folder to lock it.
type OpenFile = fn(&Path, &str) -> Result<LockFile, StoreError>;

fn existing_file(library: &Path, name: &str) -> Result<LockFile, StoreError> {
    File::open(library.join(name)).map(LockFile).map_err(|cause| unusable(library, cause))
}

fn lock_file(library: &Path, name: &str) -> Result<LockFile, StoreError> {
    let mut opening = OpenOptions::new();
    opening.read(true).write(true).create(true).truncate(false);
    opening.open(library.join(name)).map(LockFile).map_err(|cause| unusable(library, cause))
}
