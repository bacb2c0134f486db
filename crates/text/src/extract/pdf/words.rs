//! Converts the glyphs of one row to its text: word spaces, cells, accents.
//!
//! Only this module turns glyphs into characters of the document's text.

use unicode_normalization::char::{compose, is_combining_mark};

use super::bidi;
use super::glyphs::PageGlyphs;
use super::layout::{Drawn, Glyph, Trace};

/// A gap of this many ems separates words if no space is drawn.
pub(super) const WORD_GAP: f32 = 0.12;
/// The same on a line with drawn spaces, in a script whose letters have gaps between them.
const WIDE_WORD_GAP: f32 = 0.2;
/// A line has drawn spaces if its words have fewer glyphs on average.
const MAX_WORD_GLYPHS: usize = 16;
/// A gap of this many ems separates the cells of a table.
pub(super) const CELL_GAP: f32 = 1.8;

/// The text of a row.
pub(super) struct Words {
    pub(super) text: String,
    /// The number of cells in a table row; 1 for a line of text.
    pub(super) cells: u32,
    /// The glyphs of the text if the page is traced; boxed, since nearly no page is.
    pub(super) trace: Option<Box<Trace>>,
}

/// Reads `glyphs` on one baseline, from left to right unless `rtl`.
pub(super) fn words(page: &PageGlyphs, mut glyphs: Vec<Glyph>, rtl: bool) -> Words {
    let gaps = rtl.then(|| bidi::to_reading_order(page, &mut glyphs));
    let threshold = word_gap(&glyphs, rtl);
    let trace = page.traced.then(Box::default);
    let mut words = Words { text: String::with_capacity(glyphs.len()), cells: 1, trace };
    let Words { text, cells, trace } = &mut words;
    let mut trace = |text: &String, glyph: &Glyph| {
        if let Some(trace) = trace {
            trace.0.push(Drawn { start: text.len(), glyph: *glyph });
        }
    };
    let mut last: Option<&Glyph> = None;
    // The widest gap since the last letter of a right-to-left line.
    let mut widest: f32 = 0.0;
    // An accent drawn before its letter.
    let mut accent: Option<(&Glyph, char)> = None;
    for (at, glyph) in glyphs.iter().enumerate() {
        widest = gaps.as_ref().map_or(0.0, |gaps| widest.max(gaps[at]));
        let characters = page.characters(glyph);
        if glyph.space {
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
            continue;
        }
        if characters.is_empty() {
            last = Some(glyph);
            continue;
        }
        if rtl && characters.starts_with(is_combining_mark) {
            trace(text, glyph);
            text.push_str(characters);
            continue;
        }
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
            let gap = if rtl { std::mem::take(&mut widest) } else { glyph.u0 - last.u1 } / size;
            if gap > CELL_GAP {
                text.truncate(text.trim_end().len());
                text.push_str("  ");
                *cells += 1;
            } else if (gap > threshold || change_script(page, last, glyph)) && !text.ends_with(' ') {
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
    if rtl {
        mirror_brackets(text);
    }
    words
}

/// Swaps the brackets of a line whose font maps them by their shape: its first bracket closes, its last one opens.
fn mirror_brackets(text: &mut String) {
    const PAIRS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('«', '»')];
    let turned = |c: char| {
        let pair = PAIRS.into_iter().find(|&(open, close)| c == open || c == close)?;
        Some(if c == pair.0 { pair.1 } else { pair.0 })
    };
    let closes = |at: usize| PAIRS.iter().any(|&(_, close)| text[at..].starts_with(close));
    let is_bracket = |c: char| turned(c).is_some();
    if let (Some(first), Some(last)) = (text.find(is_bracket), text.rfind(is_bracket))
        && closes(first)
        && !closes(last)
    {
        *text = text.chars().map(|c| turned(c).unwrap_or(c)).collect();
    }
}

/// The gap in ems that separates words on this line. Letterspaced type raises it: if most gaps are wide, they do not
/// separate words. Type set closer than in its font lowers it. In right-to-left scripts with drawn spaces, gaps between
/// letters do not separate words either.
fn word_gap(glyphs: &[Glyph], rtl: bool) -> f32 {
    let spaces = glyphs.iter().filter(|glyph| glyph.space).count();
    if rtl && spaces * MAX_WORD_GLYPHS > glyphs.len() {
        return WIDE_WORD_GAP;
    }
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
    WORD_GAP + median.clamp(-0.5 * WORD_GAP, 1.0)
}

/// Whether the two are letters of opposite directions: a word ends between them even if its space is drawn elsewhere.
fn change_script(page: &PageGlyphs, last: &Glyph, next: &Glyph) -> bool {
    let is_letter = |glyph| page.characters(glyph).contains(char::is_alphabetic);
    last.is_rtl() != next.is_rtl() && is_letter(last) && is_letter(next)
}

/// The combining mark for a separate accent glyph, as drawn by TeX.
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

/// `characters` with `mark` on the first one.
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
