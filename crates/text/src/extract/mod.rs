//! Extracts text, page map and structure from a file's bytes, with one module per format.
//!
//! [`FORMATS`] lists the formats. A new format needs an entry there, a kind in `oriel-core`, and a module here.

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
mod drawings;
mod encoding;
mod epub;
mod fb2;
mod flow;
mod header;
mod html;
mod iwork;
mod json;
mod leads;
mod light;
mod mail;
mod marks;
mod members;
mod msg;
mod notebook;
mod numbers;
mod odf;
mod old_office;
mod options;
mod package;
mod pages;
mod pdf;
mod picture;
mod pptx;
mod recurrence;
mod rtf;
mod separated;
mod sheets;
mod sniff;
mod subtitles;
mod typed;
mod writer;
mod xml;

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, FailureCode, INSTALL_TESSERACT, Kind, Notice, RecognisedPages};

use serde::{Deserialize, Serialize};
use sniff::Sign;

pub use marks::{Mark, MarkRequest, PageText, marks, unsure_words};
pub use members::{MAX_MEMBERS, too_many_members};
pub(crate) use picture::MAX_SIDE;
pub use picture::{Drawing, Picture, pages_as_pdf};

/// Limits for the extraction of one file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum bytes of text; a longer text is a failure and is not cut.
    pub text_bytes: usize,
    /// Maximum bytes of all parts that are unpacked to read the file.
    pub unpacked_bytes: u64,
    /// Maximum bytes of all members together, including their texts.
    pub member_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { text_bytes: 256 << 20, unpacked_bytes: 1 << 30, member_bytes: 256 << 20 }
    }
}

/// How a text is divided into sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segmenter {
    /// As Markdown.
    Markdown,
    /// Each line is a paragraph or a row.
    Lines,
    /// Lines may be wrapped; blank lines separate paragraphs.
    Paragraphs,
    /// Not divided: the text is a list of names.
    Names,
}

/// A format that Oriel reads.
struct Format {
    kind: Kind,
    sign: Sign,
    read: fn(&[u8], &Limits) -> Result<Extracted, Failure>,
    segmenter: Segmenter,
}

impl Format {
    const fn new(
        kind: Kind,
        segmenter: Segmenter,
        sign: Sign,
        read: fn(&[u8], &Limits) -> Result<Extracted, Failure>,
    ) -> Self {
        Self { kind, sign, read, segmenter }
    }
}

/// The formats. If several match a file, the first one is used.
static FORMATS: &[Format] = {
    use Segmenter::{Lines, Markdown, Names, Paragraphs};
    use Sign::{Bytes, Compound, Name, Text, Zip};
    &[
        Format::new(Kind::Pdf, Paragraphs, Bytes(sniff::is_pdf), pdf::extract),
        Format::new(Kind::Image, Paragraphs, Bytes(picture::is_image), picture::extract),
        Format::new(Kind::Docx, Lines, Zip(|file| file.is_office("word/")), docx::extract),
        Format::new(Kind::Docx, Lines, Bytes(|file| file.has_root("wordDocument")), docx::extract),
        Format::new(Kind::Pptx, Lines, Zip(|file| file.is_office("ppt/")), pptx::extract),
        Format::new(Kind::Xlsx, Lines, Zip(|file| file.is_office("xl/")), sheets::extract_xlsx),
        Format::new(Kind::Odt, Lines, Zip(|file| file.is_of_type(odf::TEXT)), odf::extract_text),
        Format::new(Kind::Odt, Lines, Bytes(|file| odf::is_flat(file, odf::TEXT)), odf::extract_text),
        Format::new(Kind::Odp, Lines, Zip(|file| file.is_of_type(odf::SLIDES)), odf::extract_slides),
        Format::new(Kind::Odp, Lines, Bytes(|file| odf::is_flat(file, odf::SLIDES)), odf::extract_slides),
        Format::new(Kind::Ods, Lines, Zip(|file| file.is_of_type(odf::SHEETS)), odf::extract_sheets),
        Format::new(Kind::Ods, Lines, Bytes(|file| odf::is_flat(file, odf::SHEETS)), odf::extract_sheets),
        Format::new(Kind::Iwork, Paragraphs, Zip(iwork::is_iwork), iwork::extract),
        Format::new(Kind::Epub, Lines, Zip(|file| file.is_of_type("application/epub")), epub::extract),
        Format::new(Kind::Fb2, Lines, Bytes(|file| file.has_root("FictionBook")), fb2::extract),
        Format::new(Kind::Rtf, Lines, Bytes(|file| file.begins("{\\rtf")), rtf::extract),
        Format::new(
            Kind::Xls,
            Lines,
            Compound(|file| file.has_entry("Workbook") || file.has_entry("Book")),
            sheets::extract_xls,
        ),
        Format::new(
            Kind::Doc,
            Lines,
            Compound(|file| file.has_entry("WordDocument")),
            old_office::extract_doc,
        ),
        Format::new(
            Kind::Ppt,
            Lines,
            Compound(|file| file.has_entry("PowerPoint Document")),
            old_office::extract_ppt,
        ),
        Format::new(Kind::Msg, Lines, Compound(|file| file.has_entry(msg::PROPERTIES)), msg::extract),
        Format::new(Kind::Html, Lines, Text(sniff::is_page), html::extract),
        Format::new(
            Kind::Mhtml,
            Lines,
            Text(|file| sniff::is_mail(file) && file.mentions("multipart/related")),
            mail::extract_page,
        ),
        Format::new(
            Kind::Mbox,
            Names,
            Text(|file| file.begins("From ") && file.mentions("\nFrom: ")),
            mail::extract_box,
        ),
        Format::new(Kind::Mbox, Names, Bytes(sniff::is_outlook_data), |_, _| {
            Err(Failure::new(FailureCode::Broken, Notice::OutlookData))
        }),
        Format::new(Kind::Eml, Paragraphs, Text(sniff::is_mail), mail::extract),
        Format::new(Kind::Calendar, Lines, Text(|file| file.begins("BEGIN:VCALENDAR")), calendar::extract),
        Format::new(Kind::Card, Lines, Text(|file| file.begins("BEGIN:VCARD")), cards::extract),
        Format::new(Kind::Markdown, Markdown, Name, light::markdown),
        Format::new(Kind::Text, Paragraphs, Name, light::text),
        Format::new(Kind::Csv, Lines, Name, separated::extract_csv),
        Format::new(Kind::Tsv, Lines, Name, separated::extract_tsv),
        Format::new(Kind::Rst, Paragraphs, Name, light::rst),
        Format::new(Kind::AsciiDoc, Paragraphs, Name, light::asciidoc),
        Format::new(Kind::Org, Paragraphs, Name, light::org),
        Format::new(Kind::Latex, Paragraphs, Name, light::latex),
        Format::new(Kind::Code, Paragraphs, Name, light::code),
        Format::new(Kind::Json, Lines, Name, json::extract),
        Format::new(Kind::Yaml, Paragraphs, Name, light::yaml),
        Format::new(Kind::Xml, Paragraphs, Name, light::xml),
        Format::new(Kind::Notebook, Markdown, Name, notebook::extract),
        Format::new(Kind::Srt, Lines, Name, subtitles::extract_srt),
        Format::new(Kind::Vtt, Lines, Text(|file| file.begins("WEBVTT")), subtitles::extract_vtt),
        // Every document in a ZIP container matches this entry too, so it is the last.
        Format::new(Kind::Archive, Names, Zip(|_| false), archive::extract_zip),
        Format::new(Kind::Archive, Names, Bytes(archive::is_sevenz), archive::extract_sevenz),
        Format::new(Kind::Archive, Names, Bytes(archive::is_rar), archive::extract_rar),
        Format::new(Kind::Archive, Names, Bytes(archive::is_tar), archive::extract_tar),
        Format::new(Kind::Archive, Names, Bytes(archive::is_packed), archive::extract_packed),
    ]
};

/// Extracts the text of a file without its sentences. The content decides the kind; `promised` is the kind by the
/// file's name.
///
/// # Errors
/// Why the file could not be read; the reason says what the user can do, if anything.
pub fn extract(promised: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let format = sniff::format(promised, bytes)?;
    within(limits, Extracted { kind: format.kind, ..(format.read)(bytes, limits)? })
}

/// Like [`extract`], for a PDF or an image with recognised words on some or all pages.
pub(crate) fn extract_recognised(
    promised: Kind,
    bytes: &[u8],
    recognised: &RecognisedPages,
    limits: &Limits,
) -> Result<Extracted, Failure> {
    let kind = sniff::format(promised, bytes)?.kind;
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

/// How the texts of a kind are divided into sentences.
pub(crate) fn segmenter(kind: Kind) -> Segmenter {
    FORMATS.iter().find(|format| format.kind == kind).map_or(Segmenter::Paragraphs, |format| format.segmenter)
}

fn too_large() -> Failure {
    Failure::new(FailureCode::TooLarge, Notice::TextTooLong)
}

fn needs_ocr() -> Failure {
    Failure::new(FailureCode::NeedsOcr, Notice::NeedsOcr { install: INSTALL_TESSERACT.to_owned() })
}

fn damaged(kind: Kind, what: Damage) -> Failure {
    Failure::new(FailureCode::Broken, Notice::Damaged { kind: called(kind), what })
}

/// The name of a kind in messages. The kind for all archives is named after one format.
fn called(kind: Kind) -> String {
    if kind == Kind::Archive { "archive".to_owned() } else { kind.name().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_format() {
        for kind in Kind::ALL {
            assert!(FORMATS.iter().any(|format| format.kind == *kind), "{kind}");
        }
    }
}
