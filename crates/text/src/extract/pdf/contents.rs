//! Tables of contents and indexes of a PDF: rows that name pages and have no other content.

use oriel_core::ByteSpan;

use super::super::contents::{is_index_entry, merged, page_of_entry, runs};
use super::layout::Written;

/// An index has at least this many entries on a page …
const MIN_INDEX_ENTRIES: usize = 12;
/// … and they are at least this share of its rows.
const MIN_INDEX_SHARE: f32 = 0.4;

/// The parts of the text that are tables of contents or an index; ascending, and they do not touch. `rows` are in
/// reading order.
pub(super) fn contents(rows: &[Written<'_>]) -> Vec<ByteSpan> {
    let pages = rows.last().map_or(0, |row| row.page as u32 + 1);
    let mut found = entries(rows, pages);
    for page in rows.chunk_by(|a, b| a.page == b.page) {
        let entries = page.iter().filter(|row| is_index_entry(&row.row.text, pages)).count();
        if entries >= MIN_INDEX_ENTRIES && entries as f32 >= MIN_INDEX_SHARE * page.len() as f32 {
            found.push(page[0].span.hull(page[page.len() - 1].span));
        }
    }
    merged(found)
}

/// Runs of entries with rows of dots whose pages exist.
fn entries(rows: &[Written<'_>], pages: u32) -> Vec<ByteSpan> {
    let runs = runs(rows.iter().map(|row| page_of_entry(&row.row.text).filter(|page| *page <= pages)));
    runs.into_iter().map(|run| rows[run.start].span.hull(rows[run.end - 1].span)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::layout::Row;
    use super::*;

    /// The tables of contents in a text with one row per line, whose pages are separated by `---`.
    fn read(text: &str) -> Vec<String> {
        let (mut rows, mut at, mut page) = (Vec::new(), 0_u32, 0);
        for line in text.lines() {
            let length = u32::try_from(line.len()).unwrap();
            if line == "---" {
                page += 1;
            } else {
                rows.push((
                    Row { text: line.to_owned(), ..Row::default() },
                    ByteSpan::new(at, at + length),
                    page,
                ));
            }
            at += length + 1;
        }
        let written: Vec<Written<'_>> = rows
            .iter()
            .map(|(row, span, page)| Written { row, span: *span, begins: true, page: *page })
            .collect();
        contents(&written).iter().map(|span| span.of(text).unwrap().to_owned()).collect()
    }

    #[test]
    fn entries_with_dots_and_ascending_pages_are_contents() {
        let contents = "Preface . . . . . iii\n1 Rules ....... 1\n1.1 A long entry that goes on\nin the next row ..... 2\nIndex … … 3";
        let text = format!("Manual\n{contents}\n---\nText.\n---\nMore.\n---\nLast.");
        assert_eq!(read(&text), [contents]);
    }

    #[test]
    fn prices_after_dots_are_none() {
        assert!(read("Coffee ..... 3\nTea ..... 2\nCake ..... 4\nBread ..... 1\nWater ..... 1").is_empty());
        assert!(read("Coffee ..... 2.50\nTea ..... 2.80\nCake ..... 3.10\nBread ..... 4.00").is_empty());
    }

    #[test]
    fn a_page_of_names_and_pages_is_an_index() {
        let index: Vec<String> = (1..20).map(|n| format!("entry {n}, {n}, {}–{}", n + 1, n + 2)).collect();
        let text = format!("Text with figures, 12\n---\nB\n{}", index.join("\n"));
        let found = read(&text);
        assert!(found.len() == 1 && found[0].starts_with("B\nentry 1, 1"), "{found:?}");
    }
}
