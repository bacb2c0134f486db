//! The formats: how each is recognised, read and divided into sentences. The content decides on a file's format, its name is a
//! hint.

use oriel_core::{Extracted, Failure, FailureCode, Kind, Notice};

use super::limits::{Limits, kind_name};
use super::package::needs_password;
use super::signature::{Content, Signature, contains, guess_format};
use super::{
    archive, calendar, cards, docx, epub, fb2, html, iwork, json, mail, msg, notebook, odf, old_office, pdf,
    picture, plain_formats, pptx, rtf, separated, sheets, signature, subtitles,
};
use crate::segment::Segmenter;

/// A format that Oriel reads.
pub(super) struct Format {
    pub(super) kind: Kind,
    signature: Signature,
    pub(super) read: fn(&[u8], &Limits) -> Result<Extracted, Failure>,
    segmenter: Segmenter,
}

impl Format {
    const fn new(
        kind: Kind,
        segmenter: Segmenter,
        signature: Signature,
        read: fn(&[u8], &Limits) -> Result<Extracted, Failure>,
    ) -> Self {
        Self { kind, signature, read, segmenter }
    }
}

/// The formats. If several match a file, the first one is used.
static FORMATS: &[Format] = {
    use Segmenter::{Lines, Markdown, Names, Paragraphs};
    use Signature::{Bytes, Compound, Name, Text, Zip};
    &[
        Format::new(Kind::Pdf, Paragraphs, Bytes(signature::is_pdf), pdf::extract),
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
        Format::new(Kind::Html, Lines, Text(signature::is_page), html::extract),
        Format::new(
            Kind::Mhtml,
            Lines,
            Text(|file| signature::is_mail(file) && file.mentions("multipart/related")),
            mail::extract_page,
        ),
        Format::new(
            Kind::Mbox,
            Names,
            Text(|file| file.begins("From ") && file.mentions("\nFrom: ")),
            mail::extract_box,
        ),
        Format::new(Kind::Mbox, Names, Bytes(signature::is_outlook_data), |_, _| {
            Err(Failure::new(FailureCode::Broken, Notice::OutlookData))
        }),
        Format::new(Kind::Eml, Paragraphs, Text(signature::is_mail), mail::extract),
        Format::new(Kind::Calendar, Lines, Text(|file| file.begins("BEGIN:VCALENDAR")), calendar::extract),
        Format::new(Kind::Card, Lines, Text(|file| file.begins("BEGIN:VCARD")), cards::extract),
        Format::new(Kind::Markdown, Markdown, Name, plain_formats::markdown),
        Format::new(Kind::Text, Paragraphs, Name, plain_formats::text),
        Format::new(Kind::Csv, Lines, Name, separated::extract_csv),
        Format::new(Kind::Tsv, Lines, Name, separated::extract_tsv),
        Format::new(Kind::Rst, Paragraphs, Name, plain_formats::rst),
        Format::new(Kind::AsciiDoc, Paragraphs, Name, plain_formats::asciidoc),
        Format::new(Kind::Org, Paragraphs, Name, plain_formats::org),
        Format::new(Kind::Latex, Paragraphs, Name, plain_formats::latex),
        Format::new(Kind::Code, Paragraphs, Name, plain_formats::code),
        Format::new(Kind::Json, Lines, Name, json::extract),
        Format::new(Kind::Yaml, Paragraphs, Name, plain_formats::yaml),
        Format::new(Kind::Xml, Paragraphs, Name, plain_formats::xml),
        Format::new(Kind::Notebook, Markdown, Name, notebook::extract),
        Format::new(Kind::Srt, Lines, Name, subtitles::extract_srt),
        Format::new(Kind::Vtt, Lines, Text(|file| file.begins("WEBVTT")), subtitles::extract_vtt),
        // Every document in a ZIP container matches this entry too, so it is the last.
        Format::new(Kind::Archive, Names, Zip(|_| false), archive::extract_zip),
        Format::new(Kind::Archive, Names, Bytes(archive::is_sevenz), archive::extract_sevenz),
        Format::new(Kind::Archive, Names, Bytes(archive::is_rar), archive::extract_rar),
        Format::new(Kind::Archive, Names, Bytes(archive::is_tar), archive::extract_tar),
        Format::new(Kind::Archive, Names, Bytes(archive::is_compressed), archive::extract_compressed),
    ]
};

/// The format of a file; `promised` is the kind by its name.
///
/// # Errors
/// If no format matches, with a guess what the content is; or if the file is protected by a password.
pub(super) fn format(promised: Kind, bytes: &[u8]) -> Result<&'static Format, Failure> {
    let content = Content::new(promised, bytes);
    let locks = ["EncryptedPackage", "\tDRMContent"];
    // The directory of a damaged file cannot be read, but the names in it can.
    let is_named = |lock: &&str| {
        let name: Vec<u8> = lock.encode_utf16().flat_map(u16::to_le_bytes).collect();
        content.entries().is_empty() && contains(bytes, &name)
    };
    if content.is_compound() && locks.iter().any(|lock| content.has_entry(lock) || is_named(lock)) {
        return Err(needs_password());
    }
    let shows = |format: &&Format| match format.signature {
        Signature::Zip(shows) => content.is_zip() && shows(&content),
        Signature::Compound(shows) => content.is_compound() && shows(&content),
        Signature::Bytes(shows) => shows(&content),
        Signature::Text(_) | Signature::Name => false,
    };
    let is_begun = |format: &&Format| match format.signature {
        Signature::Text(shows) => content.is_text() && shows(&content),
        _ => false,
    };
    // A file without an extension may have a mailbox's name by chance.
    let is_misnamed = promised == Kind::Mbox && content.is_text() && !content.begins("From ");
    let promised = match is_misnamed {
        true if signature::is_mail(&content) => Kind::Eml,
        true => Kind::Text,
        false => promised,
    };
    let named = FORMATS.iter().find(|format| format.kind == promised);
    let fits = |format: &&Format| match format.signature {
        Signature::Text(_) | Signature::Name => content.is_text(),
        // A damaged container; its reader reports the damage.
        Signature::Zip(_) => content.is_zip(),
        Signature::Compound(_) => content.is_compound(),
        Signature::Bytes(_) => false,
    };
    // Programs often export text under the extension of old Excel files. XML is not separated values.
    let is_exported = promised == Kind::Xls && content.is_text() && !bytes.is_empty() && !content.begins("<");
    let exported = FORMATS.iter().find(|format| is_exported && format.kind == Kind::Csv);
    let archive = FORMATS.iter().find(|format| format.kind == Kind::Archive && content.is_zip());
    let found = FORMATS
        .iter()
        .find(shows)
        .or_else(|| named.filter(fits))
        .or_else(|| FORMATS.iter().find(is_begun))
        .or(exported)
        .or(archive);
    found.ok_or_else(|| {
        let kind = kind_name(promised);
        Failure::new(
            FailureCode::Broken,
            match guess_format(&content) {
                Some(looks) => Notice::NamedOtherwise { kind, looks },
                None if named.is_some_and(|format| {
                    matches!(format.signature, Signature::Text(_) | Signature::Name)
                }) =>
                {
                    Notice::BinaryNamedText
                }
                None => Notice::NotWhatItIsNamed { kind },
            },
        )
    })
}

/// How the texts of a kind are divided into sentences.
pub(crate) fn segmenter(kind: Kind) -> Segmenter {
    FORMATS.iter().find(|format| format.kind == kind).map_or(Segmenter::Paragraphs, |format| format.segmenter)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::docx::tests::zipped;
    use super::*;

    fn kind(promised: Kind, bytes: &[u8]) -> Kind {
        format(promised, bytes).map(|format| format.kind).unwrap()
    }

    fn reason(kind: Kind, bytes: &[u8]) -> String {
        let failure = format(kind, bytes).map(|format| format.kind).unwrap_err();
        assert_eq!(failure.code, FailureCode::Broken);
        failure.reason.to_string()
    }

    #[test]
    fn content_decides_against_the_name() {
        assert_eq!(kind(Kind::Pdf, b"<!DOCTYPE html><html></html>"), Kind::Html);
        assert_eq!(kind(Kind::Doc, b"{\\rtf1 Hello}"), Kind::Rtf);
        assert_eq!(kind(Kind::Text, b"%PDF-1.4\n"), Kind::Pdf);
        assert_eq!(kind(Kind::Xls, b"a;b\n1;2\n"), Kind::Csv);
        assert_eq!(kind(Kind::Xml, b"<?xml version='1.0'?>\n<!-- a --><FictionBook xmlns='x'>"), Kind::Fb2);
        assert_eq!(kind(Kind::Text, b"PK\x03\x04"), Kind::Archive);
        let mail = b"Received: here\nFrom: a@b.c\n\tfolded\nSubject: so\nDate: then\n\nText";
        assert_eq!(kind(Kind::Doc, mail), Kind::Eml);
        assert_eq!(kind(Kind::Mbox, mail), Kind::Eml);
        assert_eq!(kind(Kind::Mbox, b"A list of what was sent."), Kind::Text);
        assert_eq!(
            kind(Kind::Text, b"BEGIN:VCARD\r\nFN:Ann\r\n"),
            Kind::Text,
            "its name says that it is text"
        );
    }

    #[test]
    fn the_name_decides_between_texts() {
        assert_eq!(kind(Kind::Markdown, b"<html> is how a page begins"), Kind::Markdown);
        assert_eq!(kind(Kind::Code, b"print('%PDF-')"), Kind::Code);
        assert_eq!(kind(Kind::Html, b"no tag at all"), Kind::Html);
        assert_eq!(kind(Kind::Xml, b"<?xml version='1.0'?><a/>"), Kind::Xml);
    }

    #[test]
    fn what_is_no_document_is_named() {
        let outlook = super::super::extract(Kind::Mbox, b"!BDN\x01\0", &Limits::default());
        assert!(outlook.unwrap_err().reason.to_string().contains("export"));
        assert!(reason(Kind::Pdf, b"just words").contains("plain text"));
        assert!(reason(Kind::Docx, b"\x89PNG\r\n").contains("picture"));
        assert!(reason(Kind::Text, b"\x1F\x9D\x90").contains("packed"));
        assert!(reason(Kind::Archive, b"just words").contains("archive"));
        assert!(reason(Kind::Docx, &[0, 1, 2]).contains("none"));
    }

    #[test]
    fn xml_is_no_sheet_and_a_folder_no_office_document() {
        assert!(reason(Kind::Xls, b"<?xml version='1.0'?>\n<Workbook><Row/></Workbook>").contains("XML"));
        let other = zipped(&[("word/list.txt", "a")]);
        assert_eq!(kind(Kind::Archive, &other), Kind::Archive);
        let office = zipped(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", "")]);
        assert_eq!(kind(Kind::Archive, &office), Kind::Docx);
    }

    #[test]
    fn junk_before_a_pdf_header_is_fine() {
        assert_eq!(kind(Kind::Pdf, b"\r\n\r\njunk %PDF-1.7\n"), Kind::Pdf);
    }

    #[test]
    fn an_encrypted_office_document_asks_for_its_password() {
        let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
        file.create_stream("/EncryptedPackage").unwrap();
        let bytes = file.into_inner().into_inner();
        let failure = format(Kind::Docx, &bytes).map(|format| format.kind).unwrap_err();
        assert_eq!(failure.code, FailureCode::Encrypted);
    }

    #[test]
    fn every_kind_has_its_format() {
        for kind in Kind::ALL {
            assert!(FORMATS.iter().any(|format| format.kind == *kind), "{kind}");
        }
    }
}
