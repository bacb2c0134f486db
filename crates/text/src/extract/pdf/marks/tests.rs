//! Boxes on small PDFs with known geometry: Courier of 10 points, so that every glyph is 6 points wide.

use lopdf::{Dictionary, Document, Object, Stream, dictionary};
use oriel_core::{Kind, PageMap, RecognisedPages};

use super::super::canvas::tests::annotate;
use super::super::tests::{Placed, document_in, saved};
use super::*;
use crate::{Limits, read};

fn courier(pages: &[Vec<Placed<'_>>]) -> Document {
    document_in(pages, dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Courier" })
}

/// The same, with entries for every page such as a crop box.
fn courier_with(pages: &[Vec<Placed<'_>>], entries: &Dictionary) -> Document {
    let mut document = courier(pages);
    for id in document.get_pages().into_values() {
        document.get_dictionary_mut(id).unwrap().extend(entries);
    }
    document
}

fn with_type(document: &mut Document, name: &[u8]) -> lopdf::ObjectId {
    let found = document
        .objects
        .iter()
        .find(|(_, object)| object.as_dict().is_ok_and(|dictionary| dictionary.has_type(name)));
    *found.unwrap().0
}

/// The boxes of the first occurrence of `words`.
fn marked(document: Document, words: &str) -> Vec<Mark> {
    let bytes = saved(document);
    let read = read(Kind::Pdf, &bytes, &Limits::default()).unwrap();
    let start = read.text.find(words).unwrap_or_else(|| panic!("{words:?} is not in {:?}", read.text));
    let span = ByteSpan::new(start as u32, (start + words.len()) as u32);
    let request = MarkRequest::new(&read.text, &read.pages, &[span]);
    let marks = marks(&bytes, &RecognisedPages::new(), &request).unwrap().unwrap();
    assert!(request.admits(&marks));
    marks
}

/// Left, top, right and bottom in points on a page of `size`.
fn points(mark: &Mark, (width, height): (f32, f32)) -> [f32; 4] {
    [mark.left * width, mark.top * height, mark.right * width, mark.bottom * height]
}

fn assert_near(found: [f32; 4], wanted: [f32; 4]) {
    let near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 0.05);
    assert!(near, "{found:?} instead of {wanted:?}");
}

/// One box per line: its page, its left and right edges, and its baseline from the top of a page of 600 by 800 points.
fn assert_lines(marks: &[Mark], lines: &[(u32, f32, f32, f32)]) {
    assert_eq!(marks.len(), lines.len(), "{marks:?}");
    for (mark, &(page, left, right, baseline)) in marks.iter().zip(lines) {
        assert_eq!(mark.page, page);
        assert_near(points(mark, (600.0, 800.0)), [left, baseline - 9.0, right, baseline + 2.5]);
    }
}

#[test]
fn a_sentence_on_two_lines_has_a_box_on_each() {
    let page = vec![(50, 700, "One here. The second"), (50, 688, "sentence ends. Third.")];
    let marks = marked(courier(&[page]), "The second\nsentence ends.");
    assert_lines(&marks, &[(1, 110.0, 170.0, 100.0), (1, 50.0, 134.0, 112.0)]);
}

#[test]
fn several_spans_are_told_apart() {
    let bytes = saved(courier(&[vec![(50, 700, "One. Two.")]]));
    let spans = [ByteSpan::new(5, 9), ByteSpan::new(0, 4), ByteSpan::new(90, 99)];
    let request = MarkRequest::new("One. Two.", &PageMap(vec![0]), &spans);
    let marks = marks(&bytes, &RecognisedPages::new(), &request).unwrap().unwrap();
    assert_eq!(marks.iter().map(|mark| mark.span).collect::<Vec<_>>(), [0, 1]);
    assert_lines(&marks, &[(1, 80.0, 104.0, 100.0), (1, 50.0, 74.0, 100.0)]);
}

#[test]
fn a_turned_page_is_marked_as_it_is_shown() {
    // The word is between 50 and 80 on the baseline 700, in the page's own points.
    let turned = |degrees: i64| {
        let entries = dictionary! { "Rotate" => degrees };
        let marks = marked(courier_with(&[vec![(50, 700, "Words")]], &entries), "Words");
        assert_eq!(marks.len(), 1);
        marks[0]
    };
    assert_near(points(&turned(90), (800.0, 600.0)), [697.5, 50.0, 709.0, 80.0]);
    assert_near(points(&turned(180), (600.0, 800.0)), [520.0, 697.5, 550.0, 709.0]);
    assert_near(points(&turned(270), (800.0, 600.0)), [91.0, 520.0, 102.5, 550.0]);
    assert_near(points(&turned(-90), (800.0, 600.0)), [91.0, 520.0, 102.5, 550.0]);
}

#[test]
fn boxes_are_fractions_of_the_crop_box_inside_the_media_box() {
    let crop = |edges: [i64; 4]| {
        let entries = dictionary! { "CropBox" => edges.map(Object::from).to_vec() };
        marked(courier_with(&[vec![(50, 700, "Words")]], &entries), "Words")[0]
    };
    assert_near(points(&crop([40, 100, 440, 720]), (400.0, 620.0)), [10.0, 11.0, 40.0, 22.5]);
    assert_near(points(&crop([-50, 100, 300, 900]), (300.0, 700.0)), [50.0, 91.0, 80.0, 102.5]);
    let clipped = crop([62, 100, 440, 720]);
    assert_near(points(&clipped, (378.0, 620.0)), [0.0, 11.0, 18.0, 22.5]);
}

#[test]
fn a_box_stays_in_its_column() {
    let left: Vec<String> = (0..6).map(|line| format!("left column with its line number {line}")).collect();
    let right: Vec<String> = (0..6).map(|line| format!("right column with its line number {line}")).collect();
    let mut page: Vec<Placed<'_>> = Vec::new();
    for line in 0..6 {
        let y = 700 - 12 * line as i64;
        page.push((50, y, &left[line]));
        page.push((310, y, &right[line]));
    }
    let marks = marked(courier(&[page]), &format!("number 2\n{}", left[3]));
    assert_lines(&marks, &[(1, 206.0, 254.0, 124.0), (1, 50.0, 254.0, 136.0)]);
}

#[test]
fn a_word_divided_at_a_line_end_is_marked_with_its_hyphen() {
    let page = || vec![(50, 700, "A well-known exam-"), (50, 688, "ple of it.")];
    let marks = marked(courier(&[page()]), "example");
    assert_lines(&marks, &[(1, 128.0, 158.0, 100.0), (1, 50.0, 68.0, 112.0)]);
    assert_lines(&marked(courier(&[page()]), "of it."), &[(1, 74.0, 110.0, 112.0)]);
}

#[test]
fn a_ligature_is_one_glyph_of_two_letters() {
    let font = dictionary! {
        "Type" => "Font",
        "Subtype" => "Type1",
        "BaseFont" => "Courier",
        "Encoding" => dictionary! {
            "Type" => "Encoding",
            "BaseEncoding" => "WinAnsiEncoding",
            "Differences" => vec![1.into(), Object::Name(b"fi".to_vec())],
        },
    };
    let page = || vec![(50, 700, "well de\u{1}ned words")];
    assert_lines(&marked(document_in(&[page()], font.clone()), "defined"), &[(1, 80.0, 116.0, 100.0)]);
    assert_lines(&marked(document_in(&[page()], font), "words"), &[(1, 122.0, 152.0, 100.0)]);
}

#[test]
fn text_from_right_to_left_is_marked_where_it_stands() {
    let mut document = courier(&[vec![(50, 700, "abc de")]]);
    let map = b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange \
        1 beginbfrange <61> <65> <05D0> endbfrange endcmap";
    let map = document.add_object(Stream::new(dictionary! {}, map.to_vec()));
    let font = with_type(&mut document, b"Font");
    document.get_dictionary_mut(font).unwrap().set("ToUnicode", Object::Reference(map));
    // In reading order, the first characters are at the right.
    assert_lines(&marked(document.clone(), "הד"), &[(1, 74.0, 86.0, 100.0)]);
    assert_lines(&marked(document, "בא"), &[(1, 50.0, 62.0, 100.0)]);
}

#[test]
fn words_turned_on_the_page_are_marked_one_by_one() {
    // Upwards, then at 30 degrees.
    let turned = |matrix: &str| {
        let mut document = courier(&[vec![]]);
        let content = format!("BT /F1 10 Tf {matrix} Tm (Two words) Tj ET").into_bytes();
        let content = document.add_object(Stream::new(dictionary! {}, content));
        let page = with_type(&mut document, b"Page");
        document.get_dictionary_mut(page).unwrap().set("Contents", content);
        marked(document, "Two words")
    };
    let up = turned("0 1 -1 0 300 400");
    assert_eq!(up.len(), 1);
    assert_near(points(&up[0], (600.0, 800.0)), [291.0, 346.0, 302.5, 400.0]);
    let slanted = turned("0.866 0.5 -0.5 0.866 300 400");
    assert_eq!(slanted.len(), 2);
    let (sin, cos) = (0.5, 0.866);
    let box_of = |u0: f32, u1: f32| {
        [
            300.0 + u0 * cos - 9.0 * sin,
            400.0 - u1 * sin - 9.0 * cos,
            300.0 + u1 * cos + 2.5 * sin,
            400.0 - u0 * sin + 2.5 * cos,
        ]
    };
    assert_near(points(&slanted[0], (600.0, 800.0)), box_of(0.0, 18.0));
    assert_near(points(&slanted[1], (600.0, 800.0)), box_of(24.0, 54.0));
}

#[test]
fn a_sentence_over_a_page_border_is_marked_on_both_pages() {
    let pages = [vec![(50, 60, "The sentence goes")], vec![(50, 740, "on here.")]];
    let marks = marked(courier(&pages), "sentence goes\non here.");
    assert_lines(&marks, &[(1, 74.0, 152.0, 740.0), (2, 50.0, 98.0, 60.0)]);
}

#[test]
fn cells_of_a_row_are_marked_one_by_one() {
    let page = vec![(50, 700, "Paint"), (200, 700, "40"), (50, 688, "Brush"), (200, 688, "15")];
    assert_lines(&marked(courier(&[page]), "Brush  15"), &[(1, 50.0, 80.0, 112.0), (1, 200.0, 212.0, 112.0)]);
}

#[test]
fn a_running_header_is_not_taken_for_the_text() {
    let header = (50, 780, "Annual report");
    let foot = (300, 20, "7");
    let pages = [
        vec![header, (50, 764, "Annual report"), (50, 600, "First body."), foot],
        vec![header, (50, 600, "7 bodies here."), foot],
        vec![header, (50, 600, "Third body."), (50, 500, "7"), foot],
    ];
    let title = marked(courier(&pages), "Annual report");
    assert_lines(&title, &[(1, 50.0, 128.0, 36.0)]);
    assert_lines(&marked(courier(&pages), "7 bodies"), &[(2, 50.0, 98.0, 200.0)]);
    let number = marked(courier(&pages), "Third body.\n\n7");
    assert_lines(&number, &[(3, 50.0, 116.0, 200.0), (3, 50.0, 56.0, 300.0)]);
}

#[test]
fn struck_words_are_marked_where_they_stand_and_a_comment_on_its_words() {
    let page = vec![(50, 700, "The rent is old. It rose.")];
    let numbers = |numbers: &[i64]| numbers.iter().copied().map(Object::from).collect::<Vec<_>>();
    let strike = || {
        let mut document = courier(std::slice::from_ref(&page));
        let strike = dictionary! {
            "Subtype" => "StrikeOut",
            "Rect" => numbers(&[74, 698, 98, 710]),
            "QuadPoints" => numbers(&[74, 710, 98, 710, 74, 698, 98, 698]),
            "Contents" => Object::string_literal("Why?"),
        };
        annotate(&mut document, strike);
        document
    };
    assert_lines(&marked(strike(), "The ~~rent~~ is old."), &[(1, 50.0, 146.0, 100.0)]);
    let marks = marked(strike(), "Comment on “rent”: Why?");
    assert_eq!(marks.len(), 1);
    assert_near(points(&marks[0], (600.0, 800.0)), [74.0, 90.0, 98.0, 102.0]);
}

#[test]
fn a_text_of_another_file_is_not_marked() {
    let bytes = saved(courier(&[vec![(50, 700, "The sum is 400.")]]));
    let ask = |text: &str, page_starts: &[u32]| {
        let end = text.len() as u32;
        let request = MarkRequest::new(text, &PageMap(page_starts.to_vec()), &[ByteSpan::new(end - 4, end)]);
        marks(&bytes, &RecognisedPages::new(), &request).unwrap().is_some()
    };
    assert!(ask("The sum is 400.", &[0]));
    assert!(!ask("The sum is 500.", &[0]), "a word differs");
    assert!(!ask("The sum is 400. More.", &[0]), "the text has more");
    assert!(!ask("sum is 400.", &[0]), "the page has more");
    assert!(!ask("The sum is 400.", &[0, 0]), "there is no second page");
}

#[test]
fn every_sentence_of_the_sample_has_its_boxes() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/sample");
    let mut files = 0;
    for folder in ["Contracts", "Finance", "Letters", "Manuals"] {
        for entry in std::fs::read_dir(format!("{sample}/{folder}")).unwrap() {
            let path = entry.unwrap().path();
            if Kind::of_path(&path) != Some(Kind::Pdf) {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let read = read(Kind::Pdf, &bytes, &Limits::default()).unwrap();
            let spans: Vec<ByteSpan> = read.sentences.iter().map(|sentence| sentence.span).collect();
            let request = MarkRequest::new(&read.text, &read.pages, &spans);
            let marks = marks(&bytes, &RecognisedPages::new(), &request).unwrap().unwrap();
            assert!(request.admits(&marks), "{}", path.display());
            for (number, sentence) in read.sentences.iter().enumerate() {
                let first = marks.iter().find(|mark| mark.span == number).unwrap();
                assert_eq!(Some(first.page), sentence.page, "{}", path.display());
            }
            files += 1;
        }
    }
    assert_eq!(files, 6);
}
