//! Single documents: find one by name, show its text, compare it with its file, read it again.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use oriel_core::{DocumentId, Location, Notice, Outline, PageMap, Sentence};
use oriel_store::{DocumentRecord, DocumentState};
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::error::EngineError;
use crate::files::stamp;
use crate::library::Library;
use crate::library::document_row::{DocumentFailure, DocumentRow};
use crate::library::overview::CatalogueEntry;
use crate::library::relocate::PassageDocument;

/// A document's text as it was indexed.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentText {
    /// The document.
    pub row: DocumentRow,
    /// The text.
    pub text: String,
    /// Where its pages, slides, sheets, chapters or mails begin.
    pub pages: PageMap,
    /// Its headings and tables.
    pub outline: Outline,
    /// Its sentences, in reading order.
    pub sentences: Vec<Sentence>,
    /// BLAKE3 of the file that the text was read from, in hexadecimal.
    pub hash: String,
    /// How its text was recognised; `None` if it was read.
    pub recognised: Option<RecognisedText>,
}

impl DocumentText {
    /// Where the byte at `start` stands.
    #[must_use]
    pub fn location(&self, start: u32) -> Location {
        let page = self.pages.page_at(start);
        Location::new(self.row.kind, page, &self.outline, start, |span| span.of(&self.text))
    }
}

/// How a text was recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct RecognisedText {
    /// In which languages: names of Tesseract, such as `deu`.
    pub languages: Vec<String>,
    /// Whether that is the whole text, and not that of some pages.
    pub whole: bool,
}

/// Whether a document's file is still the one that was indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    /// It has the same bytes.
    Same,
    /// Its bytes have changed.
    Changed,
    /// The file is missing, or the library no longer follows it.
    Gone,
    /// The text comes from an index elsewhere; where the file is, is not known.
    Elsewhere,
}

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
        if let Some(elsewhere) = &self.elsewhere {
            return Self::document_elsewhere(elsewhere, id);
        }
        let record = self.store.read(|view| view.document(id))?.ok_or(EngineError::NoDocument { id })?;
        Ok(DocumentRow::new(id, record))
    }

    /// The document at `path`.
    ///
    /// # Errors
    /// If there is none.
    pub fn document_at(&self, path: &Path) -> Result<DocumentRow, EngineError> {
        if let Some(elsewhere) = &self.elsewhere {
            let found = elsewhere.index.document_at(path)?;
            return Self::document_elsewhere(
                elsewhere,
                found.ok_or_else(|| EngineError::UnknownDocument { path: path.to_owned() })?,
            );
        }
        let at = |path: &Path| self.store.read(|view| view.document_at(path));
        let found = match at(path)? {
            Some(found) => Some(found),
            None => at(&self.path_of(path))?,
        };
        self.document(found.ok_or_else(|| EngineError::UnknownDocument { path: path.to_owned() })?)
    }

    /// BLAKE3 of the file that a document's text was read from, in hexadecimal; `None` if it has no text. The text itself is
    /// not loaded.
    ///
    /// # Errors
    /// If the library does not have the document (any more).
    pub fn hash_of(&self, id: DocumentId) -> Result<Option<String>, EngineError> {
        if let Some(elsewhere) = &self.elsewhere {
            return Ok(elsewhere.index.first_row(id)?.file_hash);
        }
        let record = self.store.read(|view| view.document(id))?.ok_or(EngineError::NoDocument { id })?;
        Ok(record.text_hash().filter(|_| record.state == DocumentState::Indexed))
    }

    /// The document at `path` with the hash of its file, if it has a text.
    ///
    /// # Errors
    /// If there is none, or an index elsewhere fails.
    pub fn passage_document(&self, path: &Path) -> Result<Option<PassageDocument>, EngineError> {
        let (id, hash) = match &self.elsewhere {
            Some(elsewhere) => match elsewhere.index.document_at(path)? {
                Some(id) => (id, elsewhere.index.first_row(id)?.file_hash),
                None => return Ok(None),
            },
            None => {
                let id = self.document_at(path)?.id;
                (id, self.hash_of(id)?)
            }
        };
        Ok(hash.map(|hash| PassageDocument { id, hash }))
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
        if let Some(elsewhere) = &self.elsewhere {
            return Self::text_elsewhere(elsewhere, id);
        }
        self.store.read(|view| {
            let record = view.document(id)?.ok_or(EngineError::NoDocument { id })?;
            let Some(text) = view.text(id)? else {
                return Err(without_text(record));
            };
            let rows = view.table(id)?.rows();
            let sentences = rows.map(|row| Sentence { span: row.span, page: row.page }).collect();
            let hash = record.text_hash().unwrap_or_default();
            let (pages, outline) = (view.pages(id)?, view.outline(id)?);
            let recognised = match &record.recognised {
                Some(languages) => Some(RecognisedText {
                    languages: languages.split('+').map(str::to_owned).collect(),
                    whole: view.pictured(id)?.is_none_or(|pictured| pictured.pages.is_empty()),
                }),
                None => None,
            };
            let row = DocumentRow::new(id, record);
            Ok(DocumentText { row, text, pages, outline, sentences, hash, recognised })
        })
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
        Ok(self.file_record(id)?.ok_or(EngineError::NoDocument { id })?.path)
    }

    /// The record of the document with a file on the disk that `id` is or is a member of.
    fn file_record(&self, id: DocumentId) -> Result<Option<DocumentRecord>, EngineError> {
        Ok(self.store.read(|view| match view.document(id)? {
            Some(DocumentRecord { within: Some(file), .. }) => view.document(file),
            record => Ok(record),
        })?)
    }

    /// Whether a document's file is still the one that was indexed. Size, time and inode decide if they can; if only time
    /// or inode differ, the bytes do.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn freshness(&self, id: DocumentId) -> Result<Freshness, EngineError> {
        if self.elsewhere.is_some() {
            return Ok(Freshness::Elsewhere);
        }
        let Some(record) = self.file_record(id)? else { return Ok(Freshness::Gone) };
        match compare(&record) {
            Ok(freshness) => Ok(freshness),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Freshness::Gone),
            Err(error) => {
                let why = Notice::CannotBeLookedAt { cause: Notice::io(&error).into() };
                Err(EngineError::Path { path: record.path, why })
            }
        }
    }
}

/// Why a document has no text.
pub(crate) fn without_text(record: DocumentRecord) -> EngineError {
    match record.state {
        DocumentState::Failed(failure) => EngineError::NoText { path: record.path, why: failure.reason },
        _ => EngineError::Unread { path: record.path },
    }
}

fn compare(record: &DocumentRecord) -> std::io::Result<Freshness> {
    let now = stamp(&std::fs::metadata(&record.path)?);
    if now == record.stamp {
        return Ok(Freshness::Same);
    }
    let Some(hash) = record.hash.as_ref().filter(|_| now.size == record.stamp.size) else {
        return Ok(Freshness::Changed);
    };
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(&record.path)?)?;
    let is_same = hasher.finalize().to_hex().as_str() == hash;
    Ok(if is_same { Freshness::Same } else { Freshness::Changed })
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
    use std::fs;
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
