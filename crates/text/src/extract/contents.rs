//! Contents and indexes of a text: lines that name pages or headings and say nothing else.
//!
//! A list of contents has rows of dots and pages, or titles that recur below as headings. An index has names and pages in the order
//! of the alphabet.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use oriel_core::ByteSpan;

use crate::segment::lead;

/// The signs that a line is drawn of.
const RULES: &[char] = &['=', '-', '~', '^', '*', '#', '_', '+', '"', '.'];
/// A table of contents has at least so many entries.
const MIN_ENTRIES: usize = 4;
/// Rows between two entries: a long entry takes several, and so does a heading of its parts.
const MAX_BETWEEN: usize = 3;
/// Dots between an entry and its page.
const MIN_DOTS: usize = 4;
/// Pages before the first numbered one, in small letters.
const MAX_FRONT_MATTER: u32 = 60;
/// A list of titles that recur below has at least so many …
const MIN_TITLES: usize = 4;
/// … and they are at least this share of its lines, in hundredths.
const MIN_TITLE_SHARE: usize = 80;
/// The number and the page around a title have at most so many bytes.
const MAX_AROUND_TITLE: usize = 20;
/// An index without pages of its own has at least so many entries …
const MIN_INDEX_ENTRIES: usize = 12;
/// … and this share of them, in hundredths, follows the one before in the alphabet.
const MIN_ORDERED: usize = 75;
/// A book has at most so many pages.
const MAX_PAGES: u32 = 5000;

/// A line that is not blank.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    /// Where its words begin in the text.
    pub(super) start: usize,
    pub(super) words: &'t str,
    pub(super) indent: usize,
    /// Whether a blank line, or the beginning or end of the text, is above and below it.
    pub(super) is_parted: (bool, bool),
}

impl Line<'_> {
    pub(super) fn span(&self) -> ByteSpan {
        ByteSpan::new(self.start as u32, (self.start + self.words.len()) as u32)
    }

    /// The sign that the line is drawn of, if it is no text.
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

/// The parts of the text that are contents, ascending and apart: titles with their pages, and titles that recur below.
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

/// Spans in their order, those that touch as one.
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

/// Runs of names with pages in the order of the alphabet.
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

/// Whether a line is the title of contents.
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

/// Runs of lines that recur below, each as a heading.
fn titles(lines: &[Line<'_>], is_heading: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut last: HashMap<String, usize> = HashMap::new();
    for at in (0..lines.len()).filter(|at| is_heading(*at)) {
        last.insert(title(lines[at].words), at);
    }
    if last.len() < MIN_TITLES {
        return Vec::new();
    }
    let longest = last.keys().map(String::len).max().unwrap_or_default() + MAX_AROUND_TITLE;
    // Where each line recurs as a heading.
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
        // The list ends where its first title recurs, or where two lines do not.
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

/// The title that an entry of the contents or a heading names, without its number and its page.
fn title(words: &str) -> String {
    let is_page = |page: &str| page.len() <= 4 && page.bytes().all(|b| b.is_ascii_digit());
    let words = words.rsplit_once('\t').filter(|(_, page)| is_page(page)).map_or(words, |(title, _)| title);
    let bare = words[lead(words)..]
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

/// The runs of lines that are entries of a table of contents, from the pages that lines name. They ascend there; in a list of prices they
/// do not.
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

/// The page that an entry of a table of contents names after its row of dots; 0 for one in roman numerals.
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

/// Whether a row ends in pages, as the entry of an index: `cache, 12, 45–47`.
pub(super) fn is_index_entry(text: &str, pages: u32) -> bool {
    let mut parts = text.split(',').map(str::trim);
    let named = parts.next().is_some_and(|name| name.contains(char::is_alphabetic) && name.len() <= 80);
    let is_page = |part: &str| {
        let mut ends = part.split(['–', '-']).map(|end| end.trim().parse::<u32>());
        ends.all(|end| end.is_ok_and(|page| (1..=pages + MAX_FRONT_MATTER).contains(&page)))
    };
    named && parts.next_back().is_some_and(is_page)
}
