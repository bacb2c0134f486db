//! Text to the terms of the postings.

/// The terms of `text` in order, normalised for sparse search.
#[must_use]
pub fn terms(_text: &str) -> Vec<String> {
    Vec::new()
}
