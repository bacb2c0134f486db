//! Damaged files of every format: a failure or a sound text, never a panic.

use proptest::prelude::*;
use proptest::sample::Index;

use super::docx::tests::zipped;
use super::*;

/// Small files of formats without an archive around them.
const PLAIN: &[(Kind, &str)] = &[
    (
        Kind::Html,
        "<html><h1>A</h1><p>b<ul><li>c</ul><table><tr><th>d<th>e<tr><td>1<td><table><tr><td>x</table></table><pre>y\n z",
    ),
    (
        Kind::Rtf,
        "{\\rtf1\\ansi{\\fonttbl{\\f1\\fcharset128 M;}}{\\stylesheet{\\s1 heading 1;}}\\s1 A\\par\\trowd\\intbl b\\cell\\row\\pard \
        {\\footnote c}\\u8364?\\uc2\\u-1 ??\\f1\\'82\\'a0{\\pict\\bin5 ab}\\par}",
    ),
    (
        Kind::Fb2,
        "<FictionBook><body><title><p>A</p></title><section><title><p>B</p></title><p>c <a>d</a></p><table><tr><th>e</th>\
        <td>f</td></tr></table></section></body><binary>x</binary></FictionBook>",
    ),
    (
        Kind::Odt,
        "<office:document office:mimetype='application/vnd.oasis.opendocument.text'><office:body><text:h text:outline-level='2'>A</text:h>\
        <text:p>b<text:s text:c='3'/><text:note><text:note-body><text:p>n</text:p></text:note-body></text:note></text:p><table:table>\
        <table:table-row><table:table-cell table:number-columns-repeated='3'><text:p>1</text:p></table:table-cell></table:table-row>\
        </table:table></office:body></office:document>",
    ),
    (
        Kind::Docx,
        "<w:wordDocument><w:p><w:pPr><w:outlineLvl w:val='1'/></w:pPr><w:r><w:t>A</w:t><w:tab/></w:r></w:p><w:tbl><w:tr><w:tc>\
        <w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:txbxContent><w:p/></w:txbxContent></w:wordDocument>",
    ),
    (
        Kind::Eml,
        "From: A <a@b.c>\nTo: d@e.f\nDate: Fri, 1 Mar 2024 11:00:00 +0100\nSubject: =?utf-8?q?=C3=A4?=\nContent-Type: multipart/mixed; boundary=x\n\n\
        --x\nContent-Type: text/html\n\n<p>b\n--x\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment\n\
        Content-Transfer-Encoding: base64\n\nYQ==\n--x\nContent-Type: message/rfc822\n\nSubject: c\n\nd\n--x--\n",
    ),
    (Kind::Mbox, "From a\nFrom: b\nSubject: c\n\n>From d\n\nFrom e\nSubject: f\n\ng\n"),
    (
        Kind::Mhtml,
        "From: a\nSubject: b\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n<h1>c\n--x--\n",
    ),
    (Kind::Csv, "a;b\n\"c\nd\";1\n;;\n"),
    (
        Kind::Srt,
        "1\n00:00:01,000 --> 00:00:02,000\n<i>a</i> {\\an8}b\n\n2\n00:01:01,000 --> 00:01:02,000\n- c\n",
    ),
    (Kind::Vtt, "WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>b\n"),
    (
        Kind::Notebook,
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"# A\\n\",\"|a|b|\\n|-|-|\\n|1|2|\"]},{\"cell_type\":\"code\",\"source\":\"x\",\
        \"outputs\":[{\"data\":{\"text/plain\":[\"1\"]}}]}]}",
    ),
    (Kind::Markdown, "# A\n\nB\n=\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nc\n```\n"),
    (Kind::Rst, "===\nA\n===\n\nB\n-\n\nC\n~~~\n"),
    (Kind::AsciiDoc, "= A\n\n== B\n"),
    (Kind::Org, "* A\n** B\n"),
    (Kind::Latex, "\\section{A {b} c}\n\\subsection[x]{D}\n"),
];

/// Small files in archives, as their parts.
const PACKED: &[(Kind, &[(&str, &str)])] = &[
    (
        Kind::Docx,
        &[
            (
                "word/document.xml",
                "<w:document><w:body><w:p><w:pPr><w:pStyle w:val='a'/></w:pPr><w:r><w:t>A</w:t></w:r></w:p></w:body></w:document>",
            ),
            (
                "word/_rels/document.xml.rels",
                "<Relationships><Relationship Id='r' Type='x/styles' Target='styles.xml'/></Relationships>",
            ),
            (
                "word/styles.xml",
                "<w:styles><w:style w:styleId='a'><w:name w:val='heading 1'/><w:basedOn w:val='a'/></w:style></w:styles>",
            ),
        ],
    ),
    (
        Kind::Pptx,
        &[
            ("ppt/presentation.xml", "<p:presentation><p:sldId id='1' r:id='r'/></p:presentation>"),
            (
                "ppt/_rels/presentation.xml.rels",
                "<Relationships><Relationship Id='r' Type='x/slide' Target='s.xml'/></Relationships>",
            ),
            (
                "ppt/s.xml",
                "<p:sld><p:sp><p:ph type='title'/><p:txBody><a:p><a:r><a:t>A</a:t></a:r><a:br/></a:p></p:txBody></p:sp></p:sld>",
            ),
        ],
    ),
    (
        Kind::Xlsx,
        &[
            (
                "_rels/.rels",
                "<Relationships><Relationship Id='r1' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument' Target='xl/workbook.xml'/></Relationships>",
            ),
            (
                "xl/workbook.xml",
                "<workbook xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'><sheets><sheet name='A' sheetId='1' r:id='r1'/></sheets></workbook>",
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id='r1' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet' Target='worksheets/sheet1.xml'/></Relationships>",
            ),
            (
                "xl/worksheets/sheet1.xml",
                "<worksheet><dimension ref='A1:B2'/><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>a</t></is></c><c r='B1'><v>1</v></c></row><row r='2'><c r='A2' t='b'><v>1</v></c></row></sheetData></worksheet>",
            ),
        ],
    ),
    (
        Kind::Epub,
        &[
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", "<container><rootfile full-path='o/b.opf'/></container>"),
            (
                "o/b.opf",
                "<package><dc:title>A</dc:title><item id='a' href='c%20.html'/><itemref idref='a'/></package>",
            ),
            ("o/c .html", "<html><title/><h1>A</h1><p>b"),
        ],
    ),
    (Kind::Zip, &[("a.txt", "a"), ("b/c.md", "d")]),
];

/// Changes, removes or doubles bytes.
fn damage(bytes: &mut Vec<u8>, edits: &[(Index, u8, u8)]) {
    for (at, how, value) in edits {
        if bytes.is_empty() {
            return;
        }
        let at = at.index(bytes.len());
        match how % 5 {
            0 => bytes[at] = *value,
            1 => bytes[at] ^= 1 << (value % 8),
            2 => drop(bytes.remove(at)),
            3 => bytes.truncate(at),
            _ => {
                let piece = bytes[at..(at + usize::from(*value)).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
}

fn edits() -> impl Strategy<Value = Vec<(Index, u8, u8)>> {
    prop::collection::vec(any::<(Index, u8, u8)>(), 1..8)
}

/// Reads a file; what comes out must be sound.
fn check(kind: Kind, bytes: &[u8]) -> Result<(), TestCaseError> {
    let limits = Limits { text_bytes: 1 << 20, unpacked_bytes: 1 << 22, member_bytes: 1 << 22 };
    if let Ok(made) = extract(kind, bytes, &limits) {
        let sound = made.validated();
        prop_assert!(sound.is_ok(), "{:?}", sound.err());
    }
    Ok(())
}

#[test]
fn the_samples_are_read() {
    let limits = Limits::default();
    for (kind, text) in PLAIN {
        assert_eq!(extract(*kind, text.as_bytes(), &limits).map(|made| made.kind), Ok(*kind));
    }
    for (kind, parts) in PACKED {
        assert_eq!(extract(*kind, &zipped(parts), &limits).map(|made| made.kind), Ok(*kind));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_files_do_no_harm(edits in edits()) {
        for (kind, text) in PLAIN {
            let mut bytes = text.as_bytes().to_vec();
            damage(&mut bytes, &edits);
            check(*kind, &bytes)?;
        }
    }

    #[test]
    fn damaged_parts_do_no_harm(edits in edits(), part in any::<Index>()) {
        for (kind, parts) in PACKED {
            let mut parts: Vec<(String, String)> =
                parts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
            let index = part.index(parts.len());
            let mut bytes = parts[index].1.clone().into_bytes();
            damage(&mut bytes, &edits);
            parts[index].1 = String::from_utf8_lossy(&bytes).into_owned();
            let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            check(*kind, &zipped(&parts))?;
        }
    }

    #[test]
    fn damaged_archives_do_no_harm(edits in edits()) {
        for (kind, parts) in PACKED {
            let mut bytes = zipped(parts);
            damage(&mut bytes, &edits);
            check(*kind, &bytes)?;
        }
    }

    #[test]
    fn damaged_mails_of_outlook_do_no_harm(edits in edits()) {
        let mut bytes = msg::tests::sample();
        damage(&mut bytes, &edits);
        check(Kind::Msg, &bytes)?;
        check(Kind::Doc, &bytes)?;
    }

    #[test]
    fn garbage_does_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for kind in Kind::ALL {
            check(*kind, &bytes)?;
        }
        let compound = [&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1][..], &bytes].concat();
        for kind in [Kind::Doc, Kind::Ppt, Kind::Xls, Kind::Msg] {
            check(kind, &compound)?;
        }
    }
}
