//! Bytes of a file to its text and page map, one module a format.

use oriel_core::{Failure, Kind, PageMap};

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
pub fn extract(_kind: Kind, bytes: &[u8], _limits: &Limits) -> Result<RawText, Failure> {
    Ok(RawText { text: String::from_utf8_lossy(bytes).into_owned(), pages: PageMap::default() })
}
