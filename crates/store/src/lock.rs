//! Who may write: advisory locks beside the database, which the system releases when a process ends, however it ends.
//!
//! LMDB itself admits one write transaction at a time, which keeps the data whole; the writer's lock keeps two processes
//! from doing the same long work side by side. LMDB cannot be asked whether it is busy, only waited for; the building
//! lock says beforehand when that would take long.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use oriel_core::CancelToken;

use crate::StoreError;
use crate::environment::unusable;

/// The right to index one library; released when dropped.
#[derive(Debug)]
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    pub(crate) fn take(library: &Path) -> Result<Self, StoreError> {
        let mut file = lock_file(library, "writer.lock")?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // The number is a courtesy for the message; without it the message is still right.
                let pid = file.read_to_string(&mut pid).ok().and_then(|_| pid.trim().parse().ok());
                return Err(StoreError::Busy { path: library.to_owned(), pid });
            }
            Err(TryLockError::Error(cause)) => return Err(unusable(library, cause)),
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        if let Err(error) = written {
            tracing::debug!(%error, "the writer's process number could not be noted");
        }
        Ok(Self { _file: file })
    }
}

/// How often a waiting writer looks whether the lock is free: the system wakes nobody within a time limit.
const TICK: Duration = Duration::from_millis(20);

/// Held alone while the trees are built and shared by every other write.
#[derive(Debug)]
pub(crate) struct BuildingLock {
    _file: File,
}

impl BuildingLock {
    /// For a short write; waits at most `patience` for a building to end.
    pub(crate) fn beside(library: &Path, patience: Duration) -> Result<Self, StoreError> {
        let begun = Instant::now();
        Self::take(library, File::try_lock_shared, || {
            if begun.elapsed() < patience {
                Ok(())
            } else {
                Err(StoreError::Building { path: library.to_owned() })
            }
        })
    }

    /// For the building; waits for the short writes that have begun.
    pub(crate) fn alone(library: &Path, cancel: &CancelToken) -> Result<Self, StoreError> {
        Self::take(library, File::try_lock, || cancel.check().map_err(|_| StoreError::Cancelled))
    }

    fn take(
        library: &Path,
        lock: impl Fn(&File) -> Result<(), TryLockError>,
        may_wait: impl Fn() -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let file = lock_file(library, "building.lock")?;
        loop {
            match lock(&file) {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(cause)) => return Err(unusable(library, cause)),
                Err(TryLockError::WouldBlock) => may_wait()?,
            }
            #[expect(clippy::disallowed_methods, reason = "there is no event for the end of another's lock")]
            std::thread::sleep(TICK);
        }
    }
}

fn lock_file(library: &Path, name: &str) -> Result<File, StoreError> {
    let mut opening = OpenOptions::new();
    opening.read(true).write(true).create(true).truncate(false);
    opening.open(library.join(name)).map_err(|cause| unusable(library, cause))
}
