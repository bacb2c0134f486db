//! Excel workbooks: values as their cells show them.
//!
//! A workbook is unpacked once and counted before `calamine` reads it.

use std::collections::HashMap;
use std::io::Cursor;

use calamine::{Cell, Data, DataRef, Font, Reader, SheetVisible, Style, Xls, XlsError, Xlsb, Xlsx};
use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, Kind};

use super::super::number_formats::{self, Format};
use super::super::package::{Package, Relation, needs_password};
use super::super::{Limits, charts, damaged, slides};
use super::layout::{self, Layout};
use super::{Sheets, biff, comments, xlsb};

/// The text for a formula that no program has calculated yet.
const UNCALCULATED: &str = "(not calculated)";

fn damage<E>(_: E) -> Failure {
    damaged(Kind::Xlsx, Damage::Senseless)
}

/// Reads a workbook of Excel 2007 or later.
pub(in super::super) fn extract_xlsx(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut package = Package::open(Kind::Xlsx, bytes, limits)?;
    // The library unpacks without a limit, so all members are counted first.
    for index in 0..package.names().len() {
        package.skip(index)?;
    }
    // This opens the package again, with a new count of unpacked bytes.
    let mut package = Package::open(Kind::Xlsx, bytes, limits)?;
    let about = package.about("docProps/core.xml");
    let mut sheets = Sheets::new(limits);
    if package.names().iter().any(|name| name == "xl/workbook.bin") {
        read_xlsb(bytes, package, &mut sheets, limits)?;
    } else {
        Workbook::open(bytes, package)?.read(&mut sheets, limits)?;
    }
    Ok(Extracted { about, ..sheets.finish(Kind::Xlsx)? })
}

fn read_xlsb(
    bytes: &[u8],
    mut package: Package<'_>,
    sheets: &mut Sheets,
    limits: &Limits,
) -> Result<(), Failure> {
    let mut book: Xlsb<_> = Xlsb::new(Cursor::new(bytes)).map_err(damage)?;
    let main = xlsb::Workbook::read(&package.bytes("xl/workbook.bin")?.unwrap_or_default());
    let formats = main.formats(&package.bytes("xl/styles.bin")?.unwrap_or_default());
    let relations = package.relations("xl/workbook.bin")?;
    let authors = comments::thread_authors(&mut package, &relations)?;
    for sheet in book.sheets_metadata().to_vec() {
        let Ok(mut cells) = book.worksheet_cells_reader(&sheet.name) else { continue };
        let target = layout::target(&main.sheets, &sheet.name, &relations);
        let related = package.relations(&target)?;
        let found = xlsb::Sheet::read(&package.bytes(&target)?.unwrap_or_default());
        let comments = comments_of(&mut package, &related, &authors)?;
        sheets.begin(&sheet.name, sheet.visible != SheetVisible::Visible);
        sheets.set_layout(found.layout, comments);
        while let Some(cell) = cells.next_cell().map_err(damage)? {
            let at = cell.get_position();
            let style = found.styles.get(&at).and_then(|style| formats.get(*style));
            sheets.value(at.0, at.1, formatted(&Data::from(cell.get_value().clone()), style))?;
        }
        sheets.end_cells();
        draw(&mut package, &related, sheets, limits)?;
    }
    Ok(())
}

/// A workbook, and its parts that the library does not read.
struct Workbook<'a> {
    book: Xlsx<Cursor<&'a [u8]>>,
    package: Package<'a>,
    parts: Vec<layout::Sheet>,
    relations: Vec<Relation>,
    authors: HashMap<String, String>,
}

impl<'a> Workbook<'a> {
    fn open(bytes: &'a [u8], mut package: Package<'a>) -> Result<Self, Failure> {
        let book = Xlsx::new(Cursor::new(bytes)).map_err(damage)?;
        let (main, text) = package.main("xl/workbook.xml")?;
        let relations = package.relations(&main)?;
        let authors = comments::thread_authors(&mut package, &relations)?;
        Ok(Self { book, package, parts: layout::sheets(&text), relations, authors })
    }

    fn read(mut self, sheets: &mut Sheets, limits: &Limits) -> Result<(), Failure> {
        let mut styles: Option<Vec<CellStyle>> = None;
        for name in self.book.sheet_names() {
            let part = self.parts.iter().find(|part| part.name == name);
            let is_hidden = part.is_some_and(|part| part.is_hidden);
            let target = layout::target(&self.parts, &name, &self.relations);
            let related = self.package.relations(&target)?;
            sheets.begin(&name, is_hidden);
            let is_1904 = self.book.has_1904_epoch();
            // Chart sheets have no cells.
            if let Ok(mut cells) = self.book.worksheet_cells_reader(&name) {
                let styles = styles.get_or_insert_with(|| {
                    cells.styles().iter().map(|style| CellStyle::new(style, is_1904)).collect()
                });
                let mut layout = Layout::read(&self.package.part(&target)?.unwrap_or_default());
                let uncalculated = std::mem::take(&mut layout.uncalculated);
                let comments = comments_of(&mut self.package, &related, &self.authors)?;
                sheets.set_layout(layout, comments);
                while let Some((cell, style)) = cells.next_cell_with_style_id().map_err(damage)? {
                    let (row, column) = cell.get_position();
                    let text = match cell.get_value() {
                        DataRef::Empty if uncalculated.contains(&(row, column)) => UNCALCULATED.to_owned(),
                        _ => text_of(&cell, styles.get(style)),
                    };
                    sheets.value(row, column, text)?;
                }
            }
            sheets.end_cells();
            draw(&mut self.package, &related, sheets, limits)?;
        }
        Ok(())
    }
}

/// The comments of a sheet with these relations.
fn comments_of(
    package: &mut Package<'_>,
    relations: &[Relation],
    authors: &HashMap<String, String>,
) -> Result<Vec<comments::Comment>, Failure> {
    let mut comments = Vec::new();
    for kind in ["threadedComment", "comments"] {
        for relation in relations.iter().filter(|one| one.kind == kind) {
            let has_threads = !comments.is_empty();
            let found = if relation.target.ends_with(".bin") {
                xlsb::comments(&package.bytes(&relation.target)?.unwrap_or_default())
            } else {
                comments::read(&package.part(&relation.target)?.unwrap_or_default(), authors)
            };
            // For older programs a thread is also stored as a note, whose author is the thread.
            let found = found.into_iter();
            comments.extend(found.filter(|one| !(has_threads && one.author.starts_with("tc="))));
        }
    }
    Ok(comments)
}

/// Writes the charts and the text of shapes on a sheet.
fn draw(
    package: &mut Package<'_>,
    related: &[Relation],
    sheets: &mut Sheets,
    limits: &Limits,
) -> Result<(), Failure> {
    for relation in related.iter().filter(|one| one.kind == "drawing") {
        let Some(part) = package.part(&relation.target)? else { continue };
        if let Ok(text) = slides::shapes(&part, limits) {
            sheets.writer.append(text);
        }
        let below = package.relations(&relation.target)?;
        let drawn = charts::related(package, &below, limits)?;
        let mut drawn: Vec<_> = drawn.into_iter().collect();
        drawn.sort_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
        drawn.into_iter().for_each(|(_, text)| sheets.writer.append(text));
    }
    Ok(())
}

/// How cells of one style show their values.
struct CellStyle {
    format: Format,
    is_struck: bool,
}

impl CellStyle {
    fn new(style: &Style, is_1904: bool) -> Self {
        let code = style.number_format.as_ref().map_or("", |format| format.format_code.as_str());
        let is_struck = style.font.as_ref().is_some_and(Font::has_strikethrough);
        Self { format: Format::new(code, is_1904), is_struck }
    }
}

fn text_of(cell: &Cell<DataRef<'_>>, style: Option<&CellStyle>) -> String {
    let Some(style) = style else { return shown(&Data::from(cell.get_value().clone())) };
    let format = &style.format;
    let text = match cell.get_value() {
        DataRef::SharedString(_) | DataRef::String(_) if format.hides_text() => return String::new(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Float(number) => format.shown(*number),
        DataRef::DateTime(time) if format.is_date() => format.shown(time.as_f64()),
        value => shown(&Data::from(value.clone())),
    };
    if style.is_struck && !text.trim().is_empty() { format!("~~{}~~", text.trim()) } else { text }
}

/// Reads a workbook of Excel before 2007.
pub(in super::super) fn extract_xls(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut book: Xls<_> = Xls::new(Cursor::new(bytes)).map_err(|error| match error {
        XlsError::Password => needs_password(),
        _ => damaged(Kind::Xls, Damage::Senseless),
    })?;
    let mut formats = biff::Book::read(bytes, book.has_1904_epoch());
    let mut sheets = Sheets::new(limits);
    for (index, sheet) in book.sheets_metadata().to_vec().into_iter().enumerate() {
        let Ok(range) = book.worksheet_range(&sheet.name) else { continue };
        sheets.begin(&sheet.name, sheet.visible != SheetVisible::Visible);
        let found = formats.sheets.get_mut(index);
        let merged = book.merge_cells_by_sheet_id(index).unwrap_or_default();
        let merged =
            merged.iter().filter(|area| area.end.0 > area.start.0).map(|area| (area.start, area.end.0));
        let (layout, comments) = match found {
            Some(found) => (std::mem::take(&mut found.layout), std::mem::take(&mut found.comments)),
            None => Default::default(),
        };
        sheets.set_layout(Layout { merged: merged.collect(), ..layout }, comments);
        let found = formats.sheets.get(index);
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, value) in range.used_cells() {
            let at =
                |start: u32, offset: usize| start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
            let (row, column) = (at(top, row), at(left, column));
            let format = found.and_then(|sheet| formats.format(sheet, row, column));
            sheets.value(row, column, formatted(value, format))?;
        }
    }
    sheets.finish(Kind::Xls)
}

/// A value in the format of its cell.
fn formatted(value: &Data, format: Option<&Format>) -> String {
    match (value, format) {
        (Data::Float(number), Some(format)) => format.shown(*number),
        #[expect(clippy::cast_precision_loss, reason = "cells hold numbers of 53 bits")]
        (Data::Int(number), Some(format)) => format.shown(*number as f64),
        (Data::DateTime(time), Some(format)) if format.is_date() => format.shown(time.as_f64()),
        _ => shown(value),
    }
}

/// A value without a format, as a user would write it.
fn shown(value: &Data) -> String {
    match value {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number_formats::plain(*number),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Bool(is_true) => if *is_true { "TRUE" } else { "FALSE" }.to_owned(),
        Data::DateTime(time) => number_formats::iso(*time),
        Data::Error(error) => error.to_string(),
        Data::Empty => String::new(),
        // Rich text, and kinds that later versions of the library may add.
        #[allow(unreachable_patterns, reason = "the library may add variants")]
        _ => String::new(),
    }
}
