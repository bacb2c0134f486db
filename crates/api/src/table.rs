//! Tables over documents.

use std::path::PathBuf;

use oriel_core::{CancelToken, Notice, Survey, Table, TableCell};
use oriel_engine::{Filter, Query, SearchModels, Turn as KeptTurn};

use crate::assistant::Assistant;
use crate::documents::Resolver;
use crate::error::AppError;
use crate::payload::{payload, request};
use crate::scope::Scope;
use crate::search::Searcher;
use crate::table_view::{CellView, TableView};
use crate::turn::Turn;
use crate::turn_ref::TurnRef;

/// Maximum number of questions in a table.
pub const MAX_TABLE_QUESTIONS: usize = 8;

/// A cell that was just read.
pub struct FilledCell<'a> {
    pub row: usize,
    pub column: usize,
    pub cell: &'a TableCell,
    /// BLAKE3 of the file that it was read from.
    pub hash: Option<&'a str>,
}

impl Searcher {
    /// Reads all cells of a table that were not read yet, row by row, and those of files that changed since. `about` is what the
    /// questions refer to: "How long is it?" asks about "a notice period". `on_cell` hears of each cell, `on_row` of the
    /// table after each row in which something was read. A cancelled token ends it after a cell; what was read stays.
    pub fn fill_table(
        &self,
        table: &mut Table,
        about: Option<&str>,
        on_cell: &mut dyn FnMut(FilledCell<'_>),
        on_row: &mut dyn FnMut(&Table) -> Result<(), AppError>,
        cancel: &CancelToken,
    ) -> Result<(), AppError> {
        let embedder = self.embedder()?;
        let reader = self.roles().load_reader()?;
        let models = SearchModels { embedder: embedder.as_deref(), reranker: Some(&*reader) };
        let earlier: Vec<String> = about.map(|thing| format!("What is {thing}?")).into_iter().collect();
        for row in 0..table.rows.len() {
            let read = self.fill_row(table, row, &earlier, &models, on_cell, cancel);
            // What was read before it was stopped is kept too.
            if read.as_ref().map_or(true, |read| *read) {
                on_row(table)?;
            }
            read?;
        }
        Ok(())
    }

    /// Reads a row; whether anything of it was read.
    fn fill_row(
        &self,
        table: &mut Table,
        row: usize,
        earlier: &[String],
        models: &SearchModels<'_>,
        on_cell: &mut dyn FnMut(FilledCell<'_>),
        cancel: &CancelToken,
    ) -> Result<bool, AppError> {
        let Table { questions, rows } = table;
        let line = &mut rows[row];
        let hash = self.document_at(&line.path).map(|document| document.hash);
        if line.hash != hash {
            line.cells.fill(None);
            line.hash.clone_from(&hash);
        }
        line.cells.resize(questions.len(), None);
        let mut has_read = false;
        for (column, question) in questions.iter().enumerate() {
            if line.cells[column].is_some() {
                continue;
            }
            cancel.check()?;
            let filter = Filter { within: vec![line.path.clone()], ..Filter::default() };
            let query = Query { filter, earlier: earlier.to_vec(), ..Query::new(question.as_str()) };
            let cell = match hash {
                Some(_) => self.library().table_cell(&query, models, cancel)?,
                None => TableCell::default(),
            };
            on_cell(FilledCell { row, column, cell: line.cells[column].insert(cell), hash: hash.as_deref() });
            has_read = true;
        }
        Ok(has_read)
    }
}

request! {
    /// Makes the table of a turn, or reads it on.
    pub struct FillTable {
        #[serde(flatten)]
        pub at: TurnRef,
        /// One question a column. A question that the table has already keeps its cells.
        pub questions: Vec<String>,
        /// Its rows.
        pub documents: TableSource,
    }

    /// The documents of a table.
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

    /// Names a cell of a turn's table.
    pub struct CellRef {
        #[serde(flatten)]
        pub at: TurnRef,
        /// From 0.
        pub row: usize,
        /// From 0.
        pub column: usize,
    }
}

payload! {
    /// What happens while a table is filled: `begun` once, then `filled` for every cell.
    #[serde(tag = "is", rename_all_fields = "camelCase")]
    pub enum TableEvent {
        /// The table with what was read before.
        Begun { table: TableView },
        /// A cell was read.
        Filled { row: usize, column: usize, cell: CellView },
    }
}

impl Assistant {
    /// Makes the table of a turn, or reads it on. Every row is kept with the turn as soon as it is read. That it is stopped is no
    /// error. Returns the turn. One table of a conversation may be filled at a time.
    pub fn fill_table(
        &self,
        wanted: &FillTable,
        on_event: &mut dyn FnMut(TableEvent),
        cancel: &CancelToken,
    ) -> Result<Turn, AppError> {
        let FillTable { at, questions, documents } = wanted;
        let questions: Vec<String> = questions.iter().take(MAX_TABLE_QUESTIONS).cloned().collect();
        let turn = &self.kept_turn(at)?;
        let survey = turn.answer.as_ref().and_then(|answer| answer.survey.as_ref());
        let paths = self.table_documents(turn, survey, documents)?;
        let before = turn.table.clone().unwrap_or_default().asking(questions.clone());
        let mut table = Table::new(questions, paths);
        for row in &mut table.rows {
            if let Some(read) = before.rows.iter().find(|other| other.path == row.path) {
                row.clone_from(read);
            }
        }
        let resolver = Resolver::new(self.searcher.library())?;
        on_event(TableEvent::Begun { table: resolver.table(&table) });
        let keep = |table: &Table| {
            self.change(at, |kept| {
                // Another question may stand there by now.
                if kept.asked != turn.asked {
                    return Err(AppError::Gone(Notice::QuestionGone));
                }
                kept.table = Some(table.clone());
                Ok(())
            })
        };
        let mut kept_turn = keep(&table)?;
        let about = survey.map(|survey| survey.thing.as_str());
        let filled = self.searcher.fill_table(
            &mut table,
            about,
            &mut |filled| {
                let cell = CellView::new(filled.cell, filled.hash);
                on_event(TableEvent::Filled { row: filled.row, column: filled.column, cell });
            },
            &mut |table| keep(table).map(|turn| kept_turn = turn),
            cancel,
        );
        match filled {
            Err(error) if !error.is_cancelled() => Err(error),
            _ => Ok(resolver.turn(&kept_turn)?),
        }
    }

    fn table_documents(
        &self,
        turn: &KeptTurn,
        survey: Option<&Survey>,
        documents: &TableSource,
    ) -> Result<Vec<PathBuf>, AppError> {
        let library = self.searcher.library();
        match (documents, &turn.table, survey) {
            (TableSource::Chosen(scope), ..) => Ok(library.documents_in(&scope.filter(library)?)?),
            (TableSource::Kept, Some(table), _) => {
                Ok(table.rows.iter().map(|row| row.path.clone()).collect())
            }
            (TableSource::Kept | TableSource::Listed, _, Some(survey)) => {
                Ok(survey.counted().map(|document| document.path.clone()).collect())
            }
            (_, _, None) => match library.asked_table(&turn.question, &turn.scope)? {
                Some(asked) => Ok(asked.documents),
                None => Ok(library.documents_called(None, &turn.scope)?.0),
            },
            (_, _, Some(survey)) => {
                let folder = survey.folder.clone();
                let within = folder.map_or_else(|| turn.scope.within.clone(), |folder| vec![folder]);
                Ok(library.documents_in(&Filter { within, ..turn.scope.clone() })?)
            }
        }
    }

    /// Empties a cell of a turn's table: it says that nothing was found. Returns the turn.
    pub fn empty_cell(&self, wanted: &CellRef) -> Result<Turn, AppError> {
        let emptied = self.change(&wanted.at, |turn| {
            let rows = turn.table.as_mut().map(|table| &mut table.rows);
            let cell = rows.and_then(|rows| rows.get_mut(wanted.row)?.cells.get_mut(wanted.column));
            if let Some(cell) = cell {
                *cell = Some(TableCell::default());
            }
            Ok(())
        })?;
        self.resolved(&emptied)
    }
}
