//! Reranking: passages in their final order, by the cross-encoder score blended with the retrieval rank, and the cut-off.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use oriel_core::{Candidate, Ordinal, SentenceId};

use crate::search::trace::Fate;
use crate::search::window::MergedWindow;

/// How much one retrieval rank weighs against the reranker's logit. Tuned on the development half of the questions, see
/// `docs/architecture.md`.
const RANK_WEIGHT: f32 = 0.2;

/// A part of a passage that the reranker reads: a window of one sentence around a hit, inside the passage. Short inputs are
/// cheaper and are ranked better than the whole. The best part counts for the passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The hit.
    pub hit: Ordinal,
    /// The first sentence.
    pub first: u32,
    /// The last sentence.
    pub last: u32,
}

impl Part {
    /// A hit without its neighbours.
    pub(crate) fn alone(hit: Ordinal) -> Self {
        Self { hit, first: hit.0, last: hit.0 }
    }
}

/// The parts of a passage, in reading order.
pub(crate) fn parts(merged: &MergedWindow) -> Vec<Part> {
    let part = |hit: &Candidate| Part {
        hit: hit.ordinal,
        first: hit.ordinal.0.saturating_sub(1).max(merged.first),
        last: hit.ordinal.0.saturating_add(1).min(merged.last),
    };
    let mut parts: Vec<Part> = merged.hits.iter().map(part).collect();
    parts.dedup_by_key(|part| (part.first, part.last));
    parts
}

/// The reranker's logit, minus a little for each retrieval rank. That breaks near ties, and keeps a wrong reranker from
/// burying what both retrievers found first.
pub(crate) fn blend(logit: f32, place: usize) -> f32 {
    logit - RANK_WEIGHT * place as f32
}

/// The fate of passages in their final order, each given by the ids of its sentences. The first `top` are shown and
/// numbered. With `repeats_cut`, a passage with the same sentences as a better one is cut and takes no place.
pub(crate) fn cut(
    texts: impl IntoIterator<Item = Vec<SentenceId>>,
    top: usize,
    repeats_cut: bool,
) -> Vec<Fate> {
    let mut numbers: HashMap<Vec<SentenceId>, usize> = HashMap::new();
    let mut shown = 0;
    let mut fate = |text: Vec<SentenceId>| match numbers.entry(text) {
        Entry::Occupied(better) if repeats_cut => Fate::SameText { n: *better.get() },
        _ if shown == top => Fate::NotShown,
        entry => {
            shown += 1;
            entry.insert_entry(shown);
            Fate::Shown { n: shown }
        }
    };
    texts.into_iter().map(&mut fate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fates(texts: &[&[u32]], top: usize, repeats_cut: bool) -> Vec<Fate> {
        let texts = texts.iter().map(|ids| ids.iter().copied().map(SentenceId).collect());
        cut(texts, top, repeats_cut)
    }

    #[test]
    fn a_passage_that_says_the_same_makes_room_for_the_next() {
        let texts: &[&[u32]] = &[&[1, 2], &[3], &[1, 2], &[1], &[2, 1], &[3], &[5]];
        assert_eq!(
            fates(texts, 3, true),
            [
                Fate::Shown { n: 1 },
                Fate::Shown { n: 2 },
                Fate::SameText { n: 1 },
                Fate::Shown { n: 3 },
                Fate::NotShown,
                Fate::SameText { n: 2 },
                Fate::NotShown,
            ]
        );
        let kept = fates(texts, 9, false);
        assert_eq!(kept, (1..=7).map(|n| Fate::Shown { n }).collect::<Vec<_>>());
    }
}
