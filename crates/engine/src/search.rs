//! A question to its passages: retrieve, widen, merge, rerank, cut.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Instant;

use oriel_core::{
    ByteSpan, CancelToken, DocumentId, Embedder, Hit, Kind, Ordinal, Passage, Reranker, Timings,
};
use oriel_store::{SentenceRow, Store, StoreError, View};
use oriel_text::plain;
use serde::Serialize;

use crate::EngineError;
use crate::confidence::{Evidence, confidence};
use crate::query::Query;
use crate::rank::{self, RerankMode};
use crate::retrieve::{Retrieved, milliseconds, retrieve};
use crate::window::{self, Candidate, Stretch};

/// The models a search uses. Without an embedder it is by words, without a reranker the retriever's order stands.
#[derive(Clone, Copy, Default)]
pub struct SearchModels<'a> {
    /// For the search by meaning.
    pub embedder: Option<&'a dyn Embedder>,
    /// For the final order.
    pub reranker: Option<&'a dyn Reranker>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResult {
    /// Best first; no two share a sentence, unless merging was off.
    pub passages: Vec<Passage>,
    /// The probability that they answer the question; 0 where nothing was found.
    pub confidence: f32,
    /// How long each stage took.
    pub timings: Timings,
}

/// A result with what an answer is made from.
pub(crate) struct Found {
    pub result: SearchResult,
    stretches: Vec<Stretch>,
    documents: Documents,
}

impl Found {
    /// For each passage its sentences, in reading order.
    pub(crate) fn sentences(&self) -> Vec<Vec<PassageSentence>> {
        let shown = self.stretches.iter().take(self.result.passages.len());
        shown.map(|stretch| sentences(stretch, &self.documents[&stretch.document])).collect()
    }
}

/// A document that candidates lie in, as far as the search needs it.
struct Opened {
    path: PathBuf,
    kind: Kind,
    text: String,
    rows: Vec<SentenceRow>,
}

impl Opened {
    /// The sentences `first..=last` as the models read them.
    fn plain(&self, first: u32, last: u32) -> String {
        let mut text = String::new();
        for ordinal in first..=last {
            let Some(row) = self.rows.get(ordinal as usize) else { break };
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&plain(row.span.of(&self.text).unwrap_or_default(), self.kind));
        }
        text
    }

    fn span(&self, first: u32, last: u32) -> Option<ByteSpan> {
        Some(self.rows.get(first as usize)?.span.hull(self.rows.get(last as usize)?.span))
    }
}

type Documents = HashMap<DocumentId, Opened>;

pub(crate) fn search(
    store: &Store,
    query: &Query,
    models: &SearchModels<'_>,
    cancel: &CancelToken,
) -> Result<Found, EngineError> {
    let begun = Instant::now();
    let mut timings = Timings::default();
    let reranker = models.reranker.filter(|_| query.rerank != RerankMode::Off);
    let (Retrieved { mut candidates, best_similarity }, documents) =
        retrieve(store, models.embedder, query, &mut timings, cancel, open)?;
    let mut evidence = Evidence { similarity: best_similarity, logit: None };
    if let Some(reranker) = reranker.filter(|_| query.rerank == RerankMode::Sentence) {
        let ranking = Instant::now();
        evidence.logit = rerank_sentences(reranker, query, &mut candidates, &documents, cancel)?;
        timings.rerank_ms = milliseconds(ranking);
    }
    let windows = Instant::now();
    let mut stretches = widen(query, &candidates, &documents, models.reranker);
    timings.window_ms += milliseconds(windows);

    let mut scores: Vec<f32> = stretches.iter().map(retriever_score).collect();
    if let Some(reranker) = reranker.filter(|_| query.rerank == RerankMode::Passage) {
        let ranking = Instant::now();
        let texts: Vec<Vec<String>> = stretches
            .iter()
            .map(|stretch| {
                let opened = &documents[&stretch.document];
                rank::parts(stretch).into_iter().map(|(first, last)| opened.plain(first, last)).collect()
            })
            .collect();
        let logits = rank::logits(reranker, &query.question, &texts, cancel)?;
        evidence.logit = logits.iter().copied().reduce(f32::max);
        scores = logits.iter().enumerate().map(|(place, &logit)| rank::blend(logit, place)).collect();
        let mut order: Vec<usize> = (0..stretches.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        stretches = order.iter().map(|&at| stretches[at].clone()).collect();
        scores = order.iter().map(|&at| scores[at]).collect();
        timings.rerank_ms = milliseconds(ranking);
    }

    let passages: Vec<Passage> = stretches
        .iter()
        .zip(scores)
        .take(query.top)
        .enumerate()
        .filter_map(|(place, (stretch, score))| passage(place + 1, stretch, score, &documents))
        .collect();
    let confidence = if passages.is_empty() { 0.0 } else { confidence(&evidence) };
    timings.total_ms = milliseconds(begun);
    Ok(Found { result: SearchResult { passages, confidence, timings }, stretches, documents })
}

/// A sentence of a passage, as it stands in the document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PassageSentence {
    /// First byte in the document's text.
    pub start: u32,
    /// Exactly its slice of the document's text.
    pub text: String,
    /// The document's format, which says how the models read it.
    pub kind: Kind,
}

fn open(view: &View<'_>, candidates: &[Candidate]) -> Result<Documents, EngineError> {
    let mut documents = Documents::new();
    for candidate in candidates {
        if documents.contains_key(&candidate.document) {
            continue;
        }
        let (record, text) = (view.document(candidate.document)?, view.text(candidate.document)?);
        let damaged =
            || StoreError::Corrupt(format!("document {} has sentences and no text", candidate.document.0));
        let (record, text) = record.zip(text).ok_or_else(damaged)?;
        let rows = view.table(candidate.document)?.rows().collect();
        documents.insert(candidate.document, Opened { path: record.path, kind: record.kind, text, rows });
    }
    Ok(documents)
}

/// Windows, merged, and divided where the reranker could not read them whole. Without a reranker the length is
/// estimated at four bytes a token.
fn widen(
    query: &Query,
    candidates: &[Candidate],
    documents: &Documents,
    reranker: Option<&dyn Reranker>,
) -> Vec<Stretch> {
    let length = |document| u32::try_from(documents[&document].rows.len()).unwrap_or(u32::MAX);
    let stretches = window::widen(candidates, query.window, query.merge, length);
    let places: HashMap<(DocumentId, Ordinal), usize> =
        candidates.iter().enumerate().map(|(place, one)| ((one.document, one.ordinal), place)).collect();
    let rank = |hit: &Candidate| places.get(&(hit.document, hit.ordinal)).copied().unwrap_or(usize::MAX);
    let mut parts: Vec<Stretch> = stretches
        .into_iter()
        .flat_map(|stretch| {
            let opened = &documents[&stretch.document];
            let fits = |first, last| {
                let text = opened.plain(first, last);
                match reranker {
                    Some(reranker) => reranker.pair_tokens(&query.question, &text) <= reranker.max_tokens(),
                    None => text.len() + query.question.len() <= 4 * UNRANKED_TOKENS,
                }
            };
            window::divide(stretch, &fits, &rank)
        })
        .collect();
    parts.sort_by_key(|stretch| stretch.rank);
    parts
}

/// Tokens a passage may have where no reranker says.
const UNRANKED_TOKENS: usize = 512;

/// Orders the candidates by the reranker's word on each sentence alone. Returns the best logit.
fn rerank_sentences(
    reranker: &dyn Reranker,
    query: &Query,
    candidates: &mut [Candidate],
    documents: &Documents,
    cancel: &CancelToken,
) -> Result<Option<f32>, EngineError> {
    let texts: Vec<Vec<String>> = candidates
        .iter()
        .map(|one| vec![documents[&one.document].plain(one.ordinal.0, one.ordinal.0)])
        .collect();
    let logits = rank::logits(reranker, &query.question, &texts, cancel)?;
    for (place, (candidate, logit)) in candidates.iter_mut().zip(&logits).enumerate() {
        candidate.score = rank::blend(*logit, place);
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(logits.into_iter().reduce(f32::max))
}

fn retriever_score(stretch: &Stretch) -> f32 {
    stretch.hits.iter().map(|hit| hit.score).fold(f32::NEG_INFINITY, f32::max)
}

fn sentences(stretch: &Stretch, opened: &Opened) -> Vec<PassageSentence> {
    let rows = opened.rows.iter().take(stretch.last as usize + 1).skip(stretch.first as usize);
    rows.map(|row| PassageSentence {
        start: row.span.start,
        text: row.span.of(&opened.text).unwrap_or_default().to_owned(),
        kind: opened.kind,
    })
    .collect()
}

fn passage(n: usize, stretch: &Stretch, score: f32, documents: &Documents) -> Option<Passage> {
    let opened = documents.get(&stretch.document)?;
    let span = opened.span(stretch.first, stretch.last)?;
    let hits = stretch.hits.iter().filter_map(|hit| {
        let row = opened.rows.get(hit.ordinal.0 as usize)?;
        Some(Hit {
            start: row.span.start,
            end: row.span.end,
            text: row.span.of(&opened.text)?.to_owned(),
            score: hit.score,
        })
    });
    Some(Passage {
        n,
        path: opened.path.clone(),
        page: opened.rows.get(stretch.first as usize)?.page,
        start: span.start,
        end: span.end,
        text: span.of(&opened.text)?.to_owned(),
        score,
        hits: hits.collect(),
    })
}
