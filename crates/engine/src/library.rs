//! One library: a store with the folders it follows.

use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, DocumentId, Sentence, WorkerCommand};
use oriel_store::{DocumentState, FolderRecord, Store, StoreOptions};
use serde::Serialize;

use crate::EngineError;
use crate::doctor::{self, Findings};
use crate::extraction::ExtractorLimits;
use crate::index::{self, IndexProgress, IndexReport, Indexing, LazyEmbedder};
use crate::query::Query;
use crate::search::{self, Found, SearchModels, SearchResult};
use crate::why_not::{self, WhyNot};

/// An open library.
pub struct Library {
    store: Store,
    worker: WorkerCommand,
    limits: ExtractorLimits,
}

/// A library as it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// The folders it follows.
    #[serde(serialize_with = "oriel_core::lossy::paths")]
    pub folders: Vec<PathBuf>,
    /// Documents that could be read.
    pub documents: usize,
    /// Their sentences.
    pub sentences: usize,
    /// Documents that wait to be read, or of which a sentence waits for its vector.
    pub pending: usize,
    /// Documents that could not be read.
    pub failed: Vec<DocumentFailure>,
}

/// A document that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentFailure {
    /// Its absolute path.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    pub path: PathBuf,
    /// Why, and what to do.
    pub reason: String,
    /// The same as a code.
    pub code: oriel_core::FailureCode,
}

/// A document's text as it was indexed.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownText {
    /// The text.
    pub text: String,
    /// Its sentences, in reading order.
    pub sentences: Vec<Sentence>,
}

impl Library {
    /// Opens the library in the folder `path`, making it where it is missing. `worker` starts the extractor's process.
    ///
    /// # Errors
    /// Where the store cannot be opened.
    pub fn open(path: &Path, worker: WorkerCommand, limits: ExtractorLimits) -> Result<Self, EngineError> {
        let store = Store::open(path, StoreOptions::default())?;
        Ok(Self { store, worker, limits })
    }

    /// The library's own folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// The folders it follows, in the order in which they were added.
    ///
    /// # Errors
    /// Where the store is damaged.
    pub fn folders(&self) -> Result<Vec<PathBuf>, EngineError> {
        Ok(self.store.read(|view| view.folders())?.into_iter().map(|(_, folder)| folder.path).collect())
    }

    /// Follows these folders from now on; nothing is read yet. One that is followed already is passed over. Either all
    /// are added or none.
    ///
    /// # Errors
    /// Where one does not exist, is no folder or may not be read.
    pub fn add_folders(&self, folders: &[PathBuf]) -> Result<(), EngineError> {
        let folders = folders.iter().map(|folder| readable_folder(folder)).collect::<Result<Vec<_>, _>>()?;
        self.store.write(|edit| {
            for folder in &folders {
                if !edit.view().folders()?.iter().any(|(_, known)| known.path == *folder) {
                    edit.add_folder(&FolderRecord { path: folder.clone() })?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Stops following a folder and forgets its documents, save those that lie in another folder that is followed.
    ///
    /// # Errors
    /// Where it is not followed.
    pub fn remove_folder(&self, folder: &Path) -> Result<(), EngineError> {
        let wanted = absolute(folder);
        let folders = self.store.read(|view| view.folders())?;
        let found = folders.iter().find(|(_, known)| known.path == wanted || known.path == folder);
        let Some((number, removed)) = found else {
            let why = "is not followed by this library; 'oriel status' lists those that are".into();
            return Err(EngineError::Folder { path: folder.to_owned(), why });
        };
        let others: Vec<_> =
            folders.iter().filter(|(other, _)| other != number).map(|(_, known)| &known.path).collect();
        self.store.write(|edit| {
            let mut forgotten = Vec::new();
            for entry in edit.view().documents()? {
                let (id, record) = entry?;
                let kept = others.iter().any(|other| record.path.starts_with(other));
                if record.path.starts_with(&removed.path) && !kept {
                    forgotten.push(id);
                }
            }
            for id in forgotten {
                edit.remove_document(id)?;
            }
            edit.remove_folder(*number)
        })?;
        Ok(())
    }

    /// Brings the library up to date once. The embedder is loaded where a sentence waits for a vector, or where it is
    /// another than the one that made the vectors: then all are made anew.
    ///
    /// # Errors
    /// Where the store cannot be written (a full disk, another indexer), the embedder fails or `cancel` came; what was
    /// done until then is kept. A document that cannot be read is no error.
    pub fn index(
        &self,
        embedder: &LazyEmbedder<'_>,
        progress: &mut (dyn FnMut(IndexProgress<'_>) + Send),
        cancel: &CancelToken,
    ) -> Result<IndexReport, EngineError> {
        let mut indexing = Indexing { worker: &self.worker, limits: self.limits, embedder, progress, cancel };
        index::index(&self.store, &mut indexing)
    }

    /// The library as it stands.
    ///
    /// # Errors
    /// Where the store is damaged.
    pub fn status(&self) -> Result<Status, EngineError> {
        self.store.read(|view| {
            let mut status = Status {
                folders: view.folders()?.into_iter().map(|(_, folder)| folder.path).collect(),
                documents: 0,
                sentences: usize::try_from(view.totals()?.sentences).unwrap_or(usize::MAX),
                pending: 0,
                failed: Vec::new(),
            };
            for entry in view.documents()? {
                let (_, record) = entry?;
                match record.state {
                    DocumentState::Indexed => status.documents += 1,
                    DocumentState::Waiting => {}
                    DocumentState::Failed(failure) => status.failed.push(DocumentFailure {
                        path: record.path,
                        reason: failure.reason,
                        code: failure.code,
                    }),
                }
            }
            status.failed.sort_by(|a, b| a.path.cmp(&b.path));
            let mut pending = view.documents_without_vectors()?;
            pending.extend(view.ledger()?);
            status.pending = pending.len();
            Ok(status)
        })
    }

    /// A document's text as it was indexed.
    ///
    /// # Errors
    /// Where the path belongs to no document, or to one without a text.
    pub fn show(&self, path: &Path) -> Result<ShownText, EngineError> {
        self.store.read(|view| {
            let found = match view.document_at(&absolute(path))? {
                Some(found) => Some(found),
                None => view.document_at(path)?,
            };
            let unknown = || EngineError::UnknownDocument { path: path.to_owned() };
            let id: DocumentId = found.ok_or_else(unknown)?;
            let record = view.document(id)?.ok_or_else(unknown)?;
            let Some(text) = view.text(id)? else {
                let why = match record.state {
                    DocumentState::Failed(failure) => failure.reason,
                    _ => "it has not been read yet; run 'oriel index'".into(),
                };
                return Err(EngineError::NoText { path: record.path, why });
            };
            let rows = view.table(id)?.rows();
            let sentences = rows.map(|row| Sentence { span: row.span, page: row.page }).collect();
            Ok(ShownText { text, sentences })
        })
    }

    /// The passages that answer a question best, and how they came about.
    ///
    /// # Errors
    /// Where a model fails, or the vectors were made by another embedder.
    pub fn search(
        &self,
        query: &Query,
        models: &SearchModels<'_>,
        cancel: &CancelToken,
    ) -> Result<SearchResult, EngineError> {
        Ok(self.find(query, models, cancel)?.result)
    }

    /// Why a document was not found, or how well it was. Takes about as long as a search; in a large library a second.
    ///
    /// # Errors
    /// Those of [`Library::search`], and where there is no such document.
    pub fn why_not(
        &self,
        query: &Query,
        models: &SearchModels<'_>,
        document: DocumentId,
        cancel: &CancelToken,
    ) -> Result<WhyNot, EngineError> {
        why_not::why_not(&self.store, query, models, document, cancel)
    }

    /// A search with the sentences of each passage.
    pub(crate) fn find(
        &self,
        query: &Query,
        models: &SearchModels<'_>,
        cancel: &CancelToken,
    ) -> Result<Found, EngineError> {
        search::search(&self.store, query, models, cancel)
    }

    /// Whether texts, sentences, postings and vectors agree.
    ///
    /// # Errors
    /// Where the store cannot be read at all.
    pub fn check(&self, cancel: &CancelToken) -> Result<Findings, EngineError> {
        doctor::check(&self.store, cancel)
    }
}

fn readable_folder(folder: &Path) -> Result<PathBuf, EngineError> {
    let wrong = |why: String| EngineError::Folder { path: folder.to_owned(), why };
    let found = folder.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => wrong("does not exist; check the spelling".into()),
        _ => wrong(format!("cannot be reached: {error}; check its permissions")),
    })?;
    if !found.is_dir() {
        return Err(wrong("is a file; add the folder it lies in".into()));
    }
    std::fs::read_dir(&found)
        .map_err(|error| wrong(format!("cannot be read: {error}; give your user the right to read it")))?;
    Ok(found)
}

/// An absolute path without links where it exists, made absolute by name where it does not (any more).
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
