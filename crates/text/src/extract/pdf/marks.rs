//! Maps spans of a document's text to boxes on its pages.
//!
//! This module draws only pages that contain a span; [`align`] finds their rows in the text. Boxes are in viewer
//! coordinates: the visible crop box, rotated, with the origin at its top left corner.

use hayro_interpret::{InterpreterCache, InterpreterSettings};
use oriel_core::{ByteSpan, Failure, RecognisedPages};

use super::characters::FontTables;
use super::furniture::PageBlocks;
use super::glyphs::PageGlyphs;
use super::layout::{ASCENT, DESCENT, Drawn, Glyph, Trace, Writing};
use super::words::{CELL_GAP, WORD_GAP};
use super::{align, fonts, hocr, opened};
use crate::extract::{Mark, MarkRequest, PageText};

/// The boxes of the request's spans, in their order; `None` if the text is not that of the file. If all pages of the
/// request were recognised, the file is needed only for notes and fields on them: it may be empty, and `None` asks for
/// it.
pub(in crate::extract) fn marks(
    bytes: &[u8],
    recognised: &RecognisedPages,
    request: &MarkRequest,
) -> Result<Option<Vec<Mark>>, Failure> {
    // If readers left notes on these pages, the file is still needed.
    if request.pages.iter().all(|page| recognised.contains_key(&page.page))
        && let Some(marks) = on_pages(request, |number| recognised_page(recognised, number))
    {
        return Ok(Some(marks));
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    if let Some(marks) = of_file(bytes, recognised, request)? {
        return Ok(Some(marks));
    }
    // The text may have been read with recovered font maps.
    match fonts::with_maps(bytes) {
        Some(copy) => of_file(&copy, recognised, request),
        None => Ok(None),
    }
}

fn of_file(
    bytes: &[u8],
    recognised: &RecognisedPages,
    request: &MarkRequest,
) -> Result<Option<Vec<Mark>>, Failure> {
    let pdf = opened(bytes)?;
    let settings = InterpreterSettings::default();
    let cache = InterpreterCache::new();
    let mut tables = FontTables::default();
    Ok(on_pages(request, |number| {
        let page = pdf.pages().get((number as usize).checked_sub(1)?)?;
        let mut glyphs = PageGlyphs::of_page(page, &cache, &settings, &mut tables);
        glyphs.traced = true;
        if let Some((page, dimensions)) = recognised_page(recognised, number) {
            return Some((page.with_annotations(&mut glyphs), dimensions));
        }
        let page = PageBlocks::of(&mut glyphs);
        (!glyphs.overflow).then_some((page, glyphs.dimensions))
    }))
}

/// The blocks of a recognised page, and its size.
fn recognised_page(recognised: &RecognisedPages, number: u32) -> Option<(PageBlocks, (f32, f32))> {
    let page = hocr::page(recognised.get(&number)?);
    let dimensions = page.dimensions();
    Some((page.blocks(true), dimensions))
}

/// The words that may be wrong, each as a mark of span 0.
pub(in crate::extract) fn unsure_words(recognised: &RecognisedPages) -> Vec<Mark> {
    let pages = recognised.iter().map(|(&number, hocr)| (number, hocr::page(hocr)));
    let words = pages.flat_map(|(page, read)| {
        let boxes = read.unsure().filter(|[left, top, right, bottom]| left < right && top < bottom);
        boxes
            .map(|[left, top, right, bottom]| Mark { span: 0, page, left, top, right, bottom })
            .collect::<Vec<_>>()
    });
    words.collect()
}

/// The boxes on all pages; `page` returns the blocks and the size of a page by its number.
fn on_pages(
    request: &MarkRequest,
    mut page: impl FnMut(u32) -> Option<(PageBlocks, (f32, f32))>,
) -> Option<Vec<Mark>> {
    let mut marks = Vec::new();
    for part in &request.pages {
        let (mut page, dimensions) = page(part.page)?;
        let mut marked = mark_page(&page, dimensions, part, &request.spans, &mut marks);
        if let Some(unnumbered) = page.unnumbered.take().filter(|_| !marked) {
            page.blocks = unnumbered;
            marked = mark_page(&page, dimensions, part, &request.spans, &mut marks);
        }
        if !marked {
            return None;
        }
    }
    marks.sort_by_key(|mark| mark.span);
    Some(marks)
}

/// Adds the boxes on one page; `false` if the text is not that of the page.
fn mark_page(
    page: &PageBlocks,
    dimensions: (f32, f32),
    part: &PageText,
    spans: &[ByteSpan],
    marks: &mut Vec<Mark>,
) -> bool {
    let Some(begins) = align::align(page, &part.text) else { return false };
    let spans: Vec<(usize, ByteSpan)> =
        spans.iter().copied().enumerate().filter(|(_, span)| part.overlaps(*span)).collect();
    for ((row, angle), begin) in align::rows(page).zip(begins) {
        let (Some(begin), Some(Trace(drawn))) = (begin, row.trace.as_deref()) else { continue };
        // The glyph of each character, and the character's offset in the document.
        let mut characters: Vec<(usize, usize)> = Vec::new();
        let _ = align::match_row(&row.text, &part.text, begin, |at, text| {
            let glyph = drawn.partition_point(|glyph| glyph.start <= at);
            characters.push((glyph.saturating_sub(1), part.start as usize + text));
        });
        let mut order: Vec<usize> = (0..drawn.len()).collect();
        order.sort_by(|&a, &b| drawn[a].glyph.u0.total_cmp(&drawn[b].glyph.u0));
        for &(number, span) in &spans {
            let mut chosen = vec![false; drawn.len()];
            let inside = characters.iter().filter(|(_, text)| span.range().contains(text));
            for &(glyph, _) in inside {
                chosen[glyph] = true;
            }
            let strips = strips(drawn, angle, &order, &chosen);
            marks.extend(strips.iter().filter_map(|strip| {
                let [left, top, right, bottom] = strip.on_page(angle, dimensions)?;
                Some(Mark { span: number, page: part.page, left, top, right, bottom })
            }));
        }
    }
    true
}

/// Converts the chosen glyphs of a row to strips; `order` has all glyphs by their position on the line.
fn strips(drawn: &[Drawn], angle: i16, order: &[usize], chosen: &[bool]) -> Vec<Strip> {
    // A box covers a line or a table cell; on a line that is not parallel to an edge of the page, a word.
    let gap = if angle % 90 == 0 { CELL_GAP } else { WORD_GAP };
    let mut strips: Vec<Strip> = Vec::new();
    let mut open = false;
    for &at in order {
        let glyph = &drawn[at].glyph;
        if !chosen[at] {
            open = false;
            continue;
        }
        let next = Strip::of(glyph);
        match strips.last_mut() {
            Some(last) if open && next.u0 - last.u1 <= gap * glyph.size => last.include(&next),
            _ => strips.push(next),
        }
        open = true;
    }
    strips
}

/// A box in the coordinates of the line.
struct Strip {
    u0: f32,
    u1: f32,
    /// Upper and lower edge.
    v0: f32,
    v1: f32,
}

impl Strip {
    fn of(glyph: &Glyph) -> Self {
        let (ascent, descent) =
            if glyph.writing == Writing::TopDown { (0.5, 0.5) } else { (ASCENT, DESCENT) };
        let (v0, v1) = (glyph.v - ascent * glyph.size, glyph.v + descent * glyph.size);
        Self { u0: glyph.u0, u1: glyph.u1, v0, v1 }
    }

    fn include(&mut self, other: &Self) {
        self.u0 = self.u0.min(other.u0);
        self.u1 = self.u1.max(other.u1);
        self.v0 = self.v0.min(other.v0);
        self.v1 = self.v1.max(other.v1);
    }

    /// Left, top, right and bottom as fractions of the page; `None` if the box is completely outside of it.
    fn on_page(&self, angle: i16, (width, height): (f32, f32)) -> Option<[f32; 4]> {
        let (sin, cos) = f32::from(angle).to_radians().sin_cos();
        let corners = [(self.u0, self.v0), (self.u1, self.v0), (self.u0, self.v1), (self.u1, self.v1)];
        let corners = corners.map(|(u, v)| ((u * cos - v * sin) / width, (u * sin + v * cos) / height));
        let low = |of: fn((f32, f32)) -> f32| corners.map(of).into_iter().fold(f32::INFINITY, f32::min);
        let high = |of: fn((f32, f32)) -> f32| corners.map(of).into_iter().fold(f32::NEG_INFINITY, f32::max);
        let (x, y) = (|corner: (f32, f32)| corner.0, |corner: (f32, f32)| corner.1);
        let edges = [low(x), low(y), high(x), high(y)].map(|edge| edge.clamp(0.0, 1.0));
        (edges[0] < edges[2] && edges[1] < edges[3]).then_some(edges)
    }
}

#[cfg(test)]
mod tests;
