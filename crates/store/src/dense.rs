//! Nearest vectors: exact search where that is fast, otherwise trees; unindexed vectors are always searched exactly.

use std::cmp::Ordering;
use std::num::NonZeroUsize;

use oriel_core::SentenceId;
use roaring::RoaringBitmap;

use crate::schema::VectorSet;
use crate::vectors::{TREE_INDEX, floats};
use crate::{StoreError, Vectors, View, keys};

/// Up to this many vectors are compared exhaustively: some ten milliseconds, and nothing is missed.
const MAX_EXACT_VECTORS: u64 = 50_000;
/// Leaves of the trees to visit, per wanted result and tree.
const LEAVES_PER_RESULT: usize = 24;

/// A sentence whose vector is near the query's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DenseHit {
    /// The sentence; several documents may contain it.
    pub sentence: SentenceId,
    /// Cosine similarity, from -1 to 1.
    pub similarity: f32,
}

/// How many vectors a store has, by place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorCounts {
    /// In the trees.
    pub trees: u64,
    /// Not in the trees yet.
    pub unindexed: u64,
    /// In the trees, no longer needed.
    pub stale: u64,
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
        let mut hits = Vec::new();
        let set = self.set(Vectors::Active)?;
        for entry in set.unindexed.iter(self.txn)? {
            let (key, bytes) = entry?;
            let sentence = keys::read_id(key)?;
            if among.is_none_or(|among| among.contains(sentence)) {
                hits.push(hit(sentence, dot_bytes(query, bytes)));
            }
        }
        if let Some(trees) = self.trees(set)? {
            let stale: RoaringBitmap = self.ids(&set.stale)?.into_iter().collect();
            let mut wanted = trees.item_ids() - stale;
            if let Some(among) = among {
                wanted &= among;
            }
            if wanted.len() <= MAX_EXACT_VECTORS {
                self.search_exactly(&trees, query, &wanted, &mut hits)?;
            } else {
                let effort = (limit * LEAVES_PER_RESULT).saturating_mul(trees.n_trees().max(1));
                let mut nearest = trees.nns(limit);
                nearest.candidates(&wanted);
                if let Some(effort) = NonZeroUsize::new(effort) {
                    nearest.search_k(effort);
                }
                // arroy's cosine distance is (1 - cosine) / 2 of vectors of unit length.
                let found = nearest.by_vector(self.txn, query)?;
                hits.extend(
                    found.into_iter().map(|(sentence, distance)| hit(sentence, 1.0 - 2.0 * distance)),
                );
            }
        }
        Ok(best(hits, limit))
    }

    /// The sentences of `among`, nearest to `query` first, without those that have no vector.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn rank_dense(&self, query: &[f32], among: &[SentenceId]) -> Result<Vec<DenseHit>, StoreError> {
        let set = self.set(Vectors::Active)?;
        let trees = self.trees(set)?;
        let mut hits = Vec::with_capacity(among.len());
        for &sentence in among {
            if let Some(vector) = self.vector(set, trees.as_ref(), sentence)? {
                hits.push(hit(sentence.0, dot(query, &vector)));
            }
        }
        let count = hits.len();
        Ok(best(hits, count))
    }

    /// The vectors of sentences, in their order; `None` where one has none.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn vectors_of(&self, sentences: &[SentenceId]) -> Result<Vec<Option<Vec<f32>>>, StoreError> {
        let set = self.set(Vectors::Active)?;
        let trees = self.trees(set)?;
        sentences.iter().map(|&sentence| self.vector(set, trees.as_ref(), sentence)).collect()
    }

    /// How many vectors there are, by place.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn vector_counts(&self, of: Vectors) -> Result<VectorCounts, StoreError> {
        let set = self.set(of)?;
        Ok(VectorCounts {
            trees: self.trees(set)?.map_or(0, |trees| trees.n_items()),
            unindexed: set.unindexed.len(self.txn)?,
            stale: set.stale.len(self.txn)?,
        })
    }

    /// Sentences that neither have nor wait for a vector, and vectors that belong to no sentence: both are empty in a
    /// sound store.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn check_vectors(&self, of: Vectors) -> Result<(Vec<SentenceId>, Vec<SentenceId>), StoreError> {
        let bitmap = |ids: Vec<u32>| ids.into_iter().collect::<RoaringBitmap>();
        let set = self.set(of)?;
        let in_trees = self.tree_items(set)?;
        let stale = bitmap(self.ids(&set.stale)?);
        let have = (in_trees - stale) | bitmap(self.ids(&set.unindexed)?);
        let waiting = bitmap(self.ids(&set.unembedded)?);
        let known = bitmap(self.ids(&self.databases.sentences)?);
        let without = &known - &(&have | &waiting);
        let orphaned = (have | waiting) - known;
        Ok((without.iter().map(SentenceId).collect(), orphaned.iter().map(SentenceId).collect()))
    }

    /// The sentences whose vectors are in the trees, including stale ones.
    pub(crate) fn tree_items(&self, set: &VectorSet) -> Result<RoaringBitmap, StoreError> {
        Ok(self.trees(set)?.map_or_else(RoaringBitmap::new, |trees| trees.item_ids().clone()))
    }

    fn search_exactly(
        &self,
        trees: &arroy::Reader<'_, arroy::distances::Cosine>,
        query: &[f32],
        wanted: &RoaringBitmap,
        hits: &mut Vec<DenseHit>,
    ) -> Result<(), StoreError> {
        if wanted.len() * 4 < trees.n_items() {
            for sentence in wanted {
                if let Some(vector) = trees.item_vector(self.txn, sentence)? {
                    hits.push(hit(sentence, dot(query, &vector)));
                }
            }
        } else {
            for item in trees.iter(self.txn)? {
                let (sentence, vector) = item?;
                if wanted.contains(sentence) {
                    hits.push(hit(sentence, dot(query, &vector)));
                }
            }
        }
        Ok(())
    }

    fn vector(
        &self,
        set: &VectorSet,
        trees: Option<&arroy::Reader<'_, arroy::distances::Cosine>>,
        sentence: SentenceId,
    ) -> Result<Option<Vec<f32>>, StoreError> {
        if let Some(bytes) = set.unindexed.get(self.txn, &keys::id(sentence.0))? {
            return Ok(Some(floats(bytes)));
        }
        match trees {
            Some(trees) => Ok(trees.item_vector(self.txn, sentence.0)?),
            None => Ok(None),
        }
    }

    /// The trees, or `None` before they were first built.
    fn trees(
        &self,
        set: &VectorSet,
    ) -> Result<Option<arroy::Reader<'_, arroy::distances::Cosine>>, StoreError> {
        match arroy::Reader::open(self.txn, TREE_INDEX, set.trees()) {
            Ok(reader) => Ok(Some(reader)),
            Err(arroy::Error::MissingMetadata(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
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

/// Sums in eight lanes, which the compiler turns into vector instructions.
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

fn dot_bytes(query: &[f32], bytes: &[u8]) -> f32 {
    dot(query, &floats(bytes))
}
