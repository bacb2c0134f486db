//! What is read from a page.

use std::ops::Range;

use oriel_core::About;

use crate::extract::writer::Writer;

/// A page's text, and what the page says about itself.
pub(in crate::extract) struct Page {
    pub(in crate::extract) writer: Writer,
    pub(in crate::extract) about: About,
    /// The quotes of other authors, outer ones before inner ones.
    pub(in crate::extract) quotes: Vec<Range<usize>>,
}
