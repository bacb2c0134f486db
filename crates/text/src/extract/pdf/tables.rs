//! Joins columns of a table that were drawn one after the other to rows.
//!
//! Two blocks side by side whose lines share baselines are columns of one table, unless both contain running text or a
//! gutter separates them. Numbers beside the lines of a list or of notes are the same case.

use super::columns::Gutter;
use super::layout::{Draft, Line, Segment};

/// With more blocks, a page is a drawing and not a table …
const MAX_BLOCKS: usize = 400;
/// … and also with more lines.
const MAX_LINES: usize = 5000;
/// Lines of a cell have fewer glyphs on average; running text has more.
const CELL_GLYPHS: usize = 16;

/// Joins the columns of tables among `drafts`.
pub(super) fn join_columns(drafts: &mut Vec<Draft>, gutters: &[Gutter]) {
    if drafts.len() > MAX_BLOCKS || drafts.iter().map(|draft| draft.lines.len()).sum::<usize>() > MAX_LINES {
        return;
    }
    let mut at = 0;
    while at < drafts.len() {
        let partner = (at + 1..drafts.len()).find(|&other| are_columns(&drafts[at], &drafts[other], gutters));
        match partner {
            Some(other) => {
                let column = drafts.remove(other);
                join(&mut drafts[at], column);
            }
            None => at += 1,
        }
    }
}

fn are_columns(one: &Draft, other: &Draft, gutters: &[Gutter]) -> bool {
    if one.angle != other.angle || one.bottom < other.top || other.bottom < one.top {
        return false;
    }
    let (left, right) = if one.u0 <= other.u0 { (one, other) } else { (other, one) };
    let (top, bottom) = (left.top.max(right.top), left.bottom.min(right.bottom));
    if gutters.iter().any(|gutter| gutter.divides(left.u1, right.u0, top, bottom)) {
        return false;
    }
    let (few, many) = if one.lines.len() <= other.lines.len() { (one, other) } else { (other, one) };
    let matched =
        few.lines.iter().filter(|line| many.lines.iter().any(|beside| share_a_row(line, beside))).count();
    if matched * 5 < few.lines.len() * 3 {
        return false;
    }
    // Numbers and bullets are close to the left of their lines; cells are beside cells, figures beside labels.
    let marks = std::ptr::eq(few, left) && is_marks(few) && right.u0 - left.u1 < 4.0 * right.lines[0][0].size;
    let labelled = (is_cells(few) || is_cells(many)) && matched * 2 >= many.lines.len();
    marks || labelled
}

fn share_a_row(one: &Line, other: &Line) -> bool {
    let size = one[0].size.max(other[0].size);
    let apart =
        || one.iter().all(|a| other.iter().all(|b| a.u1 <= b.u0 + 0.2 * size || b.u1 <= a.u0 + 0.2 * size));
    (one[0].v - other[0].v).abs() < 0.3 * size && apart()
}

fn is_cells(draft: &Draft) -> bool {
    let glyphs: usize = draft.lines.iter().flatten().map(Segment::inked).sum();
    let cells: usize = draft.lines.iter().map(Vec::len).sum();
    glyphs < CELL_GLYPHS * cells
}

/// Whether it consists of note numbers, bullets or letters of a list.
fn is_marks(draft: &Draft) -> bool {
    draft.lines.iter().all(|line| line.iter().map(Segment::inked).sum::<usize>() <= 4)
}

fn join(draft: &mut Draft, column: Draft) {
    draft.u0 = draft.u0.min(column.u0);
    draft.u1 = draft.u1.max(column.u1);
    draft.top = draft.top.min(column.top);
    draft.bottom = draft.bottom.max(column.bottom);
    for line in column.lines {
        match draft.lines.iter_mut().find(|beside| share_a_row(&line, beside)) {
            Some(beside) => beside.extend(line),
            None => draft.lines.push(line),
        }
    }
    draft.lines.sort_by(|a, b| a[0].v.total_cmp(&b[0].v));
}
