//! The text of a document, and what is kept of the document that a text came from.

use oriel_core::{DocumentId, Location, Outline, PageMap, Sentence};
use oriel_store::{DocumentRecord, DocumentState};
use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::library::document_row::DocumentRow;

/// A document's text as it was indexed.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentText {
    /// The document.
    pub row: DocumentRow,
    /// The text.
    pub text: String,
    /// Where its pages, slides, sheets, chapters or mails begin.
    pub pages: PageMap,
    /// Its headings and tables.
    pub outline: Outline,
    /// Its sentences, in reading order.
    pub sentences: Vec<Sentence>,
    /// BLAKE3 of the file that the text was read from, in hexadecimal.
    pub hash: String,
    /// How its text was recognised; `None` if it was read.
    pub recognised: Option<RecognisedText>,
}

impl DocumentText {
    /// The location of the byte at `start`.
    #[must_use]
    pub fn location(&self, start: u32) -> Location {
        let page = self.pages.page_at(start);
        Location::new(self.row.kind, page, &self.outline, start, |span| span.of(&self.text))
    }
}

/// How a text was recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct RecognisedText {
    /// In which languages: names of Tesseract, such as `deu`.
    pub languages: Vec<String>,
    /// Whether all of its text was recognised, not only that of some pages.
    pub whole: bool,
}

/// Whether a document's file is still the one that was indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    /// It has the same bytes.
    Same,
    /// Its bytes have changed.
    Changed,
    /// The file is missing, or the library no longer follows it.
    Gone,
    /// The text comes from a remote index; where the file is, is not known.
    Elsewhere,
}

/// The document of a passage when the question was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageDocument {
    /// Its id in the library.
    pub id: DocumentId,
    /// BLAKE3 of the file that its text was read from, in hexadecimal.
    pub hash: String,
}

/// Why a document has no text.
pub(crate) fn without_text(record: DocumentRecord) -> EngineError {
    match record.state {
        DocumentState::Failed(failure) => EngineError::NoText { path: record.path, why: failure.reason },
        _ => EngineError::Unread { path: record.path },
    }
}
