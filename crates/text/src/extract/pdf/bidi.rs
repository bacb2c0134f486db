//! Reorders lines with right-to-left letters from the order on the page to reading order.
//!
//! Producers draw such lines in either order, so the positions decide: glyphs are sorted from left to right, then
//! reversed, with Latin words and numbers reversed back. This is the inverse of the Unicode Bidirectional Algorithm for
//! a single level of embedding, which is what documents contain.

use super::characters::is_rtl;
use super::glyphs::{Glyph, PageGlyphs};

/// The direction of a glyph.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Right,
    Left,
    Neutral,
}

/// Puts the glyphs of one line into reading order.
pub(super) fn to_reading_order(page: &PageGlyphs, glyphs: &mut [Glyph]) {
    // In text drawn from right to left, marks follow their base at nearly the same position. A stable sort by the
    // middle keeps most pairs together, and equal positions in order.
    glyphs.sort_by(|a, b| (a.u0 + a.u1).total_cmp(&(b.u0 + b.u1)));
    let direction = |glyph: &Glyph| {
        let mut found = Direction::Neutral;
        for c in page.characters(glyph).chars() {
            if is_rtl(c) {
                return Direction::Left;
            }
            if c.is_alphanumeric() {
                found = Direction::Right;
            }
        }
        found
    };
    let directions: Vec<Direction> = glyphs.iter().map(direction).collect();
    let count = |of: Direction| directions.iter().filter(|&&direction| direction == of).count();
    if count(Direction::Left) * 2 >= count(Direction::Right) {
        glyphs.reverse();
        reverse_runs(page, glyphs, Direction::Right, direction);
    } else {
        reverse_runs(page, glyphs, Direction::Left, direction);
    }
}

/// Reverses every run of `of`, including the neutrals inside it.
fn reverse_runs(
    page: &PageGlyphs,
    glyphs: &mut [Glyph],
    of: Direction,
    direction: impl Fn(&Glyph) -> Direction,
) {
    let mut start = 0;
    while start < glyphs.len() {
        if direction(&glyphs[start]) != of {
            start += 1;
            continue;
        }
        let mut end = start + 1;
        for (at, glyph) in glyphs.iter().enumerate().skip(end) {
            match direction(glyph) {
                Direction::Neutral => {}
                found if found == of => end = at + 1,
                _ => break,
            }
        }
        // A percent or currency sign belongs to its number.
        if of == Direction::Right {
            while end < glyphs.len() && matches!(page.characters(&glyphs[end]), "%" | "$" | "€" | "£") {
                end += 1;
            }
        }
        glyphs[start..end].reverse();
        start = end;
    }
}
