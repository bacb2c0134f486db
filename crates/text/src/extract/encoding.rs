//! Decodes bytes in any encoding to UTF-8.
//!
//! If no encoding is declared, it is guessed.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};
use oriel_core::{Failure, FailureCode, Notice};

/// Bytes to check for the pattern of UTF-16 without a byte order mark.
const PATTERN_BYTES: usize = 4096;
/// A declaration of the encoding must be within this many bytes.
const DECLARED_WITHIN: usize = 4096;

/// The text of a plain text or Markdown file. Valid UTF-8 is unchanged, everything else is decoded.
pub(super) fn plain_text(bytes: &[u8], declared: Option<&'static Encoding>) -> Result<String, Failure> {
    let text = decode(bytes, declared);
    let controls = text
        .chars()
        .filter(|&c| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{C}' | '\u{1B}' | '\u{8}'));
    if controls.count() * 20 > text.chars().count() {
        return Err(Failure::new(FailureCode::Broken, Notice::BinaryNamedText));
    }
    Ok(text)
}

/// Decodes `bytes`: by their byte order mark, as UTF-8, by the pattern of UTF-16, as `declared`, or by a guess, in this
/// order.
pub(super) fn decode(bytes: &[u8], declared: Option<&'static Encoding>) -> String {
    if let Some(text) = utf32(bytes) {
        return text;
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let encoding = if bytes[0] == 0xFF { UTF_16LE } else { UTF_16BE };
        return encoding.decode_with_bom_removal(bytes).0.into_owned();
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    if is_iso_2022_jp(bytes) {
        return ISO_2022_JP.decode_without_bom_handling(bytes).0.into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    if let Some(encoding) = declared {
        let (text, errors) = encoding.decode_without_bom_handling(bytes);
        if !errors {
            return text.into_owned();
        }
    }
    guess(bytes).decode_without_bom_handling(bytes).0.into_owned()
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// Guesses the encoding of a short name: UTF-8 or an East Asian encoding. A short name cannot tell Western encodings
/// apart.
pub(super) fn of_names(bytes: &[u8]) -> Option<&'static Encoding> {
    const TOLD: [&Encoding; 6] = [UTF_8, SHIFT_JIS, GBK, BIG5, EUC_JP, EUC_KR];
    let encoding = if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { guess(bytes) };
    TOLD.contains(&encoding).then_some(encoding)
}

/// The encoding that a web page or an XML file declares: `<meta charset>`, `http-equiv` or an XML declaration.
pub(super) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(DECLARED_WITHIN)].to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let labels = ["charset=", "encoding="].into_iter().filter_map(|name| {
        let value = head[head.find(name)? + name.len()..].trim_start_matches(['"', '\'', ' ']);
        Encoding::for_label(value.split(['"', '\'', ';', ' ', '>', '?', '/']).next()?.as_bytes())
    });
    labels.into_iter().next()
}

/// Whether the bytes are UTF-16 or UTF-32.
pub(super) fn is_wide(bytes: &[u8]) -> bool {
    let has_mark = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    has_mark || utf32(bytes).is_some() || utf16_without_mark(bytes).is_some()
}

/// UTF-32 with a byte order mark.
fn utf32(bytes: &[u8]) -> Option<String> {
    let read: fn([u8; 4]) -> u32 = match bytes.get(..4)? {
        [0xFF, 0xFE, 0, 0] => u32::from_le_bytes,
        [0, 0, 0xFE, 0xFF] => u32::from_be_bytes,
        _ => return None,
    };
    let units = bytes[4..].as_chunks::<4>().0.iter();
    Some(units.map(|&unit| char::from_u32(read(unit)).unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// Detects UTF-16 without a byte order mark: in Western text, nearly every other byte is zero.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(PATTERN_BYTES)].as_chunks::<2>().0;
    let zeros = |side: usize| head.iter().filter(|pair| pair[side] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    let (many, few) = (head.len() * 2 / 5, head.len() / 50);
    match () {
        () if head.len() < 2 => None,
        () if second > many && first <= few => Some(UTF_16LE),
        () if first > many && second <= few => Some(UTF_16BE),
        () => None,
    }
}

/// Detects ISO-2022-JP: seven-bit text with escape sequences for Japanese. It is valid UTF-8, but not readable.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    bytes.is_ascii() && bytes.windows(3).any(|window| matches!(window, b"\x1B$B" | b"\x1B$@"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn valid_utf8_is_the_file_itself() {
        let text = "\u{FEFF}Erste Zeile\r\nzweite — Zeile\n";
        assert_eq!(plain_text(text.as_bytes(), None).unwrap(), text);
        assert_eq!(plain_text(b"", None).unwrap(), "");
    }

    #[test]
    fn utf16_is_read_with_and_without_its_mark() {
        let text = "Größe: five metres.";
        assert_eq!(plain_text(&utf16(text, u16::to_le_bytes), None).unwrap(), text);
        assert_eq!(plain_text(&utf16(text, u16::to_be_bytes), None).unwrap(), text);
        let marked = utf16(&format!("\u{FEFF}{text}"), u16::to_be_bytes);
        assert_eq!(plain_text(&marked, None).unwrap(), text);
    }

    #[test]
    fn utf32_is_read_by_its_mark() {
        let bytes: Vec<u8> = "\u{FEFF}zwölf 𝄞".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        assert_eq!(plain_text(&bytes, None).unwrap(), "zwölf 𝄞");
    }

    #[test]
    fn western_and_japanese_code_pages_are_guessed() {
        assert_eq!(
            plain_text(b"Die sch\xF6ne M\xFCllerin geht \xFCber die Stra\xDFe.", None).unwrap(),
            "Die schöne Müllerin geht über die Straße."
        );
        assert_eq!(plain_text(b"\x1B$B$\"$$\x1B(B", None).unwrap(), "あい");
    }

    #[test]
    fn binary_data_is_no_text() {
        let bytes: Vec<u8> = (0..=255).cycle().take(4096).collect();
        assert_eq!(plain_text(&bytes, None).unwrap_err().code, FailureCode::Broken);
    }
}
