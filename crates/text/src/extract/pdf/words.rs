//! Turns the glyphs of one row into its text: word spaces, cells, accents.
//!
//! Only here do glyphs become characters of the document's text.

use unicode_normalization::char::compose;

use super::bidi;
use super::glyphs::{Glyph, PageGlyphs};

/// A gap of this many ems separates words if no space is drawn.
pub(super) const WORD_GAP: f32 = 0.12;
/// A gap of this many ems separates the cells of a table.
pub(super) const CELL_GAP: f32 = 1.8;

/// The text of a row.
pub(super) struct Words {
    pub(super) text: String,
    /// Cells of a table's row; 1 for a line of text.
    pub(super) cells: u32,
    /// The text's glyphs, if the page is traced; boxed, since nearly no page is.
    pub(super) trace: Option<Box<Trace>>,
}

/// The glyphs of a row in the order of its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace(pub(super) Vec<Drawn>);

/// A glyph in the text of its row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    /// Byte offset of its characters; they end at the next glyph's.
    pub(super) start: usize,
    pub(super) glyph: Glyph,
}

/// Reads `glyphs` on one baseline, from left to right unless `rtl`.
pub(super) fn words(page: &PageGlyphs, mut glyphs: Vec<Glyph>, rtl: bool) -> Words {
    if rtl {
        bidi::to_reading_order(page, &mut glyphs);
    }
    let threshold = word_gap(&glyphs);
    let trace = page.traced.then(Box::default);
    let mut words = Words { text: String::with_capacity(glyphs.len()), cells: 1, trace };
    let Words { text, cells, trace } = &mut words;
    let mut trace = |text: &String, glyph: &Glyph| {
        if let Some(trace) = trace {
            trace.0.push(Drawn { start: text.len(), glyph: *glyph });
        }
    };
    let mut last: Option<&Glyph> = None;
    // An accent drawn before its letter.
    let mut accent: Option<(&Glyph, char)> = None;
    for glyph in &glyphs {
        if glyph.space {
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
            continue;
        }
        let characters = page.characters(glyph);
        if let Some((alone, mark)) = accent.take() {
            if let Some(letter) = accented(characters, mark).filter(|_| overlap(alone, glyph)) {
                trace(text, glyph);
                text.push(letter);
                text.extend(characters.chars().skip(1));
                last = Some(glyph);
                continue;
            }
            trace(text, alone);
            text.push_str(page.characters(alone));
        }
        if let Some(last) = last {
            let size = glyph.size.max(last.size);
            let gap = (glyph.u0 - last.u1).max(last.u0 - glyph.u1) / size;
            if gap > CELL_GAP {
                text.truncate(text.trim_end().len());
                text.push_str("  ");
                *cells += 1;
            } else if gap > threshold && !text.ends_with(' ') {
                text.push(' ');
            }
        }
        let mark = combining(characters);
        if let (Some(mark), Some(last)) = (mark, last)
            && overlap(last, glyph)
            && let Some(letter) = text.pop()
        {
            text.push(compose(letter, mark).unwrap_or(letter));
            continue;
        }
        match mark {
            Some(mark) => accent = Some((glyph, mark)),
            None => {
                trace(text, glyph);
                text.push_str(characters);
            }
        }
        last = Some(glyph);
    }
    if let Some((alone, _)) = accent {
        trace(text, alone);
        text.push_str(page.characters(alone));
    }
    text.truncate(text.trim_end().len());
    words
}

/// The gap in ems that separates words on this line. Letterspaced type raises it: if most gaps are wide, they do not
/// separate words.
fn word_gap(glyphs: &[Glyph]) -> f32 {
    let mut gaps: Vec<f32> = glyphs
        .windows(2)
        .filter(|pair| !pair[0].space && !pair[1].space)
        .map(|pair| (pair[1].u0 - pair[0].u1) / pair[1].size)
        .collect();
    if gaps.len() < 4 {
        return WORD_GAP;
    }
    let middle = gaps.len() / 2;
    let (_, median, _) = gaps.select_nth_unstable_by(middle, f32::total_cmp);
    WORD_GAP + median.clamp(0.0, 1.0)
}

/// The combining mark for a separate accent glyph, as TeX draws them.
fn combining(characters: &str) -> Option<char> {
    let mut characters = characters.chars();
    let (first, None) = (characters.next()?, characters.next()) else { return None };
    Some(match first {
        '`' | '\u{2CB}' => '\u{300}',
        '\u{B4}' | '\u{2CA}' => '\u{301}',
        '^' | '\u{2C6}' => '\u{302}',
        '~' | '\u{2DC}' => '\u{303}',
        '\u{AF}' | '\u{2C9}' => '\u{304}',
        '\u{2D8}' => '\u{306}',
        '\u{2D9}' => '\u{307}',
        '\u{A8}' => '\u{308}',
        '\u{2DA}' => '\u{30A}',
        '\u{2DD}' => '\u{30B}',
        '\u{2C7}' => '\u{30C}',
        '\u{B8}' => '\u{327}',
        '\u{2DB}' => '\u{328}',
        _ => return None,
    })
}

/// The first of `characters` with `mark` on it.
fn accented(characters: &str, mark: char) -> Option<char> {
    let letter = match characters.chars().next()? {
        'ı' => 'i',
        'ȷ' => 'j',
        letter => letter,
    };
    compose(letter, mark)
}

/// Whether the two glyphs overlap.
fn overlap(one: &Glyph, other: &Glyph) -> bool {
    let common = one.u1.min(other.u1) - one.u0.max(other.u0);
    common > 0.5 * (one.u1 - one.u0).min(other.u1 - other.u0)
}
