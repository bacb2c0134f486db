//! The annotations of a page: comments, typed text, and form fields.
//!
//! This module reads the annotations of a page; [`notes`](super::notes) and [`fields`](super::fields) put them into its
//! text. Annotations that a viewer does not show on the page (hidden ones, pop-up windows, links) are left out.

use hayro_interpret::kurbo::{Affine, Rect};
use hayro_syntax::object::{self, Array, Dict, Name, ObjectIdentifier};
use hayro_syntax::page::Page;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::layout::Glyph;
use super::strings::decoded;
use super::widget::Widget;
use crate::extract::writer::one_line;

/// Maximum number of annotations read from a page.
const MAX_ANNOTATIONS: usize = 5000;
/// Maximum number of boxes of a text markup.
const MAX_QUADS: usize = 1000;
/// Maximum bytes of the texts of all annotations of a page.
const MAX_BYTES: usize = 4 << 20;
/// Maximum comparisons of the glyphs of annotations with their boxes.
const MAX_WORK: usize = 8_000_000;
/// Maximum levels of replies.
const MAX_REPLIES: usize = 32;
/// Flags of annotations that viewers do not show: hidden, no view.
const HIDDEN_FLAGS: u32 = 1 << 1 | 1 << 5;

/// The purpose of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It comments on the page or on words.
    Comment,
    /// It is text on the page.
    Typed,
    /// It strikes words out, and may comment on them.
    Strike,
}

#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) purpose: Purpose,
    pub(super) author: Option<String>,
    pub(super) text: String,
    /// Its box on the page.
    pub(super) area: Rect,
    /// The boxes of the words that it marks.
    pub(super) quads: Vec<Rect>,
    /// Whether its text was drawn with the page.
    pub(super) is_drawn: bool,
    id: Option<ObjectIdentifier>,
    reply_to: Option<ObjectIdentifier>,
    /// Whether it is part of the annotation that it replies to, as struck words are part of their replacement.
    is_part: bool,
}

/// The annotations of a page, in viewer coordinates.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    pub(super) notes: Vec<Note>,
    pub(super) widgets: Vec<Widget>,
    markings: Vec<Rect>,
    /// Whether any annotation has an appearance.
    pub(super) are_drawn: bool,
    bytes: usize,
    work: usize,
}

impl Annotations {
    /// The annotations of `page`, if it has any; `transform` converts to viewer coordinates.
    pub(super) fn of_page(page: &Page<'_>, transform: Affine) -> Option<Self> {
        let list = page.raw().get::<Array<'_>>("Annots")?;
        let mut found = Self::default();
        for annotation in list.iter::<Dict<'_>>().take(MAX_ANNOTATIONS) {
            if found.overflows() {
                break;
            }
            if annotation.get::<u32>("F").unwrap_or(0) & HIDDEN_FLAGS == 0 {
                found.are_drawn |= annotation.contains_key("AP");
                found.add(&annotation, transform);
            }
        }
        found.join_parts();
        found.order_replies();
        Some(found)
    }

    /// Whether there is more text than on a normal page.
    pub(super) fn overflows(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    fn add(&mut self, annotation: &Dict<'_>, transform: Affine) {
        let Some(kind) = annotation.get::<Name<'_>>("Subtype").filter(|kind| kind.as_str() != "Link") else {
            return;
        };
        let Some(area) = annotation.get::<object::Rect>("Rect") else { return };
        let area = transform.transform_rect_bbox(Rect::new(area.x0, area.y0, area.x1, area.y1));
        let purpose = match kind.as_str() {
            "Widget" => {
                let widget = Widget::of(annotation, area);
                self.bytes += widget.as_ref().map_or(0, Widget::bytes);
                self.widgets.extend(widget);
                return;
            }
            "FreeText" => Purpose::Typed,
            "StrikeOut" => Purpose::Strike,
            "Text" | "Highlight" | "Underline" | "Squiggly" | "Caret" | "Square" | "Circle" | "Line"
            | "Polygon" | "PolyLine" | "Ink" | "Stamp" | "FileAttachment" => Purpose::Comment,
            _ => return,
        };
        let on_words = matches!(kind.as_str(), "Highlight" | "Underline" | "Squiggly" | "StrikeOut");
        let quads = if on_words { quads(annotation, area, transform) } else { Vec::new() };
        // The icon of such a note can be anywhere.
        if on_words || matches!(kind.as_str(), "Text" | "FileAttachment" | "Caret") {
            self.markings.push(area);
            self.markings.extend(&quads);
        }
        // The state of a review has no text of an author.
        if annotation.contains_key("StateModel") {
            return;
        }
        let string = |key| {
            let text = annotation.get::<object::String<'_>>(key)?;
            decoded(text.as_bytes()).filter(|text| !text.trim().is_empty())
        };
        let author = string("T").map(|author| one_line(&author));
        let text = string("Contents").or_else(|| string("RC").map(|rich| plain(&rich))).unwrap_or_default();
        self.bytes += text.len() + author.as_ref().map_or(0, String::len);
        self.notes.push(Note {
            purpose,
            author,
            text,
            area,
            quads,
            is_drawn: false,
            id: annotation.obj_id(),
            reply_to: annotation.get_ref("IRT").map(Into::into),
            is_part: annotation.get::<Name<'_>>("RT").is_some_and(|kind| kind.as_str() == "Group"),
        });
    }

    /// Adds the words of parts to their notes.
    fn join_parts(&mut self) {
        let parts: Vec<usize> = (0..self.notes.len())
            .filter(|&at| self.notes[at].is_part && self.notes[at].text.is_empty())
            .collect();
        for at in parts.into_iter().take(MAX_QUADS) {
            let whole =
                self.notes.iter().position(|one| one.id.is_some() && one.id == self.notes[at].reply_to);
            if let Some(whole) = whole.filter(|&whole| self.notes[whole].quads.is_empty()) {
                self.notes[whole].quads = self.notes[at].quads.clone();
            }
        }
    }

    /// Puts replies after the notes that they reply to.
    fn order_replies(&mut self) {
        let ids: std::collections::HashMap<ObjectIdentifier, usize> =
            self.notes.iter().enumerate().filter_map(|(at, note)| Some((note.id?, at))).collect();
        let root = |mut at: usize| {
            for _ in 0..MAX_REPLIES {
                match self.notes[at].reply_to.and_then(|id| ids.get(&id)) {
                    Some(&to) if to != at => at = to,
                    _ => break,
                }
            }
            at
        };
        let roots: Vec<usize> = (0..self.notes.len()).map(root).collect();
        for (at, &root) in roots.iter().enumerate() {
            let root = &self.notes[root];
            let above = root.quads.last().copied().unwrap_or(root.area);
            self.notes[at].area = above;
        }
        let mut notes: Vec<(usize, Note)> = roots.into_iter().zip(std::mem::take(&mut self.notes)).collect();
        // The first note of a thread comes first, wherever it is in the list.
        notes.sort_by_key(|(root, note)| (*root, note.reply_to.is_some()));
        self.notes = notes.into_iter().map(|(_, note)| note).collect();
    }

    /// The boxes of text markups.
    pub(super) fn markings(&self) -> Vec<Rect> {
        self.markings.iter().copied().take(MAX_QUADS).collect()
    }

    /// Assigns a glyph of an annotation's appearance to its field; returns whether a field took it. `holder` is the
    /// field of the previous glyph.
    pub(super) fn take(&mut self, holder: &mut usize, glyph: Glyph, ink: Rect) -> bool {
        let at = ink.center();
        self.work += self.notes.len();
        let mut is_typed = false;
        if self.work < MAX_WORK {
            let typed = self.notes.iter_mut().filter(|note| note.purpose == Purpose::Typed);
            for note in typed.filter(|note| note.area.contains(at)) {
                (note.is_drawn, is_typed) = (true, true);
            }
        }
        // A check box takes its own tick, but not an X that the user typed over it.
        let takes = |widget: &Widget| widget.area.contains(at) && !(is_typed && widget.is_box());
        if !self.widgets.get(*holder).is_some_and(takes) {
            self.work += self.widgets.len();
            if self.work > MAX_WORK {
                return false;
            }
            let Some(next) = self.widgets.iter().position(takes) else { return false };
            *holder = next;
        }
        self.widgets[*holder].drawn.push(glyph);
        true
    }
}

/// The boxes of the words that an annotation marks.
fn quads(annotation: &Dict<'_>, area: Rect, transform: Affine) -> Vec<Rect> {
    let points = annotation.get::<Array<'_>>("QuadPoints");
    let points: Vec<f64> =
        points.map(|points| points.iter::<f64>().take(8 * MAX_QUADS).collect()).unwrap_or_default();
    let boxes = points.chunks_exact(8).map(|quad| {
        let (x, y) = (quad.iter().step_by(2), quad.iter().skip(1).step_by(2));
        let low = |part: &mut dyn Iterator<Item = &f64>| part.copied().fold(f64::INFINITY, f64::min);
        let high = |part: &mut dyn Iterator<Item = &f64>| part.copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut x0, mut y0, mut x1, mut y1) = (x.clone(), y.clone(), x, y);
        transform.transform_rect_bbox(Rect::new(low(&mut x0), low(&mut y0), high(&mut x1), high(&mut y1)))
    });
    let boxes: Vec<Rect> = boxes.collect();
    if boxes.is_empty() { vec![area] } else { boxes }
}

/// The plain text of rich text, which is XHTML.
fn plain(rich: &str) -> String {
    let mut reader = Reader::from_str(rich);
    reader.config_mut().check_end_names = false;
    let mut text = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Text(part)) => text.push_str(&part.xml10_content()),
            Ok(Event::GeneralRef(reference)) => {
                match quick_xml::escape::resolve_predefined_entity(&reference) {
                    Some(part) => text.push_str(part),
                    None => text.extend(reference.resolve_char_ref().ok().flatten()),
                }
            }
            Ok(Event::End(_)) => text.push(' '),
            Ok(Event::Eof) | Err(_) => return text,
            Ok(_) => {}
        }
    }
}
