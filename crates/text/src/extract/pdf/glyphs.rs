//! The glyphs of one page: their positions and characters.
//!
//! This module knows nothing about the layout. [`super::drawing`] collects the glyphs. Coordinates are those of a
//! viewer (in points, with the origin at the top left of the page), rotated so that every glyph runs along `u` and
//! lines follow one another along `v`. For the layout, text at an angle and vertical writing then look like any other
//! text.

use hayro_interpret::font::Glyph as DrawnGlyph;
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::kurbo::{Affine, Point, Rect, Vec2};

use super::annotations::Annotations;
use super::characters::{self, FontTables};
use super::layout::{Glyph, Writing};

/// Maximum number of glyphs on a page: far more than on a readable page.
const MAX_GLYPHS: usize = 1 << 20;
/// Minimum length of a line in points; it must also be thinner than this.
const MIN_RULE: f64 = 4.0;
const MAX_RULE: f64 = 2.0;
/// Maximum number of lines that are kept; a page with more is a drawing.
const MAX_RULES: usize = 2000;
/// Marked content with more glyphs is not a ligature or a word; its glyphs keep their own characters.
const MAX_REPLACED: usize = 16;

/// The properties that all glyphs of a run share.
#[derive(Clone, Copy)]
pub(super) struct RunFont {
    pub(super) vertical: bool,
    pub(super) bold: bool,
    /// Whether the file specifies the text of the marked content around it.
    pub(super) replaced: bool,
}

/// Whether the script of `c` (Chinese or Japanese) has no spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{9FFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// All glyphs and lines drawn on one page.
#[derive(Debug, Default)]
pub(super) struct PageGlyphs {
    /// In the order of the content stream.
    pub(super) glyphs: Vec<Glyph>,
    characters: String,
    /// Width and height in points.
    pub(super) dimensions: (f32, f32),
    /// The share of the page that images cover; more than 1 if they overlap.
    pub(super) pictured: f64,
    /// The number of glyphs without a character in their font.
    pub(super) unmapped: usize,
    /// The number of drawn paths; many paths without glyphs may be letters.
    pub(super) paths: usize,
    /// Whether there were more than [`MAX_GLYPHS`].
    pub(super) overflow: bool,
    /// Whether rows keep their glyphs.
    pub(super) traced: bool,
    /// The number of the page's own glyphs, without those of annotations.
    pub(super) printed: usize,
    /// The number of glyphs in a text layer, which a scan has below its image.
    pub(super) layer: usize,
    pub(super) annotations: Annotations,
    /// Thin lines along the width of the page; some strike words out.
    pub(super) rules: Vec<Rect>,
}

impl PageGlyphs {
    /// An empty page of this size in points.
    pub(super) fn empty(dimensions: (f32, f32)) -> Self {
        Self { dimensions, ..Self::default() }
    }

    /// Adds a thin surface if it is a line along the width of the page.
    pub(super) fn push_rule(&mut self, area: Rect) {
        if area.width() > MIN_RULE && area.height() < MAX_RULE && self.rules.len() < MAX_RULES {
            self.rules.push(area);
        }
    }

    pub(super) fn characters(&self, glyph: &Glyph) -> &str {
        &self.characters[glyph.start as usize..glyph.end as usize]
    }

    /// Adds a glyph; returns the box of its lower-case letters unless it is dropped. `shows_last`: the previous glyph
    /// may be visible, so the same letter at the same place is a repetition.
    pub(super) fn push(
        &mut self,
        drawn: &DrawnGlyph<'_>,
        transform: Affine,
        font: RunFont,
        tables: &mut FontTables,
        shows_last: bool,
    ) -> Option<Rect> {
        if self.glyphs.len() >= MAX_GLYPHS {
            self.overflow = true;
            return None;
        }
        let start = self.characters.len();
        // After a right-to-left letter, a glyph without characters is a stroke that lengthens the word.
        let in_rtl = self.glyphs.last().is_some_and(Glyph::is_rtl);
        match drawn.as_unicode() {
            Some(BfString::Char(c)) => characters::push(&mut self.characters, c),
            Some(BfString::String(s)) => s.chars().for_each(|c| characters::push(&mut self.characters, c)),
            None => {
                let named = tables.character(drawn);
                self.unmapped += usize::from(named.is_none() && !font.replaced);
                let guess = || characters::guess(drawn).filter(|_| !in_rtl && !font.replaced);
                if let Some(c) = named.or_else(guess) {
                    characters::push(&mut self.characters, c);
                }
            }
        }
        let first = self.characters[start..].chars().next();
        if first.is_none() && !in_rtl && !font.replaced {
            return None;
        }
        let advance = f64::from(match drawn {
            DrawnGlyph::Outline(outline) => outline.advance_width().unwrap_or(500.0),
            DrawnGlyph::Type3(glyph) => glyph.advance_width().unwrap_or(500.0),
        });
        let glyph_box = GlyphBox::of(transform, advance, font.vertical);
        let Some(glyph_box) = glyph_box.filter(|glyph_box| glyph_box.visible_on(self.dimensions)) else {
            self.characters.truncate(start);
            return None;
        };
        let glyph = Glyph {
            start: start as u32,
            end: self.characters.len() as u32,
            angle: glyph_box.angle,
            u0: glyph_box.u0,
            u1: glyph_box.u1,
            v: glyph_box.v,
            size: glyph_box.size,
            space: first.is_some_and(char::is_whitespace),
            bold: font.bold,
            writing: match font.vertical {
                true => Writing::TopDown,
                false if first.map_or(in_rtl, characters::is_rtl) => Writing::RightToLeft,
                false => Writing::LeftToRight,
            },
        };
        if shows_last && self.glyphs.last().is_some_and(|last| self.drawn_twice(last, &glyph)) {
            self.characters.truncate(start);
            return None;
        }
        self.glyphs.push(glyph);
        Some(glyph_box.ink)
    }

    /// Adds a glyph with `characters` that no font has drawn.
    pub(super) fn written(&mut self, characters: &str, glyph: Glyph) -> Glyph {
        let start = self.characters.len();
        self.overflow |= start + characters.len() > MAX_GLYPHS;
        if !self.overflow {
            characters.chars().for_each(|c| characters::push(&mut self.characters, c));
        }
        Glyph { start: start as u32, end: self.characters.len() as u32, ..glyph }
    }

    /// Gives the glyphs from `from` on the characters of `text` if the font lacks some, as for ligatures.
    pub(super) fn replace(&mut self, from: usize, text: &str) {
        let drawn = &mut self.glyphs[from..];
        if drawn.len() > MAX_REPLACED || drawn.iter().all(|glyph| glyph.start < glyph.end) {
            return;
        }
        let start = self.characters.len() as u32;
        text.chars().for_each(|c| characters::push(&mut self.characters, c));
        let end = self.characters.len() as u32;
        for glyph in drawn.iter_mut() {
            (glyph.start, glyph.end) = (end, end);
        }
        drawn[0].start = start;
        if text.starts_with(characters::is_rtl) {
            drawn[0].writing = Writing::RightToLeft;
        }
    }

    /// Adds a recognised word from `u0` to `u1` on the baseline `v`, in points: a space, then its characters in equal
    /// widths.
    pub(super) fn push_word(&mut self, word: &str, (u0, u1): (f32, f32), v: f32, size: f32) {
        let rtl = word.contains(characters::is_rtl);
        let writing = if rtl { Writing::RightToLeft } else { Writing::LeftToRight };
        let start = self.characters.len() as u32;
        let space =
            Glyph { start, end: start, angle: 0, u0, u1: u0, v, size, space: true, bold: false, writing };
        if let Some(last) = self.glyphs.last()
            && !(self.characters(last).contains(is_unspaced) && word.starts_with(is_unspaced))
        {
            self.glyphs.push(space);
        }
        let count = word.chars().count();
        let width = (u1 - u0) / count as f32;
        for (at, c) in word.chars().enumerate() {
            if self.characters.len() >= MAX_GLYPHS {
                self.overflow = true;
                return;
            }
            let start = self.characters.len() as u32;
            characters::push(&mut self.characters, c);
            let end = self.characters.len() as u32;
            if start < end {
                let from = u0 + width * if rtl { count - 1 - at } else { at } as f32;
                self.glyphs.push(Glyph { start, end, u0: from, u1: from + width, space: false, ..space });
            }
        }
    }

    /// Whether a letter is drawn a second time, slightly apart, to look bold.
    fn drawn_twice(&self, last: &Glyph, next: &Glyph) -> bool {
        let near = (0.2 * next.size).min(0.25 * (next.u1 - next.u0));
        last.angle == next.angle
            && (last.u0 - next.u0).abs() < near
            && (last.v - next.v).abs() < near
            && self.characters(last) == self.characters(next)
    }
}

/// A glyph's box in the frame of its writing direction.
struct GlyphBox {
    angle: i16,
    u0: f32,
    u1: f32,
    v: f32,
    size: f32,
    centre: Point,
    /// The box of its lower-case letters on the page.
    ink: Rect,
}

impl GlyphBox {
    /// The place of a glyph; `None` if `transform`, which maps glyph space (1000 units per em) to the page, is
    /// degenerate.
    fn of(transform: Affine, advance: f64, vertical: bool) -> Option<Self> {
        let linear = |x: f64, y: f64| (transform * Point::new(x, y)) - (transform * Point::ZERO);
        let up = linear(0.0, 1000.0);
        let along = if vertical { -up } else { linear(1000.0, 0.0) };
        let size = up.hypot();
        if !(size.is_finite() && size > 1e-3 && size < 1e5 && along.hypot() > 1e-4) {
            return None;
        }
        // Nearly all text runs rightwards.
        let rightwards = along.y == 0.0 && along.x > 0.0;
        let degrees = if rightwards { 0.0 } else { along.y.atan2(along.x).to_degrees().round() };
        let (sin, cos) = if rightwards { (0.0, 1.0) } else { degrees.to_radians().sin_cos() };
        // In vertical writing the origin is at the foot of the glyph's box, and the line runs through its middle.
        let origin = if vertical { Point::new(500.0, 880.0) } else { Point::ZERO };
        let from = transform * origin;
        let to = from + if vertical { along } else { linear(advance, 0.0) };
        let turned = |p: Point| (p.x * cos + p.y * sin, p.y * cos - p.x * sin);
        let ((a, v), (b, _)) = (turned(from), turned(to));
        let half: Vec2 = (to - from) / 2.0;
        // The line of vertical text runs through the middle of its glyphs.
        let (low, high) = if vertical { (-0.2, 0.2) } else { (0.1, 0.45) };
        let across = if vertical { linear(1000.0, 0.0) } else { up };
        let ink = Rect::from_points(from + half * 0.4 + across * low, from + half * 1.6 + across * high);
        Some(Self {
            angle: (degrees as i16).rem_euclid(360),
            u0: a.min(b) as f32,
            u1: a.max(b) as f32,
            v: v as f32,
            size: size as f32,
            centre: from + half,
            ink,
        })
    }

    fn visible_on(&self, (width, height): (f32, f32)) -> bool {
        let margin = f64::from(self.size);
        let inside = |x: f64, end: f32| x > -margin && x < f64::from(end) + margin;
        inside(self.centre.x, width) && inside(self.centre.y, height)
    }
}
