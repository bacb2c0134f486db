//! Divides a block into spans of the source: by the language rules, their corrections, then by length.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sentencex::languages::Language;

use super::block::{Block, Shape};
use super::glue;
use super::languages::Languages;
use super::limit;
use super::mark;
use super::within;

/// Maximum bytes passed to the sentence rules at once: their time may grow with the square.
const MAX_RULES_INPUT: usize = 4 << 10;
/// Minimum number of equal marks that are a ruler, whatever follows.
const MIN_RULE: usize = 10;
/// A single number of at most this many digits is not a sentence: it is a page number, a mark, or a year separated from
/// its row.
const MAX_LONE_DIGITS: usize = 4;
/// Characters around a single number.
const AROUND_NUMBER: [char; 14] = ['(', ')', '[', ']', '{', '}', '.', ',', ':', ';', '-', '–', '*', '|'];
/// Maximum bytes of a list mark before its closing bracket.
const MAX_MARK_BYTES: usize = 8;

/// Appends the sentences of `block` as spans of `text`.
pub(super) fn spans(text: &str, block: &Block, languages: &Languages, out: &mut Vec<Range<usize>>) {
    // Marks without a word are not a sentence, and slow down the rules.
    if !block.visible().contains(char::is_alphanumeric) {
        return;
    }
    let visible = block.visible();
    let ranges = match block.shape {
        Shape::Whole => iter::once(0..visible.len()).collect(),
        Shape::Prose => prose(visible, languages),
    };
    let mut end = 0;
    for range in ranges {
        let Some(range) = trimmed(visible, range) else { continue };
        if block.shape == Shape::Prose && !is_findable(&visible[range.clone()]) {
            continue;
        }
        let source = block.source(&range);
        let source = source.start.max(end)..source.end;
        if source.start >= source.end {
            continue;
        }
        limit::pieces(text, source, |piece| {
            if let Some(span) = trimmed(text, piece) {
                end = span.end;
                out.push(span);
            }
        });
    }
}

/// The sentences of a paragraph.
fn prose(visible: &str, languages: &Languages) -> Vec<Range<usize>> {
    let visible = &*with_paired_quotes(visible);
    let name = languages.of_block(visible);
    let language = sentencex::language_factory(name);
    let mut ranges = Vec::new();
    let mut start = 0;
    for end in within::items(visible).into_iter().chain([visible.len()]) {
        // The rules would keep a whole item together.
        let lead = start + mark::list_mark_len(&visible[start..end]);
        let found = within::quoted(visible, rules(visible, lead..end, &*language));
        let mut found = within::missed(visible, found, &*language);
        if let Some(first) = found.first_mut() {
            first.start = start;
        }
        ranges.extend(found);
        start = end;
    }
    glue::glue(visible, ranges, name)
}

/// `range` of `text` without white space at its ends; `None` if it has no letter or digit.
fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let slice = &text[range.clone()];
    let mut trimmed = without_rule(slice.trim_start());
    let start = range.start + (slice.len() - trimmed.len());
    trimmed = trimmed.trim_end();
    trimmed.contains(char::is_alphanumeric).then(|| start..start + trimmed.len())
}

/// Whether a piece of prose is worth finding: more than a single number.
fn is_findable(text: &str) -> bool {
    let lone = text.trim_matches(|c: char| c.is_whitespace() || AROUND_NUMBER.contains(&c));
    let is_digit = |c: char| c.is_numeric() && !c.is_alphabetic();
    !lone.chars().all(is_digit) || lone.chars().count() > MAX_LONE_DIGITS
}

/// `text` without a ruler (`***`, `=====`) before its first word.
fn without_rule(text: &str) -> &str {
    let rest = text.trim_start_matches(['*', '=', '_', '~', '/', '#']);
    let drawn = text.len() - rest.len();
    let drawn = drawn >= MIN_RULE || (drawn >= 3 && rest.starts_with(char::is_whitespace));
    if drawn { rest.trim_start() } else { text }
}

/// The sentences of `visible[range]` by the language rules: consecutive, without gaps.
fn rules(visible: &str, range: Range<usize>, language: &dyn Language) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let window_end = visible.floor_char_boundary(range.end.min(start.saturating_add(MAX_RULES_INPUT)));
        let window = without_list_marks(&visible[start..window_end]);
        // The rules are a dependency that has panicked on odd text: the block then stays one sentence.
        let found = catch_unwind(AssertUnwindSafe(|| {
            let found = language.get_sentence_boundaries(&window);
            found.iter().map(|sentence| sentence.end_byte).collect::<Vec<_>>()
        }))
        .unwrap_or_default();
        let mut ends: Vec<usize> = Vec::with_capacity(found.len() + 1);
        for end in found.into_iter().chain([window.len()]) {
            if end > ends.last().copied().unwrap_or(0) && window.is_char_boundary(end) {
                ends.push(end);
            }
        }
        // The last sentence may continue beyond this piece, so the next piece begins with it.
        if window_end < range.end && ends.len() > 1 && ends[ends.len() - 2] >= window.len() / 2 {
            ends.pop();
        }
        let mut from = 0;
        for end in ends {
            ranges.push(start + from..start + end);
            from = end;
        }
        start += from;
    }
    ranges
}

/// `text` with guillemets, which have the same number of bytes, in place of LaTeX's quotes (``` ``so'' ```): the rules
/// would only recognise the closing marks.
fn with_paired_quotes(text: &str) -> Cow<'_, str> {
    if text.contains("``") { text.replace("``", "«").replace("''", "»").into() } else { text.into() }
}

/// `text` with other bytes in place of brackets that the rules would take for list marks: two notes or figures in
/// brackets anywhere would make all text between them one item. [`within::items`] divides lists.
fn without_list_marks(text: &str) -> Cow<'_, str> {
    let mut masked = Cow::Borrowed(text);
    for (close, _) in text.match_indices(')') {
        let spaced = text[close + 1..].starts_with([' ', '\t']);
        let near = &text[text.floor_char_boundary(close.saturating_sub(MAX_MARK_BYTES))..close];
        let word = &near[near.rfind([' ', '\t']).map_or(0, |at| at + 1)..];
        let label = word.trim_start_matches('(').trim_end_matches('.');
        let counts = label.len() == 1 && label.as_bytes()[0].is_ascii_alphabetic()
            || label.bytes().all(|b| b.is_ascii_digit())
            || label.bytes().all(|b| b"ivxlcdmIVXLCDM".contains(&b));
        if spaced && counts {
            let open = close - word.len();
            let mask = word.replace('(', "_") + "_";
            masked.to_mut().replace_range(open..=close, &mask);
        }
    }
    masked
}
