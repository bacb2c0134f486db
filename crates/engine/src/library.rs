//! One library: a store with the folders it follows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oriel_core::{CancelToken, DocumentId, WorkerCommand};
use oriel_store::{Compacted, Previous, Store, StoreOptions};
use serde::Serialize;

use crate::EngineError;
use crate::doctor::{self, Findings};
use crate::documents::{DocumentFailure, DocumentRow, DocumentText};
use crate::exchange::put_back;
use crate::extraction::ExtractorLimits;
use crate::index::{self, IndexProgress, IndexReport, Indexing, LazyEmbedder};
use crate::overview::{Catalogue, FolderOverview};
use crate::query::Query;
use crate::search::{self, Found, SearchModels, SearchResult};
use crate::watch::Watch;
use crate::why_not::{self, WhyNot};

/// The index in the library's folder.
pub(crate) const DATA: &str = "data.mdb";
/// The folders and files that are followed, once more: the index can be made anew from it.
pub(crate) const FOLDERS: &str = "folders.json";
/// The window's settings.
pub(crate) const SETTINGS: &str = "settings.json";
/// The folder of the documents that were copied into the library.
pub(crate) const FILES: &str = "files";
/// The folder of conversations.
pub(crate) const CONVERSATIONS: &str = "conversations";

/// An open library.
pub struct Library {
    pub(crate) store: Store,
    pub(crate) worker: WorkerCommand,
    pub(crate) limits: ExtractorLimits,
    /// What was last seen of all documents, see [`Library::overview`].
    pub(crate) catalogue: Mutex<Option<Arc<Catalogue>>>,
    /// Files and folders that were asked about since whoever reads looked last: they go first.
    pub(crate) asked_about: Mutex<BTreeSet<PathBuf>>,
}

/// A library as it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// The folders and files it follows.
    #[serde(serialize_with = "oriel_core::lossy::paths")]
    pub folders: Vec<PathBuf>,
    /// Documents that could be read.
    pub documents: usize,
    /// Their sentences.
    pub sentences: usize,
    /// Documents that wait to be read, or of which a sentence waits for its vector.
    pub pending: usize,
    /// Documents that wait to be read.
    pub waiting: usize,
    /// Distinct sentences without a vector: they are found by their words alone.
    pub unembedded: u64,
    /// Documents that could not be read.
    pub failed: Vec<DocumentFailure>,
    /// Folders that cannot be reached, wholly or in part; what is known of them is kept.
    pub unreachable: Vec<FolderNote>,
    /// Folders in which changes are only seen by looking through them now and then.
    pub timed: Vec<FolderNote>,
}

/// Something about a folder that a person should know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FolderNote {
    /// The folder.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    pub path: PathBuf,
    /// What it is, and the way out.
    pub reason: String,
}

impl Library {
    /// Whether a library lies in the folder `path`, so that opening it makes none.
    #[must_use]
    pub fn is_in(path: &Path) -> bool {
        path.join(DATA).is_file()
    }

    /// Opens the library in the folder `path`, making it where it is missing. `worker` starts the extractor's process.
    /// Where the index is new and the list of folders is there, they are followed again: an index was lost or set aside.
    /// A library that is missing because a restoring was killed is put back.
    ///
    /// # Errors
    /// Where the store cannot be opened, or the list of folders is needed and cannot be read.
    pub fn open(path: &Path, worker: WorkerCommand, limits: ExtractorLimits) -> Result<Self, EngineError> {
        put_back(path)?;
        let store = Store::open(path, StoreOptions::default())?;
        let (catalogue, asked_about) = (Mutex::new(None), Mutex::default());
        let library = Self { store, worker, limits, catalogue, asked_about };
        library.follow_again()?;
        Ok(library)
    }

    /// Gives what is free in the index back to the disk, see [`Store::compact`].
    ///
    /// # Errors
    /// Where another process has the library open, the disk has no room for the copy, or `cancel` came; the library is as
    /// before then.
    pub fn compact(
        self,
        progress: &mut dyn FnMut(u64, u64),
        cancel: &CancelToken,
    ) -> Result<Compacted, EngineError> {
        Ok(self.store.compact(cancel, progress)?)
    }

    /// The folder for documents that are copied into the library; it need not be there.
    #[must_use]
    pub fn files(&self) -> PathBuf {
        self.path().join(FILES)
    }

    /// The library's own folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.store.path()
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
        self.note_folders();
        index::index(&self.store, self.indexing(embedder, progress, cancel, None))
    }

    /// Works off what `watch` has noticed since the last time, and what is left of earlier runs: everything with the
    /// first call. What the person changed last, or asked about, goes first, also while other work is being done.
    ///
    /// # Errors
    /// Those of [`Library::index`]. What the watch had noticed is not lost.
    pub fn keep_up(
        &self,
        watch: &Watch,
        embedder: &LazyEmbedder<'_>,
        progress: &mut (dyn FnMut(IndexProgress<'_>) + Send),
        cancel: &CancelToken,
    ) -> Result<(), EngineError> {
        self.note_folders();
        index::keep_up(&self.store, self.indexing(embedder, progress, cancel, Some(watch)))
    }

    fn indexing<'a>(
        &'a self,
        embedder: &'a LazyEmbedder<'a>,
        progress: &'a mut (dyn FnMut(IndexProgress<'_>) + Send),
        cancel: &'a CancelToken,
        watch: Option<&'a Watch>,
    ) -> Indexing<'a> {
        let (worker, limits, asked_about) = (&self.worker, self.limits, &self.asked_about);
        Indexing { worker, limits, embedder, progress, cancel, watch, asked_about }
    }

    /// The fingerprint of the embedder whose vectors questions are compared with; `None` before the first.
    ///
    /// # Errors
    /// Where the store is damaged.
    pub fn embedder_fingerprint(&self) -> Result<Option<String>, EngineError> {
        Ok(self.store.read(|view| view.embedder())?.map(|embedder| embedder.fingerprint))
    }

    /// The fingerprint of the embedder whose vectors are being made: those that questions are compared with, or those
    /// beside them; `None` before the first.
    ///
    /// # Errors
    /// Where the store is damaged.
    pub fn embedder_at_work(&self) -> Result<Option<String>, EngineError> {
        self.store.read(|view| {
            let next = view.next_embedder()?;
            let embedder = if next.is_some() { next } else { view.embedder()? };
            Ok(embedder.map(|embedder| embedder.fingerprint))
        })
    }

    /// The vectors of the embedder that was used before; `None` where none are kept.
    ///
    /// # Errors
    /// Where the store is damaged.
    pub fn previous_embedder(&self) -> Result<Option<Previous>, EngineError> {
        Ok(self.store.read(|view| view.previous())?)
    }

    /// The library as it stands.
    ///
    /// # Errors
    /// Where the store is damaged.
    pub fn status(&self) -> Result<Status, EngineError> {
        self.store.read(|view| {
            let catalogue = self.catalogue_of(&view)?;
            let overview = &catalogue.overview;
            let mut pending = view.documents_without_vectors()?;
            pending.extend(view.ledger()?);
            let mut failed: Vec<_> = catalogue.rows().filter_map(DocumentRow::failure).collect();
            failed.sort_by(|a, b| a.path.cmp(&b.path));
            let notes = |reason: &dyn Fn(&FolderOverview) -> Option<String>| {
                let each = overview.folders.iter();
                let notes = each.filter_map(|folder| Some((folder.path.clone(), reason(folder)?)));
                notes.map(|(path, reason)| FolderNote { path, reason }).collect()
            };
            Ok(Status {
                folders: overview.folders.iter().map(|folder| folder.path.clone()).collect(),
                documents: overview.documents,
                sentences: usize::try_from(overview.sentences).unwrap_or(usize::MAX),
                pending: pending.len(),
                waiting: overview.waiting,
                unembedded: overview.unembedded,
                failed,
                unreachable: notes(&|folder| folder.unreachable.clone()),
                timed: notes(&|folder| folder.timed.map(|why| why.reason().to_owned())),
            })
        })
    }

    /// The text of the document at `path` as it was indexed.
    ///
    /// # Errors
    /// Where the path belongs to no document, or to one without a text.
    pub fn show(&self, path: &Path) -> Result<DocumentText, EngineError> {
        self.text_of(self.document_at(path)?.id)
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
        if let Some(record) = self.store.read(|view| view.document(document))? {
            self.ask_about([record.path]);
        }
        why_not::why_not(&self.store, query, models, document, cancel)
    }

    /// A search with the sentences of each passage.
    pub(crate) fn find(
        &self,
        query: &Query,
        models: &SearchModels<'_>,
        cancel: &CancelToken,
    ) -> Result<Found, EngineError> {
        self.ask_about(query.filter.within.iter().cloned());
        search::search(&self.store, query, models, cancel)
    }

    fn ask_about(&self, paths: impl IntoIterator<Item = PathBuf>) {
        self.asked_about.lock().unwrap_or_else(PoisonError::into_inner).extend(paths);
    }

    /// Whether texts, sentences, postings and vectors agree.
    ///
    /// # Errors
    /// Where the store cannot be read at all.
    pub fn check(&self, cancel: &CancelToken) -> Result<Findings, EngineError> {
        doctor::check(&self.store, cancel)
    }
}

/// An absolute path without links where it exists, made absolute by name where it does not (any more).
pub(crate) fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// Where a library lies unless another folder is named: `oriel/library` in the user's data folder by the platform's
/// convention; `None` where the user has no home folder.
#[must_use]
pub fn default_library() -> Option<PathBuf> {
    Some(dirs::data_dir()?.join("oriel").join("library"))
}
