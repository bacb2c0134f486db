//! Finds tables of contents and indexes: lines that name pages or headings and have no other content.
//!
//! A table of contents has rows of dots and pages, or titles that recur below as headings. An index has names and pages
//! in alphabetical order.
//!
//! What only names places stays in the text and gets no sentences, so it is shown but not found.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use oriel_core::ByteSpan;

use crate::segment::list_mark_len;

/// The characters of a line that is drawn as a rule.
const RULES: &[char] = &['=', '-', '~', '^', '*', '#', '_', '+', '"', '.'];
/// Minimum number of entries in a table of contents.
const MIN_ENTRIES: usize = 4;
/// Maximum number of rows between two entries. A long entry takes several rows, and so does the heading of a part.
const MAX_BETWEEN: usize = 3;
/// Minimum number of dots between an entry and its page.
const MIN_DOTS: usize = 4;
/// Maximum number of pages in roman numerals before page 1.
const MAX_FRONT_MATTER: u32 = 60;
/// A list of titles that recur below has at least this many titles …
const MIN_TITLES: usize = 4;
/// … and they are at least this percentage of its lines.
const MIN_TITLE_SHARE: usize = 80;
/// Maximum bytes of the number and the page around a title.
const MAX_AROUND_TITLE: usize = 20;
/// An index without its own pages has at least this many entries …
const MIN_INDEX_ENTRIES: usize = 12;
/// … and this percentage of them are in alphabetical order.
const MIN_ORDERED: usize = 75;
/// Maximum number of pages in a book.
const MAX_PAGES: u32 = 5000;

/// A line that is not blank.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    /// Where its words begin in the text, in bytes.
    pub(super) start: usize,
    pub(super) words: &'t str,
    pub(super) indent: usize,
    /// Whether the lines above and below it are blank, or the beginning or end of the text.
    pub(super) is_parted: (bool, bool),
}

impl Line<'_> {
    pub(super) fn span(&self) -> ByteSpan {
        ByteSpan::new(self.start as u32, (self.start + self.words.len()) as u32)
    }

    /// The character of a rule; `None` if the line is text.
    pub(super) fn rule(&self) -> Option<char> {
        let sign = self.words.chars().next().filter(|sign| RULES.contains(sign))?;
        (self.words.len() > 2 && self.words.chars().all(|c| c == sign)).then_some(sign)
    }
}

/// The lines of a text that are not blank.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let (mut at, mut is_parted) = (0, true);
    for raw in text.split_inclusive('\n') {
        let words = raw.trim();
        if words.is_empty() {
            is_parted = true;
            if let Some(last) = lines.last_mut() {
                last.is_parted.1 = true;
            }
        } else {
            let before = &raw[..raw.len() - raw.trim_start().len()];
            let indent = before.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum();
            let start = at + before.len();
            lines.push(Line { start, words, indent, is_parted: (is_parted, false) });
            is_parted = false;
        }
        at += raw.len();
    }
    if let Some(last) = lines.last_mut() {
        last.is_parted.1 = true;
    }
    lines
}

/// The parts of the text that are tables of contents or indexes; ascending, and they do not touch.
pub(super) fn contents(lines: &[Line<'_>], is_heading: impl Fn(usize) -> bool) -> Vec<ByteSpan> {
    let mut found = runs(lines.iter().map(|line| page_of_entry(line.words)));
    found.extend(titles(lines, is_heading));
    found.extend(indexes(lines));
    let span = |run: Range<usize>| {
        let first = run.start - usize::from(run.start > 0 && is_title(&lines[run.start - 1]));
        lines[first].span().hull(lines[run.end - 1].span())
    };
    merged(found.into_iter().map(span).collect())
}

/// Sorts spans and merges those that touch.
pub(super) fn merged(mut spans: Vec<ByteSpan>) -> Vec<ByteSpan> {
    spans.sort_by_key(|span| span.start);
    spans.dedup_by(|next, kept| {
        let touches = next.start <= kept.end;
        if touches {
            *kept = kept.hull(*next);
        }
        touches
    });
    spans
}

/// Runs of index entries in alphabetical order.
fn indexes(lines: &[Line<'_>]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let entries: Vec<usize> =
        (0..lines.len()).filter(|at| is_index_entry(lines[*at].words, MAX_PAGES)).collect();
    let letter = |at: usize| lines[at].words.to_lowercase().chars().find(|c| c.is_alphabetic());
    for run in entries.chunk_by(|a, b| b - a <= MAX_BETWEEN + 1) {
        let ordered = run.windows(2).filter(|pair| letter(pair[0]) <= letter(pair[1])).count();
        if run.len() >= MIN_INDEX_ENTRIES && ordered * 100 >= (run.len() - 1) * MIN_ORDERED {
            found.push(run[0]..run[run.len() - 1] + 1);
        }
    }
    found
}

/// Whether a line is the title of a table of contents.
fn is_title(line: &Line<'_>) -> bool {
    const TITLES: &[&str] = &[
        "contents",
        "table of contents",
        "inhalt",
        "inhaltsverzeichnis",
        "table des matières",
        "sommaire",
        "índice",
        "contenido",
        "indice",
        "sommario",
        "inhoud",
    ];
    TITLES.contains(&line.words.trim_end_matches([':', '.']).to_lowercase().as_str())
}

/// Runs of lines that recur below as headings.
fn titles(lines: &[Line<'_>], is_heading: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut last: HashMap<String, usize> = HashMap::new();
    for at in (0..lines.len()).filter(|at| is_heading(*at)) {
        last.insert(title(lines[at].words), at);
    }
    if last.len() < MIN_TITLES {
        return Vec::new();
    }
    let longest = last.keys().map(String::len).max().unwrap_or_default() + MAX_AROUND_TITLE;
    // For each line, the line below it with the same heading.
    let below = |(at, line): (usize, &Line<'_>)| {
        let title = (line.words.len() <= longest).then(|| title(line.words))?;
        last.get(&title).filter(|below| **below > at).copied()
    };
    let below: Vec<Option<usize>> = lines.iter().enumerate().map(below).collect();
    let recurs = |at: usize| below.get(at).copied().flatten();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let Some(until) = recurs(at) else {
            at += 1;
            continue;
        };
        // The list ends where its first title recurs, or at two lines that do not recur.
        let (start, mut end) = (at, at + 1);
        while end < until && (recurs(end).is_some() || (end + 1 < until && recurs(end + 1).is_some())) {
            end += 1;
        }
        let titles: HashSet<usize> = (start..end).filter_map(recurs).collect();
        if titles.len() >= MIN_TITLES && titles.len() * 100 >= (end - start) * MIN_TITLE_SHARE {
            found.push(start..end);
        }
        at = end;
    }
    found
}

/// The title in an entry or a heading, without its number and its page.
fn title(words: &str) -> String {
    let is_page = |page: &str| page.len() <= 4 && page.bytes().all(|b| b.is_ascii_digit());
    let words = words.rsplit_once('\t').filter(|(_, page)| is_page(page)).map_or(words, |(title, _)| title);
    let bare = words[list_mark_len(words)..]
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '\t'));
    let title = if bare.is_empty() { words } else { bare };
    title.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A run of entries.
struct Run {
    first: usize,
    last: usize,
    count: usize,
    /// The page of the last entry.
    page: u32,
}

/// The runs of lines that are entries of a table of contents, from the page that each line names. Pages ascend in a
/// table of contents, but not in a list of prices.
pub(super) fn runs(pages: impl Iterator<Item = Option<u32>>) -> Vec<Range<usize>> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, page) in pages.enumerate() {
        let Some(page) = page else { continue };
        match runs.last_mut() {
            Some(run) if at - run.last <= MAX_BETWEEN + 1 && run.page <= page => {
                *run = Run { last: at, count: run.count + 1, page, ..*run };
            }
            _ => runs.push(Run { first: at, last: at, count: 1, page }),
        }
    }
    let long = runs.iter().filter(|run| run.count >= MIN_ENTRIES);
    long.map(|run| run.first..run.last + 1).collect()
}

/// The page number after the row of dots in an entry of a table of contents; 0 for roman numerals.
pub(super) fn page_of_entry(text: &str) -> Option<u32> {
    let text = text.trim_end();
    let head = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, 'i' | 'v' | 'x' | 'l'));
    let page = &text[head.len()..];
    let bare = head.trim_end_matches(['.', '·', '…', '_', ' ', '\u{a0}']);
    let dots =
        head[bare.len()..].chars().map(|c| if c == '…' { 3 } else { usize::from(c != ' ' && c != '\u{a0}') });
    if dots.sum::<usize>() < MIN_DOTS || !bare.contains(char::is_alphanumeric) {
        return None;
    }
    match page.parse() {
        Ok(page) => Some(page),
        Err(_) => (!page.is_empty() && !page.contains(|c: char| c.is_ascii_digit())).then_some(0),
    }
}

/// Whether a row ends in page numbers, as an index entry does: `cache, 12, 45–47`.
pub(super) fn is_index_entry(text: &str, pages: u32) -> bool {
    let mut parts = text.split(',').map(str::trim);
    let named = parts.next().is_some_and(|name| name.contains(char::is_alphabetic) && name.len() <= 80);
    let is_page = |part: &str| {
        let mut ends = part.split(['–', '-']).map(|end| end.trim().parse::<u32>());
        ends.all(|end| end.is_ok_and(|page| (1..=pages + MAX_FRONT_MATTER).contains(&page)))
    };
    named && parts.next_back().is_some_and(is_page)
}
