//! Builds a text together with its pages, headings and tables.
//!
//! A blank line separates blocks; a table row is one line with tabs between its cells.

use std::collections::HashSet;

use oriel_core::{ByteSpan, Extracted, Failure, HeaderRow, Heading, Kind, Outline, PageMap, RowNumber};

use super::bold_headings::{self, BoldRun};
use super::contents::{self, merged};
use super::too_large;

/// If a part of a document has more bold lines, the sections of its first ones extend beyond it, up to the next.
const MAX_OPEN_BOLD_RUNS: usize = 256;

/// A text that grows block by block, up to a limit.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    text: String,
    pages: Vec<u32>,
    /// The number of last pages without a block; they begin with the next one.
    empty_pages: usize,
    outline: Outline,
    boilerplate: Vec<ByteSpan>,
    /// Bold words that may be headings; this is decided when the text is complete.
    bold_runs: Vec<BoldRun>,
    limit: usize,
    is_over: bool,
}

impl Writer {
    /// An empty text with a limit in bytes.
    pub(super) fn new(limit: usize) -> Self {
        // Offsets in the store have 32 bits.
        Self { limit: limit.min(u32::MAX as usize), ..Self::default() }
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the limit is exceeded. Nothing more is written then, and [`Self::finish`] fails.
    pub(super) fn is_full(&self) -> bool {
        self.is_over || self.text.len() > self.limit
    }

    /// Records that another limit is exceeded.
    pub(super) fn overflow(&mut self) {
        self.is_over = true;
    }

    /// Whether it has headings or tables.
    pub(super) fn has_outline(&self) -> bool {
        !(self.outline.headings.is_empty() && self.outline.tables.is_empty())
    }

    /// Begins the next page.
    pub(super) fn page(&mut self) {
        self.pages.push(self.at());
        self.empty_pages += 1;
    }

    /// Writes a block after a blank line; returns its span.
    pub(super) fn block(&mut self, block: &str) -> ByteSpan {
        self.write("\n\n", block.trim())
    }

    /// Writes the next line of a block; returns its span.
    pub(super) fn line(&mut self, line: &str) -> ByteSpan {
        self.write("\n", line.trim_end())
    }

    /// Writes a heading as one line.
    pub(super) fn heading(&mut self, heading: &str, level: u8) {
        let span = self.block(&one_line(heading));
        self.head(span, level);
    }

    /// Makes a written line a heading.
    pub(super) fn head(&mut self, span: ByteSpan, level: u8) {
        if !span.is_empty() {
            self.outline.headings.push(Heading::new(span, level.max(1)));
        }
    }

    /// Marks `words` bytes of a written line as bold, from byte `at` on, which is after a list mark or a number.
    pub(super) fn bold_run(&mut self, line: ByteSpan, at: usize, words: usize, is_item: bool) {
        let start = line.start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        let end = start.saturating_add(u32::try_from(words).unwrap_or(u32::MAX));
        if start < end && end <= line.end {
            self.bold_runs.push(BoldRun {
                words: ByteSpan::new(start, end),
                end: line.end,
                is_item,
                until: None,
            });
        }
    }

    /// Ends the sections of the bold lines after byte `start`, if text follows them.
    pub(super) fn end_bold_runs(&mut self, start: usize) {
        let at = self.at();
        let inside = self.bold_runs.iter_mut().rev().take_while(|one| one.words.start as usize >= start);
        for run in inside.take(MAX_OPEN_BOLD_RUNS).filter(|one| one.end < at) {
            run.until.get_or_insert(at);
        }
    }

    /// Ends the definitions of the last terms, down to this level.
    pub(super) fn end_terms(&mut self, level: u8) {
        let end = self.at();
        let terms = self.outline.headings.iter_mut().rev().take_while(|one| one.level >= level);
        terms.for_each(|term| term.end = term.end.or(Some(end)));
    }

    /// Marks everything from byte `start` on as boilerplate.
    pub(super) fn boilerplate(&mut self, start: usize) {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        if start < self.at() {
            self.boilerplate.push(ByteSpan::new(start, self.at()));
        }
    }

    /// Writes a table row of single-line cells; returns its span.
    pub(super) fn row(&mut self, cells: &[String], is_first: bool) -> ByteSpan {
        let row = cells.join("\t");
        if is_first { self.write("\n\n", row.trim_end()) } else { self.line(&row) }
    }

    /// Sets the number of a written row in its table, from 1.
    pub(super) fn number(&mut self, row: ByteSpan, number: u32) {
        if !row.is_empty() {
            self.outline.rows.push(RowNumber { start: row.start, number });
        }
    }

    /// Makes a row the header of the rows written since, unless they include a table with its own header.
    pub(super) fn header(&mut self, row: ByteSpan) {
        self.header_until(row, self.at());
    }

    /// Makes a row the header of the rows before byte `end`, in the same way.
    pub(super) fn header_until(&mut self, row: ByteSpan, end: u32) {
        let is_apart = self.outline.tables.last().is_none_or(|last| last.end <= row.start);
        if is_apart && !row.is_empty() && row.end < end {
            self.outline.tables.push(HeaderRow { span: row, end });
        }
    }

    /// Writes the content of another text after a blank line.
    pub(super) fn append(&mut self, other: Self) {
        self.is_over |= other.is_full();
        let span = self.write("\n\n", &other.text);
        if span.len() as usize != other.text.len() {
            return;
        }
        let moved = |at: u32| at.saturating_add(span.start);
        let move_span = |span: ByteSpan| ByteSpan::new(moved(span.start), moved(span.end));
        self.pages.extend(other.pages.into_iter().map(moved));
        let headings = other.outline.headings.into_iter();
        self.outline.headings.extend(headings.map(|one| Heading {
            span: move_span(one.span),
            end: one.end.map(moved),
            ..one
        }));
        self.bold_runs.extend(other.bold_runs.into_iter().map(|one| BoldRun {
            words: move_span(one.words),
            end: moved(one.end),
            until: one.until.map(moved),
            ..one
        }));
        self.boilerplate.extend(other.boilerplate.into_iter().map(move_span));
        let rows = other.outline.rows.into_iter();
        self.outline.rows.extend(rows.map(|one| RowNumber { start: moved(one.start), ..one }));
        let tables = other.outline.tables.into_iter();
        self.outline
            .tables
            .extend(tables.map(|one| HeaderRow { span: move_span(one.span), end: moved(one.end) }));
    }

    /// The finished text.
    ///
    /// # Errors
    /// If the limit is exceeded.
    pub(super) fn finish(self, kind: Kind) -> Result<Extracted, Failure> {
        if self.is_full() {
            return Err(too_large());
        }
        let pages = PageMap(self.pages);
        let Self { text, mut outline, mut boilerplate, mut bold_runs, .. } = self;
        if is_written(kind) {
            boilerplate.extend(contents(&text, &outline));
            boilerplate = merged(boilerplate);
            // An entry of a table of contents is not the heading of the following text.
            outline.headings.retain(|heading| !heading.span.overlaps_any(&boilerplate));
        }
        bold_runs.retain(|one| !one.words.overlaps_any(&boilerplate));
        bold_headings::add_headings(&text, &mut outline, &bold_runs);
        bold_headings::insert(&mut outline.headings, bold_headings::questions(&text));
        Ok(Extracted { pages, outline, boilerplate, ..Extracted::new(kind, text) })
    }

    fn at(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    fn write(&mut self, gap: &str, text: &str) -> ByteSpan {
        if text.is_empty() || self.is_full() {
            return ByteSpan::new(self.at(), self.at());
        }
        if !self.text.is_empty() {
            self.text.push_str(gap);
        }
        let start = self.at();
        let begun = self.pages.len() - std::mem::take(&mut self.empty_pages);
        self.pages[begun..].fill(start);
        self.text.push_str(text);
        ByteSpan::new(start, self.at())
    }
}

/// Whether documents of this kind are prose, which may have tables of contents and indexes.
fn is_written(kind: Kind) -> bool {
    use Kind::{Doc, Docx, Epub, Fb2, Html, Mhtml, Odt, Rtf};
    matches!(kind, Doc | Docx | Epub | Fb2 | Html | Mhtml | Odt | Rtf)
}

/// The tables of contents and indexes of a text. A table of contents names sections, not terms.
fn contents(text: &str, outline: &Outline) -> Vec<ByteSpan> {
    let sections = outline.headings.iter().filter(|heading| heading.end.is_none());
    let headings: HashSet<u32> = sections.map(|heading| heading.span.start).collect();
    let lines = contents::lines(text);
    contents::contents(&lines, |at| headings.contains(&lines[at].span().start))
}

/// `text` with single spaces in place of all white space.
pub(super) fn one_line(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut line = words.next().unwrap_or_default().to_owned();
    for word in words {
        line.push(' ');
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_headings_and_tables_are_where_they_say() {
        let mut writer = Writer::new(1000);
        let mut inner = Writer::new(1000);
        inner.heading("A\n title", 2);
        let head = inner.row(&["a".into(), "b".into()], true);
        inner.row(&["1".into(), String::new()], false);
        inner.header(head);
        writer.page();
        writer.block("One");
        writer.page();
        writer.page();
        inner.heading("Term", 7);
        inner.block("Definition.");
        inner.end_terms(7);
        inner.block("Next");
        inner.boilerplate(inner.text().len() - 4);
        writer.append(inner);
        let made = writer.finish(Kind::Docx).unwrap().validated().unwrap();
        assert_eq!(made.text, "One\n\nA title\n\na\tb\n1\n\nTerm\n\nDefinition.\n\nNext");
        let term = made.outline.headings[1];
        assert_eq!(ByteSpan::new(term.span.end, term.end.unwrap()).of(&made.text), Some("\n\nDefinition."));
        assert_eq!(made.boilerplate[0].of(&made.text), Some("Next"));
        assert_eq!(made.pages.0, [0, 5, 5]);
        assert_eq!(made.outline.headings[0].span.of(&made.text), Some("A title"));
        assert_eq!(made.outline.header_at(18).and_then(|span| span.of(&made.text)), Some("a\tb"));
    }

    #[test]
    fn a_text_beyond_the_limit_is_a_failure() {
        let mut writer = Writer::new(10);
        writer.block("12345678901");
        writer.heading("no more", 1);
        assert!(writer.finish(Kind::Docx).is_err());
    }
}
