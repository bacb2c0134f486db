//! Tables over documents.

use std::path::PathBuf;

use oriel_core::{CancelToken, Survey, Table, TableCell};
use oriel_engine::{
    ConversationId, EngineError, Filter, Query, SearchModels, Turn, standalone, table_question,
};

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
    /// BLAKE3 of the file that it was read from.
    pub hash: Option<&'a str>,
}

impl Searcher {
    /// Reads all cells of a table that were not read yet, row by row, and those of files that changed since. `about` is what the
    /// questions refer to: "How long is it?" asks about "a notice period". `on_cell` hears of each cell, `on_row` of the
    /// table after each row in which something was read. A cancelled token ends it after a cell; what was read stays.
    ///
    /// # Errors
    /// If a model fails, or the library cannot be read, and after a cancellation. A document that left the library has no
    /// answers.
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
        let before: Vec<String> = about.map(|thing| format!("What is {thing}?")).into_iter().collect();
        let whole = |question: &String| standalone(question, &before).unwrap_or_else(|| question.clone());
        let asked: Vec<String> = table.questions.iter().map(whole).collect();
        for row in 0..table.rows.len() {
            let read = self.fill_row(table, row, &asked, &models, on_cell, cancel);
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
        asked: &[String],
        models: &SearchModels<'_>,
        on_cell: &mut dyn FnMut(FilledCell<'_>),
        cancel: &CancelToken,
    ) -> Result<bool, AppError> {
        let line = &mut table.rows[row];
        let hash = self.document_at(&line.path).map(|document| document.hash);
        if line.hash != hash {
            line.cells.fill(None);
            line.hash.clone_from(&hash);
        }
        line.cells.resize(asked.len(), None);
        let mut has_read = false;
        for (column, question) in asked.iter().enumerate() {
            if line.cells[column].is_some() {
                continue;
            }
            cancel.check().map_err(EngineError::from)?;
            let filter = Filter { within: vec![line.path.clone()], ..Filter::default() };
            let query = Query { filter, ..Query::new(question) };
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

/// A table of a turn that is made or read on.
#[derive(Clone, Debug)]
pub struct TableRequest {
    /// The conversation.
    pub conversation: ConversationId,
    /// The turn, from 0.
    pub turn: usize,
    /// One question a column. A question that the table has already keeps its cells.
    pub questions: Vec<String>,
    /// Its rows.
    pub documents: TableDocuments,
}

/// The documents of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableDocuments {
    /// Those that it has; as `Listed` if there is no table yet.
    Kept,
    /// Those that the answer counts.
    Listed,
    /// All in the turn's scope.
    All,
    /// All that this admits.
    Chosen(Filter),
}

impl Assistant {
    /// Makes the table of a turn, or reads it on. `on_begin` hears of the table with what was read before, `on_cell` of each
    /// cell. Every row is kept with the turn as soon as it is read. That it is stopped is no error. Returns the turn. One table
    /// of a conversation may be filled at a time.
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
        let TableRequest { conversation, turn: at, mut questions, documents } = request;
        questions.truncate(MAX_TABLE_QUESTIONS);
        let kept = self.conversations.get(&conversation)?;
        let turn = kept.turns.get(at).ok_or(AppError::QuestionGone)?;
        let survey = turn.answer.as_ref().and_then(|answer| answer.survey.as_ref());
        let paths = self.table_documents(turn, survey, documents)?;
        let before = turn.table.clone().unwrap_or_default().asking(questions.clone());
        let mut table = Table::new(questions, paths);
        for row in &mut table.rows {
            if let Some(read) = before.rows.iter().find(|other| other.path == row.path) {
                row.clone_from(read);
            }
        }
        on_begin(&table);
        let keep = |table: &Table| {
            self.conversations.update(&conversation, |kept| {
                // Another question may stand there by now.
                let turn = kept.turns.get_mut(at).filter(|one| one.asked == turn.asked);
                let turn = turn.ok_or(AppError::QuestionGone)?;
                turn.table = Some(table.clone());
                Ok::<_, AppError>(turn.clone())
            })
        };
        let mut kept_turn = keep(&table)?;
        let about = survey.map(|survey| survey.thing.as_str());
        let filled = self.searcher.fill_table(
            &mut table,
            about,
            on_cell,
            &mut |table| keep(table).map(|turn| kept_turn = turn),
            cancel,
        );
        match filled {
            Err(error) if !error.is_cancelled() => Err(error),
            _ => Ok(kept_turn),
        }
    }

    fn table_documents(
        &self,
        turn: &Turn,
        survey: Option<&Survey>,
        documents: TableDocuments,
    ) -> Result<Vec<PathBuf>, AppError> {
        match (documents, &turn.table, survey) {
            (TableDocuments::Chosen(filter), ..) => Ok(self.searcher.library().documents_in(&filter)?),
            (TableDocuments::Kept, Some(table), _) => {
                Ok(table.rows.iter().map(|row| row.path.clone()).collect())
            }
            (TableDocuments::Kept | TableDocuments::Listed, _, Some(survey)) => {
                Ok(survey.counted().map(|document| document.path.clone()).collect())
            }
            (_, _, None) => {
                let noun = table_question(&turn.question).and_then(|asked| asked.noun);
                Ok(self.searcher.library().documents_called(noun.as_deref(), &turn.scope)?.0)
            }
            (_, _, Some(survey)) => {
                let folder = survey.folder.clone();
                let within = folder.map_or_else(|| turn.scope.within.clone(), |folder| vec![folder]);
                Ok(self.searcher.library().documents_in(&Filter { within, ..turn.scope.clone() })?)
            }
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
