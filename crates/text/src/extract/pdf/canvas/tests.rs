//! Pages with some invisible text, read by the whole extractor.

use lopdf::{Document, Object, ObjectId, Stream, dictionary};

use super::super::extract;
use super::super::tests::{of_contents, saved};
use crate::Limits;

const HIDDEN: &str = "BT /F1 10 Tf 50 500 Td (Hidden words) Tj ET";

/// A page with white, grey and transparent resources, and with `drawn` below a visible line.
fn page(drawn: &str) -> Document {
    let content = format!("BT /F1 10 Tf 50 700 Td (Words that everybody can read here) Tj ET q {drawn} Q");
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
    let mut document = of_contents([content.into_bytes()].into_iter(), font);
    let states = dictionary! {
        "Clear" => dictionary! { "ca" => 0 },
        "Half" => dictionary! { "ca" => Object::Real(0.5) },
        "Multiply" => dictionary! { "BM" => "Multiply" },
    };
    let picture = Stream::new(
        dictionary! {
            "Subtype" => "Image", "Width" => 1, "Height" => 1, "BitsPerComponent" => 8, "ColorSpace" => "DeviceGray"
        },
        vec![0x80],
    );
    let picture = document.add_object(picture);
    let id = document.get_pages()[&1];
    let page = document.get_dictionary_mut(id).unwrap();
    let resources = page.get_mut(b"Resources").and_then(Object::as_dict_mut).unwrap();
    resources.set("ExtGState", states);
    resources.set("XObject", dictionary! { "Picture" => picture });
    document
}

fn text(document: Document) -> String {
    extract(&saved(document), &Limits::default()).unwrap().text
}

fn is_seen(drawn: &str) -> bool {
    let text = text(page(drawn));
    assert!(text.starts_with("Words that everybody can read here"), "{text}");
    text.ends_with("Hidden words")
}

#[test]
fn text_without_paint_or_size_or_in_the_colour_of_its_ground_is_left_out() {
    for drawn in
        ["3 Tr", "7 Tr", "1 g", "1 1 1 rg", "0 0 0 0 k", "0.99 g", "/Clear gs", "0.1 0 0 0.1 45 450 cm"]
    {
        assert!(!is_seen(&format!("{drawn} {HIDDEN}")), "{drawn}");
    }
    assert!(!is_seen(&format!("0 0 1 rg 40 490 200 24 re f {HIDDEN}")), "blue on blue");
    assert!(is_seen(&format!("0.8 g {HIDDEN}")));
    assert!(is_seen(&format!("1 g 0 G 2 Tr {HIDDEN}")), "outlined");
}

#[test]
fn text_on_a_dark_ground_of_any_shape_is_kept() {
    for ground in [
        "40 490 200 24 re f",
        "40 490 m 240 490 l 140 560 l f",
        "24 w 40 502 m 240 502 l S",
        "200 0 0 24 40 490 cm /Picture Do 0.005 0 0 0.0416667 -0.2 -20.4166 cm",
    ] {
        assert!(is_seen(&format!("0.2 g 0.2 G {ground} 1 g {HIDDEN}")), "{ground}");
    }
}

#[test]
fn text_below_something_opaque_is_left_out() {
    for cover in [
        "1 g 40 490 200 24 re f",
        "0 g 40 490 m 240 490 l 240 514 l 40 514 l h f",
        "1 g 40 490 60 24 re 100 490 140 24 re f",
        "24 w 1 G 40 502 m 240 502 l S",
        "200 0 0 24 40 490 cm /Picture Do",
    ] {
        assert!(!is_seen(&format!("{HIDDEN} {cover}")), "{cover}");
    }
    for cover in [
        "/Half gs 1 g 40 490 200 24 re f",
        "/Multiply gs 1 1 0 rg 40 490 200 24 re f",
        "1 g 40 400 200 24 re f",
        "0 0 5 5 re W n 1 g 40 490 200 24 re f",
        "1 g 40 490 200 4 re f",
    ] {
        assert!(is_seen(&format!("{HIDDEN} {cover}")), "{cover}");
    }
}

#[test]
fn text_outside_its_clip_or_the_page_is_left_out() {
    assert!(!is_seen(&format!("300 300 1 1 re W n {HIDDEN}")));
    assert!(!is_seen(&format!("1 0 0 1 0 305 cm {HIDDEN}")));
    assert!(is_seen(&format!("40 490 200 30 re W n {HIDDEN}")));
}

#[test]
fn an_invisible_letter_on_a_shape_of_its_size_is_kept() {
    let shape = "48 499 9 9 re 50 501 5 5 re f*";
    let read = text(page(&format!("{shape} 3 Tr BT /F1 10 Tf 50 500 Td (H) Tj ET")));
    assert!(read.ends_with("\n\nH"), "{read}");
}

#[test]
fn letters_that_something_is_painted_through_are_kept() {
    assert!(is_seen(&format!("7 Tr {HIDDEN} 1 0 0 rg 0 0 600 800 re f")));
}

#[test]
fn the_text_of_a_scan_is_kept_and_what_is_blacked_out_on_it_is_not() {
    let scan = "q 600 0 0 800 0 0 cm /Picture Do Q";
    assert!(is_seen(&format!(
        "{scan} BT 3 Tr /F1 10 Tf 50 700 Td (Words that everybody can read here) Tj ET {HIDDEN}"
    )));
    assert!(is_seen(&format!("{HIDDEN} {scan}")), "below the picture");
    assert!(!is_seen(&format!("{scan} 3 Tr {HIDDEN} 0 g 40 490 200 24 re f")));
}

#[test]
fn marks_of_readers_hide_nothing_and_black_boxes_do() {
    for (kind, seen) in [("Highlight", true), ("Square", false)] {
        let mut document = page(HIDDEN);
        let look = Stream::new(
            dictionary! { "Subtype" => "Form", "BBox" => vec![0.into(), 0.into(), 200.into(), 24.into()] },
            b"0 0 200 24 re f".to_vec(),
        );
        let look = document.add_object(look);
        let area: Vec<Object> = [40, 490, 240, 514].map(Object::from).to_vec();
        annotate(
            &mut document,
            dictionary! { "Subtype" => kind, "Rect" => area, "AP" => dictionary! { "N" => look } },
        );
        assert_eq!(text(document).contains("Hidden words"), seen, "{kind}");
    }
}

/// Adds an annotation to the first page.
pub(in crate::extract::pdf) fn annotate(document: &mut Document, annotation: lopdf::Dictionary) -> ObjectId {
    let id = document.add_object(annotation);
    let page = document.get_pages()[&1];
    let page = document.get_dictionary_mut(page).unwrap();
    let mut all = page.get(b"Annots").and_then(Object::as_array).cloned().unwrap_or_default();
    all.push(id.into());
    page.set("Annots", all);
    id
}
