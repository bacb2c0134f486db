//! Errors of a store, in words a person can act on.

use std::path::{Path, PathBuf};

use oriel_core::Notice;
use oriel_core::notice::shown;

/// Why the store failed. Every message is one line and names the library's folder if that helps.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.notice())]
pub enum StoreError {
    /// The library's folder cannot be made, read or written.
    Unusable {
        /// The library's folder.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The folder holds something else, or the file is damaged.
    Damaged {
        /// The library's folder.
        path: PathBuf,
        /// What was found.
        what: String,
    },
    /// The library was written by a newer Oriel.
    Newer {
        /// The library's folder.
        path: PathBuf,
        /// The format found.
        found: u32,
        /// The format this program writes.
        known: u32,
    },
    /// A development build wrote the library, in a format between those that are read.
    Unreleased {
        /// The library's folder.
        path: PathBuf,
        /// The format found.
        found: u32,
    },
    /// The disk has no room for the write; nothing of it was kept, everything before it was.
    DiskFull {
        /// The library's folder.
        path: PathBuf,
    },
    /// Another process is indexing this library.
    Busy {
        /// The library's folder.
        path: PathBuf,
        /// The other process, if it is known.
        pid: Option<u32>,
    },
    /// The data file is to be replaced, and another process has the library open.
    InUse {
        /// The library's folder.
        path: PathBuf,
    },
    /// Another process is replacing the data file.
    Replacing {
        /// The library's folder.
        path: PathBuf,
    },
    /// This user may not write the library, which was wanted.
    ReadOnly {
        /// The library's folder.
        path: PathBuf,
    },
    /// The library, which can only be read here, was written by an older Oriel, and an upgrade has to be written.
    Older {
        /// The library's folder.
        path: PathBuf,
    },
    /// The library, which can only be read here, was changed while it was read.
    Overtaken {
        /// The library's folder.
        path: PathBuf,
    },
    /// A long write was cancelled; nothing has changed.
    Cancelled,
    /// A value in the store does not decode: a bug, or damage.
    Corrupt(String),
    /// Any other error of LMDB.
    Database(heed::Error),
}

// Messages include their causes, so that each is one line; no cause is repeated as a `source`.
impl From<heed::Error> for StoreError {
    fn from(error: heed::Error) -> Self {
        Self::Database(error)
    }
}

impl StoreError {
    /// The message for a person.
    #[must_use]
    pub fn notice(&self) -> Notice {
        match self {
            Self::Unusable { path, cause } => {
                Notice::LibraryUnusable { path: shown(path), cause: Notice::io(cause).into() }
            }
            Self::Damaged { path, what } => Notice::NoLibraryThere { path: shown(path), what: what.clone() },
            &Self::Newer { ref path, found, known } => {
                Notice::LibraryNewer { path: shown(path), found, known }
            }
            &Self::Unreleased { ref path, found } => Notice::LibraryUnreleased { path: shown(path), found },
            Self::DiskFull { path } => Notice::LibraryDiskFull { path: shown(path) },
            &Self::Busy { ref path, pid } => Notice::LibraryBusy { path: shown(path), process: pid },
            Self::InUse { path } => Notice::LibraryInUse { path: shown(path) },
            Self::Replacing { path } => Notice::LibraryBeingReplaced { path: shown(path) },
            Self::ReadOnly { path } => Notice::LibraryReadOnly { path: shown(path) },
            Self::Older { path } => Notice::LibraryOlder { path: shown(path) },
            Self::Overtaken { path } => Notice::LibraryOvertaken { path: shown(path) },
            Self::Cancelled => Notice::Cancelled,
            Self::Corrupt(what) => Notice::LibraryDamaged { what: what.clone() },
            Self::Database(heed::Error::Io(cause)) => {
                Notice::DatabaseFailed { cause: Notice::io(cause).into() }
            }
            Self::Database(error) => Notice::DatabaseFailed { cause: Notice::text(error).into() },
        }
    }

    pub(crate) fn is_map_full(&self) -> bool {
        matches!(self, Self::Database(heed::Error::Mdb(heed::MdbError::MapFull)))
    }

    pub(crate) fn is_map_resized(&self) -> bool {
        matches!(self, Self::Database(heed::Error::Mdb(heed::MdbError::MapResized)))
    }

    /// Whether the data file can only be set aside: it is broken, so that no part of it can be trusted, or its format is not read.
    #[must_use]
    pub fn is_beyond_repair(&self) -> bool {
        match self {
            Self::Damaged { .. } | Self::Unreleased { .. } => true,
            Self::Database(heed::Error::Mdb(what)) => matches!(
                what,
                heed::MdbError::Corrupted
                    | heed::MdbError::PageNotFound
                    | heed::MdbError::Invalid
                    | heed::MdbError::VersionMismatch
                    // A key that was read cannot be one.
                    | heed::MdbError::BadValSize
            ),
            _ => false,
        }
    }

    /// Whether a disk failed during a commit. LMDB then refuses everything until the store is reopened. Its data is
    /// sound.
    #[must_use]
    pub fn wants_reopening(&self) -> bool {
        matches!(self, Self::Database(heed::Error::Mdb(heed::MdbError::Panic)))
    }

    /// The system's error, if there is one.
    pub(crate) fn io(&self) -> Option<&std::io::Error> {
        match self {
            Self::Database(heed::Error::Io(error)) => Some(error),
            _ => None,
        }
    }
}

/// The error for an unusable library folder or file in it.
pub(crate) fn unusable(path: &Path, cause: std::io::Error) -> StoreError {
    let path = path.to_owned();
    if is_full(&cause) { StoreError::DiskFull { path } } else { StoreError::Unusable { path, cause } }
}

pub(crate) fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
}
