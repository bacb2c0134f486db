//! Which documents a question searches. The filter is applied before anything is retrieved.

use std::path::PathBuf;

use oriel_core::{DocumentId, Kind};
use oriel_store::{DocumentRecord, DocumentState, View};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::library::Library;

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

    /// Whether a document passes, in any state.
    fn covers(&self, record: &DocumentRecord) -> bool {
        (self.within.is_empty() || self.within.iter().any(|path| record.path.starts_with(path)))
            && (self.kinds.is_empty() || self.kinds.contains(&record.kind))
            && self.since.is_none_or(|since| record.stamp.modified >= since)
            && self.until.is_none_or(|until| record.stamp.modified < until)
    }

    /// Gives every document that passes, whether it could be read or not. A path without documents is an error: it is
    /// misspelt, or its folder was never added.
    pub(crate) fn each(
        &self,
        view: &View<'_>,
        mut give: impl FnMut(DocumentId, DocumentRecord),
    ) -> Result<(), EngineError> {
        let mut empty: Vec<_> = self.within.iter().collect();
        for entry in view.documents()? {
            let (id, record) = entry?;
            empty.retain(|path| !record.path.starts_with(path));
            if self.covers(&record) {
                give(id, record);
            }
        }
        match empty.first() {
            Some(path) => Err(EngineError::UnknownDocument { path: path.to_path_buf() }),
            None => Ok(()),
        }
    }

    /// The documents that pass and can be searched, or `None` if all do.
    ///
    /// # Errors
    /// As [`Self::each`].
    pub(crate) fn documents(&self, view: &View<'_>) -> Result<Option<RoaringBitmap>, EngineError> {
        if self.is_empty() {
            return Ok(None);
        }
        let mut admitted = RoaringBitmap::new();
        self.each(view, |id, record| {
            if record.state == DocumentState::Indexed {
                admitted.insert(id.0);
            }
        })?;
        Ok(Some(admitted))
    }
}

impl Library {
    /// The paths of the documents that pass and can be searched, in order.
    ///
    /// # Errors
    /// If the filter names a path without documents, or the store is damaged.
    pub fn documents_in(&self, filter: &Filter) -> Result<Vec<PathBuf>, EngineError> {
        let mut paths = Vec::new();
        self.store.read(|view| {
            filter.each(&view, |_, record| {
                if record.state == DocumentState::Indexed {
                    paths.push(record.path);
                }
            })
        })?;
        paths.sort();
        Ok(paths)
    }
}
