//! Word and PowerPoint before 2007: a library reads them, and what it makes of them is read as a page.

use std::io::Cursor;

use office_oxide::doc::DocError;
use office_oxide::ppt::PptError;
use office_oxide::{Document, DocumentFormat, OfficeError};
use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, Kind};

use super::package::wants_password;
use super::writer::Writer;
use super::{Limits, damaged, html, too_large};

/// A document of Word.
pub(super) fn extract_doc(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Doc, DocumentFormat::Doc, bytes, limits)
}

/// A presentation of PowerPoint; each slide is a page.
pub(super) fn extract_ppt(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Ppt, DocumentFormat::Ppt, bytes, limits)
}

fn extract(kind: Kind, format: DocumentFormat, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let document =
        Document::from_reader(Cursor::new(bytes.to_vec()), format).map_err(|error| match error {
            OfficeError::Doc(DocError::Encrypted) | OfficeError::Ppt(PptError::Encrypted) => wants_password(),
            _ => damaged(kind, Damage::Senseless),
        })?;
    let mut content = document.to_ir();
    let mut writer = Writer::new(limits.text_bytes);
    for section in std::mem::take(&mut content.sections) {
        if kind == Kind::Ppt {
            writer.page();
        }
        content.sections = vec![section];
        writer.append(html::read_text(&content.to_html(), limits)?.writer);
        if writer.is_full() {
            return Err(too_large());
        }
    }
    writer.finish(kind)
}
