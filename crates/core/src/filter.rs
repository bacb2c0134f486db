//! Which documents a question searches.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Kind;

/// Conditions on documents. A document must meet all of them; an empty condition accepts every document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Absolute paths of files or folders; a document must be one of them or be inside one.
    #[serde(serialize_with = "crate::lossy::paths")]
    pub within: Vec<PathBuf>,
    /// Whether no document needs to be at a path of `within`. Set when Oriel found the path itself: the file may be
    /// gone by now.
    #[serde(skip)]
    pub may_be_gone: bool,
    /// Absolute paths of files or folders; no document may be one of them or be inside one.
    #[serde(serialize_with = "crate::lossy::paths", skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<PathBuf>,
    pub kinds: Vec<Kind>,
    /// Names or addresses of senders, in any case; the document must be a mail from one of them. A name matches if all
    /// its words are in the sender.
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

    /// The same filter, limited to those documents of `found` that it accepts.
    #[must_use]
    pub fn limited_to(&self, found: Vec<PathBuf>) -> Self {
        Self { within: found, may_be_gone: true, ..self.clone() }
    }

    /// Whether `without` excludes a path.
    #[must_use]
    pub fn hides(&self, path: &Path) -> bool {
        self.without.iter().any(|hidden| path.starts_with(hidden))
    }

    /// Whether `from` accepts this sender.
    #[must_use]
    pub fn is_from(&self, sender: &str) -> bool {
        let sender = sender.to_lowercase();
        self.from.iter().any(|name| name.to_lowercase().split_whitespace().all(|word| sender.contains(word)))
    }
}
