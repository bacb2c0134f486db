//! Which documents a question searches.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Kind;

/// Conditions on documents. All must hold; an empty one always holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Absolute paths of files or folders; a document must be one of them or be inside one.
    #[serde(serialize_with = "crate::lossy::paths")]
    pub within: Vec<PathBuf>,
    /// Whether a path of `within` may be without documents: Oriel found it itself, and its file may be gone meanwhile.
    #[serde(skip)]
    pub may_be_gone: bool,
    /// Absolute paths of files or folders; no document may be one of them or be inside one.
    #[serde(serialize_with = "crate::lossy::paths", skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<PathBuf>,
    /// Formats.
    pub kinds: Vec<Kind>,
    /// Names or addresses of senders, in any case; a document must be a mail of one of them. All words of a name must
    /// be there.
    pub from: Vec<String>,
    /// Changed or, for a mail, sent at this time or later, in nanoseconds since 1970.
    pub since: Option<i64>,
    /// Changed or sent before this time, in nanoseconds since 1970.
    pub until: Option<i64>,
}

impl Filter {
    /// Whether every document passes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same, limited to documents among those that it admits.
    #[must_use]
    pub fn limited_to(&self, found: Vec<PathBuf>) -> Self {
        Self { within: found, may_be_gone: true, ..self.clone() }
    }

    /// Whether `without` keeps a path out.
    #[must_use]
    pub fn hides(&self, path: &Path) -> bool {
        self.without.iter().any(|hidden| path.starts_with(hidden))
    }

    /// Whether `from` names this sender of a mail.
    #[must_use]
    pub fn is_from(&self, sender: &str) -> bool {
        let sender = sender.to_lowercase();
        self.from.iter().any(|name| name.to_lowercase().split_whitespace().all(|word| sender.contains(word)))
    }
}
