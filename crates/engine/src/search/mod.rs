//! From a question to its passages: retrieve, widen, merge, rerank, cut.
//!
//! - `query` is the question with its settings; `filter` limits the documents.
//! - `retrieve` finds sentences by meaning and by words, `loaded` reads their documents. Both use a retriever;
//!   `embedded` is that of the library's own store.
//! - `window` widens each sentence and merges windows that touch, `rerank` orders the passages, `rerank_cache` caches
//!   scores.
//! - `confidence` estimates whether the passages answer the question.
//! - `stages` and `trace` record how a result came about, `explain` tells why a document is not in it.
//! - `mentions` lists every document that contains the words of a question, `mention_spans` marks those words in a
//!   sentence.
//! - `named` finds the documents that a question names; `suggestions` proposes questions that documents answer.
//! - `survey` lists every document that mentions a thing, by meaning; `events` every sentence that gives the date of
//!   something.
//! - `identifiers` limits a question with an identifier to the documents that contain it, `time` one with a period to
//!   the documents of that period.
//! - `languages` decides which models can read which texts.

pub(crate) mod confidence;
#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod embedded;
pub(crate) mod events;
pub(crate) mod explain;
pub(crate) mod filter;
mod identifiers;
pub(crate) mod languages;
pub(crate) mod loaded;
mod mention_spans;
pub(crate) mod mentions;
pub(crate) mod named;
pub(crate) mod query;
pub(crate) mod rerank;
pub(crate) mod rerank_cache;
pub(crate) mod retrieve;
pub(crate) mod stages;
mod suggestions;
pub(crate) mod survey;
pub(crate) mod time;
pub(crate) mod trace;
pub(crate) mod window;

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::time::Instant;

use oriel_core::{
    AnsweringSentence, ByteSpan, Calibration, CancelToken, Candidate, DocumentId, Embedder, Location,
    Ordinal, Passage, Reading, Reranker, TimeLimit, Timings,
};
use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::files::milliseconds;
use crate::library::Library;
use crate::question::QueryPart;
use crate::search::confidence::{LEAST_CONFIDENCE, UNKNOWN_CONFIDENCE, confidence};
use crate::search::identifiers::Identified;
use crate::search::loaded::{LoadedDocument, LoadedDocuments, PassageSentence, load_documents};
use crate::search::query::{Query, RerankMode};
use crate::search::rerank::{Part, Wording};
use crate::search::retrieve::{PreparedQuery, Retrieved, candidate_count, prepare, retrieve};
use crate::search::stages::Stages;
use crate::search::time::Timed;
use crate::search::trace::{Fate, Trace};
use crate::search::window::MergedWindow;

/// The models of a search. Without an embedder it uses words only; without a reranker the retrieval order is kept.
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
    /// The passages, best first; no two share a sentence, unless merging was off.
    pub passages: Vec<Passage>,
    /// The probability that they answer the question, or the part that they answer best; 0 if nothing was found.
    pub confidence: f32,
    /// The parts that were searched for; one unless the question asks several things.
    pub parts: Vec<FoundPart>,
    /// The period or order that the question asks for, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeLimit>,
    /// How long each stage took.
    pub timings: Timings,
    #[serde(skip)]
    pub trace: Trace,
}

/// The result for a part of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundPart {
    #[serde(flatten)]
    pub searched: QueryPart,
    /// The probability that a passage answers this part.
    pub confidence: f32,
    /// The numbers of its passages, best first.
    pub passages: Vec<usize>,
}

/// A result with what is needed to make an answer from it.
pub(crate) struct SearchOutcome {
    pub result: SearchResult,
    /// The passages of each part in its order, numbered from 1, with its own scores and hits.
    pub material: Vec<Vec<Passage>>,
    /// The passages that are shown.
    shown: Vec<MergedWindow>,
    documents: LoadedDocuments,
    /// The ranks of each sentence in the retrieval lists.
    pub stages: Stages,
    /// Whether the reranker can read the question and the candidates. Otherwise it must not be used.
    pub can_read: bool,
    /// Whether no document contains what the question names, so that none can answer it.
    pub is_nowhere: bool,
}

impl SearchOutcome {
    /// The sentences of each passage, in reading order.
    pub(crate) fn sentences(&self) -> Vec<Vec<PassageSentence>> {
        self.shown.iter().map(|merged| self.documents[&merged.document].sentences(merged)).collect()
    }

    /// The location of the sentence of passage `n` that begins at byte `start`.
    pub(crate) fn location_of(&self, n: usize, start: u32) -> Option<Location> {
        let document = &self.documents[&self.shown.get(n.checked_sub(1)?)?.document];
        let (ordinal, _) = document.excerpt.rows.iter().find(|(_, row)| row.span.start == start)?;
        document.location(ordinal)
    }
}

/// The rank of a passage for one part of the query.
#[derive(Clone, Copy)]
struct Ranked {
    /// Its index among the merged windows.
    window: usize,
    score: f32,
    /// The reranker's logit, if it was read.
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

    /// Whether the library is so large that a search widens more sentences than the query asks for, if the reranker's
    /// speed ([`Query::pace`]) allows that.
    #[must_use]
    pub fn has_more_candidates(&self, query: &Query) -> bool {
        let size = self.read_index(|retriever| retriever.size()).ok().flatten();
        candidate_count(query, size, true) > query.candidates
    }

    /// A search that also returns the sentences of each passage.
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

/// Like [`search`], for a prepared query.
pub(crate) fn search_prepared(
    library: &Library,
    query: &Query,
    prepared: &PreparedQuery,
    models: &SearchModels<'_>,
    cancel: &CancelToken,
) -> Result<SearchOutcome, EngineError> {
    let mut timings = Timings { embed_ms: prepared.milliseconds, ..Timings::default() };
    // All of this reads one state of the index, so that a position cannot refer to another sentence in between.
    let (mut retrieved, found, documents) = library.read_index(|retriever| {
        let count = candidate_count(query, retriever.size()?, models.reranker.is_some());
        let retrieved = retrieve(retriever, models.embedder, prepared, query, count, &mut timings, cancel)?;
        let opening = Instant::now();
        let found = candidates_of(&retrieved);
        let documents = load_documents(retriever, &found, query.window, cancel)?;
        timings.window_ms = milliseconds(opening);
        Ok((retrieved, found, documents))
    })?;
    let stages = Stages::new(&retrieved);
    let searched = query.searched();
    let reader = models.reranker.filter(|reranker| can_read(*reranker, query, &found, &documents));
    let reranker = reader.filter(|_| query.rerank != RerankMode::Off);
    let mut read: Vec<Readings> = Vec::new();
    if let Some(reranker) = reranker.filter(|_| query.rerank == RerankMode::Sentence) {
        let ranking = Instant::now();
        for (part, retrieved) in searched.iter().zip(&mut retrieved) {
            let candidates = &mut retrieved.candidates;
            read.push(read_sentences(reranker, &part.question, candidates, &documents, cancel)?);
        }
        timings.rerank_ms = milliseconds(ranking);
    }
    let windows = Instant::now();
    let candidates = candidates_of(&retrieved);
    let merged_windows = widen(query, &candidates, &documents, reader);
    timings.window_ms += milliseconds(windows);
    let of_parts: Vec<Vec<(usize, MergedWindow)>> =
        retrieved.iter().map(|part| windows_of(&merged_windows, &part.candidates)).collect();
    if let Some(reranker) = reranker.filter(|_| query.rerank == RerankMode::Passage) {
        let ranking = Instant::now();
        for (part, windows) in searched.iter().zip(&of_parts) {
            read.push(read_parts(reranker, &part.question, windows, &documents, cancel)?);
        }
        timings.rerank_ms = milliseconds(ranking);
    }
    read.resize_with(searched.len(), Readings::default);

    let ranks: Vec<Vec<Ranked>> =
        of_parts.iter().zip(&read).map(|(windows, read)| rank(query, windows, read)).collect();
    // A passage keeps the score of the first part that it matched.
    let mut ranked = in_turn(ranks.iter(), |one| one.window);
    if searched.len() == 1 && reranker.is_some() {
        let page =
            |one: &Ranked| documents[&merged_windows[one.window].document].pages(&merged_windows[one.window]);
        ranked = new_pages_first(ranked, page);
    }
    let place = |one: &Ranked| {
        let merged = &merged_windows[one.window];
        (merged, &documents[&merged.document])
    };
    let wording = |one| {
        let (merged, loaded) = place(one);
        loaded.wording(merged)
    };
    let texts: Vec<Wording> = ranked.iter().map(wording).collect();
    let order = rerank::best_copies_first(&texts, |at| place(&ranked[at]).1.standing());
    let ranked: Vec<Ranked> = order.iter().map(|&at| ranked[at]).collect();
    // Every part gets at least one passage.
    let fates = rerank::cut(order.iter().map(|&at| &texts[at]), query.top.max(searched.len()), query.merge);
    let calibration = reranker.and_then(Reranker::calibration);
    let (mut passages, mut shown, mut traced) = (Vec::new(), Vec::new(), Vec::new());
    let mut numbers = HashMap::new();
    for (Ranked { window, score, logit }, fate) in ranked.into_iter().zip(fates) {
        let merged = &merged_windows[window];
        let loaded = &documents[&merged.document];
        traced.extend(stages.passage(merged, loaded, logit, score, fate));
        if let Fate::Shown { n } = fate {
            let answer = answering_sentence(merged, &read, calibration, loaded);
            passages.extend(loaded.passage(n, merged, score, answer));
            shown.push(merged.clone());
            numbers.insert(window, n);
        }
        if let Fate::SameText { n } = fate
            && let Some(same) = passages.iter_mut().find(|passage: &&mut Passage| passage.n == n)
        {
            same.also.extend(loaded.also_in(merged));
        }
    }
    let of_similarity = models.embedder.and_then(Embedder::calibration);
    let (mut parts, mut material) = (Vec::new(), Vec::new());
    for (((part, read), (ranked, windows)), retrieved) in
        searched.iter().zip(&read).zip(ranks.iter().zip(&of_parts)).zip(&retrieved)
    {
        let (mut numbers_of_part, mut own) = (Vec::new(), Vec::new());
        for one in ranked {
            let Some(&n) = numbers.get(&one.window) else { continue };
            let Some((_, merged)) = windows.iter().find(|(window, _)| *window == one.window) else {
                continue;
            };
            numbers_of_part.push(n);
            let loaded = &documents[&merged.document];
            let answer = most_promising(merged, std::slice::from_ref(read), calibration, loaded);
            own.extend(loaded.passage(numbers_of_part.len(), merged, one.score, answer));
        }
        let of_readings = shown
            .iter()
            .flat_map(|merged| read.of(merged))
            .filter_map(|(_, reading)| Some(calibration?.of_reading(reading)));
        let confidence = match numbers_of_part.is_empty() {
            true => 0.0,
            false => confidence(of_readings.reduce(f32::max), retrieved.best_similarity, of_similarity),
        };
        parts.push(FoundPart { searched: part.clone(), confidence, passages: numbers_of_part });
        material.push(own);
    }
    let confidence = parts.iter().map(|part| part.confidence).fold(0.0, f32::max);
    let sum = |list: fn(&Retrieved) -> usize| retrieved.iter().map(list).sum();
    let trace = Trace {
        dense: sum(|part| part.dense.len()),
        sparse: sum(|part| part.sparse.len()),
        fused: sum(|part| part.fused.len()),
        candidates: candidates.len(),
        passages: traced,
        prompt: None,
    };
    timings.total_ms = milliseconds(prepared.begun);
    let result = SearchResult { passages, confidence, parts, time: None, timings, trace };
    Ok(SearchOutcome {
        result,
        material,
        shown,
        documents,
        stages,
        can_read: reader.is_some(),
        is_nowhere: false,
    })
}

/// The candidates of all parts.
fn candidates_of(parts: &[Retrieved]) -> Vec<Candidate> {
    in_turn(parts.iter().map(|part| &part.candidates), Candidate::position)
}

/// Merges the lists of all parts in turn; an item with a known key is left out.
fn in_turn<'a, T: Copy + 'a, K: Eq + Hash>(
    parts: impl Iterator<Item = &'a Vec<T>>,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let parts: Vec<&Vec<T>> = parts.collect();
    let longest = parts.iter().map(|part| part.len()).max().unwrap_or_default();
    let mut seen = HashSet::new();
    (0..longest)
        .flat_map(|place| parts.iter().filter_map(move |part| part.get(place)))
        .filter(|one| seen.insert(key(one)))
        .copied()
        .collect()
}

/// The same passages, with those last that add no new page. Another page tells more than the same page again.
fn new_pages_first<T>(passages: Vec<T>, pages_of: impl Fn(&T) -> Vec<(DocumentId, u32)>) -> Vec<T> {
    let mut seen = HashSet::new();
    let (mut new, behind): (Vec<T>, Vec<T>) = passages.into_iter().partition(|passage| {
        let pages = pages_of(passage);
        let before = seen.len();
        seen.extend(pages.iter().copied());
        pages.is_empty() || seen.len() > before
    });
    new.extend(behind);
    new
}

/// The retrieval rank of each candidate, from 0.
fn ranks_of(candidates: &[Candidate]) -> HashMap<(DocumentId, Ordinal), usize> {
    (0..).zip(candidates).map(|(rank, one)| (one.position(), rank)).collect()
}

/// The merged windows that contain candidates of a part, each with its index and only these hits, in retrieval order.
fn windows_of(merged_windows: &[MergedWindow], candidates: &[Candidate]) -> Vec<(usize, MergedWindow)> {
    let ranks = ranks_of(candidates);
    let rank = |hit: &Candidate| ranks.get(&hit.position()).copied();
    let mut windows: Vec<(usize, MergedWindow)> = (0..)
        .zip(merged_windows)
        .filter_map(|(place, merged)| {
            let best = merged.hits.iter().filter_map(rank).min()?;
            let hits = merged.hits.iter().filter_map(|hit| Some(candidates[rank(hit)?])).collect();
            Some((place, MergedWindow { hits, rank: best, ..*merged }))
        })
        .collect();
    windows.sort_by_key(|(_, merged)| merged.rank);
    windows
}

/// The windows of a part by their scores, best first.
fn rank(query: &Query, windows: &[(usize, MergedWindow)], read: &Readings) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = (0..)
        .zip(windows)
        .map(|(place, (window, merged))| {
            let logit = read.of(merged).map(|(_, reading)| reading.logit).reduce(f32::max);
            let score = match logit {
                Some(logit) if query.rerank == RerankMode::Passage => rerank::blend(logit, place),
                _ => retriever_score(merged),
            };
            Ranked { window: *window, score, logit }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    ranked
}

/// Whether the reranker can read the question and the candidates. A reranker for English cannot order passages in
/// Hindi.
fn can_read(
    reranker: &dyn Reranker,
    query: &Query,
    candidates: &[Candidate],
    documents: &LoadedDocuments,
) -> bool {
    let text = |one: &Candidate| documents[&one.document].plain(one.ordinal.0, one.ordinal.0);
    let found: String = candidates.iter().map(text).collect();
    languages::can_read(reranker.languages(), &[&query.question, &found])
}

/// Widens and merges the candidates, and splits passages that are too long for the reranker. Without a reranker the
/// length is estimated at four bytes per token.
fn widen(
    query: &Query,
    candidates: &[Candidate],
    documents: &LoadedDocuments,
    reranker: Option<&dyn Reranker>,
) -> Vec<MergedWindow> {
    let unit = |document, ordinal| documents[&document].unit(ordinal);
    let merged_windows = window::widen(candidates, query.window, query.merge, unit);
    let ranks = ranks_of(candidates);
    let rank = |hit: &Candidate| ranks.get(&hit.position()).copied().unwrap_or(usize::MAX);
    let mut parts: Vec<MergedWindow> = merged_windows
        .into_iter()
        .flat_map(|merged| {
            let loaded = &documents[&merged.document];
            let fits = |first, last| {
                let text = loaded.in_context(first, last);
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

/// The reranker's readings of the parts of passages, by their hits.
#[derive(Default)]
struct Readings(HashMap<(DocumentId, Ordinal), (Part, Reading)>);

impl Readings {
    /// The readings of a passage, in reading order.
    fn of<'a>(&'a self, merged: &'a MergedWindow) -> impl Iterator<Item = &'a (Part, Reading)> {
        merged.hits.iter().filter_map(|hit| self.0.get(&hit.position()))
    }
}

/// Reads each candidate without its neighbours, and orders them by logit and retrieval rank.
fn read_sentences(
    reranker: &dyn Reranker,
    question: &str,
    candidates: &mut [Candidate],
    documents: &LoadedDocuments,
    cancel: &CancelToken,
) -> Result<Readings, EngineError> {
    let parts: Vec<(DocumentId, Part)> =
        candidates.iter().map(|one| (one.document, Part::alone(one.ordinal))).collect();
    let read = read(reranker, question, &parts, documents, cancel)?;
    for (place, candidate) in candidates.iter_mut().enumerate() {
        if let Some((_, reading)) = read.0.get(&candidate.position()) {
            candidate.score = rerank::blend(reading.logit, place);
        }
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(read)
}

/// Reads the parts of each passage.
fn read_parts(
    reranker: &dyn Reranker,
    question: &str,
    windows: &[(usize, MergedWindow)],
    documents: &LoadedDocuments,
    cancel: &CancelToken,
) -> Result<Readings, EngineError> {
    let parts: Vec<(DocumentId, Part)> = windows
        .iter()
        .flat_map(|(_, merged)| rerank::parts(merged).into_iter().map(|part| (merged.document, part)))
        .collect();
    read(reranker, question, &parts, documents, cancel)
}

fn read(
    reranker: &dyn Reranker,
    question: &str,
    parts: &[(DocumentId, Part)],
    documents: &LoadedDocuments,
    cancel: &CancelToken,
) -> Result<Readings, EngineError> {
    let texts: Vec<String> =
        parts.iter().map(|(document, part)| documents[document].in_context(part.first, part.last)).collect();
    let readings = reranker.read(question, &texts, cancel)?;
    let read = parts.iter().zip(readings);
    Ok(Readings(read.map(|((document, part), one)| ((*document, part.hit), (*part, one))).collect()))
}

/// The sentence of a passage that answers the question, if it is likely to.
fn answering_sentence(
    merged: &MergedWindow,
    read: &[Readings],
    calibration: Option<Calibration>,
    loaded: &LoadedDocument,
) -> Option<AnsweringSentence> {
    most_promising(merged, read, calibration, loaded).filter(|answer| answer.confidence >= LEAST_CONFIDENCE)
}

/// The sentence of a passage that most likely answers the question: in the most promising part, or without a reranker
/// the best hit.
fn most_promising(
    merged: &MergedWindow,
    read: &[Readings],
    calibration: Option<Calibration>,
    loaded: &LoadedDocument,
) -> Option<AnsweringSentence> {
    let confidence = |reading: &Reading| calibration.map(|calibration| calibration.of_reading(reading));
    let promise = |reading: &Reading| confidence(reading).unwrap_or(reading.logit);
    let best = read
        .iter()
        .flat_map(|read| read.of(merged))
        .max_by(|(_, a), (_, b)| promise(a).total_cmp(&promise(b)));
    let Some((part, reading)) = best else { return best_hit(merged, loaded) };
    let confidence = confidence(reading).unwrap_or(UNKNOWN_CONFIDENCE);
    let (ByteSpan { start, end }, words) = place_of(*part, reading, loaded)?;
    Some(AnsweringSentence { start, end, words, confidence })
}

/// The sentence with the answer that was read in a part, and the words of the answer; the hit if the model reads no
/// words. A heading does not answer, but the text below it may.
fn place_of(part: Part, reading: &Reading, loaded: &LoadedDocument) -> Option<(ByteSpan, Option<ByteSpan>)> {
    let words = reading.answer.as_ref();
    words
        .and_then(|words| loaded.sentence_with(part.first, part.last, words))
        .or_else(|| Some((loaded.below_heading(part)?, None)))
}

fn best_hit(merged: &MergedWindow, loaded: &LoadedDocument) -> Option<AnsweringSentence> {
    let best = merged.hits.iter().max_by(|a, b| a.score.total_cmp(&b.score))?;
    let part = Part { hit: best.ordinal, first: merged.first, last: merged.last };
    let ByteSpan { start, end } = loaded.below_heading(part)?;
    Some(AnsweringSentence { start, end, words: None, confidence: UNKNOWN_CONFIDENCE })
}

fn retriever_score(merged: &MergedWindow) -> f32 {
    merged.hits.iter().map(|hit| hit.score).fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_of_a_page_that_was_seen_goes_behind() {
        let on = |document, page| vec![(DocumentId(document), page)];
        let passages = [on(1, 3), on(1, 3), on(2, 3), Vec::new(), on(1, 4), Vec::new()];
        let order = new_pages_first((0..passages.len()).collect(), |&at| passages[at].clone());
        assert_eq!(order, [0, 2, 3, 4, 5, 1], "texts without pages stay where they are");
    }
}
