//! Headers and footers of sheets in Excel's codes: `&LDraft&CPage &P of &N`.

use super::super::page_numbers::{self, NUMBER};

/// Longer codes are ignored; spreadsheet programs allow 255 characters.
const MAX_CODE_BYTES: usize = 2000;

/// The text without formats, page numbers, dates and file names; tabs separate the left, middle and right parts.
pub(super) fn text(code: &str) -> String {
    let mut text = String::new();
    let mut rest = code[..code.floor_char_boundary(MAX_CODE_BYTES)].chars().peekable();
    while let Some(c) = rest.next() {
        if c != '&' {
            text.push(c);
            continue;
        }
        match rest.next() {
            Some('&') => text.push('&'),
            Some('L' | 'C' | 'R') => text.push('\t'),
            Some('P' | 'N') => text.push_str(NUMBER),
            // A font.
            Some('"') => while rest.next().is_some_and(|c| c != '"') {},
            // A colour: of a theme with its shade, or in hexadecimal.
            Some('K') => {
                (0..6).for_each(|_| _ = rest.next_if(|c| c.is_ascii_hexdigit() || "+-".contains(*c)));
            }
            // A size.
            Some('0'..='9') => while rest.next_if(char::is_ascii_digit).is_some() {},
            _ => {}
        }
    }
    let lines = text.lines().map(page_numbers::without_numbers).collect::<Vec<_>>();
    let parts = lines.iter().flat_map(|line| line.split('\t')).map(str::trim);
    parts.filter(|part| part.contains(char::is_alphanumeric)).collect::<Vec<_>>().join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_its_words() {
        assert_eq!(
            text("&L&\"Arial,Bold\"&12Rents && dues&C&KFF0000Draft 3&RPage &P of &N"),
            "Rents & dues\tDraft 3"
        );
        assert_eq!(text("&CConfidential\n&D &T &F&K01+000"), "Confidential");
        assert_eq!(text("&P"), "");
        assert_eq!(text("&\"open"), "");
    }
}
