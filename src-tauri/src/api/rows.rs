//! Rows below an answer: those that a sum was computed from, or one a document.

use oriel_core::Location;
use serde::Serialize;
use ts_rs::TS;

use super::text::TextPlace;

/// Rows below an answer.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct RowsView {
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The first rows.
    pub rows: Vec<RowView>,
    /// How many there are.
    pub total: usize,
    /// The query that computed the answer, in SQL.
    pub query: Option<String>,
}

/// A row below an answer.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct RowView {
    /// A text for each column.
    pub cells: Vec<String>,
    /// Its document; `None` if no document has it, or it left the library.
    pub document: Option<u32>,
    /// Its page, or its sheet and row.
    #[serde(flatten)]
    pub location: Location,
    /// Where it stands in the document's text; `None` if the document as a whole is meant.
    pub at: Option<TextPlace>,
}
