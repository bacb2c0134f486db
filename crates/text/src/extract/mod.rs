//! Extracts text and page map from a file's bytes, with one module per format.

mod docx;
mod encoding;
mod html;
mod marks;
mod pdf;
mod sniff;

use oriel_core::{Failure, FailureCode, Kind, Notice, PageMap};

pub use marks::{Mark, MarkRequest, PageText, marks};

/// Limits on what an extractor may produce from one file.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum bytes of text; a longer text is a failure, not a cut.
    pub text_bytes: usize,
    /// Maximum bytes of all unpacked members together.
    pub unpacked_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { text_bytes: 256 << 20, unpacked_bytes: 1 << 30 }
    }
}

/// A document's text before segmentation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawText {
    /// The text, UTF-8.
    pub text: String,
    /// Where each page begins; empty for formats without pages.
    pub pages: PageMap,
}

/// Extracts the text of a file of the given kind.
///
/// # Errors
/// Why the file could not be read; the reason says what helps, if anything does.
pub fn extract(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<RawText, Failure> {
    sniff::check(kind, bytes)?;
    let raw = match kind {
        Kind::Markdown | Kind::Text => without_pages(encoding::plain_text(bytes)?),
        Kind::Html => without_pages(html::extract(bytes, limits)?),
        Kind::Docx => without_pages(docx::extract(bytes, limits)?),
        Kind::Pdf => pdf::extract(bytes, limits)?,
    };
    // Offsets in the store are 32 bits wide.
    if raw.text.len() > limits.text_bytes.min(u32::MAX as usize) {
        return Err(too_large());
    }
    Ok(raw)
}

fn without_pages(text: String) -> RawText {
    RawText { text, pages: PageMap::default() }
}

fn too_large() -> Failure {
    Failure::new(FailureCode::TooLarge, Notice::TextTooLong)
}
