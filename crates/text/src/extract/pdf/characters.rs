//! Characters as fonts name them, to characters as a reader types them.

use hayro_interpret::font::Glyph;
use unicode_normalization::UnicodeNormalization;

/// Appends `c`: presentation forms taken apart, control characters dropped, every white space a space.
pub(super) fn push(text: &mut String, c: char) {
    match c {
        // By far the most common.
        '!'..='~' => text.push(c),
        _ if c.is_whitespace() => text.push(' '),
        _ if is_presentation_form(c) => {
            // Isolated marks decompose into a space and the mark; the space belongs to no reader's text.
            text.extend(std::iter::once(c).nfkc().filter(|c| !c.is_whitespace()));
        }
        _ if c.is_control() || is_invisible(c) => {}
        _ => text.push(c),
    }
}

/// Glyphs that stand for other characters: ligatures, positional forms, radicals, compatibility ideographs.
fn is_presentation_form(c: char) -> bool {
    matches!(c,
        '\u{2E80}'..='\u{2FD5}' | '\u{F900}'..='\u{FAFF}' | '\u{FB00}'..='\u{FDFB}' | '\u{FE30}'..='\u{FE4F}'
        | '\u{FE70}'..='\u{FEFC}' | '\u{2F800}'..='\u{2FA1F}' | '\u{132}' | '\u{133}')
}

/// Zero-width marks of word processors, bidi controls, tags.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// A letter of a script that is written from right to left.
pub(super) fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
        && !matches!(c, '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}')
}

/// The character of a glyph whose font does not tell: its code as Latin-1, which is right for most fonts without a map.
pub(super) fn guess(glyph: &Glyph<'_>) -> Option<char> {
    char::from_u32(glyph.char_code()).filter(|c| !c.is_control() && u32::from(*c) < 0x100)
}

/// No character that a reader could want: private use, unassigned by convention, or the sign for a lost character.
pub(super) fn is_nonsense(c: char) -> bool {
    matches!(c, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}')
}
