//! Which documents a question searches. The filter is applied before anything is retrieved.

use std::path::PathBuf;

use oriel_core::Kind;
use oriel_store::{DocumentRecord, DocumentState, View};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use crate::error::EngineError;

/// Conditions on documents. All must hold; an empty one always holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Absolute paths of files or folders; a document must be one of them or be inside one.
    #[serde(serialize_with = "oriel_core::lossy::paths")]
    pub within: Vec<PathBuf>,
    /// Formats.
    pub kinds: Vec<Kind>,
    /// Changed at this time or later, in nanoseconds since 1970.
    pub since: Option<i64>,
    /// Changed before this time, in nanoseconds since 1970.
    pub until: Option<i64>,
}

impl Filter {
    /// Whether every document passes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn admits(&self, record: &DocumentRecord) -> bool {
        record.state == DocumentState::Indexed
            && (self.within.is_empty() || self.within.iter().any(|path| record.path.starts_with(path)))
            && (self.kinds.is_empty() || self.kinds.contains(&record.kind))
            && self.since.is_none_or(|since| record.stamp.modified >= since)
            && self.until.is_none_or(|until| record.stamp.modified < until)
    }

    /// The documents that pass, or `None` if all do. A path without documents is an error: it is misspelt, or its folder
    /// was never added.
    pub(crate) fn documents(&self, view: &View<'_>) -> Result<Option<RoaringBitmap>, EngineError> {
        if self.is_empty() {
            return Ok(None);
        }
        let mut admitted = RoaringBitmap::new();
        let mut empty: Vec<_> = self.within.iter().collect();
        for entry in view.documents()? {
            let (id, record) = entry?;
            empty.retain(|path| !record.path.starts_with(path));
            if self.admits(&record) {
                admitted.insert(id.0);
            }
        }
        match empty.first() {
            Some(path) => Err(EngineError::UnknownDocument { path: path.to_path_buf() }),
            None => Ok(Some(admitted)),
        }
    }
}
