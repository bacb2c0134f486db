//! Documents of a remote index, read whole.

use std::path::Path;

use oriel_core::{CancelToken, DocumentId, Excerpt, SentenceRange};
use oriel_wire::index::{Call, CallReply, Row};

use crate::error::EngineError;
use crate::remote_index::connection::{IndexConnection, unexpected};

/// Rows that are read at once: each may be long.
const ROWS: u32 = 500;

impl IndexConnection {
    /// The document at a path, if there is one.
    ///
    /// # Errors
    /// If the index fails.
    pub(crate) fn document_at(&self, path: &Path) -> Result<Option<DocumentId>, EngineError> {
        let call = Call::Locate { path: path.to_owned() };
        match self.call(&call, &[], &CancelToken::new())? {
            CallReply::Located(document) => Ok(document),
            _ => Err(unexpected(self.place())),
        }
    }

    /// The first row of a document.
    ///
    /// # Errors
    /// If it has none (any more), or the index fails.
    pub(crate) fn first_row(&self, document: DocumentId) -> Result<Row, EngineError> {
        let call = Call::Read { ranges: vec![(document, 0, 0)] };
        match self.call(&call, &[], &CancelToken::new())? {
            CallReply::Read(rows) => rows.into_iter().next().ok_or(EngineError::NoDocument { id: document }),
            _ => Err(unexpected(self.place())),
        }
    }

    /// A document with all its sentences, and all of its text from the first of them on.
    ///
    /// # Errors
    /// If it is not there (any more), or the index fails.
    pub(crate) fn whole_document(&self, document: DocumentId) -> Result<Excerpt, EngineError> {
        self.read(&mut |state| {
            let mut all: Vec<Row> = Vec::new();
            loop {
                let first = u32::try_from(all.len()).unwrap_or(u32::MAX);
                let range = SentenceRange { document, first, last: first.saturating_add(ROWS - 1) };
                let rows = state.rows(&[range], &CancelToken::new())?.remove(&document).unwrap_or_default();
                let is_last = rows.len() < ROWS as usize;
                all.extend(rows);
                if is_last {
                    return state.excerpt(document, all);
                }
            }
        })
    }
}
