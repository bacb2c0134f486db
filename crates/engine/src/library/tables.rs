//! The tables of a document as its text has them: columns and rows, each cell with its place.
//!
//! A row is a line with tabs between its cells, in Markdown with bars, in a PDF with gaps. The outline says where tables begin and
//! which row names the columns.

use std::ops::Range;

use oriel_core::{ByteSpan, CancelToken, HeaderRow, Kind, Outline};
use oriel_text::language;
use oriel_text::numbers::Decimals;

use crate::error::EngineError;
use crate::library::columns::{Column, is_number, type_columns};
use crate::library::totals::totals;

/// Tables with more cells are not computed; the extractor refuses sheets with more rows.
pub(crate) const MAX_CELLS: usize = 8_000_000;
/// Tables with more columns are not computed either.
pub(crate) const MAX_COLUMNS: usize = 500;
/// The mark that the reader of sheets adds to the header of a hidden column.
const HIDDEN: &str = "(hidden)";

/// The tables of a document that name their columns and have rows, in reading order.
#[derive(Default)]
pub(crate) struct Tables<'t> {
    /// Those that can be computed.
    pub read: Vec<DocumentTable<'t>>,
    /// The header rows of those with too many cells or columns.
    pub too_large: Vec<ByteSpan>,
}

/// A table of a document.
pub(crate) struct DocumentTable<'t> {
    text: &'t str,
    /// The headings above it, from the outermost: a sheet's name is one.
    pub headings: Vec<&'t str>,
    /// The row that names the columns.
    pub header: ByteSpan,
    /// The names and types of the columns.
    pub columns: Vec<Column>,
    /// The rows below the header, without totals.
    pub rows: Vec<ByteSpan>,
    /// The cells, row by row; an empty span where a row has none.
    cells: Vec<ByteSpan>,
}

impl<'t> Tables<'t> {
    /// The tables of a text.
    ///
    /// # Errors
    /// If it is cancelled.
    pub(crate) fn of(
        text: &'t str,
        outline: &Outline,
        kind: Kind,
        cancel: &CancelToken,
    ) -> Result<Self, EngineError> {
        let places = match kind {
            Kind::Markdown | Kind::Notebook => marked_tables(text),
            Kind::Pdf => tables_with_gaps(text, outline),
            _ => tables_with_tabs(text, outline, cancel)?,
        };
        let written = Decimals::of(text, language(text));
        let mut walk = outline.walk();
        let mut tables = Self::default();
        for place in places {
            cancel.check()?;
            let headings = walk.path(place.header.start).iter();
            let headings = headings.filter_map(|heading| heading.span.of(text)).collect();
            let heads: Vec<&str> = place.cells(text, place.header).filter_map(|cell| cell.of(text)).collect();
            if heads.len() > MAX_COLUMNS || place.rows.len().saturating_mul(heads.len()) > MAX_CELLS {
                tables.too_large.push(place.header);
                continue;
            }
            tables.read.extend(DocumentTable::read(text, &place, &heads, headings, written, cancel)?);
        }
        Ok(tables)
    }
}

impl<'t> DocumentTable<'t> {
    fn read(
        text: &'t str,
        place: &Place,
        heads: &[&str],
        headings: Vec<&'t str>,
        written: Decimals,
        cancel: &CancelToken,
    ) -> Result<Option<Self>, EngineError> {
        let width = heads.len();
        let mut cells = Vec::with_capacity(place.rows.len() * width);
        // Rows of a PDF with fewer or more cells than columns.
        let mut unsure = Vec::new();
        for (at, &row) in place.rows.iter().enumerate() {
            let nothing = ByteSpan::new(row.end, row.end);
            let mut own: Vec<ByteSpan> = place
                .cells(text, row)
                .map(|cell| match cell.of(text) {
                    Some(HIDDEN) => nothing,
                    _ => cell,
                })
                .collect();
            if place.separator == Separator::Gap && own.len() != width {
                unsure.push(at);
                // The numbers of a total stand at the right.
                let gap = std::iter::repeat_n(nothing, width.saturating_sub(own.len()));
                let first = own.len().min(1);
                own.splice(first..first, gap);
            }
            cells.extend(own.into_iter().chain(std::iter::repeat(nothing)).take(width));
        }
        let heads = heads.iter().map(|head| head.trim_end_matches(HIDDEN).trim().to_owned()).collect();
        let mut table = Self {
            text,
            headings,
            header: place.header,
            columns: Vec::new(),
            rows: place.rows.clone(),
            cells,
        };
        let cell = |row: usize, column: usize| {
            table.cells.get(row * width + column).and_then(|cell| cell.of(text)).unwrap_or_default()
        };
        let columns = type_columns(heads, table.rows.len(), cell, written, cancel)?;
        let totals = totals(&columns, table.rows.len(), &cell);
        table.columns = columns;
        let Some(totals) = totals else { return Ok(None) };
        // It is unclear which columns its cells belong to.
        if unsure.iter().any(|row| totals.binary_search(row).is_err()) {
            return Ok(None);
        }
        table.leave_out(&totals);
        Ok((!table.rows.is_empty()).then_some(table))
    }

    /// Leaves out rows that sum up others.
    fn leave_out(&mut self, totals: &[usize]) {
        if totals.is_empty() {
            return;
        }
        let width = self.columns.len();
        let keeps = |row: usize| totals.binary_search(&row).is_err();
        let kept = |at: &mut usize| {
            *at += 1;
            keeps(*at - 1)
        };
        let (mut row, mut cell) = (0, 0);
        self.rows.retain(|_| kept(&mut row));
        self.cells.retain(|_| {
            cell += 1;
            keeps((cell - 1) / width)
        });
        for column in &mut self.columns {
            column.leave_out(keeps);
        }
    }

    /// The text of a cell; empty if there is none.
    pub(crate) fn cell(&self, row: usize, column: usize) -> &'t str {
        let cell = self.cells.get(row * self.columns.len() + column);
        cell.and_then(|cell| cell.of(self.text)).unwrap_or_default()
    }
}

/// The position of a table.
struct Place {
    header: ByteSpan,
    rows: Vec<ByteSpan>,
    separator: Separator,
}

/// The separator between the cells of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    Tab,
    /// Markdown's, also around the row.
    Bar,
    /// Two blanks or more.
    Gap,
}

impl Place {
    /// The cells of a row, without the blanks around them.
    fn cells<'a>(&self, text: &'a str, row: ByteSpan) -> impl Iterator<Item = ByteSpan> + use<'a> {
        let line = row.of(text).unwrap_or_default();
        let is_marked = self.separator == Separator::Bar;
        let (line, begin) = match is_marked {
            false => (line, 0),
            true => {
                let inner = line.strip_prefix('|').unwrap_or(line);
                (inner.strip_suffix('|').unwrap_or(inner), line.len() - inner.len())
            }
        };
        let mut at = row.start as usize + begin;
        let mut escaped = false;
        let separator = self.separator;
        let mut before = ' ';
        let is_separator = move |c: char| {
            let is_it = match separator {
                Separator::Bar => c == '|' && !escaped,
                Separator::Tab => c == '\t',
                Separator::Gap => c == ' ' && before == ' ',
            };
            escaped = c == '\\';
            before = c;
            is_it
        };
        // Bold words and code are words.
        let is_mark = move |c: char| c.is_whitespace() || is_marked && matches!(c, '*' | '`' | '_');
        let cells = line.split(is_separator).map(move |cell| {
            let start = at + cell.len() - cell.trim_start_matches(is_mark).len();
            at += cell.len() + 1;
            span(start..start + cell.trim_matches(is_mark).len())
        });
        // Of several blanks each but the first separates.
        cells.filter(move |cell| separator != Separator::Gap || !cell.is_empty())
    }
}

fn span(range: Range<usize>) -> ByteSpan {
    let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    ByteSpan::new(byte(range.start), byte(range.end))
}

/// The lines of a part of a text.
fn lines(text: &str, start: u32, end: u32) -> impl Iterator<Item = ByteSpan> {
    let (start, end) = (start as usize, (end as usize).min(text.len()));
    let mut at = start;
    text.get(start..end).unwrap_or_default().split('\n').map(move |line| {
        at += line.len() + 1;
        span(at - line.len() - 1..at - 1)
    })
}

/// Tables with tabs between their cells: those with a header row in the outline, and others whose first row can only be one.
fn tables_with_tabs(text: &str, outline: &Outline, cancel: &CancelToken) -> Result<Vec<Place>, EngineError> {
    let whole = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let is_blank = |line: &ByteSpan| line.of(text).is_none_or(|line| line.trim().is_empty());
    let mut places: Vec<Place> = Vec::new();
    for table in &outline.tables {
        cancel.check()?;
        // Rows without text, which are not in the text, may leave a blank line.
        let rows = lines(text, table.span.end, table.end).filter(|line| !is_blank(line)).collect();
        places.push(Place { header: table.span, rows, separator: Separator::Tab });
    }
    let mut end = 0;
    for row in &outline.rows {
        // The tables of an outline ascend and lie apart.
        let after = outline.tables.partition_point(|table| table.span.start <= row.start);
        let is_known = outline.tables[..after].last().is_some_and(|table| row.start < table.end);
        if row.start < end || is_known {
            continue;
        }
        cancel.check()?;
        let next = outline.tables.get(after).map(|table| table.span.start);
        let rows = lines(text, row.start, next.unwrap_or(whole));
        let rows: Vec<ByteSpan> = rows.take_while(|line| !is_blank(line)).collect();
        end = rows.last().map_or(row.start, |last| last.end);
        places.extend(headed(text, &rows));
    }
    places.sort_by_key(|place| place.header.start);
    Ok(places)
}

/// Tables of a PDF whose header is one line. One that may continue below, on the next page or after a row of words, is
/// left out: not all of its rows are known.
fn tables_with_gaps(text: &str, outline: &Outline) -> Vec<Place> {
    let is_line = |header: &ByteSpan| header.of(text).is_some_and(|line| !line.contains('\n'));
    let goes_on = |table: &HeaderRow| {
        let below = text.get(table.end as usize..).unwrap_or_default();
        below.lines().map(str::trim).find(|line| !line.is_empty()).is_some_and(|line| line.contains("  "))
    };
    let is_blank = |line: &ByteSpan| line.of(text).is_none_or(|line| line.trim().is_empty());
    let place = |table: &HeaderRow| {
        let rows = lines(text, table.span.end, table.end).filter(|line| !is_blank(line)).collect();
        Place { header: table.span, rows, separator: Separator::Gap }
    };
    outline.tables.iter().filter(|table| is_line(&table.span) && !goes_on(table)).map(place).collect()
}

/// Rows of which the first names the columns: it has as many cells as any other, all of them different words.
fn headed(text: &str, rows: &[ByteSpan]) -> Option<Place> {
    let (header, rows) = rows.split_first().filter(|(_, rows)| !rows.is_empty())?;
    let place = Place { header: *header, rows: rows.to_vec(), separator: Separator::Tab };
    let heads: Vec<&str> = place.cells(text, *header).filter_map(|cell| cell.of(text)).collect();
    let are_names = heads.iter().enumerate().all(|(at, head)| {
        !head.is_empty()
            && !is_number(head)
            && !heads[..at].iter().any(|other| other.eq_ignore_ascii_case(head))
    });
    let fits = |row: &ByteSpan| place.cells(text, *row).count() <= heads.len();
    (heads.len() > 1 && are_names && rows.iter().all(fits)).then_some(place)
}

/// Markdown's tables: a line with bars, a line of dashes, and rows.
fn marked_tables(text: &str) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut at = 0;
    let mut above: Option<ByteSpan> = None;
    let mut is_open = false;
    for line in text.split('\n') {
        let inner = line.trim();
        let start = at + line.len() - line.trim_start().len();
        at += line.len() + 1;
        let place = span(start..start + inner.len());
        if !inner.contains('|') {
            (above, is_open) = (None, false);
        } else if is_open {
            places.last_mut().into_iter().for_each(|table| table.rows.push(place));
        } else if let Some(header) = above.filter(|_| is_rule(inner)) {
            places.push(Place { header, rows: Vec::new(), separator: Separator::Bar });
            is_open = true;
        } else {
            above = Some(place);
        }
    }
    places
}

/// The line below the header of Markdown's tables.
fn is_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::columns::ColumnKind;

    fn read(kind: Kind, bytes: &str) -> (String, Outline) {
        let read = oriel_text::read(kind, bytes.as_bytes(), &oriel_text::Limits::default()).unwrap();
        (read.text, read.outline)
    }

    fn read_tables<'t>(text: &'t str, outline: &Outline, kind: Kind) -> Vec<DocumentTable<'t>> {
        Tables::of(text, outline, kind, &CancelToken::new()).unwrap().read
    }

    #[test]
    fn a_table_has_typed_columns_and_places_and_leaves_totals_out() {
        let csv = "Name;Betrag;Datum;PLZ;bezahlt\nAda;1.250,00 €;03.05.2024;01067;ja\nBo;89,90 €;13.06.2024;53111;nein\n\
            Cleo;n/a;14.06.2024;50667;ja\nSumme;1.339,90 €\n";
        let (text, outline) = read(Kind::Csv, csv);
        let tables = read_tables(&text, &outline, Kind::Csv);
        let [table] = &tables[..] else { panic!("{}", tables.len()) };
        assert_eq!(table.rows.len(), 3, "the total is no row");
        assert_eq!(table.rows[1].of(&text), Some("Bo\t89,90 €\t13.06.2024\t53111\tnein"));
        let ColumnKind::Number(amounts) = &table.columns[1].kind else { panic!("{:?}", table.columns[1]) };
        assert_eq!((&amounts.values[..], amounts.without), (&[Some(1250.0), Some(89.9), None][..], 1));
        assert_eq!(amounts.shown(1339.9, 2, false), "1.339,90 €");
        let ColumnKind::Date(days) = &table.columns[2].kind else { panic!("{:?}", table.columns[2]) };
        assert_eq!(days[0].as_deref(), Some("2024-05-03"));
        assert!(matches!(table.columns[3].kind, ColumnKind::Text), "a postal code is no number");
        assert_eq!(table.cell(2, 4), "ja");
        let stopped = CancelToken::new();
        stopped.cancel();
        assert!(Tables::of(&text, &outline, Kind::Csv, &stopped).is_err());
    }

    #[test]
    fn a_table_of_a_pdf_is_one_if_each_row_fills_its_columns() {
        let read = |text: &str| {
            let end = |text: &str| u32::try_from(text.len()).unwrap();
            let header = ByteSpan::new(0, end(text.lines().next().unwrap()));
            let tables = vec![HeaderRow { span: header, end: end(text) }];
            let outline = Outline { tables, ..Outline::default() };
            read_tables(text, &outline, Kind::Pdf)
                .iter()
                .map(|table| {
                    let cells = (0..table.rows.len()).map(|row| table.cell(row, 1).to_owned());
                    cells.collect::<Vec<_>>()
                })
                .collect::<Vec<_>>()
        };
        let whole = "Item  Price  Count\nSaw bench  1,250.00  1\nOil   5.50  4\nBlade  12.00  2\nTotal   7";
        assert_eq!(read(whole), [["1,250.00", "5.50", "12.00"]], "the total is no row");
        assert!(read(&whole.replace("5.50  4", "4")).is_empty(), "price or count?");
        let cut = HeaderRow { span: ByteSpan::new(0, 18), end: 60 };
        let outline = Outline { tables: vec![cut], ..Outline::default() };
        assert!(
            read_tables(whole, &outline, Kind::Pdf).is_empty(),
            "rows follow that are not in the outline"
        );
    }

    #[test]
    fn a_table_of_words_and_one_of_markdown_are_tables() {
        let (text, outline) = read(Kind::Csv, "name,city\nAda,Bonn\nBo,Köln\n");
        let tables = read_tables(&text, &outline, Kind::Csv);
        assert_eq!((tables.len(), tables[0].cell(1, 1)), (1, "Köln"));
        let markdown = "# Tides\n\n| Constituent | Amplitude, m |\n|---|---|\n| M\\|2 | **1.742** |\n| S2 | 0.613 |\n\nText | with a bar\n";
        let (text, outline) = read(Kind::Markdown, markdown);
        let tables = read_tables(&text, &outline, Kind::Markdown);
        let [table] = &tables[..] else { panic!("{}", tables.len()) };
        assert_eq!((table.rows.len(), table.cell(1, 0), table.headings[0]), (2, "S2", "Tides"));
        let ColumnKind::Number(metres) = &table.columns[1].kind else { panic!() };
        assert_eq!(metres.values, [Some(1.742), Some(0.613)]);
    }
}
