//! Blocks of plain text and of text from PDF: paragraphs between blank lines, and their lines.
//!
//! A single newline may be a soft wrap, or the end of a heading, an item or a row. The lines of a paragraph are
//! compared: if the first word of the next line would have fitted, the line was ended on purpose.

use super::block::{Block, Shape};
use super::lines::{self, MAX_ROW_BYTES};
use super::mark;

/// Minimum length in characters of lines that are not wrapped: each is a paragraph.
const MIN_UNWRAPPED_LINE: usize = 200;
/// Lines shorter than this, in characters, are too short to detect a wrap.
const MIN_WRAPPED_LINE: usize = 30;

/// A trimmed line.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    start: usize,
    chars: usize,
    /// Whether there was white space between its last word and the newline, which is more often a wrap than an end.
    trailing: bool,
    /// Whether it is a table row.
    row: bool,
}

impl Line<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Calls `take` with each block of `text`. A tab or `gap` spaces separate the cells of a row.
pub(super) fn blocks(text: &str, gap: usize, take: &mut dyn FnMut(&Block)) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut block = Block::new(Shape::Prose);
    let mut start = 0;
    let mut parted = false;
    for raw in text.split_inclusive(['\n', '\r', '\u{b}', '\u{c}']) {
        // "\r
        // " is one line end, not two.
        let newline_of_crlf = raw == "\n" && start > 0 && text.as_bytes()[start - 1] == b'\r';
        let trimmed = raw.trim();
        if trimmed.is_empty() {
            parted |= !newline_of_crlf;
        } else {
            // A page number, or a row without its label, is not a sentence by itself.
            if parted && !lines.last().is_some_and(|line| takes_figures(line, trimmed)) {
                paragraph(text, &lines, &mut block, take);
                lines.clear();
            }
            parted = false;
            let indent = raw.len() - raw.trim_start().len();
            let body = raw.trim_end_matches(['\n', '\r', '\u{b}', '\u{c}']);
            let trailing = body.len() > indent + trimmed.len();
            lines.push(Line {
                text: trimmed,
                start: start + indent,
                chars: trimmed.chars().count(),
                trailing,
                row: lines::is_row(trimmed, gap),
            });
        }
        if raw.ends_with('\u{c}') {
            paragraph(text, &lines, &mut block, take);
            lines.clear();
        }
        start += raw.len();
    }
    paragraph(text, &lines, &mut block, take);
}

fn paragraph(text: &str, lines: &[Line<'_>], block: &mut Block, take: &mut dyn FnMut(&Block)) {
    let width = width(lines);
    // A few short lines without a sentence end are a list, in upper or lower case.
    let list = width < MIN_WRAPPED_LINE
        && lines.len() > 2
        && !lines.iter().any(|line| mark::ends_sentence(line.text));
    let weighed = Paragraph { width, list };
    let mut first = 0;
    for index in 0..lines.len() {
        let ends = lines.get(index + 1).is_none_or(|next| {
            let fits = next.end() - lines[first].start <= MAX_ROW_BYTES;
            !(fits && belongs(&lines[index], next)) && weighed.breaks(&lines[index], next)
        });
        if ends {
            emit(text, &lines[first..=index], block, take);
            first = index + 1;
        }
    }
}

/// The length of a paragraph's wrapped lines in characters: the longest of a few lines, the upper quartile of many,
/// because a single line that is too wide would make all others look short.
fn width(lines: &[Line<'_>]) -> usize {
    let mut lengths: Vec<usize> = lines.iter().map(|line| line.chars).collect();
    let index = match lengths.len() {
        0 => return 0,
        count @ 1..=3 => count - 1,
        count => count * 3 / 4,
    };
    *lengths.select_nth_unstable(index).1
}

fn emit(text: &str, lines: &[Line<'_>], block: &mut Block, take: &mut dyn FnMut(&Block)) {
    let row = lines.iter().any(|line| line.row) || lines.len() == 1 && mark::has_leader(lines[0].text);
    block.clear(if row { Shape::Whole } else { Shape::Prose });
    let mut end = None;
    for line in lines {
        if let Some(end) = end {
            block.space(end..line.start);
        }
        block.push(&text[line.start..line.end()], line.start..line.end());
        end = Some(line.end());
    }
    take(block);
}

/// Whether `next` belongs to `line`: the text of a list mark, the figures of a label, or a row whose label is longer
/// than a line.
fn belongs(line: &Line<'_>, next: &Line<'_>) -> bool {
    let label = next.row && !line.row && next.text.starts_with(char::is_lowercase);
    mark::is_lone(line.text) || takes_figures(line, next.text) || (label && !mark::ends_sentence(line.text))
}

/// Whether the figures in `next`, which has no word, belong to `line`.
fn takes_figures(line: &Line<'_>, next: &str) -> bool {
    next.contains(char::is_numeric) && !next.contains(char::is_alphabetic) && !mark::ends_sentence(line.text)
}

struct Paragraph {
    width: usize,
    list: bool,
}

impl Paragraph {
    /// Whether `line` ends a block before `next`.
    fn breaks(&self, line: &Line<'_>, next: &Line<'_>) -> bool {
        let (here, there) = (line.text, next.text);
        if line.row || next.row || mark::has_leader(here) {
            return true;
        }
        let closed = mark::ends_sentence(here) || here.ends_with([':', ';']);
        let item = |text: &str| mark::bullet(text).is_some() || mark::number(text).is_some();
        if mark::bullet(there).is_some()
            && (!mark::is_dash(there) || closed || item(here) || self.is_short(line, next))
        {
            return true;
        }
        if mark::number(there).is_some() && (closed || item(here) || self.is_short(line, next)) {
            return true;
        }
        if mark::caption(there).is_some() && (closed || self.is_short(line, next)) {
            return true;
        }
        if self.list {
            return !line.trailing;
        }
        let first = there.chars().find(|c| !matches!(c, '"' | '\'' | '“' | '‘' | '«' | '„'));
        let continues =
            first.is_none_or(|c| c.is_lowercase() || matches!(c, ',' | '.' | ';' | ')' | ']' | '%' | '&'));
        if continues || (hyphenated(here) && self.width > MIN_UNWRAPPED_LINE / 10) {
            return false;
        }
        if self.width > MIN_UNWRAPPED_LINE {
            return true;
        }
        if runs_on(here) {
            return false;
        }
        if is_numbered_heading(here) || (is_capitals(here) && !is_capitals(there)) {
            return true;
        }
        self.is_short(line, next)
    }

    /// Whether the first word of `next` would easily have fitted at the end of `line`.
    fn is_short(&self, line: &Line<'_>, next: &Line<'_>) -> bool {
        if is_cjk_end(line.text) {
            return line.chars * 4 < self.width * 3;
        }
        let word = next.text.split_whitespace().next().map_or(0, |word| word.chars().count());
        // Lines are measured in characters, not in font widths; and a comma means that the sentence continues.
        let slack = if line.text.ends_with([',', '-', '–', '(']) { 2 } else { 3 };
        (line.chars + 1 + word) * 4 <= self.width * slack
    }
}

/// Whether the last word of `text` cannot end a heading or sentence.
fn runs_on(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "a", "an", "and", "are", "as", "at", "by", "for", "from", "in", "is", "of", "on", "or", "our",
        "that", "the", "their", "to", "was", "were", "which", "with", "der", "die", "das", "und", "von",
        "de", "la", "le", "et", "el", "y", "du", "des",
    ];
    text.rsplit(char::is_whitespace).next().is_some_and(|word| WORDS.contains(&word)) && text.contains(' ')
}

fn hyphenated(text: &str) -> bool {
    let mut chars = text.chars().rev();
    matches!(chars.next(), Some('-' | '\u{ad}' | '‐')) && chars.next().is_some_and(char::is_alphabetic)
}

fn is_cjk_end(text: &str) -> bool {
    text.chars().next_back().is_some_and(|c| matches!(c, '\u{3000}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}'))
}

/// Whether `text` is a short line in capitals, which is a heading.
fn is_capitals(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| c.is_alphabetic());
    let mut count = 0;
    text.len() < 100
        && letters.all(|c| {
            count += 1;
            c.is_uppercase()
        })
        && count > 3
}

/// Whether `text` is like `3.2 Methods`: a section number and a few words without a sentence end.
fn is_numbered_heading(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &text[..text.len() - rest.len()];
    let words = rest.split_whitespace().count();
    number.starts_with(|c: char| c.is_ascii_digit())
        && (number.contains('.') && number.len() <= 8)
        && rest.starts_with([' ', '\t'])
        && (1..=10).contains(&words)
        && rest.trim_start().starts_with(char::is_uppercase)
        && !mark::ends_sentence(text)
        && !text.ends_with(',')
}
