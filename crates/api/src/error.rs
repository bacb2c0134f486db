//! Why a use case failed, in words that a user can act on.

use std::io;
use std::path::{Path, PathBuf};

use oriel_core::{Cancelled, ModelError, Notice};
use oriel_endpoint::EndpointError;
use oriel_engine::{ConversationError, EngineError};

/// Why a use case failed. Every message is one line.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.notice())]
pub enum AppError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Conversation(#[from] ConversationError),
    /// What was asked for is not there any more: a turn, a passage, a place, the scope of a question.
    Gone(Notice),
    /// A file is not what it should be, or cannot be read or written.
    File { path: PathBuf, why: Notice },
    /// A newer question replaced this one, or the user stopped it before the first word.
    Stopped,
    /// Anything else.
    Failed(Notice),
}

impl From<ModelError> for AppError {
    fn from(error: ModelError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<Cancelled> for AppError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Engine(ModelError::Cancelled(cancelled).into())
    }
}

impl From<EndpointError> for AppError {
    fn from(EndpointError(notice): EndpointError) -> Self {
        Self::Failed(notice)
    }
}

impl From<Notice> for AppError {
    fn from(notice: Notice) -> Self {
        Self::Failed(notice)
    }
}

impl AppError {
    pub fn cannot_be_read(path: &Path, error: &io::Error) -> Self {
        Self::File { path: path.to_owned(), why: Notice::CannotBeRead { cause: Notice::io(error).into() } }
    }

    pub fn cannot_be_written(path: &Path, error: &io::Error) -> Self {
        Self::File { path: path.to_owned(), why: Notice::CannotBeWritten { cause: Notice::io(error).into() } }
    }

    /// The message for a user.
    pub fn notice(&self) -> Notice {
        match self {
            Self::Engine(error) => error.notice(),
            Self::Conversation(error) => error.notice(),
            Self::File { path, why } => Notice::of_path(path, why.clone()),
            Self::Gone(why) | Self::Failed(why) => why.clone(),
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

    /// Whether what was asked for is not there any more.
    pub fn is_gone(&self) -> bool {
        matches!(
            self,
            Self::Gone(_)
                | Self::Conversation(ConversationError::Unknown { .. })
                | Self::Engine(
                    EngineError::UnknownDocument { .. }
                        | EngineError::NoDocument { .. }
                        | EngineError::NoFolder { .. }
                        | EngineError::NotFollowed { .. }
                )
        )
    }
}

/// A notice with the way out that the app offers, if it has one for it.
pub fn with_way_out(notice: Notice) -> Notice {
    match notice {
        Notice::ModelAbsent { .. } => Notice::SettingsOfferIt { cause: notice.into() },
        other => other,
    }
}
