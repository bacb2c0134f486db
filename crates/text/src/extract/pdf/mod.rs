//! PDF to text.
//!
//! The interpreter draws each page onto a device ([`drawing`]) that keeps the visible ([`canvas`]) glyphs ([`glyphs`]),
//! and the notes and fields on the page ([`annotations`]). Glyphs become segments of lines ([`lines`]), with the values
//! of a form ([`fields`], [`xfa`]) and without line numbers ([`line_numbers`]). Segments become blocks in reading order
//! ([`blocks`]) with notes between them ([`notes`]). The blocks of all pages, without running headers ([`furniture`]),
//! become one text ([`flow`]) with headings and tables ([`outline`]); tables of contents ([`contents`]) get no
//! sentences. [`marks`](mod@marks) leads from the text back to the glyphs of its pages. Nothing is rendered and no
//! image is decoded. Recognised pages are read from their hOCR ([`hocr`]); scans with a useless text layer ([`text_layer`])
//! are to be recognised too.

mod align;
mod annotations;
mod bidi;
mod blocks;
mod bookmarks;
mod boxes;
mod canvas;
mod characters;
mod columns;
mod contents;
mod drawing;
mod fields;
mod flow;
mod fonts;
mod furniture;
mod glyphs;
mod hocr;
mod layout;
mod line_numbers;
mod lines;
mod marks;
mod notes;
mod outline;
mod strings;
mod tables;
mod text_layer;
mod unlock;
mod widget;
mod words;
mod xfa;

use hayro_interpret::{InterpreterCache, InterpreterSettings};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use jiff::civil::DateTime;
use jiff::tz::Offset;
use lopdf::Document;
use oriel_core::{About, Extracted, Failure, FailureCode, INSTALL_TESSERACT, Notice, RecognisedPages};

use super::signature::contains;
use super::writer::one_line;
use super::{Limits, needs_ocr, too_large};
use bookmarks::{Bookmark, bookmarks};
use canvas::PICTURED;
use characters::FontTables;
use furniture::PageBlocks;
use glyphs::PageGlyphs;
use layout::Block;
use strings::decoded;

pub(super) use marks::{marks, unsure_words};
pub(super) use unlock::unlock;

/// A page without text but with more paths than this may have letters drawn as outlines.
const MIN_OUTLINES: usize = 100;
/// Fewer characters than this on an image are a scanner's stamp or a page number, not its text.
const MIN_CHARACTERS: usize = 24;

/// The placeholder text of a form that only XFA describes.
const PLACEHOLDER: &str = "Please wait";

/// Reads the text of a PDF file and its page map.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let read = Read::of(bytes, &RecognisedPages::new(), limits)?;
    if let Some(form) = read.form.as_ref().filter(|form| read.asks_to_wait(form))
        && let Some(made) = form.text(limits)?
    {
        return Ok(Extracted { about: read.about, ..made });
    }
    // Notes on a scan are read before the scan is recognised.
    let has_notes = read.counts.annotated && !read.pictures.is_empty();
    match read.counts.check() {
        Err(failure) if has_notes && failure.code == FailureCode::NeedsOcr => {}
        judged => judged?,
    }
    let has_images = read.counts.images;
    let raw = read.into_text();
    if raw.text.is_empty() && has_images {
        return Err(needs_ocr());
    }
    // Blank pages are not a failure, unless they are the rest of a damaged file.
    if raw.text.is_empty() && Document::load_mem(bytes).is_ok_and(|file| file.get_pages().is_empty()) {
        return Err(damaged());
    }
    Ok(raw)
}

/// Reads a PDF file with recognised words on some or all pages.
pub(super) fn extract_recognised(
    bytes: &[u8],
    recognised: &RecognisedPages,
    limits: &Limits,
) -> Result<Extracted, Failure> {
    Ok(Read::of(bytes, recognised, limits)?.into_text())
}

/// Reads an image with recognised words.
pub(super) fn image_recognised(recognised: &RecognisedPages) -> Result<Extracted, Failure> {
    let mut pages = recognised.values().map(|hocr| recognised_page(hocr)).collect::<Result<Vec<_>, _>>()?;
    furniture::drop_furniture(&mut pages);
    Ok(flow::text(&pages, &[]))
}

fn recognised_page(hocr: &str) -> Result<PageBlocks, Failure> {
    let page = hocr::page(hocr);
    if page.overflows() { Err(too_large()) } else { Ok(page.blocks(false)) }
}

/// The blocks of all pages.
#[derive(Default)]
struct Read {
    pages: Vec<PageBlocks>,
    /// The numbers of the pages that are images without text.
    pictures: Vec<u32>,
    counts: Counts,
    about: About,
    bookmarks: Vec<Bookmark>,
    /// The form that XFA describes.
    form: Option<xfa::Form>,
}

impl Read {
    /// Whether the pages only contain XFA's placeholder instead of the form.
    fn asks_to_wait(&self, form: &xfa::Form) -> bool {
        let says_so =
            || self.pages.iter().flat_map(|page| texts(&page.blocks)).any(|text| text.contains(PLACEHOLDER));
        self.counts.fields == 0 && (form.needs_rendering || says_so())
    }

    fn of(bytes: &[u8], recognised: &RecognisedPages, limits: &Limits) -> Result<Self, Failure> {
        let mut read = Self::once(bytes, recognised, limits)?;
        if read.counts.needs_maps()
            && let Some(copy) = fonts::with_maps(bytes)
            && let Ok(again) = Self::once(&copy, recognised, limits)
            && again.counts.unmapped < read.counts.unmapped
        {
            read = again;
        }
        if read.pages.is_empty() {
            return Err(Failure::new(FailureCode::Broken, Notice::PdfWithoutPage));
        }
        Ok(read)
    }

    fn once(bytes: &[u8], recognised: &RecognisedPages, limits: &Limits) -> Result<Self, Failure> {
        let pdf = opened(bytes)?;
        let settings = InterpreterSettings::default();
        let cache = InterpreterCache::new();
        let mut tables = FontTables::default();
        let (about, bookmarks, form) = (about(&pdf), bookmarks(&pdf), xfa::Form::of(&pdf));
        let mut read = Self { about, bookmarks, form, ..Self::default() };
        let mut written = 0;
        for (page, number) in pdf.pages().iter().zip(1..) {
            let mut glyphs = PageGlyphs::of_page(page, &cache, &settings, &mut tables);
            let page = PageBlocks::of(&mut glyphs);
            if glyphs.overflow {
                return Err(too_large());
            }
            read.counts.fields += glyphs.annotations.widgets.len();
            let has_useless_layer = has_useless_layer(&glyphs, &page.blocks);
            let is_picture =
                has_useless_layer || (glyphs.pictured > PICTURED && glyphs.printed < MIN_CHARACTERS);
            if let Some(hocr) = recognised.get(&number) {
                let recognised = recognised_page(hocr)?;
                let count = visible_characters(&recognised.blocks).count();
                let is_better = if has_useless_layer {
                    count >= MIN_CHARACTERS && !text_layer::is_useless(texts(&recognised.blocks))
                } else {
                    // A title in front of a photograph is better read than recognised.
                    !is_picture || count >= glyphs.printed
                };
                if is_better {
                    read.pages.push(recognised.with_annotations(&mut glyphs));
                    continue;
                }
            }
            read.counts.useless += usize::from(has_useless_layer);
            written += read.counts.count(&glyphs, &page.blocks);
            if written > limits.text_bytes {
                return Err(too_large());
            }
            if is_picture {
                read.pictures.push(number);
            }
            read.pages.push(page);
        }
        Ok(read)
    }

    fn into_text(mut self) -> Extracted {
        furniture::drop_line_numbers(&mut self.pages);
        furniture::drop_furniture(&mut self.pages);
        let text = flow::text(&self.pages, &self.bookmarks);
        Extracted { about: self.about, pictures: self.pictures, ..text }
    }
}

/// Whether the text of a page is a useless layer of a scan.
fn has_useless_layer(page: &PageGlyphs, blocks: &[Block]) -> bool {
    let is_layer = page.pictured > PICTURED && page.layer * 10 > page.glyphs.len() * 9;
    is_layer && text_layer::is_useless(texts(blocks))
}

/// The printed texts of a page, without notes.
fn texts(blocks: &[Block]) -> impl Iterator<Item = &str> + Clone {
    let rows = blocks.iter().flat_map(|block| &block.rows);
    rows.filter(|row| row.size > 0.0).map(|row| row.text.as_str())
}

/// The characters of blocks other than white space.
fn visible_characters(blocks: &[Block]) -> impl Iterator<Item = char> {
    texts(blocks).flat_map(str::chars).filter(|c| !c.is_whitespace())
}

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

/// Converts the error of a file that cannot be opened.
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

/// Counts over all pages that distinguish text from images and from garbled text.
#[derive(Default)]
struct Counts {
    pages: usize,
    /// Pages that are mostly an image.
    pictured: usize,
    images: bool,
    /// Pages with a useless text layer.
    useless: usize,
    /// Whether readers left notes or filled in fields.
    annotated: bool,
    /// Fields that are placed on a page.
    fields: usize,
    paths: usize,
    /// Characters other than white space.
    characters: usize,
    nonsense: usize,
    /// Characters in the upper half of Latin-1; the bytes of other scripts appear as these.
    upper: usize,
    /// Letters and digits of any script.
    plain: usize,
    /// Letters from A to Z, and the number of vowels among them.
    latin: usize,
    vowels: usize,
    unmapped: usize,
}

impl Counts {
    /// Adds a page; returns the number of bytes of its text.
    fn count(&mut self, page: &PageGlyphs, blocks: &[Block]) -> usize {
        self.pages += 1;
        self.pictured += usize::from(page.pictured > PICTURED);
        self.images |= page.pictured > 0.0;
        self.annotated |= blocks.iter().flat_map(|block| &block.rows).any(|row| row.alone);
        self.paths += page.paths;
        self.unmapped += page.unmapped;
        for c in visible_characters(blocks) {
            self.characters += 1;
            self.nonsense += usize::from(characters::is_nonsense(c));
            self.upper += usize::from(('\u{A1}'..='\u{FF}').contains(&c));
            self.plain += usize::from(c.is_alphanumeric());
            self.latin += usize::from(c.is_ascii_alphabetic());
            self.vowels += usize::from(matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y'));
        }
        blocks.iter().flat_map(|block| &block.rows).map(|row| row.text.len()).sum()
    }

    /// Whether enough glyphs lack their characters to recover font maps.
    fn needs_maps(&self) -> bool {
        self.unmapped * 50 > self.characters
    }

    fn check(&self) -> Result<(), Failure> {
        let drawn = self.images || self.paths > MIN_OUTLINES;
        let none = self.characters == 0 && self.unmapped == 0 && drawn;
        let scanned = self.pictured * 10 > self.pages * 8 && self.characters < MIN_CHARACTERS * self.pages;
        if none || scanned || (self.useless > 0 && self.useless == self.pages) {
            return Err(needs_ocr());
        }
        let lost =
            (self.nonsense + self.upper) * 2 > self.characters || (self.characters == 0 && self.unmapped > 0);
        // Most characters are guesses that do not look like words.
        let guessed = self.unmapped * 2 > self.characters && self.plain * 10 < self.characters * 7;
        // Shifted codes make unpronounceable words: in every language in Latin script, about a third of the letters are
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
pub(super) mod tests;
