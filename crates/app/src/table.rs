//! Tables over documents.

use std::path::PathBuf;

use oriel_core::{CancelToken, Table, TableCell};
use oriel_engine::{EngineError, Filter, Query, SearchModels};

use crate::error::AppError;
use crate::search::Searcher;

/// Maximum number of questions in a table.
pub const MAX_TABLE_QUESTIONS: usize = 8;

/// A cell that was just read.
pub struct FilledCell<'a> {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// The cell.
    pub cell: &'a TableCell,
}

impl Searcher {
    /// The documents that `filter` admits, by path.
    ///
    /// # Errors
    /// If the filter names a path without documents, or the library cannot be read.
    pub fn documents_in(&self, filter: &Filter) -> Result<Vec<PathBuf>, AppError> {
        Ok(self.library().documents_in(filter)?)
    }

    /// Reads all cells of a table that were not read yet, row by row, and those of files that changed since. `on_cell` hears of
    /// each. A cancelled token ends it after a cell; what was read stays in the table.
    ///
    /// # Errors
    /// If a model fails, or the library cannot be read, and after a cancellation. A document that left the library has no
    /// answers.
    pub fn fill_table(
        &self,
        table: &mut Table,
        on_cell: &mut dyn FnMut(FilledCell<'_>),
        cancel: &CancelToken,
    ) -> Result<(), AppError> {
        let embedder = self.embedder()?;
        let reader = self.roles().load_reader()?;
        let models = SearchModels { embedder: embedder.as_deref(), reranker: Some(&*reader) };
        for (row, line) in table.rows.iter_mut().enumerate() {
            let now = self.document_at(&line.path);
            let hash = now.map(|document| document.hash);
            if line.hash != hash {
                line.cells.fill(None);
                line.hash.clone_from(&hash);
            }
            for (column, question) in table.questions.iter().enumerate() {
                if line.cells.get(column).is_some_and(Option::is_some) {
                    continue;
                }
                cancel.check().map_err(EngineError::from)?;
                let filter = Filter { within: vec![line.path.clone()], ..Filter::default() };
                let query = Query { filter, ..Query::new(question) };
                let cell = match hash {
                    Some(_) => self.library().table_cell(&query, &models, cancel)?,
                    None => TableCell::default(),
                };
                on_cell(FilledCell { row, column, cell: &cell });
                line.cells.resize(table.questions.len(), None);
                line.cells[column] = Some(cell);
            }
        }
        Ok(())
    }
}
