//! The error that a command returns.

use oriel_app::AppError;
use oriel_core::{Cancelled, ModelError};
use oriel_engine::{ConversationError, EngineError};
use serde::Serialize;
use ts_rs::TS;

/// A code where the window acts on it, a message for everything else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct IpcError {
    /// What the window may act on.
    pub code: ErrorCode,
    /// One line for a person: the file, the reason, the way out.
    pub message: String,
}

/// The kinds of error that the window tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "types.ts")]
pub enum ErrorCode {
    /// What was asked for is not there any more: a conversation, a document, a folder.
    Gone,
    /// The library cannot be opened.
    NoLibrary,
    /// The person asked to stop.
    Cancelled,
    /// Everything else; the message says it all.
    Failed,
}

impl IpcError {
    /// An error that only its message tells.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::Failed, message: message.into() }
    }

    /// Something that is not there any more.
    pub fn gone(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::Gone, message: message.into() }
    }
}

impl From<anyhow::Error> for IpcError {
    fn from(error: anyhow::Error) -> Self {
        let code = if error.is::<Cancelled>() { ErrorCode::Cancelled } else { ErrorCode::Failed };
        Self { code, message: format!("{error:#}") }
    }
}

impl From<EngineError> for IpcError {
    fn from(error: EngineError) -> Self {
        let message = error.to_string();
        let code = match error {
            error if error.is_cancelled() => ErrorCode::Cancelled,
            EngineError::Model(error) => return error.into(),
            EngineError::UnknownDocument { .. }
            | EngineError::NoDocument { .. }
            | EngineError::NoFolder { .. }
            | EngineError::NotFollowed { .. } => ErrorCode::Gone,
            _ => ErrorCode::Failed,
        };
        Self { code, message }
    }
}

impl From<AppError> for IpcError {
    fn from(error: AppError) -> Self {
        let message = error.to_string();
        match error {
            AppError::Engine(error) => error.into(),
            AppError::Conversation(error) => error.into(),
            AppError::ScopeGone { .. } | AppError::ScopeEmpty => Self::gone(message),
            AppError::Stopped => Self { code: ErrorCode::Cancelled, message },
            AppError::NoQuestion | AppError::NoDate { .. } => Self::failed(message),
        }
    }
}

impl From<ConversationError> for IpcError {
    fn from(error: ConversationError) -> Self {
        let code = match error {
            ConversationError::Unknown { .. } => ErrorCode::Gone,
            _ => ErrorCode::Failed,
        };
        Self { code, message: error.to_string() }
    }
}

impl From<ModelError> for IpcError {
    fn from(error: ModelError) -> Self {
        let message = error.to_string();
        match error {
            ModelError::Cancelled(_) => Self { code: ErrorCode::Cancelled, message },
            ModelError::Absent { .. } => {
                Self::failed(format!("{message}; Settings, Models and device offers it"))
            }
            _ => Self::failed(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use oriel_core::DocumentId;

    use super::*;

    #[test]
    fn what_is_gone_or_was_stopped_has_a_code_and_the_rest_a_message() {
        let code = |error: EngineError| IpcError::from(error).code;
        assert_eq!(code(EngineError::NoDocument { id: DocumentId(1) }), ErrorCode::Gone);
        assert_eq!(code(EngineError::NoFolder { number: 1 }), ErrorCode::Gone);
        assert_eq!(code(EngineError::UnknownDocument { path: "a".into() }), ErrorCode::Gone);
        assert_eq!(code(EngineError::Model(ModelError::Cancelled(Cancelled))), ErrorCode::Cancelled);
        assert_eq!(IpcError::from(anyhow::Error::from(Cancelled)).code, ErrorCode::Cancelled);
        assert_eq!(IpcError::from(anyhow::anyhow!("full")).code, ErrorCode::Failed);
        let absent = IpcError::from(EngineError::Model(ModelError::Absent { id: "m".into() }));
        assert_eq!(absent.code, ErrorCode::Failed);
        assert!(
            absent.message.starts_with("m is not on this machine") && absent.message.contains("Settings")
        );
    }
}
