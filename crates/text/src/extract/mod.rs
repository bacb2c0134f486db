//! Extracts text, page map and structure from a file's bytes, with one module per format.
//!
//! `formats` lists the formats. A new one is an entry there, an entry among the kinds of `oriel-core`, and a file here.

mod adjacent_tables;
mod archive;
mod bold_headings;
mod calendar;
mod cards;
mod charts;
mod chat_text;
mod comments;
mod compound;
mod compressed_rtf;
mod content_line;
mod contents;
mod date_time;
mod docx;
mod encoding;
mod epub;
mod fb2;
mod flow;
mod formats;
mod header;
mod html;
mod iwork;
mod json;
mod limits;
mod list_numbers;
mod mail;
mod marks;
mod members;
mod msg;
mod notebook;
mod number_formats;
mod odf;
mod old_office;
mod options;
mod package;
mod page_images;
mod page_numbers;
mod pdf;
mod picture;
mod plain_formats;
mod plain_structure;
mod pptx;
mod recurrence;
mod rtf;
mod separated;
mod sheets;
mod signature;
mod slides;
mod subtitles;
mod writer;
mod xml;
mod xml_date;

use oriel_core::{Extracted, Failure, Kind, RecognisedPages};

pub(crate) use formats::segmenter;
pub use limits::Limits;
pub(crate) use limits::{damaged, needs_ocr, too_large};
pub use marks::{Mark, MarkRequest, PageText, marks, unsure_words};
pub use members::{MAX_MEMBERS, too_many_members};
pub use page_images::{Drawing, Picture, pages_as_pdf};
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
