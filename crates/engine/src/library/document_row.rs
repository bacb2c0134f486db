//! One document in a list, with or without a failure.

use std::path::PathBuf;

use oriel_core::{DocumentId, Failure, FailureCode, Kind, Notice};
use oriel_store::{DocumentRecord, DocumentState};
use serde::{Serialize, Serializer};

/// A document in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentRow {
    /// Its id.
    pub id: DocumentId,
    /// Its absolute path; of a member, that of its file and its name inside.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    pub path: PathBuf,
    /// The document on the disk that holds it, if it is a member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<DocumentId>,
    /// Its format.
    pub kind: Kind,
    /// Whether it was read.
    #[serde(serialize_with = "plain_state")]
    pub state: DocumentState,
    /// Number of sentences; 0 if it was not read.
    pub sentences: u32,
    /// Number of pages; 0 in formats without pages.
    pub pages: u32,
    /// Whether reading it needed a password.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    /// Size of its file in bytes.
    pub bytes: u64,
    /// When its file was last changed, in nanoseconds since 1970.
    pub modified: i64,
    /// Who sent it; `None` if it is no mail.
    pub sender: Option<String>,
    /// When a mail was sent, or another file last changed, in nanoseconds since 1970.
    pub dated: i64,
}

/// A document that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentFailure {
    /// Its id.
    pub id: DocumentId,
    /// Its absolute path.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    pub path: PathBuf,
    /// Why, and what to do.
    #[serde(serialize_with = "oriel_core::lossy::notice")]
    pub reason: Notice,
    /// The failure's code.
    pub code: FailureCode,
    /// Size of its file in bytes.
    pub bytes: u64,
    /// When its file was last changed, in nanoseconds since 1970.
    pub modified: i64,
}

/// Serialises a state for scripts: the reason of a failure is its text.
fn plain_state<S: Serializer>(state: &DocumentState, serializer: S) -> Result<S::Ok, S::Error> {
    match state {
        DocumentState::Failed(Failure { code, reason }) => {
            DocumentState::Failed(Failure::new(*code, Notice::text(reason))).serialize(serializer)
        }
        other => other.serialize(serializer),
    }
}

impl DocumentRow {
    pub(crate) fn new(id: DocumentId, record: DocumentRecord) -> Self {
        Self {
            id,
            sender: record.sender().map(str::to_owned),
            dated: record.dated(),
            path: record.path,
            within: record.within,
            kind: record.kind,
            state: record.state,
            sentences: record.sentences,
            pages: record.pages,
            locked: record.locked,
            bytes: record.stamp.size,
            modified: record.stamp.modified,
        }
    }

    /// The failure, if it could not be read.
    pub(crate) fn failure(&self) -> Option<DocumentFailure> {
        let DocumentState::Failed(failure) = &self.state else { return None };
        Some(DocumentFailure {
            id: self.id,
            path: self.path.clone(),
            reason: failure.reason.clone(),
            code: failure.code,
            bytes: self.bytes,
            modified: self.modified,
        })
    }
}

/// Whether a document was read and has no sentences; a container has those of its members.
pub(crate) fn is_empty(kind: Kind, state: &DocumentState, sentences: u32) -> bool {
    !kind.is_container() && *state == DocumentState::Indexed && sentences == 0
}
