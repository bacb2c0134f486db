//! Extracts text, page map and structure from a file's bytes, with one module per format.

mod docx;
mod encoding;
mod html;
mod marks;
mod pdf;
mod sniff;

use oriel_core::{Extracted, Failure, FailureCode, Kind, Notice};

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

/// Extracts the text of a file of the given kind, without its sentences.
///
/// # Errors
/// Why the file could not be read; the reason says what helps, if anything does.
pub fn extract(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    sniff::check(kind, bytes)?;
    let raw = match kind {
        Kind::Markdown | Kind::Text => Extracted::new(kind, encoding::plain_text(bytes)?),
        Kind::Html => Extracted::new(kind, html::extract(bytes, limits)?),
        Kind::Docx => Extracted::new(kind, docx::extract(bytes, limits)?),
        Kind::Pdf => pdf::extract(bytes, limits)?,
    };
    // Offsets in the store are 32 bits wide.
    if raw.text.len() > limits.text_bytes.min(u32::MAX as usize) {
        return Err(too_large());
    }
    Ok(raw)
}

fn too_large() -> Failure {
    Failure::new(FailureCode::TooLarge, Notice::TextTooLong)
}
