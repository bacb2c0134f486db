//! Decides which glyphs of a page are visible.
//!
//! It follows the drawing: clips, opacity, and what is painted below and above each glyph. A glyph is judged by the box
//! of its lower-case letters, and in doubt it is visible. The text layer of a scan is drawn invisibly or below the
//! image, and is kept.

use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect};
use hayro_interpret::{BlendMode, ClipPath};

use super::boxes::{MAX_ELEMENTS, boxes, is_box, is_line, is_upright};

/// Images that cover at least this share of a page make it a scan or a page with a background image.
pub(super) const PICTURED: f64 = 0.6;
/// Text with less opacity than the first is invisible; surfaces with more than the second are opaque.
const CLEAR: f32 = 0.02;
const OPAQUE: f32 = 0.98;
/// Colours look the same if each channel (up to 255) differs by at most this.
const SAME_TINT: f32 = 10.0;
/// Smaller type is not readable, in points …
const MIN_SIZE: f32 = 1.5;
/// … unless the page has hardly any type of at least this size.
const READABLE_SIZE: f32 = 4.0;
const MIN_READABLE: usize = 10;
/// Maximum number of surfaces on a page; with more, colours are ignored.
const MAX_SURFACES: usize = 20_000;
/// Maximum number of images on a page; with more, all invisible text counts as text of an image.
const MAX_PICTURES: usize = 64;
/// Maximum number of colours of surfaces that are distinguished.
const MAX_TINTS: usize = 64;
/// Maximum number of comparisons of glyphs with surfaces on a page. Glyphs that are not compared are visible.
const MAX_WORK: usize = 8_000_000;
/// Maximum size of a shape that stands for a letter, in heights of lower-case letters.
const MAX_SHAPE: f64 = 7.0;
/// The height of a band of glyphs in points, and the maximum number of bands.
const BAND: f64 = 8.0;
const MAX_BANDS: usize = 1024;

const WHITE: Tint = [255.0; 3];
const EVERYWHERE: Rect = Rect::new(-1e9, -1e9, 1e9, 1e9);

/// Red, green and blue, up to 255.
pub(super) type Tint = [f32; 3];

/// How text or a surface is painted.
#[derive(Clone, Copy)]
pub(super) struct Brush {
    /// `None` for patterns.
    pub(super) tint: Option<Tint>,
    pub(super) alpha: f32,
    /// Whether it is neither blended nor masked.
    pub(super) plain: bool,
}

/// How a glyph is drawn.
#[derive(Clone, Copy)]
pub(super) struct Drawn {
    /// The box of its lower-case letters.
    pub(super) ink: Rect,
    /// Whether it is neither filled nor stroked.
    pub(super) invisible: bool,
    /// Whether its size and colour are known, as in all fonts except those made of drawings.
    pub(super) known: bool,
    pub(super) size: f32,
    /// Whether it is written along the height of the page.
    pub(super) turned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    Visible,
    /// Drawn invisibly; kept if it is the text of an image.
    TextLayer,
    /// In the colour of its background; kept if an image of it is drawn on top.
    LowContrast,
    Hidden,
}

/// What the visibility of a glyph depends on.
struct Ink {
    area: Rect,
    visibility: Visibility,
    /// The corners that are covered by a surface painted later, and by an image.
    by_fill: u8,
    by_picture: u8,
    /// Whether it is too small to be read.
    tiny: bool,
    readable: bool,
}

const ALL_CORNERS: u8 = 0b1111;

struct Clip {
    bounds: Rect,
    /// Whether the clip contains all of `bounds`.
    exact: bool,
    /// The invisible glyphs that form the clip; they are visible once something is painted through them.
    letters: Option<(usize, usize)>,
}

struct Group {
    alpha: f32,
    plain: bool,
}

struct Surface {
    area: Rect,
    /// Its colour if it is opaque and fills all of `area`.
    tint: Option<Tint>,
}

/// The state of a page while it is drawn, in viewer coordinates.
pub(super) struct Canvas {
    page: Rect,
    clips: Vec<Clip>,
    groups: Vec<Group>,
    /// One for each glyph of the page.
    inks: Vec<Ink>,
    /// Glyphs by the height of their middle.
    bands: Vec<Vec<u32>>,
    surfaces: Vec<Surface>,
    /// The colours of surfaces, each with a box around its surfaces.
    tints: Vec<(Tint, Rect)>,
    pictures: Vec<Rect>,
    /// Markups by readers. They never hide text: viewers draw them translucent in any case.
    markings: Vec<Rect>,
    work: usize,
}

/// The result for the glyphs of a page.
pub(super) struct VisibleGlyphs {
    /// For each glyph, whether it is kept.
    pub(super) kept: Vec<bool>,
    /// The number of kept glyphs that belong to a text layer.
    pub(super) layer: usize,
}

impl Canvas {
    pub(super) fn new(page: Rect) -> Self {
        let bands = ((page.height() / BAND).ceil() as usize).clamp(1, MAX_BANDS);
        Self {
            page,
            clips: Vec::new(),
            groups: Vec::new(),
            inks: Vec::new(),
            bands: vec![Vec::new(); bands],
            surfaces: Vec::new(),
            tints: Vec::new(),
            pictures: Vec::new(),
            markings: Vec::new(),
            work: 0,
        }
    }

    pub(super) fn set_markings(&mut self, markings: Vec<Rect>) {
        self.markings = markings;
    }

    pub(super) fn ink(&self, glyph: usize) -> Rect {
        self.inks[glyph].area
    }

    /// Whether the last glyph may be visible.
    pub(super) fn shows_last(&self) -> bool {
        self.inks.last().is_some_and(|ink| {
            matches!(ink.visibility, Visibility::Visible | Visibility::TextLayer) && !ink.is_covered()
        })
    }

    pub(super) fn push_clip(&mut self, clip: &ClipPath) {
        let bounds = clip.path.control_box();
        let exact = is_box(&clip.path, bounds);
        let letters = if exact { None } else { self.letters_in(bounds) };
        self.push(bounds, exact, letters);
    }

    pub(super) fn push_clip_box(&mut self, bounds: Rect) {
        self.push(bounds, true, None);
    }

    fn push(&mut self, bounds: Rect, exact: bool, letters: Option<(usize, usize)>) {
        let (outer, outer_exact) = self.clip();
        self.clips.push(Clip { bounds: outer.intersect(bounds), exact: exact && outer_exact, letters });
    }

    pub(super) fn pop_clip(&mut self) {
        self.clips.pop();
    }

    /// The invisible glyphs drawn last, if they form a clip with these bounds.
    fn letters_in(&mut self, bounds: Rect) -> Option<(usize, usize)> {
        let bounds = bounds.inflate(1.0, 1.0);
        let inside =
            |ink: &&Ink| ink.visibility == Visibility::TextLayer && bounds.contains(ink.area.center());
        let budget = MAX_WORK.saturating_sub(self.work);
        let count = self.inks.iter().rev().take(budget).take_while(inside).count();
        self.work += count;
        (count > 0).then_some((self.inks.len() - count, self.inks.len()))
    }

    pub(super) fn push_group(&mut self, alpha: f32, masked: bool, blend: BlendMode) {
        let (outer, plain) = self.group();
        let plain = plain && !masked && blend == BlendMode::Normal;
        self.groups.push(Group { alpha: outer * alpha, plain });
    }

    pub(super) fn pop_group(&mut self) {
        self.groups.pop();
    }

    fn group(&self) -> (f32, bool) {
        self.groups.last().map_or((1.0, true), |group| (group.alpha, group.plain))
    }

    /// `brush` with the opacity of the current groups.
    fn grouped(&self, brush: Brush) -> Brush {
        let (alpha, plain) = self.group();
        Brush { alpha: brush.alpha * alpha, plain: brush.plain && plain, ..brush }
    }

    fn clip(&self) -> (Rect, bool) {
        self.clips.last().map_or((EVERYWHERE, true), |clip| (clip.bounds, clip.exact))
    }

    /// Whether a glyph is on the page and inside the clip. Text that runs off the page is read up to its edge.
    fn is_inside(&self, drawn: &Drawn) -> bool {
        let size = f64::from(drawn.size);
        let (along, across) = if drawn.known { (size, 0.5) } else { (size, size) };
        let (x, y) = if drawn.turned { (across, along) } else { (along, across) };
        let clip = self.clip().0.inflate(across, across);
        let at = drawn.ink.center();
        clip.contains(at) && self.page.inflate(x, y).contains(at)
    }

    /// Adds the next glyph.
    pub(super) fn glyph(&mut self, drawn: &Drawn, brush: Brush) {
        let brush = self.grouped(brush);
        let at = drawn.ink.center();
        let visibility = if !self.is_inside(drawn) {
            Visibility::Hidden
        } else if drawn.invisible || brush.alpha < CLEAR {
            Visibility::TextLayer
        } else if drawn.known && self.is_lost_on_ground(at, brush) {
            Visibility::LowContrast
        } else {
            Visibility::Visible
        };
        let band = self.band(at.y);
        self.bands[band].push(self.inks.len() as u32);
        let tiny = drawn.known && drawn.size < MIN_SIZE;
        let readable = !drawn.known || drawn.size >= READABLE_SIZE;
        self.inks.push(Ink { area: drawn.ink, visibility, by_fill: 0, by_picture: 0, tiny, readable });
    }

    fn band(&self, y: f64) -> usize {
        ((y / BAND).max(0.0) as usize).min(self.bands.len() - 1)
    }

    /// Whether text is on a background of the same colour.
    fn is_lost_on_ground(&mut self, at: Point, brush: Brush) -> bool {
        let Some(tint) = brush.tint.filter(|_| brush.plain && self.surfaces.len() < MAX_SURFACES) else {
            return false;
        };
        let is_same = |ground: Tint| {
            tint.iter().zip(ground).all(|(one, other)| (one - other).abs() * brush.alpha <= SAME_TINT)
        };
        let may_be = is_same(WHITE)
            || self.tints.len() == MAX_TINTS
            || self.tints.iter().any(|(ground, around)| is_same(*ground) && around.contains(at));
        if !may_be {
            return false;
        }
        for surface in self.surfaces.iter().rev() {
            self.work += 1;
            if self.work > MAX_WORK {
                return false;
            }
            if surface.area.contains(at) {
                return surface.tint.is_some_and(is_same);
            }
        }
        is_same(WHITE)
    }

    /// Adds a filled path; `transform` converts to viewer coordinates.
    pub(super) fn fill(&mut self, path: &BezPath, transform: Affine, brush: impl FnOnce() -> Brush) {
        let bounds = transform.transform_rect_bbox(path.control_box());
        if is_line(bounds) {
            return self.surface(bounds, None);
        }
        let boxes =
            if path.elements().len() > MAX_ELEMENTS { None } else { boxes(&(transform * path.clone())) };
        match boxes {
            Some(boxes) => {
                let brush = brush();
                boxes.into_iter().for_each(|area| self.surface(area, Some(brush)));
            }
            None => self.surface(bounds, None),
        }
    }

    /// Adds a filled rectangle.
    pub(super) fn fill_box(&mut self, area: Rect, transform: Affine, brush: impl FnOnce() -> Brush) {
        let bounds = transform.transform_rect_bbox(area);
        self.surface(bounds, is_upright(transform).then(brush));
    }

    /// Adds a surface. Without a brush, only parts of `area` are painted, or the colours are unknown.
    pub(super) fn surface(&mut self, area: Rect, brush: Option<Brush>) {
        let (bounds, exact) = self.clip();
        let area = area.intersect(bounds);
        if area.area() <= 0.0 {
            return;
        }
        self.show_letters();
        let brush = brush.map(|brush| self.grouped(brush));
        let is_ground = |brush: &Brush| exact && !is_line(area) && brush.plain && brush.alpha > OPAQUE;
        let tint = brush.filter(is_ground).and_then(|brush| brush.tint);
        if let Some(tint) = tint {
            self.remember(tint, area);
            self.cover(area, false);
        }
        if self.surfaces.len() < MAX_SURFACES {
            self.surfaces.push(Surface { area, tint });
        }
    }

    fn remember(&mut self, tint: Tint, area: Rect) {
        if let Some((_, around)) = self.tints.iter_mut().find(|(known, _)| *known == tint) {
            *around = around.union(area);
        } else if self.tints.len() < MAX_TINTS {
            self.tints.push((tint, area));
        }
    }

    /// Adds an image; an opaque one is a box without holes.
    pub(super) fn picture(&mut self, area: Rect, opaque: bool) {
        let (bounds, exact) = self.clip();
        let (alpha, plain) = self.group();
        let area = area.intersect(bounds);
        self.surface(area, None);
        if self.pictures.len() < MAX_PICTURES {
            self.pictures.push(area);
        }
        if opaque && exact && plain && alpha > OPAQUE {
            self.cover(area, true);
        }
    }

    /// Makes the letters of the current clip visible, because something is painted through them.
    fn show_letters(&mut self) {
        if let Some((from, to)) = self.clips.last_mut().and_then(|clip| clip.letters.take()) {
            self.inks[from..to].iter_mut().for_each(|ink| ink.visibility = Visibility::Visible);
        }
    }

    /// Covers the glyphs drawn so far.
    fn cover(&mut self, area: Rect, is_picture: bool) {
        let area = area.inflate(0.1, 0.1);
        let inside = |marking: &Rect| marking.inflate(2.0, 2.0).union(area) == marking.inflate(2.0, 2.0);
        if self.markings.iter().any(inside) {
            return;
        }
        let (from, to) = (self.band(area.y0 - BAND), self.band(area.y1 + BAND));
        for band in &self.bands[from..=to] {
            self.work += band.len();
            if self.work > MAX_WORK {
                return;
            }
            for &glyph in band {
                let ink = &mut self.inks[glyph as usize];
                let corners = ink.corners_in(area);
                *if is_picture { &mut ink.by_picture } else { &mut ink.by_fill } |= corners;
            }
        }
    }

    /// Decides which glyphs are kept; `pictured` is the share of the page that images cover.
    pub(super) fn finish(mut self, pictured: f64) -> VisibleGlyphs {
        let scanned = pictured > PICTURED;
        let readable =
            self.inks.iter().filter(|ink| ink.visibility == Visibility::Visible && ink.readable).count();
        let mut is_layer = vec![false; self.inks.len()];
        for (ink, is_layer) in self.inks.iter_mut().zip(&mut is_layer) {
            // Some scanners put the image on top of its text.
            let below = scanned && ink.by_picture == ALL_CORNERS && ink.visibility != Visibility::Hidden;
            if below {
                ink.visibility = Visibility::TextLayer;
            }
            *is_layer = ink.visibility == Visibility::TextLayer;
            let lost = ink.tiny && !*is_layer && readable >= MIN_READABLE;
            if lost || (ink.is_covered() && !below) {
                ink.visibility = Visibility::Hidden;
            }
        }
        // If a page has only invisible text, its image is missing.
        let alone = self.inks.iter().all(|ink| ink.visibility != Visibility::Visible);
        let mut work = self.work;
        let mut kept = Vec::with_capacity(self.inks.len());
        for ink in &self.inks {
            let is_kept = match ink.visibility {
                Visibility::Visible => true,
                Visibility::LowContrast | Visibility::Hidden => false,
                Visibility::TextLayer => {
                    scanned || alone || self.is_on_picture(ink) || self.has_shape(ink, &mut work)
                }
            };
            kept.push(is_kept);
        }
        let layer = kept.iter().zip(&is_layer).filter(|(kept, layer)| **kept && **layer).count();
        VisibleGlyphs { kept, layer }
    }

    /// Whether a shape of a letter's size is drawn at a glyph. Some programs draw letters as paths and add invisible
    /// text for copying.
    fn has_shape(&self, ink: &Ink, work: &mut usize) -> bool {
        *work += self.surfaces.len();
        let (at, most) = (ink.area.center(), MAX_SHAPE * ink.area.height());
        let is_shape = |surface: &Surface| {
            let area = surface.area;
            surface.tint.is_none() && area.width() < most && area.height() < most && area.contains(at)
        };
        *work > MAX_WORK || self.surfaces.iter().any(is_shape)
    }

    fn is_on_picture(&self, ink: &Ink) -> bool {
        let all_known = self.pictures.len() < MAX_PICTURES;
        !all_known || self.pictures.iter().any(|picture| picture.contains(ink.area.center()))
    }
}

impl Ink {
    fn is_covered(&self) -> bool {
        self.by_fill | self.by_picture == ALL_CORNERS
    }

    fn corners_in(&self, area: Rect) -> u8 {
        let Rect { x0, y0, x1, y1 } = self.area;
        let corners = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)];
        corners.iter().zip(0..).map(|(&corner, bit)| u8::from(area.contains(corner)) << bit).sum()
    }
}

#[cfg(test)]
pub(super) mod tests;
