//! The error that a command returns.

use oriel_api::{AppError, with_way_out};
use oriel_core::{Cancelled, ModelError, Notice};
use oriel_engine::{ConversationError, EngineError};
use oriel_models::EndpointError;

payload! {
    /// What the UI may act on, and what it shows.
    #[derive(Eq)]
    pub struct IpcError {
        pub kind: ErrorKind,
        /// The file, the reason, the way out.
        pub notice: Notice,
    }

    /// The kinds of error that the UI tells apart.
    #[derive(Copy, Eq)]
    pub enum ErrorKind {
        /// What was asked for is not there any more: a conversation, a document, a folder.
        Gone,
        /// The library is not open.
        Closed,
        /// The user asked to stop.
        Cancelled,
        /// Everything else.
        Failed,
    }
}

impl IpcError {
    /// An error that the UI only shows.
    pub fn failed(notice: Notice) -> Self {
        Self { kind: ErrorKind::Failed, notice }
    }

    /// Something that is not there any more.
    pub fn gone(notice: Notice) -> Self {
        Self { kind: ErrorKind::Gone, notice }
    }
}

impl From<Notice> for IpcError {
    fn from(notice: Notice) -> Self {
        Self::failed(notice)
    }
}

impl From<Cancelled> for IpcError {
    fn from(_: Cancelled) -> Self {
        Self { kind: ErrorKind::Cancelled, notice: Notice::Cancelled }
    }
}

impl From<anyhow::Error> for IpcError {
    fn from(error: anyhow::Error) -> Self {
        let known = error
            .downcast::<Notice>()
            .map(Self::from)
            .or_else(|error| error.downcast::<Cancelled>().map(Self::from))
            .or_else(|error| error.downcast::<EngineError>().map(Self::from))
            .or_else(|error| error.downcast::<ConversationError>().map(Self::from))
            .or_else(|error| error.downcast::<ModelError>().map(Self::from));
        known.unwrap_or_else(|error| Self::failed(Notice::text(format!("{error:#}"))))
    }
}

impl From<EndpointError> for IpcError {
    fn from(EndpointError(notice): EndpointError) -> Self {
        Self::failed(notice)
    }
}

impl From<EngineError> for IpcError {
    fn from(error: EngineError) -> Self {
        let notice = error.notice();
        let kind = match error {
            error if error.is_cancelled() => ErrorKind::Cancelled,
            EngineError::Model(error) => return error.into(),
            EngineError::UnknownDocument { .. }
            | EngineError::NoDocument { .. }
            | EngineError::NoFolder { .. }
            | EngineError::NotFollowed { .. } => ErrorKind::Gone,
            _ => ErrorKind::Failed,
        };
        Self { kind, notice }
    }
}

impl From<AppError> for IpcError {
    fn from(error: AppError) -> Self {
        let notice = error.notice();
        match error {
            AppError::Engine(error) => error.into(),
            AppError::Conversation(error) => error.into(),
            AppError::Gone(_) => Self::gone(notice),
            AppError::Stopped => Self { kind: ErrorKind::Cancelled, notice },
            AppError::NoQuestion
            | AppError::NoDate { .. }
            | AppError::File { .. }
            | AppError::Questions { .. }
            | AppError::Server { .. } => Self::failed(notice),
        }
    }
}

impl From<ConversationError> for IpcError {
    fn from(error: ConversationError) -> Self {
        let notice = error.notice();
        match error {
            ConversationError::Unknown { .. } => Self::gone(notice),
            _ => Self::failed(notice),
        }
    }
}

impl From<ModelError> for IpcError {
    fn from(error: ModelError) -> Self {
        let notice = error.notice();
        match error {
            ModelError::Cancelled(cancelled) => cancelled.into(),
            _ => Self::failed(with_way_out(notice)),
        }
    }
}

#[cfg(test)]
mod tests {
    use oriel_core::DocumentId;

    use super::*;

    #[test]
    fn what_is_gone_or_was_stopped_has_a_kind_and_everything_a_notice() {
        let kind = |error: EngineError| IpcError::from(error).kind;
        assert_eq!(kind(EngineError::NoDocument { id: DocumentId(1) }), ErrorKind::Gone);
        assert_eq!(kind(EngineError::NoFolder { number: 1 }), ErrorKind::Gone);
        assert_eq!(kind(EngineError::UnknownDocument { path: "a".into() }), ErrorKind::Gone);
        assert_eq!(kind(EngineError::Model(ModelError::Cancelled(Cancelled))), ErrorKind::Cancelled);
        assert_eq!(IpcError::from(anyhow::Error::from(Cancelled)).kind, ErrorKind::Cancelled);
        assert_eq!(IpcError::from(anyhow::anyhow!("full")), IpcError::failed(Notice::text("full")));
        let notice = IpcError::from(anyhow::Error::from(Notice::DiskFull));
        assert_eq!(notice, IpcError::failed(Notice::DiskFull));
        let absent = IpcError::from(EngineError::Model(ModelError::Absent { id: "m".into() }));
        let cause = Notice::ModelAbsent { id: "m".into() }.into();
        assert_eq!(absent, IpcError::failed(Notice::SettingsOfferIt { cause }));
    }
}
