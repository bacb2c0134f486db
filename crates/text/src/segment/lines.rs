//! Blocks of texts with one paragraph per line (DOCX, HTML), and tabs between table cells.

use super::block::{Block, Shape};

/// A table row up to this many bytes stays one sentence.
const MAX_ROW_BYTES: usize = 300;
/// In a longer row, cells up to this many bytes are joined to their neighbours.
const MAX_JOINED_CELL_BYTES: usize = 60;

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
    if line.len() <= MAX_ROW_BYTES {
        block.clear(Shape::Whole);
        block.push(line, start..start + line.len());
        take(block);
        return;
    }
    // A long row: short cells stay together (a label and its figures), a long cell becomes a paragraph.
    let mut group: Option<usize> = None;
    let mut at = start;
    for cell in line.split_inclusive('\t') {
        let long = cell.len() > MAX_JOINED_CELL_BYTES;
        if let Some(from) = group.filter(|&from| long || at + cell.len() - from > MAX_ROW_BYTES) {
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
