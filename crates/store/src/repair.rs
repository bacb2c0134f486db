//! Repairs a damaged store: rebuilds from texts and sentences what can be derived from them, and queues the other
//! documents to be read again.

use std::collections::{HashMap, HashSet};

use oriel_core::{CancelToken, DocumentId, Outline, SentenceId, SentenceRow};
use roaring::RoaringBitmap;
use serde::de::DeserializeOwned;

use crate::schema::{Raw, meta};
use crate::view::{ascending, json, unpack};
use crate::{
    DocumentRecord, DocumentState, DocumentTerms, Edit, PicturedRecord, SentenceHash, SentenceTable, Stamp,
    StoreError, Totals, Vectors, codes, keys,
};

/// A function that computes the hash and the terms of each sentence of a document's text.
pub type Digest<'d> = &'d dyn Fn(
    &DocumentRecord,
    &str,
    &Outline,
    &SentenceTable<'_>,
) -> Option<(Vec<SentenceHash>, Vec<Vec<String>>)>;

/// The result of a repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Documents that were rebuilt from their text.
    pub recomputed: usize,
    /// Documents whose text was unusable. They are in the read queue.
    pub reread: usize,
    /// Documents whose record was unusable. The next scan finds their files as new ones.
    pub forgotten: usize,
    /// Folders whose record was unusable. They are no longer followed.
    pub unfollowed: usize,
    /// Sentences whose vector was missing or belonged to another sentence. They wait for a vector.
    pub unembedded: usize,
}

impl Edit<'_> {
    /// Rebuilds paths, sentences, occurrences, postings, sums and counters from the documents' records and texts, and
    /// the list of sentences without vectors from the vectors. A sentence keeps its id, and so its vector, if its
    /// stored hash matches its text.
    ///
    /// # Errors
    /// [`StoreError::Cancelled`], or if the store cannot be written.
    pub fn repair(&mut self, digest: Digest<'_>, cancel: &CancelToken) -> Result<Repairs, StoreError> {
        let mut repairs = Repairs::default();
        let before = self.known_sentences()?;
        self.mend_counters(&before)?;
        let databases = self.databases;
        for database in [
            databases.paths,
            databases.hashes,
            databases.sentences,
            databases.occurrences,
            databases.postings,
            databases.frequencies,
            databases.terms,
        ] {
            database.clear(self.txn())?;
        }
        self.put_json(databases.meta, meta::TOTALS, &Totals::default())?;
        let documents = self.mend_records(&mut repairs)?;
        let listed: HashSet<_> = documents
            .iter()
            .flat_map(|(file, record)| record.members.iter().map(move |member| (*file, *member)))
            .collect();
        let known: HashSet<_> = documents.iter().map(|(id, _)| *id).collect();
        let mut paths = HashSet::new();
        for (id, mut record) in documents {
            cancel.check().map_err(|_| StoreError::Cancelled)?;
            let is_astray = record.within.is_some_and(|file| !listed.contains(&(file, id)));
            if is_astray || !paths.insert(record.path.clone()) {
                self.drop_document(id)?;
                repairs.forgotten += 1;
                continue;
            }
            databases.paths.put(self.txn(), &keys::path(&record.path), &keys::id(id.0))?;
            let listed = record.members.len();
            record.members.retain(|member| known.contains(member));
            if record.members.len() < listed {
                self.put_document(id, &record)?;
                self.read_whatever_its_bytes(id)?;
            }
            if record.state == DocumentState::Indexed {
                if self.mend_text(id, &record, digest, &before)? {
                    repairs.recomputed += 1;
                } else {
                    self.read_again(id, record)?;
                    repairs.reread += 1;
                }
            } else {
                self.delete_text(id)?;
                match &record.state {
                    DocumentState::Failed(failure) if failure.code.needs_recognition() => {
                        self.put_json(databases.pictured, &keys::id(id.0), &PicturedRecord::default())?;
                    }
                    DocumentState::Waiting => self.schedule(id)?,
                    _ => {}
                }
            }
        }
        for id in self.view().ids(&databases.read_queue)? {
            if databases.documents.get(self.txn(), &keys::id(id))?.is_none() {
                databases.read_queue.delete(self.txn(), &keys::id(id))?;
            }
        }
        repairs.unembedded = self.mend_vectors()?;
        Ok(repairs)
    }

    /// All sentence ids with their stored hashes.
    fn known_sentences(&self) -> Result<HashMap<u32, SentenceHash>, StoreError> {
        let mut known = HashMap::new();
        let view = self.view();
        for entry in ascending(self.databases.sentences.iter(view.txn)?) {
            let (key, value) = entry?;
            if let (Ok(id), Ok(hash)) = (keys::read_id(key), SentenceHash::try_from(value)) {
                known.insert(id, hash);
            }
        }
        Ok(known)
    }

    /// Raises each counter above every id found in the store.
    fn mend_counters(&mut self, known: &HashMap<u32, SentenceHash>) -> Result<(), StoreError> {
        let databases = self.databases;
        let mut sentences = known.keys().copied().max();
        for set in databases.sets {
            for database in [set.unembedded, set.vectors] {
                sentences = sentences.max(self.last_id(&database)?);
            }
        }
        let documents = self.last_id(&databases.documents)?.max(self.last_id(&databases.texts)?);
        let folders = self.last_id(&databases.folders)?;
        let counters = [
            (meta::NEXT_SENTENCE, sentences),
            (meta::NEXT_DOCUMENT, documents),
            (meta::NEXT_FOLDER, folders),
        ];
        for (counter, last) in counters {
            let next = last.map_or(0, |last| last.saturating_add(1));
            if self.view().number(counter).ok().flatten().is_none_or(|stored| stored < next) {
                databases.meta.put(self.txn(), counter, &keys::id(next))?;
            }
        }
        Ok(())
    }

    fn last_id(&self, database: &Raw) -> Result<Option<u32>, StoreError> {
        let view = self.view();
        Ok(database.last(view.txn)?.and_then(|(key, _)| keys::read_id(key).ok()))
    }

    /// Returns the documents with a usable record; deletes the other records, and values without a document.
    fn mend_records(
        &mut self,
        repairs: &mut Repairs,
    ) -> Result<Vec<(DocumentId, DocumentRecord)>, StoreError> {
        let (documents, broken) = self.decode::<DocumentRecord>(&self.databases.documents)?;
        let (_, folders) = self.decode::<crate::FolderRecord>(&self.databases.folders)?;
        let databases = self.databases;
        for key in folders {
            databases.folders.delete(self.txn(), &key)?;
            repairs.unfollowed += 1;
        }
        for key in broken {
            databases.documents.delete(self.txn(), &key)?;
            repairs.forgotten += 1;
        }
        let known: HashSet<u32> = documents.iter().map(|&(id, _)| id).collect();
        let mut orphans: HashSet<u32> = HashSet::new();
        for database in self.databases.of_text() {
            orphans.extend(self.view().ids(&database)?);
        }
        for database in self.databases.of_pages() {
            orphans.extend(self.view().documents_of_pages(database)?);
        }
        for id in orphans.difference(&known) {
            self.delete_text(DocumentId(*id))?;
        }
        Ok(documents.into_iter().map(|(id, record)| (DocumentId(id), record)).collect())
    }

    /// The entries that can be decoded, and the keys of the others.
    #[expect(clippy::type_complexity, reason = "two lists, named where they are used")]
    fn decode<T: DeserializeOwned>(
        &self,
        database: &Raw,
    ) -> Result<(Vec<(u32, T)>, Vec<Vec<u8>>), StoreError> {
        let (mut sound, mut broken) = (Vec::new(), Vec::new());
        let view = self.view();
        for entry in ascending(database.iter(view.txn)?) {
            let (key, value) = entry?;
            match (keys::read_id(key), json(value)) {
                (Ok(id), Ok(record)) => sound.push((id, record)),
                _ => broken.push(key.to_vec()),
            }
        }
        Ok((sound, broken))
    }

    /// Rebuilds a document from its text; `false` if its text or sentences are unusable.
    fn mend_text(
        &mut self,
        id: DocumentId,
        record: &DocumentRecord,
        digest: Digest<'_>,
        before: &HashMap<u32, SentenceHash>,
    ) -> Result<bool, StoreError> {
        let key = keys::id(id.0);
        let databases = self.databases;
        let view = self.view();
        let text = databases.texts.get(view.txn, &key)?.map(unpack);
        let Some(Ok(text)) = text else { return Ok(false) };
        let table = SentenceTable::new(databases.tables.get(view.txn, &key)?.unwrap_or_default());
        let Some(table) = table.ok().filter(|table| table.len() == record.sentences as usize) else {
            return Ok(false);
        };
        let mut end = 0;
        for row in table.rows() {
            if row.span.start < end || row.span.of(&text).is_none() {
                return Ok(false);
            }
            end = row.span.end;
        }
        let (Ok(outline), Ok(_)) = (view.outline(id), view.pictured(id)) else { return Ok(false) };
        if !outline.fits(&text) {
            return Ok(false);
        }
        let Some((hashes, terms)) = digest(record, &text, &outline, &table) else { return Ok(false) };
        let rows: Vec<SentenceRow> = table.rows().collect();
        let mut mended = Vec::with_capacity(rows.len());
        for (row, hash) in rows.into_iter().zip(&hashes) {
            let sentence = self.mend_sentence(row.id, hash, before)?;
            databases.occurrences.put(self.txn(), &keys::occurrence(sentence, id), &[])?;
            mended.push(SentenceRow { id: sentence, ..row });
        }
        databases.tables.put(self.txn(), &key, &SentenceTable::encode(&mended))?;
        let (_, new_terms) = self.replace_postings(id, &DocumentTerms::of(&terms))?;
        self.add_totals(i64::try_from(mended.len()).unwrap_or(i64::MAX), new_terms)?;
        Ok(true)
    }

    /// The id of a sentence: its own if the stored hash matches, otherwise a new one.
    fn mend_sentence(
        &mut self,
        id: SentenceId,
        hash: &SentenceHash,
        before: &HashMap<u32, SentenceHash>,
    ) -> Result<SentenceId, StoreError> {
        if let Some(known) = self.view().sentence_with(hash)? {
            return Ok(known);
        }
        let id = if before.get(&id.0) == Some(hash) { id.0 } else { self.next(meta::NEXT_SENTENCE)? };
        let databases = self.databases;
        databases.hashes.put(self.txn(), hash, &keys::id(id))?;
        databases.sentences.put(self.txn(), &keys::id(id), hash)?;
        Ok(SentenceId(id))
    }

    /// Ensures that every sentence of every set has a vector or waits for one, and removes other vectors. Returns how
    /// many sentences now wait for an active vector.
    pub(crate) fn mend_vectors(&mut self) -> Result<usize, StoreError> {
        let databases = self.databases;
        if self.view().set(Vectors::Active).is_err() {
            databases.meta.delete(self.txn(), meta::SEARCHED)?;
        }
        for (of, key) in [(Vectors::Active, meta::EMBEDDER), (Vectors::Pending, meta::NEXT_EMBEDDER)] {
            let set = *self.view().set(of)?;
            let embedder = self.view().embedder_of(of);
            if !matches!(embedder, Ok(Some(_))) {
                databases.meta.delete(self.txn(), key)?;
                set.vectors.clear(self.txn())?;
                set.codes.clear(self.txn())?;
            }
        }
        let known: RoaringBitmap = self.view().ids(&databases.sentences)?.into_iter().collect();
        let unembedded = self.mend_set(Vectors::Active, &known)?;
        if self.view().embedder_of(Vectors::Pending)?.is_some() {
            self.mend_set(Vectors::Pending, &known)?;
        } else {
            let set = *self.view().set(Vectors::Pending)?;
            set.unembedded.clear(self.txn())?;
        }
        Ok(unembedded)
    }

    fn mend_set(&mut self, of: Vectors, known: &RoaringBitmap) -> Result<usize, StoreError> {
        let set = *self.view().set(of)?;
        let width = self.view().embedder_of(of)?.map(|embedder| embedder.dimensions * 2);
        let (mut have, mut wrong) = (RoaringBitmap::new(), Vec::new());
        {
            let view = self.view();
            for entry in ascending(set.vectors.iter(view.txn)?) {
                let (key, value) = entry?;
                match keys::read_id(key) {
                    Ok(id) if Some(value.len()) == width && known.contains(id) => {
                        have.insert(id);
                    }
                    _ => wrong.push(key.to_vec()),
                }
            }
        }
        for key in wrong {
            set.vectors.delete(self.txn(), &key)?;
        }
        codes::rebuild(&set, self.txn(), &have)?;
        let waited: RoaringBitmap = self.view().ids(&set.unembedded)?.into_iter().collect();
        set.unembedded.clear(self.txn())?;
        let without = known - &have;
        for id in &without {
            set.unembedded.put(self.txn(), &keys::id(id), &[])?;
        }
        Ok(usize::try_from((without - waited).len()).unwrap_or(usize::MAX))
    }

    /// Queues a document with unusable text to be read again, even if its file is unchanged.
    fn read_again(&mut self, id: DocumentId, record: DocumentRecord) -> Result<(), StoreError> {
        self.delete_text(id)?;
        let stamp = Stamp { modified: i64::MIN, ..record.stamp };
        let DocumentRecord { path, kind, within, members, .. } = record;
        let waiting = DocumentRecord { within, members, ..DocumentRecord::unread(path, kind, stamp) };
        self.put_document(id, &waiting)?;
        self.read_whatever_its_bytes(id)
    }

    fn drop_document(&mut self, id: DocumentId) -> Result<(), StoreError> {
        self.delete_text(id)?;
        let documents = self.databases.documents;
        documents.delete(self.txn(), &keys::id(id.0))?;
        Ok(())
    }
}
