//! What can go wrong with a store, in words a person can act on.

use std::path::PathBuf;

use oriel_core::Notice;
use oriel_core::notice::shown;

/// Why the store did not do what it was asked. Every message is one line and names the library's folder where it helps.
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
    /// No room for the write; nothing of it was kept, everything before it was.
    DiskFull {
        /// The library's folder.
        path: PathBuf,
    },
    /// Another process is indexing this library.
    Busy {
        /// The library's folder.
        path: PathBuf,
        /// The other process, where it said so.
        pid: Option<u32>,
    },
    /// The trees are being built, here or in another process, and nothing else can be written until that is over.
    Building {
        /// The library's folder.
        path: PathBuf,
    },
    /// The data file is to be replaced, and another process has the library open.
    InUse {
        /// The library's folder.
        path: PathBuf,
    },
    /// Another process is putting another data file in the place of this one.
    Replacing {
        /// The library's folder.
        path: PathBuf,
    },
    /// A long write was cancelled; nothing has changed.
    Cancelled,
    /// A value in the store does not decode: a defect, or damage.
    Corrupt(String),
    /// LMDB's own word for everything else.
    Database(heed::Error),
    /// arroy's own word for everything else.
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
            Self::DiskFull { path } => Notice::LibraryDiskFull { path: shown(path) },
            &Self::Busy { ref path, pid } => Notice::LibraryBusy { path: shown(path), process: pid },
            Self::Building { path } => Notice::VectorsBeingSorted { path: shown(path) },
            Self::InUse { path } => Notice::LibraryInUse { path: shown(path) },
            Self::Replacing { path } => Notice::LibraryBeingReplaced { path: shown(path) },
            Self::Cancelled => Notice::Cancelled,
            Self::Corrupt(what) => Notice::LibraryDamaged { what: what.clone() },
            Self::Database(heed::Error::Io(cause)) => {
                Notice::DatabaseFailed { cause: Notice::io(cause).into() }
            }
            Self::Database(error) => Notice::DatabaseFailed { cause: Notice::text(error).into() },
            Self::Vectors(error) => Notice::VectorsFailed { cause: Notice::text(error).into() },
        }
    }

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
