//! Reorders lines with right-to-left letters from the order on the page to reading order.
//!
//! Producers draw such lines in either order, so positions decide: letters are sorted from left to right, each with its
//! marks; Latin words and numbers are reversed, and then the whole line. This is the inverse of the Unicode
//! Bidirectional Algorithm for a single level of embedding, which covers normal documents.

use unicode_normalization::char::is_combining_mark;

use super::characters::is_rtl;
use super::glyphs::PageGlyphs;
use super::layout::Glyph;

/// The direction of a letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Latin,
    Digit,
    RightToLeft,
    /// Belongs to a number if it is between two digits.
    Separator,
    /// Belongs to the number beside it, such as a percent or currency sign.
    Sign,
    Neutral,
}

/// A glyph with its marks.
struct Letter {
    glyphs: Vec<Glyph>,
    direction: Direction,
    /// The gaps to its left and right on the page, in points.
    gaps: (f32, f32),
}

/// Puts the glyphs of one line into reading order; a mark follows its letter. Returns the gap before each glyph, in
/// points. At the ends of a number, it is the gap to the number.
pub(super) fn to_reading_order(page: &PageGlyphs, glyphs: &mut Vec<Glyph>) -> Vec<f32> {
    let arabic = glyphs.iter().any(|glyph| page.characters(glyph).chars().any(is_arabic));
    let mut letters: Vec<Letter> = with_marks(page, glyphs)
        .into_iter()
        .map(|glyphs| {
            let direction = direction(page.characters(&glyphs[0]), arabic);
            Letter { glyphs, direction, gaps: (0.0, 0.0) }
        })
        .collect();
    // A stable sort by the middle keeps the order of equal positions.
    letters.sort_by(|a, b| {
        let (a, b) = (&a.glyphs[0], &b.glyphs[0]);
        (a.u0 + a.u1).total_cmp(&(b.u0 + b.u1))
    });
    let mut reached = letters.first().map_or(0.0, |letter| letter.glyphs[0].u0);
    for at in 1..letters.len() {
        reached = reached.max(letters[at - 1].glyphs[0].u1);
        let gap = letters[at].glyphs[0].u0 - reached;
        (letters[at - 1].gaps.1, letters[at].gaps.0) = (gap, gap);
    }
    let count = |of| letters.iter().filter(|letter| letter.direction == of).count();
    if count(Direction::RightToLeft) * 2 >= count(Direction::Latin) {
        reverse_from_the_right(&mut letters);
    } else {
        let mut at = 0;
        while at < letters.len() {
            let end = rtl_end(&letters, at);
            reverse_from_the_right(&mut letters[at..end]);
            at = end.max(at + 1);
        }
    }
    glyphs.clear();
    let mut gaps: Vec<f32> = Vec::new();
    let mut last: Option<&Letter> = None;
    for letter in &letters {
        gaps.push(last.map_or(0.0, |last| match last.glyphs[0].u0 > letter.glyphs[0].u0 {
            true => last.gaps.0.max(letter.gaps.1),
            false => last.gaps.1.max(letter.gaps.0),
        }));
        glyphs.extend(&letter.glyphs);
        gaps.resize(glyphs.len(), 0.0);
        last = Some(letter);
    }
    gaps
}

/// Whether it is a letter of a right-to-left script other than Hebrew; numbers in these scripts follow other rules.
fn is_arabic(c: char) -> bool {
    is_rtl(c) && !matches!(c, '\u{590}'..='\u{5FF}' | '\u{FB1D}'..='\u{FB4F}')
}

fn direction(characters: &str, arabic: bool) -> Direction {
    let mut found = Direction::Neutral;
    for c in characters.chars() {
        if is_rtl(c) {
            return Direction::RightToLeft;
        }
        found = match c {
            c if c.is_numeric() => Direction::Digit,
            c if c.is_alphabetic() => Direction::Latin,
            '.' | ',' | ':' | '/' => Direction::Separator,
            // In Arabic only the digits of a number stay together.
            '+' | '-' | '%' | '$' | '€' | '£' | '₪' if !arabic => Direction::Sign,
            _ => found,
        };
    }
    found
}

/// Groups marks with their letters, in the order of the content stream.
fn with_marks(page: &PageGlyphs, glyphs: &[Glyph]) -> Vec<Vec<Glyph>> {
    let steps = glyphs.windows(2).filter(|pair| pair.iter().all(Glyph::is_rtl));
    // Text drawn from left to right has the marks before their letter.
    let drawn_rightwards = steps.map(|pair| if pair[1].u0 > pair[0].u0 { 1 } else { -1 }).sum::<i32>() > 0;
    let mut letters: Vec<Vec<Glyph>> = Vec::new();
    let mut waiting: Vec<Glyph> = Vec::new();
    for &glyph in glyphs {
        if !page.characters(&glyph).starts_with(is_combining_mark) {
            letters.push(std::iter::once(glyph).chain(waiting.drain(..).rev()).collect());
        } else if drawn_rightwards {
            waiting.push(glyph);
        } else {
            match letters.last_mut() {
                Some(letter) => letter.push(glyph),
                None => letters.push(vec![glyph]),
            }
        }
    }
    letters.extend(waiting.into_iter().map(|mark| vec![mark]));
    letters
}

/// Reverses `letters`, except for numbers and Latin words (with the numbers and signs between them).
fn reverse_from_the_right(letters: &mut [Letter]) {
    let mut at = 0;
    while at < letters.len() {
        let end = ltr_end(letters, at);
        letters[at..end].reverse();
        at = end.max(at + 1);
    }
    letters.reverse();
}

/// The end of the Latin words or the number that begin at `from`, or `from`.
fn ltr_end(letters: &[Letter], from: usize) -> usize {
    let is_digit = |at: usize| letters.get(at).is_some_and(|letter| letter.direction == Direction::Digit);
    let (mut latin, mut end) = (false, from);
    for (at, letter) in letters.iter().enumerate().skip(from) {
        match letter.direction {
            Direction::Latin => (latin, end) = (true, at + 1),
            Direction::Digit => end = at + 1,
            Direction::Sign if !latin && at > from && is_digit(at - 1) => end = at + 1,
            Direction::Sign if end > from || is_digit(at + 1) => {}
            Direction::Separator if end > from => {}
            Direction::Neutral if latin => {}
            _ => break,
        }
    }
    end
}

/// The end of the run of right-to-left letters, with the numbers between them, that begins at `from`, or `from`.
fn rtl_end(letters: &[Letter], from: usize) -> usize {
    let mut end = from;
    for (at, letter) in letters.iter().enumerate().skip(from) {
        match letter.direction {
            Direction::RightToLeft => end = at + 1,
            Direction::Latin => break,
            _ if end == from => break,
            _ => {}
        }
    }
    end
}
