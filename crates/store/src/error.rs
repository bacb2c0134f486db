//! What can go wrong with a store, in words a person can act on.

use std::path::PathBuf;

/// Why the store did not do what it was asked. Every message is one line and names the library's folder where it helps.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The library's folder cannot be made, read or written.
    #[error("the library {} cannot be opened: {cause}; check the folder's permissions", path.display())]
    Unusable {
        /// The library's folder.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The folder holds something else, or the file is damaged.
    #[error("{} is not an Oriel library or is damaged: {what}; choose another folder, or move it away to start anew", path.display())]
    Damaged {
        /// The library's folder.
        path: PathBuf,
        /// What was found.
        what: String,
    },
    /// The library was written by a newer Oriel.
    #[error("the library {} has format {found}, this Oriel reads {known}; use the newer Oriel", path.display())]
    Newer {
        /// The library's folder.
        path: PathBuf,
        /// The format found.
        found: u32,
        /// The format this program writes.
        known: u32,
    },
    /// No room for the write; nothing of it was kept, everything before it was.
    #[error("the disk with the library {} is full; free some space and try again, nothing is lost", path.display())]
    DiskFull {
        /// The library's folder.
        path: PathBuf,
    },
    /// Another process is indexing this library.
    #[error("another Oriel{} is indexing the library {}; wait until it has finished, or stop it", pid.map(|pid| format!(" (process {pid})")).unwrap_or_default(), path.display())]
    Busy {
        /// The library's folder.
        path: PathBuf,
        /// The other process, where it said so.
        pid: Option<u32>,
    },
    /// The trees are being built, here or in another process, and nothing else can be written until that is over.
    #[error("the vectors of the library {} are being sorted; try again when that is done", path.display())]
    Building {
        /// The library's folder.
        path: PathBuf,
    },
    /// The data file is to be replaced, and another process has the library open.
    #[error("the library {} is open in another Oriel; close it and try again", path.display())]
    InUse {
        /// The library's folder.
        path: PathBuf,
    },
    /// Another process is putting another data file in the place of this one.
    #[error("the library {} is being compacted or restored by another Oriel; try again when that is done", path.display())]
    Replacing {
        /// The library's folder.
        path: PathBuf,
    },
    /// A long write was cancelled; nothing has changed.
    #[error("cancelled")]
    Cancelled,
    /// A value in the store does not decode: a defect, or damage.
    #[error("the library is damaged: {0}; a check of it says how far that goes")]
    Corrupt(String),
    /// LMDB's own word for everything else.
    #[error("the library's database failed: {0}")]
    Database(heed::Error),
    /// arroy's own word for everything else.
    #[error("the library's vectors failed: {0}")]
    Vectors(arroy::Error),
}

// Messages hold their causes, so that each is one line; none is handed on a second time as a source.
impl From<heed::Error> for StoreError {
    fn from(error: heed::Error) -> Self {
        Self::Database(error)
    }
}

impl From<arroy::Error> for StoreError {
    fn from(error: arroy::Error) -> Self {
        match error {
            arroy::Error::Heed(inner) => Self::Database(inner),
            arroy::Error::BuildCancelled => Self::Cancelled,
            arroy::Error::Io(inner) => Self::Database(heed::Error::Io(inner)),
            other => Self::Vectors(other),
        }
    }
}

impl StoreError {
    pub(crate) fn is_map_full(&self) -> bool {
        matches!(self, Self::Database(heed::Error::Mdb(heed::MdbError::MapFull)))
    }

    pub(crate) fn is_map_resized(&self) -> bool {
        matches!(self, Self::Database(heed::Error::Mdb(heed::MdbError::MapResized)))
    }

    /// Whether the data file itself is broken, so that no part of it can be relied on.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Database(heed::Error::Mdb(what)) => matches!(
                what,
                heed::MdbError::Corrupted
                    | heed::MdbError::PageNotFound
                    | heed::MdbError::Invalid
                    | heed::MdbError::VersionMismatch
            ),
            _ => false,
        }
    }

    /// Whether a disk failed while a commit was ended: LMDB refuses everything from then on, until the store is opened
    /// anew. Its data is sound.
    #[must_use]
    pub fn wants_reopening(&self) -> bool {
        matches!(self, Self::Database(heed::Error::Mdb(heed::MdbError::Panic)))
    }

    /// What the system said, where it said something.
    pub(crate) fn io(&self) -> Option<&std::io::Error> {
        match self {
            Self::Database(heed::Error::Io(error)) => Some(error),
            _ => None,
        }
    }
}
