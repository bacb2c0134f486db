//! Blocks of texts with one paragraph per line (DOCX, HTML), and table rows in any text.

use std::ops::Range;

use super::block::{Block, Shape};
use super::mark;

/// Maximum bytes of a table row that stays one sentence.
pub(super) const MAX_ROW_BYTES: usize = 300;
/// Maximum bytes of cells in a longer row that are joined to their neighbours.
const MAX_JOINED_CELL_BYTES: usize = 60;

/// Calls `take` with each block of `text`. A tab or `gap` spaces separate the cells of a row.
pub(super) fn blocks(text: &str, gap: usize, take: &mut dyn FnMut(&Block)) {
    let mut block = Block::new(Shape::Prose);
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{c}']) {
        let end = start + line.trim_end().len();
        let indent = line.len() - line.trim_start().len();
        if start + indent < end {
            row(text, start + indent..end, gap, &mut |range, shape| {
                block.clear(shape);
                block.push(&text[range.clone()], range);
                take(&block);
            });
        }
        start += line.len();
    }
}

/// One line: a paragraph, or a row of cells. In a row that is too long, short cells stay together (a label and its
/// figures) and a long cell becomes a paragraph.
fn row(text: &str, line: Range<usize>, gap: usize, take: &mut dyn FnMut(Range<usize>, Shape)) {
    let body = line.start + mark::list_mark_len(&text[line.clone()]);
    let cells: Vec<&str> = cells(&text[body..line.end], gap).collect();
    if cells.len() < 2 {
        return take(line, Shape::Prose);
    }
    if line.len() <= MAX_ROW_BYTES {
        return take(line, Shape::Whole);
    }
    let (mut from, mut at) = (line.start, body);
    for cell in cells {
        let end = at + cell.len();
        let long = cell.len() > MAX_JOINED_CELL_BYTES;
        if from < at && (long || end - from > MAX_ROW_BYTES) {
            take(from..at, Shape::Whole);
            from = at;
        }
        if long {
            take(from..end, Shape::Prose);
            from = end;
        }
        at = end;
    }
    if from < line.end {
        take(from..line.end, Shape::Whole);
    }
}

/// Whether `line` is a row of a table laid out with white space: mostly short cells separated by a tab or `gap` spaces.
/// A list mark before a gap, or the space between two sentences, does not make a row.
pub(super) fn is_row(line: &str, gap: usize) -> bool {
    if line.len() > MAX_ROW_BYTES {
        return false;
    }
    let cells: Vec<&str> = cells(&line[mark::list_mark_len(line)..], gap).map(str::trim_end).collect();
    let short = cells.iter().filter(|cell| cell.len() <= MAX_JOINED_CELL_BYTES).count();
    let Some((_, before)) = cells.split_last() else { return false };
    short * 2 >= cells.len() && !before.iter().all(|cell| mark::ends_sentence(cell))
}

/// The cells of `line`, each with the white space after it.
fn cells(line: &str, gap: usize) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let mut spaces = 0;
        let mut parted = false;
        for (at, c) in rest.char_indices() {
            if c.is_whitespace() {
                spaces += 1;
                parted |= c == '\t' || spaces >= gap;
            } else if parted {
                let (cell, after) = rest.split_at(at);
                rest = after;
                return Some(cell);
            } else {
                spaces = 0;
            }
        }
        (!rest.is_empty()).then(|| std::mem::take(&mut rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_short_cells() {
        assert!(is_row("Paris    2.1", 3));
        assert!(is_row("Net sales  14,694  (28)", 2));
        assert!(!is_row("1.  The first item", 2));
        assert!(!is_row("It ended.   Then it began.", 3));
        assert!(!is_row("One cell", 2));
        assert_eq!(cells("a\tb  c d", 2).collect::<Vec<_>>(), ["a\t", "b  ", "c d"]);
    }
}
