//! Combines segments to rows and rows to blocks, and puts a page's blocks into reading order.
//!
//! The content stream gives the order. Geometry overrules it only where the stream jumps: a segment that continues an
//! earlier block joins it, columns of a table become rows, and a block above another that it overlaps comes first. This
//! module handles one page at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::columns::{Gutter, gutters};
use super::glyphs::PageGlyphs;
use super::layout::{Block, Draft, Glyph, Line, Row, Segment};
use super::tables;
use super::words::words;

/// With more blocks (maps, drawings), the order of the content stream is kept.
const MAX_SORTED_BLOCKS: usize = 1500;
/// The number of recently extended blocks that a segment may join.
const OPEN_BLOCKS: usize = 12;
/// Maximum number of segments in a line; more are a drawing.
const MAX_LINE_SEGMENTS: usize = 500;
/// Maximum distance of baselines in a block, in ems.
const BLOCK_GAP: f32 = 2.1;

/// The blocks of a page in reading order.
pub(super) fn blocks(page: &PageGlyphs, segments: Vec<Segment>) -> Vec<Block> {
    let gutters = gutters(&segments);
    let mut drafts = drafts(segments, &gutters);
    tables::join_columns(&mut drafts, &gutters);
    in_reading_order(drafts).into_iter().map(|draft| draft.read(page)).collect()
}

/// The blocks of a page with known areas, each with its lines from the top down.
pub(super) fn of_areas(page: &PageGlyphs, areas: Vec<Vec<Segment>>) -> Vec<Block> {
    let drafts = areas.into_iter().filter_map(|lines| {
        let mut lines = lines.into_iter();
        let mut draft = Draft::new(lines.next()?);
        for line in lines {
            draft.include(&line);
            draft.lines.push(vec![line]);
        }
        Some(draft)
    });
    drafts.map(|draft| draft.read(page)).collect()
}

/// Adds each segment to the block that it continues.
fn drafts(segments: Vec<Segment>, gutters: &[Gutter]) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    // Indices of blocks; the most recently extended is at the end.
    let mut open: Vec<usize> = Vec::new();
    for segment in segments {
        let candidates = || open.iter().rev().take(OPEN_BLOCKS).copied();
        let at = if let Some(at) = candidates().find(|&at| drafts[at].continues_line(&segment, gutters)) {
            drafts[at].include(&segment);
            let last = drafts[at].lines.len() - 1;
            drafts[at].lines[last].push(segment);
            at
        } else if let Some(at) = candidates().find(|&at| drafts[at].continues_below(&segment)) {
            drafts[at].include(&segment);
            drafts[at].lines.push(vec![segment]);
            at
        } else {
            drafts.push(Draft::new(segment));
            drafts.len() - 1
        };
        open.retain(|&other| other != at);
        open.push(at);
    }
    drafts
}

impl Draft {
    fn new(segment: Segment) -> Self {
        let (u0, u1, top, bottom) = (segment.u0, segment.u1, segment.v - segment.size, segment.v);
        Self { angle: segment.angle, lines: vec![vec![segment]], u0, u1, top, bottom }
    }

    fn last(&self) -> &Line {
        &self.lines[self.lines.len() - 1]
    }

    /// Whether `segment` is on the baseline of the last line, beside it.
    fn continues_line(&self, segment: &Segment, gutters: &[Gutter]) -> bool {
        let line = self.last();
        let anchor = &line[0];
        let size = anchor.size.max(segment.size);
        let same = self.angle == segment.angle && (anchor.v - segment.v).abs() < 0.35 * size;
        let free = |other: &Segment| {
            let tolerance = 0.3 * size;
            other.u1 < segment.u0 + tolerance || segment.u1 < other.u0 + tolerance
        };
        let parted = |other: &Segment| {
            let (left, right) = if other.u0 <= segment.u0 { (other, segment) } else { (segment, other) };
            gutters.iter().any(|gutter| gutter.parts(left, right))
        };
        same && line.len() < MAX_LINE_SEGMENTS && line.iter().all(free) && !line.iter().any(parted)
    }

    /// Whether `segment` is directly below the last line.
    fn continues_below(&self, segment: &Segment) -> bool {
        let above = &self.last()[0];
        let size = above.size.max(segment.size);
        let down = segment.v - above.v;
        let overlap = self.u1.min(segment.u1) - self.u0.max(segment.u0);
        self.angle == segment.angle && down > 0.35 * size && down < BLOCK_GAP * size && overlap > 0.0
    }

    fn include(&mut self, segment: &Segment) {
        self.u0 = self.u0.min(segment.u0);
        self.u1 = self.u1.max(segment.u1);
        self.top = self.top.min(segment.v - segment.size);
        self.bottom = self.bottom.max(segment.v);
    }

    /// Whether this block must be read before `other`, regardless of the stream's order.
    fn above(&self, other: &Self) -> bool {
        let overlap = self.u1.min(other.u1) - self.u0.max(other.u0);
        let narrower = (self.u1 - self.u0).min(other.u1 - other.u0);
        self.angle == other.angle && self.bottom <= other.top + 1.0 && overlap > 0.1 * narrower
    }

    fn read(self, page: &PageGlyphs) -> Block {
        let rows =
            self.lines.into_iter().map(|line| read_line(page, line)).filter(|row| !row.text.is_empty());
        Block { rows: rows.collect(), angle: self.angle, u0: self.u0, u1: self.u1 }
    }
}

fn read_line(page: &PageGlyphs, mut line: Line) -> Row {
    line.sort_by(|a, b| a.u0.total_cmp(&b.u0));
    let widest = |a: &&Segment, b: &&Segment| (a.u1 - a.u0).total_cmp(&(b.u1 - b.u0));
    let (v, size) = line.iter().max_by(widest).map_or((0.0, 1.0), |segment| (segment.v, segment.size));
    let u0 = line.iter().map(|segment| segment.u0).fold(f32::INFINITY, f32::min);
    let u1 = line.iter().map(|segment| segment.u1).fold(f32::NEG_INFINITY, f32::max);
    let rtl = line.iter().any(|segment| segment.rtl);
    let alone = line.iter().any(|segment| segment.alone);
    let bold = line.iter().flat_map(|segment| &segment.glyphs).all(|glyph| glyph.space || glyph.bold);
    let glyphs: Vec<Glyph> = line.into_iter().flat_map(|segment| segment.glyphs).collect();
    let leading = glyphs.iter().take_while(|glyph| glyph.space || glyph.bold).filter(|glyph| !glyph.space);
    let led = if bold || rtl { 0 } else { leading.map(|glyph| page.characters(glyph).len()).sum() };
    let words = words(page, glyphs, rtl);
    let bold_bytes = whole_words(&words.text, led);
    Row {
        text: words.text,
        cells: words.cells,
        u0,
        u1,
        v,
        size,
        bold,
        bold_bytes,
        rtl,
        alone,
        trace: words.trace,
    }
}

/// The end of the first `bytes` non-blank bytes of a text, if a word ends there; otherwise 0.
fn whole_words(text: &str, bytes: usize) -> usize {
    let mut left = bytes;
    let ends = text.char_indices().filter(|(_, c)| !c.is_whitespace()).find_map(|(at, c)| {
        left = left.saturating_sub(c.len_utf8());
        (left == 0).then_some(at + c.len_utf8())
    });
    ends.filter(|end| bytes > 0 && !text[*end..].starts_with(char::is_alphanumeric)).unwrap_or(0)
}

/// A topological order: upper blocks come first, and the stream's order decides between blocks side by side.
fn in_reading_order(drafts: Vec<Draft>) -> Vec<Draft> {
    if drafts.len() > MAX_SORTED_BLOCKS {
        return drafts;
    }
    let mut waits_for = vec![0_usize; drafts.len()];
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); drafts.len()];
    for (at, draft) in drafts.iter().enumerate() {
        for (below, other) in drafts.iter().enumerate() {
            if at != below && draft.above(other) && !other.above(draft) {
                followers[at].push(below);
                waits_for[below] += 1;
            }
        }
    }
    let mut next: BinaryHeap<Reverse<usize>> =
        (0..drafts.len()).filter(|&at| waits_for[at] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(drafts.len());
    while let Some(Reverse(at)) = next.pop() {
        order.push(at);
        for &below in &followers[at] {
            waits_for[below] -= 1;
            if waits_for[below] == 0 {
                next.push(Reverse(below));
            }
        }
    }
    let mut drafts: Vec<Option<Draft>> = drafts.into_iter().map(Some).collect();
    let mut ordered: Vec<Draft> = order.into_iter().filter_map(|at| drafts[at].take()).collect();
    // `above` tolerates a point of overlap, so very thin blocks may wait for one another.
    ordered.extend(drafts.into_iter().flatten());
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bold_words_end_where_a_word_ends() {
        assert_eq!(whole_words("Scope. This is for all.", 6), 6);
        assert_eq!(whole_words("Who pays? We do.", 8), 9, "spaces are not counted");
        assert_eq!((whole_words("Scopes", 5), whole_words("Scope.", 0)), (0, 0));
    }
}
