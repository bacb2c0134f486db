//! What can go wrong in a use case, in words a user can act on.

use std::path::PathBuf;

use oriel_core::{ModelError, Notice};
use oriel_engine::{ConversationError, EngineError};

/// Why a use case did not do what it was asked. Every message is one line.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.notice())]
pub enum AppError {
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A conversation cannot be read or written.
    #[error(transparent)]
    Conversation(#[from] ConversationError),
    /// The question has no words.
    NoQuestion,
    /// What was asked for is not there any more: a turn, a passage, a place, what a question was limited to.
    Gone(Notice),
    /// A day that is no date.
    NoDate {
        /// As it was given.
        day: String,
    },
    /// A file of the library cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: Notice,
    },
    /// A file of questions cannot be used, or a library holds nothing to ask about.
    Questions {
        /// The file or the library.
        path: PathBuf,
        /// What is wrong, and what to do.
        why: Notice,
    },
    /// Other programs cannot be served.
    Server {
        /// Why not.
        why: Notice,
    },
    /// A newer question took the place of this one, or the user stopped it before the first word.
    Stopped,
}

impl From<ModelError> for AppError {
    fn from(error: ModelError) -> Self {
        Self::Engine(error.into())
    }
}

impl AppError {
    /// The message for a user.
    pub fn notice(&self) -> Notice {
        match self {
            Self::Engine(error) => error.notice(),
            Self::Conversation(error) => error.notice(),
            Self::NoQuestion => Notice::NoQuestion,
            Self::NoDate { day } => Notice::NoDate { day: day.clone() },
            Self::File { path, why } | Self::Questions { path, why } => Notice::of_path(path, why.clone()),
            Self::Gone(why) | Self::Server { why } => why.clone(),
            Self::Stopped => Notice::StoppedBeforeAnswer,
        }
    }

    /// Whether the user asked to stop.
    pub fn is_cancelled(&self) -> bool {
        match self {
            Self::Stopped => true,
            Self::Engine(error) => error.is_cancelled(),
            _ => false,
        }
    }
}

/// A notice with the way out that the app offers, if it has one for it.
pub fn with_way_out(notice: Notice) -> Notice {
    match notice {
        Notice::ModelAbsent { .. } => Notice::SettingsOfferIt { cause: notice.into() },
        other => other,
    }
}
