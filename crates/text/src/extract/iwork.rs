//! Documents of Pages, Numbers and Keynote: the text comes from the PDF inside, since their own format is not
//! published.

use std::borrow::Cow;

use oriel_core::{Extracted, Failure, FailureCode, Kind, Notice};

use super::package::Package;
use super::signature::Content;
use super::{Limits, pdf};

/// The part with the pages as PDF. Since 2013 few documents have it.
const PREVIEW: &str = "QuickLook/Preview.pdf";

/// Whether an archive is such a document, or the part of its folder that contains its text.
pub(super) fn is_iwork(file: &Content<'_>) -> bool {
    [PREVIEW, "Index/Document.iwa", "Document.iwa", "index.apxl"].iter().any(|name| file.has_member(name))
}

/// The text of the pages.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    pdf::extract(&preview(bytes, limits)?, limits)
}

/// The PDF in a document.
pub(super) fn preview(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, Failure> {
    let preview = Package::open(Kind::Iwork, bytes, limits)?.bytes(PREVIEW)?;
    preview.ok_or_else(|| Failure::new(FailureCode::Broken, Notice::IworkWithoutPreview))
}

/// The PDF that shows a document's pages: the one in an archive, or the file itself.
pub(super) fn pages(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
    if !bytes.starts_with(b"PK") {
        return Ok(Cow::Borrowed(bytes));
    }
    preview(bytes, &Limits::default()).map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use oriel_core::{ByteSpan, RecognisedPages};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::super::pdf::tests::{document, saved};
    use super::super::{Drawing, MarkRequest, extract as extract_any, marks, pages_as_pdf};
    use super::*;

    fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in parts {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(content).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn the_preview_is_read_marked_drawn_and_shown() {
        let pdf = saved(document(&[vec![(50, 700, "The rent is due in May.")]]));
        let bytes = zipped(&[("Index/Document.iwa", b"?"), (PREVIEW, &pdf)]);
        let made = extract_any(Kind::Archive, &bytes, &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(
            (made.kind, made.text.as_str(), &*made.pages.0),
            (Kind::Iwork, "The rent is due in May.", &[0][..])
        );
        let request = MarkRequest::new(&made.text, &made.pages, &[ByteSpan::new(4, 8)]);
        assert_eq!(marks(&bytes, &RecognisedPages::new(), &request).unwrap().unwrap().len(), 1);
        assert_eq!(Drawing::open(Kind::Iwork, bytes.clone()).unwrap().page(1).unwrap().pages, 1);
        assert_eq!(pages_as_pdf(bytes).unwrap(), pdf);
    }

    #[test]
    fn a_document_without_a_preview_says_what_to_do() {
        let bytes = zipped(&[("Index/Document.iwa", b"?"), ("preview.jpg", b"?")]);
        let failure = extract_any(Kind::Iwork, &bytes, &Limits::default()).unwrap_err();
        assert!(failure.reason.to_string().contains("export"), "{failure}");
    }
}
