//! PowerPoint presentations that the tests build.

use oriel_core::FailureCode;

use super::super::super::compound::tests::made_of;
use super::*;

fn record(kind: u16, instance: u16, parts: &[Vec<u8>]) -> Vec<u8> {
    let body = parts.concat();
    let size = u32::try_from(body.len()).unwrap();
    [&((instance << 4) | 0xF).to_le_bytes()[..], &kind.to_le_bytes(), &size.to_le_bytes(), &body].concat()
}

fn numbers(all: &[u32]) -> Vec<u8> {
    all.iter().flat_map(|one| one.to_le_bytes()).collect()
}

fn text(kind: u32, text: &str) -> Vec<u8> {
    let wide = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    [record(kind::TEXT_HEADER_ATOM, 0, &[numbers(&[kind])]), record(kind::TEXT_CHARS_ATOM, 0, &[wide])]
        .concat()
}

fn shape(parts: &[Vec<u8>]) -> Vec<u8> {
    record(kind::ART_SHAPE, 0, parts)
}

fn text_box(parts: &[Vec<u8>]) -> Vec<u8> {
    record(kind::ART_TEXT, 0, parts)
}

fn sheet(kind: u16, atom: Vec<u8>, shapes: &[Vec<u8>]) -> Vec<u8> {
    let group = record(kind::ART_GROUP, 0, shapes);
    let drawing = record(kind::DRAWING, 0, &[record(kind::ART_DRAWING, 0, &[group])]);
    record(kind, 0, &[atom, drawing])
}

fn slide(notes: u32, shapes: &[Vec<u8>]) -> Vec<u8> {
    sheet(kind::SLIDE, record(kind::SLIDE_ATOM, 2, &[numbers(&[0, 0, 0, 0, notes, 0])]), shapes)
}

/// The streams of a presentation. `old` objects were saved before; the others replace them by their ids.
pub(super) fn streams(old: &[Vec<u8>], objects: &[(u32, Vec<u8>)]) -> [(&'static str, Vec<u8>); 2] {
    let mut stream = vec![];
    let add = |stream: &mut Vec<u8>, object: &[u8]| {
        let at = u32::try_from(stream.len()).unwrap();
        stream.extend(object);
        at
    };
    let mut save = |objects: Vec<(u32, &Vec<u8>)>, before: u32| {
        let entries =
            objects.iter().flat_map(|(number, object)| [number | (1 << 20), add(&mut stream, object)]);
        let entries = numbers(&entries.collect::<Vec<_>>());
        let directory = add(&mut stream, &record(kind::PERSIST_DIRECTORY_ATOM, 0, &[entries]));
        let edit = numbers(&[0, 0, before, directory, 1, 0, 0]);
        add(&mut stream, &record(kind::USER_EDIT_ATOM, 0, &[edit]))
    };
    let first = save((1..).zip(old).collect(), 0);
    let last = save(objects.iter().map(|(number, object)| (*number, object)).collect(), first);
    [("PowerPoint Document", stream), ("Current User", numbers(&[0, 0, 20, 0xE391_C05F, last]))]
}

/// A presentation of two slides; the second one has two versions.
pub(super) fn sample() -> [(&'static str, Vec<u8>); 2] {
    let person =
        |number: u32, id: u32| record(kind::SLIDE_PERSIST_ATOM, 0, &[numbers(&[number, 0, 2, id, 0])]);
    let bytes = |text: &[u8]| record(kind::TEXT_BYTES_ATOM, 0, &[text.to_vec()]);
    let outline = [
        person(3, 256),
        text(0, "First\u{B}title"),
        [record(kind::TEXT_HEADER_ATOM, 0, &[numbers(&[1])]), bytes(b"One \x93point\x94\rTwo * points")]
            .concat(),
        record(kind::SLIDE_NUMBER_META_CHAR_ATOM, 0, &[numbers(&[16])]),
        person(2, 257),
        text(1, "In no shape"),
    ];
    let document = record(
        kind::DOCUMENT,
        0,
        &[
            record(kind::SLIDE_LIST_WITH_TEXT, 0, &outline),
            record(kind::SLIDE_LIST_WITH_TEXT, 1, &[person(9, 1), text(0, "Click to edit")]),
            record(kind::SLIDE_LIST_WITH_TEXT, 2, &[person(4, 77)]),
        ],
    );
    let shown = |index| shape(&[text_box(&[record(kind::OUTLINE_TEXT_REF_ATOM, 0, &[numbers(&[index])])])]);
    let footer = record(kind::ART_CLIENT_DATA, 0, &[record(kind::PLACEHOLDER_ATOM, 0, &[numbers(&[0, 9])])]);
    let deeper = record(kind::ART_GROUP, 0, &[shape(&[]), shape(&[text_box(&[text(4, "Deeper")])])]);
    let first = slide(
        77,
        &[shape(&[]), shown(1), shown(0), shape(&[footer, text_box(&[text(4, "Footer")])]), deeper],
    );
    let notes = sheet(kind::NOTES, vec![], &[shape(&[text_box(&[text(2, "Say this.")])])]);
    let cell = |left, top, of: &str| {
        let anchor = record(kind::ART_CHILD_ANCHOR, 0, &[numbers(&[left, top, 0, 0])]);
        shape(&[anchor, text_box(&[text(4, of)])])
    };
    let is_table = [&ART_IS_TABLE.to_le_bytes()[..], &numbers(&[1])].concat();
    let table = record(
        kind::ART_GROUP,
        0,
        &[
            shape(&[record(kind::ART_MORE_PROPERTIES, 1, &[is_table])]),
            cell(50, 0, "Price"),
            cell(0, 0, "Item"),
            cell(0, 20, "Paint"),
            cell(50, 40, "4.50"),
        ],
    );
    let title = |of: &str| shape(&[text_box(&[text(6, of)])]);
    let old = [record(kind::DOCUMENT, 0, &[]), slide(0, &[title("Old version")])];
    streams(&old, &[(1, document), (2, slide(0, &[title("Second"), table])), (3, first), (4, notes)])
}

#[test]
fn a_slide_is_a_page_with_its_title_and_notes() {
    let made = extract(&made_of(&sample()), &Limits::default()).unwrap().validated().unwrap();
    assert_eq!(
        made.text,
        "One “point”\n\nTwo  points\n\nFirst title\n\nDeeper\n\nSay this.\n\n\
         Second\n\nItem\tPrice\nPaint\n\t4.50\n\nIn no shape"
    );
    let headings: Vec<_> = made.outline.headings.iter().map(|one| one.span.of(&made.text)).collect();
    assert_eq!(headings, [Some("First title"), Some("Second")]);
    assert_eq!(made.pages.0.len(), 2);
    assert!(made.text[made.pages.0[1] as usize..].starts_with("Second"));
}

#[test]
fn an_encrypted_presentation_asks_for_its_password_and_a_damaged_one_is_broken() {
    let mut streams = sample();
    let code =
        |streams: &[(&str, Vec<u8>)]| extract(&made_of(streams), &Limits::default()).map_err(|one| one.code);
    streams[1].1[12..16].copy_from_slice(&ENCRYPTED.to_le_bytes());
    assert_eq!(code(&streams).unwrap_err(), FailureCode::Encrypted);
    // Without a valid pointer, the last edit in the stream is used.
    assert!(code(&streams[..1]).is_ok());
    let end = streams[0].1.len() - 1;
    streams[0].1.truncate(end);
    assert_eq!(code(&streams[..1]).unwrap().text, "", "the edit before it");
    streams[0].1.truncate(100);
    assert_eq!(code(&streams[..1]).unwrap_err(), FailureCode::Broken);
}
