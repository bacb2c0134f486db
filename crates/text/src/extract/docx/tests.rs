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

fn relations(parts: &[(&str, &str)]) -> String {
    let one = |(at, (kind, target)): (usize, &(&str, &str))| {
        format!("<Relationship Id='r{at}' Type='http://x/{kind}' Target='{target}'/>")
    };
    format!("<Relationships>{}</Relationships>", parts.iter().enumerate().map(one).collect::<String>())
}

/// The text of a document with further parts; `parts` has the kind of each relation and its content.
fn with_parts(body: &str, parts: &[(&str, &str)]) -> String {
    let names: Vec<String> = (0..parts.len()).map(|at| format!("part{at}.xml")).collect();
    let related: Vec<(&str, &str)> =
        parts.iter().zip(&names).map(|((kind, _), name)| (*kind, name.as_str())).collect();
    let (document, relations) = (document(body), relations(&related));
    let paths: Vec<String> = names.iter().map(|name| format!("word/{name}")).collect();
    let mut files =
        vec![("word/document.xml", document.as_str()), ("word/_rels/document.xml.rels", relations.as_str())];
    files.extend(paths.iter().zip(parts).map(|(path, (_, content))| (path.as_str(), *content)));
    extract(&zipped(&files), &Limits::default()).unwrap().validated().unwrap().text
}

fn paragraph(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn paragraphs_have_the_numbers_of_their_lists_and_styles() {
    let numbering = "<w:numbering><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/>\
        <w:pStyle w:val='Clause'/><w:lvlText w:val='%1.'/></w:lvl><w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='decimal'/>\
        <w:lvlText w:val='%1.%2'/></w:lvl></w:abstractNum><w:num w:numId='4'><w:abstractNumId w:val='0'/></w:num></w:numbering>";
    let styles = "<w:styles><w:style w:styleId='Clause'><w:name w:val='heading 1'/><w:pPr><w:numPr><w:numId w:val='4'/></w:numPr></w:pPr></w:style>\
        <w:style w:styleId='Mine'><w:basedOn w:val='Clause'/></w:style></w:styles>";
    let sub = "<w:numPr><w:ilvl w:val='1'/><w:numId w:val='4'/></w:numPr>";
    let body = [
        paragraph("<w:pStyle w:val='Clause'/>", "Fee"),
        paragraph(sub, "The fee is due."),
        // Its paragraph is deleted and not counted.
        format!(
            "<w:p><w:pPr>{sub}<w:rPr><w:del/></w:rPr></w:pPr><w:del><w:r><w:delText>No.</w:delText></w:r></w:del></w:p>"
        ),
        paragraph(sub, "It is high."),
        paragraph("<w:pStyle w:val='Mine'/>", "Term"),
        paragraph("<w:pStyle w:val='Mine'/><w:numPr><w:numId w:val='0'/></w:numPr>", "Annex"),
    ];
    assert_eq!(
        with_parts(&body.concat(), &[("numbering", numbering), ("styles", styles)]),
        "1. Fee\n\n1.1 The fee is due.\n\n1.2 It is high.\n\n2. Term\n\nAnnex"
    );
}

#[test]
fn headers_and_footers_come_once_without_page_numbers() {
    let header = |text: &str| format!("<w:hdr>{}</w:hdr>", paragraph("", text));
    let footer = "<w:ftr><w:p><w:r><w:t>Account 77</w:t><w:tab/><w:t>Page </w:t></w:r><w:fldSimple w:instr=' PAGE '><w:r><w:t>1</w:t></w:r></w:fldSimple>\
        <w:r><w:t> of </w:t><w:fldChar w:fldCharType='begin'/><w:instrText>NUMPAGES</w:instrText><w:fldChar w:fldCharType='separate'/></w:r>\
        <w:r><w:t>3</w:t><w:fldChar w:fldCharType='end'/></w:r></w:p></w:ftr>";
    let section = |first: &str| {
        format!(
            "<w:sectPr><w:headerReference w:type='default' r:id='r0'/><w:headerReference w:type='first' r:id='r1'/>\
             <w:headerReference w:type='even' r:id='r2'/><w:footerReference r:id='r3'/>{first}</w:sectPr>"
        )
    };
    let body = paragraph(&section(""), "One.") + &paragraph("", "Two.");
    let (usual, first, even) = (header("Ref 7"), header("Letterhead"), header("Even"));
    let parts = [("header", &*usual), ("header", &*first), ("header", &*even), ("footer", footer)];
    assert_eq!(with_parts(&body, &parts), "Ref 7\n\nOne.\n\nTwo.\n\nAccount 77");
    let body = body + &section("<w:titlePg/>");
    assert_eq!(with_parts(&body, &parts), "Ref 7\n\nLetterhead\n\nOne.\n\nTwo.\n\nAccount 77");
}

#[test]
fn a_comment_names_its_author_and_its_words() {
    let comments = "<w:comments><w:comment w:id='0' w:author='Ada'><w:p><w:r><w:t>Too low.</w:t></w:r></w:p></w:comment>\
        <w:comment w:id='1'><w:p><w:r><w:t>Lost.</w:t></w:r></w:p></w:comment></w:comments>";
    let body = "<w:p><w:r><w:t>The rent is </w:t></w:r><w:commentRangeStart w:id='0'/><w:r><w:t>500 euros</w:t></w:r>\
        <w:commentRangeEnd w:id='0'/><w:r><w:commentReference w:id='0'/><w:t>.</w:t></w:r></w:p><w:p><w:r><w:t>End.</w:t></w:r></w:p>";
    assert_eq!(
        with_parts(body, &[("comments", comments)]),
        "The rent is 500 euros.\n\nComment by Ada on “500 euros”: Too low.\n\nEnd.\n\nComment: Lost."
    );
}

#[test]
fn characters_are_read_as_they_look() {
    let run = |look: &str, text: &str| {
        format!("<w:r><w:rPr>{look}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>")
    };
    let body = [
        "<w:p>".to_owned(),
        run("", "10"),
        run("<w:vertAlign w:val='superscript'/>", "3"),
        run("", " H"),
        run("<w:vertAlign w:val='subscript'/>", "2"),
        run("", "O, 1"),
        run("<w:vertAlign w:val='superscript'/>", "st"),
        run("<w:strike/>", " old"),
        run("<w:dstrike/>", " price "),
        run("<w:rStyle w:val='Ghost'/>", "unseen"),
        run("<w:rStyle w:val='Ghost'/><w:vanish w:val='0'/>", "new"),
        "</w:p>".to_owned(),
    ];
    let styles = "<w:styles><w:style w:styleId='Ghost'><w:rPr><w:vanish/></w:rPr></w:style></w:styles>";
    assert_eq!(with_parts(&body.concat(), &[("styles", styles)]), "10³ H₂O, 1st ~~old price~~ new");
}

#[test]
fn forms_show_their_state() {
    let legacy = |form: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType='begin'><w:ffData>{form}</w:ffData></w:fldChar><w:instrText>FORM</w:instrText><w:fldChar w:fldCharType='end'/></w:r>"
        )
    };
    let body = format!(
        "<w:p><w:r><w:t xml:space='preserve'>Paid </w:t></w:r>{}{}<w:r><w:t xml:space='preserve'> by </w:t></w:r>{}</w:p>\
         <w:p><w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val='1'/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☒</w:t></w:r></w:sdtContent></w:sdt>\
         <w:r><w:t xml:space='preserve'> Agreed</w:t></w:r></w:p>",
        legacy("<w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox>"),
        legacy("<w:checkBox><w:default w:val='0'/></w:checkBox>"),
        legacy(
            "<w:ddList><w:result w:val='1'/><w:listEntry w:val='cash'/><w:listEntry w:val='card'/></w:ddList>"
        ),
    );
    assert_eq!(text(&body), "Paid ☑☐ by card\n\n☑ Agreed");
}

#[test]
fn a_merged_label_stands_in_each_of_its_rows() {
    let cell = |properties: &str, text: &str| {
        format!("<w:tc><w:tcPr>{properties}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>")
    };
    let body = format!(
        "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell("<w:gridSpan w:val='2'/>", "Hall"),
        cell("", "Rent"),
        cell("<w:gridSpan w:val='2'/><w:vMerge w:val='restart'/>", "North"),
        cell("", "1"),
        cell("<w:gridSpan w:val='2'/><w:vMerge/>", ""),
        cell("", "2"),
        cell("<w:gridSpan w:val='2'/>", "South"),
        cell("", "3"),
    );
    assert_eq!(text(&body), "Hall\tRent\nNorth\t1\nNorth\t2\nSouth\t3");
}

#[test]
fn a_chart_stands_where_it_is_drawn() {
    let chart = "<c:chartSpace><c:title><c:tx><a:t>Skis</a:t></c:tx></c:title><c:ser><c:cat><c:strLit><c:pt idx='0'><c:v>Tyrol</c:v></c:pt></c:strLit></c:cat>\
        <c:val><c:numLit><c:pt idx='0'><c:v>4120</c:v></c:pt></c:numLit></c:val></c:ser></c:chartSpace>";
    let body = "<w:p><w:r><w:t>Above</w:t><w:drawing><c:chart r:id='r0'/></w:drawing></w:r></w:p><w:p><w:r><w:t>Below</w:t></w:r></w:p>";
    assert_eq!(with_parts(body, &[("chart", chart)]), "Above\n\nSkis\n\nTyrol\t4120\n\nBelow");
}

#[test]
fn bold_words_and_lines_are_headings_and_contents_have_no_sentences() {
    let run = |bold: bool, text: &str| {
        let look = if bold { "<w:rPr><w:b/></w:rPr>" } else { "<w:rPr><w:b w:val='0'/></w:rPr>" };
        format!("<w:r>{look}<w:t xml:space='preserve'>{text}</w:t></w:r>")
    };
    let paragraph = |runs: &str| format!("<w:p>{runs}</w:p>");
    let heading = |text: &str| {
        format!("<w:p><w:pPr><w:outlineLvl w:val='0'/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let entry = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t><w:tab/><w:t>3</w:t></w:r></w:p>");
    let titles = ["Rent", "Keys", "Fees", "The end"];
    let body = titles.map(entry).concat()
        + &heading("Rent")
        + &paragraph(&(run(true, "Scope.") + &run(false, " It is for all. It binds.")))
        + &paragraph(&run(true, "Who pays?"))
        + &paragraph(&run(false, "The tenant does."))
        + &titles[1..]
            .iter()
            .map(|title| heading(title) + &paragraph(&run(false, "So it is.")))
            .collect::<String>();
    let bytes = zipped(&[("word/document.xml", &document(&body))]);
    let read = crate::read(Kind::Docx, &bytes, &Limits::default()).unwrap().validated().unwrap();
    let above = |words: &str| {
        let at = u32::try_from(read.text.find(words).unwrap()).unwrap();
        let path = read.outline.walk().path(at).to_vec();
        path.iter().map(|one| one.span.of(&read.text).unwrap().to_owned()).collect::<Vec<_>>().join(" > ")
    };
    assert_eq!((above("It binds"), above("The tenant")), ("Rent > Scope".into(), "Rent > Who pays?".into()));
    let first = read.sentences[0].span.of(&read.text);
    assert!(first == Some("Rent") && read.text.starts_with("Rent\t3"), "{first:?}");
}
