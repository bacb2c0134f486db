//! PDF to text.
//!
//! The interpreter draws each page onto a device that keeps glyphs ([`glyphs`]); glyphs become segments of lines
//! ([`lines`]), segments blocks in reading order ([`blocks`]), and the blocks of all pages, without running headers
//! ([`furniture`]), one text ([`flow`]). Nothing is rendered and no picture is decoded.

mod bidi;
mod blocks;
mod characters;
mod flow;
mod furniture;
mod glyphs;
mod lines;

use hayro_interpret::{InterpreterCache, InterpreterSettings};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use oriel_core::{Failure, FailureCode};

use super::{Limits, RawText, too_large};
use furniture::PageBlocks;
use glyphs::PageGlyphs;

/// The text of a PDF file and where its pages begin.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<RawText, Failure> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(refused)?;
    let settings = InterpreterSettings::default();
    let cache = InterpreterCache::new();
    let mut found = Found::default();
    let mut pages = Vec::new();
    let mut written = 0;
    for page in pdf.pages().iter() {
        let glyphs = PageGlyphs::of_page(page, &cache, &settings);
        if glyphs.overflow {
            return Err(too_large());
        }
        let segments = lines::segments(&glyphs);
        written += segments.iter().map(|segment| segment.text.len()).sum::<usize>();
        if written > limits.text_bytes {
            return Err(too_large());
        }
        found.count(&glyphs, &segments);
        pages.push(PageBlocks { blocks: blocks::blocks(segments), height: glyphs.dimensions.1 });
    }
    if pages.is_empty() {
        return Err(Failure::new(FailureCode::Broken, "The PDF is damaged: no page can be found in it."));
    }
    found.judge()?;
    furniture::drop_furniture(&mut pages);
    Ok(flow::text(&pages))
}

/// Why the file cannot be opened.
fn refused(error: LoadPdfError) -> Failure {
    match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            Failure::new(FailureCode::Encrypted, "The PDF asks for a password; save a copy without one.")
        }
        LoadPdfError::Decryption(_) => Failure::new(
            FailureCode::Encrypted,
            "The PDF is encrypted in a way that Oriel cannot read; save a copy without protection.",
        ),
        LoadPdfError::Invalid => Failure::new(
            FailureCode::Broken,
            "The PDF is damaged beyond reading; a PDF viewer may be able to save a repaired copy.",
        ),
    }
}

/// Counts over all pages that tell text from pictures and from nonsense.
#[derive(Default)]
struct Found {
    characters: usize,
    nonsense: usize,
    unmapped: usize,
    images: bool,
}

impl Found {
    fn count(&mut self, page: &PageGlyphs, segments: &[lines::Segment]) {
        self.images |= page.images;
        self.unmapped += page.unmapped;
        let characters = || segments.iter().flat_map(|segment| segment.text.chars()).filter(|c| !c.is_whitespace());
        self.characters += characters().count();
        self.nonsense += characters().filter(|&c| characters::is_nonsense(c)).count();
    }

    fn judge(&self) -> Result<(), Failure> {
        if self.characters == 0 && self.unmapped == 0 && self.images {
            return Err(Failure::new(
                FailureCode::NeedsOcr,
                "The PDF holds pictures of pages and no text; run text recognition (OCR) on it and save the result.",
            ));
        }
        if self.nonsense * 2 > self.characters || (self.characters == 0 && self.unmapped > 0) {
            return Err(Failure::new(
                FailureCode::Garbled,
                "The PDF's fonts do not tell which characters they draw; export it anew or run text recognition (OCR) on it.",
            ));
        }
        Ok(())
    }
}
