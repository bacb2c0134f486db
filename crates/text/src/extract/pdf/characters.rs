//! Normalises the characters that fonts specify to those that users type.

use std::collections::HashMap;

use hayro_interpret::font::{Glyph, GlyphIdentifier};
use skrifa::{FontRef, MetadataProvider};
use unicode_normalization::UnicodeNormalization;

/// Maximum number of entries in a font's table: Unicode has no more.
const MAX_CHARACTERS: usize = 0x11_0000;

/// Appends `c`: decomposes presentation forms, drops control characters, and turns white space into spaces.
pub(super) fn push(text: &mut String, c: char) {
    match c {
        // These are by far the most common.
        '!'..='~' => text.push(c),
        _ if c.is_whitespace() => text.push(' '),
        _ if is_presentation_form(c) => {
            // Isolated marks decompose into a space and the mark; the space is dropped.
            text.extend(std::iter::once(c).nfkc().filter(|c| !c.is_whitespace()));
        }
        _ if c.is_control() || is_invisible(c) => {}
        _ => text.push(c),
    }
}

/// Whether it is a glyph variant of other characters: ligatures, positional forms, radicals, compatibility ideographs.
fn is_presentation_form(c: char) -> bool {
    matches!(c,
        '\u{2E80}'..='\u{2FD5}' | '\u{F900}'..='\u{FAFF}' | '\u{FB00}'..='\u{FDFB}' | '\u{FE30}'..='\u{FE4F}'
        | '\u{FE70}'..='\u{FEFC}' | '\u{2F800}'..='\u{2FA1F}' | '\u{132}' | '\u{133}')
}

/// Whether it is a zero-width mark, a bidi control or a tag.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Whether it is a letter of a right-to-left script.
pub(super) fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
        && !matches!(c, '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}')
}

/// Data from the fonts of a document.
#[derive(Default)]
pub(super) struct FontTables {
    /// For each font, the character of each glyph.
    fonts: HashMap<u128, HashMap<u32, char>>,
    /// For each glyph, whether its font is bold.
    bold: HashMap<GlyphIdentifier, bool>,
}

/// Fonts of at least this weight are bold.
const BOLD_WEIGHT: u32 = 600;

impl FontTables {
    /// Whether a glyph's font is bold, by its weight or its name. Unknown for Type 1 fonts.
    pub(super) fn is_bold(&mut self, glyph: &Glyph<'_>) -> bool {
        let Glyph::Outline(outline) = glyph else { return false };
        let is_bold = || {
            outline.font_data().is_some_and(|font| {
                let name = font.postscript_name.unwrap_or_default();
                font.weight.is_some_and(|weight| weight >= BOLD_WEIGHT)
                    || ["Bold", "Black", "Heavy", "Semibold"].iter().any(|weight| name.contains(weight))
            })
        };
        *self.bold.entry(outline.identifier()).or_insert_with(is_bold)
    }

    /// The character of `glyph` in the font's own table.
    pub(super) fn character(&mut self, glyph: &Glyph<'_>) -> Option<char> {
        let Glyph::Outline(outline) = glyph else { return None };
        let font = outline.font_data()?;
        let table = self.fonts.entry(font.cache_key).or_insert_with(|| {
            let Ok(font) = FontRef::from_index((*font.data).as_ref(), 0) else { return HashMap::new() };
            let characters = font.charmap().mappings().take(MAX_CHARACTERS);
            // Symbol fonts store Latin-1 in a part of the private use area.
            let named = characters.filter_map(|(code, glyph)| {
                let code = if (0xF020..=0xF0FF).contains(&code) { code - 0xF000 } else { code };
                Some((glyph.to_u32(), char::from_u32(code).filter(|&c| !is_nonsense(c))?))
            });
            named.collect()
        });
        table.get(&outline.glyph_id().to_u32()).copied()
    }
}

/// The character of a glyph without any mapping: its code as Latin-1, which is correct for most such fonts.
pub(super) fn guess(glyph: &Glyph<'_>) -> Option<char> {
    char::from_u32(glyph.char_code()).filter(|c| !c.is_control() && u32::from(*c) < 0x100)
}

/// Whether it is not a readable character: private use, unassigned by convention, or the replacement character.
pub(super) fn is_nonsense(c: char) -> bool {
    matches!(c, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}')
}
