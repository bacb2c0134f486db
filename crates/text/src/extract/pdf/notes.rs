//! Puts readers' notes into a page: comments as blocks near their words, struck words between `~~`. Words may be struck
//! out by an annotation, or by a line drawn on the page.

use hayro_interpret::kurbo::{Point, Rect};

use super::annotations::{Note, Purpose};
use super::glyphs::PageGlyphs;
use super::layout::{ASCENT, Block, DESCENT, Drawn, Glyph, Row, Segment, Trace};
use super::words::words;
use crate::extract::writer::one_line;

/// Maximum characters of a quotation of the words that a comment marks.
const MAX_QUOTED: usize = 200;
/// A line that strikes words out is between these heights above their baseline, in ems …
const MIDDLE: (f64, f64) = (0.16, 0.42);
/// … and this many strike out a line of text at most.
const MAX_STRIKES: usize = 50;
/// Maximum number of comparisons of glyphs with the boxes of notes.
const MAX_WORK: usize = 20_000_000;

/// A text to insert near a place on its page.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) area: Rect,
    pub(super) text: String,
}

/// The notes of a page. Also marks struck words in `segments`.
pub(super) fn of_page(page: &mut PageGlyphs, segments: &mut [Segment]) -> Vec<Placed> {
    let notes = std::mem::take(&mut page.annotations.notes);
    let mut budget = MAX_WORK;
    let texts = notes.iter().filter_map(|note| {
        let words = quoted(page, segments, &note.quads, &mut budget);
        Some(Placed { area: note.quads.last().copied().unwrap_or(note.area), text: written(note, &words)? })
    });
    let placed = texts.collect();
    for note in notes.iter().filter(|note| note.purpose == Purpose::Strike) {
        strike(page, segments, &note.quads, &mut budget);
    }
    page.annotations.notes = notes;
    strike_ruled(page, segments);
    placed
}

/// The text of a note on `words`; `None` if it is empty or drawn on the page.
fn written(note: &Note, words: &str) -> Option<String> {
    let text = one_line(&note.text);
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    // Some programs copy the marked words into the note.
    if text.is_empty() || (!words.is_empty() && letters(&text) == letters(words)) {
        return None;
    }
    if note.purpose == Purpose::Typed {
        return (!note.is_drawn).then_some(text);
    }
    let by = note.author.as_ref().map(|author| format!(" by {author}")).unwrap_or_default();
    let cut = words.char_indices().nth(MAX_QUOTED).map(|(at, _)| format!("{}…", words[..at].trim_end()));
    let words = cut.unwrap_or_else(|| words.to_owned());
    let on = if words.is_empty() { String::new() } else { format!(" on “{words}”") };
    Some(format!("Comment{by}{on}: {text}"))
}

/// The glyphs of `segment` inside `quads`.
fn marked(segment: &Segment, quads: &[Rect], budget: &mut usize) -> Vec<usize> {
    let work = quads.len() * (1 + segment.glyphs.len());
    if segment.angle != 0 || work > *budget {
        return Vec::new();
    }
    let (top, bottom) = (f64::from(segment.v - segment.size), f64::from(segment.v));
    if !quads.iter().any(|quad| quad.y0 < bottom && top < quad.y1) {
        *budget -= quads.len().min(*budget);
        return Vec::new();
    }
    *budget -= work;
    let is_inside = |glyph: &Glyph| {
        let middle = Point::new(f64::from(glyph.u0 + glyph.u1) / 2.0, f64::from(glyph.v - 0.3 * glyph.size));
        quads.iter().any(|quad| quad.contains(middle))
    };
    (0..segment.glyphs.len()).filter(|&at| is_inside(&segment.glyphs[at])).collect()
}

/// The words in `quads`.
fn quoted(page: &PageGlyphs, segments: &[Segment], quads: &[Rect], budget: &mut usize) -> String {
    let mut found = String::new();
    if quads.is_empty() {
        return found;
    }
    for segment in segments {
        let glyphs: Vec<Glyph> =
            marked(segment, quads, budget).into_iter().map(|at| segment.glyphs[at]).collect();
        if !glyphs.is_empty() && found.len() < 8 * MAX_QUOTED {
            found.push(' ');
            found.push_str(&words(page, glyphs, segment.rtl).text);
        }
    }
    one_line(&found)
}

/// Writes `~~` around the words in `quads`, on each line.
fn strike(page: &mut PageGlyphs, segments: &mut [Segment], quads: &[Rect], budget: &mut usize) {
    for segment in segments {
        let inside = marked(segment, quads, budget);
        for (first, last) in parts(page, &segment.glyphs, &inside) {
            enclose(page, &mut segment.glyphs, first, last);
        }
    }
}

/// Writes `~~` around words that a line strikes out. The line must begin and end at letters: lines of tables and charts
/// extend further.
fn strike_ruled(page: &mut PageGlyphs, segments: &mut [Segment]) {
    let mut rules = std::mem::take(&mut page.rules);
    rules.sort_by(|a, b| a.y0.total_cmp(&b.y0));
    for segment in segments.iter_mut().filter(|segment| segment.angle == 0) {
        let [v, size] = [segment.v, segment.size].map(f64::from);
        let (top, bottom) = (v - MIDDLE.1 * size, v - MIDDLE.0 * size);
        let from = rules.partition_point(|rule| rule.y0 < top);
        for rule in rules[from..].iter().take_while(|rule| rule.y1 < bottom).take(MAX_STRIKES) {
            let inside = struck(segment, rule);
            for (first, last) in parts(page, &segment.glyphs, &inside) {
                enclose(page, &mut segment.glyphs, first, last);
            }
        }
    }
}

/// The glyphs of `segment` from the start to the end of `rule`, if it strikes out at least two.
fn struck(segment: &Segment, rule: &Rect) -> Vec<usize> {
    let (left, right, near) = (rule.x0 as f32, rule.x1 as f32, 0.5 * segment.size);
    let height = rule.center().y as f32;
    let is_inside = |glyph: &Glyph| {
        let middle = (glyph.u0 + glyph.u1) / 2.0;
        // A fraction bar is below its numerator.
        let above = glyph.v - height;
        let is_through = above > 0.1 * glyph.size && above < 0.5 * glyph.size;
        !glyph.space && left < middle && middle < right && is_through
    };
    let inside: Vec<usize> = (0..segment.glyphs.len()).filter(|&at| is_inside(&segment.glyphs[at])).collect();
    let glyph = |at: Option<&usize>| at.map(|&at| segment.glyphs[at]);
    let is_exact = glyph(inside.first()).is_some_and(|first| (first.u0 - left).abs() < near)
        && glyph(inside.last()).is_some_and(|last| (last.u1 - right).abs() < near);
    if is_exact && inside.len() > 1 { inside } else { Vec::new() }
}

/// The first and last of the glyphs `inside` in each sentence, without the mark that ends it, so that each sentence has
/// both of its `~~`.
fn parts(page: &PageGlyphs, glyphs: &[Glyph], inside: &[usize]) -> Vec<(usize, usize)> {
    let is_end = |at: usize| {
        let ends = page.characters(&glyphs[at]).ends_with(['.', '!', '?', '…', '。', '！', '？']);
        ends && glyphs.get(at + 1).is_none_or(|next| next.space)
    };
    let mut parts: Vec<(usize, usize)> = Vec::new();
    let mut is_open = false;
    for &at in inside.iter().filter(|&&at| !glyphs[at].space) {
        if is_end(at) {
            is_open = false;
        } else if let Some(part) = parts.last_mut().filter(|_| is_open) {
            part.1 = at;
        } else {
            parts.push((at, at));
            is_open = true;
        }
    }
    parts
}

/// Writes `~~` before the glyph `first` and after the glyph `last`.
fn enclose(page: &mut PageGlyphs, glyphs: &mut [Glyph], first: usize, last: usize) {
    // An annotation draws its line too; the words are marked only once.
    let is_struck = page.characters(&glyphs[first]).starts_with("~~");
    if is_struck || page.characters(&glyphs[last]).ends_with("~~") {
        return;
    }
    let opened = format!("~~{}", page.characters(&glyphs[first]));
    glyphs[first] = page.written(&opened, glyphs[first]);
    let closed = format!("{}~~", page.characters(&glyphs[last]));
    glyphs[last] = page.written(&closed, glyphs[last]);
}

/// Inserts texts into the page, each after the block nearest to its place, or before it if its last sentence continues
/// after it.
pub(super) fn insert(blocks: &mut Vec<Block>, placed: Vec<Placed>, page: &PageGlyphs) {
    let mut behind: Vec<Vec<Block>> = vec![Vec::new(); blocks.len() + 1];
    for note in placed {
        let nearest = (0..blocks.len()).min_by(|&a, &b| {
            far(&blocks[a], note.area.center()).total_cmp(&far(&blocks[b], note.area.center()))
        });
        let place = nearest.map_or(0, |at| if runs_on(blocks, at) { at } else { at + 1 });
        behind[place].push(block(note, page));
    }
    let mut behind = behind.into_iter();
    let mut ordered: Vec<Block> = behind.next().unwrap_or_default();
    for (block, notes) in std::mem::take(blocks).into_iter().zip(behind) {
        ordered.push(block);
        ordered.extend(notes);
    }
    *blocks = ordered;
}

/// Whether the last sentence of a block may continue in the next one or on the next page.
fn runs_on(blocks: &[Block], at: usize) -> bool {
    let last = blocks[at].rows.last();
    let is_open = last.is_some_and(|row| {
        row.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-' | '\u{AD}' | '’'))
    });
    let next = blocks.get(at + 1).and_then(|block| block.rows.first());
    is_open && next.is_none_or(|row| row.text.starts_with(char::is_lowercase))
}

fn far(block: &Block, at: Point) -> f32 {
    let (x, y) = (at.x as f32, at.y as f32);
    let top = block.rows.first().map_or(0.0, |row| row.v - row.size);
    let bottom = block.rows.last().map_or(0.0, |row| row.v);
    let outside = |at: f32, from: f32, to: f32| (from - at).max(at - to).max(0.0);
    let turned = if block.angle == 0 { 0.0 } else { f32::from(u16::MAX) };
    turned + 4.0 * outside(y, top, bottom) + outside(x, block.u0, block.u1)
}

/// A block of one row that was not drawn: it has no size, and is neither at the top nor at the bottom. Its text is
/// marked where the note is.
fn block(note: Placed, page: &PageGlyphs) -> Block {
    let [u0, top, u1, bottom] =
        [note.area.x0, note.area.y0, note.area.x1, note.area.y1].map(|edge| edge as f32);
    let size = (bottom - top) / (ASCENT + DESCENT);
    let glyph = Glyph::unwritten(u0, u1, top + ASCENT * size, size);
    let trace = page.traced.then(|| Box::new(Trace(vec![Drawn { start: 0, glyph }])));
    let v = page.dimensions.1 / 2.0;
    let row = Row { text: note.text, cells: 1, v, alone: true, trace, ..Row::default() };
    Block { rows: vec![row], angle: 0, u0: 0.0, u1: 0.0 }
}

#[cfg(test)]
mod tests;
