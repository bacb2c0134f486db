//! Blocks of texts that have one paragraph a line (DOCX, HTML), table cells separated by tabs.

use super::block::{Block, Shape};

/// Bytes up to which a row of a table stays one sentence.
const ROW: usize = 300;
/// Bytes up to which a cell of a longer row is joined to its neighbours.
const CELL: usize = 60;

/// Calls `take` with each block of `text`.
pub(super) fn blocks(text: &str, take: &mut dyn FnMut(&Block)) {
    let mut block = Block::new(Shape::Prose);
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{c}']) {
        row(text, start, line, &mut block, take);
        start += line.len();
    }
}

/// One line: a paragraph, or a row of cells.
fn row(text: &str, start: usize, line: &str, block: &mut Block, take: &mut dyn FnMut(&Block)) {
    let line = line.trim_end();
    let indent = line.len() - line.trim_start().len();
    let (start, line) = (start + indent, &line[indent..]);
    if line.is_empty() {
        return;
    }
    if !line.contains('\t') {
        block.clear(Shape::Prose);
        block.push(line, start..start + line.len());
        take(block);
        return;
    }
    if line.len() <= ROW {
        block.clear(Shape::Whole);
        block.push(line, start..start + line.len());
        take(block);
        return;
    }
    // A long row: short cells stay together (a label and its figures), a long cell is a paragraph of its own.
    let mut group: Option<usize> = None;
    let mut at = start;
    for cell in line.split_inclusive('\t') {
        let long = cell.len() > CELL;
        if let Some(from) = group.filter(|&from| long || at + cell.len() - from > ROW) {
            whole(text, from, at, Shape::Whole, block, take);
            group = None;
        }
        if long {
            whole(text, at, at + cell.len(), Shape::Prose, block, take);
        } else {
            group.get_or_insert(at);
        }
        at += cell.len();
    }
    if let Some(from) = group {
        whole(text, from, at, Shape::Whole, block, take);
    }
}

fn whole(
    text: &str,
    start: usize,
    end: usize,
    shape: Shape,
    block: &mut Block,
    take: &mut dyn FnMut(&Block),
) {
    block.clear(shape);
    block.push(&text[start..end], start..end);
    take(block);
}
