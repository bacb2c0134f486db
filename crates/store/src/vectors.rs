//! Changing the vectors: kept, built into trees, made anew for another embedder beside those that are searched.
//!
//! There are two sets. One is searched. While another embedder's vectors are made, they go into the other; when every
//! sentence has one, the two change places in one transaction. The old set is kept for a while. New sentences wait
//! in both sets, so going back embeds only those.

use std::path::Path;

use heed::RwTxn;
use oriel_core::{CancelToken, DocumentId, SentenceId};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;

use crate::schema::{VectorSet, meta};
use crate::{Edit, EmbedderRecord, Store, StoreError, keys};

/// The trees are split into as many as this; with the exact search below the limit of `dense.rs` they only serve
/// libraries that are large, where more trees mean better recall and a longer build.
const TREES: usize = 24;

/// arroy keeps several indexes apart by number; there is one a set.
pub(crate) const TREE_INDEX: u16 = 0;

/// Which vectors are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// Those that questions are compared with.
    Active,
    /// Those of another embedder beside them: being made, or kept from before.
    Pending,
}

impl Store {
    /// Searches the next vectors from now on and keeps those that were searched so far until `until`, in milliseconds since 1970.
    /// Says whether it did: not where a sentence still waits for its next vector, or where there are none.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn search_next(&self, until: u64) -> Result<bool, StoreError> {
        self.write(|edit| edit.search_next(until))
    }

    /// Drops the previous vectors where the time until which they are kept has come.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn drop_previous(&self, now: u64) -> Result<(), StoreError> {
        if self.read(|view| view.previous())?.is_none_or(|previous| now < previous.until) {
            return Ok(());
        }
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method alone is not general enough"
        )]
        self.write(|edit| edit.drop_next())
    }
}

impl Edit<'_> {
    /// Keeps the vector of a sentence. A sentence that no document holds any more is passed over.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn put_vector(
        &mut self,
        of: Vectors,
        sentence: SentenceId,
        vector: &[f32],
    ) -> Result<(), StoreError> {
        let key = keys::id(sentence.0);
        let set = *self.view().set(of)?;
        if set.unembedded.delete(self.txn(), &key)? {
            let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
            set.fresh.put(self.txn(), &key, &bytes)?;
        }
        Ok(())
    }

    /// Says which vectors this embedder's sentences go to. Where it is the one whose vectors are searched, or where there
    /// are none yet, those; otherwise the next ones, for which every sentence comes to wait that has none from before.
    /// Vectors that were being made for any other embedder are dropped.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn use_embedder(&mut self, embedder: &EmbedderRecord) -> Result<Vectors, StoreError> {
        let searched = self.view().embedder()?;
        if searched.as_ref() == Some(embedder) {
            if self.view().previous()?.is_none() {
                self.drop_next()?;
            }
            return Ok(Vectors::Active);
        }
        if self.view().embedder_of(Vectors::Pending)?.as_ref() == Some(embedder) {
            self.databases.meta.delete(self.txn(), meta::PREVIOUS_UNTIL)?;
            return Ok(Vectors::Pending);
        }
        self.drop_next()?;
        let counts = self.view().vector_counts(Vectors::Active)?;
        let (of, key) = if counts.trees == counts.stale && counts.fresh == 0 {
            (Vectors::Active, meta::EMBEDDER)
        } else {
            (Vectors::Pending, meta::NEXT_EMBEDDER)
        };
        let set = *self.view().set(of)?;
        clear(&set, self.txn())?;
        for sentence in self.view().ids(&self.databases.sentences)? {
            set.unembedded.put(self.txn(), &keys::id(sentence), &[])?;
        }
        self.put_json(self.databases.meta, key, embedder)?;
        Ok(of)
    }

    fn search_next(&mut self, until: u64) -> Result<bool, StoreError> {
        let view = self.view();
        let Some(next) = view.next_embedder()? else { return Ok(false) };
        if view.unembedded_count(Vectors::Pending)? > 0 {
            return Ok(false);
        }
        let (databases, previous) = (self.databases, view.embedder()?);
        let searched = view.number(meta::SEARCHED)?.unwrap_or(0);
        databases.meta.put(self.txn(), meta::SEARCHED, &keys::id(1 - searched.min(1)))?;
        self.put_json(databases.meta, meta::EMBEDDER, &next)?;
        let Some(previous) = previous else { return self.drop_next().map(|()| true) };
        self.put_json(databases.meta, meta::NEXT_EMBEDDER, &previous)?;
        self.put_json(databases.meta, meta::PREVIOUS_UNTIL, &until)?;
        Ok(true)
    }

    fn drop_next(&mut self) -> Result<(), StoreError> {
        let databases = self.databases;
        databases.meta.delete(self.txn(), meta::PREVIOUS_UNTIL)?;
        if databases.meta.delete(self.txn(), meta::NEXT_EMBEDDER)? {
            let set = *self.view().set(Vectors::Pending)?;
            clear(&set, self.txn())?;
        }
        Ok(())
    }

    /// Every set that is in use.
    fn sets(&self) -> Result<Vec<VectorSet>, StoreError> {
        let mut sets = vec![*self.view().set(Vectors::Active)?];
        if self.view().embedder_of(Vectors::Pending)?.is_some() {
            sets.push(*self.view().set(Vectors::Pending)?);
        }
        Ok(sets)
    }

    /// A new sentence waits for its vectors.
    pub(crate) fn want_vectors(&mut self, sentence: SentenceId) -> Result<(), StoreError> {
        for set in self.sets()? {
            set.unembedded.put(self.txn(), &keys::id(sentence.0), &[])?;
        }
        Ok(())
    }

    /// Moves at most `most` of the fresh vectors into the trees, any of them, and takes the stale ones out.
    /// How many are left outside. What does not fit into memory lies in the folder `temporary` meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Cancelled`] where `cancel` came first, or where the store cannot be written.
    pub(crate) fn grow_trees(
        &mut self,
        of: Vectors,
        most: usize,
        temporary: &Path,
        cancel: &CancelToken,
    ) -> Result<u64, StoreError> {
        let Some(embedder) = self.view().embedder_of(of)? else { return Ok(0) };
        let set = *self.view().set(of)?;
        let mut writer = arroy::Writer::new(set.trees(), TREE_INDEX, embedder.dimensions);
        writer.set_tmpdir(temporary);
        for sentence in self.view().ids(&set.stale)? {
            cancel.check().map_err(|_| StoreError::Cancelled)?;
            writer.del_item(self.txn(), sentence)?;
        }
        set.stale.clear(self.txn())?;
        // A fixed seed: the same vectors give the same trees.
        let mut random = StdRng::seed_from_u64(0x0071_e100);
        // From all of them: the first part makes the planes by which the others are divided too.
        let mut part = self.view().ids(&set.fresh)?;
        let (chosen, _) = part.partial_shuffle(&mut random, most);
        chosen.sort_unstable();
        for &sentence in chosen.iter() {
            cancel.check().map_err(|_| StoreError::Cancelled)?;
            let key = keys::id(sentence);
            let vector = floats(set.fresh.get(self.txn(), &key)?.unwrap_or_default());
            writer.add_item(self.txn(), sentence, &vector)?;
            set.fresh.delete(self.txn(), &key)?;
        }
        let left = set.fresh.len(self.txn())?;
        if !writer.need_build(self.txn())? {
            return Ok(left);
        }
        writer.builder(&mut random).n_trees(TREES).cancel(|| cancel.is_cancelled()).build(self.txn())?;
        Ok(left)
    }

    /// Takes one occurrence away, and the sentence with it where it was the last.
    pub(crate) fn release(&mut self, sentence: SentenceId, document: DocumentId) -> Result<(), StoreError> {
        let databases = self.databases;
        databases.occurrences.delete(self.txn(), &keys::occurrence(sentence, document))?;
        if self.view().occurrences(sentence)?.next().is_some() {
            return Ok(());
        }
        let key = keys::id(sentence.0);
        if let Some(hash) = databases.sentences.get(self.txn(), &key)?.map(<[u8]>::to_vec) {
            databases.hashes.delete(self.txn(), &hash)?;
        }
        databases.sentences.delete(self.txn(), &key)?;
        for set in self.sets()? {
            let waiting = set.unembedded.delete(self.txn(), &key)?;
            let fresh = set.fresh.delete(self.txn(), &key)?;
            if !waiting && !fresh {
                set.stale.put(self.txn(), &key, &[])?;
            }
        }
        Ok(())
    }
}

fn clear(set: &VectorSet, txn: &mut RwTxn<'_>) -> Result<(), StoreError> {
    for database in [set.unembedded, set.fresh, set.stale, set.vectors] {
        database.clear(txn)?;
    }
    Ok(())
}

pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}
