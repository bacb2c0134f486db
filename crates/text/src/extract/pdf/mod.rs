//! PDF to text.
//!
//! The interpreter draws each page onto a device that keeps glyphs ([`glyphs`]). Glyphs become segments of lines
//! ([`lines`]), segments become blocks in reading order ([`blocks`]), and the blocks of all pages, without running
//! headers ([`furniture`]), become one text ([`flow`]) with headings and tables ([`outline`]). [`marks`](mod@marks) goes back from the text to the glyphs of
//! its pages. Nothing is rendered and no picture is decoded.

mod align;
mod bidi;
mod blocks;
mod bookmarks;
mod characters;
mod columns;
mod flow;
mod fonts;
mod furniture;
mod glyphs;
mod hocr;
mod lines;
mod marks;
mod outline;
mod tables;
mod unlock;
mod words;

use hayro_interpret::{InterpreterCache, InterpreterSettings};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use jiff::civil::DateTime;
use jiff::tz::Offset;
use lopdf::Document;
use oriel_core::{About, Extracted, Failure, FailureCode, INSTALL_TESSERACT, Kind, Notice};

use super::sniff::contains;
use super::writer::one_line;
use super::{Limits, needs_ocr, too_large};
use blocks::Block;
use bookmarks::{Bookmark, bookmarks, decoded};
use characters::FontTables;
use furniture::PageBlocks;
use glyphs::PageGlyphs;

pub(super) use marks::{marks, marks_of_recognised};
pub(super) use unlock::unlock;

/// Pages without text but with more paths than this may hold letters drawn as outlines.
const MIN_OUTLINES: usize = 100;

/// The text of a PDF file and where its pages begin.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut read = Read::of(bytes, limits)?;
    if read.found.needs_maps()
        && let Some(copy) = fonts::with_maps(bytes)
        && let Ok(again) = Read::of(&copy, limits)
        && again.found.unmapped < read.found.unmapped
    {
        read = again;
    }
    if read.pages.is_empty() {
        return Err(Failure::new(FailureCode::Broken, Notice::PdfWithoutPage));
    }
    read.found.judge()?;
    furniture::drop_furniture(&mut read.pages);
    let raw = Extracted { about: read.about, ..flow::text(&read.pages, &read.bookmarks) };
    if raw.text.is_empty() && read.found.images {
        return Err(needs_ocr());
    }
    // Blank pages are no failure, unless they are all that is left of a damaged file.
    if raw.text.is_empty() && Document::load_mem(bytes).is_ok_and(|file| file.get_pages().is_empty()) {
        return Err(damaged());
    }
    Ok(raw)
}

/// The text of pages whose words were recognised.
pub(crate) fn recognised(kind: Kind, hocr: &str, limits: &Limits) -> Result<Extracted, Failure> {
    let mut pages = Vec::new();
    for page in hocr::pages(hocr) {
        if page.overflows() {
            return Err(too_large());
        }
        pages.push(page.blocks(false));
    }
    furniture::drop_furniture(&mut pages);
    let text = flow::text(&pages, &[]);
    if text.text.len() > limits.text_bytes {
        return Err(too_large());
    }
    Ok(Extracted { kind, ..text })
}

/// The blocks of all pages.
struct Read {
    pages: Vec<PageBlocks>,
    found: Found,
    about: About,
    bookmarks: Vec<Bookmark>,
}

impl Read {
    fn of(bytes: &[u8], limits: &Limits) -> Result<Self, Failure> {
        let pdf = opened(bytes)?;
        let settings = InterpreterSettings::default();
        let cache = InterpreterCache::new();
        let mut tables = FontTables::default();
        let mut read = Self {
            pages: Vec::new(),
            found: Found::default(),
            about: about(&pdf),
            bookmarks: bookmarks(&pdf),
        };
        let mut written = 0;
        for page in pdf.pages().iter() {
            let glyphs = PageGlyphs::of_page(page, &cache, &settings, &mut tables);
            if glyphs.overflow {
                return Err(too_large());
            }
            let page = PageBlocks::of(&glyphs);
            written += read.found.count(&glyphs, &page.blocks);
            if written > limits.text_bytes {
                return Err(too_large());
            }
            read.pages.push(page);
        }
        Ok(read)
    }
}

/// What the file says about itself.
fn about(pdf: &Pdf) -> About {
    let metadata = pdf.metadata();
    let text = |bytes: &Option<Box<[u8]>>| {
        let text = one_line(&decoded(bytes.as_deref()?)?);
        (!text.is_empty()).then_some(text)
    };
    let date = metadata.creation_date.as_ref().and_then(|date| {
        let small = |number: u8| i8::try_from(number).ok();
        let (year, month, day) = (i16::try_from(date.year).ok()?, small(date.month)?, small(date.day)?);
        let (hour, minute, second) = (small(date.hour)?, small(date.minute)?, small(date.second)?);
        let offset = i32::from(date.utc_offset_hour) * 3600 + i32::from(date.utc_offset_minute) * 60;
        let time = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
        Some(Offset::from_seconds(offset).ok()?.to_timestamp(time).ok()?.as_second())
    });
    About { title: text(&metadata.title), author: text(&metadata.author), to: Vec::new(), date }
}

pub(super) fn opened(bytes: &[u8]) -> Result<Pdf, Failure> {
    Pdf::new(bytes.to_vec()).map_err(|error| refused(error, contains(bytes, b"/Encrypt")))
}

/// Why the file cannot be opened.
fn refused(error: LoadPdfError, encrypted: bool) -> Failure {
    match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            Failure::new(FailureCode::Encrypted, Notice::PdfWantsPassword)
        }
        LoadPdfError::Decryption(_) => Failure::new(FailureCode::Encrypted, Notice::PdfProtected),
        // Without the right key the page tree may look damaged.
        LoadPdfError::Invalid if encrypted => Failure::new(FailureCode::Encrypted, Notice::PdfEncrypted),
        LoadPdfError::Invalid => damaged(),
    }
}

fn damaged() -> Failure {
    Failure::new(FailureCode::Broken, Notice::PdfDamaged)
}

/// Counts over all pages that distinguish text from pictures and from nonsense.
#[derive(Default)]
struct Found {
    pages: usize,
    /// Pages that are mostly a picture.
    pictured: usize,
    images: bool,
    paths: usize,
    /// Characters other than white space.
    characters: usize,
    nonsense: usize,
    /// Characters of the upper half of Latin-1, as which the bytes of other scripts appear.
    upper: usize,
    /// Letters and digits of any script.
    plain: usize,
    /// Letters from A to Z, and how many of them are vowels.
    latin: usize,
    vowels: usize,
    unmapped: usize,
}

impl Found {
    /// Adds a page; returns the number of bytes of its text.
    fn count(&mut self, page: &PageGlyphs, blocks: &[Block]) -> usize {
        self.pages += 1;
        self.pictured += usize::from(page.pictured > 0.6);
        self.images |= page.pictured > 0.0;
        self.paths += page.paths;
        self.unmapped += page.unmapped;
        let texts = || blocks.iter().flat_map(|block| &block.rows).map(|row| row.text.as_str());
        for c in texts().flat_map(str::chars).filter(|c| !c.is_whitespace()) {
            self.characters += 1;
            self.nonsense += usize::from(characters::is_nonsense(c));
            self.upper += usize::from(('\u{A1}'..='\u{FF}').contains(&c));
            self.plain += usize::from(c.is_alphanumeric());
            self.latin += usize::from(c.is_ascii_alphabetic());
            self.vowels += usize::from(matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y'));
        }
        texts().map(str::len).sum()
    }

    /// Whether enough glyphs lack their characters to look for maps elsewhere.
    fn needs_maps(&self) -> bool {
        self.unmapped * 50 > self.characters
    }

    fn judge(&self) -> Result<(), Failure> {
        let drawn = self.images || self.paths > MIN_OUTLINES;
        let none = self.characters == 0 && self.unmapped == 0 && drawn;
        // A scanner's stamp or a page number does not count as text.
        let scanned = self.pictured * 10 > self.pages * 8 && self.characters < 24 * self.pages;
        if none || scanned {
            return Err(needs_ocr());
        }
        let lost =
            (self.nonsense + self.upper) * 2 > self.characters || (self.characters == 0 && self.unmapped > 0);
        // Most characters are guesses, and they do not look like words.
        let guessed = self.unmapped * 2 > self.characters && self.plain * 10 < self.characters * 7;
        // Shifted codes make unpronounceable words: in every language in Latin script about a third of the letters are
        // vowels.
        let shifted = self.latin > 200 && self.latin * 2 > self.plain && self.vowels * 5 < self.latin;
        if lost || guessed || shifted {
            let install = INSTALL_TESSERACT.to_owned();
            return Err(Failure::new(FailureCode::Garbled, Notice::PdfFontsWithoutCharacters { install }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
