//! Whole copies of the store: one beside work that goes on, and one without free pages in the place of the original.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use heed::CompactionOption;
use oriel_core::CancelToken;
use serde::Serialize;

use crate::environment::{DATA, named, unusable};
use crate::lock::BuildingLock;
use crate::{Store, StoreError};

/// What is copied between two looks at the cancellation token.
const PIECE: usize = 256 << 10;
/// What the copy is called until it takes the original's place; left over where a compacting was killed, until the next
/// opening.
pub(crate) const COMPACTED: &str = "data.mdb.compacted";

/// What a compacting came to: bytes of the data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Compacted {
    /// Before.
    pub before: u64,
    /// After.
    pub after: u64,
}

impl Store {
    /// Hands one whole state of the store to `sink`, piece by piece and without free pages, as the bytes of a
    /// `data.mdb`. Writers go on meanwhile; what they commit is not in the copy. Returns the number of bytes.
    ///
    /// # Errors
    /// What `sink` returns, or what LMDB says.
    pub fn copy<E: From<StoreError>>(&self, mut sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<u64, E> {
        loop {
            match self.copy_once(&mut sink)? {
                (bytes, Ok(())) => return Ok(bytes),
                // Another process let the data grow beyond this one's map; LMDB says so before it copies anything.
                (0, Err(error)) if error.is_map_resized() => self.resize(0)?,
                (_, Err(error)) => return Err(error.into()),
            }
        }
    }

    /// The number of bytes that came, and what LMDB says.
    fn copy_once<E: From<StoreError>>(
        &self,
        sink: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(u64, Result<(), StoreError>), E> {
        let (mut reader, writer) = std::io::pipe().map_err(|cause| unusable(self.path(), cause))?;
        std::thread::scope(|scope| {
            // LMDB writes to a file of its own; through a pipe each piece can be looked at, counted, refused.
            let copying = scope.spawn(move || {
                let _guard = self.map_in_use();
                self.env().copy_to_file(&mut as_file(writer), CompactionOption::Enabled)
            });
            let mut piece = vec![0; PIECE];
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
            // Where the sink refused, this is what ends the copying.
            drop(reader);
            let copied = copying.join();
            sunk?;
            match copied {
                Ok(copied) => Ok((bytes, copied.map_err(StoreError::from))),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Gives what is free in the data file back to the disk: the store is copied beside itself, and the copy takes its
    /// place. A kill leaves the one or the other, whole. `progress` is told how many bytes have been copied, of how many at
    /// most.
    ///
    /// # Errors
    /// [`StoreError::InUse`] where another process has the library open, [`StoreError::Busy`] where it is indexed,
    /// [`StoreError::Cancelled`], or where the disk has no room for the copy; the store is as before then.
    pub fn compact(
        self,
        cancel: &CancelToken,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Compacted, StoreError> {
        let _indexer = self.lock_writer()?;
        let _writers = BuildingLock::alone(self.path(), cancel)?;
        self.alone()?;
        let folder = self.path().to_owned();
        let (data, copy) = (folder.join(DATA), folder.join(COMPACTED));
        let before = self.size_on_disk()?;
        let written = write_copy(&self, &copy, cancel, progress).map_err(|error| named(&folder, error));
        let after = match written {
            Ok(after) => after,
            Err(error) => {
                // What is left of the copy is of no use; the next compacting replaces it in any case.
                let _ = std::fs::remove_file(&copy);
                return Err(error);
            }
        };
        // Held until the copy is in its place: nobody may open the one and find the other.
        let _alone = self.close();
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

/// Brings to the disk that a name in the folder changed.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
