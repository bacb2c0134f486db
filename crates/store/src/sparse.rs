//! BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) with sentences as the scored units.
//!
//! The search reads the postings of all words in parallel, sentence by sentence. Once it has as many sentences as are
//! wanted, words that cannot lift another sentence into the results are only looked up in the sentences that contain
//! the other words: MaxScore (Turtle and Flood, "Query Evaluation: Strategies and Optimizations", 1995).

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};
use std::iter::Peekable;

use oriel_core::{DocumentId, Ordinal};
use roaring::RoaringBitmap;

use crate::postings::{Block, Blocks, Occurrence, Sentences, measure};
use crate::{StoreError, View, keys};

/// BM25's saturation of a term's frequency.
const K1: f32 = 1.2;
/// BM25's normalisation by a sentence's length.
const B: f32 = 0.75;
/// A term in more than this share of all sentences is ignored if the query has rarer ones.
const FREQUENT_TERM_SHARE: f64 = 0.1;
/// In libraries with fewer sentences no term is ignored.
const MIN_SENTENCES_TO_IGNORE_TERMS: u64 = 2_000;
/// Upper bounds are raised by this factor, since sums of scores may differ by rounding.
const ROUNDING: f32 = 1.0001;

/// A sentence found by words of the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseHit {
    pub document: DocumentId,
    /// Its position in the document.
    pub ordinal: Ordinal,
    /// The BM25 score; higher is better.
    pub score: f32,
}

/// Orders by score, then by position: the better hit is greater.
impl Ord for SparseHit {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |hit: &Self| (hit.document, hit.ordinal);
        self.score.total_cmp(&other.score).then(place(other).cmp(&place(self)))
    }
}

impl PartialOrd for SparseHit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for SparseHit {}

/// A cursor over the sentences that contain one word of the query.
struct Word<'t> {
    /// The blocks after the current one.
    blocks: Peekable<Blocks<'t>>,
    block: Block<'t>,
    document: u32,
    sentences: Sentences<'t>,
    /// The current sentence, with its document and ordinal in one number; [`END`] after the last.
    at: u64,
    frequency: u32,
    length: u32,
    /// The word's weight in BM25, and the upper bound of its score in a sentence.
    weight: f32,
}

const END: u64 = u64::MAX;

impl<'t> Word<'t> {
    /// A cursor at the first sentence.
    fn new(blocks: Blocks<'t>, weight: f32, among: Option<&RoaringBitmap>) -> Result<Self, StoreError> {
        let (blocks, (block, sentences)) = (blocks.peekable(), Default::default());
        let mut word = Self { blocks, block, document: 0, sentences, at: 0, frequency: 0, length: 0, weight };
        word.advance(among)?;
        Ok(word)
    }

    /// Moves to the next sentence.
    fn advance(&mut self, among: Option<&RoaringBitmap>) -> Result<(), StoreError> {
        loop {
            if let Some(sentence) = self.sentences.next() {
                let Occurrence { ordinal, frequency, length } = sentence?;
                (self.frequency, self.length) = (frequency, length);
                self.at = position(self.document, ordinal);
                return Ok(());
            }
            if !self.next_document(among)? {
                self.at = END;
                return Ok(());
            }
        }
    }

    /// Moves to the first sentence at or after `at`.
    fn seek(&mut self, at: u64, among: Option<&RoaringBitmap>) -> Result<(), StoreError> {
        let document = (at >> 32) as u32;
        while self.at < at {
            if self.document < document {
                self.sentences = Sentences::default();
                let is_before =
                    |next: &Result<Block<'_>, _>| next.as_ref().is_ok_and(|next| next.first() <= document);
                while let Some(next) = self.blocks.next_if(is_before) {
                    self.block = next?;
                }
            }
            self.advance(among)?;
        }
        Ok(())
    }

    /// Moves to the next document, before its first sentence; `false` after the last.
    fn next_document(&mut self, among: Option<&RoaringBitmap>) -> Result<bool, StoreError> {
        loop {
            if let Some(posting) = self.block.next() {
                let posting = posting?;
                self.document = posting.document.0;
                if among.is_none_or(|among| among.contains(self.document)) {
                    self.sentences = posting.sentences;
                    return Ok(true);
                }
                continue;
            }
            let Some(next) = self.blocks.next() else { return Ok(false) };
            self.block = next?;
        }
    }

    fn score(&self, mean_length: f32) -> f32 {
        let frequency = self.frequency as f32;
        let norm = K1 * (1.0 - B + B * self.length as f32 / mean_length);
        self.weight * frequency / (frequency + norm)
    }
}

fn position(document: u32, ordinal: u32) -> u64 {
    u64::from(document) << 32 | u64::from(ordinal)
}

impl View<'_> {
    /// The `limit` best sentences by BM25, best first; ties in the order of documents and sentences. `among` limits the
    /// search to these documents, and the rarity of a word is then computed among them.
    pub fn search_sparse(
        &self,
        query: &[String],
        among: Option<&RoaringBitmap>,
        limit: usize,
    ) -> Result<Vec<SparseHit>, StoreError> {
        let totals = self.totals()?;
        if totals.sentences == 0 || limit == 0 {
            return Ok(Vec::new());
        }
        let sentences = match among {
            Some(among) => self.sentences_among(among)?,
            None => totals.sentences,
        };
        let count = sentences as f64;
        let mean_length = (totals.terms as f64 / totals.sentences as f64).max(1.0) as f32;
        let mut words = Vec::new();
        for (term, frequency) in self.telling_terms(query, sentences, among)? {
            let frequency = f64::from(frequency);
            let rarity = (1.0 + (count - frequency + 0.5) / (frequency + 0.5)).ln().max(0.0) as f32;
            words.push(Word::new(self.blocks(&term)?, rarity * (K1 + 1.0), among)?);
        }
        words.sort_by(|a, b| a.weight.total_cmp(&b.weight));
        // The maximum score from the first word alone, from the first two, and so on.
        let mut sum = 0.0;
        let reach: Vec<f32> = words
            .iter()
            .map(|word| {
                sum += word.weight * ROUNDING;
                sum
            })
            .collect();

        let mut best: BinaryHeap<Reverse<SparseHit>> = BinaryHeap::new();
        let mut least = f32::NEG_INFINITY;
        // The number of words that together cannot lift a sentence into the results.
        let mut optional = 0;
        let mut next = words.iter().map(|word| word.at).min().unwrap_or(END);
        while next != END {
            let (at, mut score) = (next, 0.0);
            next = END;
            let (rest, leading) = words.split_at_mut(optional);
            // Adds up in a fixed order, from the highest weight to the lowest, so that equal sentences get equal sums.
            for word in leading.iter_mut().rev() {
                if word.at == at {
                    score += word.score(mean_length);
                    word.advance(among)?;
                }
                next = next.min(word.at);
            }
            for (word, reach) in rest.iter_mut().zip(&reach).rev() {
                if score + reach <= least {
                    break;
                }
                word.seek(at, among)?;
                if word.at == at {
                    score += word.score(mean_length);
                }
            }
            if best.len() == limit {
                if score <= least {
                    continue;
                }
                best.pop();
            }
            let (document, ordinal) = (DocumentId((at >> 32) as u32), Ordinal(at as u32));
            best.push(Reverse(SparseHit { document, ordinal, score }));
            if let Some(Reverse(worst)) = best.peek().filter(|_| best.len() == limit) {
                least = worst.score;
                optional = reach.partition_point(|reach| *reach <= least);
            }
        }
        Ok(best.into_sorted_vec().into_iter().map(|Reverse(hit)| hit).collect())
    }

    /// The terms that are too frequent to be useful in a search.
    pub fn frequent_terms(&self) -> Result<Vec<String>, StoreError> {
        let sentences = self.totals()?.sentences;
        let mut common = Vec::new();
        for entry in self.databases.frequencies.iter(self.txn)? {
            let (term, frequency) = entry?;
            if is_frequent(keys::read_id(frequency)?, sentences) {
                let term = String::from_utf8(term.to_vec());
                common.push(term.map_err(|_| StoreError::Corrupt("a term is not UTF-8".into()))?);
            }
        }
        Ok(common)
    }

    /// The terms that begin with `prefix` and are accepted by `is_wanted`, each with its number of sentences. Reads all
    /// terms with that prefix.
    pub fn terms_that(
        &self,
        prefix: &str,
        mut is_wanted: impl FnMut(&str) -> bool,
    ) -> Result<Vec<(String, u32)>, StoreError> {
        let mut wanted = Vec::new();
        for entry in self.databases.frequencies.prefix_iter(self.txn, prefix.as_bytes())? {
            let (term, frequency) = entry?;
            if let Some(term) = std::str::from_utf8(term).ok().filter(|term| is_wanted(term)) {
                wanted.push((term.to_owned(), keys::read_id(frequency)?));
            }
        }
        Ok(wanted)
    }

    /// The number of sentences in these documents.
    fn sentences_among(&self, documents: &RoaringBitmap) -> Result<u64, StoreError> {
        let length = |document| Ok(self.table(DocumentId(document))?.len() as u64);
        documents.iter().map(length).sum()
    }

    /// The number of sentences in these documents that contain `term`.
    fn frequency_among(&self, term: &str, documents: &RoaringBitmap) -> Result<u32, StoreError> {
        let mut frequency = 0_u32;
        for posting in self.postings(term)? {
            let posting = posting?;
            if documents.contains(posting.document.0) {
                frequency = frequency.saturating_add(measure(posting.sentences)?.0);
            }
        }
        Ok(frequency)
    }

    /// The distinct terms of the query that occur, without very frequent ones.
    fn telling_terms(
        &self,
        query: &[String],
        sentences: u64,
        among: Option<&RoaringBitmap>,
    ) -> Result<Vec<(String, u32)>, StoreError> {
        let mut terms = BTreeMap::new();
        for term in query {
            let frequency = match among {
                Some(documents) => self.frequency_among(term, documents)?,
                None => self.frequency(term)?,
            };
            if frequency > 0 {
                terms.insert(term.clone(), frequency);
            }
        }
        if terms.values().any(|&frequency| !is_frequent(frequency, sentences)) {
            terms.retain(|_, &mut frequency| !is_frequent(frequency, sentences));
        }
        Ok(terms.into_iter().collect())
    }
}

/// Whether a term with this frequency among all sentences is too frequent to be useful.
fn is_frequent(frequency: u32, sentences: u64) -> bool {
    sentences > MIN_SENTENCES_TO_IGNORE_TERMS && f64::from(frequency) > FREQUENT_TERM_SHARE * sentences as f64
}
