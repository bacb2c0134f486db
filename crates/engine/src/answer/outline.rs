//! The answer to a question for a document as a whole: the sentences that say most of it, below its headings, each with its place. Of
//! several documents one sentence each.

use std::time::Instant;

use oriel_core::{
    AnswerRow, AnswerRows, AnswerSentence, AnsweringSentence, ByteSpan, CancelToken, Candidate, CitedPlace,
    Passage, RowPlace,
};

use crate::answer::extractive::marked;
use crate::answer::stated::{Stated, statement};
use crate::answer::told::{Pick, Told};
use crate::answer::wording::MAX_NAMES;
use crate::answer::wording::outline::{document_columns, of_document, of_documents, sentence_columns};
use crate::answer::{AnswerEvent, Answered};
use crate::error::EngineError;
use crate::files::name_of;
use crate::library::Library;
use crate::question::outline::{NamedQuestion, OutlineQuestion};
use crate::search::named::documents_named;
use crate::search::query::Query;
use crate::search::window::{MergedWindow, widen};

/// Documents that get one sentence each.
const MAX_DOCUMENTS: usize = 50;

/// Tells what the documents that a question names are about. `None` if there are none.
///
/// # Errors
/// If the filter names a path without documents, if the store is damaged, and after a cancellation before anything was read.
pub(crate) fn answer_outline(
    library: &Library,
    query: &Query,
    question: &OutlineQuestion,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Option<Answered>, EngineError> {
    let begun = Instant::now();
    let index = library.own_index()?;
    let named = index
        .read(|view| documents_named(&view, &question.documents, &query.filter, !question.may_be_several))?;
    let mut told = Vec::new();
    let limit = if named.len() == 1 { usize::MAX } else { 1 };
    for document in named.iter().take(MAX_DOCUMENTS) {
        // A version of the store each, so that it can be written meanwhile.
        match index.read(|view| Told::of(&view, document.id, limit, cancel)) {
            Err(error) if error.is_cancelled() && !told.is_empty() => break,
            one => told.extend(one?),
        }
    }
    let stopped = cancel.is_cancelled();
    let stated = match (&told[..], named.len()) {
        ([], _) => return Ok(None),
        ([only], 1) => only.stated(query, question.is_german),
        (several, all) => Told::list(several, all, query, question.is_german),
    };
    Ok(Some(Stated { confidence: 1.0, stopped, ..stated }.answered(query, begun, event)))
}

/// Tells what stands below the heading that a question names, in the document that it names. `None` if there is no such section: the
/// document is searched then.
///
/// # Errors
/// If the filter names a path without documents, if the store is damaged, and after a cancellation.
pub(crate) fn answer_section(
    library: &Library,
    query: &Query,
    question: &NamedQuestion,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Option<Answered>, EngineError> {
    let begun = Instant::now();
    let told = library.own_index()?.read(|view| {
        match &documents_named(&view, &question.document, &query.filter, true)?[..] {
            [only] => Told::section(&view, only.id, &question.thing, cancel),
            _ => Ok(None),
        }
    })?;
    Ok(told.map(|told| {
        Stated { confidence: 1.0, ..told.stated(query, question.is_german) }.answered(query, begun, event)
    }))
}

impl Told {
    fn name(&self) -> String {
        name_of(&self.loaded.excerpt.path)
    }

    /// The outline of one document.
    fn stated(&self, query: &Query, is_german: bool) -> Stated {
        let shown: Vec<&Pick> = self.picks.iter().filter(|pick| pick.is_shown).collect();
        let candidates: Vec<Candidate> = shown.iter().map(|pick| pick.candidate).collect();
        let passages = self.passages(&candidates, query, 1);
        let name = self.name();
        // A section that was asked for is named once.
        let asked = self.picks.first().and_then(|pick| pick.heading.as_ref()).filter(|_| self.sections == 0);
        let opening = match asked {
            Some(heading) => format!("{name}, {heading}:"),
            None => of_document(&name, self.sections, is_german),
        };
        let line = |pick: &&Pick| {
            let quote = marked(&pick.text);
            let heading = pick.heading.as_ref().filter(|_| asked.is_none());
            let text = heading.map_or(quote.clone(), |heading| format!("{heading}: {quote}"));
            statement(text, pick.place(&passages).into_iter().collect())
        };
        let mut sentences = vec![statement(opening, Vec::new())];
        sentences.extend(shown.iter().map(line));
        let row = |pick: &Pick| AnswerRow {
            cells: vec![pick.heading.clone().unwrap_or_default(), pick.text.clone()],
            place: Some(self.row_place(pick)),
        };
        // They say more than the answer only where it leaves sentences out.
        let rows = (shown.len() < self.picks.len()).then(|| AnswerRows {
            columns: sentence_columns(is_german).map(str::to_owned).to_vec(),
            total: self.picks.len(),
            rows: self.picks.iter().map(row).collect(),
            query: None,
        });
        Stated { sentences, passages, rows, is_lines: true, ..Stated::default() }
    }

    /// One sentence of each of several documents, of `all` that were meant.
    fn list(told: &[Self], all: usize, query: &Query, is_german: bool) -> Stated {
        let mut passages = Vec::new();
        let mut lines: Vec<AnswerSentence> = Vec::new();
        let mut rows = Vec::new();
        for one in told {
            let Some(pick) = one.picks.first() else { continue };
            if lines.len() < MAX_NAMES {
                let own = one.passages(&[pick.candidate], query, passages.len() + 1);
                let text = format!("{}: {}", one.name(), marked(&pick.text));
                lines.push(statement(text, pick.place(&own).into_iter().collect()));
                passages.extend(own);
            }
            let cells = vec![one.name(), pick.text.clone()];
            rows.push(AnswerRow { cells, place: Some(one.row_place(pick)) });
        }
        let mut sentences = vec![statement(of_documents(rows.len(), all, is_german), Vec::new())];
        sentences.append(&mut lines);
        let columns = document_columns(is_german).map(str::to_owned).to_vec();
        let is_whole = sentences.len() > rows.len();
        let rows = AnswerRows { columns, total: rows.len(), rows, query: None };
        let rows = (!is_whole).then_some(rows);
        Stated { sentences, passages, rows, is_lines: true, ..Stated::default() }
    }

    /// The passages around sentences, in reading order, numbered from `n`.
    fn passages(&self, candidates: &[Candidate], query: &Query, n: usize) -> Vec<Passage> {
        let unit = |_, ordinal| self.loaded.unit(ordinal);
        let mut windows = widen(candidates, query.window, query.merge, unit);
        windows.sort_by_key(|window| window.first);
        let passage = |(n, window): (usize, &MergedWindow)| {
            let best = window.hits.iter().max_by(|a, b| a.score.total_cmp(&b.score))?;
            let ByteSpan { start, end } = self.loaded.excerpt.rows.get(best.ordinal)?.span;
            let answer = AnsweringSentence { start, end, words: None, confidence: 1.0 };
            self.loaded.passage(n, window, best.score, Some(answer))
        };
        (n..).zip(&windows).filter_map(passage).collect()
    }

    fn row_place(&self, pick: &Pick) -> RowPlace {
        RowPlace {
            path: self.loaded.excerpt.path.clone(),
            location: self.loaded.location(pick.candidate.ordinal).unwrap_or_default(),
            start: pick.span.start,
            end: pick.span.end,
        }
    }
}

impl Pick {
    fn place(&self, passages: &[Passage]) -> Option<CitedPlace> {
        let ByteSpan { start, end } = self.span;
        let passage = passages.iter().find(|passage| passage.start <= start && end <= passage.end)?;
        Some(CitedPlace { n: passage.n, start, end })
    }
}

#[cfg(test)]
mod tests;
