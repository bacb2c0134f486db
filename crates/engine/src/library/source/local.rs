//! The library's own store as a source of documents.

use std::fs::File;
use std::path::Path;

use oriel_core::{DocumentId, Notice, Sentence};
use oriel_store::{DocumentRecord, DocumentState, Store, View};

use crate::error::EngineError;
use crate::files::stamp;
use crate::library::document_row::DocumentRow;
use crate::library::document_text::{DocumentText, Freshness, PassageDocument, RecognisedText, without_text};
use crate::library::source::store_state::StoreState;
use crate::library::source::{DocumentSource, ReadState};

impl DocumentSource for Store {
    fn store(&self) -> Option<&Store> {
        Some(self)
    }

    fn read_state(&self, read: &mut ReadState<'_>) -> Result<(), EngineError> {
        self.read(|view| read(&StoreState(view)))
    }

    fn embedder(&self) -> Result<Option<String>, EngineError> {
        Ok(self.read(|view| view.embedder())?.map(|embedder| embedder.fingerprint))
    }

    fn document(&self, id: DocumentId) -> Result<DocumentRow, EngineError> {
        Ok(DocumentRow::new(id, record(self, id)?))
    }

    fn id_at(&self, path: &Path) -> Result<Option<DocumentId>, EngineError> {
        Ok(self.read(|view| view.document_at(path))?)
    }

    fn hash_of(&self, id: DocumentId) -> Result<Option<String>, EngineError> {
        let record = record(self, id)?;
        Ok(record.text_hash().filter(|_| record.state == DocumentState::Indexed))
    }

    fn text_of(&self, id: DocumentId) -> Result<DocumentText, EngineError> {
        self.read(|view| {
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

    fn freshness(&self, id: DocumentId) -> Result<Freshness, EngineError> {
        let Some(record) = file_record(self, id)? else { return Ok(Freshness::Gone) };
        match compare(&record) {
            Ok(freshness) => Ok(freshness),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Freshness::Gone),
            Err(error) => {
                let why = Notice::CannotBeLookedAt { cause: Notice::io(&error).into() };
                Err(EngineError::Path { path: record.path, why })
            }
        }
    }

    fn relocate(
        &self,
        path: &Path,
        kept: Option<&PassageDocument>,
        sentences: &[&str],
    ) -> Result<Option<DocumentRow>, EngineError> {
        self.read(|view| {
            let record = |id| Ok::<_, EngineError>(view.document(id)?.map(|record| (id, record)));
            let known = kept.map(|kept| record(kept.id)).transpose()?.flatten();
            let here = view.document_at(path)?.map(record).transpose()?.flatten();
            let is_same = |(_, one): &(DocumentId, DocumentRecord)| {
                kept.is_some_and(|kept| one.text_hash().as_ref() == Some(&kept.hash))
            };
            let found = match (known, here) {
                (Some(known), Some(here)) if known.0 == here.0 => Some(here),
                (Some(known), _) if is_same(&known) => Some(known),
                (_, Some(here)) if is_same(&here) => Some(here),
                (Some(known), _) if says(&view, known.0, sentences)? => Some(known),
                (_, here) => here,
            };
            Ok(found.map(|(id, record)| DocumentRow::new(id, record)))
        })
    }
}

fn record(store: &Store, id: DocumentId) -> Result<DocumentRecord, EngineError> {
    store.read(|view| view.document(id))?.ok_or(EngineError::NoDocument { id })
}

/// The record of the document with a file on the disk that `id` is or is a member of.
pub(crate) fn file_record(store: &Store, id: DocumentId) -> Result<Option<DocumentRecord>, EngineError> {
    Ok(store.read(|view| match view.document(id)? {
        Some(DocumentRecord { within: Some(file), .. }) => view.document(file),
        record => Ok(record),
    })?)
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

/// Whether the document's text contains one of the sentences.
fn says(view: &View<'_>, id: DocumentId, sentences: &[&str]) -> Result<bool, EngineError> {
    let is_said = |text: String| sentences.iter().any(|one| !one.is_empty() && text.contains(one));
    Ok(!sentences.is_empty() && view.text(id)?.is_some_and(is_said))
}
