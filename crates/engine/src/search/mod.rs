//! From a question to its passages: retrieve, widen, merge, rerank, cut.
//!
//! - `query` is the question with its settings; `filter` limits the documents.
//! - `retrieve` finds sentences by meaning and by words, `loaded` reads their documents.
//! - `window` widens each sentence and merges windows that touch, `rerank` orders the passages. `rerank_cache` keeps scores.
//! - `confidence` estimates whether the passages answer the question.
//! - `stages` and `trace` record how a result came about, `explain` tells why a document is not in it.
//! - `mentions` lists every document that holds the words of a question, `mention_spans` marks those words in a sentence.
//! - `words` knows which words of a question have content.

pub(crate) mod confidence;
pub(crate) mod explain;
pub(crate) mod filter;
pub(crate) mod loaded;
mod mention_spans;
pub(crate) mod mentions;
pub(crate) mod query;
pub(crate) mod rerank;
pub(crate) mod rerank_cache;
pub(crate) mod retrieve;
pub(crate) mod stages;
pub(crate) mod trace;
pub(crate) mod window;
pub(crate) mod words;

use std::collections::HashMap;
use std::time::Instant;

use oriel_core::{
    AnsweringSentence, ByteSpan, Calibration, CancelToken, DocumentId, Embedder, Ordinal, Passage, Reading,
    Reranker, Timings,
};
use oriel_store::Store;
use serde::Serialize;

use crate::error::EngineError;
use crate::library::Library;
use crate::search::confidence::{LEAST_CONFIDENCE, UNKNOWN_CONFIDENCE, confidence};
use crate::search::loaded::{LoadedDocument, LoadedDocuments, PassageSentence, load_documents};
use crate::search::query::{Query, RerankMode};
use crate::search::rerank::Part;
use crate::search::retrieve::{PreparedQuery, Retrieved, milliseconds, prepare, retrieve};
use crate::search::stages::Stages;
use crate::search::trace::{Fate, Trace};
use crate::search::window::{Candidate, MergedWindow};

/// The models of a search. Without an embedder it searches by words; without a reranker the retrieval order stands.
#[derive(Clone, Copy, Default)]
pub struct SearchModels<'a> {
    /// For the search by meaning.
    pub embedder: Option<&'a dyn Embedder>,
    /// For the final order.
    pub reranker: Option<&'a dyn Reranker>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResult {
    /// Best first; no two share a sentence, unless merging was off.
    pub passages: Vec<Passage>,
    /// The probability that they answer the question; 0 if nothing was found.
    pub confidence: f32,
    /// How long each stage took.
    pub timings: Timings,
    /// How it came about.
    #[serde(skip)]
    pub trace: Trace,
}

/// A result, with what is needed to make an answer from it.
pub(crate) struct SearchOutcome {
    pub result: SearchResult,
    /// The passages that are shown.
    shown: Vec<MergedWindow>,
    documents: LoadedDocuments,
    /// The ranks of each sentence in the retrieval lists.
    pub stages: Stages,
    /// Whether the reranker can read the question and the candidates. Otherwise it must not be asked.
    pub can_read: bool,
}

impl SearchOutcome {
    /// The sentences of each passage, in reading order.
    pub(crate) fn sentences(&self) -> Vec<Vec<PassageSentence>> {
        self.shown.iter().map(|merged| self.documents[&merged.document].sentences(merged)).collect()
    }

    /// The page of the sentence of passage `n` that begins at byte `start`.
    pub(crate) fn page_of(&self, n: usize, start: u32) -> Option<u32> {
        let document = &self.documents[&self.shown.get(n.checked_sub(1)?)?.document];
        document.rows.iter().find(|row| row.span.start == start)?.page
    }
}

/// A passage with its score.
struct Ranked {
    merged: MergedWindow,
    score: f32,
    /// The reranker's logit, if it was asked.
    logit: Option<f32>,
}

impl Library {
    /// The passages that answer a question best, with a trace of how they were found.
    ///
    /// # Errors
    /// If a model fails, or the vectors were made by another embedder.
    pub fn search(
        &self,
        query: &Query,
        models: &SearchModels<'_>,
        cancel: &CancelToken,
    ) -> Result<SearchResult, EngineError> {
        Ok(self.find(query, models, cancel)?.result)
    }

    /// A search with the sentences of each passage.
    pub(crate) fn find(
        &self,
        query: &Query,
        models: &SearchModels<'_>,
        cancel: &CancelToken,
    ) -> Result<SearchOutcome, EngineError> {
        self.ask_about(query.filter.within.iter().cloned());
        search(&self.store, query, models, cancel)
    }
}

pub(crate) fn search(
    store: &Store,
    query: &Query,
    models: &SearchModels<'_>,
    cancel: &CancelToken,
) -> Result<SearchOutcome, EngineError> {
    let prepared = prepare(models.embedder, query, cancel)?;
    search_prepared(store, query, &prepared, models, cancel)
}

/// Like [`search`], for a prepared query.
pub(crate) fn search_prepared(
    store: &Store,
    query: &Query,
    prepared: &PreparedQuery,
    models: &SearchModels<'_>,
    cancel: &CancelToken,
) -> Result<SearchOutcome, EngineError> {
    let mut timings = Timings { embed_ms: prepared.milliseconds, ..Timings::default() };
    // One version of the store, so that a position cannot refer to another sentence in between.
    let (mut retrieved, documents) = store.read(|view| {
        let retrieved = retrieve(&view, models.embedder, prepared, query, &mut timings)?;
        let opening = Instant::now();
        let documents = load_documents(&view, &retrieved.candidates)?;
        timings.window_ms = milliseconds(opening);
        Ok::<_, EngineError>((retrieved, documents))
    })?;
    let stages = Stages::new(&retrieved);
    let reader =
        models.reranker.filter(|reranker| can_read(*reranker, query, &retrieved.candidates, &documents));
    let reranker = reader.filter(|_| query.rerank != RerankMode::Off);
    let mut read = Readings::default();
    if let Some(reranker) = reranker.filter(|_| query.rerank == RerankMode::Sentence) {
        let ranking = Instant::now();
        read = read_sentences(reranker, query, &mut retrieved.candidates, &documents, cancel)?;
        timings.rerank_ms = milliseconds(ranking);
    }
    let windows = Instant::now();
    let merged_windows = widen(query, &retrieved.candidates, &documents, reader);
    timings.window_ms += milliseconds(windows);
    if let Some(reranker) = reranker.filter(|_| query.rerank == RerankMode::Passage) {
        let ranking = Instant::now();
        read = read_parts(reranker, query, &merged_windows, &documents, cancel)?;
        timings.rerank_ms = milliseconds(ranking);
    }

    let mut ranked: Vec<Ranked> = merged_windows
        .into_iter()
        .enumerate()
        .map(|(place, merged)| {
            let logit = read.of(&merged).map(|(_, reading)| reading.logit).reduce(f32::max);
            let score = match logit {
                Some(logit) if query.rerank == RerankMode::Passage => rerank::blend(logit, place),
                _ => retriever_score(&merged),
            };
            Ranked { merged, score, logit }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));

    let texts = ranked.iter().map(|one| documents[&one.merged.document].ids(&one.merged));
    let fates = rerank::cut(texts, query.top, query.merge);
    let calibration = reranker.and_then(Reranker::calibration);
    let (mut passages, mut shown, mut traced) = (Vec::new(), Vec::new(), Vec::new());
    for (Ranked { merged, score, logit }, fate) in ranked.into_iter().zip(fates) {
        let loaded = &documents[&merged.document];
        traced.extend(stages.passage(&merged, loaded, logit, score, fate));
        if let Fate::Shown { n } = fate {
            let answer = answering_sentence(&merged, &read, calibration, loaded);
            passages.extend(loaded.passage(n, &merged, score, answer));
            shown.push(merged);
        }
    }
    let confidence = if passages.is_empty() {
        0.0
    } else {
        let of_readings = shown
            .iter()
            .flat_map(|merged| read.of(merged))
            .filter_map(|(_, reading)| Some(calibration?.of_reading(reading)));
        let of_similarity = models.embedder.and_then(Embedder::calibration);
        confidence(of_readings.reduce(f32::max), retrieved.best_similarity, of_similarity)
    };
    let Retrieved { candidates, dense, sparse, fused, .. } = retrieved;
    let trace = Trace {
        dense: dense.len(),
        sparse: sparse.len(),
        fused: fused.len(),
        candidates: candidates.len(),
        passages: traced,
        prompt: None,
    };
    timings.total_ms = milliseconds(prepared.begun);
    let result = SearchResult { passages, confidence, timings, trace };
    Ok(SearchOutcome { result, shown, documents, stages, can_read: reader.is_some() })
}

/// Whether the reranker can read the question and the candidates. A reranker for English cannot order passages in Hindi.
fn can_read(
    reranker: &dyn Reranker,
    query: &Query,
    candidates: &[Candidate],
    documents: &LoadedDocuments,
) -> bool {
    let text = |one: &Candidate| documents[&one.document].plain(one.ordinal.0, one.ordinal.0);
    let found: String = candidates.iter().map(text).collect();
    rerank::can_read(reranker.languages(), &[&query.question, &found])
}

/// Widens and merges the candidates, and splits passages that are too long for the reranker. Without a reranker the
/// length is estimated at four bytes per token.
fn widen(
    query: &Query,
    candidates: &[Candidate],
    documents: &LoadedDocuments,
    reranker: Option<&dyn Reranker>,
) -> Vec<MergedWindow> {
    let length = |document| documents[&document].length();
    let merged_windows = window::widen(candidates, query.window, query.merge, length);
    let places: HashMap<(DocumentId, Ordinal), usize> =
        candidates.iter().enumerate().map(|(place, one)| ((one.document, one.ordinal), place)).collect();
    let rank = |hit: &Candidate| places.get(&(hit.document, hit.ordinal)).copied().unwrap_or(usize::MAX);
    let mut parts: Vec<MergedWindow> = merged_windows
        .into_iter()
        .flat_map(|merged| {
            let loaded = &documents[&merged.document];
            let fits = |first, last| {
                let text = loaded.plain(first, last);
                match reranker {
                    Some(reranker) => reranker.pair_tokens(&query.question, &text) <= reranker.max_tokens(),
                    None => text.len() + query.question.len() <= 4 * UNRANKED_TOKENS,
                }
            };
            window::divide(merged, &fits, &rank)
        })
        .collect();
    parts.sort_by_key(|merged| merged.rank);
    parts
}

/// Maximum length of a passage in tokens, without a reranker.
const UNRANKED_TOKENS: usize = 512;

/// What the reranker found in the parts of the passages, by their hits.
#[derive(Default)]
struct Readings(HashMap<(DocumentId, Ordinal), (Part, Reading)>);

impl Readings {
    /// Those of a passage, in reading order.
    fn of<'a>(&'a self, merged: &'a MergedWindow) -> impl Iterator<Item = &'a (Part, Reading)> {
        merged.hits.iter().filter_map(|hit| self.0.get(&(hit.document, hit.ordinal)))
    }
}

/// Reads each candidate alone, and orders them by their logits.
fn read_sentences(
    reranker: &dyn Reranker,
    query: &Query,
    candidates: &mut [Candidate],
    documents: &LoadedDocuments,
    cancel: &CancelToken,
) -> Result<Readings, EngineError> {
    let parts: Vec<(DocumentId, Part)> =
        candidates.iter().map(|one| (one.document, Part::alone(one.ordinal))).collect();
    let read = read(reranker, query, &parts, documents, cancel)?;
    for (place, candidate) in candidates.iter_mut().enumerate() {
        if let Some((_, reading)) = read.0.get(&(candidate.document, candidate.ordinal)) {
            candidate.score = rerank::blend(reading.logit, place);
        }
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(read)
}

/// Reads the parts of each passage.
fn read_parts(
    reranker: &dyn Reranker,
    query: &Query,
    merged_windows: &[MergedWindow],
    documents: &LoadedDocuments,
    cancel: &CancelToken,
) -> Result<Readings, EngineError> {
    let parts: Vec<(DocumentId, Part)> = merged_windows
        .iter()
        .flat_map(|merged| rerank::parts(merged).into_iter().map(|part| (merged.document, part)))
        .collect();
    read(reranker, query, &parts, documents, cancel)
}

fn read(
    reranker: &dyn Reranker,
    query: &Query,
    parts: &[(DocumentId, Part)],
    documents: &LoadedDocuments,
    cancel: &CancelToken,
) -> Result<Readings, EngineError> {
    let texts: Vec<String> =
        parts.iter().map(|(document, part)| documents[document].plain(part.first, part.last)).collect();
    let readings = reranker.read(&query.question, &texts, cancel)?;
    let read = parts.iter().zip(readings);
    Ok(Readings(read.map(|((document, part), one)| ((*document, part.hit), (*part, one))).collect()))
}

/// The sentence of a passage that answers the question: that of the most promising part, if it is likely to answer. Without a
/// reranker it is the best hit.
fn answering_sentence(
    merged: &MergedWindow,
    read: &Readings,
    calibration: Option<Calibration>,
    loaded: &LoadedDocument,
) -> Option<AnsweringSentence> {
    let confidence = |reading: &Reading| calibration.map(|calibration| calibration.of_reading(reading));
    let promise = |reading: &Reading| confidence(reading).unwrap_or(reading.logit);
    let best = read.of(merged).max_by(|(_, a), (_, b)| promise(a).total_cmp(&promise(b)));
    let Some((part, reading)) = best else { return best_hit(merged, loaded) };
    let confidence = confidence(reading).unwrap_or(UNKNOWN_CONFIDENCE);
    if confidence < LEAST_CONFIDENCE {
        return None;
    }
    let (ByteSpan { start, end }, words) = place_of(*part, reading, loaded)?;
    Some(AnsweringSentence { start, end, words, confidence })
}

/// The sentence with the answer that was read in a part, and its words there; the hit if the model reads no words.
fn place_of(part: Part, reading: &Reading, loaded: &LoadedDocument) -> Option<(ByteSpan, Option<ByteSpan>)> {
    let words = reading.answer.as_ref();
    words
        .and_then(|words| loaded.sentence_with(part.first, part.last, words))
        .or_else(|| Some((loaded.rows.get(part.hit.0 as usize)?.span, None)))
}

fn best_hit(merged: &MergedWindow, loaded: &LoadedDocument) -> Option<AnsweringSentence> {
    let best = merged.hits.iter().max_by(|a, b| a.score.total_cmp(&b.score))?;
    let ByteSpan { start, end } = loaded.rows.get(best.ordinal.0 as usize)?.span;
    Some(AnsweringSentence { start, end, words: None, confidence: UNKNOWN_CONFIDENCE })
}

fn retriever_score(merged: &MergedWindow) -> f32 {
    merged.hits.iter().map(|hit| hit.score).fold(f32::NEG_INFINITY, f32::max)
}
