//! Boundaries inside text that the language rules keep together: lists in one line, sentences before a number.

use std::ops::Range;

use sentencex::languages::Language;

use super::glue;
use super::mark::{self, CLOSERS};

/// Minimum bytes of a quotation or bracket with several sentences that is divided.
const MIN_DIVIDED_QUOTATION: usize = 80;

/// Where the items of a list in one line (`1. … 2. …`, `(a) … (b) …`, `• … • …`) begin, except the first.
///
/// Only a block that begins with a mark is such a list, and the marks must count up.
pub(super) fn items(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    if let (Some(_), Some(glyph)) = (mark::bullet(text), text.chars().next().filter(|c| !c.is_ascii())) {
        starts.extend(text.match_indices(glyph).map(|(at, _)| at).filter(|&at| text[..at].ends_with(' ')));
        return starts;
    }
    let Some(mut mark) = Mark::at(text) else { return starts };
    let lettered_dots = mark.close == "." && matches!(mark.count, Count::Letter(_));
    let mut at = 0;
    while let Some(next) = mark.next() {
        let needle = format!(" {} ", next.text());
        let Some(found) = text[at..].find(&needle) else { break };
        let start = at + found + 1;
        let first = text[start + needle.len() - 1..].chars().next();
        // Many sentences end in a number and a dot.
        if next.close == "." && !first.is_some_and(char::is_uppercase) {
            break;
        }
        starts.push(start);
        at = start;
        mark = next;
    }
    // Two letters with dots are more often initials.
    if lettered_dots && starts.len() < 2 {
        starts.clear();
    }
    starts
}

#[derive(Clone, Copy)]
enum Count {
    Number(u32),
    Letter(u8),
}

#[derive(Clone, Copy)]
struct Mark<'a> {
    open: &'a str,
    count: Count,
    close: &'a str,
}

impl<'a> Mark<'a> {
    /// The mark at the start of `text`.
    fn at(text: &'a str) -> Option<Self> {
        let open = if text.starts_with('(') { &text[..1] } else { "" };
        let body = &text[open.len()..];
        let digits = body.bytes().take(3).take_while(u8::is_ascii_digit).count();
        let letter = body.bytes().next().filter(u8::is_ascii_alphabetic);
        let (length, count) = match (digits, letter) {
            (1.., _) => (digits, Count::Number(body[..digits].parse().ok()?)),
            (0, Some(letter)) => (1, Count::Letter(letter)),
            _ => return None,
        };
        let rest = &body[length..];
        let close = &rest[..rest.bytes().take(2).take_while(|b| matches!(b, b'.' | b')')).count()];
        let spaced = rest[close.len()..].starts_with(' ');
        (spaced && !close.is_empty()).then_some(Self { open, count, close })
    }

    fn next(self) -> Option<Self> {
        let count = match self.count {
            Count::Number(n) => Count::Number(n.checked_add(1)?),
            Count::Letter(b'z' | b'Z') => return None,
            Count::Letter(letter) => Count::Letter(letter + 1),
        };
        Some(Self { count, ..self })
    }

    fn text(self) -> String {
        match self.count {
            Count::Number(n) => format!("{}{n}{}", self.open, self.close),
            Count::Letter(letter) => format!("{}{}{}", self.open, char::from(letter), self.close),
        }
    }
}

/// Divides the `ranges` that contain whole sentences in quotes or brackets.
///
/// The rules keep a quotation together, regardless of its number of sentences. It is divided only where the end is
/// certain: a lower-case word, a mark, a space, a capitalised word.
pub(super) fn quoted(text: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut out = Vec::with_capacity(ranges.len());
    for range in ranges {
        let slice = &text[range.clone()];
        let mut start = range.start;
        let bracketed = slice.trim_start().starts_with('(');
        if slice.len() >= MIN_DIVIDED_QUOTATION || bracketed {
            let bytes = slice.as_bytes();
            for (at, _) in slice.match_indices(' ') {
                let space = range.start + at;
                // Neither part may be a fragment: readers see `"Stop!" He ran.` as one sentence.
                let long = space - start >= MIN_DIVIDED_QUOTATION / 3
                    || (bracketed && bytes[at.saturating_sub(1)] == b')');
                if long && ends(&slice[..at]) && begins(&slice[at + 1..]) {
                    out.push(start..space);
                    start = space;
                }
            }
        }
        out.push(start..range.end);
    }
    out
}

/// Whether `head` ends in a lower-case word and a mark that ends a sentence.
fn ends(head: &str) -> bool {
    let closed = head.trim_end_matches(['"', '”', '’', '\'', ')', ']', '»']);
    let bare = closed.trim_end_matches(['.', '!', '?']);
    let marks = closed.len() - bare.len();
    if marks == 0 || marks > 1 && closed.ends_with("..") {
        return false;
    }
    let letters = bare.chars().rev().take_while(|c| c.is_lowercase()).take(5).count();
    // Few abbreviations have four letters, and none end in a mark other than a dot.
    letters >= 4 || (letters >= 2 && !closed.ends_with('.')) || (letters >= 2 && closed.len() < head.len())
}

/// Whether `tail` begins like a sentence: a capital, then lower-case letters or a space.
fn begins(tail: &str) -> bool {
    let mut chars = tail.trim_start_matches(['"', '“', '‘', '\'', '(', '«']).chars();
    chars.next().is_some_and(char::is_uppercase)
        && chars.next().is_some_and(|c| c.is_lowercase() || c == ' ' || c == '\'' || c == '’')
}

/// Divides the `ranges` at ends that the rules miss: before a number, at the number of a note (`the end.12 The next`),
/// after an acronym.
pub(super) fn missed(text: &str, ranges: Vec<Range<usize>>, language: &dyn Language) -> Vec<Range<usize>> {
    let mut out = Vec::with_capacity(ranges.len());
    for range in ranges {
        let slice = &text[range.clone()];
        let mut start = range.start;
        let mut depth = 0_usize;
        for (at, c) in slice.char_indices() {
            match c {
                '(' | '[' | '「' | '『' | '《' | '“' => depth += 1,
                ')' | ']' | '」' | '』' | '》' | '”' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let after = at + c.len_utf8();
            if depth == 0
                && let Some(length) = missed_end(&slice[..at], c, &slice[after..], language)
                && after + length < slice.len()
            {
                out.push(start..range.start + after + length);
                start = range.start + after + length;
            }
        }
        out.push(start..range.end);
    }
    out
}

/// If a sentence ends with `mark` after `head`, before a number or after an acronym: the length of the part of `tail`
/// that still belongs to it.
fn missed_end(head: &str, mark: char, tail: &str, language: &dyn Language) -> Option<usize> {
    match mark {
        '。' | '！' | '？' => tail.starts_with(|c: char| c.is_numeric()).then_some(0),
        '.' | '!' | '?' => {
            let closed = tail.len() - tail.trim_start_matches(CLOSERS).len();
            let spaced = tail[closed..].strip_prefix(' ');
            if spaced.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit())) {
                return (mark != '.' || is_ended(head, 3, language)).then_some(closed);
            }
            if spaced
                .is_some_and(|next| next.starts_with("I ") || language.next_word_is_sentence_starter(next))
            {
                return is_acronym(head).then_some(closed);
            }
            let note =
                tail.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '–' | '-' | ' '));
            let number = tail[..tail.len() - note.len()].trim_end();
            let noted = mark == '.'
                && tail.starts_with(|c: char| c.is_ascii_digit())
                && number.split([',', '–', '-', ' ']).all(|part| part.len() <= 3)
                && number.len() < tail.len() - note.len()
                && note.starts_with(char::is_uppercase);
            (noted && is_ended(head, 4, language)).then_some(number.len())
        }
        _ => None,
    }
}

/// Whether `head`, before a dot, ends in letters with dots (`the U.S.A`).
fn is_acronym(head: &str) -> bool {
    let word = head.rsplit(' ').next().unwrap_or(head);
    word.len() > 2
        && word.split('.').all(|letter| letter.len() == 1 && letter.as_bytes()[0].is_ascii_alphabetic())
}

/// Whether `head`, before a dot, ends in a bracket, or in a word of at least `letters` letters that is not an
/// abbreviation.
fn is_ended(head: &str, letters: usize, language: &dyn Language) -> bool {
    let bare = head.trim_end_matches(CLOSERS);
    let word = &bare[bare
        .rfind(|c: char| !c.is_alphabetic())
        .map_or(0, |at| at + bare[at..].chars().next().map_or(1, char::len_utf8))..];
    if word.is_empty() {
        return head.ends_with(')');
    }
    word.chars().take(letters).count() == letters
        && !glue::is_abbreviation(word)
        && !language.is_abbreviation(bare, "", ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_count_up() {
        assert_eq!(items("1. The first 2. The second 3. The third"), [13, 27]);
        assert_eq!(items("(a) one (b) two"), [8]);
        assert_eq!(items("1.) one. 2.) two."), [9]);
        assert!(items("1. The first of 2. below").is_empty());
        assert!(items("In 1. and 2. we").is_empty());
        assert_eq!(items("• one • two"), [8]);
        assert_eq!(items("a. The first b. The second c. The third"), [13, 27]);
        assert!(items("a. The first b. The second").is_empty());
    }

    #[test]
    fn a_number_after_an_end_begins_a_sentence() {
        let parts = |name: &str, text: &'static str| -> Vec<&'static str> {
            let language = sentencex::language_factory(name);
            let whole = 0..text.len();
            missed(text, vec![whole], &*language).into_iter().map(|range| text[range].trim()).collect()
        };
        assert_eq!(parts("de", "Es war schön. 5 Sterne!"), ["Es war schön.", "5 Sterne!"]);
        assert_eq!(parts("de", "Siehe Abb. 5 unten."), ["Siehe Abb. 5 unten."]);
        assert_eq!(parts("zh", "他来了。1923年"), ["他来了。", "1923年"]);
        assert_eq!(parts("zh", "「他来了。1923年」").len(), 1);
        assert_eq!(parts("en", "A consultation.11 12 Take it."), ["A consultation.11 12", "Take it."]);
        assert_eq!(
            parts("en", "I live in the U.S.A. I went there."),
            ["I live in the U.S.A.", "I went there."]
        );
        assert_eq!(parts("en", "See version.2 for more."), ["See version.2 for more."]);
    }

    fn divided(text: &str) -> Vec<&str> {
        let whole = 0..text.len();
        quoted(text, vec![whole]).into_iter().map(|range| text[range].trim()).collect()
    }

    #[test]
    fn long_quotations_are_divided() {
        let text = "\"A defendant in such an action is not a wrongdoer at large. He is one only in respect of damage.\"";
        assert_eq!(divided(text).len(), 2);
        assert_eq!(divided("(Have you seen it?) But partly too.").len(), 2);
        assert_eq!(
            divided(
                "He teaches science (He previously worked for five years as an engineer.) at the university."
            )
            .len(),
            1
        );
        assert_eq!(divided("\"Stop!\" He ran.").len(), 1);
    }
}
