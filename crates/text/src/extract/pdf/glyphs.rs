//! The glyphs of one page: what is drawn, where, and for which characters.
//!
//! Wraps the interpreter and knows nothing of the layout. Coordinates are a viewer's (points, the origin at the top
//! left of the page), rotated so that every glyph runs along `u` and lines follow each other along `v`. Text at an
//! angle and vertical writing then look like any other text to the layout.

use hayro_interpret::font::{Glyph as DrawnGlyph, GlyphRun};
use hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect, Vec2};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask, TransformExt, interpret_page,
};
use hayro_syntax::object::{self, Dict};
use hayro_syntax::page::Page;

use super::bookmarks::decoded;
use super::characters::{self, FontTables};

/// Maximum glyphs of a page: far more than a readable page has.
const MAX_GLYPHS: usize = 1 << 20;
/// Marked content with more glyphs than this is no ligature or word; its glyphs keep their own characters.
const MAX_REPLACED: usize = 16;
/// The same for the bytes of its text.
const MAX_REPLACED_BYTES: usize = 256;

/// A glyph on its page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// Its characters in [`PageGlyphs::characters`]; none for a stroke that lengthens a right-to-left word and for the
    /// rest of a ligature.
    start: u32,
    end: u32,
    /// The direction of writing in degrees, clockwise from rightwards; `u` and `v` are relative to it.
    pub(super) angle: i16,
    /// Start and end along its line, in points.
    pub(super) u0: f32,
    pub(super) u1: f32,
    /// Its baseline, in points.
    pub(super) v: f32,
    /// Font size in points.
    pub(super) size: f32,
    pub(super) space: bool,
    pub(super) bold: bool,
    pub(super) writing: Writing,
}

/// The direction of a glyph's script; one byte, since a page has many glyphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    LeftToRight,
    RightToLeft,
    /// Upright glyphs, one below the other: the line runs through their middle.
    TopDown,
}

impl Glyph {
    pub(super) fn is_rtl(&self) -> bool {
        self.writing == Writing::RightToLeft
    }
}

/// What all glyphs of a run share.
#[derive(Clone, Copy)]
struct RunFont {
    vertical: bool,
    bold: bool,
    /// Whether the file states the text of the marked content around it.
    replaced: bool,
}

/// Whether no spaces separate words in the script of `c`: Chinese and Japanese.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{9FFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The drawing of one page.
#[derive(Debug, Default)]
pub(super) struct PageGlyphs {
    /// In the order of the content stream.
    pub(super) glyphs: Vec<Glyph>,
    characters: String,
    /// Width and height in points.
    pub(super) dimensions: (f32, f32),
    /// The share of the page that pictures cover; more than 1 if they overlap.
    pub(super) pictured: f64,
    /// Glyphs whose characters the font does not state.
    pub(super) unmapped: usize,
    /// Drawn paths: many without a glyph may be letters.
    pub(super) paths: usize,
    /// Whether there were more than [`MAX_GLYPHS`].
    pub(super) overflow: bool,
    /// Whether rows keep their glyphs.
    pub(super) traced: bool,
}

impl PageGlyphs {
    /// Draws `page` and keeps its glyphs.
    pub(super) fn of_page<'a>(
        page: &Page<'a>,
        cache: &InterpreterCache<'a>,
        settings: &InterpreterSettings,
        tables: &mut FontTables,
    ) -> Self {
        let dimensions = page.render_dimensions();
        let area = Rect::new(0.0, 0.0, f64::from(dimensions.0), f64::from(dimensions.1));
        let transform = page.initial_transform(true).to_kurbo();
        let mut context = Context::new(transform, area, cache, page.xref(), settings.clone());
        let mut collector = Collector { glyphs: Self::empty(dimensions), tables, marked: Vec::new() };
        interpret_page(page, &mut context, &mut collector);
        collector.glyphs
    }

    /// A page of this size, in points, with nothing on it.
    pub(super) fn empty(dimensions: (f32, f32)) -> Self {
        Self { dimensions, ..Self::default() }
    }

    /// The characters of `glyph`.
    pub(super) fn characters(&self, glyph: &Glyph) -> &str {
        &self.characters[glyph.start as usize..glyph.end as usize]
    }

    fn push(&mut self, drawn: &DrawnGlyph<'_>, transform: Affine, font: RunFont, tables: &mut FontTables) {
        if self.glyphs.len() >= MAX_GLYPHS {
            self.overflow = true;
            return;
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
            return;
        }
        let advance = f64::from(match drawn {
            DrawnGlyph::Outline(outline) => outline.advance_width().unwrap_or(500.0),
            DrawnGlyph::Type3(glyph) => glyph.advance_width().unwrap_or(500.0),
        });
        let place = Place::of(transform, advance, font.vertical);
        let Some(place) = place.filter(|place| place.visible_on(self.dimensions)) else {
            self.characters.truncate(start);
            return;
        };
        let glyph = Glyph {
            start: start as u32,
            end: self.characters.len() as u32,
            angle: place.angle,
            u0: place.u0,
            u1: place.u1,
            v: place.v,
            size: place.size,
            space: first.is_some_and(char::is_whitespace),
            bold: font.bold,
            writing: match font.vertical {
                true => Writing::TopDown,
                false if first.map_or(in_rtl, characters::is_rtl) => Writing::RightToLeft,
                false => Writing::LeftToRight,
            },
        };
        if self.glyphs.last().is_some_and(|last| self.drawn_twice(last, &glyph)) {
            self.characters.truncate(start);
            return;
        }
        self.glyphs.push(glyph);
    }

    /// Gives the glyphs from `from` on the characters of `text` if the font lacks some, as of ligatures.
    fn replace(&mut self, from: usize, text: &str) {
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

    /// Adds a word that was recognised from `u0` to `u1` on the baseline `v`, in points: its characters in equal widths,
    /// after a space.
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

    /// Bold type faked by drawing each letter twice, slightly apart.
    fn drawn_twice(&self, last: &Glyph, next: &Glyph) -> bool {
        let near = (0.2 * next.size).min(0.25 * (next.u1 - next.u0));
        last.angle == next.angle
            && (last.u0 - next.u0).abs() < near
            && (last.v - next.v).abs() < near
            && self.characters(last) == self.characters(next)
    }
}

/// A glyph's box in the frame of its writing direction.
struct Place {
    angle: i16,
    u0: f32,
    u1: f32,
    v: f32,
    size: f32,
    centre: Point,
}

impl Place {
    /// `transform` maps glyph space (1000 units an em) to the page; `None` if it is degenerate.
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
        // In vertical writing the origin is at the foot of the glyph's box; the line runs through its middle.
        let origin = if vertical { Point::new(500.0, 880.0) } else { Point::ZERO };
        let from = transform * origin;
        let to = from + if vertical { along } else { linear(advance, 0.0) };
        let turned = |p: Point| (p.x * cos + p.y * sin, p.y * cos - p.x * sin);
        let ((a, v), (b, _)) = (turned(from), turned(to));
        let half: Vec2 = (to - from) / 2.0;
        Some(Self {
            angle: (degrees as i16).rem_euclid(360),
            u0: a.min(b) as f32,
            u1: a.max(b) as f32,
            v: v as f32,
            size: size as f32,
            centre: from + half,
        })
    }

    fn visible_on(&self, (width, height): (f32, f32)) -> bool {
        let margin = f64::from(self.size);
        let inside = |x: f64, end: f32| x > -margin && x < f64::from(end) + margin;
        inside(self.centre.x, width) && inside(self.centre.y, height)
    }
}

/// The device on which pages are drawn.
struct Collector<'t> {
    glyphs: PageGlyphs,
    tables: &'t mut FontTables,
    /// The open marked contents: of those with a text of their own, their first glyph and that text.
    marked: Vec<Option<(usize, String)>>,
}

impl<'a> Device<'a> for Collector<'_> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        let font = RunFont {
            vertical: matches!(run.writing_mode(), WritingMode::Vertical),
            bold: run.glyphs().first().is_some_and(|glyph| self.tables.is_bold(glyph)),
            replaced: self.marked.last().is_some_and(Option::is_some),
        };
        for glyph in run.glyphs() {
            self.glyphs.push(glyph, props.transform * glyph.transform(), font, self.tables);
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let pixels = f64::from(image.width()) * f64::from(image.height());
        let (width, height) = self.glyphs.dimensions;
        let share = pixels * props.transform.determinant().abs() / f64::from(width * height);
        self.glyphs.pictured += if share.is_finite() { share.min(1.0) } else { 0.0 };
    }

    fn begin_marked_content(&mut self, _: &[u8], properties: Option<&Dict<'_>>) {
        let text = properties.and_then(|properties| properties.get::<object::String<'_>>("ActualText"));
        let text = text.filter(|text| text.as_bytes().len() <= MAX_REPLACED_BYTES);
        let text = text.and_then(|text| decoded(text.as_bytes()));
        self.marked.push(text.map(|text| (self.glyphs.glyphs.len(), text)));
    }

    fn end_marked_content(&mut self) {
        if let Some(Some((from, text))) = self.marked.pop() {
            self.glyphs.replace(from, &text);
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {
        self.glyphs.paths += 1;
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
