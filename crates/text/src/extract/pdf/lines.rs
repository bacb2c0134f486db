//! Glyphs to segments: runs of text on one baseline without a wide gap.
//!
//! Follows the content stream, which keeps the author's order in nearly every PDF. Knows nothing of columns or
//! paragraphs. [`Segment::from_glyphs`] is the one place where glyphs become characters of the text.

use super::bidi;
use super::glyphs::{Glyph, PageGlyphs};

/// A gap of so many ems ends a segment: a column gutter, a table's cell border, or a very loose line.
const WIDE_GAP: f32 = 1.0;
/// A gap of so many ems parts words where no space is drawn.
const WORD_GAP: f32 = 0.17;
/// So many ems up or down are still the same line: superscripts and subscripts.
const SAME_LINE: f32 = 0.45;

/// Text on one baseline.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) text: String,
    pub(super) angle: i16,
    pub(super) u0: f32,
    pub(super) u1: f32,
    pub(super) v: f32,
    /// Font size in points, of most of its glyphs.
    pub(super) size: f32,
    pub(super) rtl: bool,
}

/// The segments of a page in the order of its content stream.
pub(super) fn segments(page: &PageGlyphs) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut open = Open::default();
    for glyph in &page.glyphs {
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

/// The segment that is being read.
#[derive(Default)]
struct Open {
    glyphs: Vec<Glyph>,
    /// Spaces drawn after the last glyph; they count once another glyph follows on the line.
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
        if self.rtl || next.rtl {
            return next.u1 > self.u0 - wide && next.u0 < self.u1 + wide;
        }
        let gap = next.u0 - last.u1;
        // A step back is an accent or tight kerning; farther back is another line, or the same one drawn again.
        gap < wide && gap > -0.7 * size && next.u0 > last.u0 - 0.5 * size
    }

    fn push(&mut self, glyph: Glyph) {
        if self.glyphs.is_empty() {
            self.spaces.clear();
            (self.u0, self.u1) = (glyph.u0, glyph.u1);
        }
        self.rtl |= glyph.rtl;
        self.u0 = self.u0.min(glyph.u0);
        self.u1 = self.u1.max(glyph.u1);
        self.glyphs.append(&mut self.spaces);
        self.glyphs.push(glyph);
    }

    fn close_into(&mut self, page: &PageGlyphs, segments: &mut Vec<Segment>) {
        let open = std::mem::take(self);
        if open.glyphs.is_empty() {
            return;
        }
        let segment = Segment::from_glyphs(page, open.glyphs, open.rtl);
        // The same words at the same place again: bold or outlined type faked by drawing the run twice.
        let again = |earlier: &Segment| {
            earlier.angle == segment.angle
                && (earlier.u0 - segment.u0).abs() < 0.25 * segment.size
                && (earlier.v - segment.v).abs() < 0.25 * segment.size
                && earlier.text == segment.text
        };
        if !segment.text.is_empty() && !segments.iter().rev().take(8).any(again) {
            segments.push(segment);
        }
    }
}

impl Segment {
    fn from_glyphs(page: &PageGlyphs, mut glyphs: Vec<Glyph>, rtl: bool) -> Self {
        if rtl {
            bidi::to_reading_order(page, &mut glyphs);
        }
        let threshold = word_gap(&glyphs);
        let mut text = String::new();
        let mut last: Option<&Glyph> = None;
        for glyph in &glyphs {
            if glyph.space {
                if !text.is_empty() && !text.ends_with(' ') {
                    text.push(' ');
                }
                continue;
            }
            if let Some(last) = last {
                let gap = (glyph.u0 - last.u1).max(last.u0 - glyph.u1);
                if gap > threshold * glyph.size.max(last.size) && !text.ends_with(' ') {
                    text.push(' ');
                }
            }
            text.push_str(page.characters(glyph));
            last = Some(glyph);
        }
        text.truncate(text.trim_end().len());
        let inked = || glyphs.iter().filter(|glyph| !glyph.space);
        let mut sizes: Vec<f32> = inked().map(|glyph| glyph.size).collect();
        sizes.sort_by(f32::total_cmp);
        let size = sizes[sizes.len() / 2];
        let main = || inked().filter(|glyph| (glyph.size - size).abs() < 0.1 * size);
        Self {
            text,
            angle: glyphs[0].angle,
            u0: inked().map(|glyph| glyph.u0).fold(f32::INFINITY, f32::min),
            u1: inked().map(|glyph| glyph.u1).fold(f32::NEG_INFINITY, f32::max),
            v: main().map(|glyph| glyph.v).next().unwrap_or(glyphs[0].v),
            size,
            rtl,
        }
    }
}

/// The gap in ems that parts words on this line. Letterspaced type raises it: where most gaps are wide, they are no
/// word gaps.
fn word_gap(glyphs: &[Glyph]) -> f32 {
    let mut gaps: Vec<f32> = glyphs
        .windows(2)
        .filter(|pair| !pair[0].space && !pair[1].space)
        .map(|pair| (pair[1].u0 - pair[0].u1) / pair[1].size)
        .collect();
    if gaps.len() < 4 {
        return WORD_GAP;
    }
    let middle = gaps.len() / 2;
    let (_, median, _) = gaps.select_nth_unstable_by(middle, f32::total_cmp);
    WORD_GAP + median.max(0.0) * 1.2
}
