//! Extracts text, page map and structure from a file's bytes, with one module per format.
//!
//! `formats` lists the formats. A new one is an entry there, an entry among the kinds of `oriel-core`, and a file here.

mod archive;
mod beside;
mod calendar;
mod cards;
mod chat_text;
mod comments;
mod compound;
mod content_line;
mod contents;
mod counting;
mod docx;
mod draw;
mod drawings;
mod encoding;
mod epub;
mod fb2;
mod flow;
mod formats;
mod header;
mod html;
mod iwork;
mod json;
mod leads;
mod light;
mod limits;
mod mail;
mod marks;
mod members;
mod moment;
mod msg;
mod notebook;
mod numbers;
mod odf;
mod old_office;
mod options;
mod package;
mod packed_rtf;
mod pages;
mod pdf;
mod picture;
mod pptx;
mod recurrence;
mod rtf;
mod separated;
mod sheets;
mod slides;
mod sniff;
mod subtitles;
mod typed;
mod writer;
mod xml;
mod xml_date;

use oriel_core::{Extracted, Failure, Kind, RecognisedPages};

pub use draw::{Drawing, Picture, pages_as_pdf};
pub(crate) use formats::segmenter;
pub use limits::Limits;
pub(crate) use limits::{damaged, needs_ocr, too_large};
pub use marks::{Mark, MarkRequest, PageText, marks, unsure_words};
pub use members::{MAX_MEMBERS, too_many_members};
pub(crate) use picture::MAX_SIDE;

/// Extracts the text of a file without its sentences. The content decides the kind; `promised` is the kind by the
/// file's name.
///
/// # Errors
/// Why the file could not be read; the reason says what the user can do, if anything.
pub fn extract(promised: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let format = formats::format(promised, bytes)?;
    within(limits, Extracted { kind: format.kind, ..(format.read)(bytes, limits)? })
}

/// Like [`extract`], for a PDF or an image with recognised words on some or all pages.
pub(crate) fn extract_recognised(
    promised: Kind,
    bytes: &[u8],
    recognised: &RecognisedPages,
    limits: &Limits,
) -> Result<Extracted, Failure> {
    let kind = formats::format(promised, bytes)?.kind;
    let raw = match kind {
        Kind::Pdf | Kind::Iwork => pdf::extract_recognised(&iwork::pages(bytes)?, recognised, limits)?,
        _ => pdf::image_recognised(recognised)?,
    };
    within(limits, Extracted { kind, ..raw })
}

/// The text, or a failure if it is too long.
fn within(limits: &Limits, extracted: Extracted) -> Result<Extracted, Failure> {
    // Offsets in the store have 32 bits.
    let is_too_long = extracted.text.len() > limits.text_bytes.min(u32::MAX as usize);
    if is_too_long { Err(too_large()) } else { Ok(extracted) }
}

/// A copy of a PDF without its password.
///
/// # Errors
/// If the password is wrong, or the encryption is not supported.
pub fn unlock(bytes: &[u8], password: &str) -> Result<Vec<u8>, Failure> {
    pdf::unlock(bytes, password)
}
