//! Excel spreadsheets: a row becomes a line with tabs between its cells.

mod biff;
mod comments;
mod excel;
mod headers_and_footers;
mod layout;
mod xlsb;

use std::collections::{BTreeMap, HashSet};

use oriel_core::{Extracted, Failure, Kind};

use super::flow::{MAX_COLUMNS, MAX_LABEL_BYTES, Rows};
use super::writer::Writer;
use super::xml::{comment, shortened};
use super::{Limits, too_large};

use comments::Comment;
use layout::Layout;

pub(super) use excel::{extract_xls, extract_xlsx};

/// A gap of more empty columns is shortened to this.
const MAX_GAP: u32 = 100;
/// Maximum number of cells that span the rows below them.
const MAX_LABELS: usize = 1000;
/// Maximum bytes of a row that are quoted before a comment on it.
const MAX_QUOTE_BYTES: usize = 160;

/// The sheets of a workbook, filled cell by cell.
struct Sheets {
    writer: Writer,
    rows: Rows,
    row: u32,
    /// The cells of the current row with their columns.
    cells: Vec<(u32, String)>,
    /// The bytes in the cells of the current row.
    row_bytes: usize,
    max_row_bytes: usize,
    layout: Layout,
    /// Cells that span the rows below: column, last row, text.
    labels: Vec<(u32, u32, String)>,
    /// Hidden columns that are already named in the text.
    named: HashSet<u32>,
    /// The comments by row.
    comments: BTreeMap<u32, Vec<Comment>>,
    /// Headers, footers and comments to write after the sheet.
    notes: Vec<String>,
    /// Headers and footers that are already written: the sheets of a workbook often have the same.
    headers_and_footers: HashSet<String>,
}

impl Sheets {
    fn new(limits: &Limits) -> Self {
        let writer = Writer::new(limits.text_bytes);
        Self {
            writer,
            rows: Rows::of_sheet(),
            row: 0,
            cells: Vec::new(),
            row_bytes: 0,
            max_row_bytes: limits.text_bytes,
            layout: Layout::default(),
            labels: Vec::new(),
            named: HashSet::new(),
            comments: BTreeMap::new(),
            notes: Vec::new(),
            headers_and_footers: HashSet::new(),
        }
    }

    fn begin(&mut self, name: &str, is_hidden: bool) {
        self.end_cells();
        self.writer.page();
        let hidden = if is_hidden { " (hidden)" } else { "" };
        self.writer.heading(&format!("{name}{hidden}"), 1);
    }

    /// Sets the layout and the comments of the current sheet.
    fn set_layout(&mut self, mut layout: Layout, comments: Vec<Comment>) {
        for code in std::mem::take(&mut layout.headers_and_footers) {
            let text = headers_and_footers::text(&code);
            if !text.is_empty() && self.headers_and_footers.insert(text.clone()) {
                self.notes.push(text);
            }
        }
        self.layout = layout;
        for comment in comments {
            self.comments.entry(comment.row).or_default().push(comment);
        }
    }

    fn value(&mut self, row: u32, column: u32, text: String) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        if row != self.row {
            self.end_row()?;
            self.row = row;
        }
        self.row_bytes += text.len();
        if let Some(last) = self.layout.merged.get(&(row, column))
            && text.len() <= MAX_LABEL_BYTES
            && self.labels.len() < MAX_LABELS
        {
            self.labels.push((column, *last, text.clone()));
        }
        self.cells.push((column, text));
        let is_too_long = self.cells.len() > MAX_COLUMNS || self.row_bytes > self.max_row_bytes;
        if is_too_long { Err(too_large()) } else { Ok(()) }
    }

    fn end_row(&mut self) -> Result<(), Failure> {
        self.row_bytes = 0;
        let mut cells = std::mem::take(&mut self.cells);
        if cells.is_empty() {
            return Ok(());
        }
        self.labels.retain(|(_, last, _)| *last >= self.row);
        for (column, _, label) in &self.labels {
            if !cells.iter().any(|(at, _)| at == column) {
                cells.push((*column, label.clone()));
            }
        }
        cells.sort_by_key(|(column, _)| *column);
        for (column, text) in &mut cells {
            if self.layout.is_column_hidden(*column) && self.named.insert(*column) {
                text.push_str(" (hidden)");
            }
        }
        let (mut next, mut row) = (0, Vec::with_capacity(cells.len()));
        for (column, text) in cells {
            let gap = column.saturating_sub(next).min(MAX_GAP) as usize;
            row.extend(std::iter::repeat_n(String::new(), gap));
            row.push(text);
            next = column.saturating_add(1);
        }
        if self.layout.hidden_rows.contains(&self.row) {
            row.push("(hidden)".to_owned());
        }
        if row.len() > MAX_COLUMNS {
            return Err(too_large());
        }
        self.note(&row);
        self.rows.skip_to(self.row);
        self.rows.write(&mut self.writer, row.iter().map(String::as_str));
        if self.writer.is_full() { Err(too_large()) } else { Ok(()) }
    }

    /// Keeps the comments on the current row for the end of the sheet.
    fn note(&mut self, row: &[String]) {
        let Some(found) = self.comments.remove(&self.row) else { return };
        let cells: Vec<&str> = row.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
        let words = shortened(&cells.join(", "), MAX_QUOTE_BYTES);
        self.notes.extend(found.into_iter().map(|one| comment(&one.author, &words, &one.text)));
    }

    /// Ends the cells of a sheet; its notes follow.
    fn end_cells(&mut self) {
        // If the limit is exceeded, `finish` reports it.
        let _ = self.end_row();
        std::mem::replace(&mut self.rows, Rows::of_sheet()).end(&mut self.writer);
        for note in self.notes.drain(..) {
            self.writer.block(&note);
        }
        for one in std::mem::take(&mut self.comments).into_values().flatten() {
            self.writer.block(&comment(&one.author, "", &one.text));
        }
        self.layout = Layout::default();
        self.labels.clear();
        self.named.clear();
        self.row = 0;
    }

    fn finish(mut self, kind: Kind) -> Result<Extracted, Failure> {
        self.end_cells();
        self.writer.finish(kind)
    }
}

#[cfg(test)]
mod tests {
    use oriel_core::{FailureCode, RowNumber};

    use super::super::docx::tests::zipped;
    use super::*;

    fn workbook(sheet: &str) -> Vec<u8> {
        zipped(&[
            (
                "_rels/.rels",
                "<Relationships><Relationship Id='r1' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument' Target='xl/workbook.xml'/></Relationships>",
            ),
            (
                "xl/workbook.xml",
                "<workbook xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'><sheets><sheet name='Costs' sheetId='1' r:id='r1'/></sheets></workbook>",
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r1' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet' Target='worksheets/sheet1.xml'/></Relationships>",
            ),
            (
                "xl/styles.xml",
                "<styleSheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/></cellXfs></styleSheet>",
            ),
            (
                "xl/worksheets/sheet1.xml",
                &format!(
                    "<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><sheetData>{sheet}</sheetData></worksheet>"
                ),
            ),
        ])
    }

    #[test]
    fn a_sheet_is_a_page_with_a_row_a_line() {
        let text = |at: &str, text: &str| format!("<c r='{at}' t='inlineStr'><is><t>{text}</t></is></c>");
        let sheet = format!(
            "<row r='1'>{}{}{}</row><row r='3'>{}<c r='C3'><v>0.30000000000000004</v></c><c r='D3' s='1'><v>45352</v></c></row>",
            text("A1", "Item"),
            text("B1", "Note"),
            text("C1", "Price"),
            text("A3", "Paint")
        );
        let book = extract_xlsx(&workbook(&sheet), &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(book.text, "Costs\n\nItem\tNote\tPrice\nPaint\t\t0.3\t2024-03-01");
        assert_eq!(book.outline.headings[0].span.of(&book.text), Some("Costs"));
        assert_eq!(book.outline.tables[0].span.of(&book.text), Some("Item\tNote\tPrice"));
        assert_eq!(book.pages.0, [0]);
        assert_eq!(
            book.outline.rows,
            [(7, 1), (23, 3)].map(|(start, number)| RowNumber { start, number }),
            "the row without text counts"
        );
    }

    #[test]
    fn a_sheet_is_read_with_its_labels_and_its_header() {
        let text = |at: &str, text: &str| format!("<c r='{at}' t='inlineStr'><is><t>{text}</t></is></c>");
        let sheet = format!(
            "<row r='1'>{}</row><row r='2'>{}{}</row><row r='4'>{}{}</row><row r='5'>{}<c r='B5'><v>410</v></c></row>\
             <row r='6' hidden=\"1\"><c r='B6'><f>B5</f></c></row></sheetData><mergeCells><mergeCell ref='A5:A6'/></mergeCells><sheetData>",
            text("A1", "Hire of halls"),
            text("A2", "Prepared by Ada"),
            text("D2", "in euros"),
            text("A4", "Hall"),
            text("B4", "Rent"),
            text("A5", "North"),
        );
        let book = extract_xlsx(&workbook(&sheet), &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(
            book.text,
            "Costs\n\nHire of halls\nPrepared by Ada\t\t\tin euros\nHall\tRent\nNorth\t410\nNorth\t(not calculated)\t(hidden)"
        );
        assert_eq!(book.outline.tables[0].span.of(&book.text), Some("Hall\tRent"));
    }

    #[test]
    fn tables_below_one_another_have_headers_of_their_own() {
        let text = "Prices\nItem,2021,2022\nPaint,3,4\n\nStaff\nName,Age\nAda,40\nBo,50\n";
        let mut sheets = Sheets::new(&Limits::default());
        sheets.begin("Two", false);
        for (row, line) in text.lines().enumerate() {
            for (column, cell) in line.split(',').enumerate() {
                let at = |index: usize| u32::try_from(index).unwrap();
                sheets.value(at(row), at(column), cell.to_owned()).unwrap();
            }
        }
        let made = sheets.finish(Kind::Xlsx).unwrap();
        let tables: Vec<_> = made
            .outline
            .tables
            .iter()
            .map(|table| (table.span.of(&made.text).unwrap(), &made.text[..table.end as usize]))
            .collect();
        assert_eq!(tables.len(), 2);
        assert!(
            tables[0].0 == "Item\t2021\t2022" && tables[0].1.trim_end().ends_with("Paint\t3\t4"),
            "{tables:?}"
        );
        assert!(tables[1].0 == "Name\tAge" && tables[1].1.ends_with("Bo\t50"), "{tables:?}");
    }

    #[test]
    fn a_workbook_that_unpacks_beyond_the_limit_is_refused() {
        let bytes = workbook(&" ".repeat(1 << 20));
        let limits = Limits { unpacked_bytes: 1 << 19, ..Limits::default() };
        assert_eq!(extract_xlsx(&bytes, &limits).unwrap_err().code, FailureCode::TooLarge);
    }

    #[test]
    fn a_row_beyond_the_limit_is_refused_before_it_ends() {
        let mut sheets = Sheets::new(&Limits { text_bytes: 1000, ..Limits::default() });
        sheets.begin("Long", false);
        let long = |column| "a".repeat(400 + column as usize);
        assert!((0..2).all(|column| sheets.value(0, column, long(column)).is_ok()));
        assert_eq!(sheets.value(0, 2, long(2)).unwrap_err().code, FailureCode::TooLarge);

        let mut sheets = Sheets::new(&Limits::default());
        // All cells of a hostile sheet may claim to be in one row, with gaps.
        assert!(
            (0..MAX_COLUMNS + 1)
                .any(|cell| sheets.value(0, 100 * (cell as u32 % 2), "a".to_owned()).is_err())
        );
        let mut sheets = Sheets::new(&Limits::default());
        (0..1000).for_each(|cell| sheets.value(0, 101 * cell, "a".to_owned()).unwrap());
        assert_eq!(sheets.end_row().unwrap_err().code, FailureCode::TooLarge);
    }
}
