//! Combines glyphs to segments: runs of glyphs on one baseline without a wide gap.
//!
//! This module follows the content stream, which has the author's order in nearly every PDF. It knows no words, columns
//! or paragraphs.

use super::glyphs::PageGlyphs;
use super::layout::{Glyph, Segment};

/// A gap of this many ems ends a segment: a column gutter, a table's cell border, or a very loose line.
const WIDE_GAP: f32 = 1.0;
/// Text up to this many ems higher or lower is on the same line: superscripts and subscripts.
const SAME_LINE: f32 = 0.45;

/// The segments of a page in the order of its content stream.
pub(super) fn segments(page: &PageGlyphs) -> Vec<Segment> {
    segments_of(page, &page.glyphs)
}

/// The segments of some glyphs on a page.
pub(super) fn segments_of(page: &PageGlyphs, glyphs: &[Glyph]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut open = Open::default();
    for glyph in glyphs {
        if glyph.space {
            open.spaces.push(*glyph);
            continue;
        }
        if !open.takes(glyph) {
            open.close_into(page, &mut segments);
        }
        open.push(*glyph);
    }
    open.close_into(page, &mut segments);
    segments
}

/// The current segment.
#[derive(Default)]
struct Open {
    glyphs: Vec<Glyph>,
    /// Spaces drawn after the last glyph; they are added if another glyph follows on the line.
    spaces: Vec<Glyph>,
    u0: f32,
    u1: f32,
    rtl: bool,
}

impl Open {
    fn takes(&self, next: &Glyph) -> bool {
        let Some(last) = self.glyphs.last() else { return true };
        let size = last.size.max(next.size);
        if last.angle != next.angle || (last.v - next.v).abs() > SAME_LINE * size {
            return false;
        }
        let wide = WIDE_GAP * size;
        if self.rtl || next.is_rtl() {
            return next.u1 > self.u0 - wide && next.u0 < self.u1 + wide;
        }
        let gap = next.u0 - last.u1;
        // A small step back is an accent or tight kerning; a larger one is another line, or the same line drawn again.
        gap < wide && gap > -0.7 * size && next.u0 > last.u0 - 0.5 * size
    }

    fn push(&mut self, glyph: Glyph) {
        if self.glyphs.is_empty() {
            self.spaces.clear();
            (self.u0, self.u1) = (glyph.u0, glyph.u1);
        }
        self.rtl |= glyph.is_rtl();
        self.u0 = self.u0.min(glyph.u0);
        self.u1 = self.u1.max(glyph.u1);
        self.glyphs.append(&mut self.spaces);
        self.glyphs.push(glyph);
    }

    fn close_into(&mut self, page: &PageGlyphs, segments: &mut Vec<Segment>) {
        let Self { glyphs, u0, u1, rtl, .. } = std::mem::take(self);
        let Some(first) = glyphs.first() else { return };
        let angle = first.angle;
        let mut sizes: Vec<f32> = glyphs.iter().map(|glyph| glyph.size).collect();
        let middle = sizes.len() / 2;
        let (_, &mut size, _) = sizes.select_nth_unstable_by(middle, f32::total_cmp);
        // The baseline of normal type, not of a superscript or a drop cap.
        let v = glyphs.iter().find(|glyph| (glyph.size - size).abs() < 0.1 * size).unwrap_or(first).v;
        let segment = Segment { glyphs, angle, u0, u1, v, size, rtl, alone: false };
        if !segments.iter().rev().take(8).any(|earlier| earlier.is_drawn_again_by(&segment, page)) {
            segments.push(segment);
        }
    }
}

impl Segment {
    /// The number of glyphs that are not spaces.
    pub(super) fn inked(&self) -> usize {
        self.glyphs.iter().filter(|glyph| !glyph.space).count()
    }

    /// Whether `later` repeats the same words at the same position to look bold or outlined.
    fn is_drawn_again_by(&self, later: &Self, page: &PageGlyphs) -> bool {
        let near = 0.25 * later.size;
        let characters = |segment: &Self| -> Vec<_> {
            segment.glyphs.iter().map(|glyph| page.characters(glyph)).collect()
        };
        self.angle == later.angle
            && (self.u0 - later.u0).abs() < near
            && (self.v - later.v).abs() < near
            && self.glyphs.len() == later.glyphs.len()
            && characters(self) == characters(later)
    }
}
