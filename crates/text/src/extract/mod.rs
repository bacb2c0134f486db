//! Bytes of a file to its text and page map, one module a format.

mod docx;
mod encoding;
mod html;
mod marks;
mod pdf;
mod sniff;

use oriel_core::{Failure, FailureCode, Kind, Notice, PageMap};

pub use marks::{Mark, MarkRequest, PageText, marks};

/// What an extractor may make of one file.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of text at most; a longer text is a failure, not a cut.
    pub text_bytes: usize,
    /// Bytes that packed members may unpack to, all together.
    pub unpacked_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { text_bytes: 256 << 20, unpacked_bytes: 1 << 30 }
    }
}

/// A document's text before it is divided into sentences.
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
/// Why the file could not be read; the reason names the way out where there is one.
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
