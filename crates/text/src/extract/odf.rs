//! OpenDocument: texts, presentations and spreadsheets, as archives or as one XML file.
//!
//! Spreadsheets are read here too, since this reader shows values as the user formatted them.

mod dialect;
mod form_fields;
mod lists;
mod objects;
mod styles;

use std::collections::HashSet;

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, Kind};

use dialect::{OpenDocument, Region};

use super::package::{Package, needs_password};
use super::signature::Content;
use super::writer::Writer;
use super::{Limits, damaged, encoding, xml};

/// The MIME types of the three formats and their templates.
pub(super) const TEXT: &str = "application/vnd.oasis.opendocument.text";
pub(super) const SLIDES: &str = "application/vnd.oasis.opendocument.presentation";
pub(super) const SHEETS: &str = "application/vnd.oasis.opendocument.spreadsheet";

/// Whether it is a document of this type as a single XML file.
pub(super) fn is_flat(file: &Content<'_>, mimetype: &str) -> bool {
    file.has_root("document") && file.mentions(mimetype)
}

/// Reads a text document.
pub(super) fn extract_text(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Odt, bytes, limits)
}

/// Reads a presentation; each slide is a page.
pub(super) fn extract_slides(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Odp, bytes, limits)
}

/// Reads a spreadsheet; each sheet is a page.
pub(super) fn extract_sheets(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Ods, bytes, limits)
}

fn extract(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut document = OpenDocument::new(kind);
    let (content, styles, about) = if bytes.starts_with(b"PK") {
        let mut package = Package::open(kind, bytes, limits)?;
        let manifest = package.part("META-INF/manifest.xml")?.unwrap_or_default();
        if manifest.contains("encryption-data") {
            return Err(needs_password());
        }
        let content = package.part("content.xml")?;
        let content = content.ok_or_else(|| damaged(kind, Damage::MainPartMissing))?;
        let styles = package.part("styles.xml")?.unwrap_or_default();
        document.objects = objects::read(&mut package, &content, limits)?;
        document.styles.read(&styles);
        (content, Some(styles), package.about("meta.xml"))
    } else {
        let content = encoding::decode(bytes, encoding::declared(bytes));
        let about = xml::about(&content);
        (content, None, about)
    };
    document.prepare(&content);
    let body = xml::read(&content, &mut document, limits.text_bytes)?;
    let mut writer = Writer::new(limits.text_bytes);
    let mut write_region = |region, writer: &mut Writer| {
        let pages = styles.as_ref().unwrap_or(&content);
        // The master pages of slides contain placeholders; those of texts and sheets contain the user's headers and
        // footers.
        if kind != Kind::Odp && pages.contains("master-page") {
            document.region = region;
            if let Ok(text) = xml::read(pages, &mut document, limits.text_bytes) {
                distinct(&text, writer);
            }
        }
    };
    if kind == Kind::Ods {
        // A sheet begins with its name.
        writer.append(body);
        write_region(Region::Headers, &mut writer);
    } else {
        write_region(Region::Headers, &mut writer);
        writer.append(body);
    }
    write_region(Region::Footers, &mut writer);
    Ok(Extracted { about, ..writer.finish(kind)? })
}

/// Writes each distinct block of `text` once: the pages of a document often repeat them.
fn distinct(text: &Writer, writer: &mut Writer) {
    let mut known = HashSet::new();
    for block in text.text().split("\n\n").filter(|block| block.contains(char::is_alphanumeric)) {
        if known.insert(block) {
            writer.block(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use oriel_core::FailureCode;

    use super::super::docx::tests::zipped;
    use super::super::extract as extract_any;
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
        assert_eq!(sheet.outline.rows[1].number, 5, "rows without text count");
    }

    /// The text of a document with these styles and this body.
    fn text(kind: Kind, mimetype: &str, styles: &str, body: &str, parts: &[(&str, &str)]) -> String {
        let content = format!(
            "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles><office:body>{body}</office:body></office:document-content>"
        );
        let mut files = vec![("mimetype", mimetype), ("content.xml", &content)];
        files.extend_from_slice(parts);
        extract(kind, &zipped(&files), &Limits::default()).unwrap().validated().unwrap().text
    }

    #[test]
    fn list_items_and_headings_have_their_numbers() {
        let level = |level: usize, form: &str, more: &str| {
            format!("<text:list-level-style-number text:level='{level}' style:num-format='{form}' {more}/>")
        };
        let styles = format!(
            "<text:list-style style:name='L'>{}{}</text:list-style><text:list-style style:name='B'><text:list-level-style-bullet text:level='1'/></text:list-style>\
             <text:outline-style>{}{}</text:outline-style>",
            level(1, "1", "style:num-suffix='.'"),
            level(2, "a", "style:num-prefix='(' style:num-suffix=')'"),
            level(1, "I", "style:num-prefix='Part '")
                .replace("list-level-style-number", "outline-level-style"),
            level(2, "1", "loext:num-list-format='§ %1%-%2%'")
                .replace("list-level-style-number", "outline-level-style"),
        );
        let item = |text: &str, inner: &str| {
            format!("<text:list-item><text:p>{text}</text:p>{inner}</text:list-item>")
        };
        let list = |more: &str, items: &str| format!("<text:list {more}>{items}</text:list>");
        let nested = list("", &(item("deep", "") + &item("deeper", "")));
        let body = [
            "<office:text><text:h text:outline-level='1'>First</text:h><text:h text:outline-level='2'>Sub</text:h>".to_owned(),
            list("xml:id='x' text:style-name='L'", &(item("one", &nested) + &item("two", "") + "<text:list-header><text:p>none</text:p></text:list-header>")),
            "<text:p>Between</text:p>".to_owned(),
            list("text:continue-list='x' text:style-name='L'", &item("three", "<text:p>more</text:p>")),
            list("text:style-name='L'", &("<text:list-item text:start-value='9'><text:p>nine</text:p></text:list-item>".to_owned() + &item("ten", ""))),
            list("text:style-name='B'", &item("dot", "")),
            "</office:text>".to_owned(),
        ];
        assert_eq!(
            text(Kind::Odt, TEXT, &styles, &body.concat(), &[]).replace("\n\n", "|"),
            "Part I First|§ I-1 Sub|1. one|(a) deep|(b) deeper|2. two|none|Between|3. three|more|9. nine|10. ten|• dot"
        );
    }

    #[test]
    fn comments_margins_and_looks_of_a_text() {
        let styles = "<style:style style:name='S' style:family='text'><style:text-properties style:text-line-through-style='solid'/></style:style>\
            <style:style style:name='S2' style:family='text' style:parent-style-name='S'/>\
            <style:style style:name='U' style:family='text'><style:text-properties style:text-position='super 58%'/></style:style>\
            <style:style style:name='V' style:family='text'><style:text-properties text:display='none'/></style:style>";
        let note = |name: &str, by: &str, says: &str| {
            format!(
                "<office:annotation {name}><dc:creator>{by}</dc:creator><dc:date>2024</dc:date><text:p>{says}</text:p></office:annotation>"
            )
        };
        let body = format!(
            "<office:text><text:p>The {}{}rent<office:annotation-end office:name='k'/> is <text:span text:style-name='S2'>5</text:span> m<text:span text:style-name='U'>2</text:span>.\
             <text:span text:style-name='V'>Unseen.</text:span>{}</text:p><text:section text:display='none'><text:p>Gone</text:p></text:section></office:text>",
            note("office:name='k'", "Ada", "Low."),
            note("", "Bo", "Why?"),
            note("office:name='lone'", "", "Point."),
        );
        let pages = "<office:document-styles><office:styles><text:p>no</text:p></office:styles><office:master-styles><style:master-page>\
            <style:header><text:p>Ref 7</text:p></style:header><style:header-left style:display='false'><text:p>Even</text:p></style:header-left>\
            <style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page>\
            <style:master-page><style:header><text:p>Ref 7</text:p></style:header><style:footer><text:p>Account</text:p></style:footer></style:master-page>\
            </office:master-styles></office:document-styles>";
        assert_eq!(
            text(Kind::Odt, TEXT, styles, &body, &[("styles.xml", pages)]).replace("\n\n", "|"),
            "Ref 7|The rent is ~~5~~ m².|Comment by Bo: Why?|Comment by Ada on “rent”: Low.|Comment: Point.|Account"
        );
    }

    #[test]
    fn sheets_show_labels_values_and_what_is_hidden() {
        let cell = |more: &str, text: &str| {
            format!("<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>")
        };
        let styles = "<style:style style:name='H' style:family='table'><style:table-properties table:display='false'/></style:style>";
        let body = format!(
            "<office:spreadsheet><table:table table:name='Rents'><table:table-column/><table:table-column table:visibility='collapse'/>\
             <table:table-row>{}{}</table:table-row><table:table-row>{}{}</table:table-row>\
             <table:table-row table:visibility='collapse'><table:covered-table-cell/><table:table-cell office:value='455'/></table:table-row></table:table>\
             <table:table table:name='Reserve' table:style-name='H'><table:table-row>{}</table:table-row></table:table></office:spreadsheet>",
            cell("", "Hall"),
            cell("", "Rent"),
            cell("table:number-rows-spanned='2'", "North"),
            cell("office:value='410'", "410.00 €"),
            cell("", "Secret"),
        );
        let pages = "<office:document-styles><office:master-styles><style:master-page><style:header><style:region-left><text:p>Draft</text:p>\
            </style:region-left><style:region-right><text:p><text:sheet-name>???</text:sheet-name> (<text:title>???</text:title>)</text:p></style:region-right></style:header>\
            <style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page></office:master-styles></office:document-styles>";
        assert_eq!(
            text(Kind::Ods, SHEETS, styles, &body, &[("styles.xml", pages)]),
            "Rents\n\nHall\tRent (hidden)\nNorth\t410.00 €\nNorth\t455\t(hidden)\n\nReserve (hidden)\n\nSecret\n\nDraft"
        );
    }

    #[test]
    fn slides_show_charts_and_that_they_are_hidden() {
        let styles = "<style:style style:name='D' style:family='drawing-page'><style:drawing-page-properties presentation:visibility='hidden'/></style:style>";
        let body = "<office:presentation><presentation:footer-decl presentation:name='f'>Draft</presentation:footer-decl>\
            <draw:page draw:name='p1' draw:style-name='D' presentation:use-footer-name='f'><draw:frame><draw:object xlink:href='./Object 1'/></draw:frame></draw:page><draw:page presentation:use-footer-name='f'/></office:presentation>";
        let chart = "<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Skis</text:p></chart:title><table:table>\
            <table:table-row><table:table-cell><text:p>Tyrol</text:p></table:table-cell><table:table-cell office:value='4120'><text:p>4120</text:p></table:table-cell>\
            </table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>";
        assert_eq!(
            text(Kind::Odp, SLIDES, styles, body, &[("Object 1/content.xml", chart)]),
            "p1 (hidden)\n\nSkis\n\nTyrol\t4120\n\nDraft"
        );
    }

    #[test]
    fn an_encrypted_document_asks_for_its_password() {
        let manifest = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
        let bytes =
            zipped(&[("mimetype", TEXT), ("META-INF/manifest.xml", manifest), ("content.xml", "\u{1}\u{2}")]);
        assert_eq!(extract_text(&bytes, &Limits::default()).unwrap_err().code, FailureCode::Encrypted);
    }
}
