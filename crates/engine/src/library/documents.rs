//! Single documents: find one by name, show its text, compare it with its file, read it again.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oriel_core::DocumentId;
use unicode_normalization::UnicodeNormalization;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::document_row::{DocumentFailure, DocumentRow};
use crate::library::document_text::{DocumentText, Freshness, PassageDocument};
use crate::library::overview::CatalogueEntry;
use crate::library::source::DocumentSource as _;
use crate::library::source::local::file_record;

impl Library {
    /// At most `limit` documents whose name or path contains every word of `query`, ignoring case. The order: names that
    /// start with a word, names with a word that starts with it, names that contain it, paths that contain it, names with
    /// its letters in this order. Without a word, the documents that were changed last.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn documents(&self, query: &str, limit: usize) -> Result<Vec<DocumentRow>, EngineError> {
        let catalogue = self.catalogue()?;
        let query: String = query.to_lowercase().nfc().collect();
        let words: Vec<&str> = query.split_whitespace().collect();
        let mut found: Vec<_> = catalogue
            .entries
            .iter()
            .filter_map(|entry| {
                let distance = words.iter().map(|word| distance(entry, word)).sum::<Option<u32>>()?;
                let age = if words.is_empty() { Reverse(entry.row.modified) } else { Reverse(0) };
                Some(((distance, age, entry.path.len() - entry.name_at, &entry.path), &entry.row))
            })
            .collect();
        if found.len() > limit && limit > 0 {
            found.select_nth_unstable_by(limit - 1, |a, b| a.0.cmp(&b.0));
        }
        found.truncate(limit);
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(found.into_iter().map(|(_, row)| row.clone()).collect())
    }

    /// Who sent the mails of the library, with the number of mails, the most frequent first; at most `limit`.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn senders(&self, limit: usize) -> Result<Vec<(String, usize)>, EngineError> {
        let catalogue = self.catalogue()?;
        let mut counts = BTreeMap::<&str, usize>::new();
        for sender in catalogue.rows().filter_map(|row| row.sender.as_deref()) {
            *counts.entry(sender).or_default() += 1;
        }
        let mut senders: Vec<_> = counts.into_iter().collect();
        senders.sort_by_key(|&(_, count)| Reverse(count));
        Ok(senders.into_iter().take(limit).map(|(name, count)| (name.to_owned(), count)).collect())
    }

    /// One document.
    ///
    /// # Errors
    /// If the library does not have it (any more).
    pub fn document(&self, id: DocumentId) -> Result<DocumentRow, EngineError> {
        self.source().document(id)
    }

    /// The document at `path`.
    ///
    /// # Errors
    /// If there is none.
    pub fn document_at(&self, path: &Path) -> Result<DocumentRow, EngineError> {
        self.document(self.id_at(path)?)
    }

    fn id_at(&self, path: &Path) -> Result<DocumentId, EngineError> {
        let source = self.source();
        let mut found = source.id_at(path)?;
        if found.is_none()
            && let Some(store) = source.store()
        {
            found = store.id_at(&self.path_of(path))?;
        }
        found.ok_or_else(|| EngineError::UnknownDocument { path: path.to_owned() })
    }

    /// BLAKE3 of the file that a document's text was read from, in hexadecimal; `None` if it has no text. The text itself is
    /// not loaded.
    ///
    /// # Errors
    /// If the library does not have the document (any more).
    pub fn hash_of(&self, id: DocumentId) -> Result<Option<String>, EngineError> {
        self.source().hash_of(id)
    }

    /// The document at `path` with the hash of its file, if it has a text.
    ///
    /// # Errors
    /// If there is none, or the index fails.
    pub fn passage_document(&self, path: &Path) -> Result<Option<PassageDocument>, EngineError> {
        let id = self.id_at(path)?;
        Ok(self.hash_of(id)?.map(|hash| PassageDocument { id, hash }))
    }

    /// The documents that could not be read, by path.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn failures(&self) -> Result<Vec<DocumentFailure>, EngineError> {
        let mut failed: Vec<_> = self.catalogue()?.rows().filter_map(DocumentRow::failure).collect();
        failed.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(failed)
    }

    /// Queues documents that failed to be read again by the next indexing. Returns how many; one that was read is none.
    ///
    /// # Errors
    /// If the library cannot be written.
    pub fn retry(&self, documents: &[DocumentId]) -> Result<usize, EngineError> {
        Ok(self.store.write(|edit| {
            let mut scheduled = 0;
            for &id in documents {
                scheduled += usize::from(edit.retry(id)?);
            }
            Ok(scheduled)
        })?)
    }

    /// A document's text as it was indexed.
    ///
    /// # Errors
    /// If the library does not have the document (any more), or has no text of it.
    pub fn text_of(&self, id: DocumentId) -> Result<DocumentText, EngineError> {
        self.source().text_of(id)
    }

    /// The text of the document at `path` as it was indexed.
    ///
    /// # Errors
    /// If there is no document at the path, or it has no text.
    pub fn show(&self, path: &Path) -> Result<DocumentText, EngineError> {
        self.text_of(self.document_at(path)?.id)
    }

    /// The file on the disk with a document: its own, or the one that holds it.
    ///
    /// # Errors
    /// If the library does not have the document (any more).
    pub fn file_of(&self, id: DocumentId) -> Result<PathBuf, EngineError> {
        Ok(file_record(&self.store, id)?.ok_or(EngineError::NoDocument { id })?.path)
    }

    /// Whether a document's file is still the one that was indexed. Size, time and inode decide if they can; if only time
    /// or inode differ, the bytes do.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn freshness(&self, id: DocumentId) -> Result<Freshness, EngineError> {
        self.source().freshness(id)
    }
}

/// How far a lower-case word is from a document's name; `None` if neither name nor path matches.
fn distance(entry: &CatalogueEntry, word: &str) -> Option<u32> {
    let name = &entry.path[entry.name_at..];
    let begins = |at: usize| !name[..at].ends_with(char::is_alphanumeric);
    if name.starts_with(word) {
        Some(0)
    } else if name.match_indices(word).any(|(at, _)| begins(at)) {
        Some(1)
    } else if name.contains(word) {
        Some(2)
    } else if entry.path.contains(word) {
        Some(4)
    } else if has_letters(name, word) {
        Some(8)
    } else {
        None
    }
}

/// Whether `name` contains the letters of `word` in order.
fn has_letters(name: &str, word: &str) -> bool {
    let mut letters = name.chars();
    word.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    use oriel_core::{FailureCode, Kind};

    use super::*;
    use crate::testing::TestLibrary;

    fn names(place: &TestLibrary, query: &str) -> Vec<String> {
        let rows = place.library.documents(query, 10).unwrap();
        rows.iter().map(|row| row.path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn the_best_names_come_first_and_every_word_must_be_there() {
        let place = TestLibrary::with(&[
            ("Lease 14 Harbour Row.txt", "One."),
            ("lease/minutes.txt", "Two."),
            ("New lease.txt", "Three."),
            ("Release notes.txt", "Four."),
            ("Lisbon eats.txt", "Five."),
        ]);
        assert_eq!(
            names(&place, "LEASE"),
            ["Lease 14 Harbour Row.txt", "New lease.txt", "Release notes.txt", "minutes.txt"],
        );
        assert_eq!(names(&place, "row lease"), ["Lease 14 Harbour Row.txt"]);
        assert_eq!(names(&place, "lsbts"), ["Lisbon eats.txt"], "letters in their order");
        assert_eq!(names(&place, "lease nowhere"), [""; 0]);
        assert_eq!(place.library.documents("lease", 1).unwrap().len(), 1);
        assert_eq!(place.library.documents("", 0).unwrap(), []);
    }

    #[test]
    fn letters_that_change_their_length_do_no_harm() {
        let place = TestLibrary::with(&[("İstanbul ẞtraße.txt", "One.")]);
        assert_eq!(names(&place, "straße").len() + names(&place, "İstanbul").len(), 2);
    }

    #[test]
    fn without_a_word_the_latest_come_first() {
        let place = TestLibrary::new();
        for (name, age) in [("old.txt", 300), ("new.txt", 100), ("middle.txt", 200)] {
            let file = File::create(place.documents().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        place.library.add(&[place.documents()]).unwrap();
        place.read();
        assert_eq!(names(&place, " "), ["new.txt", "middle.txt", "old.txt"]);
    }

    #[test]
    fn a_document_is_found_by_id_and_path_and_shown_with_its_sentences() {
        let place = TestLibrary::with(&[("a.txt", "The tide is low. It turns.")]);
        let path = place.documents().join("a.txt");
        let row = place.library.document_at(&path).unwrap();
        assert_eq!((row.kind, row.sentences, row.bytes), (Kind::Text, 2, 26));
        assert_eq!(place.library.document(row.id).unwrap(), row);
        let shown = place.library.text_of(row.id).unwrap();
        assert_eq!(place.library.hash_of(row.id).unwrap().as_ref(), Some(&shown.hash));
        assert_eq!(shown.text, "The tide is low. It turns.");
        assert_eq!(shown.sentences[1].span.of(&shown.text), Some("It turns."));
        assert_eq!(shown.hash, blake3::hash(b"The tide is low. It turns.").to_hex().to_string());
        let missing = place.library.document(DocumentId(99)).unwrap_err();
        assert!(matches!(missing, EngineError::NoDocument { .. }), "{missing}");
        let missing = place.library.document_at(&place.documents()).unwrap_err();
        assert!(matches!(missing, EngineError::UnknownDocument { .. }), "{missing}");
    }

    #[test]
    fn freshness_is_decided_by_the_bytes_where_the_stamp_leaves_a_doubt() {
        let place = TestLibrary::with(&[("a.txt", "The tide is low.")]);
        let (library, id) = (&place.library, place.id("a.txt"));
        let path = place.documents().join("a.txt");
        let touch = |seconds| {
            let file = File::options().append(true).open(&path).unwrap();
            file.set_modified(SystemTime::now() + Duration::from_secs(seconds)).unwrap();
        };
        assert_eq!(library.freshness(id).unwrap(), Freshness::Same);
        touch(10);
        assert_eq!(library.freshness(id).unwrap(), Freshness::Same, "only touched");
        place.write("a.txt", "The tide is LOW.");
        touch(20);
        assert_eq!(library.freshness(id).unwrap(), Freshness::Changed, "as long as before");
        place.write("a.txt", "The tide is low again.");
        assert_eq!(library.freshness(id).unwrap(), Freshness::Changed);
        fs::remove_file(&path).unwrap();
        assert_eq!(library.freshness(id).unwrap(), Freshness::Gone);
        assert_eq!(library.freshness(DocumentId(99)).unwrap(), Freshness::Gone);
    }

    #[test]
    fn failures_are_listed_and_tried_again_once() {
        let place = TestLibrary::with(&[("good.txt", "The tide is low.")]);
        place.write_broken("b.pdf");
        place.write_broken("a.pdf");
        place.read();
        let library = &place.library;
        let failures = library.failures().unwrap();
        let first = &failures[0];
        assert_eq!(failures.len(), 2);
        assert_eq!((first.path.ends_with("a.pdf"), first.code, first.bytes), (true, FailureCode::Broken, 26));
        assert_eq!(library.overview().unwrap().waiting, 0);
        assert_eq!(library.retry(&[first.id]).unwrap(), 1);
        let overview = library.overview().unwrap();
        assert_eq!((overview.waiting, overview.failed), (1, 2), "it failed until it is read");
        assert_eq!(library.retry(&[first.id, failures[1].id]).unwrap(), 2);
        assert_eq!(library.retry(&[place.id("good.txt")]).unwrap(), 0, "it was read");
        place.read();
        assert_eq!(library.overview().unwrap().waiting, 0);
        let error = library.text_of(first.id).unwrap_err().to_string();
        assert_eq!(library.hash_of(first.id).unwrap(), None, "it has no text");
        assert!(error.contains(&first.reason.to_string()), "{error}");
    }
}
