//! Changing the store: transactions, folders, counters.

use heed::RwTxn;
use oriel_core::DocumentId;
use serde::Serialize;

use crate::pending_postings::PendingPostings;
use crate::postings::DocumentTerms;
use crate::schema::{Databases, meta};
use crate::{FolderRecord, ScanRecord, StoreError, Totals, View, keys};

/// One write transaction: all changes made through it are stored, or none. Every method fails if the store cannot be
/// written.
pub struct Edit<'e> {
    pub(crate) databases: &'e Databases,
    txn: RwTxn<'e>,
    postings: PendingPostings,
}

impl<'e> Edit<'e> {
    pub(crate) fn new(databases: &'e Databases, txn: RwTxn<'e>) -> Self {
        Self { databases, txn, postings: PendingPostings::default() }
    }

    pub(crate) fn txn(&mut self) -> &mut RwTxn<'e> {
        &mut self.txn
    }

    pub(crate) fn commit(mut self) -> Result<(), StoreError> {
        self.postings.flush(self.databases, &mut self.txn)?;
        Ok(self.txn.commit()?)
    }

    /// The store with the changes of this edit so far, except for postings, which are written last.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View::new(self.databases, &self.txn)
    }

    pub fn add_folder(&mut self, folder: &FolderRecord) -> Result<(), StoreError> {
        let number = self.next(meta::NEXT_FOLDER)?;
        self.put_json(self.databases.folders, &keys::id(number), folder)
    }

    /// Replaces a folder's record. Does nothing if the folder was removed in the meantime.
    pub fn put_folder(&mut self, number: u32, folder: &FolderRecord) -> Result<(), StoreError> {
        match self.view().folder(number)? {
            Some(_) => self.put_json(self.databases.folders, &keys::id(number), folder),
            None => Ok(()),
        }
    }

    /// Stores the record of a full scan.
    pub fn set_scan(&mut self, scan: &ScanRecord) -> Result<(), StoreError> {
        self.put_json(self.databases.meta, meta::SCAN, scan)
    }

    /// Removes a folder's record; the caller removes its documents one by one.
    pub fn remove_folder(&mut self, number: u32) -> Result<(), StoreError> {
        self.databases.folders.delete(&mut self.txn, &keys::id(number))?;
        Ok(())
    }

    /// Takes the next number of a counter, from 0.
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

    /// Replaces the document's postings by those of `new`. Returns how many terms its sentences had before, and how many now.
    /// Writes only what changed, and that with the transaction: until then a view of the edit has the postings of before.
    pub(crate) fn replace_postings(
        &mut self,
        document: DocumentId,
        new: &DocumentTerms,
    ) -> Result<(i64, i64), StoreError> {
        self.postings.replace(self.databases, &mut self.txn, document, new)
    }

    pub(crate) fn add_totals(&mut self, sentences: i64, terms: i64) -> Result<(), StoreError> {
        let before = self.view().totals()?;
        let after = Totals {
            sentences: before.sentences.saturating_add_signed(sentences),
            terms: before.terms.saturating_add_signed(terms),
        };
        self.put_json(self.databases.meta, meta::TOTALS, &after)
    }
}
