//! Small PDFs that the tests build, read by the whole extractor.

use lopdf::content::{Content, Operation};
use lopdf::encryption::{EncryptionState, EncryptionVersion, Permissions};
use lopdf::{Document, Object, ObjectId, Stream, dictionary};

use oriel_core::ByteSpan;

use super::*;
use crate::MarkRequest;

/// Text at a position: x and baseline from the lower left, in points; Helvetica of 10 points.
pub(in crate::extract) type Placed<'a> = (i64, i64, &'a str);

pub(in crate::extract) fn document(pages: &[Vec<Placed<'_>>]) -> Document {
    document_in(pages, dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" })
}

pub(super) fn document_in(pages: &[Vec<Placed<'_>>], font: lopdf::Dictionary) -> Document {
    let contents = pages.iter().map(|placed| {
        let operations = placed.iter().flat_map(|&(x, y, text)| {
            [
                Operation::new("BT", vec![]),
                Operation::new("Tf", vec!["F1".into(), 10.into()]),
                Operation::new("Td", vec![x.into(), y.into()]),
                Operation::new("Tj", vec![Object::string_literal(text)]),
                Operation::new("ET", vec![]),
            ]
        });
        Content { operations: operations.collect::<Vec<_>>() }.encode().unwrap()
    });
    of_contents(contents, font)
}

pub(super) fn of_contents(contents: impl Iterator<Item = Vec<u8>>, font: lopdf::Dictionary) -> Document {
    let mut document = Document::with_version("1.5");
    let pages_id = document.new_object_id();
    let font = document.add_object(font);
    let kids: Vec<ObjectId> = contents
        .map(|content| {
            let content = document.add_object(Stream::new(dictionary! {}, content));
            document.add_object(dictionary! {
                "Type" => "Page",
                "Parent" => pages_id,
                "Contents" => content,
                "Resources" => dictionary! { "Font" => dictionary! { "F1" => font } },
                "MediaBox" => vec![0.into(), 0.into(), 600.into(), 800.into()],
            })
        })
        .collect();
    let count = kids.len() as i64;
    let kids: Vec<Object> = kids.into_iter().map(Object::Reference).collect();
    let pages = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    document.objects.insert(pages_id, Object::Dictionary(pages));
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages_id });
    document.trailer.set("Root", catalog);
    let id = Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", vec![id.clone(), id]);
    document
}

pub(in crate::extract) fn saved(mut document: Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

fn read(pages: &[Vec<Placed<'_>>]) -> Extracted {
    extract(&saved(document(pages)), &Limits::default()).unwrap()
}

fn text(page: Vec<Placed<'_>>) -> String {
    read(&[page]).text
}

fn failure(bytes: &[u8]) -> FailureCode {
    extract(bytes, &Limits::default()).unwrap_err().code
}

#[test]
fn lines_make_paragraphs() {
    let page = vec![
        (50, 700, "The first paragraph goes on"),
        (50, 688, "over two lines."),
        (50, 660, "The second has one."),
    ];
    assert_eq!(text(page), "The first paragraph goes on\nover two lines.\n\nThe second has one.");
}

#[test]
fn words_divided_at_line_ends_are_joined() {
    let page = vec![
        (50, 700, "A well-known exam-"),
        (50, 688, "ple of something well-"),
        (50, 676, "known to all."),
    ];
    assert_eq!(text(page), "A well-known example\nof something well-known\nto all.");
}

#[test]
fn spaces_come_from_gaps() {
    let page = vec![(50, 700, "every"), (78, 700, "word"), (104, 700, "placed")];
    assert_eq!(text(page), "every word placed");
}

#[test]
fn columns_drawn_row_by_row_are_not_interleaved() {
    let left: Vec<String> = (0..6).map(|line| format!("left column with its line number {line}")).collect();
    let right: Vec<String> = (0..6).map(|line| format!("right column with its line number {line}")).collect();
    let mut page: Vec<Placed<'_>> = Vec::new();
    for line in 0..6 {
        let y = 700 - 12 * line as i64;
        page.push((50, y, &left[line]));
        page.push((310, y, &right[line]));
    }
    assert_eq!(text(page), format!("{}\n\n{}", left.join("\n"), right.join("\n")));
}

#[test]
fn a_table_keeps_its_rows_however_it_is_drawn() {
    let rows = "Item  Cost\nPaint  40\nBrushes  15";
    let by_row = vec![
        (50, 700, "Item"),
        (200, 700, "Cost"),
        (50, 688, "Paint"),
        (200, 688, "40"),
        (50, 676, "Brushes"),
        (200, 676, "15"),
    ];
    let by_column = [0, 2, 4, 1, 3, 5].iter().map(|&cell| by_row[cell]).collect();
    assert_eq!(text(by_column), rows);
    assert_eq!(text(by_row), rows);
}

#[test]
fn what_stands_above_comes_first() {
    let page = vec![(50, 600, "Body of the page."), (50, 760, "Title drawn last")];
    assert_eq!(text(page), "Title drawn last\n\nBody of the page.");
}

#[test]
fn running_headers_and_page_numbers_are_dropped() {
    let bodies = ["First body.", "Second body.", "Third body.", "Fourth body."];
    let numbers = ["1", "2", "3", "4"];
    let pages: Vec<Vec<Placed<'_>>> = (0..4)
        .map(|page| vec![(50, 780, "Annual report 2023"), (50, 600, bodies[page]), (300, 20, numbers[page])])
        .collect();
    let raw = read(&pages);
    assert_eq!(raw.text, "First body.\n\nSecond body.\n\nThird body.\n\nFourth body.");
    assert_eq!(raw.pages.0, [0, 13, 27, 40]);
}

#[test]
fn a_sentence_runs_on_over_the_page_border() {
    let raw = read(&[vec![(50, 60, "The sentence goes")], vec![(50, 740, "on here.")]]);
    assert_eq!(raw.text, "The sentence goes\non here.");
    assert_eq!(raw.pages.0, [0, 18]);
}

#[test]
fn an_empty_page_has_its_place_in_the_map() {
    let raw = read(&[vec![(50, 700, "One.")], vec![], vec![(50, 700, "Three.")]]);
    assert_eq!(raw.text, "One.\n\nThree.");
    assert_eq!(raw.pages.0, [0, 4, 6]);
}

#[test]
fn bold_faked_by_drawing_twice_is_read_once() {
    let page = vec![(50, 700, "Heading all"), (50, 700, "Heading all"), (50, 680, "Body.")];
    assert_eq!(text(page), "Heading all\n\nBody.");
}

#[test]
fn invisible_text_layers_are_kept() {
    let content = b"BT /F1 10 Tf 3 Tr 50 700 Td (Recognised words) Tj ET".to_vec();
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
    let bytes = saved(of_contents([content].into_iter(), font));
    assert_eq!(extract(&bytes, &Limits::default()).unwrap().text, "Recognised words");
}

#[test]
fn accents_drawn_over_letters_join_them() {
    let content = b"BT /F1 10 Tf 50 700 Td (Sch) Tj [(\xA8) 333] TJ (arli) Tj ET".to_vec();
    let font = dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding"
    };
    let bytes = saved(of_contents([content].into_iter(), font));
    assert_eq!(extract(&bytes, &Limits::default()).unwrap().text, "Schärli");
}

#[test]
fn a_file_encrypted_for_its_owner_opens_and_a_password_is_asked_for() {
    let encrypted = |user_password: &str| {
        let mut document = document(&[vec![(50, 700, "Secret words.")]]);
        let version = EncryptionVersion::V2 {
            document: &document,
            owner_password: "owner",
            user_password,
            key_length: 128,
            permissions: Permissions::all(),
        };
        let state = EncryptionState::try_from(version).unwrap();
        document.encrypt(&state).unwrap();
        saved(document)
    };
    let text = extract(&encrypted(""), &Limits::default()).unwrap().text;
    assert_eq!(text, "Secret words.");
    assert_eq!(failure(&encrypted("user")), FailureCode::Encrypted);
}

#[test]
fn glyph_names_that_spell_codes_are_read() {
    let font = || {
        dictionary! {
            "Type" => "Font",
            "Subtype" => "Type1",
            "BaseFont" => "Helvetica",
            "Encoding" => dictionary! {
                "Type" => "Encoding",
                "Differences" => vec![
                    1.into(),
                    Object::Name(b"G4F".to_vec()),
                    Object::Name(b"G6B".to_vec()),
                    Object::Name(b"G61".to_vec()),
                    Object::Name(b"G79".to_vec()),
                ],
            },
        }
    };
    let bytes = saved(document_in(&[vec![(50, 700, "\u{1}\u{2}\u{3}\u{4}")]], font()));
    assert_eq!(extract(&bytes, &Limits::default()).unwrap().text, "Okay");
}

/// A page in a font whose codes from 1 on are `letters`; all are half an em wide, marks have no width.
fn page_in_letters(letters: &str, content: &str) -> Document {
    let names = letters.chars().map(|c| Object::Name(format!("uni{:04X}", u32::from(c)).into_bytes()));
    let widths: Vec<Object> = letters
        .chars()
        .map(|c| if unicode_normalization::char::is_combining_mark(c) { 0.into() } else { 500.into() })
        .collect();
    let differences: Vec<Object> = std::iter::once(Object::Integer(1)).chain(names).collect();
    let font = dictionary! {
        "Type" => "Font",
        "Subtype" => "Type1",
        "BaseFont" => "Letters",
        "FirstChar" => 1,
        "LastChar" => widths.len() as i64,
        "Widths" => widths,
        "Encoding" => dictionary! { "Type" => "Encoding", "Differences" => differences },
    };
    let content = format!("BT /F1 10 Tf 100 700 Td {content} ET");
    of_contents([content.into_bytes()].into_iter(), font)
}

fn text_in_letters(letters: &str, content: &str) -> String {
    extract(&saved(page_in_letters(letters, content)), &Limits::default()).unwrap().text
}

#[test]
fn marks_follow_their_letter_in_either_order_of_drawing() {
    let letters = "שםול\u{5B8}";
    // From left to right with the mark before its letter, and letter by letter from the right.
    let by_place = "<02 03 04 05 01> Tj";
    let by_reading = "15 0 Td <01> Tj 0 0 Td <05> Tj -5 0 Td <04> Tj -5 0 Td <03> Tj -5 0 Td <02> Tj";
    assert_eq!(text_in_letters(letters, by_place), "ש\u{5B8}לום");
    assert_eq!(text_in_letters(letters, by_reading), "ש\u{5B8}לום");
}

#[test]
fn numbers_brackets_and_latin_words_keep_their_order_in_right_to_left_lines() {
    let letters = "אב 12.5%(34)67R";
    // On the page "12.5% (34) 67 בא", with brackets by their shape.
    let numbers = "<04 05 06 07 08 03 09 0A 0B 0C 03 0D 0E 03 02 01> Tj";
    assert_eq!(text_in_letters(letters, numbers), "אב 67 (34) 12.5%");
    // "R 67 בא" and ")בא( א", with brackets by their place in the sentence.
    assert_eq!(text_in_letters(letters, "<0F 03 0D 0E 03 02 01> Tj"), "אב R 67");
    assert_eq!(text_in_letters(letters, "<0C 02 01 09 03 01> Tj"), "א (אב)");
}

#[test]
fn strokes_that_lengthen_a_word_do_not_divide_it() {
    let stroke = "<02> Tj <FF> Tj <FF> Tj <01> Tj";
    assert_eq!(text_in_letters("با", stroke), "با");
}

#[test]
fn a_ligature_without_a_character_has_the_text_that_the_file_states() {
    let content = "<01> Tj /Span <</ActualText <FEFF00740069>>> BDC <FF> Tj EMC <02> Tj";
    assert_eq!(text_in_letters("ac", content), "atic");
}

#[test]
fn a_map_with_an_empty_entry_is_read() {
    let map = "1 begincodespacerange <00> <FF> endcodespacerange\n\
        3 beginbfchar <01> <0061> <02> <> <03> <0062> endbfchar";
    let unknown = ["unnamed1", "unnamed2", "unnamed3"].map(|name| Object::Name(name.into()));
    let mut document = page_in_letters("a\u{301}b", "<010203> Tj");
    let map = document.add_object(Stream::new(dictionary! {}, map.as_bytes().to_vec()));
    for font in document.objects.values_mut().filter_map(|object| object.as_dict_mut().ok()) {
        if font.has_type(b"Font") {
            font.set("ToUnicode", map);
            font.set(
                "Encoding",
                dictionary! { "Differences" => [vec![1.into()], unknown.to_vec()].concat() },
            );
        }
    }
    assert_eq!(extract(&saved(document), &Limits::default()).unwrap().text, "ab");
}

#[test]
fn another_script_read_as_latin_is_garbled() {
    let font = dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Kirillica", "Encoding" => "WinAnsiEncoding"
    };
    let content = b"BT /F1 10 Tf 50 700 Td (\xCC\xEE\xF1\xEA\xE2\xE0 1957) Tj ET".to_vec();
    assert_eq!(failure(&saved(of_contents([content].into_iter(), font))), FailureCode::Garbled);
}

#[test]
fn words_in_type_set_close_are_told_apart() {
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Courier" };
    let content = b"BT /F1 10 Tf -0.6 Tc 50 700 Td [(Overall) -150 (summary)] TJ ET".to_vec();
    let bytes = saved(of_contents([content].into_iter(), font));
    assert_eq!(extract(&bytes, &Limits::default()).unwrap().text, "Overall summary");
}

#[test]
fn bookmarks_are_headings() {
    let lines = vec![
        (50, 760, "I. Harbours"),
        (50, 720, "The harbours of the coast are deep."),
        (50, 680, "Tides and"),
        (50, 668, "currents"),
        (50, 640, "Tides are high in spring."),
    ];
    let mut document = document(&[lines]);
    let tides = document.add_object(dictionary! { "Title" => Object::string_literal("Tides and currents") });
    let harbours = dictionary! { "Title" => Object::string_literal("Harbours"), "First" => tides };
    let harbours = document.add_object(harbours);
    let outlines = document.add_object(dictionary! { "First" => harbours });
    document.catalog_mut().unwrap().set("Outlines", outlines);
    let read = extract(&saved(document), &Limits::default()).unwrap();
    let headings = read.outline.headings.iter();
    let headings: Vec<_> = headings.map(|one| (one.level, one.span.of(&read.text).unwrap())).collect();
    assert_eq!(headings, [(1, "I. Harbours"), (2, "Tides and\ncurrents")]);
}

#[test]
fn letters_drawn_as_outlines_need_recognition() {
    let content = "10 10 m 20 20 l 30 10 l h f ".repeat(200).into_bytes();
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
    assert_eq!(failure(&saved(of_contents([content].into_iter(), font))), FailureCode::NeedsOcr);
}

/// The content of a page that is an image.
const PICTURE: &[u8] = b"q 500 0 0 700 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \xFF EI Q\n";

#[test]
fn pictures_without_text_need_recognition() {
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
    assert_eq!(failure(&saved(of_contents([PICTURE.to_vec()].into_iter(), font))), FailureCode::NeedsOcr);
}

#[test]
fn pictures_among_pages_of_text_are_named_and_read_in_their_place() {
    let text = |words: &str| format!("BT /F1 10 Tf 50 700 Td ({words}) Tj ET").into_bytes();
    let stamped = [PICTURE, &text("Page 4")].concat();
    let drawn = [PICTURE, &text("A picture behind a whole sentence.")].concat();
    let pages = [text("The first page."), PICTURE.to_vec(), text("The third page."), stamped, drawn];
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
    let mut document = of_contents(pages.into_iter(), font);
    let info = document.add_object(dictionary! { "Title" => Object::string_literal("Lease") });
    document.trailer.set("Info", info);
    let file = saved(document);
    let read = extract(&file, &Limits::default()).unwrap();
    assert_eq!(read.pictures, [2, 4]);
    let hocr = "<div class='ocr_page' title='bbox 0 0 600 800; scan_res 72 72'><div class='ocr_carea' title=''>\
                <span class='ocr_line' title='bbox 50 90 200 110; baseline 0 -3; x_size 12'>\
                <span class='ocrx_word' title='bbox 50 90 120 110; x_wconf 95'>Signed.</span></span></div></div>";
    let recognised = [(2, hocr.to_owned()), (4, String::new())].into();
    let whole = extract_recognised(&file, &recognised, &Limits::default()).unwrap();
    assert_eq!(whole.about.title.as_deref(), Some("Lease"));
    let on_page = |page: usize| {
        let end = whole.pages.0.get(page).map_or(whole.text.len(), |end| *end as usize);
        whole.text[whole.pages.0[page - 1] as usize..end].trim()
    };
    assert_eq!([1, 2, 3, 4].map(on_page), ["The first page.", "Signed.", "The third page.", "Page 4"]);
    assert_eq!(whole.pictures, [4], "what is recognised there is less than what is written");
    let spans: Vec<_> = ["first", "Signed", "third"]
        .map(|word| whole.text.find(word).unwrap() as u32)
        .map(|start| ByteSpan::new(start, start + 5))
        .to_vec();
    let request = MarkRequest::new(&whole.text, &whole.pages, &spans);
    let marks = marks(&file, &recognised, &request).unwrap().unwrap();
    assert_eq!(marks.iter().map(|mark| (mark.span, mark.page)).collect::<Vec<_>>(), [(0, 1), (1, 2), (2, 3)]);
}

#[test]
fn a_word_may_be_divided_by_an_empty_page() {
    let text = |words: &str| format!("BT /F1 10 Tf 50 700 Td ({words}) Tj ET").into_bytes();
    let pages = [text("The coast has many har-"), Vec::new(), text("bours for ships.")];
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
    let read = extract(&saved(of_contents(pages.into_iter(), font)), &Limits::default()).unwrap();
    assert_eq!(read.text, "The coast has many harbours\nfor ships.");
    assert_eq!(read.validated().unwrap().pages.0, [0, 22, 22]);
}

#[test]
fn a_page_with_nothing_on_it_is_empty() {
    assert_eq!(read(&[vec![]]).text, "");
}

#[test]
fn damage_and_limits_are_failures() {
    let whole = saved(document(&[vec![(50, 700, "A sentence of some length.")]]));
    assert_eq!(failure(b"%PDF-1.4\nnothing else"), FailureCode::Broken);
    let small = Limits { text_bytes: 10, ..Limits::default() };
    assert_eq!(extract(&whole, &small).unwrap_err().code, FailureCode::TooLarge);
}
