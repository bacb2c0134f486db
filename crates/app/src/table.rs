//! Tables over documents.

use std::path::PathBuf;

use oriel_core::{CancelToken, Table, TableCell};
use oriel_engine::{ConversationId, EngineError, Filter, Query, SearchModels, Turn, standalone};

use crate::ask::Assistant;
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

    /// Reads all cells of a table that were not read yet, row by row, and those of files that changed since. `about` is what the
    /// questions refer to: "How long is it?" asks about "a notice period". `on_cell` hears of each cell. A cancelled token ends
    /// it after a cell; what was read stays in the table.
    ///
    /// # Errors
    /// If a model fails, or the library cannot be read, and after a cancellation. A document that left the library has no
    /// answers.
    pub fn fill_table(
        &self,
        table: &mut Table,
        about: Option<&str>,
        on_cell: &mut dyn FnMut(FilledCell<'_>),
        cancel: &CancelToken,
    ) -> Result<(), AppError> {
        let embedder = self.embedder()?;
        let reader = self.roles().load_reader()?;
        let models = SearchModels { embedder: embedder.as_deref(), reranker: Some(&*reader) };
        let before: Vec<String> = about.map(|thing| format!("What is {thing}?")).into_iter().collect();
        let whole = |question: &String| standalone(question, &before).unwrap_or_else(|| question.clone());
        let asked: Vec<String> = table.questions.iter().map(whole).collect();
        for (row, line) in table.rows.iter_mut().enumerate() {
            let now = self.document_at(&line.path);
            let hash = now.map(|document| document.hash);
            if line.hash != hash {
                line.cells.fill(None);
                line.hash.clone_from(&hash);
            }
            line.cells.resize(asked.len(), None);
            for (column, question) in asked.iter().enumerate() {
                if line.cells[column].is_some() {
                    continue;
                }
                cancel.check().map_err(EngineError::from)?;
                let filter = Filter { within: vec![line.path.clone()], ..Filter::default() };
                let query = Query { filter, ..Query::new(question) };
                let cell = match hash {
                    Some(_) => self.library().table_cell(&query, &models, cancel)?,
                    None => TableCell::default(),
                };
                on_cell(FilledCell { row, column, cell: line.cells[column].insert(cell) });
            }
        }
        Ok(())
    }
}

/// A table of a turn that is made or read on.
#[derive(Clone, Debug)]
pub struct TableRequest {
    /// The conversation.
    pub conversation: ConversationId,
    /// The turn, from 0.
    pub turn: usize,
    /// One question a column. A question that the table has already keeps its cells.
    pub questions: Vec<String>,
    /// Whether it is made anew of all documents in the turn's scope, and not of those that its answer lists.
    pub everything: bool,
}

impl Assistant {
    /// Makes the table of a turn, or reads it on: its documents are those that the answer counts, or all in the turn's scope.
    /// `on_begin` hears of the table with what was read before, `on_cell` of each cell. Everything that was read is kept with
    /// the turn, also if it is stopped, which is no error. Returns the turn.
    ///
    /// # Errors
    /// If the conversation or the turn is gone or cannot be written, a model fails, or the library cannot be read.
    pub fn fill_table(
        &self,
        request: TableRequest,
        on_begin: &mut dyn FnMut(&Table),
        on_cell: &mut dyn FnMut(FilledCell<'_>),
        cancel: &CancelToken,
    ) -> Result<Turn, AppError> {
        let TableRequest { conversation, turn: at, mut questions, everything } = request;
        questions.truncate(MAX_TABLE_QUESTIONS);
        let kept = self.conversations.get(&conversation)?;
        let turn = kept.turns.get(at).ok_or(AppError::QuestionGone)?;
        let survey = turn.answer.as_ref().and_then(|answer| answer.survey.as_ref());
        let thing = survey.map(|survey| survey.thing.clone());
        let documents: Vec<PathBuf> = match survey.filter(|_| !everything) {
            Some(survey) => survey.counted().map(|document| document.path.clone()).collect(),
            None => {
                let folder = survey.and_then(|survey| survey.folder.clone());
                let within = folder.map_or_else(|| turn.scope.within.clone(), |folder| vec![folder]);
                self.searcher.documents_in(&Filter { within, ..turn.scope.clone() })?
            }
        };
        let before = turn.table.clone().unwrap_or_default().asking(questions.clone());
        let mut table = Table::new(questions, documents);
        for row in &mut table.rows {
            if let Some(read) = before.rows.iter().find(|other| other.path == row.path) {
                row.clone_from(read);
            }
        }
        on_begin(&table);
        let filled = self.searcher.fill_table(&mut table, thing.as_deref(), on_cell, cancel);
        let turn = self.conversations.update(&conversation, |kept| {
            let turn = kept.turns.get_mut(at).ok_or(AppError::QuestionGone)?;
            turn.table = Some(table);
            Ok::<_, AppError>(turn.clone())
        })?;
        match filled {
            Err(error) if !error.is_cancelled() => Err(error),
            _ => Ok(turn),
        }
    }

    /// Empties a cell of a turn's table: it says that nothing was found. Returns the turn.
    ///
    /// # Errors
    /// If the conversation or the turn is gone, or cannot be written.
    pub fn empty_cell(
        &self,
        conversation: &ConversationId,
        turn: usize,
        (row, column): (usize, usize),
    ) -> Result<Turn, AppError> {
        self.conversations.update(conversation, |kept| {
            let turn = kept.turns.get_mut(turn).ok_or(AppError::QuestionGone)?;
            let rows = turn.table.as_mut().map(|table| &mut table.rows);
            if let Some(cell) = rows.and_then(|rows| rows.get_mut(row)?.cells.get_mut(column)) {
                *cell = Some(TableCell::default());
            }
            Ok(turn.clone())
        })
    }
}
