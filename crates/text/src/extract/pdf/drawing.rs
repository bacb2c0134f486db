//! Draws a page onto a device that keeps the visible glyphs.
//!
//! It wraps the interpreter. [`Canvas`] decides what is visible; annotations are drawn after the page and read
//! separately.

use hayro_interpret::font::{Glyph, GlyphRun};
use hayro_interpret::hayro_cmap::WritingMode;
use hayro_interpret::kurbo::{Affine, BezPath, Rect, Shape};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, Paint, RenderContent, SoftMask, StrokeProps, TransformExt, interpret_page,
};
use hayro_syntax::object::{self, Dict};
use hayro_syntax::page::Page;

use super::annotations::Annotations;
use super::boxes::is_upright;
use super::canvas::{Brush, Canvas, Drawn};
use super::characters::FontTables;
use super::glyphs::{PageGlyphs, RunFont};
use super::strings::decoded;

/// Maximum bytes of the replacement text of marked content.
const MAX_REPLACED_BYTES: usize = 256;

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
        let mut collector = Collector {
            glyphs: Self::empty(dimensions),
            tables,
            marked: Vec::new(),
            canvas: Canvas::new(area),
        };
        let draw = |content: RenderContent, collector: &mut Collector<'_>| {
            let settings = InterpreterSettings { render_content: content, ..settings.clone() };
            let mut context = Context::new(transform, area, cache, page.xref(), settings);
            interpret_page(page, &mut context, collector);
        };
        draw(RenderContent::PAGE, &mut collector);
        let printed = collector.glyphs.glyphs.len();
        if let Some(annotations) = Annotations::of_page(page, transform) {
            collector.canvas.set_markings(annotations.markings());
            if annotations.are_drawn {
                draw(RenderContent::ANNOTATIONS, &mut collector);
            }
            collector.glyphs.overflow |= annotations.overflows();
            collector.glyphs.annotations = annotations;
        }
        collector.finish(printed)
    }
}

/// The device that pages are drawn on.
struct Collector<'t> {
    glyphs: PageGlyphs,
    tables: &'t mut FontTables,
    /// The open marked contents; those with a replacement text have the index of their first glyph and that text.
    marked: Vec<Option<(usize, String)>>,
    /// It has an ink for each glyph.
    canvas: Canvas,
}

impl Collector<'_> {
    /// Returns the page with its visible glyphs. The first `printed` glyphs are the page's own, the others belong to
    /// annotations.
    fn finish(self, printed: usize) -> PageGlyphs {
        let Self { mut glyphs, canvas, .. } = self;
        let drawn = std::mem::take(&mut glyphs.glyphs);
        let boxes: Vec<Rect> = (printed..drawn.len()).map(|at| canvas.ink(at)).collect();
        let visible = canvas.finish(glyphs.pictured);
        glyphs.layer = visible.layer;
        let mut holder = 0;
        for (at, (glyph, _)) in drawn.into_iter().zip(visible.kept).enumerate().filter(|(_, (_, kept))| *kept)
        {
            if at < printed {
                glyphs.printed += usize::from(!glyph.space);
                glyphs.glyphs.push(glyph);
            } else if !glyphs.annotations.take(&mut holder, glyph, boxes[at - printed]) {
                glyphs.glyphs.push(glyph);
            }
        }
        glyphs
    }
}

fn brush(props: &DrawProps<'_>) -> Brush {
    let plain = props.blend_mode == BlendMode::Normal && props.soft_mask.is_none();
    match &props.paint {
        Paint::Color(color) => {
            let [red, green, blue, alpha] = color.to_rgba().components();
            Brush { tint: Some([red, green, blue].map(|part| part * 255.0)), alpha, plain }
        }
        Paint::Pattern(_) => Brush { tint: None, alpha: 1.0, plain },
    }
}

/// The surface of a straight line along an edge of the page, if it is one; otherwise the box around a thick stroke.
fn stroked(path: &BezPath, transform: Affine, stroke: &StrokeProps) -> (Rect, bool) {
    let width = f64::from(stroke.line_width) * transform.determinant().abs().sqrt();
    let bounds = transform.transform_rect_bbox(path.control_box());
    let straight = path.elements().len() == 2 && stroke.dash_array.is_empty() && is_upright(transform);
    if straight && bounds.height() < 0.1 {
        return (bounds.inflate(0.0, width / 2.0), true);
    }
    if straight && bounds.width() < 0.1 {
        return (bounds.inflate(width / 2.0, 0.0), true);
    }
    (bounds.inflate(width / 2.0, width / 2.0), false)
}

/// Strokes thinner than this many points are lines.
const THICK: f64 = 3.0;

impl<'a> Device<'a> for Collector<'_> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let font = RunFont {
            vertical: matches!(run.writing_mode(), WritingMode::Vertical),
            bold: run.glyphs().first().is_some_and(|glyph| self.tables.is_bold(glyph)),
            replaced: self.marked.last().is_some_and(Option::is_some),
        };
        let brush = brush(&props);
        let invisible = matches!(mode, DrawMode::Invisible);
        for glyph in run.glyphs() {
            let shows_last = self.canvas.shows_last();
            let transform = props.transform * glyph.transform();
            let pushed = self.glyphs.push(glyph, transform, font, self.tables, shows_last);
            if let (Some(ink), Some(last)) = (pushed, self.glyphs.glyphs.last()) {
                let known = matches!(**glyph, Glyph::Outline(_));
                self.canvas.glyph(
                    &Drawn { ink, invisible, known, size: last.size, turned: last.angle % 180 == 90 },
                    brush,
                );
            }
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let pixels = f64::from(image.width()) * f64::from(image.height());
        let (width, height) = self.glyphs.dimensions;
        let share = pixels * props.transform.determinant().abs() / f64::from(width * height);
        self.glyphs.pictured += if share.is_finite() { share.min(1.0) } else { 0.0 };
        let pixels = Rect::new(0.0, 0.0, f64::from(image.width()), f64::from(image.height()));
        let opaque = match &image {
            Image::Stencil(_) => false,
            Image::Raster(raster) => {
                let stream = raster.stream();
                !["SMask", "Mask", "SMaskInData"].iter().any(|key| stream.dict().contains_key(key))
            }
        };
        self.canvas
            .picture(props.transform.transform_rect_bbox(pixels), opaque && is_upright(props.transform));
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

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.glyphs.paths += 1;
        match mode {
            DrawMode::Fill(_) | DrawMode::FillAndStroke(..) => {
                self.glyphs.push_rule(props.transform.transform_rect_bbox(path.control_box()));
                self.canvas.fill(path, props.transform, || brush(&props));
            }
            DrawMode::Stroke(stroke)
                if f64::from(stroke.line_width) * props.transform.determinant().abs().sqrt() >= THICK =>
            {
                let (area, exact) = stroked(path, props.transform, stroke);
                self.canvas.surface(area, exact.then(|| brush(&props)));
            }
            DrawMode::Stroke(stroke) => {
                if let (area, true) = stroked(path, props.transform, stroke) {
                    self.glyphs.push_rule(area);
                }
            }
            DrawMode::Invisible => {}
        }
    }

    fn draw_rect(&mut self, area: &Rect, props: DrawProps<'a>, mode: &DrawMode) {
        if matches!(mode, DrawMode::Fill(_)) {
            self.glyphs.paths += 1;
            self.glyphs.push_rule(props.transform.transform_rect_bbox(*area));
            self.canvas.fill_box(*area, props.transform, || brush(&props));
        } else {
            self.draw_path(&area.to_path(0.1), props, mode);
        }
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.canvas.push_clip(clip);
    }

    fn push_clip_rect(&mut self, clip: &Rect) {
        self.canvas.push_clip_box(*clip);
    }

    fn pop_clip(&mut self) {
        self.canvas.pop_clip();
    }

    fn push_transparency_group(&mut self, alpha: f32, mask: Option<SoftMask<'a>>, blend: BlendMode) {
        self.canvas.push_group(alpha, mask.is_some(), blend);
    }

    fn pop_transparency_group(&mut self) {
        self.canvas.pop_group();
    }
}
