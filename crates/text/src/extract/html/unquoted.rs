//! Finds the end of a part of a style sheet, past quotes and brackets.

/// The position of the first of `stops` outside of quotes and brackets; the length of the text if there is none.
pub(super) fn find_unquoted(text: &str, stops: &[u8]) -> usize {
    let mut quote = None;
    let mut depth = 0_usize;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (quote, byte) {
            (_, b'\\') => is_escaped = true,
            (Some(open), _) if byte == open || byte == b'\n' => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 && stops.contains(&byte) => return at,
            _ => {}
        }
    }
    text.len()
}
