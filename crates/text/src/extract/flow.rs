//! Paragraphs, tables and boxes as they nest in office documents and web pages.

use oriel_core::ByteSpan;

use super::writer::{Writer, one_line};

/// A sheet or table with more rows is too large.
pub(super) const MAX_ROWS: usize = 200_000;
/// A cell with several paragraphs and more bytes than this is a place on the page, not a cell.
const MAX_CELL_BYTES: usize = 300;

/// A sequence of paragraphs: the whole text, a table's cell, or a box.
struct Flow {
    writer: Writer,
    paragraph: String,
    heading: Option<u8>,
    /// What comes before the next paragraph, which then begins on the next line.
    mark: Option<String>,
    /// Boxes in the paragraph; they come after it.
    boxes: Vec<Writer>,
    tables: Vec<Table>,
}

/// An open table.
#[derive(Default)]
struct Table {
    cells: Vec<Writer>,
    /// How often the next cell stands in its row.
    repeat: usize,
    rows: usize,
    first: Option<(ByteSpan, Vec<String>)>,
    has_header: bool,
}

impl Flow {
    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        if !paragraph.trim().is_empty() {
            match (self.heading, self.mark.take()) {
                (Some(level), _) => self.writer.heading(&paragraph, level),
                (None, Some(mark)) => drop(self.writer.line(&format!("{mark}{}", paragraph.trim()))),
                (None, None) => drop(self.writer.block(&paragraph)),
            }
        }
        self.heading = None;
        for text in std::mem::take(&mut self.boxes) {
            self.writer.append(text);
        }
    }
}

/// The flows that are open, from the whole text to the innermost cell.
pub(super) struct Flows {
    open: Vec<Flow>,
    written: usize,
    limit: usize,
}

impl Flows {
    /// An empty text that may grow to `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        let mut flows = Self { open: Vec::new(), written: 0, limit };
        flows.open();
        flows
    }

    /// Whether the limit is exceeded.
    pub(super) fn is_full(&self) -> bool {
        self.written > self.limit || self.open.first().is_some_and(|flow| flow.writer.is_full())
    }

    /// Writes into the current paragraph.
    pub(super) fn write(&mut self, text: &str) {
        self.written += text.len();
        self.last().paragraph.push_str(text);
    }

    /// Writes into the current paragraph, with white space as a mere gap.
    pub(super) fn write_flowing(&mut self, text: &str) {
        for (index, word) in text.split(char::is_whitespace).enumerate() {
            let paragraph = &mut self.last().paragraph;
            if index > 0 && !paragraph.is_empty() && !paragraph.ends_with([' ', '\n']) {
                paragraph.push(' ');
            }
            self.write(word);
        }
    }

    /// Ends the current paragraph.
    pub(super) fn end_paragraph(&mut self) {
        self.last().end_paragraph();
    }

    /// Takes back what the current paragraph holds.
    pub(super) fn take_paragraph(&mut self) -> String {
        std::mem::take(&mut self.last().paragraph)
    }

    /// Whether a table is open here.
    pub(super) fn has_table(&mut self) -> bool {
        !self.last().tables.is_empty()
    }

    /// Makes the current paragraph a heading.
    pub(super) fn set_heading(&mut self, level: u8) {
        self.last().heading = Some(level);
    }

    /// Puts `mark` before the next paragraph, which begins on the next line; `None` takes the mark back.
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

    /// Writes a heading of its own.
    pub(super) fn heading(&mut self, text: &str, level: u8) {
        self.last().writer.heading(text, level);
    }

    /// Begins a table.
    pub(super) fn open_table(&mut self) {
        let flow = self.last();
        flow.end_paragraph();
        flow.tables.push(Table::default());
    }

    /// Says that the current table begins with a header row.
    pub(super) fn set_header(&mut self) {
        if let Some(table) = self.last().tables.last_mut().filter(|table| table.rows == 0) {
            table.has_header = true;
        }
    }

    /// Begins a cell or a box.
    pub(super) fn open(&mut self) {
        self.open.push(Flow {
            writer: Writer::new(self.limit),
            paragraph: String::new(),
            heading: None,
            mark: None,
            boxes: Vec::new(),
            tables: Vec::new(),
        });
    }

    /// Ends a cell.
    pub(super) fn close_cell(&mut self) {
        let cell = self.close();
        let flow = self.last();
        match flow.tables.last_mut() {
            Some(table) => {
                let count = table.cells.len() + std::mem::take(&mut table.repeat).max(1);
                table.cells.resize(count, cell);
            }
            None => flow.writer.append(cell),
        }
    }

    /// Ends a cell and forgets it, unless it holds something.
    pub(super) fn drop_cell(&mut self) {
        let is_empty = self.last().paragraph.trim().is_empty() && self.last().writer.text().is_empty();
        if is_empty { drop(self.close()) } else { self.close_cell() }
    }

    /// Says how often the next cell stands in its row.
    pub(super) fn repeat_cell(&mut self, count: usize) {
        if let Some(table) = self.last().tables.last_mut() {
            table.repeat = count;
        }
    }

    /// Writes empty cells into the current row.
    pub(super) fn skip_cells(&mut self, count: usize) {
        let cell = Writer::new(self.limit);
        if let Some(table) = self.last().tables.last_mut() {
            table.cells.resize(table.cells.len() + count, cell);
        }
    }

    /// Ends a row: one line, unless one of its cells is a whole text of its own.
    pub(super) fn close_row(&mut self) {
        let flow = self.last();
        let Some(table) = flow.tables.last_mut() else { return };
        let cells = std::mem::take(&mut table.cells);
        let is_layout = cells.iter().any(|cell| {
            cell.has_outline() || (cell.text().len() > MAX_CELL_BYTES && cell.text().contains("\n\n"))
        });
        table.rows += 1;
        if table.rows > MAX_ROWS {
            flow.writer.overflow();
        }
        if is_layout {
            table.has_header = false;
            cells.into_iter().for_each(|cell| flow.writer.append(cell));
            return;
        }
        let cells: Vec<_> = cells.iter().map(|cell| one_line(cell.text())).collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            let span = flow.writer.row(&cells, table.first.is_none());
            match &table.first {
                Some((_, first)) if table.rows == 2 => table.has_header |= is_header(first, &cells),
                Some(_) => {}
                None => table.first = Some((span, cells)),
            }
        }
    }

    /// Ends a table.
    pub(super) fn close_table(&mut self) {
        let flow = self.last();
        let Some(table) = flow.tables.pop() else { return };
        if let Some((first, _)) = table.first.filter(|_| table.has_header) {
            flow.writer.header(first);
        }
    }

    /// Ends a box.
    pub(super) fn close_box(&mut self) {
        let text = self.close();
        self.last().boxes.push(text);
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> Writer {
        self.open.truncate(1);
        self.close()
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

/// Whether a table's first row names its columns: all its cells are words, and in the second row one is a number.
pub(super) fn is_header(first: &[String], second: &[String]) -> bool {
    let is_number = |cell: &String| {
        let digits = cell.chars().filter(char::is_ascii_digit).count();
        digits > 0 && cell.chars().filter(|c| c.is_alphabetic()).count() < digits
    };
    let is_word = |cell: &String| !cell.is_empty() && !is_number(cell);
    first.len() > 1 && first.iter().all(is_word) && second.iter().any(is_number)
}
