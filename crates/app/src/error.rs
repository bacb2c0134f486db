//! What can go wrong in a use case, in words a person can act on.

use oriel_core::ModelError;
use oriel_engine::{ConversationError, EngineError};

/// Why a use case did not do what it was asked. Every message is one line.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A conversation cannot be read or written.
    #[error(transparent)]
    Conversation(#[from] ConversationError),
    /// The question has no words.
    #[error("there is no question")]
    NoQuestion,
    /// Something that the question was limited to has left the library.
    #[error("{names} is not in the library any more; take it out of the question")]
    ScopeGone {
        /// Its name, or several.
        names: String,
    },
    /// Everything that the question was limited to has left the library.
    #[error("what the question was limited to is not in the library any more; remove the limit")]
    ScopeEmpty,
    /// A day that is no date.
    #[error("'{day}' is not a date; write it as 2026-01-31")]
    NoDate {
        /// As it was given.
        day: String,
    },
    /// A newer question took the place of this one, or the person stopped it before the first word.
    #[error("stopped before the first word of the answer")]
    Stopped,
}

impl From<ModelError> for AppError {
    fn from(error: ModelError) -> Self {
        Self::Engine(error.into())
    }
}

impl AppError {
    /// Whether the person asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        match self {
            Self::Stopped => true,
            Self::Engine(error) => error.is_cancelled(),
            _ => false,
        }
    }
}
