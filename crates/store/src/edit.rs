//! Changing the store: folders, counters, vectors, trees.

use heed::RwTxn;
use oriel_core::{CancelToken, DocumentId, SentenceId};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Serialize;

use crate::schema::{Databases, meta};
use crate::{EmbedderRecord, FolderRecord, ScanRecord, StoreError, Totals, View, keys};

/// The trees are split into as many as this; with the exact search below the limit of `dense.rs` they only serve
/// libraries that are large, where more trees mean better recall and a longer build.
const TREES: usize = 24;

/// arroy keeps several indexes apart by number; there is one.
pub(crate) const TREE_INDEX: u16 = 0;

/// How far the building of the trees is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeProgress {
    /// Steps done of this part.
    pub done: u32,
    /// Steps of this part.
    pub total: u32,
}

/// One write transaction. Everything done through it is kept together, or not at all.
pub struct Edit<'e> {
    pub(crate) databases: &'e Databases,
    txn: RwTxn<'e>,
}

impl<'e> Edit<'e> {
    pub(crate) fn new(databases: &'e Databases, txn: RwTxn<'e>) -> Self {
        Self { databases, txn }
    }

    pub(crate) fn txn(&mut self) -> &mut RwTxn<'e> {
        &mut self.txn
    }

    pub(crate) fn commit(self) -> Result<(), StoreError> {
        Ok(self.txn.commit()?)
    }

    /// The store as it is in the middle of this edit.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View::new(self.databases, &self.txn)
    }

    /// Adds a folder.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn add_folder(&mut self, folder: &FolderRecord) -> Result<(), StoreError> {
        let number = self.next(meta::NEXT_FOLDER)?;
        self.put_json(self.databases.folders, &keys::id(number), folder)
    }

    /// Replaces what is known of a folder. One that was removed in the meantime is passed over.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn put_folder(&mut self, number: u32, folder: &FolderRecord) -> Result<(), StoreError> {
        match self.view().folder(number)? {
            Some(_) => self.put_json(self.databases.folders, &keys::id(number), folder),
            None => Ok(()),
        }
    }

    /// Notes what a look at all folders saw.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn set_scan(&mut self, scan: &ScanRecord) -> Result<(), StoreError> {
        self.put_json(self.databases.meta, meta::SCAN, scan)
    }

    /// Takes a folder off the list; its documents are removed one by one by the caller.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn remove_folder(&mut self, number: u32) -> Result<(), StoreError> {
        self.databases.folders.delete(&mut self.txn, &keys::id(number))?;
        Ok(())
    }

    /// Keeps the vector of a sentence. A sentence that no document holds any more is passed over.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn put_vector(&mut self, sentence: SentenceId, vector: &[f32]) -> Result<(), StoreError> {
        let key = keys::id(sentence.0);
        if self.databases.unembedded.delete(&mut self.txn, &key)? {
            let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
            self.databases.fresh.put(&mut self.txn, &key, &bytes)?;
        }
        Ok(())
    }

    /// Makes `embedder` the one whose vectors the store holds. Where it was another, all vectors are dropped and every
    /// sentence waits for a new one; the words stay searchable.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn set_embedder(&mut self, embedder: &EmbedderRecord) -> Result<(), StoreError> {
        if self.view().embedder()?.as_ref() == Some(embedder) {
            return Ok(());
        }
        self.databases.vectors.clear(&mut self.txn)?;
        self.databases.fresh.clear(&mut self.txn)?;
        self.databases.stale.clear(&mut self.txn)?;
        for sentence in self.view().ids(&self.databases.sentences)? {
            self.databases.unembedded.put(&mut self.txn, &keys::id(sentence), &[])?;
        }
        self.put_json(self.databases.meta, meta::EMBEDDER, embedder)
    }

    /// Moves the fresh vectors into the trees, takes the stale ones out and builds the trees anew where they changed.
    ///
    /// # Errors
    /// [`StoreError::Cancelled`] where `cancel` came first, or where the store cannot be written.
    pub(crate) fn build_trees(
        &mut self,
        cancel: &CancelToken,
        progress: &(dyn Fn(TreeProgress) + Sync),
    ) -> Result<(), StoreError> {
        let Some(embedder) = self.view().embedder()? else { return Ok(()) };
        let writer = arroy::Writer::new(self.databases.trees(), TREE_INDEX, embedder.dimensions);
        for sentence in self.view().ids(&self.databases.stale)? {
            cancel.check().map_err(|_| StoreError::Cancelled)?;
            writer.del_item(&mut self.txn, sentence)?;
        }
        for sentence in self.view().ids(&self.databases.fresh)? {
            cancel.check().map_err(|_| StoreError::Cancelled)?;
            let bytes = self.databases.fresh.get(&self.txn, &keys::id(sentence))?.unwrap_or_default();
            let vector = floats(bytes);
            writer.add_item(&mut self.txn, sentence, &vector)?;
        }
        self.databases.stale.clear(&mut self.txn)?;
        self.databases.fresh.clear(&mut self.txn)?;
        if !writer.need_build(&self.txn)? {
            return Ok(());
        }
        // A fixed seed: the same vectors give the same trees.
        let mut random = StdRng::seed_from_u64(0x0071_e100);
        writer
            .builder(&mut random)
            .n_trees(TREES)
            .cancel(|| cancel.is_cancelled())
            .progress(|step| {
                if let Some(part) = step.sub {
                    let done = part.current.load(std::sync::atomic::Ordering::Relaxed);
                    progress(TreeProgress { done, total: part.max });
                }
            })
            .build(&mut self.txn)?;
        Ok(())
    }

    /// The next number of a counter, from 0.
    pub(crate) fn next(&mut self, counter: &[u8]) -> Result<u32, StoreError> {
        let number = self.view().number(counter)?.unwrap_or(0);
        let following =
            number.checked_add(1).ok_or_else(|| StoreError::Corrupt("a counter ran over".into()))?;
        self.databases.meta.put(&mut self.txn, counter, &keys::id(following))?;
        Ok(number)
    }

    pub(crate) fn put_json(
        &mut self,
        database: crate::schema::Raw,
        key: &[u8],
        value: &impl Serialize,
    ) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(value).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(database.put(&mut self.txn, key, &bytes)?)
    }

    pub(crate) fn add_totals(&mut self, sentences: i64, terms: i64) -> Result<(), StoreError> {
        let before = self.view().totals()?;
        let after = Totals {
            sentences: before.sentences.saturating_add_signed(sentences),
            terms: before.terms.saturating_add_signed(terms),
        };
        self.put_json(self.databases.meta, meta::TOTALS, &after)
    }

    /// Takes one occurrence away, and the sentence with it where it was the last.
    pub(crate) fn release(&mut self, sentence: SentenceId, document: DocumentId) -> Result<(), StoreError> {
        self.databases.occurrences.delete(&mut self.txn, &keys::occurrence(sentence, document))?;
        if self.view().occurrences(sentence)?.next().is_some() {
            return Ok(());
        }
        let key = keys::id(sentence.0);
        if let Some(hash) = self.databases.sentences.get(&self.txn, &key)?.map(<[u8]>::to_vec) {
            self.databases.hashes.delete(&mut self.txn, &hash)?;
        }
        self.databases.sentences.delete(&mut self.txn, &key)?;
        let waiting = self.databases.unembedded.delete(&mut self.txn, &key)?;
        let fresh = self.databases.fresh.delete(&mut self.txn, &key)?;
        if !waiting && !fresh {
            self.databases.stale.put(&mut self.txn, &key, &[])?;
        }
        Ok(())
    }
}

pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}
