//! Characters of symbol fonts.

/// The character for a code of a symbol font; only the few that matter in text.
pub(in crate::extract) fn symbol(code: u32) -> Option<char> {
    match code {
        0xF0B7 | 0xF09F => Some('•'),
        0xF0A7 => Some('▪'),
        0xF0E0 => Some('→'),
        0xF0FC | 0xF0FE => Some('✓'),
        0xF0D7 => Some('×'),
        0xE000..=0xF8FF | 0xF0000.. => None,
        _ => char::from_u32(code),
    }
}
