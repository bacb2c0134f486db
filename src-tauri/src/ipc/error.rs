//! What a command answers where it could not do what it was asked.

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
        Self::failed(format!("{error:#}"))
    }
}

impl From<oriel_engine::EngineError> for IpcError {
    fn from(error: oriel_engine::EngineError) -> Self {
        let code = match &error {
            error if error.is_cancelled() => ErrorCode::Cancelled,
            oriel_engine::EngineError::UnknownDocument { .. } => ErrorCode::Gone,
            _ => ErrorCode::Failed,
        };
        Self { code, message: error.to_string() }
    }
}

impl From<oriel_core::ModelError> for IpcError {
    fn from(error: oriel_core::ModelError) -> Self {
        let code = match &error {
            oriel_core::ModelError::Cancelled(_) => ErrorCode::Cancelled,
            _ => ErrorCode::Failed,
        };
        Self { code, message: error.to_string() }
    }
}
