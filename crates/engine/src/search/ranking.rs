//! The order of the passages: the reranker reads them for each part of a question, copies and what adds nothing is cut.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::time::Instant;

use oriel_core::{
    AnsweringSentence, ByteSpan, Calibration, CancelToken, Candidate, DocumentId, Ordinal, Passage, Reading,
    Reranker, Timings,
};
use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::files::milliseconds;
use crate::question::QueryPart;
use crate::search::confidence::{LEAST_CONFIDENCE, UNKNOWN_CONFIDENCE, confidence};
use crate::search::loaded::{LoadedDocument, LoadedDocuments};
use crate::search::query::{Query, RerankMode};
use crate::search::rerank::{Part, Wording};
use crate::search::retrieve::Retrieved;
use crate::search::stages::Stages;
use crate::search::trace::{Fate, TracedPassage};
use crate::search::window::MergedWindow;
use crate::search::{languages, rerank, window};

/// What was found for a part of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundPart {
    /// What was searched for.
    #[serde(flatten)]
    pub searched: QueryPart,
    /// The probability that a passage answers it.
    pub confidence: f32,
    /// The numbers of its passages, best first.
    pub passages: Vec<usize>,
}

/// A passage as it ranks for a part of the query.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    /// Its place among the merged windows.
    window: usize,
    score: f32,
    /// The reranker's logit, if it was asked.
    logit: Option<f32>,
}

/// The passages of a search in the order of each part.
pub(super) struct Ranking {
    /// What was retrieved for each part.
    pub retrieved: Vec<Retrieved>,
    merged_windows: Vec<MergedWindow>,
    /// For each part its windows with their places among all, in retrieval order.
    windows: Vec<Vec<(usize, MergedWindow)>>,
    /// For each part what the reranker read.
    read: Vec<Readings>,
    /// For each part its windows, best first.
    ranks: Vec<Vec<Ranked>>,
    is_reranked: bool,
}

impl Ranking {
    /// Widens what was retrieved, and has the reranker read sentences or passages.
    pub(super) fn of(
        query: &Query,
        mut retrieved: Vec<Retrieved>,
        documents: &LoadedDocuments,
        reader: Option<&dyn Reranker>,
        timings: &mut Timings,
        cancel: &CancelToken,
    ) -> Result<Self, EngineError> {
        let searched = query.searched();
        let reranker = reader.filter(|_| query.rerank != RerankMode::Off);
        let mut read: Vec<Readings> = Vec::new();
        if let Some(reranker) = reranker.filter(|_| query.rerank == RerankMode::Sentence) {
            let begun = Instant::now();
            for (part, retrieved) in searched.iter().zip(&mut retrieved) {
                let candidates = &mut retrieved.candidates;
                read.push(read_sentences(reranker, &part.question, candidates, documents, cancel)?);
            }
            timings.rerank_ms = milliseconds(begun);
        }
        let begun = Instant::now();
        let merged_windows = widen(query, &candidates_of(&retrieved), documents, reader);
        timings.window_ms += milliseconds(begun);
        let windows: Vec<Vec<(usize, MergedWindow)>> =
            retrieved.iter().map(|part| windows_of(&merged_windows, &part.candidates)).collect();
        if let Some(reranker) = reranker.filter(|_| query.rerank == RerankMode::Passage) {
            let begun = Instant::now();
            for (part, windows) in searched.iter().zip(&windows) {
                read.push(read_parts(reranker, &part.question, windows, documents, cancel)?);
            }
            timings.rerank_ms = milliseconds(begun);
        }
        read.resize_with(searched.len(), Readings::default);
        let ranks = windows.iter().zip(&read).map(|(windows, read)| rank(query, windows, read)).collect();
        let is_reranked = reranker.is_some();
        Ok(Self { retrieved, merged_windows, windows, read, ranks, is_reranked })
    }

    /// The passages of all parts in turn, the best copy of each text first, each with what becomes of it. A passage has the score of the
    /// first part that takes it.
    pub(super) fn cut(&self, query: &Query, documents: &LoadedDocuments) -> Vec<(Ranked, Fate)> {
        let place = |one: &Ranked| {
            let merged = &self.merged_windows[one.window];
            (merged, &documents[&merged.document])
        };
        let mut ranked = in_turn(self.ranks.iter(), |one| one.window);
        if self.ranks.len() == 1 && self.is_reranked {
            ranked = new_pages_first(ranked, |one| {
                let (merged, loaded) = place(one);
                loaded.pages(merged)
            });
        }
        let wording = |one| {
            let (merged, loaded) = place(one);
            loaded.wording(merged)
        };
        let texts: Vec<Wording> = ranked.iter().map(wording).collect();
        let order = rerank::best_copies_first(&texts, |at| place(&ranked[at]).1.standing());
        // Every part gets a passage.
        let top = query.top.max(self.ranks.len());
        let fates = rerank::cut(order.iter().map(|&at| &texts[at]), top, query.merge);
        order.iter().map(|&at| ranked[at]).zip(fates).collect()
    }

    /// The passages that are shown, numbered, with a trace of all.
    pub(super) fn assemble(
        &self,
        cut: Vec<(Ranked, Fate)>,
        documents: &LoadedDocuments,
        stages: &Stages,
        calibration: Option<Calibration>,
    ) -> Assembled {
        let mut assembled = Assembled::default();
        for (Ranked { window, score, logit }, fate) in cut {
            let merged = &self.merged_windows[window];
            let loaded = &documents[&merged.document];
            assembled.traced.extend(stages.passage(merged, loaded, logit, score, fate));
            if let Fate::Shown { n } = fate {
                let answer = answering_sentence(merged, &self.read, calibration, loaded);
                assembled.passages.extend(loaded.passage(n, merged, score, answer));
                assembled.shown.push(merged.clone());
                assembled.numbers.insert(window, n);
            }
            if let Fate::SameText { n } = fate
                && let Some(same) = assembled.passages.iter_mut().find(|passage| passage.n == n)
            {
                same.also.extend(loaded.also_in(merged));
            }
        }
        assembled
    }

    /// What was found for the part `at`, and its passages numbered from 1 in its own order.
    pub(super) fn part(
        &self,
        at: usize,
        searched: &QueryPart,
        assembled: &Assembled,
        documents: &LoadedDocuments,
        (calibration, of_similarity): (Option<Calibration>, Option<Calibration>),
    ) -> (FoundPart, Vec<Passage>) {
        let read = &self.read[at];
        let (mut passages, mut own) = (Vec::new(), Vec::new());
        for one in &self.ranks[at] {
            let window = self.windows[at].iter().find(|(window, _)| *window == one.window);
            let (Some(&n), Some((_, merged))) = (assembled.numbers.get(&one.window), window) else {
                continue;
            };
            passages.push(n);
            let loaded = &documents[&merged.document];
            let answer = most_promising(merged, std::slice::from_ref(read), calibration, loaded);
            own.extend(loaded.passage(passages.len(), merged, one.score, answer));
        }
        let shown = assembled.shown.iter().flat_map(|merged| read.of(merged));
        let of_readings = shown.filter_map(|(_, reading)| Some(calibration?.of_reading(reading)));
        let confidence = match passages.is_empty() {
            true => 0.0,
            false => {
                let best = of_readings.reduce(f32::max);
                confidence(best, self.retrieved[at].best_similarity, of_similarity)
            }
        };
        (FoundPart { searched: searched.clone(), confidence, passages }, own)
    }
}

/// The passages that are shown.
#[derive(Default)]
pub(super) struct Assembled {
    pub passages: Vec<Passage>,
    pub shown: Vec<MergedWindow>,
    pub traced: Vec<TracedPassage>,
    /// Their numbers, by their places among the merged windows.
    numbers: HashMap<usize, usize>,
}

/// The candidates of all parts.
pub(super) fn candidates_of(parts: &[Retrieved]) -> Vec<Candidate> {
    in_turn(parts.iter().map(|part| &part.candidates), Candidate::position)
}

/// What the parts have, in turn and each once by its key.
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

/// The same passages, with those behind that add no page to the ones before. Another page tells more than the same one again.
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

/// The merged windows that hold candidates of a part, each with its place and only with these hits, in retrieval order.
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

/// Whether the reranker can read the question and the candidates. A reranker for English cannot order passages in Hindi.
pub(super) fn can_read(
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

/// What the reranker found in the parts of the passages, by their hits.
#[derive(Default)]
struct Readings(HashMap<(DocumentId, Ordinal), (Part, Reading)>);

impl Readings {
    /// Those of a passage, in reading order.
    fn of<'a>(&'a self, merged: &'a MergedWindow) -> impl Iterator<Item = &'a (Part, Reading)> {
        merged.hits.iter().filter_map(|hit| self.0.get(&hit.position()))
    }
}

/// Reads each candidate without its neighbours, and orders them by their logits and their places.
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

/// The sentence of a passage that is most likely to answer the question: that of the most promising part, without a reranker the best
/// hit.
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

/// The sentence with the answer that was read in a part, and its words there; the hit if the model reads no words. A heading
/// answers nothing: what stands below it does.
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
