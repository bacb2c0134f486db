//! From a question to its passages: retrieve, widen, merge, rerank, cut.
//!
//! - `query` is the question with its settings, `plan` makes it what is searched for, `models` are the models of a question.
//! - `retrieve` finds sentences by meaning and by words, `loaded` reads their documents.
//! - `window` widens each sentence and merges windows that touch, `ranking` has the reranker order the passages, `rerank` cuts them.
//!   `rerank_cache` keeps scores.
//! - `confidence` estimates whether the passages answer the question.
//! - `stages` and `trace` record how a result came about, `explain` tells why a document is not in it.
//! - `mentions` lists every document that holds the words of a question, `mention_spans` marks those words in a sentence.
//! - `named` finds the documents that a question names. `suggestions` are questions that documents answer.
//! - `survey` lists every document that mentions a thing, by meaning; `events` every sentence that says when something happens.
//! - `identifiers` limits a question with an identifier to the documents that have it, `time` one that names a time to those from then.
//! - `languages` knows which models can read which texts.

pub(crate) mod confidence;
#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod events;
pub(crate) mod explain;
mod identifiers;
pub(crate) mod languages;
pub(crate) mod loaded;
mod mention_spans;
pub(crate) mod mentions;
pub(crate) mod models;
pub(crate) mod named;
pub(crate) mod plan;
pub(crate) mod query;
mod ranking;
pub(crate) mod rerank;
pub(crate) mod rerank_cache;
pub(crate) mod retrieve;
pub(crate) mod stages;
mod suggestions;
pub(crate) mod survey;
pub(crate) mod time;
pub(crate) mod trace;
pub(crate) mod window;

use std::time::Instant;

use oriel_core::{CancelToken, Embedder, Location, Passage, Reranker, TimeLimit, Timings};
use serde::Serialize;

use crate::error::EngineError;
use crate::files::milliseconds;
use crate::library::Library;
use crate::search::identifiers::Identified;
use crate::search::loaded::{LoadedDocuments, PassageSentence, load_documents};
use crate::search::models::{QuestionModels, SearchModels};
use crate::search::query::{Query, RerankMode};
pub use crate::search::ranking::FoundPart;
use crate::search::ranking::{Assembled, Ranking, can_read, candidates_of};
use crate::search::retrieve::{PreparedQuery, Retrieved, candidate_count, prepare, retrieve};
use crate::search::stages::Stages;
use crate::search::time::Timed;
use crate::search::trace::Trace;
use crate::search::window::MergedWindow;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResult {
    /// Best first; no two share a sentence, unless merging was off.
    pub passages: Vec<Passage>,
    /// The probability that they answer the question, or the part that they answer best; 0 if nothing was found.
    pub confidence: f32,
    /// What was searched for; one, unless the question asks several things.
    pub parts: Vec<FoundPart>,
    /// The period or the order that the question asks for, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeLimit>,
    /// How long each stage took.
    pub timings: Timings,
    /// How it came about.
    #[serde(skip)]
    pub trace: Trace,
}

/// A result, with what is needed to make an answer from it.
pub(crate) struct SearchOutcome {
    pub result: SearchResult,
    /// The passages of each part in its order, numbered from 1, with its own scores and hits.
    pub material: Vec<Vec<Passage>>,
    /// The passages that are shown.
    shown: Vec<MergedWindow>,
    documents: LoadedDocuments,
    /// The ranks of each sentence in the retrieval lists.
    pub stages: Stages,
    /// Whether the reranker can read the question and the candidates. Otherwise it must not be asked.
    pub can_read: bool,
    /// Whether no document has what the question names, so that none can answer it.
    pub is_nowhere: bool,
}

impl SearchOutcome {
    /// The sentences of each passage, in reading order.
    pub(crate) fn sentences(&self) -> Vec<Vec<PassageSentence>> {
        self.shown.iter().map(|merged| self.documents[&merged.document].sentences(merged)).collect()
    }

    /// Where the sentence of passage `n` that begins at byte `start` stands.
    pub(crate) fn location_of(&self, n: usize, start: u32) -> Option<Location> {
        let document = &self.documents[&self.shown.get(n.checked_sub(1)?)?.document];
        let (ordinal, _) = document.excerpt.rows.iter().find(|(_, row)| row.span.start == start)?;
        document.location(ordinal)
    }
}

impl Library {
    /// The passages that answer a question best, with a trace of how they were found.
    ///
    /// # Errors
    /// If a model fails, or the vectors were made by another embedder.
    pub fn search(
        &self,
        query: &Query,
        models: &dyn QuestionModels,
        cancel: &CancelToken,
    ) -> Result<SearchResult, EngineError> {
        let (query, models) = self.planned(query, models, cancel)?;
        Ok(self.find(&query, &models, cancel)?.result)
    }

    /// Whether the library is so large that a search widens more sentences than the query asks for, if the pace of the reranker
    /// ([`Query::pace`]) allows.
    pub(crate) fn has_more_candidates(&self, query: &Query) -> bool {
        let size = self.read_index(|retriever| retriever.size()).ok().flatten();
        candidate_count(query, size, true) > query.candidates
    }

    /// A search for the parts of a query, with the sentences of each passage.
    pub(crate) fn find(
        &self,
        query: &Query,
        models: &SearchModels<'_>,
        cancel: &CancelToken,
    ) -> Result<SearchOutcome, EngineError> {
        self.ask_about(query.filter.within.iter().cloned());
        let Timed { query, time } = self.timed(query, cancel)?;
        let Identified { query, is_nowhere } = self.identified(&query, cancel)?;
        let mut found = search(self, &query, models, cancel)?;
        found.result.time = time;
        if is_nowhere {
            found.is_nowhere = true;
            found.result.confidence = 0.0;
            found.result.parts.iter_mut().for_each(|part| part.confidence = 0.0);
        }
        Ok(found)
    }
}

fn search(
    library: &Library,
    query: &Query,
    models: &SearchModels<'_>,
    cancel: &CancelToken,
) -> Result<SearchOutcome, EngineError> {
    let prepared = prepare(models.embedder, query, cancel)?;
    search_prepared(library, query, &prepared, models, cancel)
}

/// Like [`search`], for a prepared query: retrieves, ranks, cuts and assembles.
pub(crate) fn search_prepared(
    library: &Library,
    query: &Query,
    prepared: &PreparedQuery,
    models: &SearchModels<'_>,
    cancel: &CancelToken,
) -> Result<SearchOutcome, EngineError> {
    let mut timings = Timings { embed_ms: prepared.milliseconds, ..Timings::default() };
    // One state of the index, so that a position cannot refer to another sentence in between.
    let (retrieved, found, documents) = library.read_index(|retriever| {
        let count = candidate_count(query, retriever.size()?, models.reranker.is_some());
        let retrieved = retrieve(retriever, models.embedder, prepared, query, count, &mut timings, cancel)?;
        let opening = Instant::now();
        let found = candidates_of(&retrieved);
        let documents = load_documents(retriever, &found, query.window, cancel)?;
        timings.window_ms = milliseconds(opening);
        Ok((retrieved, found, documents))
    })?;
    let stages = Stages::new(&retrieved);
    let reader = models.reranker.filter(|reranker| can_read(*reranker, query, &found, &documents));
    let ranking = Ranking::of(query, retrieved, &documents, reader, &mut timings, cancel)?;
    let calibration = reader.filter(|_| query.rerank != RerankMode::Off).and_then(Reranker::calibration);
    let cut = ranking.cut(query, &documents);
    let assembled = ranking.assemble(cut, &documents, &stages, calibration);
    let of_similarity = models.embedder.and_then(Embedder::calibration);
    let searched = query.searched();
    let of_parts = (0..).zip(searched.iter());
    let (parts, material): (Vec<FoundPart>, Vec<Vec<Passage>>) = of_parts
        .map(|(at, part)| ranking.part(at, part, &assembled, &documents, (calibration, of_similarity)))
        .unzip();
    let confidence = parts.iter().map(|part| part.confidence).fold(0.0, f32::max);
    let Assembled { passages, shown, traced, .. } = assembled;
    let sum = |list: fn(&Retrieved) -> usize| ranking.retrieved.iter().map(list).sum();
    let trace = Trace {
        dense: sum(|part| part.dense.len()),
        sparse: sum(|part| part.sparse.len()),
        fused: sum(|part| part.fused.len()),
        candidates: found.len(),
        passages: traced,
        prompt: None,
    };
    timings.total_ms = milliseconds(prepared.begun);
    let result = SearchResult { passages, confidence, parts, time: None, timings, trace };
    let can_read = reader.is_some();
    Ok(SearchOutcome { result, material, shown, documents, stages, can_read, is_nowhere: false })
}
