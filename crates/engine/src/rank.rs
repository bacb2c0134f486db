//! Passages in their final order: the cross-encoder's word, blended with the retriever's.

use std::str::FromStr;

use oriel_core::{CancelToken, ModelError, Reranker};

use crate::window::Stretch;

/// How much one place in the retriever's order weighs against the reranker's logit. Measured on the half of the
/// questions that may be looked at, see `docs/architecture.md`.
const RANK_WEIGHT: f32 = 0.2;

/// When the cross-encoder is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RerankMode {
    /// After widening and merging: it sees passages.
    #[default]
    Passage,
    /// Before widening: it sees the candidate sentences alone.
    Sentence,
    /// Never: the retriever's order stands.
    Off,
}

impl FromStr for RerankMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Ok(match name {
            "passage" => Self::Passage,
            "sentence" => Self::Sentence,
            "off" => Self::Off,
            _ => return Err(format!("unknown way to rerank '{name}'; known are passage, sentence, off")),
        })
    }
}

/// A passage's reading by the reranker: each part is a window of one sentence around a hit, inside the passage. Short
/// inputs are cheaper and sharper than the whole; the best part speaks for the passage.
pub(crate) fn parts(stretch: &Stretch) -> Vec<(u32, u32)> {
    let mut parts: Vec<(u32, u32)> = stretch
        .hits
        .iter()
        .map(|hit| {
            let at = hit.ordinal.0;
            (at.saturating_sub(1).max(stretch.first), at.saturating_add(1).min(stretch.last))
        })
        .collect();
    parts.dedup();
    parts
}

/// The best logit of each passage's parts.
pub(crate) fn logits(
    reranker: &dyn Reranker,
    question: &str,
    texts: &[Vec<String>],
    cancel: &CancelToken,
) -> Result<Vec<f32>, ModelError> {
    let all: Vec<String> = texts.iter().flatten().cloned().collect();
    let scores = reranker.score(question, &all, cancel)?;
    let mut rest = scores.as_slice();
    let mut best = Vec::with_capacity(texts.len());
    for parts in texts {
        let (own, others) = rest.split_at(parts.len().min(rest.len()));
        rest = others;
        best.push(own.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    }
    Ok(best)
}

/// The reranker's logit, less a little for each place in the retriever's order: it breaks near ties, and keeps a
/// reranker that is wrong from burying what both retrievers found first.
pub(crate) fn blend(logit: f32, place: usize) -> f32 {
    logit - RANK_WEIGHT * place as f32
}
