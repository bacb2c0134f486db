//! Errors of everything above the store, in words a person can act on.
//!
//! A message says what is wrong and what has to be done, but not which button to press or what to type: the same line is read
//! in the app and in a terminal, and each adds its own instructions.

use std::path::PathBuf;

use oriel_core::{Cancelled, DocumentId, ModelError};
use oriel_store::StoreError;

/// Why the engine did not do what it was asked. Every message is one line.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The caller asked to stop; what was done until then is kept.
    #[error("cancelled; what was done until then is kept")]
    Cancelled,
    /// A folder or file that was named does not exist, may not be read, or is not what it must be.
    #[error("{} {why}", path.display())]
    Path {
        /// The path as it was given.
        path: PathBuf,
        /// What is wrong, and the way out.
        why: String,
    },
    /// A path that was named is followed by nobody.
    #[error("{} is not followed by this library", path.display())]
    NotFollowed {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A backup was to be restored where a library is that holds something.
    #[error("there is a library in {} already; restore into another folder, or have this one moved aside", path.display())]
    Occupied {
        /// The library's folder.
        path: PathBuf,
    },
    /// A folder that was named by its number is not followed any more.
    #[error("folder {number} is not followed any more")]
    NoFolder {
        /// The number.
        number: u32,
    },
    /// A pattern of what is left out of a folder cannot be understood.
    #[error("the pattern '{pattern}' cannot be understood: {why}")]
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// A document that was named by its id is not in the library any more.
    #[error("document {} is not in the library any more", id.0)]
    NoDocument {
        /// The id.
        id: DocumentId,
    },
    /// A path that was named belongs to no document.
    #[error("{} is not in the library; its folder has to be followed and read first", path.display())]
    UnknownDocument {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A document that was named could not be read, so it has no text.
    #[error("{} has no text in the library: {why}", path.display())]
    NoText {
        /// The document.
        path: PathBuf,
        /// Why it could not be read.
        why: String,
    },
    /// A document that was named waits to be read.
    #[error("{} has not been read yet", path.display())]
    Unread {
        /// The document.
        path: PathBuf,
    },
    /// A document is not the one whose text is in the library.
    #[error("{} has changed since it was read and has to be read again", path.display())]
    Changed {
        /// The document.
        path: PathBuf,
    },
    /// A sentence's place on the page cannot be found.
    #[error("the sentence cannot be marked in {}: {why}", path.display())]
    Unmarked {
        /// The document.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The extractor's process cannot be started at all: nothing can be read.
    #[error("the process that reads documents ({}) cannot be started: {cause}; install Oriel again", program.display())]
    Worker {
        /// The executable.
        program: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// A search by meaning in a library that has no vectors of this embedder.
    #[error("the library's vectors were made by another embedder ({stored}) and have to be made anew")]
    OtherEmbedder {
        /// The fingerprint in the store.
        stored: String,
    },
}

impl From<Cancelled> for EngineError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl EngineError {
    /// Whether another process is indexing the library, and will be done some time.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Store(StoreError::Busy { .. }))
    }

    /// Whether the library is damaged, as a check would tell.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Store(StoreError::Corrupt(_)))
    }

    /// Whether the library's data file itself is broken, see [`crate::Library::set_aside`].
    #[must_use]
    pub fn is_beyond_repair(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_damage())
    }

    /// Whether the library has to be opened anew, see [`StoreError::wants_reopening`].
    #[must_use]
    pub fn wants_reopening(&self) -> bool {
        matches!(self, Self::Store(error) if error.wants_reopening())
    }

    /// Whether the error is the caller's own wish.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(
            self,
            Self::Cancelled | Self::Model(ModelError::Cancelled(_)) | Self::Store(StoreError::Cancelled)
        )
    }
}
