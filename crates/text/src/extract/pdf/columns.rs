//! Finds the gutters between the columns of a page.
//!
//! This module uses only segments. Gutters distinguish rows of a table from text that is drawn row by row over all
//! columns, and from rows of neighbouring columns that share a baseline by chance.

use super::layout::Segment;

/// Minimum number of glyphs in a column's line; a table's cell seldom has as many.
const MIN_COLUMN_GLYPHS: usize = 20;
/// Minimum number of lines on either side of a gutter.
const MIN_GUTTER_LINES: usize = 5;
/// Step of the search for gutters, in points.
const GUTTER_STEP: f32 = 2.0;
/// Short lines belong to a column up to this many points above its first and below its last long line.
const SHORT_LINE_REACH: f32 = 40.0;

/// A strip between two columns.
#[derive(Debug)]
pub(super) struct Gutter {
    at: f32,
    /// The left edge of the column to the right.
    edge: f32,
    top: f32,
    bottom: f32,
}

impl Gutter {
    /// Whether `left` and `right`, on one baseline, are lines of neighbouring columns.
    pub(super) fn parts(&self, left: &Segment, right: &Segment) -> bool {
        let size = left.size.max(right.size);
        let inside = right.v > self.top - SHORT_LINE_REACH && right.v < self.bottom + SHORT_LINE_REACH;
        // A table that spans the page also has cells on both sides, but none that begins where the column does.
        let begins = right.u0 > self.edge - size && right.u0 < self.edge + 3.0 * size;
        inside && begins && left.u1 <= self.at + 1.0 && right.u0 >= self.at - 1.0
    }

    /// Whether the strip is between `left` and `right`, at the heights from `top` to `bottom`.
    pub(super) fn divides(&self, left_end: f32, right_start: f32, top: f32, bottom: f32) -> bool {
        // A heading may be above the first long line.
        let beside = top < self.bottom + SHORT_LINE_REACH && bottom > self.top - SHORT_LINE_REACH;
        left_end <= self.at + 1.0 && right_start >= self.at - 1.0 && beside
    }
}

/// The gutters of a page, from left to right.
pub(super) fn gutters(segments: &[Segment]) -> Vec<Gutter> {
    let lines: Vec<&Segment> = segments
        .iter()
        .filter(|segment| segment.angle == 0 && segment.inked() >= MIN_COLUMN_GLYPHS)
        .collect();
    if lines.len() < 2 * MIN_GUTTER_LINES {
        return Vec::new();
    }
    let from = lines.iter().map(|line| line.u0).fold(f32::INFINITY, f32::min);
    let to = lines.iter().map(|line| line.u1).fold(f32::NEG_INFINITY, f32::max);
    // Pages are a few hundred points wide; a far larger drawing is not text in columns.
    if !(0.0..5000.0).contains(&(to - from)) {
        return Vec::new();
    }
    let mut gutters: Vec<Gutter> = Vec::new();
    let mut best: Option<(usize, Gutter)> = None;
    // A counter is used, because far from the origin a step is smaller than the precision of a float.
    let steps = ((to - from) / GUTTER_STEP).ceil() as usize;
    for step in 0..steps {
        let found = strip(&lines, from + step as f32 * GUTTER_STEP);
        if let Some((score, gutter)) = found {
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, gutter));
            }
        } else if let Some((_, gutter)) = best.take() {
            gutters.push(gutter);
        }
    }
    gutters
}

/// The gutter at `at` and the number of lines that support it, if lines end and begin there and few cross it.
fn strip(lines: &[&Segment], at: f32) -> Option<(usize, Gutter)> {
    let (left, rest): (Vec<&Segment>, Vec<&Segment>) = lines.iter().partition(|line| line.u1 <= at + 1.0);
    let right: Vec<&Segment> = rest.iter().filter(|line| line.u0 >= at - 1.0).copied().collect();
    let crossing = rest.len() - right.len();
    if left.len().min(right.len()) < MIN_GUTTER_LINES || crossing * 3 > left.len() + right.len() {
        return None;
    }
    let span = |side: &[&Segment]| {
        let top = side.iter().map(|line| line.v).fold(f32::INFINITY, f32::min);
        (top, side.iter().map(|line| line.v).fold(f32::NEG_INFINITY, f32::max))
    };
    let (left_span, right_span) = (span(&left), span(&right));
    let (top, bottom) = (left_span.0.max(right_span.0), left_span.1.min(right_span.1));
    // The lines must be side by side, not one below the other.
    let beside = |side: &[&Segment]| side.iter().filter(|line| line.v >= top && line.v <= bottom).count();
    if beside(&left).min(beside(&right)) < MIN_GUTTER_LINES {
        return None;
    }
    let mut edges: Vec<f32> = right.iter().map(|line| line.u0).collect();
    let quarter = edges.len() / 4;
    let (_, &mut edge, _) = edges.select_nth_unstable_by(quarter, f32::total_cmp);
    Some((
        left.len() + right.len(),
        Gutter { at, edge, top: left_span.0.min(right_span.0), bottom: left_span.1.max(right_span.1) },
    ))
}
