//! Retrieval: from a query to candidate sentences, by meaning, by words, or both fused.

use std::collections::HashMap;
use std::time::Instant;

use oriel_core::{CancelToken, DocumentId, Embedder, Ordinal, SentenceId, TextKind, Timings};
use oriel_store::{DenseHit, View};
use oriel_text::terms;
use roaring::RoaringBitmap;

use crate::error::EngineError;
use crate::search::query::{Mode, Query};
use crate::search::window::Candidate;

/// The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).
const RRF_CONSTANT: f32 = 60.0;
/// What a list of another wording counts in the fusion, against a list of the question itself. Measured in
/// `docs/benchmarks.md`.
const WORDING_WEIGHT: f32 = 0.5;
/// Minimum number of sentences that each retriever passes to the fusion.
const MIN_DEPTH: usize = 50;
/// Number of sentences that two-step retrieves by words.
const TWO_STEP_DEPTH: usize = 200;
/// Maximum number of occurrences of one sentence among the candidates.
const MAX_OCCURRENCES: usize = 8;

/// A text prepared for the retrievers.
pub(crate) struct PreparedText {
    /// Its vector, for the search by meaning; `None` without an embedder.
    pub vector: Option<Vec<f32>>,
    /// Its terms, for the search by words.
    pub words: Vec<String>,
}

/// A part of a query prepared for the retrievers.
pub(crate) struct PreparedPart {
    pub question: PreparedText,
    wordings: Vec<PreparedText>,
}

/// A query prepared for the retrievers.
pub(crate) struct PreparedQuery {
    /// What is searched for, at least one.
    pub parts: Vec<PreparedPart>,
    /// When preparation began.
    pub begun: Instant,
    /// How long the vectors took.
    pub milliseconds: f64,
}

/// Computes the vectors and terms of what is searched for.
pub(crate) fn prepare(
    embedder: Option<&dyn Embedder>,
    query: &Query,
    cancel: &CancelToken,
) -> Result<PreparedQuery, EngineError> {
    let begun = Instant::now();
    let searched = query.searched();
    let texts: Vec<String> = searched
        .iter()
        .flat_map(|part| std::iter::once(&part.question).chain(&part.wordings).cloned())
        .collect();
    let vectors = match embedder {
        Some(embedder) if query.mode != Mode::Sparse => embedder.embed(&texts, TextKind::Query, cancel)?,
        _ => Vec::new(),
    };
    let mut vectors = vectors.into_iter();
    let mut prepared = |text: &String| PreparedText { vector: vectors.next(), words: terms(text) };
    let mut parts = Vec::with_capacity(searched.len());
    for part in searched.iter() {
        let question = prepared(&part.question);
        parts.push(PreparedPart { question, wordings: part.wordings.iter().map(&mut prepared).collect() });
    }
    Ok(PreparedQuery { parts, begun, milliseconds: milliseconds(begun) })
}

/// What was retrieved for a part of a query. Every list is best first and holds each position once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Retrieved {
    /// The sentences that are widened.
    pub candidates: Vec<Candidate>,
    /// All sentences that the question finds by meaning.
    pub dense: Vec<Candidate>,
    /// All sentences that the question finds by words.
    pub sparse: Vec<Candidate>,
    /// Both lists and those of other wordings fused; empty if there is only one list.
    pub fused: Vec<Candidate>,
    /// The highest cosine similarity; `None` if nothing was searched by meaning.
    pub best_similarity: Option<f32>,
}

/// The number of sentences that each retriever returns.
pub(crate) fn depth(query: &Query) -> usize {
    match query.mode {
        Mode::TwoStep => TWO_STEP_DEPTH,
        _ => MIN_DEPTH.max(query.candidates),
    }
}

/// Finds the best sentences for each part of a query.
pub(crate) fn retrieve(
    view: &View<'_>,
    embedder: Option<&dyn Embedder>,
    prepared: &PreparedQuery,
    query: &Query,
    timings: &mut Timings,
) -> Result<Vec<Retrieved>, EngineError> {
    if prepared.parts.iter().any(|part| part.question.vector.is_some()) {
        check_embedder(view, embedder)?;
    }
    let documents = query.filter.documents(view)?;
    let among = documents.as_ref().map(|documents| view.sentences_of(documents)).transpose()?;
    let admitted = Admitted { documents: documents.as_ref(), sentences: among.as_ref() };
    let part = |part: &PreparedPart| {
        let own = Lists::of(view, &part.question, query, admitted, timings)?;
        let other = part.wordings.iter().map(|text| Lists::of(view, text, query, admitted, timings));
        let other = other.collect::<Result<Vec<_>, _>>()?;
        let mut lists = own.ranked(query.mode, 1.0);
        lists.extend(other.iter().flat_map(|lists| lists.ranked(query.mode, WORDING_WEIGHT)));
        let fused = if lists.len() > 1 { fuse(&lists) } else { Vec::new() };
        let best = match &lists[..] {
            [(only, _)] => only,
            _ => &fused[..],
        };
        let candidates = best.iter().take(query.candidates).copied().collect();
        let Lists { dense, sparse, best_similarity } = own;
        Ok(Retrieved { candidates, dense: dense.unwrap_or_default(), sparse, fused, best_similarity })
    };
    prepared.parts.iter().map(part).collect()
}

/// What a filter admits; everything if it is none.
#[derive(Clone, Copy)]
struct Admitted<'a> {
    documents: Option<&'a RoaringBitmap>,
    /// Their sentences.
    sentences: Option<&'a RoaringBitmap>,
}

/// The sentences that a text finds, best first.
struct Lists {
    /// By meaning; `None` if it was not searched by meaning.
    dense: Option<Vec<Candidate>>,
    /// By words.
    sparse: Vec<Candidate>,
    best_similarity: Option<f32>,
}

impl Lists {
    fn of(
        view: &View<'_>,
        text: &PreparedText,
        query: &Query,
        admitted: Admitted<'_>,
        timings: &mut Timings,
    ) -> Result<Self, EngineError> {
        let (mode, depth) = (query.mode, depth(query));
        let begun = Instant::now();
        let sparse = match mode {
            Mode::Dense => Vec::new(),
            _ => places_by_words(view, &text.words, admitted.documents, depth)?,
        };
        timings.sparse_ms += milliseconds(begun);
        let begun = Instant::now();
        let mut best_similarity = None;
        let dense = match (&text.vector, mode) {
            (None, _) | (_, Mode::Sparse) => None,
            (Some(vector), Mode::TwoStep) => {
                let sentences = sentences_at(view, &sparse)?;
                let ids: Vec<SentenceId> = sentences.iter().map(|&(id, _)| id).collect();
                let hits = view.rank_dense(vector, &distinct(ids))?;
                best_similarity = hits.first().map(|hit| hit.similarity);
                Some(order_places(&hits, &sentences))
            }
            (Some(vector), _) => {
                let hits = view.search_dense(vector, admitted.sentences, depth)?;
                best_similarity = hits.first().map(|hit| hit.similarity);
                Some(places_of(view, &hits, admitted.documents, depth)?)
            }
        };
        timings.dense_ms += milliseconds(begun);
        Ok(Self { dense, sparse, best_similarity })
    }

    /// The lists that count in a mode, with their weight.
    fn ranked(&self, mode: Mode, weight: f32) -> Vec<(&[Candidate], f32)> {
        match (mode, &self.dense) {
            (Mode::Hybrid, Some(dense)) => vec![(dense, weight), (&self.sparse, weight)],
            (Mode::Dense | Mode::TwoStep, Some(dense)) => vec![(dense, weight)],
            _ => vec![(&self.sparse, weight)],
        }
    }
}

/// Refuses to compare vectors of two embedders.
pub(crate) fn check_embedder(view: &View<'_>, embedder: Option<&dyn Embedder>) -> Result<(), EngineError> {
    match (view.embedder()?, embedder) {
        (Some(stored), Some(embedder)) if stored.fingerprint != embedder.fingerprint() => {
            Err(EngineError::OtherEmbedder { stored: stored.fingerprint })
        }
        _ => Ok(()),
    }
}

fn places_by_words(
    view: &View<'_>,
    words: &[String],
    documents: Option<&RoaringBitmap>,
    limit: usize,
) -> Result<Vec<Candidate>, EngineError> {
    let hits = view.search_sparse(words, documents, limit)?;
    let place = |hit: oriel_store::SparseHit| Candidate {
        document: hit.document,
        ordinal: hit.ordinal,
        score: hit.score,
    };
    Ok(hits.into_iter().map(place).collect())
}

/// The positions of the sentences in `hits`, in their order, at most `limit`.
fn places_of(
    view: &View<'_>,
    hits: &[DenseHit],
    documents: Option<&RoaringBitmap>,
    limit: usize,
) -> Result<Vec<Candidate>, EngineError> {
    let mut places = Vec::with_capacity(hits.len());
    for hit in hits {
        let mut taken = 0;
        for document in view.occurrences(hit.sentence)? {
            let document = document?;
            if documents.is_some_and(|documents| !documents.contains(document.0)) {
                continue;
            }
            for ordinal in view.table(document)?.ordinals_of(hit.sentence) {
                if taken < MAX_OCCURRENCES {
                    places.push(Candidate { document, ordinal, score: hit.similarity });
                    taken += 1;
                }
            }
            if taken == MAX_OCCURRENCES {
                break;
            }
        }
        if places.len() >= limit {
            break;
        }
    }
    places.truncate(limit);
    Ok(places)
}

fn sentences_at(view: &View<'_>, places: &[Candidate]) -> Result<Vec<(SentenceId, Candidate)>, EngineError> {
    let mut sentences = Vec::with_capacity(places.len());
    for &place in places {
        if let Some(row) = view.table(place.document)?.get(place.ordinal) {
            sentences.push((row.id, place));
        }
    }
    Ok(sentences)
}

fn distinct(mut ids: Vec<SentenceId>) -> Vec<SentenceId> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn order_places(hits: &[DenseHit], sentences: &[(SentenceId, Candidate)]) -> Vec<Candidate> {
    let similarity: HashMap<_, _> = hits.iter().map(|hit| (hit.sentence, hit.similarity)).collect();
    let mut places: Vec<Candidate> = sentences
        .iter()
        .filter_map(|(id, place)| similarity.get(id).map(|&score| Candidate { score, ..*place }))
        .collect();
    places.sort_by(|a, b| b.score.total_cmp(&a.score));
    places
}

/// What a rank in one list adds to the fused score; `rank` counts from 1.
pub(crate) fn reciprocal(rank: usize) -> f32 {
    1.0 / (RRF_CONSTANT + rank as f32)
}

/// Reciprocal rank fusion: each list adds its weight / (60 + rank). Ties in the order of documents.
fn fuse(lists: &[(&[Candidate], f32)]) -> Vec<Candidate> {
    let mut scores: HashMap<(DocumentId, Ordinal), f32> = HashMap::new();
    for (list, weight) in lists {
        for (rank, candidate) in list.iter().enumerate() {
            *scores.entry(candidate.position()).or_default() += weight * reciprocal(rank + 1);
        }
    }
    let mut fused: Vec<Candidate> = scores
        .into_iter()
        .map(|((document, ordinal), score)| Candidate { document, ordinal, score })
        .collect();
    fused.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then((a.document, a.ordinal).cmp(&(b.document, b.ordinal)))
    });
    fused
}

/// Since `begun`, in milliseconds.
pub(crate) fn milliseconds(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(ordinal: u32) -> Candidate {
        Candidate { document: DocumentId(0), ordinal: Ordinal(ordinal), score: 0.0 }
    }

    #[test]
    fn what_both_lists_know_comes_before_what_one_knows() {
        let fused = fuse(&[(&[candidate(1), candidate(2)], 1.0), (&[candidate(3), candidate(2)], 1.0)]);
        let order: Vec<_> = fused.iter().map(|candidate| candidate.ordinal.0).collect();
        assert_eq!(order, [2, 1, 3]);
        assert!((fused[0].score - 2.0 / 62.0).abs() < 1e-6);
    }
}
