//! Small documents, zipped here, through the whole extractor.

use std::io::{Cursor, Write};

use oriel_core::FailureCode;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

pub(in crate::extract) fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn document(body: &str) -> String {
    format!(
        "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>{body}</w:body></w:document>"
    )
}

fn text(body: &str) -> String {
    extract(&zipped(&[("word/document.xml", &document(body))]), &Limits::default()).unwrap().text
}

#[test]
fn paragraphs_breaks_and_entities() {
    let body = "<w:p><w:r><w:t>One &amp; two</w:t><w:br/><w:t xml:space='preserve'>three </w:t></w:r>\
        <w:hyperlink><w:r><w:t>linked&#x2014;here</w:t></w:r></w:hyperlink></w:p>\
        <w:p/><w:p><w:r><w:t>Left</w:t><w:tab/><w:t>right</w:t></w:r></w:p>";
    assert_eq!(text(body), "One & two\nthree linked—here\n\nLeft\tright");
}

#[test]
fn a_table_is_a_line_a_row() {
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let body = format!(
        "<w:p><w:r><w:t>Before</w:t></w:r></w:p><w:tbl><w:tr>{}{}</w:tr><w:tr>{}<w:tc><w:p><w:r><w:t>2</w:t></w:r></w:p>\
         <w:p><w:r><w:t>3</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:r><w:t>After</w:t></w:r></w:p>",
        cell("a"),
        cell("1"),
        cell("b"),
    );
    assert_eq!(text(&body), "Before\n\na\t1\nb\t2 3\n\nAfter");
}

#[test]
fn only_what_is_valid_now_is_text() {
    let body = "<w:p><w:ins><w:r><w:t>kept</w:t></w:r></w:ins><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>\
        <w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:instrText>PAGE</w:instrText></w:r>\
        <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t> shown</w:t></w:r></w:p>";
    assert_eq!(text(body), "kept shown");
}

#[test]
fn a_text_box_comes_once_and_after_its_paragraph() {
    let content = "<w:txbxContent><w:p><w:r><w:t>in the box</w:t></w:r></w:p></w:txbxContent>";
    let body = format!(
        "<w:p><w:r><w:t>around </w:t><mc:AlternateContent><mc:Choice>{content}</mc:Choice><mc:Fallback>{content}</mc:Fallback>\
         </mc:AlternateContent><w:t>the box</w:t></w:r></w:p>"
    );
    assert_eq!(text(&body), "around the box\n\nin the box");
}

#[test]
fn a_picture_says_what_it_shows() {
    let body = "<w:p><w:r><w:t>The dam</w:t><w:drawing><wp:docPr descr='a wall'/></w:drawing></w:r><w:r><w:t>holds.</w:t></w:r></w:p>";
    assert_eq!(text(body), "The dam a wall holds.");
}

#[test]
fn a_drop_cap_joins_its_word() {
    let body = "<w:p><w:pPr><w:framePr w:dropCap='drop'/></w:pPr><w:r><w:t>O</w:t></w:r></w:p>\
        <w:p><w:r><w:t>nce upon a time.</w:t></w:r></w:p><w:p><w:r><w:t>Then.</w:t></w:r></w:p>";
    assert_eq!(text(body), "Once upon a time.\n\nThen.");
}

#[test]
fn notes_follow_the_body_wherever_the_main_part_is() {
    let relations = |kind: &str, target: &str| {
        format!(
            "<Relationships><Relationship Id='r1' Type='http://x/relationships/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let note =
        "<w:footnotes><w:footnote><w:p><w:r><w:t>The note.</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let bytes = zipped(&[
        ("_rels/.rels", &relations("officeDocument", "odd/main.xml")),
        ("odd/_rels/main.xml.rels", &relations("footnotes", "notes.xml")),
        ("odd/main.xml", &document("<w:p><w:r><w:t>The body.</w:t></w:r></w:p>")),
        ("odd/notes.xml", note),
    ]);
    assert_eq!(extract(&bytes, &Limits::default()).unwrap().text, "The body.\n\nThe note.");
}

#[test]
fn entities_of_the_document_stay_closed() {
    let xml = format!(
        "<!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>{}",
        document("<w:p><w:r><w:t>a&x;b</w:t></w:r></w:p>")
    );
    assert_eq!(extract(&zipped(&[("word/document.xml", &xml)]), &Limits::default()).unwrap().text, "a&x;b");
}

#[test]
fn damage_is_a_failure() {
    let code = |bytes: &[u8]| extract(bytes, &Limits::default()).unwrap_err().code;
    let whole = zipped(&[("word/document.xml", &document("<w:p><w:r><w:t>Text</w:t></w:r></w:p>"))]);
    assert_eq!(code(&whole[..whole.len() / 2]), FailureCode::Broken);
    assert_eq!(code(&zipped(&[("word/other.xml", "<a/>")])), FailureCode::Broken);
    assert_eq!(code(&zipped(&[("word/document.xml", "<w:document><w:body>")])), FailureCode::Broken);
    assert_eq!(code(&zipped(&[("word/document.xml", "")])), FailureCode::Broken);
}

#[test]
fn a_part_that_unpacks_beyond_the_limit_is_refused() {
    let body = format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", "a".repeat(1 << 20));
    let bytes = zipped(&[("word/document.xml", &document(&body))]);
    assert!(bytes.len() < 1 << 16, "the archive itself is small");
    let limits = Limits { unpacked_bytes: 1 << 19, ..Limits::default() };
    assert_eq!(extract(&bytes, &limits).unwrap_err().code, FailureCode::TooLarge);
}

#[test]
fn styles_make_headings_and_the_first_row_names_the_columns() {
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let body = format!(
        "<w:p><w:pPr><w:pStyle w:val='Mine'/></w:pPr><w:r><w:t>Costs</w:t></w:r></w:p>\
         <w:p><w:pPr><w:outlineLvl w:val='2'/><w:pPrChange><w:pPr><w:pStyle w:val='berschrift1'/></w:pPr></w:pPrChange></w:pPr>\
         <w:r><w:t>Deep</w:t></w:r></w:p>\
         <w:tbl><w:tblPr><w:tblLook w:val='04A0'/></w:tblPr><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell("Item"),
        cell("Price"),
        cell("Paint"),
        cell("none"),
    );
    let styles = "<w:styles><w:style w:styleId='berschrift1'><w:name w:val='heading 1'/></w:style>\
        <w:style w:styleId='Mine'><w:name w:val='Mine'/><w:basedOn w:val='berschrift1'/></w:style></w:styles>";
    let relations =
        "<Relationships><Relationship Id='r1' Type='x/styles' Target='styles.xml'/></Relationships>";
    let bytes = zipped(&[
        ("word/document.xml", &document(&body)),
        ("word/_rels/document.xml.rels", relations),
        ("word/styles.xml", styles),
    ]);
    let made = extract(&bytes, &Limits::default()).unwrap().validated().unwrap();
    let headings: Vec<_> =
        made.outline.headings.iter().map(|one| (one.level, one.span.of(&made.text).unwrap())).collect();
    assert_eq!(headings, [(1, "Costs"), (3, "Deep")]);
    assert_eq!(made.outline.tables[0].span.of(&made.text), Some("Item\tPrice"));
}
