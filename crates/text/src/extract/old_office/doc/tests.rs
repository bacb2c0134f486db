//! Word documents that the tests build: every paragraph is a piece, with one-byte characters where possible.

use oriel_core::FailureCode;

use super::super::super::compound::tests::made_of;
use super::*;

const DELETED: &[u8] = &[0x00, 0x08, 1];
const HIDDEN: &[u8] = &[0x3C, 0x08, 1];
const CELL: &[u8] = &[0x16, 0x24, 1];
const ROW_END: &[u8] = &[0x16, 0x24, 1, 0x17, 0x24, 1];
const HEADER_ROW_END: &[u8] = &[0x16, 0x24, 1, 0x17, 0x24, 1, 0x04, 0x34, 1];
const INNER_CELL: &[u8] = &[0x16, 0x24, 1, 0x49, 0x66, 2, 0, 0, 0, 0x4B, 0x24, 1];
const INNER_ROW_END: &[u8] = &[0x16, 0x24, 1, 0x49, 0x66, 2, 0, 0, 0, 0x4C, 0x24, 1];

/// A paragraph: its style, its properties, and its runs with their properties. The last run ends with the paragraph
/// mark.
type Paragraph<'a> = (u16, &'a [u8], &'a [(&'a str, &'a [u8])]);

fn set(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

fn number(value: usize) -> [u8; 4] {
    u32::try_from(value).unwrap().to_le_bytes()
}

/// A page that describes runs, each with its start; the last start is the end of the last run.
fn page(starts: &[usize], runs: &[Vec<u8>], size: usize) -> Vec<u8> {
    let mut page = vec![0; 512];
    let mut at = 510;
    for (index, start) in starts.iter().enumerate() {
        set(&mut page, 4 * index, &number(*start));
    }
    for (index, run) in runs.iter().enumerate().filter(|(_, run)| !run.is_empty()) {
        at = (at - run.len()) / 2 * 2;
        set(&mut page, at, run);
        page[4 * starts.len() + size * index] = u8::try_from(at / 2).unwrap();
    }
    page[511] = u8::try_from(runs.len()).unwrap();
    page
}

/// The streams of a document with these paragraphs; the counts are the characters of each story.
pub(super) fn streams(
    paragraphs: &[Paragraph<'_>],
    counts: &[(usize, usize)],
    parts: &[(usize, Vec<u8>)],
) -> [(&'static str, Vec<u8>); 2] {
    let mut word = vec![0; 0x400];
    set(&mut word, 0, &[0xEC, 0xA5, 0xC1, 0]);
    set(&mut word, 0x0A, &[0, 2]);
    (word[0x20], word[0x3E]) = (14, 22);
    let (mut positions, mut pieces) = (vec![], vec![]);
    let (mut starts, mut papx) = (vec![], vec![]);
    let (mut run_starts, mut chpx) = (vec![], vec![]);
    let mut length = 0;
    for (style, sprms, runs) in paragraphs {
        let is_narrow = runs.iter().all(|(text, _)| text.chars().all(|c| c < '\u{100}'));
        let place = if is_narrow { (word.len() * 2) | 0x4000_0000 } else { word.len() };
        positions.extend(number(length));
        pieces.extend([&[0, 0], &number(place)[..], &[0, 0]].concat());
        starts.push(word.len());
        let grpprl = [&style.to_le_bytes(), *sprms].concat();
        let words = u8::try_from(grpprl.len().div_ceil(2)).unwrap();
        papx.push([&[0, words][..], &grpprl].concat());
        for (text, sprms) in *runs {
            run_starts.push(word.len());
            chpx.push([&[u8::try_from(sprms.len()).unwrap()], *sprms].concat());
            length += text.encode_utf16().count();
            match is_narrow {
                true => word.extend(text.chars().map(|c| c as u8)),
                false => word.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            }
        }
    }
    let end = word.len();
    positions.extend(number(length));
    starts.push(end);
    run_starts.push(end);
    word.resize(end.next_multiple_of(512), 0);
    let first = word.len() / 512;
    word.extend(page(&starts, &papx, 13));
    word.extend(page(&run_starts, &chpx, 1));
    let pages = |page: usize| [number(0x400), number(end), number(page)].concat();
    let list = [positions, pieces].concat();
    let styles = [
        &[4, 0, 3, 0, 10, 0][..],
        // Normal; "heading 2"; a user's style with an outline level; one based on it.
        &[10, 0, 0, 0, 0xF1, 0xFF, 0, 0, 0, 0, 0, 0],
        &[10, 0, 2, 0, 0x01, 0, 0, 0, 0, 0, 0, 0],
        &[24, 0, 0xFE, 0x0F, 0x01, 0, 0, 0, 0, 0, 0, 0, 1, 0, b'N', 0, 0, 0, 5, 0, 2, 0, 0x40, 0x26],
    ]
    .concat();
    let styles = [&styles[..], &[2, 0], &[10, 0, 0xFE, 0x0F, 0x21, 0, 0, 0, 0, 0, 0, 0]].concat();
    let mut table = vec![];
    let own = [
        (STYLES, styles),
        (PARAGRAPH_PAGES, pages(first)),
        (CHARACTER_PAGES, pages(first + 1)),
        (PIECES, [&[2], &number(list.len())[..], &list].concat()),
    ];
    for (part, bytes) in own.iter().chain(parts) {
        set(&mut word, 0x9A + 8 * part, &[number(table.len()), number(bytes.len())].concat());
        table.extend(bytes);
    }
    set(&mut word, 0x4C, &number(length));
    for (story, count) in counts {
        set(&mut word, 0x4C + 4 * story, &number(*count));
    }
    [("WordDocument", word), ("1Table", table)]
}

fn read(streams: &[(&str, Vec<u8>)]) -> Result<Extracted, Failure> {
    extract(&made_of(streams), &Limits::default()).map(|made| made.validated().unwrap())
}

#[test]
fn a_text_has_headings_and_no_deletions() {
    let paragraphs: &[Paragraph<'_>] = &[
        (1, &[], &[("Part\u{96}one\r", &[])]),
        (0, &[], &[("Kept ", &[]), ("gone ", DELETED), ("secret ", HIDDEN), ("\u{93}text\u{94}.\r", &[])]),
        (3, &[], &[("Own level\r", &[])]),
        (0, &[], &[("Wider Текст 😀\u{B}line\u{1E}\u{1F}end\u{1}\r", &[])]),
        (0, &[], &[("See \u{13} HYPERLINK \u{13}x\u{14}y\u{15} \u{14}the page\u{15}.\u{C}", &[])]),
        (0, &[0x2C, 0x44, 1, 0], &[("O\r", &[])]),
        (0, &[], &[("nce.\r", &[])]),
    ];
    let made = read(&streams(paragraphs, &[], &[])).unwrap();
    assert_eq!(
        made.text,
        "Part–one\n\nKept “text”.\n\nOwn level\n\nWider Текст 😀\nline-end\n\nSee the page.\n\nOnce."
    );
    let headings: Vec<_> =
        made.outline.headings.iter().map(|one| (one.span.of(&made.text).unwrap(), one.level)).collect();
    assert_eq!(headings, [("Part–one", 2), ("Own level", 3)]);
}

#[test]
fn a_table_has_rows_and_may_hold_another_one() {
    let paragraphs: &[Paragraph<'_>] = &[
        (0, &[], &[("Before.\r", &[])]),
        (0, CELL, &[("Item\u{7}", &[])]),
        (0, CELL, &[("Price\u{7}", &[])]),
        (0, HEADER_ROW_END, &[("\u{7}", &[])]),
        (0, CELL, &[("two\r", &[])]),
        (0, CELL, &[("lines\u{7}", &[])]),
        (0, CELL, &[("\u{7}", &[])]),
        (0, ROW_END, &[("\u{7}", &[])]),
        (0, INNER_CELL, &[("a\r", &[])]),
        (0, INNER_CELL, &[("b\r", &[])]),
        (0, INNER_ROW_END, &[("\r", &[])]),
        (0, CELL, &[("outer\u{7}", &[])]),
        (0, CELL, &[("last\u{7}", &[])]),
        (0, ROW_END, &[("\u{7}", &[])]),
        (0, &[], &[("After.\r", &[])]),
    ];
    let made = read(&streams(paragraphs, &[], &[])).unwrap();
    assert_eq!(made.text, "Before.\n\nItem\tPrice\ntwo lines\na b outer\tlast\n\nAfter.");
    assert_eq!(made.outline.tables[0].span.of(&made.text), Some("Item\tPrice"));
}

#[test]
fn notes_boxes_and_headers_come_after_the_text() {
    let paragraphs: &[Paragraph<'_>] = &[
        (0, &[], &[("Body\u{2} and \u{8}box.\r", &[])]),
        (0, &[], &[("\u{2} Footnote.\r", &[])]),
        (0, &[], &[("\u{3}\r", &[])]),
        (0, &[], &[("Letterhead\r", &[])]),
        (0, &[], &[("Letterhead\r", &[])]),
        (0, &[], &[("\u{5}Comment.\r", &[])]),
        (0, &[], &[("Boxed.\r", &[])]),
        (0, &[], &[("Grouped.\r", &[])]),
    ];
    let counts = [(MAIN, 16), (FOOTNOTES, 12), (HEADER, 24), (COMMENTS, 10), (BOX, 16)];
    let positions = |all: &[usize]| all.iter().flat_map(|one| number(*one)).collect::<Vec<_>>();
    let shape = |number: u8| [&[0; 14][..], &[number], &[0; 7]].concat();
    let parts = [
        (HEADERS, positions(&[0, 2, 2, 2, 2, 2, 2, 13, 24, 24])),
        (ANCHORS, [positions(&[10, 16]), vec![7], vec![0; 25]].concat()),
        (BOXES, [positions(&[0, 7, 16]), shape(7), shape(9)].concat()),
    ];
    let made = read(&streams(paragraphs, &counts, &parts)).unwrap();
    assert_eq!(made.text, "Body and box.\n\nBoxed.\n\nGrouped.\n\nFootnote.\n\nComment.\n\nLetterhead");
}

#[test]
fn word_95_is_read() {
    let text = b"\xCF\xF0\xE8 gone\rCell\x07\x07After\r";
    let mut word = vec![0; 0x400];
    set(&mut word, 0, &[0xDC, 0xA5, 0x68, 0, 0, 0, 0x19, 4]);
    set(&mut word, 0x18, &number(0x400));
    set(&mut word, 0x34, &number(text.len()));
    word.extend(text);
    word.resize(0x600, 0);
    // Only character properties: a deletion.
    word.extend(page(&[0x404, 0x408], &[vec![2, 65, 1]], 1));
    set(&mut word, 0x58 + 8 * CHARACTER_PAGES, &[number(0x800), number(10)].concat());
    word.extend([&number(0x404)[..], &number(0x408), &[3, 0]].concat());
    assert_eq!(read(&[("WordDocument", word)]).unwrap().text, "При\n\nCell\n\nAfter");
}

#[test]
fn an_encrypted_document_asks_for_its_password_and_a_damaged_one_is_broken() {
    let mut sound = streams(&[(0, &[], &[("Text.\r", &[])])], &[], &[]);
    let code = |streams: &[(&str, Vec<u8>)]| read(streams).unwrap_err().code;
    assert_eq!(code(&sound[..1]), FailureCode::Broken, "there is no table stream");
    sound[0].1[0x0B] |= 1;
    assert_eq!(code(&sound), FailureCode::Encrypted);
    sound[0].1[0] = 0;
    assert_eq!(code(&sound), FailureCode::Broken);
}

#[test]
fn pieces_that_repeat_a_text_are_not_read_for_ever() {
    let repeated: Vec<u8> = (0..4000).flat_map(|index| number(index * 1000)).collect();
    let piece = [&[0, 0], &number(0x4000_0000)[..], &[0, 0]].concat();
    let list = [repeated, piece.repeat(3999)].concat();
    let pieces = (PIECES, [&[2], &number(list.len())[..], &list].concat());
    let streams = streams(&[(0, &[], &[("Text.\r", HIDDEN)])], &[(MAIN, 3_999_000)], &[pieces]);
    assert_eq!(read(&streams).unwrap_err().code, FailureCode::Broken);
}
