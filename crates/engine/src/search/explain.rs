//! Explains why a document was not found: each condition between indexing and showing that it did not meet.

use std::collections::HashMap;
use std::path::PathBuf;

use oriel_core::{
    ByteSpan, CancelToken, Candidate, DocumentId, FailureCode, Filter, Location, Notice, Ordinal, SentenceId,
    SentenceRange, SentenceRow,
};
use oriel_store::{DenseHit, DocumentState, StoreError, Vectors, View};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::library::Library;
use crate::library::filter::searchable_documents;
use crate::library::furniture::Furniture;
use crate::library::source::store_state::whole_document;
use crate::search::loaded::LoadedDocument;
use crate::search::models::{QuestionModels, SearchModels};
use crate::search::query::{Mode, Query, RerankMode};
use crate::search::retrieve::{PreparedQuery, PreparedText, candidate_count, depth, prepare, reciprocal};
use crate::search::trace::{Fate, StageRank, TracedPassage};
use crate::search::{SearchOutcome, rerank, search_prepared, window};

/// Why a document was not found, or how well it ranked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct WhyNot {
    /// The document's absolute path.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub path: PathBuf,
    /// Whether it was read.
    pub standing: Standing,
    /// Whether it has changed and is queued to be read again.
    pub outdated: bool,
    /// The number of its sentences.
    pub sentences: usize,
    /// The number of its distinct sentences without a vector, which are not found by meaning yet.
    pub without_vectors: usize,
    /// The conditions of the question that exclude it.
    pub excluded_by: Vec<Condition>,
    /// Its best sentence for the question; `None` if it has no sentences.
    pub best: Option<BestSentence>,
    /// Its passages in the search, best first; none if no sentence of it was a candidate.
    pub passages: Vec<TracedPassage>,
    /// What it would have needed to be shown.
    pub needed: Needed,
}

/// Whether a document was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Standing {
    /// Not read yet.
    Waiting,
    /// Read.
    Indexed,
    /// Could not be read.
    Failed {
        /// Why, and what to do.
        reason: Notice,
        /// The failure's code.
        code: FailureCode,
    },
}

/// A condition on documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Condition {
    /// It is outside the given paths.
    Within,
    /// It has another format.
    Kind,
    /// It is not a mail from the given senders.
    From,
    /// It was last changed or sent too early.
    Since,
    /// It was last changed or sent too late.
    Until,
}

/// The best sentence of a document for a question, by the score of the question's mode. Ranks are exact: among all
/// sentences that the conditions accept, plus those of the document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct BestSentence {
    /// The text of the sentence.
    pub text: String,
    /// Its position in the document.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub ordinal: Ordinal,
    /// Its bytes in the document's text.
    pub span: ByteSpan,
    #[serde(flatten)]
    pub location: Location,
    /// By meaning: cosine similarity. The rank counts distinct sentences.
    pub dense: Option<StageRank>,
    /// By words: BM25. `None` if it contains no word of the question.
    pub sparse: Option<StageRank>,
    /// In the fused list; `None` if neither retriever returned it.
    pub fused: Option<StageRank>,
    /// The reranker's score of its window, from 0 to 1; `None` if it was not read.
    pub rerank: Option<f32>,
}

/// What a sentence and its passage need to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Needed {
    /// The worst rank by meaning or by words with which a sentence enters the fusion.
    pub retrieved: usize,
    /// The worst rank after the fusion with which it becomes a candidate.
    pub candidate: usize,
    /// The number of passages that are shown.
    pub shown: usize,
    /// The reranker's score of the last passage shown, from 0 to 1.
    pub rerank: Option<f32>,
}

impl Library {
    /// Explains why a document was not found, or how well it ranked. Takes about as long as a search, up to a second in
    /// a large library.
    ///
    /// # Errors
    /// Those of [`Library::search`], and if there is no such document.
    pub fn why_not(
        &self,
        query: &Query,
        models: &dyn QuestionModels,
        document: DocumentId,
        cancel: &CancelToken,
    ) -> Result<WhyNot, EngineError> {
        let (query, models) = self.planned(query, models, cancel)?;
        self.ask_about(self.file_of(document).ok());
        let timed = self.timed(&query, cancel)?;
        why_not(self, &self.identified(&timed.query, cancel)?.query, &models, document, cancel)
    }
}

fn why_not(
    library: &Library,
    query: &Query,
    models: &SearchModels<'_>,
    document: DocumentId,
    cancel: &CancelToken,
) -> Result<WhyNot, EngineError> {
    let prepared = prepare(models.embedder, query, cancel)?;
    let found = search_prepared(library, query, &prepared, models, cancel)?;
    let SearchOutcome { result, stages, can_read, .. } = found;
    let trace = result.trace;
    cancel.check().map_err(|_| EngineError::Cancelled)?;
    let reranked = models.reranker.is_some();
    let (mut why, text) = library.own_index()?.read(|view| {
        let candidates = candidate_count(query, Some(view.distinct_sentences()?), reranked);
        read(&view, query, &prepared, candidates, document)
    })?;
    why.needed.rerank = trace.passages.iter().rfind(|one| is_shown(one)).and_then(|one| one.rerank);
    why.passages = trace.passages.into_iter().filter(|one| one.document == document).collect();
    if let Some(best) = &mut why.best {
        best.fused = stages.fused(document, best.ordinal);
        let reader = models.reranker.filter(|_| can_read && query.rerank != RerankMode::Off);
        if let Some((reranker, text)) = reader.zip(text) {
            let logits = reranker.score(&query.question, &[text], cancel)?;
            best.rerank = logits.first().copied().map(oriel_core::sigmoid);
        }
    }
    Ok(why)
}

fn is_shown(passage: &TracedPassage) -> bool {
    matches!(passage.fate, Fate::Shown { .. })
}

/// The part of the explanation from the store, and the text that the reranker reads for the best sentence.
fn read(
    view: &View<'_>,
    query: &Query,
    prepared: &PreparedQuery,
    candidates: usize,
    document: DocumentId,
) -> Result<(WhyNot, Option<String>), EngineError> {
    let record = view.document(document)?.ok_or(EngineError::NoDocument { id: document })?;
    let own: RoaringBitmap = view.sentences_of(&RoaringBitmap::from([document.0]))?;
    let unembedded = view.unembedded(Vectors::Active, SentenceId(0), usize::MAX)?;
    let excluded_by = match record.state {
        DocumentState::Indexed => excluding(view, &query.filter, document)?,
        _ => Vec::new(),
    };
    let mut why = WhyNot {
        path: record.path,
        standing: match record.state {
            DocumentState::Waiting => Standing::Waiting,
            DocumentState::Indexed => Standing::Indexed,
            DocumentState::Failed(failure) => Standing::Failed { reason: failure.reason, code: failure.code },
        },
        outdated: view.read_queue()?.contains(&record.within.unwrap_or(document)),
        sentences: view.table(document)?.len(),
        without_vectors: unembedded.iter().filter(|sentence| own.contains(sentence.0)).count(),
        excluded_by,
        best: None,
        passages: Vec::new(),
        needed: Needed {
            retrieved: depth(query, candidates),
            candidate: candidates,
            shown: query.top,
            rerank: None,
        },
    };
    if own.is_empty() {
        return Ok((why, None));
    }
    let mut excerpt = whole_document(view, document)?;
    let all = SentenceRange { document, first: 0, last: excerpt.body.end };
    excerpt.body = Furniture::of(view).body(&excerpt, &[all])?;
    let loaded = LoadedDocument { excerpt };
    // For a question in parts, the part with the best sentence.
    let value = |best: &BestSentence| {
        [best.dense, best.sparse].iter().flatten().map(|place| reciprocal(place.rank)).sum::<f32>()
    };
    for part in &prepared.parts {
        let found = best(view, query, &part.question, document, &loaded)?;
        let is_better = |new: &BestSentence| why.best.as_ref().is_none_or(|old| value(new) > value(old));
        if let Some(new) = found.filter(is_better) {
            why.best = Some(new);
        }
    }
    let text = why.best.as_ref().and_then(|best| {
        let alone = Candidate { document, ordinal: best.ordinal, score: 0.0 };
        let merged = window::widen(&[alone], query.window, true, |_, ordinal| loaded.unit(ordinal)).pop()?;
        let part = rerank::parts(&merged).pop()?;
        Some(loaded.in_context(part.first, part.last))
    });
    Ok((why, text))
}

/// The conditions of `filter` that exclude the document.
fn excluding(view: &View<'_>, filter: &Filter, document: DocumentId) -> Result<Vec<Condition>, EngineError> {
    let Filter { within, may_be_gone, without, kinds, from, since, until } = filter.clone();
    let each = [
        (Condition::Within, Filter { within, may_be_gone, without, ..Filter::default() }),
        (Condition::Kind, Filter { kinds, ..Filter::default() }),
        (Condition::From, Filter { from, ..Filter::default() }),
        (Condition::Since, Filter { since, ..Filter::default() }),
        (Condition::Until, Filter { until, ..Filter::default() }),
    ];
    let mut excluding = Vec::new();
    for (condition, alone) in each {
        if searchable_documents(&alone, view)?.is_some_and(|admitted| !admitted.contains(document.0)) {
            excluding.push(condition);
        }
    }
    Ok(excluding)
}

fn best(
    view: &View<'_>,
    query: &Query,
    prepared: &PreparedText,
    document: DocumentId,
    loaded: &LoadedDocument,
) -> Result<Option<BestSentence>, EngineError> {
    let mut among = searchable_documents(&query.filter, view)?;
    if let Some(among) = &mut among {
        among.insert(document.0);
    }
    let dense: HashMap<SentenceId, StageRank> = match &prepared.vector {
        None => HashMap::new(),
        Some(vector) => {
            let documents = match &among {
                Some(among) => among.clone(),
                None => view.documents()?.map(|entry| Ok(entry?.0.0)).collect::<Result<_, StoreError>>()?,
            };
            let all: Vec<_> = view.sentences_of(&documents)?.iter().map(SentenceId).collect();
            let hits = view.rank_dense(vector, &all)?;
            let place =
                |(rank, hit): (usize, &DenseHit)| (hit.sentence, StageRank { score: hit.similarity, rank });
            (1..).zip(&hits).map(place).collect()
        }
    };
    let hits = view.search_sparse(&prepared.words, among.as_ref(), usize::MAX)?;
    let own = (1..).zip(&hits).filter(|(_, hit)| hit.document == document);
    let sparse: HashMap<Ordinal, StageRank> =
        own.map(|(rank, hit)| (hit.ordinal, StageRank { score: hit.score, rank })).collect();
    let places =
        |ordinal: Ordinal, row: &SentenceRow| (dense.get(&row.id).copied(), sparse.get(&ordinal).copied());
    let value = |ordinal: Ordinal, row: &SentenceRow| {
        let (dense, sparse) = places(ordinal, row);
        let of = |place: Option<StageRank>| place.map_or(0.0, |place| reciprocal(place.rank));
        match query.mode {
            Mode::Hybrid => of(dense) + of(sparse),
            Mode::Dense | Mode::TwoStep if prepared.vector.is_some() => of(dense),
            _ => of(sparse),
        }
    };
    // The first of equal sentences.
    let rows: Vec<_> = loaded.excerpt.rows.iter().collect();
    let best = rows.into_iter().rev().max_by(|a, b| value(a.0, a.1).total_cmp(&value(b.0, b.1)));
    Ok(best.filter(|(ordinal, row)| value(*ordinal, row) > 0.0).map(|(ordinal, row)| {
        let (dense, sparse) = places(ordinal, row);
        let text = loaded.excerpt.text.of(row.span).unwrap_or_default().to_owned();
        let (span, location) = (row.span, loaded.excerpt.location(row.page, row.span.start));
        BestSentence { text, ordinal, span, location, dense, sparse, fused: None, rerank: None }
    }))
}
