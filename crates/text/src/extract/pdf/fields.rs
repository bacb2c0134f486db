//! Puts the values of form fields after their labels.
//!
//! A field's value is the text of its appearance, or otherwise its entry in the file; so it is read once. Its label is
//! its tooltip, otherwise the text printed beside or above it, otherwise its name. Where the label is printed, the
//! value follows it.

use std::collections::HashMap;

use hayro_interpret::kurbo::Rect;
use hayro_syntax::object::{self, Array, Dict, Name, Object, Stream};

use super::bookmarks::decoded;
use super::glyphs::{Glyph, PageGlyphs};
use super::lines::{Segment, segments_of};
use super::marks::{ASCENT, DESCENT};
use super::notes::Placed;
use super::words::words;
use crate::extract::writer::one_line;

/// Maximum nesting of fields.
const MAX_PARENTS: usize = 16;
/// Maximum number of options of a choice.
const MAX_OPTIONS: usize = 1000;
/// Maximum number of fields of a page whose labels are searched, and of segments of the page.
const MAX_LABELLED: usize = 2000;
const MAX_SEGMENTS: usize = 5000;
/// Maximum distance of a label in points: to the left of its field, to the right of its box, above it.
const MAX_LEFT: f32 = 250.0;
const MAX_RIGHT: f32 = 40.0;
const MAX_ABOVE: f32 = 24.0;
/// Flags of fields.
const PASSWORD: u32 = 1 << 13;
const RADIO: u32 = 1 << 15;
const PUSH_BUTTON: u32 = 1 << 16;
const COMBO: u32 = 1 << 17;

#[derive(Clone, Debug)]
enum Holds {
    /// A value from the file. `is_list`: its appearance shows all options.
    Text { value: String, is_list: bool },
    /// A box, ticked or not.
    Box(bool),
}

/// A form field on a page.
#[derive(Clone, Debug)]
pub(super) struct Widget {
    /// Its box on the page.
    pub(super) area: Rect,
    /// The glyphs of its appearance.
    pub(super) drawn: Vec<Glyph>,
    holds: Holds,
    tooltip: Option<String>,
    name: String,
}

impl Widget {
    /// The field of an annotation on `area`; `None` for push buttons and signatures.
    pub(super) fn of(annotation: &Dict<'_>, area: Rect) -> Option<Self> {
        let levels = levels(annotation);
        if area.width() < 1.0 || area.height() < 1.0 {
            return None;
        }
        let inherited = |key: &str| levels.iter().find_map(|level| level.get::<Object<'_>>(key));
        let flags = levels.iter().find_map(|level| level.get::<u32>("Ff")).unwrap_or(0);
        let kind = levels.iter().find_map(|level| level.get::<Name<'_>>("FT"))?;
        let holds = match kind.as_str() {
            "Tx" if flags & PASSWORD != 0 => Holds::Text { value: String::new(), is_list: false },
            "Tx" => Holds::Text { value: inherited("V").map(text).unwrap_or_default(), is_list: false },
            "Ch" => Holds::Text { value: chosen(&levels), is_list: flags & COMBO == 0 },
            "Btn" if flags & PUSH_BUTTON == 0 => Holds::Box(is_ticked(annotation, &levels)),
            _ => return None,
        };
        // The tooltip of a group of radio buttons does not describe a single button.
        let of_own = if flags & RADIO != 0 { 1 } else { levels.len() };
        let string = |key: &str, count: usize| {
            let mut texts =
                levels.iter().take(count).filter_map(|level| level.get::<object::String<'_>>(key));
            texts.find_map(|text| {
                decoded(text.as_bytes()).map(|text| one_line(&text)).filter(|text| !text.is_empty())
            })
        };
        let name = match &holds {
            Holds::Box(_) if flags & RADIO != 0 => state(annotation),
            _ => None,
        };
        let name = name.or_else(|| string("T", levels.len())).unwrap_or_default();
        let name = name.split('[').next().unwrap_or_default().to_owned();
        Some(Self { area, drawn: Vec::new(), holds, tooltip: string("TU", of_own), name })
    }

    /// The size of its texts in bytes.
    pub(super) fn bytes(&self) -> usize {
        let value = match &self.holds {
            Holds::Text { value, .. } => value.len(),
            Holds::Box(_) => 0,
        };
        value + self.name.len() + self.tooltip.as_ref().map_or(0, String::len)
    }

    pub(super) fn is_box(&self) -> bool {
        matches!(self.holds, Holds::Box(_))
    }

    /// The visible value.
    fn value(&self, page: &PageGlyphs) -> String {
        match &self.holds {
            Holds::Box(true) => "☑ yes".to_owned(),
            Holds::Box(false) => "☐ no".to_owned(),
            Holds::Text { value, is_list } => {
                let lines = segments_of(page, &self.drawn).into_iter();
                let lines: Vec<String> = lines.map(|line| words(page, line.glyphs, line.rtl).text).collect();
                let shown = one_line(&lines.join(" "));
                // Lines that do not fit are not drawn, and characters in separate boxes have gaps.
                let is_part = solid(value).contains(&solid(&shown));
                if shown.is_empty() || is_part || *is_list { one_line(value) } else { shown }
            }
        }
    }
}

/// A field and its parents, innermost first.
fn levels<'a>(annotation: &Dict<'a>) -> Vec<Dict<'a>> {
    let mut levels = vec![annotation.clone()];
    while levels.len() < MAX_PARENTS
        && let Some(parent) = levels[levels.len() - 1].get::<Dict<'_>>("Parent")
    {
        levels.push(parent);
    }
    levels
}

/// The values in an array. The format allows no arrays or streams in it.
fn single<'a>(values: &Array<'a>) -> impl Iterator<Item = Object<'a>> {
    let values = values.iter::<Object<'_>>().take(MAX_OPTIONS);
    values.filter(|value| !matches!(value, Object::Array(_) | Object::Stream(_)))
}

fn text(value: Object<'_>) -> String {
    let read = match value {
        Object::String(text) => decoded(text.as_bytes()),
        Object::Stream(stream) => stream.decoded_data().ok().and_then(|bytes| decoded(&bytes)),
        Object::Name(name) => Some(name.as_str().to_owned()),
        Object::Number(number) => Some(number.as_f64().to_string()),
        Object::Array(values) => Some(single(&values).map(text).collect::<Vec<_>>().join(", ")),
        _ => None,
    };
    read.unwrap_or_default()
}

/// The selected options as they are displayed.
fn chosen(levels: &[Dict<'_>]) -> String {
    let options = levels.iter().find_map(|level| level.get::<Array<'_>>("Opt"));
    let options: HashMap<String, String> = options
        .map(|options| options.iter::<Object<'_>>().take(MAX_OPTIONS).map(option).collect())
        .unwrap_or_default();
    let shown = |value: Object<'_>| {
        let value = text(value);
        options.get(&value).cloned().unwrap_or(value)
    };
    match levels.iter().find_map(|level| level.get::<Object<'_>>("V")) {
        Some(Object::Array(values)) => single(&values).map(shown).collect::<Vec<_>>().join(", "),
        Some(value) => shown(value),
        None => String::new(),
    }
}

/// The export value of an option, and its displayed text.
fn option(option: Object<'_>) -> (String, String) {
    match option {
        Object::Array(pair) => {
            let mut parts = single(&pair).map(text);
            let exported = parts.next().unwrap_or_default();
            let display = parts.next().unwrap_or_else(|| exported.clone());
            (exported, display)
        }
        single => {
            let value = text(single);
            (value.clone(), value)
        }
    }
}

/// Whether a box is ticked: by its current appearance, otherwise by its value.
fn is_ticked(annotation: &Dict<'_>, levels: &[Dict<'_>]) -> bool {
    let name = |level: &Dict<'_>, key: &str| level.get::<Name<'_>>(key).map(|name| name.as_str().to_owned());
    match (name(annotation, "AS"), levels.iter().find_map(|level| name(level, "V")), state(annotation)) {
        (Some(shown), ..) => shown != "Off",
        (None, Some(value), Some(state)) => value == state,
        (None, Some(value), None) => value != "Off",
        (None, None, _) => false,
    }
}

/// The name of a box's ticked state.
fn state(annotation: &Dict<'_>) -> Option<String> {
    let states = annotation.get::<Dict<'_>>("AP")?.get::<Object<'_>>("N")?.into_dict()?;
    let on = states.keys().find(|state| state.as_str() != "Off" && states.get::<Stream<'_>>(state).is_some());
    on.map(|state| state.as_str().to_owned())
}

/// A text without white space.
fn solid(text: &str) -> String {
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
pub(super) fn apart(page: &PageGlyphs) -> Vec<Placed> {
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
        let segment = alone(page, widget, &text);
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
fn alone(page: &mut PageGlyphs, widget: &Widget, text: &str) -> Segment {
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
