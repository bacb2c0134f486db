//! The state of a library in a few figures, for a status command.

use std::path::PathBuf;

use oriel_core::Notice;
use oriel_store::Previous;
use serde::Serialize;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::document_row::{DocumentFailure, DocumentRow};
use crate::library::overview::FolderOverview;

/// The state of a library.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// The folders and files it follows.
    #[serde(serialize_with = "oriel_core::lossy::paths")]
    pub folders: Vec<PathBuf>,
    /// Documents that could be read.
    pub documents: usize,
    /// Their sentences.
    pub sentences: usize,
    /// Documents that wait to be read, or that have a sentence without a vector.
    pub pending: usize,
    /// Documents that wait to be read.
    pub waiting: usize,
    /// Distinct sentences without a vector. They are found by words alone.
    pub unembedded: u64,
    /// Documents that could not be read.
    pub failed: Vec<DocumentFailure>,
    /// The folders whose symbolic links are followed.
    #[serde(serialize_with = "oriel_core::lossy::paths")]
    pub follow_links: Vec<PathBuf>,
    /// Parts of web pages, which are not read.
    pub page_parts: u64,
    /// Folders that are unreachable, wholly or in part. Their documents are kept.
    pub unreachable: Vec<FolderNote>,
    /// Folders that are not fully watched and are scanned periodically.
    pub timed: Vec<FolderNote>,
}

/// Something about a folder that a user should know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FolderNote {
    /// The folder.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    pub path: PathBuf,
    /// What is wrong, and what to do.
    #[serde(serialize_with = "oriel_core::lossy::notice")]
    pub reason: Notice,
}

impl Library {
    /// The fingerprint of the embedder whose vectors are searched; `None` before the first.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn embedder_fingerprint(&self) -> Result<Option<String>, EngineError> {
        self.source().embedder()
    }

    /// Whether the library refuses everything until it is reopened, because a disk failed during a commit.
    #[must_use]
    pub fn wants_reopening(&self) -> bool {
        self.store.read(|view| view.embedder()).is_err_and(|error| error.wants_reopening())
    }

    /// The fingerprint of the embedder whose vectors are being computed: that of the searched set, or of the second set
    /// after a change of embedder. `None` before the first.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn embedder_at_work(&self) -> Result<Option<String>, EngineError> {
        let source = self.source();
        let Some(store) = source.store() else { return source.embedder() };
        store.read(|view| {
            let next = view.next_embedder()?;
            let embedder = if next.is_some() { next } else { view.embedder()? };
            Ok(embedder.map(|embedder| embedder.fingerprint))
        })
    }

    /// The vectors of the previous embedder; `None` if none are kept.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn previous_embedder(&self) -> Result<Option<Previous>, EngineError> {
        Ok(self.store.read(|view| view.previous())?)
    }

    /// The state of the library.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn status(&self) -> Result<Status, EngineError> {
        self.store.read(|view| {
            let catalogue = self.catalogue_of(&view)?;
            let overview = self.overview_of(&catalogue);
            let mut pending = view.documents_without_vectors()?;
            pending.extend(view.read_queue()?);
            let mut failed: Vec<_> = catalogue.rows().filter_map(DocumentRow::failure).collect();
            failed.sort_by(|a, b| a.path.cmp(&b.path));
            let notes = |reason: &dyn Fn(&FolderOverview) -> Option<Notice>| {
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
                follow_links: overview
                    .folders
                    .iter()
                    .filter(|folder| folder.follow_links)
                    .map(|folder| folder.path.clone())
                    .collect(),
                page_parts: view.scan()?.unwrap_or_default().page_parts,
                unreachable: notes(&|folder| folder.unreachable.clone()),
                timed: notes(&|folder| folder.timed.map(|why| Notice::text(why.reason()))),
            })
        })
    }
}
