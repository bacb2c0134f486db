//! A table over documents, as the app window shows it.

use oriel_core::Location;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::scope::Scope;
use super::text::TextPlace;

/// The table that a question asks for.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ProposedTable {
    /// What the columns are about, in the words of the question.
    pub columns: Vec<String>,
    /// A question for each column.
    pub questions: Vec<String>,
    /// How many documents there are for it.
    pub documents: usize,
    /// The name of the folder that the question limits it to.
    pub folder: Option<String>,
}

/// One row a document, one column a question.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct TableView {
    /// The question of each column.
    pub questions: Vec<String>,
    /// The documents.
    pub rows: Vec<TableRowView>,
}

/// A document of a table.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct TableRowView {
    /// The document; `None` where it left the library.
    pub document: Option<u32>,
    /// The file's name.
    pub name: String,
    /// The folder it lies in.
    pub place: String,
    /// One cell for each question; `None` where it was not read yet.
    pub cells: Vec<Option<CellView>>,
}

/// What a document answers to a question.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct CellView {
    /// The quotes that answer, best first: none if the document does not answer, several if its places disagree.
    pub quotes: Vec<QuoteView>,
    /// Whether the best quote is too uncertain to rely on.
    pub unsure: bool,
}

/// A quote with its place.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct QuoteView {
    /// The words that answer.
    pub words: String,
    /// Their sentence.
    pub sentence: String,
    /// Its page, or its sheet and row.
    #[serde(flatten)]
    pub location: Location,
    /// Where it stands.
    pub at: TextPlace,
}

/// Makes the table of a turn, or reads it on.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct FillTable {
    /// The conversation.
    pub conversation: String,
    /// The turn, from 0.
    pub turn: u32,
    /// One question a column. A question that the table has already keeps its cells.
    pub questions: Vec<String>,
    /// Its rows.
    pub documents: TableSource,
}

/// The documents of a table.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "types.ts")]
pub enum TableSource {
    /// Those that it has; as `listed` if there is no table yet.
    Kept,
    /// Those that the answer counts.
    Listed,
    /// All in the turn's scope.
    All,
    /// All in another scope.
    Chosen(Scope),
}

/// What happens while a table is filled: `begun` once, then `filled` for every cell.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
#[ts(export_to = "types.ts")]
pub enum TableEvent {
    /// The table with what was read before.
    Begun {
        /// The table.
        table: TableView,
    },
    /// A cell was read.
    Filled {
        /// Its row, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
        /// The cell.
        cell: CellView,
    },
}

/// Names a cell of a turn's table.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct CellRef {
    /// The conversation.
    pub conversation: String,
    /// The turn, from 0.
    pub turn: u32,
    /// The row, from 0.
    pub row: u32,
    /// The column, from 0.
    pub column: u32,
}
