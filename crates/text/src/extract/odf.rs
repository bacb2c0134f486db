//! OpenDocument: texts, presentations and spreadsheets, as archives or as one XML file.

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, Kind};
use quick_xml::events::BytesStart;

use super::package::{Package, wants_password};
use super::sniff::Content;
use super::xml::{self, Body, Dialect, Element, attribute};
use super::{Limits, damaged, encoding};

/// The types of the three, also of their templates.
pub(super) const TEXT: &str = "application/vnd.oasis.opendocument.text";
pub(super) const SLIDES: &str = "application/vnd.oasis.opendocument.presentation";
pub(super) const SHEETS: &str = "application/vnd.oasis.opendocument.spreadsheet";

/// Repeated cells beyond this many are one.
const MAX_REPEATED: usize = 100;

/// Whether it is a document of this type in one XML file.
pub(super) fn is_flat(file: &Content<'_>, mimetype: &str) -> bool {
    file.has_root("document") && file.mentions(mimetype)
}

/// A text document.
pub(super) fn extract_text(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Odt, bytes, limits)
}

/// A presentation; each slide is a page.
pub(super) fn extract_slides(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Odp, bytes, limits)
}

/// A spreadsheet; each sheet is a page.
pub(super) fn extract_sheets(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Ods, bytes, limits)
}

fn extract(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let (content, about) = if bytes.starts_with(b"PK") {
        let mut package = Package::open(kind, bytes, limits)?;
        let manifest = package.part("META-INF/manifest.xml")?.unwrap_or_default();
        if manifest.contains("encryption-data") {
            return Err(wants_password());
        }
        let content = package.part("content.xml")?;
        (content.ok_or_else(|| damaged(kind, Damage::MainPartMissing))?, package.about("meta.xml"))
    } else {
        let content = encoding::decode(bytes, encoding::declared(bytes));
        let about = xml::about(&content);
        (content, about)
    };
    let mut document = OpenDocument { kind, is_title: false };
    let writer = xml::read(&content, &mut document, limits.text_bytes)?;
    Ok(Extracted { about, ..writer.finish(kind)? })
}

/// The vocabulary of OpenDocument.
struct OpenDocument {
    kind: Kind,
    /// The current frame holds a slide's title.
    is_title: bool,
}

impl Dialect for OpenDocument {
    const KIND: Kind = Kind::Odt;
    const IS_MIXED: bool = true;

    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element {
        let name = element.name();
        let number = |name| attribute(element, name).and_then(|value| value.parse::<usize>().ok());
        match name.as_ref() {
            "text:p" => {
                if self.is_title {
                    body.flows.set_heading(1);
                }
                Element::Paragraph
            }
            "text:h" => {
                let level = number("outline-level").and_then(|level| u8::try_from(level).ok()).unwrap_or(1);
                body.flows.set_heading(level);
                Element::Paragraph
            }
            "text:s" => {
                body.write(&" ".repeat(number("c").unwrap_or(1).min(MAX_REPEATED)));
                Element::Other
            }
            "text:tab" => {
                body.write("\t");
                Element::Other
            }
            "text:line-break" => {
                body.write("\n");
                Element::Other
            }
            // Former text, notes' numbers, phonetic guides, what drawings say of themselves, styles.
            "text:tracked-changes"
            | "text:note-citation"
            | "text:ruby-text"
            | "svg:title"
            | "svg:desc"
            | "office:meta"
            | "office:styles"
            | "office:automatic-styles"
            | "office:master-styles"
            | "office:scripts"
            | "office:settings"
            | "office:font-face-decls"
            | "presentation:footer-decl"
            | "presentation:header-decl"
            | "presentation:date-time-decl"
            | "office:binary-data"
            | "math:math"
            | "office:forms"
            | "text:sequence-decls" => Element::Hidden,
            "draw:text-box" | "text:note-body" | "office:annotation" => Element::Box,
            "draw:page" => {
                body.flows.page();
                Element::Other
            }
            "draw:frame" => {
                self.is_title = attribute(element, "class").is_some_and(|class| class == "title");
                Element::Other
            }
            "table:table" => {
                if self.kind == Kind::Ods {
                    body.flows.page();
                    body.flows.heading(&attribute(element, "name").unwrap_or_default(), 1);
                }
                Element::Table
            }
            "table:table-header-rows" => {
                body.flows.set_header();
                Element::Other
            }
            "table:table-row" => {
                let repeated = number("number-rows-repeated").and_then(|count| u32::try_from(count).ok());
                body.flows.repeat_row(repeated.unwrap_or(1));
                Element::Row
            }
            "table:table-cell" => {
                let repeated = number("number-columns-repeated").unwrap_or(1);
                // A sheet ends with cells that are repeated up to its edge.
                body.flows.repeat_cell(if repeated <= MAX_REPEATED { repeated } else { 1 });
                Element::Cell
            }
            "table:covered-table-cell" => {
                body.flows.skip_cells(number("number-columns-repeated").unwrap_or(1).min(MAX_REPEATED));
                Element::Other
            }
            // Spans, links, fields, references.
            name if name.starts_with("text:") => Element::Run,
            _ => Element::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::docx::tests::zipped;
    use super::super::{FailureCode, extract as extract_any};
    use super::*;

    fn document(kind: Kind, mimetype: &str, body: &str) -> Extracted {
        let content =
            format!("<office:document-content><office:body>{body}</office:body></office:document-content>");
        let meta = "<office:document-meta><office:meta><dc:title>About &amp; it</dc:title>\
            <meta:creation-date>2024-03-01T10:00:00</meta:creation-date></office:meta></office:document-meta>";
        let bytes = zipped(&[("mimetype", mimetype), ("content.xml", &content), ("meta.xml", meta)]);
        let made = extract_any(Kind::Docx, &bytes, &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(made.kind, kind);
        assert_eq!(made.about.title.as_deref(), Some("About & it"));
        assert_eq!(made.about.date, Some(1_709_287_200));
        made
    }

    #[test]
    fn a_text_has_headings_notes_and_tables() {
        let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
        let body = format!(
            "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level='2'>Part</text:h>\
             <text:p>One\n  <text:span>two</text:span><text:s text:c='2'/>three<text:note><text:note-citation>1</text:note-citation>\
             <text:note-body><text:p>The note.</text:p></text:note-body></text:note>.</text:p>\
             <table:table><table:table-header-rows><table:table-row>{}{}</table:table-row></table:table-header-rows>\
             <table:table-row>{}{}</table:table-row></table:table>",
            cell("a"),
            cell("b"),
            cell("c"),
            cell("d")
        );
        let made = document(Kind::Odt, TEXT, &body);
        assert_eq!(made.text, "Part\n\nOne two  three.\n\nThe note.\n\na\tb\nc\td");
        assert_eq!((made.outline.headings[0].level, made.outline.tables.len()), (2, 1));
    }

    #[test]
    fn slides_and_sheets_are_pages() {
        let frame = |class: &str, text: &str| {
            format!(
                "<draw:frame presentation:class='{class}'><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"
            )
        };
        let body = format!(
            "<office:presentation><draw:page>{}{}</draw:page><draw:page>{}</draw:page></office:presentation>",
            frame("title", "First"),
            frame("outline", "Point"),
            frame("title", "Second")
        );
        let slides = document(Kind::Odp, SLIDES, &body);
        assert_eq!((slides.text.as_str(), &*slides.pages.0), ("First\n\nPoint\n\nSecond", &[0, 14][..]));
        assert_eq!(slides.outline.headings.len(), 2);

        let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
        let body = format!(
            "<office:spreadsheet><table:table table:name='Costs'><table:table-row>{}{}</table:table-row>\
             <table:table-row table:number-rows-repeated='3'/><table:table-row>{}\
             <table:table-cell table:number-columns-repeated='2'><text:p>4.5</text:p></table:table-cell>\
             <table:table-cell table:number-columns-repeated='16000'/></table:table-row></table:table></office:spreadsheet>",
            cell("Item"),
            cell("Price"),
            cell("Paint")
        );
        let sheet = document(Kind::Ods, SHEETS, &body);
        assert_eq!(sheet.text, "Costs\n\nItem\tPrice\nPaint\t4.5\t4.5");
        assert_eq!(sheet.outline.tables[0].span.of(&sheet.text), Some("Item\tPrice"));
        assert_eq!(sheet.outline.rows[0].number, 5, "rows without text count");
    }

    #[test]
    fn an_encrypted_document_asks_for_its_password() {
        let manifest = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
        let bytes =
            zipped(&[("mimetype", TEXT), ("META-INF/manifest.xml", manifest), ("content.xml", "\u{1}\u{2}")]);
        assert_eq!(extract_text(&bytes, &Limits::default()).unwrap_err().code, FailureCode::Encrypted);
    }
}
