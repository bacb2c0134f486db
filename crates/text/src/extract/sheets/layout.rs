//! The layout of a worksheet: merged cells, hidden rows and columns, formulas without a result.

use std::collections::{HashMap, HashSet};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::super::package::Relation;
use super::super::xml::{attribute, character, each};

/// Maximum number of hidden ranges of columns that are distinguished.
const MAX_HIDDEN_RANGES: usize = 1000;
/// A part without any of these contains nothing to read here.
const MARKERS: [&str; 5] = ["hidden=", "mergeCell", "</f>", "</x:f>", "headerFooter"];

/// Rows and columns count from 0.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The last row of merged cells, by their first row and column.
    pub(super) merged: HashMap<(u32, u32), u32>,
    pub(super) hidden_rows: HashSet<u32>,
    /// The first and the last column of each hidden range.
    pub(super) hidden_columns: Vec<(u32, u32)>,
    /// Formulas that no program has calculated yet.
    pub(super) uncalculated: HashSet<(u32, u32)>,
    /// Headers and footers in Excel's codes.
    pub(super) headers_and_footers: Vec<String>,
}

impl Layout {
    /// Reads a worksheet's part; of a damaged part, everything before the damage.
    pub(super) fn read(part: &str) -> Self {
        let mut layout = Self::default();
        if !MARKERS.iter().any(|sign| part.contains(sign)) {
            return layout;
        }
        let mut reader = Reader::from_str(part);
        let mut cell = Cell::default();
        let mut code: Option<String> = None;
        loop {
            match reader.read_event() {
                Ok(Event::Start(element)) => {
                    code = is_header_or_footer(element.local_name().as_ref()).then(String::new);
                    layout.element(&element, &mut cell);
                }
                Ok(Event::Empty(element)) => layout.element(&element, &mut cell),
                Ok(Event::Text(text)) => {
                    cell.has_value |= cell.is_in_value;
                    if let Some(code) = &mut code {
                        code.push_str(&text.xml10_content());
                    }
                }
                Ok(Event::GeneralRef(reference)) => {
                    cell.has_value |= cell.is_in_value;
                    if let Some(code) = &mut code {
                        code.push_str(&character(&reference));
                    }
                }
                Ok(Event::End(element)) => match element.local_name().as_ref() {
                    name if is_header_or_footer(name) => layout.headers_and_footers.extend(code.take()),
                    "v" | "is" => cell.is_in_value = false,
                    "c" if cell.has_formula && !cell.has_value => _ = layout.uncalculated.insert(cell.at),
                    "row" => (cell.row, cell.column) = (cell.row.saturating_add(1), 0),
                    _ => {}
                },
                Ok(Event::Eof) | Err(_) => return layout,
                Ok(_) => {}
            }
        }
    }

    pub(super) fn is_column_hidden(&self, column: u32) -> bool {
        self.hidden_columns.iter().any(|(first, last)| (*first..=*last).contains(&column))
    }

    fn element(&mut self, element: &BytesStart<'_>, cell: &mut Cell) {
        let is_on = |name| matches!(attribute(element, name).as_deref(), Some("1" | "true"));
        let number = |name| attribute(element, name).and_then(|value| value.parse::<u32>().ok());
        match element.local_name().as_ref() {
            "col" if is_on("hidden") && self.hidden_columns.len() < MAX_HIDDEN_RANGES => {
                let (first, last) = (number("min").unwrap_or(1), number("max").unwrap_or(1));
                self.hidden_columns.push((first.saturating_sub(1), last.saturating_sub(1)));
            }
            "row" => {
                cell.row = number("r").map_or(cell.row, |row| row.saturating_sub(1));
                if is_on("hidden") {
                    self.hidden_rows.insert(cell.row);
                }
            }
            "c" => {
                let at =
                    attribute(element, "r").and_then(|at| position(&at)).unwrap_or((cell.row, cell.column));
                // An empty text is also a result.
                let is_text = attribute(element, "t").as_deref() == Some("str");
                *cell = Cell {
                    row: at.0,
                    column: at.1.saturating_add(1),
                    at,
                    has_value: is_text,
                    ..Cell::default()
                };
            }
            "f" => cell.has_formula = true,
            "v" | "is" => cell.is_in_value = true,
            "mergeCell" => {
                let area = attribute(element, "ref").unwrap_or_default();
                let ends = area.split_once(':').and_then(|(from, to)| Some((position(from)?, position(to)?)));
                if let Some((from, to)) = ends.filter(|(from, to)| to.0 > from.0) {
                    self.merged.insert(from, to.0);
                }
            }
            _ => {}
        }
    }
}

fn is_header_or_footer(name: &str) -> bool {
    let rest = ["odd", "even", "first"].iter().find_map(|pages| name.strip_prefix(pages));
    matches!(rest, Some("Header" | "Footer"))
}

/// The cell that is being read.
#[derive(Default)]
struct Cell {
    row: u32,
    /// The column of a cell without a position.
    column: u32,
    at: (u32, u32),
    has_formula: bool,
    has_value: bool,
    is_in_value: bool,
}

/// Row and column of a cell's name such as "D7", from 0.
pub(super) fn position(name: &str) -> Option<(u32, u32)> {
    let name = name.trim_start_matches('$');
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
    let column = name[..letters].bytes().try_fold(0_u32, |column, letter| {
        column.checked_mul(26)?.checked_add(u32::from(letter.to_ascii_uppercase() - b'A') + 1)
    })?;
    let row: u32 = name[letters..].trim_start_matches('$').parse().ok()?;
    Some((row.checked_sub(1)?, column.checked_sub(1)?))
}

/// A sheet of a workbook: its name, the id of its part's relation, and whether it is hidden.
pub(super) struct Sheet {
    pub(super) name: String,
    pub(super) relation: String,
    pub(super) is_hidden: bool,
}

/// The part of a sheet; empty if unknown.
pub(super) fn target(sheets: &[Sheet], name: &str, relations: &[Relation]) -> String {
    let sheet = sheets.iter().find(|sheet| sheet.name == name);
    let relation = sheet.and_then(|sheet| relations.iter().find(|one| one.id == sheet.relation));
    relation.map(|relation| relation.target.clone()).unwrap_or_default()
}

/// The sheets that a workbook's main part lists.
pub(super) fn sheets(workbook: &str) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    // Of a damaged part, everything before the damage is used.
    let _ = each(workbook, |element| {
        if element.local_name().as_ref() == "sheet" {
            let value = |name| attribute(element, name).unwrap_or_default();
            let is_hidden = matches!(value("state").as_str(), "hidden" | "veryHidden");
            sheets.push(Sheet { name: value("name"), relation: value("id"), is_hidden });
        }
    });
    sheets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worksheet_says_what_is_merged_hidden_and_not_calculated() {
        assert_eq!(position("D7"), Some((6, 3)));
        assert_eq!((position("$AB$10"), position("7"), position("ZZZZZZZZZZ1")), (Some((9, 27)), None, None));
        let part = "<worksheet><cols><col min='2' max='3' hidden='1'/></cols><sheetData><row r='1'>\
            <c r='A1'><f>1+1</f><v></v></c><c r='B1'><f>1+1</f><v>2</v></c><c r='C1' t='str'><f>A2</f><v></v></c></row>\
            <row r='3' hidden='true'><c><f>NOW()</f></c></row></sheetData>\
            <mergeCells><mergeCell ref='A5:A7'/><mergeCell ref='A1:D1'/></mergeCells>\
            <headerFooter><oddHeader>&amp;LDraft</oddHeader><oddFooter/></headerFooter></worksheet>";
        let layout = Layout::read(&part.replace('\'', "\""));
        assert_eq!(layout.merged, HashMap::from([((4, 0), 6)]));
        assert_eq!(layout.hidden_rows, HashSet::from([2]));
        assert!(layout.is_column_hidden(2) && !layout.is_column_hidden(3));
        assert_eq!(layout.uncalculated, HashSet::from([(0, 0), (2, 0)]));
        assert_eq!(layout.headers_and_footers, ["&LDraft"]);
    }
}
