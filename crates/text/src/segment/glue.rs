//! Corrects the results of the language rules: abbreviations of references, citation marks, single numbers, fragments.

use std::ops::Range;

use super::mark;
use crate::dates::month;

/// Abbreviations before a number, a name or a mark; no sentence ends after them.
const BEFORE_MORE: &[&str] = &[
    "fig", "figs", "sec", "secs", "sect", "eq", "eqs", "eqn", "ch", "chap", "vol", "vols", "pp", "cf", "e.g",
    "i.e", "vs", "viz", "al", "eds", "approx", "ca", "c", "para", "nr", "bd", "abb", "st", "dr", "mr", "mrs",
    "ms", "prof", "resp", "bzw", "z.b", "d.h", "u.a", "vgl", "appx", "incl", "excl", "sr", "sra", "srta",
    "dra", "avv", "dott", "mme", "mlle", "hr", "nº",
];
/// Abbreviations that are also ordinary words, so they count only before a number.
const BEFORE_NUMBERS: &[&str] = &[
    "no", "nos", "n°", "n.o", "n", "p", "s", "pt", "pts", "art", "arts", "ref", "refs", "tab", "ed", "par",
    "abs", "app", "ex", "op", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
    "dec",
];

/// Joins consecutive `ranges` of `text` and moves their boundaries.
pub(super) fn glue(text: &str, ranges: Vec<Range<usize>>, language: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for mut range in ranges {
        if let Some(last) = out.last_mut() {
            let previous = text[last.clone()].trim_end();
            let cited = citations(&text[range.clone()]);
            if cited > 0 && mark::ends_sentence(previous) {
                range.start += cited;
                last.end = range.start;
                if text[range.clone()].trim().is_empty() {
                    last.end = range.end;
                    continue;
                }
            }
            if let Some(number) = next_item_number(&text[last.clone()]) {
                last.end = last.start + number;
                range.start = last.end;
            }
            let previous = text[last.clone()].trim_end();
            let next = text[range.clone()].trim();
            let touching =
                previous.len() == last.len() && !text[range.clone()].starts_with(char::is_whitespace);
            // A mark before its word, as in `!Kung`.
            let inside = touching && (is_address(previous, next) || previous.ends_with(" !"));
            let numbered = last.start == 0 && mark::is_section_number(previous);
            if joins(previous, next, language) || inside || numbered {
                last.end = range.end;
                continue;
            }
        }
        out.push(range);
    }
    out
}

/// Whether `previous` and `next` are one sentence.
fn joins(previous: &str, next: &str, language: &str) -> bool {
    if !next.contains(char::is_alphabetic) && !mark::is_lone(next) {
        return true;
    }
    if mark::is_lone(previous) || !previous.contains(char::is_alphanumeric) {
        return true;
    }
    // An insertion between dashes (`and -- voila! -- you have it`), or the label of a question or an answer (`Q. What
    // is it?`).
    let inserted = next.trim_start_matches(['-', '–', '—']);
    let dashed = inserted.len() < next.len() && inserted.trim_start().starts_with(char::is_lowercase);
    let lettered =
        previous.len() == 2 && previous.starts_with(char::is_alphabetic) && previous.ends_with('.');
    if (dashed && inserted.starts_with(' ')) || lettered {
        return true;
    }
    let first = next.chars().next().unwrap_or(' ');
    let quoted = first.is_lowercase() && previous.ends_with(['"', '”', '“', '»', '«']);
    if quoted || matches!(first, ',' | ';' | ':' | ')' | ']' | '/' | '%' | 'º' | 'ª') {
        return true;
    }
    let Some(head) = previous.strip_suffix(['.', '…']) else { return false };
    let is_ordinal = language == "de" && is_german_ordinal(head, first) || is_day_of_month(head, next);
    if first.is_lowercase() && is_shortened(head) || is_ordinal {
        return true;
    }
    let word_at = head
        .rfind(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '/' | '"' | '“'))
        .map_or(0, |at| at + head[at..].chars().next().map_or(1, char::len_utf8));
    let word = head[word_at..].to_lowercase();
    if BEFORE_NUMBERS.contains(&word.as_str()) {
        return first.is_numeric();
    }
    if word == "al" {
        return !first.is_uppercase();
    }
    BEFORE_MORE.contains(&word.as_str()) && (first.is_alphanumeric() || matches!(first, '(' | '[' | '§'))
}

/// Whether `word` is an abbreviation before a number, a name or a mark.
pub(super) fn is_abbreviation(word: &str) -> bool {
    let word = word.to_lowercase();
    BEFORE_MORE.contains(&word.as_str()) || BEFORE_NUMBERS.contains(&word.as_str())
}

/// Where the number of the next list item begins in `range`, if it ends with one (`… is done. 10.`).
fn next_item_number(range: &str) -> Option<usize> {
    let body = range.trim_end().strip_suffix('.')?;
    let head = body.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = body.len() - head.len();
    let ended = head.ends_with(' ') && mark::ends_sentence(head.trim_end());
    ((1..=3).contains(&number) && ended).then_some(head.len())
}

/// Whether `head` ends in an ordinal (`im 6. Stock`) before a word that begins with `first`.
fn is_german_ordinal(head: &str, first: char) -> bool {
    const BEFORE: &[&str] = &[
        "der", "die", "das", "dem", "den", "des", "im", "am", "vom", "zum", "zur", "beim", "ins", "seit",
        "ab", "bis", "ihr", "ihrem", "ihren", "sein", "seinem", "seinen", "seiner", "jeder", "jedem", "und",
    ];
    let bare = head.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
    let digits = head.len() - bare.len();
    let word = bare.trim_end_matches([' ', '.']).rsplit(char::is_whitespace);
    (1..=3).contains(&digits)
        && first.is_uppercase()
        && word.take(2).any(|word| BEFORE.contains(&word.to_lowercase().as_str()))
}

/// Whether `head` ends in the day of a month that `next` begins with: "Dienstag, 14. Mai 2024".
fn is_day_of_month(head: &str, next: &str) -> bool {
    let day = head.rsplit(char::is_whitespace).next().unwrap_or(head);
    let name = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    let is_day = day.parse().is_ok_and(|day: u8| (1..=31).contains(&day)) && day.len() <= 2;
    is_day && name.chars().count() >= 3 && month(&name).is_some()
}

/// Whether a dot after `head` and before a lower-case letter belongs to an ellipsis, an ordinal or an abbreviation. The
/// lower-case letter alone proves nothing: many people write whole mails in lower case.
fn is_shortened(head: &str) -> bool {
    let word = head.rsplit(char::is_whitespace).next().unwrap_or(head);
    let ordinal = word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    let letters = word.chars().take(6).count();
    let capital = letters <= 5 && word.starts_with(char::is_uppercase);
    word.is_empty()
        || word.ends_with(['.', '…'])
        || ordinal
        || capital
        || (letters <= 5 && word.contains('.'))
}

/// Whether the dot between `previous` and `next` is inside an address or a path.
fn is_address(previous: &str, next: &str) -> bool {
    if !previous.ends_with(['.', '!', '?']) || !next.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return false;
    }
    let near = &previous[previous.floor_char_boundary(previous.len().saturating_sub(100))..];
    let head = near.rsplit(char::is_whitespace).next().unwrap_or(near);
    let tail = next.split(char::is_whitespace).next().unwrap_or(next);
    let told =
        |part: &str| part.contains("://") || part.contains("www.") || part.contains(['@', '/', '\\', '_']);
    told(head) || told(&tail[..tail.floor_char_boundary(100)])
}

/// The length of the citation marks (`[12]`, `[3, 4]`, `[n 1]`, `[citation needed]`) at the start of `text`, with the
/// white space before and between them.
fn citations(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let body = rest.trim_start_matches([' ', '\u{a0}']);
        let Some(inside) = body.strip_prefix('[') else { return length };
        // A citation mark has at most some forty bytes, so the search is limited.
        let near = &inside[..inside.floor_char_boundary(40)];
        let Some(close) = near.find(']') else { return length };
        let label = &near[..close];
        let numbers = label.contains(|c: char| c.is_ascii_digit())
            && label.chars().filter(|c| c.is_alphabetic()).count() <= 2;
        let known =
            matches!(label, "citation needed" | "update" | "when?" | "who?" | "note" | "a" | "b" | "c");
        if !numbers && !known {
            return length;
        }
        length += rest.len() - body.len() + close + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citation_marks_go_with_the_sentence_before() {
        assert_eq!(citations(" [12] Next"), 5);
        assert_eq!(citations("[3, 4][5] Next"), 9);
        assert_eq!(citations(" [sic] Next"), 0);
        assert_eq!(citations("[n 1]"), 5);
    }

    #[test]
    fn references_are_not_ends() {
        assert!(joins("as shown in Fig.", "3 and later", "en"));
        assert!(joins("Smith et al.", "(2019) show", "en"));
        assert!(!joins("as found by Smith et al.", "We go on.", "en"));
        assert!(joins("the order No.", "17 of May", "en"));
        assert!(!joins("He said no.", "Then he left.", "en"));
        assert!(joins("2.", "The second item", "en"));
        assert!(joins("Das Lokal im 6.", "Stock schloss.", "de"));
        assert_eq!(next_item_number("It is done. 10."), Some(12));
        assert_eq!(next_item_number("It is 10."), None);
    }
}
