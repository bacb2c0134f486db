//! Headings and tables of a PDF, by the type of its rows (size, weight, cells), and headings from its bookmarks.
//!
//! A heading is a short paragraph in larger or bolder type than the running text. A table is a run of rows with cells;
//! its header is the text above its first row of figures. This module knows rows, not glyphs.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oriel_core::{ByteSpan, HeaderRow, Heading, Outline};

use crate::segment::caption;

use super::super::bold_headings::{TERM_LEVEL, is_label};
use super::super::options::is_option;
use super::bookmarks::{Bookmark, add_bookmarked};
use super::layout::{Row, Written};

/// Maximum rows of a heading …
const MAX_HEADING_ROWS: usize = 3;
/// … and characters.
const MAX_HEADING_CHARACTERS: usize = 160;
/// Type is large if it is at least this many times the size of the running text.
const LARGE: f32 = 1.12;
/// Bold type makes headings only if at most this share of the text is bold.
const MAX_BOLD_SHARE: f32 = 0.3;
/// Maximum number of heading sizes; smaller ones share the last level.
const MAX_SIZES: usize = 5;
/// A row without cells ends a table if it has more characters than this.
const MAX_LABEL_CHARACTERS: usize = 90;
/// Maximum rows of a header.
const MAX_HEADER_ROWS: usize = 3;
/// Minimum rows of figures in a table.
const MIN_FIGURE_ROWS: usize = 2;

/// The headings and tables of a document's rows, which are in reading order.
pub(super) fn outline(rows: &[Written<'_>], bookmarks: &[Bookmark]) -> Outline {
    let (mut headings, is_large) = headings(rows);
    add_bookmarked(&mut headings, rows, bookmarks);
    add_options(&mut headings, rows);
    Outline { headings, tables: tables(rows, &is_large), ..Outline::default() }
}

/// A font size in half points.
fn step(size: f32) -> u32 {
    (size * 2.0).round() as u32
}

/// The headings, and for each row whether it is a heading in large type.
fn headings(rows: &[Written<'_>]) -> (Vec<Heading>, Vec<bool>) {
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    let (mut all, mut bold) = (0, 0);
    for Written { row, .. } in rows {
        *sizes.entry(step(row.size)).or_default() += row.text.len();
        all += row.text.len();
        bold += if row.bold { row.text.len() } else { 0 };
    }
    let body = sizes.iter().max_by_key(|(_, length)| **length).map_or(0, |(size, _)| *size);
    let bold_tells = bold as f32 <= MAX_BOLD_SHARE * all as f32;
    let mut found: Vec<(ByteSpan, Option<u32>)> = Vec::new();
    let mut is_large = vec![false; rows.len()];
    let mut from = 0;
    while from < rows.len() {
        let to = (from + 1..rows.len()).find(|&at| rows[at].begins).unwrap_or(rows.len());
        let paragraph = &rows[from..to];
        if may_be_heading(paragraph) {
            let size = paragraph.iter().map(|one| step(one.row.size)).min().unwrap_or(0);
            // Notes have no size.
            let large = size > 0 && size as f32 >= LARGE * body as f32;
            if large || (bold_tells && paragraph.iter().all(|one| one.row.bold)) {
                let span = paragraph[0].span.hull(paragraph[paragraph.len() - 1].span);
                found.push((span, large.then_some(size)));
                is_large[from..to].fill(large);
            }
        }
        from = to;
    }
    let mut steps: Vec<u32> = found.iter().filter_map(|(_, size)| *size).collect();
    steps.sort_unstable_by_key(|&size| Reverse(size));
    steps.dedup();
    steps.truncate(MAX_SIZES);
    let level = |size: Option<u32>| match size {
        Some(size) => steps.iter().position(|&one| one == size).unwrap_or(MAX_SIZES - 1),
        None => steps.len(),
    };
    let headings = found.iter().map(|&(span, size)| Heading::new(span, level(size) as u8 + 1)).collect();
    (headings, is_large)
}

/// Adds the options of command line programs (`--num-callers=<number> [default: 12]`). Each is a term whose definition
/// ends at the next one or with the section.
fn add_options(headings: &mut Vec<Heading>, rows: &[Written<'_>]) {
    let is_option = |row: &&Written<'_>| row.begins && row.row.cells < 2 && is_option(&row.row.text);
    let options: Vec<ByteSpan> = rows.iter().filter(is_option).map(|row| row.span).collect();
    let Some(end) = rows.last().map(|row| row.span.end) else { return };
    let next = |at: u32, ends: &[ByteSpan]| {
        ends.get(ends.partition_point(|one| one.start <= at)).map(|one| one.start)
    };
    let sections: Vec<ByteSpan> = headings.iter().map(|heading| heading.span).collect();
    headings.extend(options.iter().filter(|span| !span.overlaps_any(&sections)).map(|span| {
        let ends = [next(span.start, &options), next(span.start, &sections)].into_iter().flatten().min();
        Heading { end: Some(ends.unwrap_or(end).max(span.end)), ..Heading::new(*span, TERM_LEVEL) }
    }));
    headings.sort_by_key(|heading| heading.span);
}

/// Whether a paragraph has the form of a heading, regardless of its type.
fn may_be_heading(paragraph: &[Written<'_>]) -> bool {
    if paragraph.len() > MAX_HEADING_ROWS || paragraph.iter().any(|one| one.row.cells > 1) {
        return false;
    }
    let characters = || paragraph.iter().flat_map(|one| one.row.text.chars());
    let (count, letters) = (characters().count(), characters().filter(|c| c.is_alphabetic()).count());
    let ended = paragraph.last().is_some_and(|last| last.row.text.ends_with(['.', ',', ';', ':', '。']));
    let begins_inside = characters().next().is_some_and(char::is_lowercase);
    let first = paragraph.first().map_or("", |first| first.row.text.as_str());
    let names_other = caption(first).is_some() || (paragraph.len() == 1 && is_label(first));
    let has_form = letters > 1 && letters * 2 > count && count <= MAX_HEADING_CHARACTERS;
    has_form && !ended && !begins_inside && !names_other
}

/// The content of a table row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowContent {
    /// Names of columns: years, dates, words.
    Names,
    /// A label and figures, or figures alone.
    Figures,
    /// A label, or anything else that is short.
    Other,
    /// Running text, which is not a table row.
    Text,
}

fn row_content(row: &Row) -> RowContent {
    let cells: Vec<&str> = row.text.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    if cells.len() < 2 {
        let long = row.text.chars().count() > MAX_LABEL_CHARACTERS;
        return if long { RowContent::Text } else { RowContent::Other };
    }
    let years = cells.iter().filter(|cell| is_year(cell)).count();
    let figures = cells.iter().filter(|cell| is_figure(cell) && !is_year(cell)).count();
    let words = cells.iter().filter(|cell| cell.contains(char::is_alphabetic)).count();
    match (figures, years, words) {
        (0, 0, words) if words < 2 => RowContent::Other,
        (0, ..) => RowContent::Names,
        _ => RowContent::Figures,
    }
}

/// Whether it is only a number with its signs.
fn is_figure(cell: &str) -> bool {
    cell.contains(|c: char| c.is_numeric()) && !cell.contains(char::is_alphabetic)
        || matches!(cell, "—" | "–" | "-")
}

/// Whether it is a year from 1900 to 2099, perhaps with the mark of a note.
fn is_year(cell: &str) -> bool {
    let digits: String = cell.chars().take_while(char::is_ascii_digit).collect();
    digits.len() == 4 && cell.len() <= 7 && (digits.starts_with("19") || digits.starts_with("20"))
}

/// A table that is being read.
struct Open {
    /// The rows of its header: the first, and one past the last.
    header: (usize, usize),
    figures: usize,
    /// Its last row with figures.
    last: usize,
}

/// The tables that have a header.
fn tables(rows: &[Written<'_>], is_large: &[bool]) -> Vec<HeaderRow> {
    let mut tables = Vec::new();
    let mut open: Option<Open> = None;
    let mut close = |open: &mut Option<Open>| {
        if let Some(Open { header: (from, to), figures, last }) = open.take()
            && figures >= MIN_FIGURE_ROWS
        {
            let span = rows[from].span.hull(rows[to - 1].span);
            tables.push(HeaderRow { span, end: rows[last].span.end });
        }
    };
    for (at, written) in rows.iter().enumerate() {
        let turns = at > 0 && rows[at - 1].page != written.page;
        match row_content(written.row) {
            RowContent::Text => close(&mut open),
            _ if is_large[at] => close(&mut open),
            RowContent::Names => match &mut open {
                // Column names directly below column names belong to the same header.
                Some(Open { header: (from, to), figures: 0, .. })
                    if *to == at && at - *from < MAX_HEADER_ROWS && !turns =>
                {
                    *to = at + 1;
                }
                _ => {
                    close(&mut open);
                    open = Some(Open { header: (at, at + 1), figures: 0, last: at });
                }
            },
            _ if turns => close(&mut open),
            RowContent::Figures => {
                if let Some(open) = &mut open {
                    open.figures += 1;
                    open.last = at;
                }
            }
            RowContent::Other => {}
        }
    }
    close(&mut open);
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One row per line: `*` before bold type, `+` before large type; an empty line ends a paragraph.
    fn read(text: &str) -> (Vec<String>, Vec<(String, String)>) {
        let mut rows = Vec::new();
        let (mut at, mut begins) = (0, true);
        for line in text.lines() {
            let (bold, large) = (line.starts_with('*'), line.starts_with('+'));
            let row = line.trim_start_matches(['*', '+']);
            let start = at + (line.len() - row.len());
            at += line.len() + 1;
            if row.is_empty() {
                begins = true;
                continue;
            }
            let cells = row.split("  ").count() as u32;
            let size = if large { 14.0 } else { 10.0 };
            let row = Row { cells, size, bold, text: row.to_owned(), ..Row::default() };
            let end = start + row.text.len();
            rows.push((row, ByteSpan::new(start as u32, end as u32), std::mem::take(&mut begins)));
        }
        let written: Vec<Written<'_>> = rows
            .iter()
            .map(|(row, span, begins)| Written { row, span: *span, begins: *begins, page: 0 })
            .collect();
        let outline = outline(&written, &[]);
        assert!(outline.fits(text));
        let of = |span: ByteSpan| span.of(text).unwrap().to_owned();
        let heading = |one: &Heading| format!("{} {}", one.level, of(one.span));
        let table = |one: &HeaderRow| (of(one.span), of(ByteSpan::new(one.span.end, one.end)));
        (outline.headings.iter().map(heading).collect(), outline.tables.iter().map(table).collect())
    }

    #[test]
    fn headings_are_large_or_bold_and_short() {
        let text = "+Annual report\n\nThe year was good, as was the one before it.\n\n*Sales\n\n\
            Sales rose again, and so did the cost of everything.\n\n*This sentence is bold.\n\n+Outlook\n\nIt is fair.";
        assert_eq!(read(text).0, ["1 Annual report", "2 Sales", "1 Outlook"]);
    }

    #[test]
    fn an_option_is_the_heading_of_what_it_does() {
        let text = "+Options\n\n--num-callers=<number> [default: 12]\n\nMost frames shown.\n\n-v, --verbose\n\nSays more.\n\n\
            -v prints the version and more.\n\n+Limits\n\nThere are none at all, as far as anybody who reads this text knows.";
        let rest = ["200 --num-callers=<number> [default: 12]", "200 -v, --verbose", "1 Limits"];
        assert_eq!(read(text).0, [&["1 Options"], &rest[..]].concat());
    }

    #[test]
    fn a_table_has_the_rows_above_its_first_figures_as_header() {
        let text = "The figures follow in a table that is read row by row, and this is the running text before it all.\n\n\
            (Millions)  2018  2017\nCurrent assets\nCash  12  15\nInventories  4,100  3,900\n\nNotes are on the next page.";
        let (_, tables) = read(text);
        assert_eq!(tables.len(), 1);
        assert_eq!(tables[0].0, "(Millions)  2018  2017");
        assert!(tables[0].1.ends_with("3,900"), "{tables:?}");
    }

    #[test]
    fn rows_of_words_alone_are_no_table() {
        assert_eq!(read("Name  Place\nIdris  Bergen\nOona  Tarbert").1, []);
    }
}
