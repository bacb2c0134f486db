//! Orders passages by the cross-encoder's score blended with the retrieval rank, and cuts the list.
//!
//! The weight of the rank was chosen on 271 questions of `docs/benchmarks.md`. The two figures are the shares of
//! questions with the complete answer in the first passage, and in one of the first five. The logit alone gave .852 and
//! .974, minus 0.2 for each place of the passage .875 and .982, minus 0.1 for each place of its best hit .878 and .978.
//! With fifteen candidates they were .886 and .970, with thirty .875 and .974. The mean logit of windows of one and of
//! two sentences gave .893 and .978, at twice the cost.

use std::collections::HashSet;

use oriel_core::{Candidate, Ordinal, SentenceId};
use oriel_text::words;

use crate::search::trace::Fate;
use crate::search::window::MergedWindow;

/// The weight of one retrieval rank against the reranker's logit. Tuned on the development half of the questions. Of 1,171 questions about
/// documentation .1 finds one of the first five in .868 (.845), but on the manuals fewer first passages are right (.603 for .630).
const RANK_WEIGHT: f32 = 0.2;

/// Two passages have the same text if this share of the shorter one's runs of words is in the longer one …
const SAME_SHARE: f32 = 0.7;
/// … and the shorter one has at least this many runs.
const MIN_RUNS: usize = 6;

/// A part of a passage that the reranker reads: a window of one sentence around a hit, inside the passage. Short inputs
/// are cheaper and are ranked better than the whole. The best part counts for the passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
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

/// The reranker's logit, minus a little for each retrieval rank. That decides near ties, and keeps a wrong reranker
/// from burying what both retrievers found first.
pub(crate) fn blend(logit: f32, place: usize) -> f32 {
    logit - RANK_WEIGHT * place as f32
}

/// The words of a passage, to decide whether another one has the same text.
pub(crate) struct Wording {
    /// Its sentences. Those with the same text share an id.
    ids: Vec<SentenceId>,
    words: HashSet<String>,
    /// Runs of three words.
    runs: HashSet<Vec<String>>,
    /// The words that distinguish texts: numbers and names. Two contracts made from one template differ in nothing
    /// else.
    particular: HashSet<String>,
}

impl Wording {
    /// The words of a passage with these sentences and this plain text.
    pub(crate) fn new(ids: Vec<SentenceId>, text: &str) -> Self {
        let written: Vec<&str> = words(text).into_iter().map(|word| &text[word]).collect();
        let words: Vec<String> = written.iter().map(|word| word.to_lowercase()).collect();
        let is_particular =
            |word: &&&str| word.contains(char::is_numeric) || word.starts_with(char::is_uppercase);
        Self {
            ids,
            runs: words.windows(3).map(<[String]>::to_vec).collect(),
            particular: written.iter().filter(is_particular).map(|word| word.to_lowercase()).collect(),
            words: words.into_iter().collect(),
        }
    }

    /// Whether both have nearly the same text: another edition of a page, or a mail that the next one quotes.
    fn is_same(&self, other: &Self) -> bool {
        if self.ids == other.ids {
            return true;
        }
        let (short, long) = if self.runs.len() <= other.runs.len() { (self, other) } else { (other, self) };
        let shared = short.runs.intersection(&long.runs).count();
        short.runs.len() >= MIN_RUNS
            && shared as f32 >= SAME_SHARE * short.runs.len() as f32
            && short.particular.is_subset(&long.words)
    }
}

/// The order of passages in which the best place of exact copies goes to the one whose document has the lowest
/// `standing`.
pub(crate) fn best_copies_first<K: Ord>(texts: &[Wording], standing: impl Fn(usize) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    for first in 0..texts.len() {
        let is_copy = |at: &usize| texts[order[*at]].ids == texts[order[first]].ids;
        if (0..first).any(|at| is_copy(&at)) {
            continue;
        }
        if let Some(best) = (first..texts.len()).filter(is_copy).min_by_key(|&at| standing(order[at])) {
            order[first..=best].rotate_right(1);
        }
    }
    order
}

/// The fate of passages in their final order. The first `top` are shown and numbered. With `repeats_cut`, a passage
/// with the same text as a better one is cut and does not count.
pub(crate) fn cut<'a>(
    texts: impl IntoIterator<Item = &'a Wording>,
    top: usize,
    repeats_cut: bool,
) -> Vec<Fate> {
    let mut shown: Vec<&Wording> = Vec::new();
    let mut fate = |text: &'a Wording| {
        if let Some(same) = shown.iter().position(|one| repeats_cut && one.is_same(text)) {
            return Fate::SameText { n: same + 1 };
        }
        if shown.len() == top {
            return Fate::NotShown;
        }
        shown.push(text);
        Fate::Shown { n: shown.len() }
    };
    texts.into_iter().map(&mut fate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fates(texts: &[&[u32]], top: usize, repeats_cut: bool) -> Vec<Fate> {
        cut(&wordings(texts), top, repeats_cut)
    }

    fn wordings(texts: &[&[u32]]) -> Vec<Wording> {
        let wording = |ids: &&[u32]| Wording::new(ids.iter().copied().map(SentenceId).collect(), "");
        texts.iter().map(wording).collect()
    }

    #[test]
    fn of_copies_the_nearest_takes_the_best_place() {
        let texts = wordings(&[&[1], &[2], &[1], &[3], &[1]]);
        let order = |depths: [usize; 5]| best_copies_first(&texts, |at| depths[at]);
        assert_eq!(order([4, 1, 2, 1, 3]), [2, 0, 1, 3, 4]);
        assert_eq!(order([2, 9, 2, 9, 2]), [0, 1, 2, 3, 4], "the better one of two as near");
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

    #[test]
    fn an_edition_is_the_same_text_and_a_contract_of_the_same_pattern_is_not() {
        let page = "Sets the amount of memory the database server uses for shared memory buffers. The default is 128 \
            megabytes, but it might be less.";
        let edition = "Sets the amount of memory the data-base server uses for shared memory buffers. The default is 128 \
            megabytes, but it might be less. If you have a dedicated server, a reasonable value is more.";
        let is_same = |a: &str, b: &str| {
            let wording = |n, text| Wording::new(vec![SentenceId(n)], text);
            wording(1, a).is_same(&wording(2, b)) && wording(2, b).is_same(&wording(1, a))
        };
        assert!(is_same(page, edition));
        assert!(!is_same(page, &page.replace("128", "256")));
        let lease = "The rent is due on the first working day of every month and is paid to the account of Mara Lindqvist.";
        assert!(!is_same(lease, &lease.replace("Mara Lindqvist", "Jonas Weber")));
    }
}
