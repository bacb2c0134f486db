//! The rank of each sentence in each retrieval list, and from that the trace of a passage.

use std::collections::HashMap;

use oriel_core::{Candidate, DocumentId, Ordinal, sigmoid};

use crate::search::loaded::LoadedDocument;
use crate::search::retrieve::Retrieved;
use crate::search::trace::{Fate, StageRank, TracedPassage};
use crate::search::window::MergedWindow;

type Places = HashMap<(DocumentId, Ordinal), StageRank>;

/// The ranks of sentences in the retrieval lists.
pub(crate) struct Stages {
    dense: Places,
    sparse: Places,
    fused: Places,
}

impl Stages {
    /// If there are several parts, the best rank counts.
    pub(crate) fn new(parts: &[Retrieved]) -> Self {
        let places = |list: fn(&Retrieved) -> &[Candidate]| {
            let mut places = Places::new();
            for (rank, one) in parts.iter().flat_map(|part| (1..).zip(list(part))) {
                let ranked = StageRank { score: one.score, rank };
                let place = places.entry(one.position()).or_insert(ranked);
                if rank < place.rank {
                    *place = ranked;
                }
            }
            places
        };
        Self {
            dense: places(|part| &part.dense),
            sparse: places(|part| &part.sparse),
            fused: places(|part| &part.fused),
        }
    }

    /// The sentence's rank in the fused list.
    pub(crate) fn fused(&self, document: DocumentId, ordinal: Ordinal) -> Option<StageRank> {
        self.fused.get(&(document, ordinal)).copied()
    }

    /// The trace of a passage, with the best ranks of its hits. `logit` is the reranker's; `score` is what the passage
    /// is ordered by if the reranker was used.
    pub(crate) fn passage(
        &self,
        merged: &MergedWindow,
        loaded: &LoadedDocument,
        logit: Option<f32>,
        score: f32,
        fate: Fate,
    ) -> Option<TracedPassage> {
        let span = loaded.span(merged.first, merged.last)?;
        let best = |places: &Places| {
            let found = merged.hits.iter().filter_map(|hit| places.get(&hit.position()));
            found.min_by_key(|place| place.rank).copied()
        };
        Some(TracedPassage {
            path: loaded.excerpt.path.clone(),
            document: merged.document,
            hash: loaded.excerpt.hash.clone(),
            location: loaded.location_of(merged, None),
            start: span.start,
            end: span.end,
            hits: merged.hits.iter().filter_map(|hit| loaded.span(hit.ordinal.0, hit.ordinal.0)).collect(),
            first: merged.first,
            last: merged.last,
            windows: merged.hits.len(),
            dense: best(&self.dense),
            sparse: best(&self.sparse),
            fused: best(&self.fused),
            rerank: logit.map(sigmoid),
            score: logit.map(|_| sigmoid(score)),
            fate,
        })
    }
}
