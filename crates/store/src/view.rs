//! Reading one state of the store.

use std::collections::BTreeSet;
use std::path::Path;

use heed::types::{Bytes, DecodeIgnore};
use heed::{RoTxn, WithoutTls};
use oriel_core::{DocumentId, Outline, PageMap, RecognisedPages, SentenceId};
use roaring::RoaringBitmap;
use serde::de::DeserializeOwned;

use crate::schema::{Databases, Raw, VectorSet, meta};
use crate::{
    DocumentRecord, EmbedderRecord, FolderRecord, PicturedRecord, Previous, ScanRecord, SentenceHash,
    SentenceTable, StoreError, Totals, Vectors, keys,
};

/// The number of entries in the databases with one entry per document and term or sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryCounts {
    /// Terms, counted once per document.
    pub postings: u64,
    /// Sentences, counted once per document.
    pub occurrences: u64,
}

/// The store as it was when the closure began. Every method fails if the store is damaged.
#[derive(Clone, Copy)]
pub struct View<'t> {
    pub(crate) databases: &'t Databases,
    pub(crate) txn: &'t RoTxn<'t, WithoutTls>,
}

impl<'t> View<'t> {
    pub(crate) fn new(databases: &'t Databases, txn: &'t RoTxn<'t, WithoutTls>) -> Self {
        Self { databases, txn }
    }

    /// The number of this state. It rises with every commit of any process.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.txn.id() as u64
    }

    /// Whether no folder was ever followed.
    pub fn is_new(&self) -> Result<bool, StoreError> {
        Ok(self.number(meta::NEXT_FOLDER)?.is_none())
    }

    /// One folder; `None` if no folder has this number, or no longer.
    pub fn folder(&self, number: u32) -> Result<Option<FolderRecord>, StoreError> {
        self.databases.folders.get(self.txn, &keys::id(number))?.map(json).transpose()
    }

    /// The followed folders, in the order in which they were added.
    pub fn folders(&self) -> Result<Vec<(u32, FolderRecord)>, StoreError> {
        let mut folders = Vec::new();
        for entry in self.databases.folders.iter(self.txn)? {
            let (key, value) = entry?;
            folders.push((keys::read_id(key)?, json(value)?));
        }
        Ok(folders)
    }

    pub fn document_at(&self, path: &Path) -> Result<Option<DocumentId>, StoreError> {
        let found = self.databases.paths.get(self.txn, &keys::path(path))?;
        found.map(|bytes| keys::read_id(bytes).map(DocumentId)).transpose()
    }

    pub fn document(&self, id: DocumentId) -> Result<Option<DocumentRecord>, StoreError> {
        self.databases.documents.get(self.txn, &keys::id(id.0))?.map(json).transpose()
    }

    /// All documents, by id.
    pub fn documents(
        &self,
    ) -> Result<impl Iterator<Item = Result<(DocumentId, DocumentRecord), StoreError>> + 't, StoreError> {
        let entries = self.databases.documents.iter(self.txn)?;
        Ok(entries.map(|entry| {
            let (key, value) = entry?;
            Ok((DocumentId(keys::read_id(key)?), json(value)?))
        }))
    }

    /// A document's text; `None` if it has not been read.
    pub fn text(&self, id: DocumentId) -> Result<Option<String>, StoreError> {
        self.databases.texts.get(self.txn, &keys::id(id.0))?.map(unpack).transpose()
    }

    /// Where a document's pages begin.
    pub fn pages(&self, id: DocumentId) -> Result<PageMap, StoreError> {
        let bytes = self.databases.pages.get(self.txn, &keys::id(id.0))?.unwrap_or_default();
        Ok(PageMap(
            bytes
                .chunks_exact(4)
                .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
                .collect(),
        ))
    }

    /// The headings and tables of a document's text.
    pub fn outline(&self, id: DocumentId) -> Result<Outline, StoreError> {
        match self.databases.outlines.get(self.txn, &keys::id(id.0))? {
            Some(packed) => json(unpack(packed)?.as_bytes()),
            None => Ok(Outline::default()),
        }
    }

    /// Which pages of a document need or got text recognition; `None` if all of its text was read.
    pub fn pictured(&self, id: DocumentId) -> Result<Option<PicturedRecord>, StoreError> {
        self.databases.pictured.get(self.txn, &keys::id(id.0))?.map(json).transpose()
    }

    /// All records of [`Self::pictured`], by document.
    pub fn all_pictured(&self) -> Result<Vec<(DocumentId, PicturedRecord)>, StoreError> {
        let entries = self.databases.pictured.iter(self.txn)?;
        entries
            .map(|entry| {
                let (key, value) = entry?;
                Ok((DocumentId(keys::read_id(key)?), json(value)?))
            })
            .collect()
    }

    /// The recognised words on the pages `first` to `last` of a document: hOCR by page, from 1.
    pub fn recognised(&self, id: DocumentId, first: u32, last: u32) -> Result<RecognisedPages, StoreError> {
        self.pages_between(self.databases.recognised, id, first, last)
    }

    /// The pages that an unfinished recognition has stored.
    pub fn recognising(&self, id: DocumentId) -> Result<RecognisedPages, StoreError> {
        self.pages_between(self.databases.recognising, id, 0, u32::MAX)
    }

    /// The documents in a database that is keyed by page.
    pub(crate) fn documents_of_pages(&self, database: Raw) -> Result<BTreeSet<u32>, StoreError> {
        let entries = database.remap_types::<Bytes, DecodeIgnore>().iter(self.txn)?;
        entries.map(|entry| Ok(keys::read_page(entry?.0)?.0.0)).collect()
    }

    fn pages_between(
        &self,
        database: Raw,
        id: DocumentId,
        first: u32,
        last: u32,
    ) -> Result<RecognisedPages, StoreError> {
        let (first, last) = (keys::page(id, first), keys::page(id, last));
        let entries = database.range(self.txn, &keys::range(&first, &last))?;
        entries
            .map(|entry| {
                let (key, value) = entry?;
                Ok((keys::read_page(key)?.1, unpack(value)?))
            })
            .collect()
    }

    /// A document's sentences; empty if it has not been read.
    pub fn table(&self, id: DocumentId) -> Result<SentenceTable<'t>, StoreError> {
        SentenceTable::new(self.databases.tables.get(self.txn, &keys::id(id.0))?.unwrap_or_default())
    }

    /// The documents that contain a sentence, by id.
    pub fn occurrences(
        &self,
        sentence: SentenceId,
    ) -> Result<impl Iterator<Item = Result<DocumentId, StoreError>> + 't, StoreError> {
        let entries = self
            .databases
            .occurrences
            .remap_types::<Bytes, DecodeIgnore>()
            .prefix_iter(self.txn, &keys::id(sentence.0))?;
        Ok(entries.map(|entry| keys::occurrence_document(entry?.0)))
    }

    pub fn sentence_with(&self, hash: &SentenceHash) -> Result<Option<SentenceId>, StoreError> {
        let found = self.databases.hashes.get(self.txn, hash)?;
        found.map(|bytes| keys::read_id(bytes).map(SentenceId)).transpose()
    }

    /// The documents in the read queue, by id.
    pub fn read_queue(&self) -> Result<Vec<DocumentId>, StoreError> {
        Ok(self.ids(&self.databases.read_queue)?.into_iter().map(DocumentId).collect())
    }

    /// At most `limit` sentences without a vector, from `from` on, by id.
    pub fn unembedded(
        &self,
        of: Vectors,
        from: SentenceId,
        limit: usize,
    ) -> Result<Vec<SentenceId>, StoreError> {
        let from = keys::id(from.0);
        let range = (std::ops::Bound::Included(from.as_slice()), std::ops::Bound::Unbounded);
        let entries =
            self.set(of)?.unembedded.remap_types::<Bytes, DecodeIgnore>().range(self.txn, &range)?;
        entries.take(limit).map(|entry| Ok(SentenceId(keys::read_id(entry?.0)?))).collect()
    }

    /// Whether a sentence has no vector yet.
    pub fn is_unembedded(&self, sentence: SentenceId) -> Result<bool, StoreError> {
        Ok(self.set(Vectors::Active)?.unembedded.get(self.txn, &keys::id(sentence.0))?.is_some())
    }

    /// The number of sentences without a vector.
    pub fn unembedded_count(&self, of: Vectors) -> Result<u64, StoreError> {
        Ok(self.set(of)?.unembedded.len(self.txn)?)
    }

    /// The documents that contain a sentence without a vector.
    pub fn documents_without_vectors(&self) -> Result<BTreeSet<DocumentId>, StoreError> {
        let mut documents = BTreeSet::new();
        for sentence in self.ids(&self.set(Vectors::Active)?.unembedded)? {
            for document in self.occurrences(SentenceId(sentence))? {
                documents.insert(document?);
            }
        }
        Ok(documents)
    }

    /// The number of distinct sentences.
    pub fn distinct_sentences(&self) -> Result<u64, StoreError> {
        Ok(self.databases.sentences.len(self.txn)?)
    }

    /// Sums over all documents.
    pub fn totals(&self) -> Result<Totals, StoreError> {
        Ok(self.databases.meta.get(self.txn, meta::TOTALS)?.map(json).transpose()?.unwrap_or_default())
    }

    /// The embedder of the active vectors; `None` before the first.
    pub fn embedder(&self) -> Result<Option<EmbedderRecord>, StoreError> {
        self.embedder_of(Vectors::Active)
    }

    /// The embedder of the pending vectors; `None` if there are none.
    pub fn next_embedder(&self) -> Result<Option<EmbedderRecord>, StoreError> {
        if self.previous()?.is_some() { Ok(None) } else { self.embedder_of(Vectors::Pending) }
    }

    /// The vectors that were active before; `None` if none are kept.
    pub fn previous(&self) -> Result<Option<Previous>, StoreError> {
        let Some(until) = self.databases.meta.get(self.txn, meta::PREVIOUS_UNTIL)?.map(json).transpose()?
        else {
            return Ok(None);
        };
        let Some(embedder) = self.embedder_of(Vectors::Pending)? else { return Ok(None) };
        Ok(Some(Previous { embedder, until, waiting: self.unembedded_count(Vectors::Pending)? }))
    }

    /// The embedder of these vectors, whether finished or in progress; `None` if there are none.
    pub fn embedder_of(&self, of: Vectors) -> Result<Option<EmbedderRecord>, StoreError> {
        let key = match of {
            Vectors::Active => meta::EMBEDDER,
            Vectors::Pending => meta::NEXT_EMBEDDER,
        };
        self.databases.meta.get(self.txn, key)?.map(json).transpose()
    }

    /// The databases of a set.
    pub(crate) fn set(&self, of: Vectors) -> Result<&'t VectorSet, StoreError> {
        let searched = self.number(meta::SEARCHED)?.unwrap_or(0);
        let at = match of {
            Vectors::Active => searched,
            Vectors::Pending => 1 - searched.min(1),
        };
        usize::try_from(at)
            .ok()
            .and_then(|at| self.databases.sets.get(at))
            .ok_or_else(|| StoreError::Corrupt(format!("there is no set {at} of vectors")))
    }

    /// The record of the last full scan; `None` before the first.
    pub fn scan(&self) -> Result<Option<ScanRecord>, StoreError> {
        self.databases.meta.get(self.txn, meta::SCAN)?.map(json).transpose()
    }

    pub fn sentences_of(&self, documents: &RoaringBitmap) -> Result<RoaringBitmap, StoreError> {
        let mut sentences = Vec::new();
        for document in documents {
            sentences.extend(self.table(DocumentId(document))?.rows().map(|row| row.id.0));
        }
        sentences.sort_unstable();
        sentences.dedup();
        RoaringBitmap::from_sorted_iter(sentences)
            .map_err(|_| StoreError::Corrupt("sentence ids out of order".into()))
    }

    /// The entry counts that the documents' records do not contain.
    pub fn entry_counts(&self) -> Result<EntryCounts, StoreError> {
        Ok(EntryCounts {
            postings: self.count_postings()?,
            occurrences: self.databases.occurrences.len(self.txn)?,
        })
    }

    pub(crate) fn number(&self, key: &[u8]) -> Result<Option<u32>, StoreError> {
        self.databases.meta.get(self.txn, key)?.map(keys::read_id).transpose()
    }

    pub(crate) fn ids(&self, database: &Raw) -> Result<Vec<u32>, StoreError> {
        let entries = database.remap_types::<Bytes, DecodeIgnore>().iter(self.txn)?;
        ascending(entries).map(|entry| keys::read_id(entry?.0)).collect()
    }
}

/// The entries of a database up to the first whose key does not ascend. In a damaged file pages can refer back to
/// themselves, and an iteration would never end.
pub(crate) fn ascending<'t, V>(
    entries: impl Iterator<Item = Result<(&'t [u8], V), heed::Error>>,
) -> impl Iterator<Item = Result<(&'t [u8], V), StoreError>> {
    let mut last: Option<&[u8]> = None;
    entries.map(move |entry| {
        let (key, value) = entry?;
        if last.is_some_and(|last| key <= last) {
            return Err(StoreError::Corrupt("the keys of a list do not ascend".into()));
        }
        last = Some(key);
        Ok((key, value))
    })
}

pub(crate) fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(|error| StoreError::Corrupt(error.to_string()))
}

pub(crate) fn unpack(bytes: &[u8]) -> Result<String, StoreError> {
    let text = lz4_flex::block::decompress_size_prepended(bytes)
        .map_err(|error| StoreError::Corrupt(format!("a text does not unpack: {error}")))?;
    String::from_utf8(text).map_err(|_| StoreError::Corrupt("a text is not UTF-8".into()))
}
