//! A table over documents: one row for each document, one column for each question, and in every cell quotes with their
//! places.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{ByteSpan, Location};

/// Questions that each document is asked by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The question of each column.
    pub questions: Vec<String>,
    /// The documents, in the order shown.
    pub rows: Vec<TableRow>,
}

/// A document of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableRow {
    /// Its absolute path.
    #[serde(serialize_with = "crate::lossy::path")]
    pub path: PathBuf,
    /// BLAKE3 of the file that the cells were read from; `None` before the first cell.
    #[serde(default)]
    pub hash: Option<String>,
    /// One cell for each question; `None` before it is read.
    pub cells: Vec<Option<TableCell>>,
}

/// The answer of a document to a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableCell {
    /// The quotes that answer, best first: none if the document does not answer, several if its places disagree.
    pub quotes: Vec<TableQuote>,
    /// Whether the best quote is too uncertain to rely on.
    pub is_unsure: bool,
}

/// A quote with its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableQuote {
    /// The words of the answer, exactly as in the sentence.
    pub words: String,
    /// The place of these words, in bytes of the document's text.
    pub at: ByteSpan,
    /// The page on which the sentence begins, or its row.
    #[serde(flatten)]
    pub location: Location,
    /// First byte of the sentence.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    pub sentence: String,
    /// The probability that it answers.
    pub confidence: f32,
}

impl Table {
    /// A table whose cells are all unread.
    #[must_use]
    pub fn new(questions: Vec<String>, documents: impl IntoIterator<Item = PathBuf>) -> Self {
        let cells = vec![None; questions.len()];
        let row = |path| TableRow { path, hash: None, cells: cells.clone() };
        Self { rows: documents.into_iter().map(row).collect(), questions }
    }

    /// The same documents with these questions. Questions that the table already has keep their cells.
    #[must_use]
    pub fn asking(self, questions: Vec<String>) -> Self {
        let kept: Vec<Option<usize>> =
            questions.iter().map(|one| self.questions.iter().position(|other| other == one)).collect();
        let row = |row: TableRow| {
            let cell = |from: &Option<usize>| row.cells.get((*from)?).cloned().flatten();
            TableRow { cells: kept.iter().map(cell).collect(), ..row }
        };
        Self { rows: self.rows.into_iter().map(row).collect(), questions }
    }

    /// The number of cells read, and of all cells.
    #[must_use]
    pub fn filled(&self) -> (usize, usize) {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        (cells().flatten().count(), cells().count())
    }
}
