//! Errors of everything above the store, in words that the user can act on.
//!
//! A message says what is wrong and what has to be done, but not which button to press or what to type: the app and the
//! terminal show the same line, and each adds its own instructions.

use std::path::PathBuf;

use oriel_core::notice::shown;
use oriel_core::{Cancelled, DocumentId, ModelError, Notice};
use oriel_endpoint::EndpointError;
use oriel_store::StoreError;

/// An error of the engine. Every message is one line.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.notice())]
pub enum EngineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The caller cancelled. What was done until then is kept.
    Cancelled,
    /// A given folder or file does not exist, cannot be read, or is of the wrong kind.
    Path {
        /// The path as it was given.
        path: PathBuf,
        /// What is wrong, and what to do.
        why: Notice,
    },
    /// A given path is not followed.
    NotFollowed {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A backup would replace a library that is not empty.
    Occupied {
        /// The library's folder.
        path: PathBuf,
    },
    /// The folder with a given number is no longer followed.
    NoFolder { number: u32 },
    /// An ignore pattern is invalid.
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// What is wrong with it.
        why: Notice,
    },
    /// The document with a given id is no longer in the library.
    NoDocument { id: DocumentId },
    /// There is no document at a given path.
    UnknownDocument {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A document has no text, because it could not be read.
    NoText {
        path: PathBuf,
        /// Why it could not be read.
        why: Notice,
    },
    /// A document has not been read yet.
    Unread { path: PathBuf },
    /// A document's file is not the one that was indexed.
    Changed { path: PathBuf },
    /// The position of a sentence on the page cannot be determined.
    Unmarked { path: PathBuf, why: Notice },
    /// The worker process cannot be started, so nothing can be read.
    Worker {
        /// The executable.
        program: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// A remote index cannot be used; the notice names it.
    Index(Notice),
    /// A document of a remote index was being rewritten while it was read.
    IndexChanged { collection: String, document: DocumentId },
    /// A search by meaning in a library without vectors of this embedder.
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

impl From<EndpointError> for EngineError {
    fn from(EndpointError(notice): EndpointError) -> Self {
        Self::Index(notice)
    }
}

impl EngineError {
    /// The message for the user.
    #[must_use]
    pub fn notice(&self) -> Notice {
        match self {
            Self::Store(error) => error.notice(),
            Self::Model(error) => error.notice(),
            Self::Cancelled => Notice::CancelledAndKept,
            Self::Path { path, why } => Notice::of_path(path, why.clone()),
            Self::NotFollowed { path } => Notice::NotFollowed { path: shown(path) },
            Self::Occupied { path } => Notice::LibraryOccupied { path: shown(path) },
            &Self::NoFolder { number } => Notice::FolderGone { number },
            Self::Pattern { pattern, why } => {
                Notice::PatternInvalid { pattern: pattern.clone(), why: why.clone().into() }
            }
            Self::NoDocument { id } => Notice::DocumentGone { id: id.0 },
            Self::UnknownDocument { path } => Notice::DocumentUnknown { path: shown(path) },
            Self::NoText { path, why } => {
                Notice::DocumentWithoutText { path: shown(path), why: why.clone().into() }
            }
            Self::Unread { path } => Notice::DocumentUnread { path: shown(path) },
            Self::Changed { path } => Notice::DocumentChanged { path: shown(path) },
            Self::Unmarked { path, why } => {
                Notice::SentenceUnmarked { path: shown(path), why: why.clone().into() }
            }
            Self::Worker { program, cause } => {
                Notice::ReaderUnavailable { program: shown(program), cause: Notice::io(cause).into() }
            }
            Self::Index(notice) => notice.clone(),
            Self::IndexChanged { collection, .. } => Notice::IndexChanged { collection: collection.clone() },
            Self::OtherEmbedder { stored } => Notice::OtherEmbedder { stored: stored.clone() },
        }
    }

    /// Whether only the keyring refused what was done.
    #[must_use]
    pub fn is_of_keyring(&self) -> bool {
        matches!(self, Self::Path { why: Notice::PasswordNotKept { .. }, .. })
    }

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

    /// Whether the library's data file can only be set aside, see [`crate::Library::set_aside`].
    #[must_use]
    pub fn is_beyond_repair(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_beyond_repair())
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
