//! Extractors and segmenter: untrusted bytes become text, text becomes sentences.
//!
//! Everything here may be handed a hostile file. Functions return a [`Failure`] and never panic on input; if a parser
//! hangs, aborts or exhausts memory all the same, the process around it contains that, see [`worker`]. This crate opens
//! no file and knows no store and no model.

mod extract;
mod plain;
mod segment;
mod terms;
mod visible;
pub mod worker;

use oriel_core::{Extracted, Failure, Kind};

pub use extract::{
    Limits, MAX_MEMBERS, Mark, MarkRequest, PageText, Picture, draw, extract, marks, marks_of_recognised,
    too_many_members, unlock,
};
pub use plain::{plain, source_of};
pub use segment::sentences;
pub use terms::{terms, words};
pub use visible::{Piece, visible};

/// Turns a file's bytes into its text, pages, structure and sentences.
///
/// # Errors
/// Why the file could not be read; the reason says what helps, if anything does.
pub fn read(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut extracted = extract(kind, bytes, limits)?;
    extracted.sentences = sentences(&extracted.text, extracted.kind, &extracted.pages);
    Ok(extracted)
}

/// Turns the words that were recognised on the pages of a file, one hOCR document per page, into text, pages, structure
/// and sentences.
///
/// # Errors
/// If the text is too long.
pub fn read_recognised(kind: Kind, hocr: &str, limits: &Limits) -> Result<Extracted, Failure> {
    let mut extracted = extract::recognised(kind, hocr, limits)?;
    extracted.sentences = sentences(&extracted.text, kind, &extracted.pages);
    Ok(extracted)
}
