//! Registers and removes documents, and stores their texts or their failures.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use oriel_core::{
    About, DocumentId, Extracted, Failure, FailureCode, Outline, RecognisedPages, SentenceId, SentenceRow,
};

use crate::schema::{Raw, meta};
use crate::{
    DocumentRecord, DocumentState, DocumentTerms, Edit, HeadRecord, PicturedRecord, SentenceHash,
    SentenceTable, Stamp, Store, StoreError, keys,
};

/// The text and metadata of one document, ready to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewText<'a> {
    pub extracted: &'a Extracted,
    /// For each sentence, the hash of the text that the embedder reads.
    pub hashes: &'a [SentenceHash],
    pub terms: &'a DocumentTerms,
    /// What its first lines say about it.
    pub head: Option<&'a HeadRecord>,
    /// BLAKE3 of the file's bytes, in hex.
    pub file_hash: &'a str,
    /// The file as it was when its bytes were read.
    pub stamp: Stamp,
    /// Whether reading it took a password.
    pub locked: bool,
    /// The recognised words, if text recognition was used.
    pub recognised: Option<&'a Recognised>,
}

/// Words that were recognised on pages of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The languages, by their names in Tesseract.
    pub languages: String,
    /// The script; `None` if unknown.
    pub script: Option<String>,
    pub pages: RecognisedPages,
}

impl Store {
    /// Has all documents read again if other readers read them. `readers` rises whenever the readers find other text in the same
    /// files.
    ///
    /// # Errors
    /// If the store is damaged or cannot be written.
    pub fn use_readers(&self, readers: u32) -> Result<(), StoreError> {
        if self.read(|view| view.number(meta::READERS))? >= Some(readers) {
            return Ok(());
        }
        self.write(|edit| {
            edit.read_all_again()?;
            let databases = edit.databases;
            Ok(databases.meta.put(edit.txn(), meta::READERS, &keys::id(readers))?)
        })
    }
}

impl Edit<'_> {
    /// Has all documents read again. Until then they are found as before.
    pub(crate) fn read_all_again(&mut self) -> Result<(), StoreError> {
        let documents: Vec<_> = self.view().documents()?.collect::<Result<_, _>>()?;
        for (id, record) in documents {
            self.put_document(id, &DocumentRecord { outdated: true, ..record })?;
            self.schedule(id)?;
        }
        Ok(())
    }

    /// Registers a new document and puts it in the read queue.
    pub fn register(&mut self, record: &DocumentRecord) -> Result<DocumentId, StoreError> {
        let id = self.add_document(record)?;
        self.schedule(id)?;
        Ok(id)
    }

    /// Registers a new member of the file `within`. The caller stores its text or its failure and then calls
    /// [`Edit::set_members`]: a member is never in the read queue.
    pub fn register_member(
        &mut self,
        within: DocumentId,
        record: DocumentRecord,
    ) -> Result<DocumentId, StoreError> {
        self.add_document(&DocumentRecord { within: Some(within), ..record })
    }

    fn add_document(&mut self, record: &DocumentRecord) -> Result<DocumentId, StoreError> {
        let id = DocumentId(self.next(meta::NEXT_DOCUMENT)?);
        self.put_document(id, record)?;
        self.take_path(id, &record.path)?;
        Ok(id)
    }

    /// Sets the list of a file's members and removes members that are no longer listed. Does nothing if the document
    /// was removed in the meantime.
    pub fn set_members(&mut self, id: DocumentId, members: &[DocumentId]) -> Result<(), StoreError> {
        let Some(mut record) = self.view().document(id)? else { return Ok(()) };
        let listed: HashSet<DocumentId> = members.iter().copied().collect();
        for member in std::mem::replace(&mut record.members, members.to_vec()) {
            if !listed.contains(&member) {
                self.remove_document(member)?;
            }
        }
        self.put_document(id, &record)
    }

    /// Puts a document, or the file that contains it, in the read queue. Its earlier text stays searchable until it is
    /// read again. Does nothing if the document was removed in the meantime.
    pub fn schedule(&mut self, id: DocumentId) -> Result<(), StoreError> {
        if let Some(record) = self.view().document(id)? {
            let read_queue = self.databases.read_queue;
            read_queue.put(self.txn(), &keys::id(record.within.unwrap_or(id).0), &[])?;
        }
        Ok(())
    }

    /// Puts a failed document, or the file that contains it, in the read queue, to be read even if its bytes are
    /// unchanged. Its failure stays until then. Returns whether there was such a document.
    pub fn retry(&mut self, id: DocumentId) -> Result<bool, StoreError> {
        let Some(record) = self.view().document(id)? else { return Ok(false) };
        if !matches!(record.state, DocumentState::Failed(_)) {
            return Ok(false);
        }
        self.read_whatever_its_bytes(id)?;
        Ok(true)
    }

    /// Puts a document in the read queue and deletes its hash, and that of the file that contains it, so that it is
    /// read even if its bytes are unchanged.
    pub(crate) fn read_whatever_its_bytes(&mut self, id: DocumentId) -> Result<(), StoreError> {
        let mut next = Some(id);
        while let Some(id) = next {
            let Some(record) = self.view().document(id)? else { break };
            next = record.within;
            self.put_document(id, &DocumentRecord { hash: None, ..record })?;
        }
        self.schedule(id)
    }

    /// Changes the path of a document and of its members. Their texts, sentences and vectors stay.
    pub fn move_document(&mut self, id: DocumentId, path: &Path) -> Result<(), StoreError> {
        let Some(record) = self.view().document(id)? else { return Ok(()) };
        for &member in &record.members {
            let Some(inner) = self.view().document(member)? else { continue };
            if let Ok(name) = inner.path.strip_prefix(&record.path) {
                self.move_document(member, &path.join(name))?;
            }
        }
        self.leave_path(id, &record.path)?;
        self.take_path(id, path)?;
        self.put_document(id, &DocumentRecord { path: path.to_owned(), ..record })
    }

    fn take_path(&mut self, id: DocumentId, path: &Path) -> Result<(), StoreError> {
        let paths = self.databases.paths;
        Ok(paths.put(self.txn(), &keys::path(path), &keys::id(id.0))?)
    }

    /// Replaces the postings of a document whose name has changed.
    pub fn put_terms(&mut self, id: DocumentId, terms: &DocumentTerms) -> Result<(), StoreError> {
        let (old_terms, new_terms) = self.replace_postings(id, terms)?;
        self.add_totals(0, new_terms - old_terms)
    }

    /// Records a new stamp for a file whose bytes did not change.
    pub fn unchanged(&mut self, id: DocumentId, stamp: Stamp) -> Result<(), StoreError> {
        if let Some(mut record) = self.view().document(id)? {
            record.stamp = stamp;
            self.put_document(id, &record)?;
        }
        self.done(id)
    }

    /// Replaces a document's text, sentences and postings. Returns how many of its distinct sentences are new to the
    /// library; these wait for a vector. Sentences whose text is unchanged keep their id and vector.
    ///
    /// Does nothing if the document was removed in the meantime.
    pub fn put_text(&mut self, id: DocumentId, new: &NewText<'_>) -> Result<usize, StoreError> {
        let Some(mut record) = self.view().document(id)? else { return Ok(0) };
        let before = self.distinct(id)?;
        let old_count = self.view().table(id)?.len();

        let first = self.view().number(meta::NEXT_SENTENCE)?.unwrap_or(0);
        let mut next = first;
        let mut rows = Vec::with_capacity(new.extracted.sentences.len());
        for (sentence, hash) in new.extracted.sentences.iter().zip(new.hashes) {
            let id = self.intern(hash, &mut next)?;
            rows.push(SentenceRow { span: sentence.span, page: sentence.page, id });
        }
        if next != first {
            let counters = self.databases.meta;
            counters.put(self.txn(), meta::NEXT_SENTENCE, &keys::id(next))?;
        }
        let after: BTreeSet<SentenceId> = rows.iter().map(|row| row.id).collect();
        let occurrences = self.databases.occurrences;
        for &sentence in after.difference(&before) {
            occurrences.put(self.txn(), &keys::occurrence(sentence, id), &[])?;
        }
        for &sentence in before.difference(&after) {
            self.release(sentence, id)?;
        }

        let (old_terms, new_terms) = self.replace_postings(id, new.terms)?;
        self.add_totals(signed(rows.len()) - signed(old_count), new_terms - old_terms)?;

        let key = keys::id(id.0);
        let (texts, pages, tables) = (self.databases.texts, self.databases.pages, self.databases.tables);
        self.put_packed(texts, id, Some(new.extracted.text.as_bytes()))?;
        self.put_outline(id, &new.extracted.outline)?;
        self.put_pictured(id, new)?;
        let starts: Vec<u8> = new.extracted.pages.0.iter().flat_map(|start| start.to_le_bytes()).collect();
        pages.put(self.txn(), &key, &starts)?;
        tables.put(self.txn(), &key, &SentenceTable::encode(&rows))?;

        record.hash = Some(new.file_hash.to_owned());
        record.stamp = new.stamp;
        record.pages = u32::try_from(new.extracted.pages.len()).unwrap_or(u32::MAX);
        record.sentences = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        record.kind = new.extracted.kind;
        record.about = new.extracted.about.clone();
        record.head = new.head.cloned();
        record.locked = new.locked;
        record.recognised = new.recognised.map(|recognised| recognised.languages.clone());
        record.outdated = false;
        record.state = DocumentState::Indexed;
        self.put_document(id, &record)?;
        self.done(id)?;
        Ok((next - first) as usize)
    }

    /// Records that a document could not be read. Deletes its members and its earlier text, which is outdated.
    pub fn put_failure(
        &mut self,
        id: DocumentId,
        failure: &Failure,
        stamp: Stamp,
        file_hash: Option<&str>,
    ) -> Result<(), StoreError> {
        let Some(mut record) = self.view().document(id)? else { return Ok(()) };
        if record.outdated
            && record.state == DocumentState::Indexed
            && matches!(failure.code, FailureCode::Unreadable | FailureCode::Encrypted)
        {
            // The text that an earlier version read is still correct.
            return self.done(id);
        }
        self.forget_text(id)?;
        if failure.code.needs_recognition() {
            self.put_json(self.databases.pictured, &keys::id(id.0), &PicturedRecord::default())?;
        }
        for member in std::mem::take(&mut record.members) {
            self.remove_document(member)?;
        }
        record.state = DocumentState::Failed(failure.clone());
        record.stamp = stamp;
        record.hash = file_hash.map(str::to_owned);
        record.pages = 0;
        record.sentences = 0;
        record.about = About::default();
        record.head = None;
        record.locked = false;
        record.recognised = None;
        record.outdated = false;
        self.put_document(id, &record)?;
        self.done(id)
    }

    /// Removes a document and its members, with everything that no other document uses.
    pub fn remove_document(&mut self, id: DocumentId) -> Result<(), StoreError> {
        let Some(record) = self.view().document(id)? else { return Ok(()) };
        for member in record.members {
            self.remove_document(member)?;
        }
        self.forget_text(id)?;
        let documents = self.databases.documents;
        documents.delete(self.txn(), &keys::id(id.0))?;
        self.leave_path(id, &record.path)?;
        self.done(id)
    }

    /// Removes a document's path unless another document has taken it: files can swap names in a cycle.
    fn leave_path(&mut self, id: DocumentId, path: &Path) -> Result<(), StoreError> {
        if self.view().document_at(path)? == Some(id) {
            let paths = self.databases.paths;
            paths.delete(self.txn(), &keys::path(path))?;
        }
        Ok(())
    }

    fn forget_text(&mut self, id: DocumentId) -> Result<(), StoreError> {
        let old_count = self.view().table(id)?.len();
        for sentence in self.distinct(id)? {
            self.release(sentence, id)?;
        }
        let (old_terms, _) = self.replace_postings(id, &DocumentTerms::default())?;
        self.add_totals(-signed(old_count), -old_terms)?;
        self.delete_text(id)
    }

    /// Deletes the stored text and pages of a document.
    pub(crate) fn delete_text(&mut self, id: DocumentId) -> Result<(), StoreError> {
        for database in self.databases.of_text() {
            database.delete(self.txn(), &keys::id(id.0))?;
        }
        self.databases.of_pages().into_iter().try_for_each(|database| self.delete_pages(database, id))
    }

    fn put_outline(&mut self, id: DocumentId, outline: &Outline) -> Result<(), StoreError> {
        let outlines = self.databases.outlines;
        if *outline == Outline::default() {
            return self.put_packed(outlines, id, None);
        }
        let json = serde_json::to_vec(outline).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        self.put_packed(outlines, id, Some(&json))
    }

    /// Compresses and stores a part of a document's text, or deletes it.
    fn put_packed(&mut self, database: Raw, id: DocumentId, bytes: Option<&[u8]>) -> Result<(), StoreError> {
        match bytes {
            Some(bytes) => {
                let packed = lz4_flex::block::compress_prepend_size(bytes);
                database.put(self.txn(), &keys::id(id.0), &packed)?;
            }
            None => _ = database.delete(self.txn(), &keys::id(id.0))?,
        }
        Ok(())
    }

    /// Stores what was recognised in a document, and what is still to be recognised.
    fn put_pictured(&mut self, id: DocumentId, new: &NewText<'_>) -> Result<(), StoreError> {
        let databases = self.databases;
        let before = self.view().pictured(id)?.unwrap_or_default();
        databases.of_pages().into_iter().try_for_each(|database| self.delete_pages(database, id))?;
        let pictured = match new.recognised {
            Some(recognised) => {
                for (&page, hocr) in &recognised.pages {
                    self.put_page(databases.recognised, id, page, hocr)?;
                }
                let script = recognised.script.clone();
                PicturedRecord { script, recognising: None, ..before }
            }
            None if new.extracted.pictures.is_empty() => {
                databases.pictured.delete(self.txn(), &keys::id(id.0))?;
                return Ok(());
            }
            None => PicturedRecord { pages: new.extracted.pictures.clone(), ..PicturedRecord::default() },
        };
        self.put_json(databases.pictured, &keys::id(id.0), &pictured)
    }

    /// Stores some recognised pages of a document until all are done; drops stored pages in other languages. Does
    /// nothing if the document was read again and its bytes no longer have this hash.
    pub fn keep_pages(&mut self, id: DocumentId, hash: &str, kept: &Recognised) -> Result<(), StoreError> {
        let hash_now = self.view().document(id)?.and_then(|record| record.hash);
        let Some(mut pictured) = self.view().pictured(id)?.filter(|_| hash_now.as_deref() == Some(hash))
        else {
            return Ok(());
        };
        let recognising = self.databases.recognising;
        if pictured.recognising.as_ref() != Some(&kept.languages) {
            self.delete_pages(recognising, id)?;
            pictured.recognising = Some(kept.languages.clone());
            pictured.script.clone_from(&kept.script);
            self.put_json(self.databases.pictured, &keys::id(id.0), &pictured)?;
        }
        kept.pages.iter().try_for_each(|(&page, hocr)| self.put_page(recognising, id, page, hocr))
    }

    fn put_page(&mut self, database: Raw, id: DocumentId, page: u32, hocr: &str) -> Result<(), StoreError> {
        let packed = lz4_flex::block::compress_prepend_size(hocr.as_bytes());
        Ok(database.put(self.txn(), &keys::page(id, page), &packed)?)
    }

    fn delete_pages(&mut self, database: Raw, id: DocumentId) -> Result<(), StoreError> {
        let (first, last) = (keys::page(id, 0), keys::page(id, u32::MAX));
        database.delete_range(self.txn(), &keys::range(&first, &last))?;
        Ok(())
    }

    fn distinct(&self, id: DocumentId) -> Result<BTreeSet<SentenceId>, StoreError> {
        Ok(self.view().table(id)?.rows().map(|row| row.id).collect())
    }

    /// The id of the sentence with this hash. A new sentence gets `next`, which is then increased.
    fn intern(&mut self, hash: &SentenceHash, next: &mut u32) -> Result<SentenceId, StoreError> {
        if let Some(known) = self.view().sentence_with(hash)? {
            return Ok(known);
        }
        let id = *next;
        *next = next.checked_add(1).ok_or_else(|| StoreError::Corrupt("a counter ran over".into()))?;
        let key = keys::id(id);
        let (hashes, sentences) = (self.databases.hashes, self.databases.sentences);
        hashes.put(self.txn(), hash, &key)?;
        sentences.put(self.txn(), &key, hash)?;
        self.want_vectors(SentenceId(id))?;
        Ok(SentenceId(id))
    }

    pub(crate) fn put_document(&mut self, id: DocumentId, record: &DocumentRecord) -> Result<(), StoreError> {
        self.put_json(self.databases.documents, &keys::id(id.0), record)
    }

    fn done(&mut self, id: DocumentId) -> Result<(), StoreError> {
        let read_queue = self.databases.read_queue;
        read_queue.delete(self.txn(), &keys::id(id.0))?;
        Ok(())
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
