//! Tables of contents and indexes of a PDF: rows that name pages and say nothing else.

use std::ops::Range;

use oriel_core::ByteSpan;

use super::outline::Written;

/// A table of contents has at least so many entries.
const MIN_ENTRIES: usize = 4;
/// Rows between two entries: a long entry takes several, and so does a heading of its parts.
const MAX_BETWEEN: usize = 3;
/// Dots between an entry and its page.
const MIN_DOTS: usize = 4;
/// An index has at least so many entries on a page …
const MIN_INDEX_ENTRIES: usize = 12;
/// … and they are this share of its rows.
const MIN_INDEX_SHARE: f32 = 0.4;
/// Pages before the first numbered one, in small letters.
const MAX_FRONT_MATTER: u32 = 60;

/// The parts of the text that are contents or an index, ascending and apart. `rows` are in reading order.
pub(super) fn contents(rows: &[Written<'_>]) -> Vec<ByteSpan> {
    let pages = rows.last().map_or(0, |row| row.page as u32 + 1);
    let mut found = entries(rows, pages);
    for page in rows.chunk_by(|a, b| a.page == b.page) {
        let entries = page.iter().filter(|row| is_index_entry(&row.row.text, pages)).count();
        if entries >= MIN_INDEX_ENTRIES && entries as f32 >= MIN_INDEX_SHARE * page.len() as f32 {
            found.push(page[0].span.hull(page[page.len() - 1].span));
        }
    }
    found.sort_by_key(|span| span.start);
    found.dedup_by(|next, kept| {
        let touches = next.start <= kept.end;
        if touches {
            *kept = kept.hull(*next);
        }
        touches
    });
    found
}

/// Runs of entries with rows of dots, whose pages exist.
fn entries(rows: &[Written<'_>], pages: u32) -> Vec<ByteSpan> {
    let runs = runs(rows.iter().map(|row| page_of_entry(&row.row.text).filter(|page| *page <= pages)));
    runs.into_iter().map(|run| rows[run.start].span.hull(rows[run.end - 1].span)).collect()
}

/// A run of entries.
struct Run {
    first: usize,
    last: usize,
    count: usize,
    /// The page of the last entry.
    page: u32,
}

/// The runs of lines that are entries of a table of contents, from the pages that lines name. They ascend there; in a list of prices they
/// do not.
pub(in crate::extract) fn runs(pages: impl Iterator<Item = Option<u32>>) -> Vec<Range<usize>> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, page) in pages.enumerate() {
        let Some(page) = page else { continue };
        match runs.last_mut() {
            Some(run) if at - run.last <= MAX_BETWEEN + 1 && run.page <= page => {
                *run = Run { last: at, count: run.count + 1, page, ..*run };
            }
            _ => runs.push(Run { first: at, last: at, count: 1, page }),
        }
    }
    let long = runs.iter().filter(|run| run.count >= MIN_ENTRIES);
    long.map(|run| run.first..run.last + 1).collect()
}

/// The page that an entry of a table of contents names after its row of dots; 0 for one in roman numerals.
pub(in crate::extract) fn page_of_entry(text: &str) -> Option<u32> {
    let text = text.trim_end();
    let head = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, 'i' | 'v' | 'x' | 'l'));
    let page = &text[head.len()..];
    let bare = head.trim_end_matches(['.', '·', '…', '_', ' ', '\u{a0}']);
    let dots =
        head[bare.len()..].chars().map(|c| if c == '…' { 3 } else { usize::from(c != ' ' && c != '\u{a0}') });
    if dots.sum::<usize>() < MIN_DOTS || !bare.contains(char::is_alphanumeric) {
        return None;
    }
    match page.parse() {
        Ok(page) => Some(page),
        Err(_) => (!page.is_empty() && !page.contains(|c: char| c.is_ascii_digit())).then_some(0),
    }
}

/// Whether a row ends in pages, as the entry of an index: `cache, 12, 45–47`.
fn is_index_entry(text: &str, pages: u32) -> bool {
    let mut parts = text.split(',').map(str::trim);
    let named = parts.next().is_some_and(|name| name.contains(char::is_alphabetic) && name.len() <= 80);
    let is_page = |part: &str| {
        let mut ends = part.split(['–', '-']).map(|end| end.trim().parse::<u32>());
        ends.all(|end| end.is_ok_and(|page| (1..=pages + MAX_FRONT_MATTER).contains(&page)))
    };
    named && parts.next_back().is_some_and(is_page)
}

#[cfg(test)]
mod tests {
    use super::super::blocks::Row;
    use super::*;

    /// The parts of a text that are contents, its rows one a line, on pages divided by `---`.
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
