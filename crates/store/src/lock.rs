//! One indexer at a time: an advisory lock beside the database.
//!
//! LMDB itself admits one write transaction at a time, which keeps the data whole; this lock keeps two processes from
//! doing the same long work side by side. The system releases it when the process ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use crate::StoreError;
use crate::environment::unusable;

/// The right to index one library; released when dropped.
#[derive(Debug)]
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    pub(crate) fn take(library: &Path) -> Result<Self, StoreError> {
        let path = library.join("writer.lock");
        let unusable = |cause| unusable(library, cause);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // The number is a courtesy for the message; without it the message is still right.
                let pid = file.read_to_string(&mut pid).ok().and_then(|_| pid.trim().parse().ok());
                return Err(StoreError::Busy { path: library.to_owned(), pid });
            }
            Err(TryLockError::Error(cause)) => return Err(unusable(cause)),
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
