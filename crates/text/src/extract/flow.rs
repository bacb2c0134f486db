//! Collects paragraphs, tables and boxes as they are nested in office documents and web pages.

use std::collections::BTreeMap;

use oriel_core::ByteSpan;

use super::adjacent_tables;
use super::bold_headings::is_label;
use super::header::{filled, is_header};
use super::writer::{Writer, one_line};

/// Maximum number of rows in a sheet or table.
const MAX_ROWS: usize = 200_000;
/// Maximum number of cells in a row, which is also the limit of spreadsheet programs.
pub(super) const MAX_COLUMNS: usize = 16_384;
/// A cell that spans several rows is repeated in each of them if it has at most this many bytes.
pub(super) const MAX_LABEL_BYTES: usize = 200;
/// One of this many rows gets its number stored; the numbers of the others are counted from it.
const NUMBERED_ROWS: usize = 256;
/// Rows of a sheet, and their bytes, that wait until it is known whether they are several tables side by side. More
/// rows are one table.
const MAX_WAITING: usize = 1000;
const MAX_WAITING_BYTES: usize = 1 << 20;
/// Maximum number of title rows above the header of a table.
const MAX_TITLES: usize = 20;
/// A cell with several paragraphs and more bytes than this is layout, not a table cell.
const MAX_CELL_BYTES: usize = 300;

/// A sequence of paragraphs: the whole text, a table cell, or a box.
struct Flow {
    writer: Writer,
    paragraph: String,
    heading: Option<u8>,
    /// The list mark of the next paragraph, which then begins on the next line.
    mark: Option<String>,
    /// Whether the last characters of the paragraph are struck out.
    is_struck: bool,
    leading_bold: LeadingBold,
    /// Boxes inside the paragraph; they are written after it.
    boxes: Vec<Writer>,
    tables: Vec<Table>,
}

/// The bold text at the beginning of a paragraph, after its number.
#[derive(Clone, Copy, Default)]
struct LeadingBold {
    start: usize,
    /// Where it ends; `None` while all text so far is bold.
    end: Option<usize>,
}

impl LeadingBold {
    /// Updates the bold text before more text is added to the paragraph.
    fn take(&mut self, paragraph: &str, is_bold: bool) {
        if !is_bold && self.end.is_none() {
            self.end = Some(paragraph.trim_end().len());
        } else if is_bold && self.end == Some(0) && is_number(paragraph.trim()) {
            *self = Self { start: paragraph.len(), end: None };
        }
    }

    /// Moves the positions when `added` bytes replace `removed` bytes before the paragraph.
    fn shift(&mut self, added: usize, removed: usize) {
        let moved = |at: usize| (at + added).saturating_sub(removed);
        *self = Self { start: moved(self.start), end: self.end.map(moved) };
    }
}

/// Whether text that is not bold is only the number of the following text: `4.`, `2.3`, `(a)`, `§ 7`.
fn is_number(words: &str) -> bool {
    words.len() <= 10
        && words.contains(|c: char| c.is_ascii_digit() || matches!(c, ')' | '.'))
        && words.chars().filter(|c| c.is_alphabetic()).count() <= 1
}

/// An open table.
#[derive(Default)]
struct Table {
    /// The cells of the open row, each with its number of repetitions.
    cells: Vec<(Writer, usize)>,
    /// How often the next cell is repeated in its row.
    repeat: usize,
    /// The column of the next cell, and the numbers of columns and rows that it spans.
    column: usize,
    columns: usize,
    row_span: u32,
    /// Whether the current cell continues the one above.
    is_covered: bool,
    /// Texts of cells that span rows below: by column, with the number of rows left.
    labels: BTreeMap<usize, (String, u32)>,
    /// How often the open row is repeated.
    more_rows: u32,
    rows: Rows,
}

/// Writes the rows of a table.
#[derive(Default)]
pub(super) struct Rows {
    count: usize,
    /// The numbers of the last row read and of the last row written, from 1.
    read: u32,
    written: u32,
    first: Option<ByteSpan>,
    /// Whether the document declares that the first row is the header.
    has_header: bool,
    /// The row that was detected as the header.
    header: Option<ByteSpan>,
    block: Block,
    /// Whether the rows belong to a sheet, where tables may be side by side.
    is_sheet: bool,
    /// Consecutive rows that wait, each with its number, and their size in bytes.
    waiting: Vec<(u32, Vec<String>)>,
    waiting_bytes: usize,
    /// The number of the last row, if there are too many consecutive rows to wait for.
    long: Option<u32>,
}

/// Rows without an empty row between them: titles, then a header, then its rows.
#[derive(Default)]
struct Block {
    count: usize,
    start: u32,
    has_header: bool,
    /// The last row, and the maximum number of cells in the rows above it.
    last: Option<(ByteSpan, Vec<String>)>,
    widest_above: usize,
}

impl Block {
    /// Adds the next row. Returns the row above if that is the header.
    fn take(&mut self, span: ByteSpan, cells: Vec<String>) -> Option<ByteSpan> {
        self.count += 1;
        let last = self.last.replace((span, cells))?;
        if self.has_header || self.count > MAX_TITLES + 2 {
            return None;
        }
        let (_, cells) = self.last.as_ref()?;
        let width = filled(&last.1);
        self.has_header = width > self.widest_above && is_header(&last.1, cells);
        // The first comparison is with a row above the block.
        if self.count > 1 {
            self.widest_above = self.widest_above.max(width);
        }
        self.has_header.then_some(last.0)
    }
}

impl Rows {
    /// A writer for the rows of a sheet.
    pub(super) fn of_sheet() -> Self {
        Self { is_sheet: true, ..Self::default() }
    }

    /// Writes a row as one line. A row without text is counted, but not written.
    pub(super) fn write<'a>(&mut self, writer: &mut Writer, cells: impl Iterator<Item = &'a str>) {
        let cells: Vec<_> = cells.map(one_line).collect();
        self.skip(1);
        if cells.iter().all(String::is_empty) {
            return;
        }
        let number = self.read;
        if !self.is_sheet {
            return self.put(writer, number, cells);
        }
        let follows = |last: u32| last.checked_add(1) == Some(number);
        if self.long.is_some_and(follows) {
            self.long = Some(number);
            return self.put(writer, number, cells);
        }
        self.long = None;
        if !self.waiting.last().is_some_and(|(last, _)| follows(*last)) {
            self.write_waiting(writer);
        }
        self.waiting_bytes += cells.iter().map(|cell| cell.len() + size_of::<String>()).sum::<usize>();
        self.waiting.push((number, cells));
        if self.waiting.len() > MAX_WAITING || self.waiting_bytes > MAX_WAITING_BYTES {
            self.long = Some(number);
            self.waiting_bytes = 0;
            for (number, cells) in std::mem::take(&mut self.waiting) {
                self.put(writer, number, cells);
            }
        }
    }

    /// Writes the waiting rows of a sheet, each table by itself.
    fn write_waiting(&mut self, writer: &mut Writer) {
        self.waiting_bytes = 0;
        let waiting = std::mem::take(&mut self.waiting);
        let tables = adjacent_tables::tables(&waiting);
        if tables.len() < 2 {
            return waiting.into_iter().for_each(|(number, cells)| self.put(writer, number, cells));
        }
        self.close(writer);
        let mut count = self.count;
        for columns in tables {
            let mut table = Self { count, ..Self::default() };
            for (number, cells) in &waiting {
                let own = adjacent_tables::cells_in(cells, &columns);
                if own.iter().any(|cell| !cell.is_empty()) {
                    // The cells stay in their columns.
                    let before = std::iter::repeat_n(String::new(), columns.start);
                    table.put(writer, *number, before.chain(own.iter().cloned()).collect());
                }
            }
            table.close(writer);
            count = table.count;
        }
        *self = Self { count, read: self.read, ..Self::of_sheet() };
    }

    fn put(&mut self, writer: &mut Writer, number: u32, cells: Vec<String>) {
        let span = writer.row(&cells, self.first.is_none());
        let is_next = number == self.written.saturating_add(1);
        if !is_next || self.first.is_none() || self.count.is_multiple_of(NUMBERED_ROWS) {
            writer.number(span, number);
        }
        if !is_next {
            // The only header may be followed by an empty row.
            let last = self.block.last.take().filter(|_| self.header.is_none());
            self.block = Block { start: span.start, last, ..Block::default() };
        }
        self.written = number;
        self.count += 1;
        self.first.get_or_insert(span);
        if let Some(header) = self.block.take(span, cells)
            && !self.has_header
            && let Some(above) = self.header.replace(header)
        {
            writer.header_until(above, self.block.start);
        }
        if self.count > MAX_ROWS {
            writer.overflow();
        }
    }

    /// Counts rows that are not written.
    pub(super) fn skip(&mut self, count: u32) {
        self.read = self.read.saturating_add(count);
    }

    /// Sets the number of rows before the next one.
    pub(super) fn skip_to(&mut self, count: u32) {
        self.read = count;
    }

    /// Ends the table.
    pub(super) fn end(mut self, writer: &mut Writer) {
        self.write_waiting(writer);
        self.close(writer);
    }

    fn close(&self, writer: &mut Writer) {
        let header = if self.has_header { self.first } else { self.header };
        if let Some(header) = header {
            writer.header(header);
        }
    }
}

impl Table {
    /// Completes a cell: adds the text of the cell above that it continues, or keeps its own text for the rows below.
    fn labelled(&mut self, mut cell: Writer, repeat: usize) -> Writer {
        let column = self.column;
        let columns = std::mem::take(&mut self.columns).max(repeat).max(1);
        self.column = column.saturating_add(columns);
        let span = std::mem::take(&mut self.row_span);
        if std::mem::take(&mut self.is_covered) {
            if let Some((label, left)) = self.labels.get_mut(&column)
                && *left > 0
                && cell.text().is_empty()
            {
                *left -= 1;
                cell.block(label);
            }
        } else if span > 1 && cell.text().len() <= MAX_LABEL_BYTES {
            self.labels.insert(column, (one_line(cell.text()), span - 1));
        } else {
            self.labels.remove(&column);
        }
        cell
    }
}

impl Flow {
    /// Writes a paragraph on the next line after its list mark, or as a block.
    fn write_paragraph(&mut self, paragraph: &str, mark: Option<String>, leading_bold: LeadingBold) {
        let words = paragraph.trim();
        let gap = paragraph.len() - paragraph.trim_start().len();
        let end = leading_bold.end.unwrap_or(gap + words.len()).min(gap + words.len());
        let begun = leading_bold.start
            + paragraph.get(leading_bold.start..).map_or(0, |rest| rest.len() - rest.trim_start().len());
        let number = begun.saturating_sub(gap);
        let (line, before) = match mark {
            Some(mark) => (self.writer.line(&format!("{mark}{words}")), mark.len()),
            None => (self.writer.block(words), 0),
        };
        self.writer.bold_run(line, before + number, end.saturating_sub(begun), before > 0);
    }

    /// Begins or ends struck text.
    fn strike(&mut self, is_struck: bool) {
        if std::mem::replace(&mut self.is_struck, is_struck) == is_struck {
            return;
        }
        let end = if is_struck { self.paragraph.len() } else { self.paragraph.trim_end().len() };
        self.paragraph.insert_str(end, "~~");
    }

    fn end_paragraph(&mut self) {
        self.strike(false);
        let paragraph = std::mem::take(&mut self.paragraph);
        let leading_bold = std::mem::take(&mut self.leading_bold);
        if !paragraph.trim().is_empty() {
            let heading = self.heading.filter(|_| !is_label(&paragraph));
            match (heading, self.mark.take()) {
                (Some(level), _) => self.writer.heading(&paragraph, level),
                (None, mark) => self.write_paragraph(&paragraph, mark, leading_bold),
            }
        }
        self.heading = None;
        for text in std::mem::take(&mut self.boxes) {
            self.writer.append(text);
        }
    }
}

/// The open flows, from the whole text to the innermost cell.
pub(super) struct Flows {
    open: Vec<Flow>,
    /// Whether the next text is bold.
    is_bold: bool,
    /// Bytes written so far, including repeated cells.
    written: usize,
    limit: usize,
}

impl Flows {
    /// An empty text with a limit in bytes.
    pub(super) fn new(limit: usize) -> Self {
        let mut flows = Self { open: Vec::new(), is_bold: false, written: 0, limit };
        flows.open();
        flows
    }

    /// Whether the limit is exceeded.
    pub(super) fn is_full(&self) -> bool {
        let mut ends = self.open.first().into_iter().chain(self.open.last());
        self.written > self.limit || ends.any(|flow| flow.writer.is_full())
    }

    /// Counts bytes that are stored outside of the text.
    pub(super) fn count(&mut self, bytes: usize) {
        self.written = self.written.saturating_add(bytes);
    }

    /// Writes into the current paragraph.
    pub(super) fn write(&mut self, text: &str) {
        self.count(text.len());
        let is_bold = self.is_bold;
        let flow = self.last();
        if !text.trim().is_empty() {
            flow.leading_bold.take(&flow.paragraph, is_bold);
        }
        flow.paragraph.push_str(text);
    }

    /// Sets whether the next text is bold.
    pub(super) fn set_bold(&mut self, is_bold: bool) {
        self.is_bold = is_bold;
    }

    /// Writes text that may be struck out, with `write`.
    pub(super) fn write_struck(&mut self, text: &str, is_struck: bool, write: fn(&mut Self, &str)) {
        let gap = text.len() - text.trim_start().len();
        let is_blank = gap == text.len();
        // White space does not begin struck text.
        if is_struck != self.last().is_struck && !(is_struck && is_blank) {
            if is_struck {
                write(self, &text[..gap]);
            }
            self.last().strike(is_struck);
            return write(self, if is_struck { &text[gap..] } else { text });
        }
        write(self, text);
    }

    /// Puts `prefix` before the current paragraph unless that is empty.
    pub(super) fn prefix(&mut self, prefix: &str) {
        let flow = self.last();
        if !flow.paragraph.trim().is_empty() {
            let bare = flow.paragraph.trim_start();
            flow.leading_bold.shift(prefix.len(), flow.paragraph.len() - bare.len());
            flow.paragraph = format!("{prefix}{bare}");
            self.count(prefix.len());
        }
    }

    /// Whether the current paragraph has no text.
    pub(super) fn is_blank(&self) -> bool {
        self.open.last().is_none_or(|flow| flow.paragraph.trim().is_empty())
    }

    /// Whether the current cell or box is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.is_blank() && self.open.last().is_none_or(|flow| flow.writer.text().is_empty())
    }

    /// Writes a cell with `label` after the current row, unless the row is empty.
    pub(super) fn label_row(&mut self, label: &str) {
        let has_text = |table: &Table| table.cells.iter().any(|(cell, _)| !cell.text().is_empty());
        if self.last().tables.last().is_some_and(has_text) {
            self.open();
            self.write(label);
            self.close_cell();
        }
    }

    /// Changes the current paragraph.
    pub(super) fn edit(&mut self, change: impl FnOnce(&str) -> String) {
        let flow = self.last();
        flow.paragraph = change(&flow.paragraph);
        flow.leading_bold = LeadingBold { start: 0, end: Some(0) };
    }

    /// Writes `text` as a separate block after the current paragraph, or after the table that contains it.
    pub(super) fn note(&mut self, text: &str) {
        let mut note = Writer::new(self.limit);
        note.block(text);
        self.append(note);
    }

    /// Writes the content of another text after the current paragraph, or after the table that contains it.
    pub(super) fn append(&mut self, text: Writer) {
        self.count(text.text().len());
        if let Some(flow) = self.open.first_mut() {
            flow.boxes.push(text);
        }
    }

    /// Ends a box and returns its text.
    pub(super) fn close_text(&mut self) -> String {
        self.close().text().to_owned()
    }

    /// Writes into the current paragraph; white space becomes a single gap.
    pub(super) fn write_flowing(&mut self, text: &str) {
        for (index, word) in text.split(char::is_whitespace).enumerate() {
            let paragraph = &mut self.last().paragraph;
            if index > 0 && !paragraph.is_empty() && !paragraph.ends_with([' ', '\n']) {
                paragraph.push(' ');
            }
            self.write(word);
        }
    }

    /// Writes into the current paragraph, before the white space at its end.
    pub(super) fn write_before_gap(&mut self, text: &str) {
        self.count(text.len());
        let paragraph = &mut self.last().paragraph;
        paragraph.insert_str(paragraph.trim_end().len(), text);
    }

    /// Whether the last character of the current paragraph, ignoring white space, meets `is`.
    pub(super) fn is_after(&mut self, is: impl Fn(char) -> bool) -> bool {
        self.last().paragraph.trim_end().ends_with(is)
    }

    /// Ends the current paragraph.
    pub(super) fn end_paragraph(&mut self) {
        self.last().end_paragraph();
    }

    /// Removes and returns the text of the current paragraph.
    pub(super) fn take_paragraph(&mut self) -> String {
        let flow = self.last();
        flow.strike(false);
        flow.leading_bold = LeadingBold::default();
        std::mem::take(&mut flow.paragraph)
    }

    /// Whether a table is open here.
    pub(super) fn has_table(&mut self) -> bool {
        !self.last().tables.is_empty()
    }

    /// Makes the current paragraph a heading.
    pub(super) fn set_heading(&mut self, level: u8) {
        self.last().heading = Some(level);
    }

    /// Ends the definitions of terms at this level.
    pub(super) fn end_terms(&mut self, level: u8) {
        let flow = self.last();
        flow.end_paragraph();
        flow.writer.end_terms(level);
    }

    /// Ends the sections of the bold lines after `position`.
    pub(super) fn end_bold_runs(&mut self, position: usize) {
        let flow = self.last();
        flow.end_paragraph();
        flow.writer.end_bold_runs(position);
    }

    /// The number of bytes written so far. Ends the current paragraph.
    pub(super) fn position(&mut self) -> usize {
        let flow = self.last();
        flow.end_paragraph();
        flow.writer.text().len()
    }

    /// Marks the text since `position` as boilerplate.
    pub(super) fn end_boilerplate(&mut self, position: usize) {
        let flow = self.last();
        flow.end_paragraph();
        flow.writer.boilerplate(position);
    }

    /// Sets the list mark of the next paragraph, which then begins on the next line; `None` removes the mark.
    pub(super) fn set_mark(&mut self, mark: Option<String>) {
        self.last().mark = mark;
    }

    /// Begins the next page.
    pub(super) fn page(&mut self) {
        if let [flow] = &mut *self.open {
            flow.end_paragraph();
            flow.writer.page();
        }
    }

    /// Writes a separate heading.
    pub(super) fn heading(&mut self, text: &str, level: u8) {
        self.last().writer.heading(text, level);
    }

    /// Begins a table.
    pub(super) fn open_table(&mut self) {
        let flow = self.last();
        flow.end_paragraph();
        flow.tables.push(Table::default());
    }

    /// Marks the first row of the current table as its header.
    pub(super) fn set_header(&mut self) {
        if let Some(table) = self.last().tables.last_mut().filter(|table| table.rows.count == 0) {
            table.rows.has_header = true;
        }
    }

    /// Marks the current table as a sheet.
    pub(super) fn set_sheet(&mut self) {
        if let Some(table) = self.last().tables.last_mut() {
            table.rows.is_sheet = true;
        }
    }

    /// Begins a cell or a box.
    pub(super) fn open(&mut self) {
        self.open.push(Flow {
            writer: Writer::new(self.limit),
            paragraph: String::new(),
            heading: None,
            mark: None,
            is_struck: false,
            leading_bold: LeadingBold::default(),
            boxes: Vec::new(),
            tables: Vec::new(),
        });
    }

    /// Ends a cell.
    pub(super) fn close_cell(&mut self) {
        let cell = self.close();
        let flow = self.last();
        let Some(table) = flow.tables.last_mut() else { return flow.writer.append(cell) };
        let repeat = std::mem::take(&mut table.repeat).max(1);
        let cell = table.labelled(cell, repeat);
        let repeated = cell.text().len().saturating_mul(repeat - 1);
        table.cells.push((cell, repeat));
        self.count(repeated);
    }

    /// Sets how many columns the next or current cell spans, without empty cells in the others.
    pub(super) fn span_columns(&mut self, count: usize) {
        if let Some(table) = self.table() {
            table.columns = count.min(MAX_COLUMNS);
        }
    }

    /// Sets how many rows the next or current cell spans.
    pub(super) fn span_rows(&mut self, count: u32) {
        if let Some(table) = self.table() {
            table.row_span = count;
        }
    }

    /// Marks the next or current cell as a continuation of the one above.
    pub(super) fn continue_above(&mut self) {
        if let Some(table) = self.table() {
            table.is_covered = true;
        }
    }

    /// The table of the next or current cell.
    fn table(&mut self) -> Option<&mut Table> {
        self.open.iter_mut().rev().find_map(|flow| flow.tables.last_mut())
    }

    /// Writes cells that are covered by others, with the texts of those that span down to them.
    pub(super) fn cover_cells(&mut self, count: usize) {
        for _ in 0..count {
            // A row with too many cells is refused when it ends.
            if self.last().tables.last().is_some_and(|table| table.cells.len() > MAX_COLUMNS) {
                return;
            }
            self.continue_above();
            self.open();
            self.close_cell();
        }
    }

    /// Ends a cell, and drops it if it is empty.
    pub(super) fn drop_cell(&mut self) {
        if self.is_empty() { drop(self.close()) } else { self.close_cell() }
    }

    /// Sets how often the next cell is repeated in its row.
    pub(super) fn repeat_cell(&mut self, count: usize) {
        if let Some(table) = self.last().tables.last_mut() {
            table.repeat = count;
        }
    }

    /// Sets how often the current row is repeated in its table. It is written once.
    pub(super) fn repeat_row(&mut self, count: u32) {
        if let Some(table) = self.last().tables.last_mut() {
            table.more_rows = count.saturating_sub(1);
        }
    }

    /// Ends a row. It becomes one line, unless a cell is layout with a text of its own.
    pub(super) fn close_row(&mut self) {
        let is_full = self.is_full();
        let flow = self.last();
        let Some(table) = flow.tables.last_mut() else { return };
        let cells = std::mem::take(&mut table.cells);
        table.column = 0;
        let is_full = is_full || cells.iter().any(|(cell, _)| cell.is_full());
        if is_full || cells.iter().map(|(_, repeat)| repeat).sum::<usize>() > MAX_COLUMNS {
            return flow.writer.overflow();
        }
        let is_layout = cells.iter().any(|(cell, _)| {
            cell.has_outline() || (cell.text().len() > MAX_CELL_BYTES && cell.text().contains("\n\n"))
        });
        if is_layout {
            table.rows.write_waiting(&mut flow.writer);
            table.rows.count += 1;
            table.rows.skip(1);
            table.rows.has_header = false;
            table.rows.header = None;
            cells.into_iter().for_each(|(cell, _)| flow.writer.append(cell));
        } else {
            let cells = cells.iter().flat_map(|(cell, repeat)| std::iter::repeat_n(cell.text(), *repeat));
            table.rows.write(&mut flow.writer, cells);
        }
        table.rows.skip(std::mem::take(&mut table.more_rows));
    }

    /// Ends a table.
    pub(super) fn close_table(&mut self) {
        let flow = self.last();
        if let Some(table) = flow.tables.pop() {
            table.rows.end(&mut flow.writer);
        }
    }

    /// Ends a box.
    pub(super) fn close_box(&mut self) {
        let text = self.close();
        self.last().boxes.push(text);
    }

    /// Returns the whole text.
    pub(super) fn finish(mut self) -> Writer {
        let is_full = self.is_full();
        self.open.truncate(1);
        let mut writer = self.close();
        if is_full {
            writer.overflow();
        }
        writer
    }

    fn close(&mut self) -> Writer {
        self.end_paragraph();
        self.open.pop().map_or_else(|| Writer::new(self.limit), |flow| flow.writer)
    }

    fn last(&mut self) -> &mut Flow {
        if self.open.is_empty() {
            self.open();
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_cells_count_as_text() {
        let mut flows = Flows::new(5000);
        flows.open_table();
        flows.repeat_cell(100);
        flows.open();
        flows.write(&"a".repeat(60));
        assert!(!flows.is_full());
        flows.close_cell();
        assert!(flows.is_full(), "6000 bytes");
    }

    #[test]
    fn a_table_in_a_cell_keeps_to_the_limit() {
        let mut flows = Flows::new(1 << 20);
        flows.open_table();
        flows.open();
        flows.open_table();
        flows.cover_cells(MAX_COLUMNS + 1);
        flows.close_row();
        flows.close_table();
        flows.close_cell();
        flows.close_row();
        flows.close_table();
        assert!(flows.finish().is_full());
    }

    #[test]
    fn a_row_has_a_limit_of_cells() {
        let row = |cells: usize| {
            let mut flows = Flows::new(1 << 20);
            flows.open_table();
            flows.cover_cells(cells);
            flows.open();
            flows.write("a");
            flows.close_cell();
            flows.close_row();
            flows.is_full()
        };
        assert!(!row(MAX_COLUMNS - 1));
        assert!(row(MAX_COLUMNS));
    }
}
