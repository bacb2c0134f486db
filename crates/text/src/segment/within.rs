//! Boundaries inside what the language rules keep whole: inline lists, sentences in long quotations.

use std::ops::Range;

/// A quotation or bracket with several sentences is divided from this many bytes on.
const MIN_DIVIDED_QUOTATION: usize = 80;

/// The items of a list in one line (`1. … 2. …`, `(a) … (b) …`): where each after the first begins.
///
/// Only a block that begins with a mark is such a list, and the marks must count up.
pub(super) fn items(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let Some(mut mark) = Mark::at(text) else { return starts };
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
        let lettered_dot = matches!(count, Count::Letter(_)) && close == ".";
        let spaced = rest[close.len()..].starts_with(' ');
        (spaced && !close.is_empty() && !lettered_dot).then_some(Self { open, count, close })
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

/// Divides the `ranges` that hold whole sentences in quotes or brackets.
///
/// The rules keep a quotation together, however many sentences it has. It is divided only where the end is certain: a
/// lower-case word, a mark, a space, a capitalised word.
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
                // Neither part may be a fragment: `"Stop!" He ran.` is one sentence to a reader.
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
    // Few abbreviations have four letters; before marks other than a dot there are none.
    letters >= 4 || (letters >= 2 && !closed.ends_with('.')) || (letters >= 2 && closed.len() < head.len())
}

/// Whether `tail` begins like a sentence: a capital, then lower-case letters or a space.
fn begins(tail: &str) -> bool {
    let mut chars = tail.trim_start_matches(['"', '“', '‘', '\'', '(', '«']).chars();
    chars.next().is_some_and(char::is_uppercase)
        && chars.next().is_some_and(|c| c.is_lowercase() || c == ' ' || c == '\'' || c == '’')
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
    }

    fn parts(text: &str) -> Vec<&str> {
        let whole = 0..text.len();
        quoted(text, vec![whole]).into_iter().map(|range| text[range].trim()).collect()
    }

    #[test]
    fn long_quotations_are_divided() {
        let text = "\"A defendant in such an action is not a wrongdoer at large. He is one only in respect of damage.\"";
        assert_eq!(parts(text).len(), 2);
        assert_eq!(parts("(Have you seen it?) But partly too.").len(), 2);
        assert_eq!(
            parts(
                "He teaches science (He previously worked for five years as an engineer.) at the university."
            )
            .len(),
            1
        );
        assert_eq!(parts("\"Stop!\" He ran.").len(), 1);
    }
}
