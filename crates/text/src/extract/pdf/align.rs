//! Finds the rows of one page in the document's text.
//!
//! [`super::flow`] joined words over line ends, moved line breaks and dropped soft hyphens; [`super::furniture`] left
//! out some rows at the edges. Everything else is in the text in the order of the rows. Except for white space and
//! line-end hyphens, both must be equal in every character; otherwise the text is not that of this page. So one page
//! can be found without reading the others, on which headers and hyphens depended.

use super::furniture::{self, PageBlocks};
use super::layout::Row;

/// The start of each row of `page` in `text`, in the order of the blocks; `None` for a row that was left out. Returns
/// nothing if the text is not that of the page.
pub(super) fn align(page: &PageBlocks, text: &str) -> Option<Vec<Option<usize>>> {
    let [top, bottom] = furniture::candidates(page);
    let mut paths = vec![Path { at: 0, begins: Vec::new() }];
    for (block, found) in page.blocks.iter().enumerate() {
        for (number, row) in found.rows.iter().enumerate() {
            let place = (block, number);
            let (at_top, at_bottom) = (top.contains(&place), bottom.contains(&place));
            let mut next: Vec<Path> = Vec::new();
            for path in paths {
                let skip = (at_top || at_bottom).then(|| path.clone().then(None, path.at));
                let end = match_row(&row.text, text, path.at, |_, _| {});
                let take = end.map(|end| {
                    let begin = Some(path.at);
                    path.then(begin, end)
                });
                // If two rows are equal, the one nearer to the edge is the header.
                let ways = if at_top { [skip, take] } else { [take, skip] };
                for way in ways.into_iter().flatten() {
                    // Candidates at the same position continue in the same way, so only the first is kept.
                    if next.iter().all(|other| other.at != way.at) {
                        next.push(way);
                    }
                }
            }
            paths = next;
        }
    }
    paths.into_iter().find(|path| skipped(text, path.at) == text.len()).map(|path| path.begins)
}

/// A candidate alignment of the rows so far.
#[derive(Clone)]
struct Path {
    /// The end of the last row in the text.
    at: usize,
    begins: Vec<Option<usize>>,
}

impl Path {
    fn then(mut self, begin: Option<usize>, at: usize) -> Self {
        self.begins.push(begin);
        Self { at, begins: self.begins }
    }
}

/// Compares `row` with `text` from `from` on. Calls `each` with the byte offsets of every visible character in row and
/// text, and returns the end of the row in the text, or nothing if the text differs.
pub(super) fn match_row(
    row: &str,
    text: &str,
    from: usize,
    mut each: impl FnMut(usize, usize),
) -> Option<usize> {
    let mut at = from;
    let mut last = from;
    for (offset, c) in row.char_indices() {
        if c.is_whitespace() {
            continue;
        }
        let next = skipped(text, at);
        if c == '\u{AD}' {
            // The character is drawn but not in the text, so it belongs to the previous character.
            each(offset, last);
        } else if text[next..].starts_with(c) {
            each(offset, next);
            last = next;
            at = next + c.len_utf8();
        } else if offset > 0 && is_hyphen(c) && offset + c.len_utf8() == row.len() {
            each(offset, last);
        } else {
            return None;
        }
    }
    // A row ends with its line, unless its last word continues in the next row.
    let rest = text[at..].trim_start_matches('\u{AD}');
    (rest.is_empty() || rest.starts_with('\n') || row.ends_with(is_hyphen)).then_some(at)
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{AD}' | '\u{2010}')
}

/// The next visible character at or after `at`.
fn skipped(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == '\u{AD}').len()
}

/// The rows of a page in the order of the blocks.
pub(super) fn rows(page: &PageBlocks) -> impl Iterator<Item = (&Row, i16)> {
    page.blocks.iter().flat_map(|block| block.rows.iter().map(|row| (row, block.angle)))
}
