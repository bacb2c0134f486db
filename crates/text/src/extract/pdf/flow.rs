//! Joins the blocks of all pages to one text: paragraphs, soft line breaks, words divided at line ends, and the page
//! map.
//!
//! A paragraph break is a blank line, a soft break a line feed. A sentence that continues in the next column or page
//! has a soft break there. This module knows rows and blocks, not glyphs.

use std::collections::HashSet;

use oriel_core::{ByteSpan, Extracted, Kind, PageMap};

use super::super::bold_headings::{self, BoldRun};
use super::bookmarks::Bookmark;
use super::contents::contents;
use super::furniture::PageBlocks;
use super::layout::{Block, Row, Written};
use super::outline::outline;

/// Longer words are not looked up among the document's words.
const MAX_WORD_BYTES: usize = 200;

/// Writes the text of a document.
pub(super) fn text(pages: &[PageBlocks], bookmarks: &[Bookmark]) -> Extracted {
    let words = words(pages);
    let mut writer = Writer { text: String::new(), words: &words, ended: None };
    let mut starts: Vec<u32> = Vec::with_capacity(pages.len());
    let mut rows = Vec::new();
    for (number, page) in pages.iter().enumerate() {
        let mut begun = false;
        for block in &page.blocks {
            let layout = BlockLayout::of(block);
            for (at, row) in block.rows.iter().enumerate() {
                let breaks = match at.checked_sub(1) {
                    Some(above) => breaks_paragraph(block, &layout, above) && !writer.runs_on(row),
                    None => !writer.runs_on(row),
                };
                let end = writer.separate(breaks, row);
                // The hyphen of the previous row may be gone. That row ended where the empty pages after it start.
                if let Some(Written { span, .. }) = rows.last_mut() {
                    span.end = span.end.min(end);
                }
                starts.iter_mut().rev().take_while(|start| **start > end).for_each(|start| *start = end);
                if !begun {
                    starts.push(writer.text.len() as u32);
                    begun = true;
                }
                let start = writer.text.len() as u32;
                writer.push(row);
                let span = ByteSpan::new(start, writer.text.len() as u32);
                rows.push(Written { row, span, begins: breaks, page: number });
            }
        }
        if !begun {
            starts.push(writer.text.len() as u32);
        }
    }
    let (mut outline, boilerplate) = (outline(&rows, bookmarks), contents(&rows));
    let bold_runs = bold_runs(&rows);
    bold_headings::add_headings(&writer.text, &mut outline, &bold_runs);
    bold_headings::insert(&mut outline.headings, bold_headings::questions(&writer.text));
    // An entry of a table of contents is not the heading of the following text.
    outline.headings.retain(|heading| !heading.span.overlaps_any(&boilerplate));
    Extracted { pages: PageMap(starts), outline, boilerplate, ..Extracted::new(Kind::Pdf, writer.text) }
}

/// The bold words at the beginning of paragraphs.
fn bold_runs(rows: &[Written<'_>]) -> Vec<BoldRun> {
    let paragraphs = rows.chunk_by(|_, next| !next.begins);
    let bold_run = |paragraph: &[Written<'_>]| {
        let Written { row, span, .. } = &paragraph[0];
        let words = ByteSpan::new(span.start, span.start + row.bold_bytes as u32);
        let end = paragraph[paragraph.len() - 1].span.end;
        (row.bold_bytes > 0 && row.cells < 2 && words.end <= span.end).then_some(BoldRun {
            words,
            end,
            is_item: false,
            until: None,
        })
    };
    paragraphs.filter_map(bold_run).collect()
}

/// The properties of the last written row, which decide how the next row follows it.
struct Ended {
    cells: u32,
    size: f32,
    alone: bool,
}

struct Writer<'a> {
    text: String,
    words: &'a HashSet<&'a str>,
    ended: Option<Ended>,
}

impl Writer<'_> {
    /// Whether `row`, the first of a block or page, continues the previous sentence.
    fn runs_on(&self, row: &Row) -> bool {
        let Some(ended) = &self.ended else { return false };
        if ended.alone || row.alone {
            return false;
        }
        let alike = ended.cells == 1 && row.cells == 1 && (ended.size - row.size).abs() < 0.12 * row.size;
        let open = self
            .text
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphabetic() || matches!(c, ',' | '-' | '\u{AD}' | '’'));
        alike && open && row.text.chars().next().is_some_and(char::is_lowercase)
    }

    /// Ends the previous row: with a blank line, a line feed, or in the middle of a word. Returns its new end.
    fn separate(&mut self, breaks: bool, row: &Row) -> u32 {
        if self.text.is_empty() {
            return 0;
        }
        let hyphen = if breaks { None } else { self.joined(row) };
        if breaks {
            self.text.truncate(self.text.trim_end_matches('\u{AD}').len());
        } else if let Some(joined) = hyphen {
            self.text.truncate(joined);
        }
        let end = self.text.len() as u32;
        match (breaks, hyphen) {
            (true, _) => self.text.push_str("\n\n"),
            (false, None) => self.text.push('\n'),
            (false, Some(_)) => {}
        }
        end
    }

    /// The end of the text without its line-end hyphen, if `row` continues the word.
    fn joined(&self, row: &Row) -> Option<usize> {
        let head = self.text.trim_end_matches(['-', '\u{AD}', '\u{2010}']);
        let hyphen = &self.text[head.len()..];
        if hyphen.chars().count() != 1 || !row.text.starts_with(char::is_lowercase) {
            return None;
        }
        let near = &head[head.ceil_char_boundary(head.len().saturating_sub(MAX_WORD_BYTES))..];
        let before = &near[near.rfind(|c: char| !c.is_alphabetic()).map_or(0, |at| at + width(near, at))..];
        let after = &row.text[..row.text.find(|c: char| !c.is_alphabetic()).unwrap_or(row.text.len())];
        if before.is_empty() {
            return None;
        }
        if hyphen == "\u{AD}" || self.words.contains(format!("{before}{after}").as_str()) {
            return Some(head.len());
        }
        // "well-" and "known": other words of the document tell whether this is a compound or a divided word.
        if self.words.contains(format!("{before}-{after}").as_str())
            || head[..head.len() - before.len()].ends_with('-')
        {
            return Some(self.text.len());
        }
        Some(head.len())
    }

    fn push(&mut self, row: &Row) {
        // The rest of a divided word ends the previous line, so the soft break follows the word.
        let joining = self.text.ends_with(|c: char| !c.is_whitespace());
        let word_end = row.text.find(' ').filter(|_| joining);
        let line = match word_end {
            Some(end) => {
                self.text.extend(row.text[..end].chars().filter(|&c| c != '\u{AD}'));
                self.text.push('\n');
                row.text[end..].trim_start()
            }
            None => &row.text,
        };
        // A soft hyphen counts only at the end of a line.
        let kept = line.trim_end_matches('\u{AD}');
        self.text.extend(kept.chars().filter(|&c| c != '\u{AD}'));
        self.text.push_str(&line[kept.len()..]);
        self.ended = Some(Ended { cells: row.cells, size: row.size, alone: row.alone });
    }
}

fn width(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(0, char::len_utf8)
}

/// Every word inside a line, with hyphenated words whole. They decide how a word divided at a line end is written.
fn words(pages: &[PageBlocks]) -> HashSet<&str> {
    let rows = pages.iter().flat_map(|page| &page.blocks).flat_map(|block| &block.rows);
    let inner = |row: &'_ Row| row.text.rfind(' ').unwrap_or(0);
    rows.flat_map(|row| row.text[..inner(row)].split(|c: char| !c.is_alphabetic() && c != '-'))
        .filter(|word| word.len() > 2)
        .collect()
}

/// Whether a paragraph ends between the rows `above` and `above + 1` of a block.
fn breaks_paragraph(block: &Block, layout: &BlockLayout, above: usize) -> bool {
    let (row, next) = (&block.rows[above], &block.rows[above + 1]);
    let size = row.size.max(next.size);
    let down = next.v - row.v;
    if row.alone || next.alone {
        return true;
    }
    if (row.size - next.size).abs() > 0.18 * size || down > 1.3 * layout.leading || down > 1.95 * size {
        return true;
    }
    if row.cells > 1 || next.cells > 1 || row.rtl {
        return false;
    }
    let short = block.u1 - row.u1 > 0.15 * (block.u1 - block.u0);
    let ended = row.text.ends_with(['.', '!', '?', ':', ';', '”', '"', ')', '。', '！', '？']);
    let indent = next.u0 - row.u0;
    let stands_out = if layout.is_hanging { indent < -0.8 * size } else { indent > 0.8 * size };
    (stands_out && (short || ended)) || (short && ended && next.text.starts_with(char::is_uppercase))
}

/// The layout of the rows in a block.
struct BlockLayout {
    /// The median distance between baselines.
    leading: f32,
    /// Whether the first line of each paragraph has a hanging indent, as in a list of references.
    is_hanging: bool,
}

impl BlockLayout {
    fn of(block: &Block) -> Self {
        let mut downs: Vec<f32> = block.rows.windows(2).map(|pair| pair[1].v - pair[0].v).collect();
        downs.sort_unstable_by(f32::total_cmp);
        let left = block.rows.iter().filter(|row| row.u0 - block.u0 < 0.5 * row.size).count();
        Self {
            leading: downs.get(downs.len() / 2).copied().unwrap_or_default(),
            is_hanging: left * 2 < block.rows.len(),
        }
    }
}
