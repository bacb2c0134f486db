//! Retrieval: from a query to candidate sentences, by meaning, by words, or both fused.

use std::collections::HashMap;
use std::time::Instant;

use crate::error::EngineError;
use crate::files::milliseconds;
use crate::library::sentences::question_terms;
use crate::library::source::AnyRetriever;
use crate::search::query::{Mode, Query, RerankMode};
use oriel_core::{
    CancelToken, Candidate, DocumentId, Embedder, HitLists, Ordinal, TextKind, TextQuery, Timings,
};

/// The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).
const RRF_CONSTANT: f32 = 60.0;
/// The weight of another wording's list in the fusion, relative to a list of the question itself. Measured in
/// `docs/benchmarks.md`.
const WORDING_WEIGHT: f32 = 0.5;
/// Minimum number of sentences that each retriever passes to the fusion.
const MIN_DEPTH: usize = 50;
/// Number of sentences that two-step mode retrieves by words.
const TWO_STEP_DEPTH: usize = 200;

/// A text prepared for the retrievers.
pub(crate) struct PreparedText {
    /// Its vector, for the search by meaning; `None` without an embedder.
    pub vector: Option<Vec<f32>>,
    /// Its terms, for the search by words.
    pub words: Vec<String>,
}

impl PreparedText {
    /// The query for the index in a mode.
    fn query(&self, mode: Mode) -> TextQuery<'_> {
        let vector = self.vector.as_deref().filter(|_| matches!(mode, Mode::Hybrid | Mode::Dense));
        let words = if mode == Mode::Dense { &[] } else { &self.words[..] };
        TextQuery { vector, words }
    }
}

/// A part of a query prepared for the retrievers.
pub(crate) struct PreparedPart {
    pub question: PreparedText,
    wordings: Vec<PreparedText>,
}

impl PreparedPart {
    /// The question and its other wordings.
    fn texts(&self) -> impl Iterator<Item = &PreparedText> {
        std::iter::once(&self.question).chain(&self.wordings)
    }
}

/// A query prepared for the retrievers.
pub(crate) struct PreparedQuery {
    /// The parts to search for, at least one.
    pub parts: Vec<PreparedPart>,
    /// When preparation began.
    pub begun: Instant,
    /// How long the vectors took.
    pub milliseconds: f64,
}

/// Computes the vectors and terms of the query.
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
    let mut prepared = |text: &String| PreparedText { vector: vectors.next(), words: question_terms(text) };
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
    /// The sentences to widen.
    pub candidates: Vec<Candidate>,
    /// All sentences that the question found by meaning.
    pub dense: Vec<Candidate>,
    /// All sentences that the question found by words.
    pub sparse: Vec<Candidate>,
    /// Both lists and those of other wordings fused; empty if there is only one list.
    pub fused: Vec<Candidate>,
    /// The highest cosine similarity; `None` if nothing was searched by meaning.
    pub best_similarity: Option<f32>,
}

/// Up to this number of sentences in the library, the query's own number of candidates is enough.
const SMALL_LIBRARY: u64 = 6_000;
/// Additional candidates for each doubling of the library beyond that. Measured in `docs/benchmarks.md`.
const MORE_PER_DOUBLING: f64 = 12.0;
/// Seconds that the reranker may take for all candidates …
const SECONDS: f32 = 0.8;
/// … of which it reads this many in the time of one passage of the speed measurement.
const CANDIDATES_A_PASSAGE: f32 = 2.0;

/// The number of sentences to widen for each part of a query: at least what the query asks for, and more in a large
/// library, where more sentences are about the same thing, as far as the reranker reads them in time. `reranked` is
/// whether there is a reranker.
#[must_use]
pub(crate) fn candidate_count(query: &Query, size: Option<u64>, reranked: bool) -> usize {
    if !query.grows || !reranked || query.rerank != RerankMode::Passage {
        return query.candidates;
    }
    let doublings = size.map_or(0.0, |size| (size.max(1) as f64 / SMALL_LIBRARY as f64).log2().max(0.0));
    let wanted = query.candidates + (MORE_PER_DOUBLING * doublings) as usize;
    let parts = query.parts.len().max(1) as f32;
    let in_time =
        query.pace.map_or(usize::MAX, |pace| (pace * CANDIDATES_A_PASSAGE * SECONDS / parts) as usize);
    wanted.min(in_time).max(query.candidates)
}

/// The number of sentences that each retriever returns for this many candidates.
pub(crate) fn depth(query: &Query, candidates: usize) -> usize {
    match query.mode {
        Mode::TwoStep => TWO_STEP_DEPTH.max(candidates),
        _ => MIN_DEPTH.max(2 * candidates),
    }
}

/// Finds the best sentences for each part of a query, at most `candidates` each.
pub(crate) fn retrieve(
    retriever: &AnyRetriever<'_>,
    embedder: Option<&dyn Embedder>,
    prepared: &PreparedQuery,
    query: &Query,
    candidates: usize,
    timings: &mut Timings,
    cancel: &CancelToken,
) -> Result<Vec<Retrieved>, EngineError> {
    if prepared.parts.iter().any(|part| part.question.vector.is_some()) {
        check_embedder(retriever.embedder(cancel)?, embedder)?;
    }
    let texts: Vec<&PreparedText> = prepared.parts.iter().flat_map(PreparedPart::texts).collect();
    let queries: Vec<TextQuery<'_>> = texts.iter().map(|text| text.query(query.mode)).collect();
    let found = retriever.find(&queries, &query.filter, depth(query, candidates), cancel)?;
    timings.dense_ms += found.dense_ms;
    timings.sparse_ms += found.sparse_ms;
    let mut lists = Vec::with_capacity(texts.len());
    for (text, HitLists { dense, sparse }) in texts.into_iter().zip(found.lists) {
        let dense = match (&text.vector, query.mode) {
            (None, _) | (_, Mode::Sparse) => None,
            (Some(vector), Mode::TwoStep) => {
                let begun = Instant::now();
                let ranked = retriever.rank(vector, &sparse, cancel)?;
                timings.dense_ms += milliseconds(begun);
                Some(ranked)
            }
            (Some(_), Mode::Hybrid | Mode::Dense) => Some(dense),
        };
        lists.push(Lists { dense, sparse });
    }
    let mut lists = lists.into_iter();
    let part = |part: &PreparedPart| {
        let own = lists.next()?;
        let other: Vec<Lists> = lists.by_ref().take(part.wordings.len()).collect();
        let mut ranked = own.ranked(query.mode, 1.0);
        ranked.extend(other.iter().flat_map(|lists| lists.ranked(query.mode, WORDING_WEIGHT)));
        let fused = if ranked.len() > 1 { fuse(&ranked) } else { Vec::new() };
        let best = match &ranked[..] {
            [(only, _)] => only,
            _ => &fused[..],
        };
        let candidates = best.iter().take(candidates).copied().collect();
        let Lists { dense, sparse } = own;
        let best_similarity = dense.as_ref().and_then(|dense| dense.first()).map(|nearest| nearest.score);
        Some(Retrieved { candidates, dense: dense.unwrap_or_default(), sparse, fused, best_similarity })
    };
    // There is a list for each text.
    Ok(prepared.parts.iter().map(part).map(Option::unwrap_or_default).collect())
}

/// The sentences found for a text, best first.
struct Lists {
    /// By meaning; `None` if it was not searched by meaning.
    dense: Option<Vec<Candidate>>,
    /// By words.
    sparse: Vec<Candidate>,
}

impl Lists {
    /// The lists that count in a mode, with their weights.
    fn ranked(&self, mode: Mode, weight: f32) -> Vec<(&[Candidate], f32)> {
        match (mode, &self.dense) {
            (Mode::Hybrid, Some(dense)) => vec![(dense, weight), (&self.sparse, weight)],
            (Mode::Dense | Mode::TwoStep, Some(dense)) => vec![(dense, weight)],
            _ => vec![(&self.sparse, weight)],
        }
    }
}

/// Fails if the vectors are of two embedders. `stored` is the fingerprint of the embedder of the index's vectors.
pub(crate) fn check_embedder(
    stored: Option<String>,
    embedder: Option<&dyn Embedder>,
) -> Result<(), EngineError> {
    match (stored, embedder) {
        (Some(stored), Some(embedder)) if stored != embedder.fingerprint() => {
            Err(EngineError::OtherEmbedder { stored })
        }
        _ => Ok(()),
    }
}

/// The contribution of a rank in one list to the fused score; `rank` counts from 1.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(ordinal: u32) -> Candidate {
        Candidate { document: DocumentId(0), ordinal: Ordinal(ordinal), score: 0.0 }
    }

    #[test]
    fn a_large_library_has_more_candidates_as_far_as_they_are_read_in_time() {
        let query = Query::new("?");
        let of = |query: &Query, size| candidate_count(query, Some(size), true);
        assert_eq!([3_000, 6_000, 12_000, 188_000].map(|size| of(&query, size)), [20, 20, 32, 79]);
        assert_eq!(
            (candidate_count(&query, None, true), candidate_count(&query, Some(188_000), false)),
            (20, 20)
        );
        let paced = |pace| Query { pace: Some(pace), ..query.clone() };
        assert_eq!([5.0, 25.0, 500.0].map(|pace| of(&paced(pace), 188_000)), [20, 40, 79]);
        assert_eq!(of(&Query { grows: false, ..query.clone() }, 188_000), 20);
        assert_eq!(of(&Query { rerank: RerankMode::Sentence, ..query }, 188_000), 20);
    }

    #[test]
    fn what_both_lists_know_comes_before_what_one_knows() {
        let fused = fuse(&[(&[candidate(1), candidate(2)], 1.0), (&[candidate(3), candidate(2)], 1.0)]);
        let order: Vec<_> = fused.iter().map(|candidate| candidate.ordinal.0).collect();
        assert_eq!(order, [2, 1, 3]);
        assert!((fused[0].score - 2.0 / 62.0).abs() < 1e-6);
    }
}
