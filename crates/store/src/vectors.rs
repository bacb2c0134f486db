//! Changing the vectors: storing them, and switching to another embedder.
//!
//! There are two sets. Questions are compared with the active one. Vectors of another embedder go into the other set;
//! when every sentence has one, the two swap in one transaction. The old set is kept for a while, and new sentences
//! wait in both sets, so that switching back embeds only those.

use heed::RwTxn;
use oriel_core::{DocumentId, SentenceId};

use crate::floats::{floats, halves, put_halves};
use crate::schema::{VectorSet, Vectors, meta};
use crate::{Edit, EmbedderRecord, Store, StoreError, codes, keys};

impl Store {
    /// Makes the pending vectors active and keeps the previous ones until `until`, in milliseconds since 1970. Returns
    /// `false` if there are no pending vectors, or if a sentence still waits for one.
    pub fn search_next(&self, until: u64) -> Result<bool, StoreError> {
        self.write(|edit| edit.search_next(until))
    }

    /// Deletes the previous vectors if their time is over.
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
    /// Stores the vector of a sentence. Does nothing if no document contains the sentence any more.
    pub fn put_vector(
        &mut self,
        of: Vectors,
        sentence: SentenceId,
        vector: &[f32],
    ) -> Result<(), StoreError> {
        let bytes = halves(vector);
        // The code is computed from the stored values. Very large numbers become infinite in f16.
        let kept = floats(&bytes);
        if kept.iter().any(|value| !value.is_finite()) {
            return Err(StoreError::Corrupt("a vector holds a value that is no number".into()));
        }
        let key = keys::id(sentence.0);
        let set = *self.view().set(of)?;
        if set.unembedded.delete(self.txn(), &key)? {
            put_halves(&set, self.txn(), &key, &bytes)?;
            codes::put(&set, self.txn(), sentence, &kept)?;
        }
        Ok(())
    }

    /// Selects the set for this embedder's vectors: the active one if it is this embedder's or empty, otherwise the
    /// pending one, in which every sentence without a vector then waits for one. Deletes pending vectors of any other
    /// embedder.
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
        let (of, key) = if self.view().vector_count(Vectors::Active)? == 0 {
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

    fn sets(&self) -> Result<Vec<VectorSet>, StoreError> {
        let mut sets = vec![*self.view().set(Vectors::Active)?];
        if self.view().embedder_of(Vectors::Pending)?.is_some() {
            sets.push(*self.view().set(Vectors::Pending)?);
        }
        Ok(sets)
    }

    /// Queues a new sentence for its vectors in all sets.
    pub(crate) fn want_vectors(&mut self, sentence: SentenceId) -> Result<(), StoreError> {
        for set in self.sets()? {
            set.unembedded.put(self.txn(), &keys::id(sentence.0), &[])?;
        }
        Ok(())
    }

    /// Removes one occurrence, and the sentence itself if it was the last.
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
            set.unembedded.delete(self.txn(), &key)?;
            if set.vectors.delete(self.txn(), &key)? {
                codes::remove(&set, self.txn(), sentence)?;
            }
        }
        Ok(())
    }
}

fn clear(set: &VectorSet, txn: &mut RwTxn<'_>) -> Result<(), StoreError> {
    for database in [set.unembedded, set.vectors, set.codes] {
        database.clear(txn)?;
    }
    Ok(())
}
