//! What is read from a page.

use std::ops::Range;

use oriel_core::About;

use crate::extract::writer::Writer;

/// A page's text and what it says about itself.
pub(in crate::extract) struct Page {
    pub(in crate::extract) writer: Writer,
    pub(in crate::extract) about: About,
    /// Where what somebody else wrote is quoted, outer quotes before those in them.
    pub(in crate::extract) quotes: Vec<Range<usize>>,
}
