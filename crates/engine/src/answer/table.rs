//! Tables with a row for each document: the table that a question asks for, and each cell, which is what one document answers to one
//! question, quoted.
//!
//! A cell is a search in one document, with the reader in the reranker's place. The table is kept with its turn. When
//! it is read again, rows of changed files are computed again.

use std::path::PathBuf;

use oriel_core::{ByteSpan, CancelToken, Filter, Passage, TableCell, TableQuote};
use oriel_text::terms;

use crate::error::EngineError;
use crate::library::Library;
use crate::question::table::table_question;
use crate::search::models::SearchModels;
use crate::search::query::Query;
use crate::search::window::Window;

/// Sentences of the document that are widened and read.
const CANDIDATES: usize = 6;
/// Below this probability a document does not answer.
const MIN_CONFIDENCE: f32 = 0.4;
/// From this probability on a quote can be relied on, and disagrees with another such quote that says something else.
const SURE: f32 = 0.65;

/// A table that a question asks for.
pub struct AskedTable {
    /// What the columns are about: "rent".
    pub columns: Vec<String>,
    /// A question for each column.
    pub questions: Vec<String>,
    /// Its rows.
    pub documents: Vec<PathBuf>,
    /// The folder that they are in, if the question names one.
    pub folder: Option<PathBuf>,
}

impl Library {
    /// The table that a question asks for, of documents that `filter` admits; `None` if it asks for none.
    ///
    /// # Errors
    /// If the filter names a path without documents, or the store is damaged.
    pub fn asked_table(&self, question: &str, filter: &Filter) -> Result<Option<AskedTable>, EngineError> {
        let Some(asked) = table_question(question) else { return Ok(None) };
        let (documents, folder) = self.documents_called(asked.noun.as_deref(), filter)?;
        Ok(Some(AskedTable { questions: asked.questions(), columns: asked.columns, documents, folder }))
    }

    /// What the documents that `query` admits, usually one, answer to its question. `models` needs a reranker that reads
    /// answers; without one the best sentence is quoted whole.
    ///
    /// # Errors
    /// As [`Library::search`].
    pub fn table_cell(
        &self,
        query: &Query,
        models: &SearchModels<'_>,
        cancel: &CancelToken,
    ) -> Result<TableCell, EngineError> {
        let query = Query {
            question: query.standalone().unwrap_or_else(|| query.question.clone()),
            candidates: CANDIDATES,
            top: CANDIDATES,
            window: Window { before: 1, after: 1 },
            // One document is asked.
            ignore_time: true,
            ..query.clone()
        };
        let found = self.find(&query, models, cancel)?;
        let quotes = found.result.passages.iter().filter_map(|passage| {
            let mut quote = quote(passage)?;
            if let Some(location) = found.location_of(passage.n, quote.start) {
                quote.location = location;
            }
            Some(quote)
        });
        Ok(cell(quotes.collect()))
    }
}

/// The quote of a passage; `None` if no sentence of it is likely to answer.
fn quote(passage: &Passage) -> Option<TableQuote> {
    let answer = passage.answer.filter(|answer| answer.confidence >= MIN_CONFIDENCE)?;
    let text = |span: ByteSpan| {
        let (start, end) = (span.start.checked_sub(passage.start)?, span.end.checked_sub(passage.start)?);
        passage.text.get(start as usize..end as usize)
    };
    let sentence = ByteSpan::new(answer.start, answer.end);
    let at = answer.words.unwrap_or(sentence);
    Some(TableQuote {
        words: text(at)?.to_owned(),
        at,
        location: passage.location.clone(),
        start: answer.start,
        end: answer.end,
        sentence: text(sentence)?.to_owned(),
        confidence: answer.confidence,
    })
}

/// The best quote, with those that it can be relied on to disagree with.
fn cell(mut quotes: Vec<TableQuote>) -> TableCell {
    quotes.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let Some(best) = quotes.first().cloned() else { return TableCell::default() };
    let is_unsure = best.confidence < SURE;
    quotes.retain(|quote| *quote == best || (quote.confidence >= SURE && !agree(&quote.words, &best.words)));
    TableCell { quotes, is_unsure }
}

/// Whether one of two quotes has all words of the other.
fn agree(one: &str, other: &str) -> bool {
    let (one, other) = (terms(one), terms(other));
    let holds = |all: &[String], some: &[String]| some.iter().all(|term| all.contains(term));
    holds(&one, &other) || holds(&other, &one)
}

#[cfg(test)]
mod tests {
    use oriel_core::Location;

    use super::*;

    fn quote(words: &str, confidence: f32) -> TableQuote {
        TableQuote {
            words: words.to_owned(),
            at: ByteSpan::new(0, 1),
            location: Location::default(),
            start: 0,
            end: 1,
            sentence: words.to_owned(),
            confidence,
        }
    }

    #[test]
    fn quotes_that_say_the_same_are_one_and_others_disagree() {
        let words = |cell: &TableCell| cell.quotes.iter().map(|one| one.words.clone()).collect::<Vec<_>>();
        let same =
            cell(vec![quote("three months", 0.7), quote("three months' notice", 0.9), quote("a year", 0.5)]);
        assert_eq!((words(&same), same.is_unsure), (vec!["three months' notice".to_owned()], false));
        let other = cell(vec![quote("three months", 0.9), quote("six weeks", 0.8)]);
        assert_eq!(words(&other), ["three months", "six weeks"]);
        assert!(cell(vec![quote("three months", 0.5)]).is_unsure);
        assert_eq!(cell(Vec::new()), TableCell::default());
    }
}
