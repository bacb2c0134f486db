//! Text to sentences.

use oriel_core::{Kind, PageMap, Sentence};

/// The sentences of a document's text in reading order; spans ascend and do not overlap.
#[must_use]
pub fn sentences(_text: &str, _kind: Kind, _pages: &PageMap) -> Vec<Sentence> {
    Vec::new()
}
