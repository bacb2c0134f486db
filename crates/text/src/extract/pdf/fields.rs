//! Puts the values of form fields after their labels.
//!
//! A field's value is the text of its appearance, or otherwise its entry in the file; so it is read once. Its label is
//! its tooltip, otherwise the text printed beside or above it, otherwise its name. Where the label is printed, the
//! value follows it.

use hayro_interpret::kurbo::Rect;

use super::glyphs::PageGlyphs;
use super::layout::{ASCENT, DESCENT, Glyph, Segment};
use super::lines::segments_of;
use super::notes::Placed;
use super::widget::{FieldValue, Widget};
use super::words::words;
use crate::extract::writer::one_line;

/// Maximum number of fields of a page whose labels are searched, and of segments of the page.
const MAX_LABELLED: usize = 2000;
const MAX_SEGMENTS: usize = 5000;
/// Maximum distance of a label in points: to the left of its field, to the right of its box, above it.
const MAX_LEFT: f32 = 250.0;
const MAX_RIGHT: f32 = 40.0;
const MAX_ABOVE: f32 = 24.0;
impl Widget {
    /// The visible value.
    fn value(&self, page: &PageGlyphs) -> String {
        match &self.value {
            FieldValue::Box(true) => "☑ yes".to_owned(),
            FieldValue::Box(false) => "☐ no".to_owned(),
            FieldValue::Text { value, is_list } => {
                let lines = segments_of(page, &self.drawn).into_iter();
                let lines: Vec<String> = lines.map(|line| words(page, line.glyphs, line.rtl).text).collect();
                let shown = one_line(&lines.join(" "));
                // Lines that do not fit are not drawn, and characters in separate boxes have gaps.
                let is_part = without_spaces(value).contains(&without_spaces(&shown));
                if shown.is_empty() || is_part || *is_list { one_line(value) } else { shown }
            }
        }
    }
}

/// A text without white space.
fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The letters and digits of a label.
fn key(label: &str) -> String {
    label.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

pub(super) fn labelled(label: &str, value: &str) -> String {
    let label = label.trim_end();
    match label.is_empty() {
        true => value.to_owned(),
        false => format!("{label}{}{value}", after(label)),
    }
}

/// Whether a glyph is only a part of the dots or the line that leads to a field.
fn is_leader(page: &PageGlyphs, glyph: &Glyph) -> bool {
    glyph.space || page.characters(glyph).chars().all(is_leading)
}

fn is_leading(c: char) -> bool {
    matches!(c, '.' | '_' | '…')
}

/// The text between a label and its value.
fn after(label: &str) -> &'static str {
    let label = label.trim_end_matches(|c: char| c.is_whitespace() || is_leading(c));
    if label.ends_with([':', '?', '：', '？']) { " " } else { ": " }
}

/// The fields of a recognised page. Their appearances were recognised with the page, except for ticks.
pub(super) fn of_recognised_page(page: &PageGlyphs) -> Vec<Placed> {
    let unread = page.annotations.widgets.iter().filter(|widget| widget.is_box() || widget.drawn.is_empty());
    let widgets = unread.filter_map(|widget| {
        let value = widget.value(page);
        let label = widget.tooltip.as_ref().unwrap_or(&widget.name);
        (!value.is_empty()).then(|| Placed { area: widget.area, text: labelled(label, &value) })
    });
    widgets.collect()
}

/// Adds the values to the segments of a page.
pub(super) fn add_values(page: &mut PageGlyphs, segments: &mut Vec<Segment>) {
    let widgets = std::mem::take(&mut page.annotations.widgets);
    if segments.len() <= MAX_SEGMENTS {
        widgets.iter().take(MAX_LABELLED).for_each(|widget| divide(segments, &widget.area));
    }
    let printed: Vec<Printed> = segments.iter().map(|segment| Printed::of(page, segment)).collect();
    let mut values: Vec<(usize, &Widget, String)> = Vec::new();
    let mut apart: Vec<(&Widget, String)> = Vec::new();
    for (at, widget) in widgets.iter().enumerate() {
        let value = widget.value(page);
        if value.is_empty() {
            continue;
        }
        let few = printed.len() <= MAX_SEGMENTS && at < MAX_LABELLED;
        match label(widget, &widgets, &printed).filter(|_| few) {
            Some(label) => values.push((label, widget, value)),
            None => apart.push((widget, value)),
        }
    }
    for (label, widget, value) in values {
        let text = format!("{}{value}", after(&printed[label].text));
        extend(page, &mut segments[label], widget, &text);
    }
    for (widget, value) in apart {
        let text = labelled(widget.tooltip.as_ref().unwrap_or(&widget.name), &value);
        let place =
            if segments.len() > MAX_SEGMENTS { segments.len() } else { place(segments, &widget.area) };
        let segment = separate_segment(page, widget, &text);
        segments.insert(place, segment);
    }
    page.annotations.widgets = widgets;
}

/// A segment as a possible label.
struct Printed {
    text: String,
    key: String,
    area: Rect,
    upright: bool,
}

impl Printed {
    fn of(page: &PageGlyphs, segment: &Segment) -> Self {
        let text = words(page, segment.glyphs.clone(), segment.rtl).text;
        let last = segment.glyphs.iter().rfind(|glyph| !is_leader(page, glyph));
        let u1 = last.map_or(segment.u1, |last| last.u1);
        let [u0, u1, v, size] = [segment.u0, u1, segment.v, segment.size].map(f64::from);
        Self {
            key: key(&text),
            text,
            area: Rect::new(u0, v - 0.7 * size, u1, v),
            upright: segment.angle == 0 && !segment.rtl,
        }
    }
}

/// Splits the segments that run through a field: they are its label and the text after it.
fn divide(segments: &mut Vec<Segment>, area: &Rect) {
    let (left, right) = (area.x0 as f32, area.x1 as f32);
    let runs_through = |segment: &Segment| {
        let v = f64::from(segment.v - 0.3 * segment.size);
        let is_beside = segment.angle == 0 && !segment.rtl && area.y0 < v && v < area.y1;
        is_beside && segment.u0 < left && segment.u1 > right
    };
    let Some(at) = segments.iter().position(runs_through) else { return };
    let middle = |glyph: &Glyph| (glyph.u0 + glyph.u1) / 2.0;
    if segments[at].glyphs.iter().any(|glyph| !glyph.space && middle(glyph) > left && middle(glyph) < right) {
        return;
    }
    let (before, after): (Vec<Glyph>, Vec<Glyph>) =
        segments[at].glyphs.iter().copied().partition(|glyph| middle(glyph) <= left);
    let (Some(last), Some(first)) =
        (before.iter().rposition(|glyph| !glyph.space), after.iter().position(|glyph| !glyph.space))
    else {
        return;
    };
    let (before, after) = (before[..=last].to_vec(), after[first..].to_vec());
    let (end, start) = (before[last].u1, after[0].u0);
    // There is no field between two letters.
    if start - end < segments[at].size {
        return;
    }
    let rest = Segment { glyphs: after, u0: start, ..segments[at].clone() };
    segments[at] = Segment { glyphs: before, u1: end, ..segments[at].clone() };
    segments.insert(at + 1, rest);
}

/// The segment that is the printed label of a field.
fn label(widget: &Widget, all: &[Widget], printed: &[Printed]) -> Option<usize> {
    let near = |side: Side| {
        let distance = |at: usize| {
            side.distance(&widget.area, &printed[at].area)
                .filter(|_| printed[at].upright && !printed[at].key.is_empty())
        };
        let found = (0..printed.len()).filter_map(|at| Some((at, distance(at)?)));
        let (at, _) = found.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let gap = widget.area.union(printed[at].area);
        let is_other = |other: &&Widget| {
            let middle = other.area.center();
            !std::ptr::eq(*other, widget) && gap.contains(middle) && !widget.area.contains(middle)
        };
        all.iter().take(MAX_LABELLED).find(is_other).is_none().then_some(at)
    };
    let sides = if widget.is_box() {
        &[Side::Right, Side::Left, Side::Above][..]
    } else {
        &[Side::Left, Side::Above]
    };
    let mut found = sides.iter().filter_map(|&side| near(side));
    match &widget.tooltip {
        None => found.next(),
        Some(tooltip) => {
            let tooltip = key(tooltip);
            found.find(|&at| {
                let printed = &printed[at].key;
                *printed == tooltip
                    || (printed.len() > 2
                        && tooltip.len() > 2
                        && (tooltip.contains(printed) || printed.contains(&tooltip)))
            })
        }
    }
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
    Above,
}

impl Side {
    /// The distance of a text from a field on this side of it; `None` if the text is elsewhere.
    fn distance(self, field: &Rect, text: &Rect) -> Option<f64> {
        let middle = text.center().y;
        let beside = field.y0 - 3.0 < middle && middle < field.y1 + 3.0;
        let overlap = field.x1.min(text.x1) - field.x0.max(text.x0);
        let (is_there, distance, most) = match self {
            Self::Left => (beside, field.x0 - text.x1, MAX_LEFT),
            Self::Right => (beside, text.x0 - field.x1, MAX_RIGHT),
            Self::Above => (overlap > 0.0, field.y0 - text.y1, MAX_ABOVE),
        };
        (is_there && (-3.0..f64::from(most)).contains(&distance)).then_some(distance)
    }
}

/// Writes a value after the label in `segment`.
fn extend(page: &mut PageGlyphs, segment: &mut Segment, widget: &Widget, text: &str) {
    let kept = segment.glyphs.iter().rposition(|glyph| !is_leader(page, glyph)).map_or(0, |last| last + 1);
    let leaders = segment.glyphs.len() - kept;
    if kept > 0 && leaders > 2 {
        segment.glyphs.truncate(kept);
    }
    let Some(mut place) = segment.glyphs.last().copied() else { return };
    let (left, right) = (widget.area.x0 as f32, widget.area.x1 as f32);
    let beside = f64::from(segment.v) < widget.area.y1 + 3.0
        && f64::from(segment.v) > widget.area.y0
        && left >= place.u1;
    if beside {
        (place.u0, place.u1) = (place.u1, right);
    } else {
        let size = widget.area.height() as f32 / (ASCENT + DESCENT);
        (place.u0, place.u1) = (left.min(place.u1), right);
        (place.v, place.size) = (widget.area.y0 as f32 + ASCENT * size, size);
    }
    (place.space, place.bold) = (false, false);
    let value = page.written(text, place);
    segment.glyphs.push(value);
    segment.alone = true;
}

/// A separate segment for a field without a printed label.
fn separate_segment(page: &mut PageGlyphs, widget: &Widget, text: &str) -> Segment {
    let Rect { x0, y0, x1, y1 } = widget.area;
    let size = (0.7 * (y1 - y0)).min(10.0) as f32;
    let (u0, u1, v) = (x0 as f32, x1 as f32, (y0 + (y1 - y0) * 0.5) as f32 + 0.3 * size);
    let glyph = page.written(text, Glyph::unwritten(u0, u1, v, size));
    Segment { glyphs: vec![glyph], angle: 0, u0, u1, v, size, rtl: false, alone: true }
}

/// The index of a field in the order of the page: after the segment that ends nearest before it.
fn place(segments: &[Segment], area: &Rect) -> usize {
    let (x, y) = (area.x0 as f32, area.y1 as f32);
    let before =
        segments.iter().enumerate().filter(|(_, one)| one.angle == 0 && one.v < y + 3.0 && one.u0 <= x + 3.0);
    let nearest = before.min_by(|(_, a), (_, b)| {
        let far = |one: &Segment| (y - one.v).abs() * 4.0 + (x - one.u1).max(0.0);
        far(a).total_cmp(&far(b))
    });
    nearest.map_or(segments.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests;
