//! The error that a command returns.

use oriel_api::{AppError, payload, with_way_out};
use oriel_core::Notice;

payload! {
    /// What the UI may act on, and what it shows.
    #[derive(Eq)]
    pub struct IpcError {
        pub kind: ErrorKind,
        /// What failed, why, and what to do.
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

impl<E: Into<AppError>> From<E> for IpcError {
    fn from(error: E) -> Self {
        let error = error.into();
        let kind = match () {
            () if error.is_cancelled() => ErrorKind::Cancelled,
            () if error.is_gone() => ErrorKind::Gone,
            () => ErrorKind::Failed,
        };
        Self { kind, notice: with_way_out(error.notice()) }
    }
}

#[cfg(test)]
mod tests {
    use oriel_core::{Cancelled, DocumentId, ModelError};
    use oriel_engine::EngineError;

    use super::*;

    #[test]
    fn what_is_gone_or_was_stopped_has_a_kind_and_everything_a_notice() {
        let kind = |error: EngineError| IpcError::from(error).kind;
        assert_eq!(kind(EngineError::NoDocument { id: DocumentId(1) }), ErrorKind::Gone);
        assert_eq!(kind(EngineError::NoFolder { number: 1 }), ErrorKind::Gone);
        assert_eq!(kind(EngineError::UnknownDocument { path: "a".into() }), ErrorKind::Gone);
        assert_eq!(kind(EngineError::Model(ModelError::Cancelled(Cancelled))), ErrorKind::Cancelled);
        assert_eq!(IpcError::from(Cancelled), IpcError::from(AppError::from(Cancelled)));
        assert_eq!(IpcError::from(Cancelled).kind, ErrorKind::Cancelled);
        assert_eq!(IpcError::from(Notice::DiskFull), IpcError::failed(Notice::DiskFull));
        let absent = IpcError::from(EngineError::Model(ModelError::Absent { id: "m".into() }));
        let cause = Notice::ModelAbsent { id: "m".into() }.into();
        assert_eq!(absent, IpcError::failed(Notice::SettingsOfferIt { cause }));
    }
}
