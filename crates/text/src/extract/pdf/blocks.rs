//! Segments to rows, rows to blocks, and the blocks of a page in reading order.
//!
//! The content stream gives the order; geometry overrules it only where the stream jumps: a row that continues an
//! earlier block joins it, and a block above another that it overlaps comes first. Columns that are drawn row by row
//! are told from tables by their gutter. Knows one page and nothing of the others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::lines::Segment;

/// Beyond so many blocks (maps, drawings) the order of the content stream stands.
const MAX_SORTED_BLOCKS: usize = 1500;
/// A segment joins one of so many blocks that were last added to.
const OPEN_BLOCKS: usize = 12;
/// Baselines farther apart than so many ems are of different blocks.
const BLOCK_GAP: f32 = 2.1;
/// A column's line has so many characters at least; a table's cell seldom does.
const COLUMN_CHARS: usize = 22;

/// Segments on one baseline, in reading order: a line of text, or the cells of a table's row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) text: String,
    pub(super) cells: usize,
    pub(super) u0: f32,
    pub(super) u1: f32,
    pub(super) v: f32,
    pub(super) size: f32,
    pub(super) rtl: bool,
}

/// Rows that follow each other down the page.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) rows: Vec<Row>,
    pub(super) angle: i16,
    pub(super) u0: f32,
    pub(super) u1: f32,
    top: f32,
    bottom: f32,
}

/// The blocks of a page in reading order.
pub(super) fn blocks(segments: Vec<Segment>) -> Vec<Block> {
    let gutters = gutters(&segments);
    let mut blocks: Vec<Block> = Vec::new();
    // Indices of blocks, the one last added to at the end.
    let mut open: Vec<usize> = Vec::new();
    for segment in segments {
        let parted = |block: &Block| {
            let row = &block.rows[block.rows.len() - 1];
            gutters.iter().any(|gutter| gutter.parts(row, &segment))
        };
        let beside = |&&at: &&usize| blocks[at].continues_row(&segment) && !parted(&blocks[at]);
        let below = |&&at: &&usize| blocks[at].continues_below(&segment);
        let candidates = || open.iter().rev().take(OPEN_BLOCKS);
        let at = if let Some(&at) = candidates().find(beside) {
            blocks[at].extend_row(&segment);
            at
        } else if let Some(&at) = candidates().find(below) {
            blocks[at].push_row(segment);
            at
        } else {
            blocks.push(Block::new(segment));
            blocks.len() - 1
        };
        open.retain(|&other| other != at);
        open.push(at);
    }
    in_reading_order(blocks)
}

impl Row {
    fn new(segment: Segment) -> Self {
        let Segment { text, u0, u1, v, size, rtl, .. } = segment;
        Self { text, cells: 1, u0, u1, v, size, rtl }
    }
}

impl Block {
    fn new(segment: Segment) -> Self {
        let (u0, u1, top, bottom) = (segment.u0, segment.u1, segment.v - segment.size, segment.v);
        Self { angle: segment.angle, rows: vec![Row::new(segment)], u0, u1, top, bottom }
    }

    fn last(&self) -> &Row {
        &self.rows[self.rows.len() - 1]
    }

    /// Whether `segment` stands beside the last row, on its baseline.
    fn continues_row(&self, segment: &Segment) -> bool {
        let row = self.last();
        let size = row.size.max(segment.size);
        let ahead = if row.rtl || segment.rtl {
            segment.u1 < row.u0 + 0.3 * size || segment.u0 > row.u1 - 0.3 * size
        } else {
            segment.u0 > row.u1 - 0.3 * size
        };
        self.angle == segment.angle && (row.v - segment.v).abs() < 0.35 * size && ahead
    }

    /// Whether `segment` stands right below the last row.
    fn continues_below(&self, segment: &Segment) -> bool {
        let row = self.last();
        let size = row.size.max(segment.size);
        let down = segment.v - row.v;
        let overlap = self.u1.min(segment.u1) - self.u0.max(segment.u0);
        self.angle == segment.angle && down > 0.35 * size && down < BLOCK_GAP * size && overlap > 0.0
    }

    fn extend_row(&mut self, segment: &Segment) {
        let last = self.rows.len() - 1;
        let row = &mut self.rows[last];
        let gap = (segment.u0 - row.u1).max(row.u0 - segment.u1);
        // A gap below a wide word space is none of a table's: the line was only drawn in two pieces.
        let (separator, cells) = match gap / row.size.max(segment.size) {
            ..0.15 => ("", 0),
            ..1.4 => (" ", 0),
            _ => ("  ", 1),
        };
        let glued = separator.is_empty() && row.size / segment.size < 1.3 && segment.size / row.size < 1.3;
        row.text.push_str(if glued || row.text.ends_with(' ') { "" } else { separator.max(" ") });
        row.text.push_str(&segment.text);
        row.cells += cells;
        row.rtl |= segment.rtl;
        row.u0 = row.u0.min(segment.u0);
        row.u1 = row.u1.max(segment.u1);
        self.include(segment);
    }

    fn push_row(&mut self, segment: Segment) {
        self.include(&segment);
        self.rows.push(Row::new(segment));
    }

    fn include(&mut self, segment: &Segment) {
        self.u0 = self.u0.min(segment.u0);
        self.u1 = self.u1.max(segment.u1);
        self.top = self.top.min(segment.v - segment.size);
        self.bottom = self.bottom.max(segment.v);
    }

    /// Whether this block has to be read before `other`, wherever the stream has them.
    fn above(&self, other: &Self) -> bool {
        let overlap = self.u1.min(other.u1) - self.u0.max(other.u0);
        let narrower = (self.u1 - self.u0).min(other.u1 - other.u0);
        self.angle == other.angle && self.bottom <= other.top + 1.0 && overlap > 0.1 * narrower
    }
}

/// The white strip between two columns whose lines are drawn in turns.
struct Gutter {
    from: f32,
    to: f32,
    top: f32,
    bottom: f32,
}

impl Gutter {
    /// Whether `row` and `segment` stand on either side.
    fn parts(&self, row: &Row, segment: &Segment) -> bool {
        let margin = 3.0 * segment.size;
        let middle = (self.from + self.to) / 2.0;
        segment.v > self.top - margin
            && segment.v < self.bottom + margin
            && ((row.u1 <= middle && segment.u0 >= middle) || (segment.u1 <= middle && row.u0 >= middle))
    }
}

/// Strips that part long lines on both sides, time and again.
fn gutters(segments: &[Segment]) -> Vec<Gutter> {
    let mut gutters: Vec<(Gutter, usize)> = Vec::new();
    for pair in segments.windows(2) {
        let [left, right] = pair else { continue };
        let size = left.size.max(right.size);
        let same_row = left.angle == right.angle && (left.v - right.v).abs() < 0.35 * size && right.u0 > left.u1;
        let long = |segment: &Segment| segment.text.chars().count() >= COLUMN_CHARS;
        if !same_row || !long(left) || !long(right) {
            continue;
        }
        let (from, to) = (left.u1, right.u0);
        let found = gutters.iter_mut().find(|(gutter, _)| from.max(gutter.from) < to.min(gutter.to));
        if let Some((gutter, lines)) = found {
            gutter.from = gutter.from.max(from);
            gutter.to = gutter.to.min(to);
            gutter.top = gutter.top.min(left.v);
            gutter.bottom = gutter.bottom.max(left.v);
            *lines += 1;
        } else {
            gutters.push((Gutter { from, to, top: left.v, bottom: left.v }, 1));
        }
    }
    gutters.into_iter().filter(|(_, lines)| *lines >= 4).map(|(gutter, _)| gutter).collect()
}

/// A topological order: what stands above comes first, and the stream decides between blocks side by side.
fn in_reading_order(blocks: Vec<Block>) -> Vec<Block> {
    if blocks.len() > MAX_SORTED_BLOCKS {
        return blocks;
    }
    let mut waits_for = vec![0_usize; blocks.len()];
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (at, block) in blocks.iter().enumerate() {
        for (below, other) in blocks.iter().enumerate() {
            if at != below && block.above(other) && !other.above(block) {
                followers[at].push(below);
                waits_for[below] += 1;
            }
        }
    }
    let ready = |waits: &[usize]| (0..waits.len()).filter(|&at| waits[at] == 0).map(Reverse).collect();
    let mut next: BinaryHeap<Reverse<usize>> = ready(&waits_for);
    let mut order = Vec::with_capacity(blocks.len());
    while let Some(Reverse(at)) = next.pop() {
        order.push(at);
        for &below in &followers[at] {
            waits_for[below] -= 1;
            if waits_for[below] == 0 {
                next.push(Reverse(below));
            }
        }
    }
    // `above` descends the page, so there is no cycle and every block is in the order.
    let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| blocks[at].take()).collect()
}
