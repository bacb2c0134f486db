//! Extractors and segmenter: untrusted bytes become text, and text becomes sentences.
//!
//! All input may be hostile. Functions return a [`Failure`] and never panic on input. If a parser nevertheless hangs,
//! aborts or exhausts memory, the process around it contains that, see [`worker`]. This crate opens no file and knows
//! neither store nor models.

pub mod dates;
mod extract;
pub mod numbers;
mod plain;
mod segment;
mod terms;
mod visible;
mod word_functions;
pub mod worker;

use oriel_core::{Extracted, Failure, Kind, PageMap, RecognisedPages, Sentence};

pub use extract::{
    Drawing, Limits, MAX_MEMBERS, Mark, MarkRequest, PageText, Picture, extract, marks, pages_as_pdf,
    too_many_members, unlock, unsure_words,
};
pub use plain::{plain, source_of};
pub use segment::language;
pub use terms::{fold, terms, words};
pub use visible::{Piece, visible};
pub use word_functions::{capitalised, list_contains};

/// Increase this when the readers return another text for the same file. A library then reads all of its files again,
/// so increase it at most once a release.
pub const READERS: u32 = 1;

/// Turns a file's bytes into its text, pages, structure and sentences.
///
/// # Errors
/// Why the file could not be read; the reason says what the user can do, if anything.
pub fn read(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    Ok(with_sentences(extract(kind, bytes, limits)?))
}

/// Like [`read`], for a PDF or an image with recognised words on some or all pages.
///
/// # Errors
/// Why the file could not be read.
pub fn read_recognised(
    kind: Kind,
    bytes: &[u8],
    recognised: &RecognisedPages,
    limits: &Limits,
) -> Result<Extracted, Failure> {
    Ok(with_sentences(extract::extract_recognised(kind, bytes, recognised, limits)?))
}

/// The sentences of a document's text in reading order; spans ascend and do not overlap.
///
/// Text beyond 4 GiB has no sentences: offsets are 32 bits wide.
#[must_use]
pub fn sentences(text: &str, kind: Kind, pages: &PageMap) -> Vec<Sentence> {
    segment::sentences(text, kind, extract::segmenter(kind), pages)
}

fn with_sentences(mut extracted: Extracted) -> Extracted {
    extracted.sentences = sentences(&extracted.text, extracted.kind, &extracted.pages);
    let boilerplate = std::mem::take(&mut extracted.boilerplate);
    extracted.sentences.retain(|sentence| !sentence.span.overlaps_any(&boilerplate));
    extracted
}
