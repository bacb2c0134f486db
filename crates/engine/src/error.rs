//! Errors of everything above the store, in words a person can act on.
//!
//! A message says what is wrong and what has to be done, but not which button to press or what to type: the same line is read
//! in the app and in a terminal, and each adds its own instructions.

use std::path::PathBuf;

use oriel_core::{Cancelled, DocumentId, ModelError};
use oriel_store::StoreError;

/// An error of the engine. Every message is one line.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The caller cancelled. What was done until then is kept.
    #[error("cancelled; what was done until then is kept")]
    Cancelled,
    /// A given folder or file does not exist, cannot be read, or is of the wrong kind.
    #[error("{} {why}", path.display())]
    Path {
        /// The path as it was given.
        path: PathBuf,
        /// What is wrong, and what to do.
        why: String,
    },
    /// A given path is not followed.
    #[error("{} is not followed by this library", path.display())]
    NotFollowed {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A backup was to replace a library that holds something.
    #[error("there is a library in {} already; restore into another folder, or have this one moved aside", path.display())]
    Occupied {
        /// The library's folder.
        path: PathBuf,
    },
    /// The folder with a given number is no longer followed.
    #[error("folder {number} is not followed any more")]
    NoFolder {
        /// The number.
        number: u32,
    },
    /// An ignore pattern is invalid.
    #[error("the pattern '{pattern}' cannot be understood: {why}")]
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// The document with a given id is no longer in the library.
    #[error("document {} is not in the library any more", id.0)]
    NoDocument {
        /// The id.
        id: DocumentId,
    },
    /// There is no document at a given path.
    #[error("{} is not in the library; its folder has to be followed and read first", path.display())]
    UnknownDocument {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A document has no text, because it could not be read.
    #[error("{} has no text in the library: {why}", path.display())]
    NoText {
        /// The document.
        path: PathBuf,
        /// Why it could not be read.
        why: String,
    },
    /// A document has not been read yet.
    #[error("{} has not been read yet", path.display())]
    Unread {
        /// The document.
        path: PathBuf,
    },
    /// A document's file is not the one that was indexed.
    #[error("{} has changed since it was read and has to be read again", path.display())]
    Changed {
        /// The document.
        path: PathBuf,
    },
    /// The position of a sentence on the page cannot be determined.
    #[error("the sentence cannot be marked in {}: {why}", path.display())]
    Unmarked {
        /// The document.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The worker process cannot be started, so nothing can be read.
    #[error("the process that reads documents ({}) cannot be started: {cause}; install Oriel again", program.display())]
    Worker {
        /// The executable.
        program: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// A search by meaning in a library without vectors of this embedder.
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
    /// Whether the library is busy because another process is indexing it.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Store(StoreError::Busy { .. }))
    }

    /// Whether the library is damaged, as a check would report.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Store(StoreError::Corrupt(_)))
    }

    /// Whether the library's data file itself is broken, see [`crate::Library::set_aside`].
    #[must_use]
    pub fn is_beyond_repair(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_damage())
    }

    /// Whether the library has to be reopened, see [`StoreError::wants_reopening`].
    #[must_use]
    pub fn wants_reopening(&self) -> bool {
        matches!(self, Self::Store(error) if error.wants_reopening())
    }

    /// Whether the error is a cancellation.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(
            self,
            Self::Cancelled | Self::Model(ModelError::Cancelled(_)) | Self::Store(StoreError::Cancelled)
        )
    }
}
