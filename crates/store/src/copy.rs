//! Copies of the whole store: a backup while others write, and a compacted file that replaces the original.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use heed::CompactionOption;
use oriel_core::CancelToken;
use serde::Serialize;

use crate::environment::{COMPACTED_FILE, named};
use crate::error::unusable;
use crate::schema::DATA_FILE;
use crate::{Store, StoreError};

/// Bytes copied between two checks for cancellation.
const PIECE_BYTES: usize = 256 << 10;

/// The result of compacting: the size of the data file in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Compacted {
    /// The size before.
    pub before: u64,
    /// The size after.
    pub after: u64,
}

impl Store {
    /// Passes one state of the store to `sink`, piece by piece and without free pages, as the bytes of a `data.mdb`.
    /// Writers continue meanwhile; the copy does not contain their commits. Returns the number of bytes.
    ///
    /// # Errors
    /// What `sink` returns, or an error of LMDB.
    pub fn copy<E: From<StoreError>>(&self, mut sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<u64, E> {
        loop {
            match self.copy_once(&mut sink)? {
                (bytes, Ok(())) => return Ok(bytes),
                // Another process let the data grow beyond this map; LMDB reports that before it copies anything.
                (0, Err(error)) if error.is_map_resized() => self.resize(0)?,
                (_, Err(error)) => return Err(error.into()),
            }
        }
    }

    /// Copies once. Returns the number of bytes copied, and LMDB's result.
    fn copy_once<E: From<StoreError>>(
        &self,
        sink: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(u64, Result<(), StoreError>), E> {
        let (mut reader, writer) = std::io::pipe().map_err(|cause| unusable(self.path(), cause))?;
        std::thread::scope(|scope| {
            // LMDB writes to a file descriptor; a pipe lets this code count and refuse each piece.
            let copying = scope.spawn(move || {
                let _guard = self.map_in_use();
                self.env().copy_to_file(&mut as_file(writer), CompactionOption::Enabled)
            });
            let mut piece = vec![0; PIECE_BYTES];
            let mut bytes = 0;
            let sunk = loop {
                match reader.read(&mut piece) {
                    Ok(0) => break Ok(()),
                    Ok(read) => match sink(&piece[..read]) {
                        Ok(()) => bytes += read as u64,
                        Err(error) => break Err(error),
                    },
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(cause) => break Err(unusable(self.path(), cause).into()),
                }
            };
            // If the sink refused a piece, closing the pipe ends LMDB's copy.
            drop(reader);
            let copied = copying.join();
            sunk?;
            match copied {
                Ok(copied) => Ok((bytes, copied.map_err(StoreError::from))),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Returns free space in the data file to the disk: copies the store to a file beside it and replaces the original
    /// with the copy. After a kill, one of the two files is there and complete. `progress` gets the bytes copied so far
    /// and the maximum.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another process has the library open, [`StoreError::Busy`] if another process is
    /// indexing it, [`StoreError::Cancelled`], or if the disk has no space for the copy; the store is then unchanged.
    pub fn compact(
        self,
        cancel: &CancelToken,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Compacted, StoreError> {
        let _indexer = self.lock_writer()?;
        self.exclusive()?;
        let folder = self.path().to_owned();
        let (data, copy) = (folder.join(DATA_FILE), folder.join(COMPACTED_FILE));
        let before = self.size_on_disk()?;
        let written = write_copy(&self, &copy, cancel, progress).map_err(|error| named(&folder, error));
        let after = match written {
            Ok(after) => after,
            Err(error) => {
                // A partial copy is useless. If it cannot be removed, the next compaction overwrites it.
                let _ = std::fs::remove_file(&copy);
                return Err(error);
            }
        };
        // Held until the copy is in place, so that nobody opens the old file and later finds the new one.
        let _exclusive = self.close();
        std::fs::rename(&copy, &data)
            .and_then(|()| sync_folder(&folder))
            .map_err(|cause| unusable(&folder, cause))?;
        Ok(Compacted { before, after })
    }
}

fn write_copy(
    store: &Store,
    path: &Path,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<u64, StoreError> {
    let failed = |cause| unusable(store.path(), cause);
    let mut opening = OpenOptions::new();
    let mut file = opening.write(true).create(true).truncate(true).open(path).map_err(failed)?;
    let (mut done, total) = (0, store.size_on_disk()?);
    let bytes = store.copy(|piece| {
        cancel.check().map_err(|_| StoreError::Cancelled)?;
        file.write_all(piece).map_err(failed)?;
        done += piece.len() as u64;
        progress(done, total);
        Ok::<_, StoreError>(())
    })?;
    file.sync_all().map_err(failed)?;
    Ok(bytes)
}

#[cfg(unix)]
fn as_file(writer: std::io::PipeWriter) -> File {
    File::from(std::os::fd::OwnedFd::from(writer))
}

#[cfg(windows)]
fn as_file(writer: std::io::PipeWriter) -> File {
    File::from(std::os::windows::io::OwnedHandle::from(writer))
}

/// Syncs the folder, so that the renaming of a file survives a crash.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
