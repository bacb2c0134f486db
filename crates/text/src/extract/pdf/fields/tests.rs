//! Forms in small PDFs, read by the whole extractor.

use lopdf::{Dictionary, Object, Stream, dictionary};

use super::super::canvas::tests::annotate;
use super::super::extract;
use super::super::tests::{Placed, document, saved};
use crate::Limits;

fn string(text: &str) -> Object {
    Object::string_literal(text)
}

/// A field from `left` to `right` with its text at the height `y`.
fn field(kind: &str, (left, right): (i64, i64), y: i64, entries: Dictionary) -> Dictionary {
    let area = [left, y - 5, right, y + 13].map(Object::from).to_vec();
    let mut field = entries;
    for (key, value) in
        [("Subtype", "Widget".into()), ("FT", kind.into()), ("T", string("f1[0]")), ("Rect", area.into())]
    {
        field.set(key, value);
    }
    field
}

fn text(lines: Vec<Placed<'_>>, fields: Vec<Dictionary>) -> String {
    let mut document = document(&[lines]);
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
    let fonts = dictionary! { "Font" => dictionary! { "F1" => font } };
    for mut field in fields {
        if let Ok(shown) = field.get(b"Shown").and_then(Object::as_str).map(<[u8]>::to_vec) {
            let content = [b"BT /F1 10 Tf 2 5 Td (", &shown[..], b") Tj ET"].concat();
            let area = [0, 0, 300, 20].map(Object::from).to_vec();
            let look = dictionary! { "Subtype" => "Form", "BBox" => area, "Resources" => fonts.clone() };
            let look = document.add_object(Stream::new(look, content));
            field.set("AP", dictionary! { "N" => look });
        }
        annotate(&mut document, field);
    }
    extract(&saved(document), &Limits::default()).unwrap().text
}

#[test]
fn a_value_follows_the_label_beside_or_above_it() {
    let lines = vec![(50, 700, "Surname:"), (50, 680, "City"), (50, 650, "Remarks")];
    let value = |text: &str| dictionary! { "V" => string(text) };
    let read = text(
        lines,
        vec![
            field("Tx", (150, 350), 700, value("Lind")),
            field("Tx", (150, 350), 680, value("Oslo")),
            field("Tx", (50, 350), 630, value("None.\nReally.")),
        ],
    );
    assert_eq!(read, "Surname: Lind\n\nCity: Oslo\n\nRemarks: None. Really.");
}

#[test]
fn what_an_appearance_shows_is_read_once() {
    let shown = |value: &str, shown: &str| dictionary! { "V" => string(value), "Shown" => string(shown) };
    for (value, look, read) in
        [("Lind", "Lind", "Lind"), ("1234.5", "1,234.50", "1,234.50"), ("JX2", "J   X   2", "JX2")]
    {
        let fields = vec![field("Tx", (150, 350), 700, shown(value, look))];
        assert_eq!(text(vec![(50, 700, "Label")], fields), format!("Label: {read}"));
    }
}

#[test]
fn a_tooltip_or_a_name_stands_for_a_label_that_is_not_printed() {
    let entries = dictionary! { "V" => string("52"), "TU" => string("Wages") };
    assert_eq!(text(vec![(50, 700, "1a")], vec![field("Tx", (150, 350), 700, entries)]), "1a  Wages: 52");
    let entries = dictionary! { "V" => string("52") };
    assert_eq!(text(vec![], vec![field("Tx", (150, 350), 700, entries)]), "f1: 52");
}

#[test]
fn choices_are_read_as_displayed() {
    let option = |exported: &str, display: &str| Object::Array(vec![string(exported), string(display)]);
    let options = vec![option("n", "North"), option("s", "South")];
    let entries = dictionary! { "V" => string("s"), "Opt" => options };
    assert_eq!(text(vec![(50, 700, "Zone")], vec![field("Ch", (150, 350), 700, entries)]), "Zone: South");
}

#[test]
fn boxes_are_ticked_or_not_beside_their_labels() {
    let state = |name: &str| dictionary! { "AS" => Object::Name(name.into()), "Shown" => string("x") };
    let lines = vec![(70, 700, "Car"), (170, 700, "Badge")];
    let read = text(
        lines,
        vec![
            field("Btn", (50, 62), 700, dictionary! { "AS" => "Yes" }),
            field("Btn", (150, 162), 700, state("Off")),
        ],
    );
    assert_eq!(read, "Car: ☑ yes  Badge: ☐ no");
}

#[test]
fn passwords_hidden_fields_and_empty_ones_are_left_out() {
    for entries in [
        dictionary! { "V" => string("secret"), "Ff" => 1 << 13 },
        dictionary! { "V" => string("secret"), "F" => 2 },
        dictionary! {},
    ] {
        assert_eq!(text(vec![(50, 700, "Code")], vec![field("Tx", (150, 350), 700, entries)]), "Code");
    }
}
