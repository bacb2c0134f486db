//! Oriel's core idea: sentences are widened to windows, and windows that overlap or touch are merged into passages.
//!
//! This module only computes with ordinals: no store, no text, no model.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use oriel_core::{Candidate, DocumentId, Ordinal};
use serde::{Deserialize, Serialize};

/// How many sentences a window includes before and after its hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts", rename = "WindowSize"))]
pub struct Window {
    /// Sentences before.
    pub before: u32,
    /// Sentences after.
    pub after: u32,
}

impl Default for Window {
    fn default() -> Self {
        Self { before: 2, after: 2 }
    }
}

/// Windows that were merged: sentences `first..=last` of a document, with the candidates among them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MergedWindow {
    pub document: DocumentId,
    pub first: u32,
    pub last: u32,
    /// In document order.
    pub hits: Vec<Candidate>,
    /// The best retrieval rank of a hit, from 0.
    pub rank: usize,
}

/// Widens each candidate to its window. With `merge`, windows of one document that overlap or touch become one. The
/// result is in retrieval order. `unit` returns the ordinals of the sentences that belong together around one (the
/// document, or its slide or sheet); no window crosses their borders. Candidates without a `unit` are left out.
pub(crate) fn widen(
    candidates: &[Candidate],
    window: Window,
    merge: bool,
    unit: impl Fn(DocumentId, Ordinal) -> Option<RangeInclusive<u32>>,
) -> Vec<MergedWindow> {
    let mut by_document: BTreeMap<DocumentId, Vec<(usize, Candidate)>> = BTreeMap::new();
    for (rank, &candidate) in candidates.iter().enumerate() {
        by_document.entry(candidate.document).or_default().push((rank, candidate));
    }
    let mut merged_windows: Vec<MergedWindow> = Vec::new();
    for (document, mut hits) in by_document {
        hits.sort_by_key(|(_, candidate)| candidate.ordinal);
        let mut open: Option<MergedWindow> = None;
        for (rank, candidate) in hits {
            let Some(unit) = unit(document, candidate.ordinal) else { continue };
            let at = candidate.ordinal.0;
            let first = at.saturating_sub(window.before).max(*unit.start());
            let last = at.saturating_add(window.after).min(*unit.end());
            match &mut open {
                Some(merged) if merge && first <= merged.last + 1 && unit.contains(&merged.last) => {
                    merged.last = merged.last.max(last);
                    merged.rank = merged.rank.min(rank);
                    merged.hits.push(candidate);
                }
                _ => {
                    merged_windows.extend(open.take());
                    open = Some(MergedWindow { document, first, last, hits: vec![candidate], rank });
                }
            }
        }
        merged_windows.extend(open);
    }
    merged_windows.sort_by_key(|merged| merged.rank);
    merged_windows
}

/// Splits a merged window between hits until each part fits, so that the reranker reads all of it. The parts do not
/// overlap and cover everything. A part with one hit is not split. `fits` is called with the first and last ordinal of
/// a part; `rank` returns a candidate's retrieval rank.
pub(crate) fn divide(
    merged: MergedWindow,
    fits: &impl Fn(u32, u32) -> bool,
    rank: &impl Fn(&Candidate) -> usize,
) -> Vec<MergedWindow> {
    if merged.hits.len() < 2 || fits(merged.first, merged.last) {
        return vec![merged];
    }
    let Some(cut) = best_cut(&merged) else { return vec![merged] };
    let (left, right): (Vec<_>, Vec<_>) = merged.hits.iter().partition(|hit| hit.ordinal.0 < cut);
    let part = |first, last, hits: Vec<Candidate>| {
        let rank = hits.iter().map(rank).min().unwrap_or(merged.rank);
        MergedWindow { document: merged.document, first, last, hits, rank }
    };
    let mut parts = divide(part(merged.first, cut - 1, left), fits, rank);
    parts.extend(divide(part(cut, merged.last, right), fits, rank));
    parts
}

/// The first ordinal of the right part: halfway in the widest gap between two hits; of equal gaps the most central.
fn best_cut(merged: &MergedWindow) -> Option<u32> {
    let middle = u64::from(merged.first) + u64::from(merged.last);
    let pairs = merged.hits.windows(2).map(|pair| (pair[0].ordinal.0, pair[1].ordinal.0));
    pairs
        .filter(|(left, right)| left < right)
        .map(|(left, right)| (right - left, left + (right - left).div_ceil(2)))
        .max_by_key(|&(gap, cut)| (gap, std::cmp::Reverse((2 * u64::from(cut)).abs_diff(middle))))
        .map(|(_, cut)| cut)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn candidate(document: u32, ordinal: u32) -> Candidate {
        Candidate { document: DocumentId(document), ordinal: Ordinal(ordinal), score: 1.0 }
    }

    /// A document with this number of sentences.
    fn whole(length: u32) -> impl Fn(DocumentId, Ordinal) -> Option<RangeInclusive<u32>> {
        move |_, _| Some(0..=length - 1)
    }

    fn spans(merged_windows: &[MergedWindow]) -> Vec<(u32, u32, u32)> {
        merged_windows.iter().map(|merged| (merged.document.0, merged.first, merged.last)).collect()
    }

    #[test]
    fn windows_that_touch_are_one_passage_and_those_apart_are_two() {
        let window = Window { before: 1, after: 1 };
        let touching = widen(&[candidate(0, 2), candidate(0, 5)], window, true, whole(10));
        assert_eq!(spans(&touching), [(0, 1, 6)]);
        let apart = widen(&[candidate(0, 2), candidate(0, 6)], window, true, whole(10));
        assert_eq!(spans(&apart), [(0, 1, 3), (0, 5, 7)]);
    }

    #[test]
    fn windows_end_with_the_document_and_never_reach_into_another() {
        let window = Window { before: 3, after: 4 };
        let merged_windows = widen(&[candidate(1, 0), candidate(0, 4)], window, true, whole(5));
        assert_eq!(spans(&merged_windows), [(1, 0, 4), (0, 1, 4)]);
    }

    #[test]
    fn windows_end_with_the_slide_even_where_they_would_touch() {
        let slides = |_, at: Ordinal| Some(if at.0 < 5 { 0..=4 } else { 5..=9 });
        let window = Window { before: 2, after: 2 };
        let merged_windows =
            widen(&[candidate(0, 4), candidate(0, 5), candidate(0, 8)], window, true, slides);
        assert_eq!(spans(&merged_windows), [(0, 2, 4), (0, 5, 9)]);
    }

    #[test]
    fn passages_stand_in_the_order_of_their_best_hit() {
        let order = [candidate(0, 50), candidate(1, 5), candidate(0, 10), candidate(1, 6)];
        let merged_windows = widen(&order, Window::default(), true, whole(100));
        assert_eq!(spans(&merged_windows), [(0, 48, 52), (1, 3, 8), (0, 8, 12)]);
        assert_eq!(merged_windows[1].hits.len(), 2);
    }

    #[test]
    fn without_merging_each_window_stands_by_itself() {
        let merged_windows = widen(&[candidate(0, 3), candidate(0, 4)], Window::default(), false, whole(9));
        assert_eq!(spans(&merged_windows), [(0, 1, 5), (0, 2, 6)]);
    }

    proptest! {
        #[test]
        fn passages_cover_every_window_and_share_no_sentence(
            places in proptest::collection::btree_set((0u32..3, 0u32..60), 1..30),
            before in 0u32..6,
            after in 0u32..6,
            length in 60u32..70,
            limit in 1u32..20,
        ) {
            let candidates: Vec<_> = places.iter().map(|&(document, ordinal)| candidate(document, ordinal)).collect();
            let rank = |wanted: &Candidate| candidates.iter().position(|one| one == wanted).unwrap();
            let merged = widen(&candidates, Window { before, after }, true, whole(length));
            let parts: Vec<_> = merged
                .iter()
                .flat_map(|merged| divide(merged.clone(), &|first, last| last - first < limit, &rank))
                .collect();
            for merged_windows in [&merged, &parts] {
                let mut seen = std::collections::BTreeSet::new();
                for merged in merged_windows.iter() {
                    for ordinal in merged.first..=merged.last {
                        prop_assert!(seen.insert((merged.document, ordinal)), "a sentence stands twice");
                    }
                    for hit in &merged.hits {
                        prop_assert!((merged.first..=merged.last).contains(&hit.ordinal.0));
                    }
                }
                for one in &candidates {
                    let first = one.ordinal.0.saturating_sub(before);
                    let last = (one.ordinal.0 + after).min(length - 1);
                    for ordinal in first..=last {
                        prop_assert!(seen.contains(&(one.document, ordinal)), "a window lost a sentence");
                    }
                }
                prop_assert_eq!(merged_windows.iter().map(|merged| merged.hits.len()).sum::<usize>(), candidates.len());
            }
            for part in &parts {
                prop_assert!(part.hits.len() == 1 || part.last - part.first < limit
                    || part.hits.windows(2).all(|pair| pair[0].ordinal == pair[1].ordinal));
            }
        }
    }
}
