//! Nearest vectors: the codes select candidates, and the vectors of these are compared exactly.

use std::cmp::Ordering;

use oriel_core::SentenceId;
use roaring::RoaringBitmap;

use crate::floats::floats;
use crate::schema::VectorSet;
use crate::{StoreError, Vectors, View, codes, keys};

/// Vectors that are compared exactly: at most this many, or [`PER_RESULT`] for each result if that is more. Reading one
/// takes about a microsecond.
const MAX_COMPARED: usize = 1_000;
const PER_RESULT: usize = 10;
/// Candidates are compared in rounds of this size, in the order of their estimates. The search ends after the first
/// round that changes none of the best, if there are at least [`MIN_BEST`] of them.
const ROUND: usize = 200;
const MIN_BEST: usize = 20;

/// A sentence whose vector is near the query's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DenseHit {
    /// The sentence; several documents may contain it.
    pub sentence: SentenceId,
    /// Cosine similarity, from -1 to 1.
    pub similarity: f32,
}

impl View<'_> {
    /// The `limit` sentences nearest to `query` (of unit length), nearest first, ties by id. `among` limits the search
    /// to these sentences. Never returns a sentence that no document holds.
    ///
    /// # Errors
    /// If the store is damaged, or `query` has other dimensions than the vectors.
    pub fn search_dense(
        &self,
        query: &[f32],
        among: Option<&RoaringBitmap>,
        limit: usize,
    ) -> Result<Vec<DenseHit>, StoreError> {
        let dimensions = self.embedder()?.map_or(query.len(), |embedder| embedder.dimensions);
        if dimensions != query.len() {
            let given = query.len();
            return Err(StoreError::Corrupt(format!(
                "a query of {given} dimensions, vectors of {dimensions}"
            )));
        }
        let set = self.set(Vectors::Active)?;
        let compared = MAX_COMPARED.max(limit.saturating_mul(PER_RESULT));
        let (candidates, round) = match among {
            Some(among) if among.len() <= compared as u64 => (among.iter().collect(), usize::MAX),
            _ => (codes::nearest(set, self.txn, query, among, compared)?, ROUND.max(limit)),
        };
        let mut nearest = Vec::new();
        for candidates in candidates.chunks(round) {
            let mut hits = nearest.clone();
            for &sentence in candidates {
                if let Some(vector) = set.vectors.get(self.txn, &keys::id(sentence))? {
                    hits.push(hit(sentence, dot(query, &floats(vector))));
                }
            }
            let hits = best(hits, limit.max(MIN_BEST));
            if !hits.is_empty() && hits == nearest {
                break;
            }
            nearest = hits;
        }
        nearest.truncate(limit);
        Ok(nearest)
    }

    /// The sentences of `among`, nearest to `query` first, without those that have no vector.
    pub fn rank_dense(&self, query: &[f32], among: &[SentenceId]) -> Result<Vec<DenseHit>, StoreError> {
        let set = self.set(Vectors::Active)?;
        let mut hits = Vec::with_capacity(among.len());
        for &sentence in among {
            if let Some(vector) = self.vector(set, sentence)? {
                hits.push(hit(sentence.0, dot(query, &vector)));
            }
        }
        let count = hits.len();
        Ok(best(hits, count))
    }

    /// The vectors of sentences, in the given order; `None` for a sentence without one.
    pub fn vectors_of(&self, sentences: &[SentenceId]) -> Result<Vec<Option<Vec<f32>>>, StoreError> {
        let set = self.set(Vectors::Active)?;
        sentences.iter().map(|&sentence| self.vector(set, sentence)).collect()
    }

    /// The number of vectors.
    pub fn vector_count(&self, of: Vectors) -> Result<u64, StoreError> {
        Ok(self.set(of)?.vectors.len(self.txn)?)
    }

    /// Sentences that have no vector and are not queued for one, and vectors that belong to no sentence. Both lists are
    /// empty in a sound store.
    pub fn check_vectors(&self, of: Vectors) -> Result<(Vec<SentenceId>, Vec<SentenceId>), StoreError> {
        let bitmap = |ids: Vec<u32>| ids.into_iter().collect::<RoaringBitmap>();
        let set = self.set(of)?;
        let have = bitmap(self.ids(&set.vectors)?);
        let waiting = bitmap(self.ids(&set.unembedded)?);
        let known = bitmap(self.ids(&self.databases.sentences)?);
        let without = &known - &(&have | &waiting);
        let orphaned = (have | waiting) - known;
        Ok((without.iter().map(SentenceId).collect(), orphaned.iter().map(SentenceId).collect()))
    }

    /// The number of sentences with a vector and no code, or the reverse; 0 in a sound store.
    pub fn check_codes(&self, of: Vectors) -> Result<u64, StoreError> {
        Ok(codes::wrong(self.set(of)?, self.txn)?.len())
    }

    fn vector(&self, set: &VectorSet, sentence: SentenceId) -> Result<Option<Vec<f32>>, StoreError> {
        Ok(set.vectors.get(self.txn, &keys::id(sentence.0))?.map(floats))
    }
}

fn hit(sentence: u32, similarity: f32) -> DenseHit {
    DenseHit { sentence: SentenceId(sentence), similarity }
}

fn best(mut hits: Vec<DenseHit>, limit: usize) -> Vec<DenseHit> {
    let nearer = |a: &DenseHit, b: &DenseHit| -> Ordering {
        b.similarity.total_cmp(&a.similarity).then(a.sentence.cmp(&b.sentence))
    };
    if hits.len() > limit {
        if limit > 0 {
            hits.select_nth_unstable_by(limit - 1, nearer);
        }
        hits.truncate(limit);
    }
    hits.sort_unstable_by(nearer);
    hits
}

/// The dot product. It sums in eight lanes, which the compiler turns into vector instructions.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0f32; 8];
    let (a_lanes, a_rest) = a.as_chunks::<8>();
    let (b_lanes, b_rest) = b.as_chunks::<8>();
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}
