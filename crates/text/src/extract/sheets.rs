//! Spreadsheets of Excel: a row is a line, with tabs between its cells.

use std::io::Cursor;

use calamine::{Cell, Data, DataRef, ExcelDateTime, Reader, Xls, XlsError, Xlsb, Xlsx};
use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, Kind};

use super::flow::{MAX_COLUMNS, Rows};
use super::package::{Package, wants_password};
use super::writer::Writer;
use super::{Limits, damaged, too_large};

/// A gap of more columns than this is shown as one of this many.
const MAX_GAP: u32 = 100;

/// A workbook of Excel since 2007.
pub(super) fn extract_xlsx(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    fn damage<E>(_: E) -> Failure {
        damaged(Kind::Xlsx, Damage::Senseless)
    }
    let mut package = Package::open(Kind::Xlsx, bytes, limits)?;
    // The library unpacks without a limit.
    for index in 0..package.names().len() {
        package.skip(index)?;
    }
    let about = package.about("docProps/core.xml");
    let mut sheets = Sheets::new(limits);
    if package.names().iter().any(|name| name == "xl/workbook.bin") {
        let mut book: Xlsb<_> = Xlsb::new(Cursor::new(bytes)).map_err(damage)?;
        for name in book.sheet_names() {
            let Ok(mut cells) = book.worksheet_cells_reader(&name) else { continue };
            sheets.begin(&name);
            while let Some(cell) = cells.next_cell().map_err(damage)? {
                sheets.cell(&cell)?;
            }
        }
    } else {
        let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(damage)?;
        for name in book.sheet_names() {
            // Sheets of charts have no cells.
            let Ok(mut cells) = book.worksheet_cells_reader(&name) else { continue };
            sheets.begin(&name);
            while let Some(cell) = cells.next_cell().map_err(damage)? {
                sheets.cell(&cell)?;
            }
        }
    }
    Ok(Extracted { about, ..sheets.finish(Kind::Xlsx)? })
}

/// A workbook of Excel before 2007.
pub(super) fn extract_xls(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut book: Xls<_> = Xls::new(Cursor::new(bytes)).map_err(|error| match error {
        XlsError::Password => wants_password(),
        _ => damaged(Kind::Xls, Damage::Senseless),
    })?;
    let mut sheets = Sheets::new(limits);
    for name in book.sheet_names() {
        let Ok(range) = book.worksheet_range(&name) else { continue };
        sheets.begin(&name);
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, value) in range.used_cells() {
            let at =
                |start: u32, offset: usize| start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
            sheets.value(at(top, row), at(left, column), shown(value))?;
        }
    }
    sheets.finish(Kind::Xls)
}

/// The sheets of a workbook, filled cell by cell.
struct Sheets {
    writer: Writer,
    rows: Rows,
    row: u32,
    cells: Vec<String>,
    /// Bytes in the cells of the row.
    row_bytes: usize,
    max_row_bytes: usize,
    next_column: u32,
}

impl Sheets {
    fn new(limits: &Limits) -> Self {
        let writer = Writer::new(limits.text_bytes);
        Self {
            writer,
            rows: Rows::default(),
            row: 0,
            cells: Vec::new(),
            row_bytes: 0,
            max_row_bytes: limits.text_bytes,
            next_column: 0,
        }
    }

    fn begin(&mut self, name: &str) {
        self.end();
        self.writer.page();
        self.writer.heading(name, 1);
    }

    fn cell(&mut self, cell: &Cell<DataRef<'_>>) -> Result<(), Failure> {
        let (row, column) = cell.get_position();
        let text = match cell.get_value() {
            DataRef::SharedString(text) => (*text).to_owned(),
            value => shown(&Data::from(value.clone())),
        };
        self.value(row, column, text)
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
        let gap = column.saturating_sub(self.next_column).min(MAX_GAP) as usize;
        self.cells.extend(std::iter::repeat_n(String::new(), gap));
        self.cells.push(text);
        self.next_column = column.saturating_add(1);
        let is_too_long = self.cells.len() > MAX_COLUMNS || self.row_bytes > self.max_row_bytes;
        if is_too_long { Err(too_large()) } else { Ok(()) }
    }

    fn end_row(&mut self) -> Result<(), Failure> {
        (self.next_column, self.row_bytes) = (0, 0);
        let cells = std::mem::take(&mut self.cells);
        self.rows.skip_to(self.row);
        self.rows.write(&mut self.writer, cells.iter().map(String::as_str));
        if self.writer.is_full() { Err(too_large()) } else { Ok(()) }
    }

    fn end(&mut self) {
        // Beyond the limit the text is full, and says so in the end.
        let _ = self.end_row();
        std::mem::take(&mut self.rows).end(&mut self.writer);
        self.row = 0;
    }

    fn finish(mut self, kind: Kind) -> Result<Extracted, Failure> {
        self.end();
        self.writer.finish(kind)
    }
}

/// A value as a person would write it; errors are empty.
fn shown(value: &Data) -> String {
    match value {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number_shown(*number),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Bool(is_true) => if *is_true { "TRUE" } else { "FALSE" }.to_owned(),
        Data::DateTime(moment) => moment_shown(*moment),
        Data::Error(_) | Data::Empty => String::new(),
        // Rich text and what later versions of the library add.
        #[allow(unreachable_patterns, reason = "the library may add variants")]
        _ => String::new(),
    }
}

/// A number with the 15 digits that a spreadsheet keeps.
fn number_shown(number: f64) -> String {
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    rounded.to_string()
}

/// A date, a time, or both.
fn moment_shown(moment: ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let time = if second > 0 {
        format!("{hour:02}:{minute:02}:{second:02}")
    } else {
        format!("{hour:02}:{minute:02}")
    };
    let days = moment.as_f64();
    if moment.is_duration() {
        let minutes = (days * 24.0 * 60.0).round();
        return format!("{}:{:02}", (minutes / 60.0).trunc(), minutes % 60.0);
    }
    match () {
        () if days < 1.0 => time,
        () if days.fract() == 0.0 => format!("{year:04}-{month:02}-{day:02}"),
        () => format!("{year:04}-{month:02}-{day:02} {time}"),
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
        assert_eq!(book.outline.rows, [RowNumber { start: 23, number: 3 }], "the row without text counts");
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
        sheets.begin("Long");
        let long = |column| "a".repeat(400 + column as usize);
        assert!((0..2).all(|column| sheets.value(0, column, long(column)).is_ok()));
        assert_eq!(sheets.value(0, 2, long(2)).unwrap_err().code, FailureCode::TooLarge);

        let mut sheets = Sheets::new(&Limits::default());
        // The cells of a hostile sheet may all say that they are in one row, with gaps.
        assert!((0..1000).any(|cell| sheets.value(0, 100 * (cell % 2), "a".to_owned()).is_err()));
    }
}
