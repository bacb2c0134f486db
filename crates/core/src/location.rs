//! A place in a document as shown to users: "page 3", "Prices, row 12".

use serde::{Deserialize, Serialize};

use crate::{ByteSpan, Kind, Outline};

/// A page, or a sheet and a row. It is serialised flat, among the fields of what it locates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Location {
    /// The page, slide, sheet or chapter, from 1; `None` in formats without pages.
    pub page: Option<u32>,
    /// The name of the sheet; only in spreadsheets.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sheet: Option<String>,
    /// The row as the spreadsheet numbers it, from 1; only in spreadsheets and separated values.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub row: Option<u32>,
}

impl Location {
    #[must_use]
    pub fn of_page(page: Option<u32>) -> Self {
        Self { page, ..Self::default() }
    }

    /// The location of the byte at `start`, on this page of a document of this kind. `text` returns the text at a span,
    /// if it is known.
    pub fn new<'t>(
        kind: Kind,
        page: Option<u32>,
        outline: &Outline,
        start: u32,
        text: impl Fn(ByteSpan) -> Option<&'t str>,
    ) -> Self {
        let sheet = outline.sheet_at(start).filter(|_| kind.is_workbook());
        let rows = || kind.is_workbook() || matches!(kind, Kind::Csv | Kind::Tsv);
        Self {
            page,
            sheet: sheet.and_then(&text).map(str::to_owned),
            row: rows().then(|| outline.row_at(start, text)).flatten(),
        }
    }

    /// The location as text; empty in formats without pages and rows.
    #[must_use]
    pub fn words(&self) -> String {
        match (&self.sheet, self.row, self.page) {
            (Some(sheet), Some(row), _) => format!("{sheet}, row {row}"),
            (Some(sheet), None, _) => sheet.clone(),
            (None, Some(row), _) => format!("row {row}"),
            (None, None, Some(page)) => format!("page {page}"),
            (None, None, None) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Heading, RowNumber};

    #[test]
    fn a_row_is_counted_from_the_last_number_of_its_table() {
        let text = "Prices\n\nItem\tCost\nRope\t4\nPaint\t9\n\nComment: dear\n\nStock\n\nItem\tLeft";
        let at = |words: &str| u32::try_from(text.find(words).unwrap()).unwrap();
        let heading = |words: &str| {
            let end = at(words) + u32::try_from(words.len()).unwrap();
            Heading::new(ByteSpan::new(at(words), end), 1)
        };
        let number = |words: &str, number| RowNumber { start: at(words), number };
        let outline = Outline {
            headings: vec![heading("Prices"), Heading { level: 2, ..heading("Comment") }, heading("Stock")],
            rows: vec![number("Item\tCost", 3), number("Item\tLeft", 1)],
            ..Outline::default()
        };
        let words = |kind, words: &str| {
            Location::new(kind, Some(1), &outline, at(words), |span| span.of(text)).words()
        };
        assert_eq!(words(Kind::Xlsx, "Item\tCost"), "Prices, row 3");
        assert_eq!(words(Kind::Ods, "Paint"), "Prices, row 5");
        assert_eq!(words(Kind::Xlsx, "Comment"), "Prices", "no row of the table");
        assert_eq!(words(Kind::Xlsx, "Prices"), "Prices");
        assert_eq!(words(Kind::Xls, "Item\tLeft"), "Stock, row 1");
        assert_eq!(words(Kind::Csv, "Paint"), "row 5");
        assert_eq!(words(Kind::Docx, "Paint"), "page 1");
        let unknown = Location::new(Kind::Xlsx, Some(2), &outline, at("Paint"), |_| None);
        assert_eq!(unknown.words(), "page 2", "an index elsewhere may not have the text");
    }

    #[test]
    fn a_place_of_an_older_version_has_a_page_alone() {
        let old: Location = serde_json::from_str(r#"{"page": 4}"#).unwrap();
        assert_eq!(old, Location::of_page(Some(4)));
        assert_eq!(serde_json::to_string(&old).unwrap(), r#"{"page":4}"#);
    }
}
