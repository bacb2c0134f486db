//! Notes in small PDFs, read by the whole extractor.

use lopdf::{Dictionary, Object, dictionary};

use super::super::canvas::tests::annotate;
use super::super::extract;
use super::super::tests::{document, of_contents, saved};
use crate::Limits;

const LINES: [(i64, i64, &str); 2] = [(50, 700, "The rent is 900 pounds."), (50, 688, "The hall is new.")];

/// A note on `[left, bottom, right, top]`.
fn note(kind: &str, area: [i64; 4], text: &str) -> Dictionary {
    let [left, bottom, right, top] = area;
    let quad = [left, top, right, top, left, bottom, right, bottom].map(Object::from).to_vec();
    dictionary! {
        "Subtype" => kind,
        "Rect" => area.map(Object::from).to_vec(),
        "QuadPoints" => quad,
        "T" => Object::string_literal("Ada"),
        "Contents" => Object::string_literal(text),
    }
}

fn text(notes: Vec<Dictionary>) -> String {
    let mut document = document(&[LINES.to_vec()]);
    for note in notes {
        annotate(&mut document, note);
    }
    extract(&saved(document), &Limits::default()).unwrap().text
}

#[test]
fn a_comment_names_its_author_and_its_words() {
    let read = text(vec![note("Highlight", [45, 697, 200, 710], "Ask the bank.")]);
    assert_eq!(
        read,
        "The rent is 900 pounds.\nThe hall is new.\n\nComment by Ada on “The rent is 900 pounds.”: Ask the bank."
    );
}

#[test]
fn a_copy_of_the_marked_words_says_nothing() {
    let read = text(vec![note("Underline", [45, 697, 200, 710], "The rent is 900 pounds.")]);
    assert_eq!(read, "The rent is 900 pounds.\nThe hall is new.");
}

#[test]
fn replies_follow_their_note_and_states_are_left_out() {
    let mut document = document(&[LINES.to_vec()]);
    let first = annotate(&mut document, note("Text", [500, 700, 510, 710], "First."));
    annotate(&mut document, note("Text", [500, 690, 510, 700], "Second."));
    let mut reply = note("Text", [500, 700, 510, 710], "Reply.");
    reply.set("IRT", first);
    annotate(&mut document, reply.clone());
    reply.set("StateModel", Object::string_literal("Review"));
    annotate(&mut document, reply);
    let read = extract(&saved(document), &Limits::default()).unwrap().text;
    assert!(
        read.ends_with("Comment by Ada: First.\n\nComment by Ada: Reply.\n\nComment by Ada: Second."),
        "{read}"
    );
}

#[test]
fn words_struck_out_are_marked_on_each_line() {
    let read = text(vec![note("StrikeOut", [70, 684, 200, 710], "")]);
    assert_eq!(read, "The ~~rent is 900 pounds~~.\nThe ~~hall is new~~.");
}

#[test]
fn a_line_through_words_strikes_them_out_and_others_do_not() {
    for (line, read) in [
        ("70 691.5 49.5 0.6 re f", "The ~~hall is new~~."),
        ("50 686 77 0.6 re f", "The hall is new."),
        ("20 691.5 400 0.6 re f", "The hall is new."),
    ] {
        let content = format!("BT /F1 10 Tf 50 688 Td (The hall is new.) Tj ET {line}");
        let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
        let bytes = saved(of_contents([content.into_bytes()].into_iter(), font));
        assert_eq!(extract(&bytes, &Limits::default()).unwrap().text, read, "{line}");
    }
}

#[test]
fn typed_text_and_hidden_notes() {
    let hidden = {
        let mut hidden = note("Text", [50, 600, 200, 620], "Nobody sees it.");
        hidden.set("F", 2);
        hidden
    };
    let read = text(vec![note("FreeText", [50, 600, 200, 620], "Typed."), hidden]);
    assert_eq!(read, "The rent is 900 pounds.\nThe hall is new.\n\nTyped.");
}

#[test]
fn a_note_is_the_text_of_an_empty_page() {
    let mut document = document(&[vec![]]);
    annotate(&mut document, note("Text", [500, 700, 510, 710], "Damp in the cellar."));
    let read = extract(&saved(document), &Limits::default()).unwrap();
    assert_eq!(read.text, "Comment by Ada: Damp in the cellar.");
    assert!(read.outline.headings.is_empty());
}
