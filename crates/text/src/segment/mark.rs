//! Marks at the beginning of a line or sentence: bullets, numbers, letters, captions, dot leaders.

/// Marks that end a sentence.
pub(super) const TERMINALS: &[char] = &['.', '!', '?', '…', '。', '！', '？', '।', '؟', '։', '።'];
/// Quotes and brackets that may follow them.
pub(super) const CLOSERS: &[char] = &['"', '\'', '”', '’', '»', ')', ']', '」', '』'];

/// The length of a bullet at the start of `line` with the space after it, or `None`.
pub(super) fn bullet(line: &str) -> Option<usize> {
    let first = line.chars().next()?;
    let rest = &line[first.len_utf8()..];
    let spaced = rest.starts_with([' ', '\t', '\u{a0}']);
    let glyph = matches!(
        first,
        '•' | '◦'
            | '▪'
            | '▫'
            | '■'
            | '□'
            | '●'
            | '○'
            | '⁃'
            | '◆'
            | '◇'
            | '★'
            | '☆'
            | '➤'
            | '➢'
            | '▶'
            | '▸'
            | '►'
            | '‣'
            | '∙'
            | '✓'
            | '✔'
            | '\u{f0b7}'
            | '\u{f0a7}'
    );
    let ascii = spaced && matches!(first, '-' | '*' | '+' | '·' | '–' | '—');
    if !glyph && !ascii {
        return None;
    }
    let body = rest.trim_start_matches([' ', '\t', '\u{a0}']);
    (!body.trim().is_empty()).then(|| line.len() - body.len())
}

/// Whether a bullet at the start of a line may be a dash in a sentence that the line continues.
pub(super) fn is_dash(line: &str) -> bool {
    line.starts_with(['-', '–', '—', '+', '·'])
}

/// The length of a list number (`1.`, `2)`, `(a)`, `iv.`, `3.)`) at the start of `line` with the space after it.
pub(super) fn number(line: &str) -> Option<usize> {
    let open = usize::from(line.starts_with(['(', '[']));
    let body = &line[open..];
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let roman = body.bytes().take_while(|b| matches!(b, b'i' | b'v' | b'x' | b'I' | b'V' | b'X')).count();
    let letter = usize::from(body.starts_with(|c: char| c.is_ascii_alphabetic()));
    let length = match (digits, roman) {
        (1..=3, _) => digits,
        (0, 1..=5) => roman,
        (0, 0) if letter == 1 => 1,
        _ => return None,
    };
    let rest = &body[length..];
    let closed = rest.trim_start_matches(['.', ')', ']']);
    let close = rest.len() - closed.len();
    if !(1..=2).contains(&close) || (open == 1 && !rest.contains([')', ']'])) {
        return None;
    }
    // A capital with a dot is more often the beginning of a name than of a list.
    if digits == 0
        && open == 0
        && rest.starts_with('.')
        && body.starts_with(|c: char| c.is_ascii_uppercase())
        && length == 1
    {
        return None;
    }
    let text = closed.trim_start_matches([' ', '\t', '\u{a0}']);
    (text.len() < closed.len() && !text.trim().is_empty()).then(|| line.len() - text.len())
}

/// Whether `text` is only a list number or bullet.
pub(super) fn is_lone(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() || text.chars().nth(6).is_some() {
        return false;
    }
    let body = bullet(&format!("{text} x")).map_or(text, |length| text.get(length..).unwrap_or(""));
    body.is_empty() || number(&format!("{body} x")).is_some_and(|length| length == body.len() + 1)
}

/// Whether `text` is only the number of a section, with or without a bullet: `20.4.`, `• 1.1.`, `A.2.`, `§ 4.`,
/// `Article II.`.
pub(crate) fn is_section_number(text: &str) -> bool {
    let text = text.trim();
    let body = bullet(text).map_or(text, |length| &text[length..]);
    if let Some((name, number)) = body.trim_end_matches('.').split_once([' ', '\u{a0}'])
        && is_section_name(name)
    {
        let is_roman = number.bytes().all(|b| b"IVXLC".contains(&b));
        let is_digits = number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
        return (1..=8).contains(&number.len()) && (is_roman || is_digits);
    }
    let mut parts = body.trim_end_matches('.').split('.');
    let is_number = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let is_letter = |part: &str| part.len() == 1 && part.bytes().all(|b| b.is_ascii_uppercase());
    let first = parts.next().is_some_and(|part| is_number(part) || is_letter(part));
    // One more than allowed: a paragraph of numbers may be long, and each of its sentences is checked.
    let further: Vec<&str> = parts.take(6).collect();
    first && (1..=5).contains(&further.len()) && further.into_iter().all(is_number)
}

/// Whether `word` names a part of a contract, law or book before its number.
fn is_section_name(word: &str) -> bool {
    const NAMES: &[&str] = &[
        "§",
        "article",
        "section",
        "clause",
        "chapter",
        "part",
        "schedule",
        "annex",
        "appendix",
        "artikel",
        "abschnitt",
        "kapitel",
        "teil",
        "anlage",
        "anhang",
        "ziffer",
        "chapitre",
        "annexe",
        "artículo",
        "cláusula",
        "articolo",
        "artigo",
    ];
    NAMES.contains(&word.to_lowercase().as_str())
}

/// The subject of a caption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caption {
    /// An image or diagram.
    Figure,
    Table,
    /// A listing or another example below the caption.
    Listing,
}

/// The subject of the caption that `line` begins with (`Figure 3:`, `Table 2.`).
pub(crate) fn caption(line: &str) -> Option<Caption> {
    use Caption::{Figure, Listing, Table};
    const NAMES: &[(&str, Caption)] = &[
        ("Figure", Figure),
        ("Fig.", Figure),
        ("Chart", Figure),
        ("Box", Figure),
        ("Abbildung", Figure),
        ("Abb.", Figure),
        ("Table", Table),
        ("Tab.", Table),
        ("Exhibit", Table),
        ("Tabelle", Table),
        ("Tableau", Table),
        ("Tabla", Table),
        ("Tabella", Table),
        ("Tabela", Table),
        ("Example", Listing),
        ("Listing", Listing),
        ("Beispiel", Listing),
    ];
    let (rest, named) = NAMES.iter().find_map(|(name, named)| Some((line.strip_prefix(name)?, *named)))?;
    let rest = rest.strip_prefix([' ', '\u{a0}'])?;
    let label = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | 'A'..='Z'));
    let number = &rest[..rest.len() - label.len()];
    let is_caption =
        number.contains(|c: char| c.is_ascii_digit()) && (number.ends_with('.') || label.starts_with(':'));
    is_caption.then_some(named)
}

/// Whether `line` is an entry of a table of contents: text, a row of dots, a page.
pub(super) fn has_leader(line: &str) -> bool {
    let Some((head, page)) = line.trim_end().rsplit_once(['.', '·', '_', '…']) else { return false };
    let page = page.trim();
    let dots: usize = head
        .chars()
        .rev()
        .take_while(|c| matches!(c, '.' | '·' | '_' | '…' | ' ' | '\u{a0}'))
        .map(|c| match c {
            '…' => 3,
            ' ' | '\u{a0}' => 0,
            _ => 1,
        })
        .sum();
    dots >= 4 && page.len() <= 8 && page.contains(|c: char| c.is_ascii_digit())
}

/// Whether `text` ends like a sentence, ignoring quotes and brackets after it.
pub(super) fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(CLOSERS).ends_with(TERMINALS)
}

/// The length of the bullet or list number at the start of `text` with the space after it, or 0.
pub(crate) fn list_mark_len(text: &str) -> usize {
    bullet(text).or_else(|| number(text)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bullets_and_numbers_are_told_from_words() {
        assert_eq!(bullet("• item"), Some(4));
        assert_eq!(bullet("- item"), Some(2));
        assert_eq!(bullet("-5 degrees"), None);
        assert_eq!(number("1. item"), Some(3));
        assert_eq!(number("(a) item"), Some(4));
        assert_eq!(number("3.) item"), Some(4));
        assert_eq!(number("iv) item"), Some(4));
        assert_eq!(number("J. Smith"), None);
        assert_eq!(number("1984 was"), None);
        assert_eq!(number("3.5 percent"), None);
        assert!(is_lone("2."));
        assert!(is_lone("•"));
        assert!(!is_lone("No."));
        assert!(is_section_number("20.4.") && is_section_number("• 1.1.") && is_section_number("A.2.13."));
        assert!(
            is_section_number("§ 4.")
                && is_section_number("Article II.")
                && is_section_number("Section 3.2.")
        );
        assert!(!is_section_number("Part of it.") && !is_section_number("In 3."));
        assert!(!is_section_number("2020.") && !is_section_number("No. 1.") && !is_section_number("3."));
    }

    #[test]
    fn captions_leaders_and_rows() {
        assert_eq!(caption("Figure 3: The model"), Some(Caption::Figure));
        assert_eq!(caption("Table 2. Results"), Some(Caption::Table));
        assert_eq!(caption("Table 2 shows the results"), None);
        assert!(has_leader("Introduction ........ 3"));
        assert!(has_leader("Introduction . . . . . . 3"));
        assert!(!has_leader("And then..."));
        assert!(!has_leader("Great food......and cheap. We liked it"));
        assert!(!has_leader("So good....."));
    }
}
