//! An open library: a store, the folders it follows, and what is known of its documents.
//!
//! This room runs no model and starts no process.
//!
//! - What is followed: `folders` adds and removes folders and files, `ignore_rules` says what is ignored in them.
//! - What the library holds: `overview` and `status` count, `documents`, `document_row` and `document_text` show single documents,
//!   `document_date` dates them, `unsearchable` lists files without searchable text, `languages` samples the languages, `relocate` finds a document
//!   again after it was moved.
//! - Where the documents are: `source` is the store or a remote index, `remote` connects a library to one. `filter` says which
//!   documents of the store a question searches.
//! - What the rooms above share: `limits` for reading a file, `passwords` of locked ones, `sentences` for the identity and
//!   the plain text of a sentence, `furniture` for lines that most pages of a folder begin or end with.
//! - `tables` finds the tables of a document, `columns` types their columns, `totals` finds rows that sum up others,
//!   `table_query` computes over them.
//! - `swap` puts one library in the place of another.

pub(crate) mod columns;
pub(crate) mod document_date;
pub(crate) mod document_row;
pub(crate) mod document_text;
pub(crate) mod documents;
pub(crate) mod filter;
pub(crate) mod folders;
pub(crate) mod furniture;
mod heads;
pub(crate) mod ignore_rules;
pub(crate) mod languages;
pub(crate) mod limits;
pub(crate) mod members;
pub(crate) mod overview;
pub(crate) mod passwords;
mod paths;
pub(crate) mod relocate;
pub(crate) mod remote;
pub(crate) mod sentences;
pub(crate) mod source;
pub(crate) mod status;
pub(crate) mod swap;
pub(crate) mod table_query;
pub(crate) mod tables;
pub(crate) mod totals;
pub(crate) mod unsearchable;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oriel_core::WorkerCommand;
use oriel_store::{Store, StoreOptions, View, is_read_only};
use parking_lot::Mutex;

use crate::error::EngineError;
use crate::files::unwritable;
use crate::library::heads::Heads;
use crate::library::limits::ExtractorLimits;
use crate::library::overview::{Catalogue, Overview};
use crate::library::passwords::Passwords;
use crate::library::source::remote::RemoteIndex;
use crate::library::swap::put_back;

/// The index in the library's folder.
pub(crate) const DATA_FILE: &str = "data.mdb";
/// A copy of the list of followed folders and files, from which the index can be rebuilt.
pub(crate) const FOLDERS_FILE: &str = "folders.json";
/// The app's settings.
pub(crate) const SETTINGS_FILE: &str = "settings.json";
/// The user's own entries of the glossary.
pub(crate) const GLOSSARY_FILE: &str = "glossary.txt";
/// The questions that the user reviews to measure the library with.
pub const QUESTIONS_FILE: &str = "questions.json";
/// The figures that were measured with them.
pub const EVALUATION_FILE: &str = "evaluation.json";
/// What the user hides from other programs.
pub const PROGRAMS_FILE: &str = "programs.json";
/// The folder of the documents that were copied into the library.
pub(crate) const FILES_FOLDER: &str = "files";
/// The folder of conversations.
pub(crate) const CONVERSATIONS_FOLDER: &str = "conversations";

/// An open library.
pub struct Library {
    pub(crate) store: Store,
    pub(crate) worker: WorkerCommand,
    pub(crate) limits: ExtractorLimits,
    /// The passwords of locked PDFs.
    pub(crate) passwords: Passwords,
    /// The cached summary of all documents, see [`Library::overview`].
    pub(crate) catalogue: Mutex<Option<Arc<Catalogue>>>,
    /// What the first lines of documents say, where the store does not have it yet.
    pub(crate) heads: Mutex<Heads>,
    /// The remote index that it reads instead of its own.
    pub(crate) remote: Option<RemoteIndex>,
    /// Files and folders that were asked about since the indexer last checked. They go first.
    pub(crate) asked_about: Mutex<BTreeSet<PathBuf>>,
}

impl Library {
    /// Whether the folder `path` holds a library, so that opening it creates none.
    #[must_use]
    pub fn is_in(path: &Path) -> bool {
        path.join(DATA_FILE).is_file()
    }

    /// Opens the library in the folder `path`, and creates it if it is missing. `worker` starts the worker process that
    /// extracts text. If the index is new and the list of folders exists, the folders are followed again: the index was
    /// lost or set aside. A library that is missing because a restore was killed is put back.
    ///
    /// # Errors
    /// If the store cannot be opened, or the list of folders is needed and cannot be read.
    pub fn open(path: &Path, worker: WorkerCommand, limits: ExtractorLimits) -> Result<Self, EngineError> {
        put_back(path)?;
        let store = Store::open(path, StoreOptions::default())?;
        let (catalogue, heads, asked_about) = (Mutex::new(None), Mutex::default(), Mutex::default());
        let passwords = Passwords::default();
        let remote = RemoteIndex::of(path)?;
        let library = Self { store, worker, limits, passwords, catalogue, heads, remote, asked_about };
        library.follow_again()?;
        if library.store.is_read_only() {
            let own = library.personal_folder();
            std::fs::create_dir_all(&own).map_err(|cause| unwritable(&own, &cause))?;
        }
        Ok(library)
    }

    /// The folder for documents that are copied into the library. It may not exist.
    #[must_use]
    pub fn files(&self) -> PathBuf {
        self.path().join(FILES_FOLDER)
    }

    /// The library's own folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// Whether documents cannot be added to it here: this user may not write it, or it reads a remote index. It can be
    /// searched and read, but is not kept up to date.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.source().store().is_none_or(Store::is_read_only)
    }

    /// Whether documents can be added to it here.
    ///
    /// # Errors
    /// If not, see [`Self::is_read_only`].
    pub fn writable(&self) -> Result<(), EngineError> {
        Ok(self.own_index()?.writable()?)
    }

    /// The folder for what a user keeps with the library: conversations, settings, questions. The library's own, or a folder in
    /// the user's data folder if the library can only be read.
    #[must_use]
    pub fn personal_folder(&self) -> PathBuf {
        personal_folder(self.path())
    }

    /// Asks the indexer to bring these files and folders up to date first.
    pub(crate) fn ask_about(&self, paths: impl IntoIterator<Item = PathBuf>) {
        self.asked_about.lock().extend(paths);
    }

    /// A summary of the library; for a remote index, the counts that it last reported.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn overview(&self) -> Result<Overview, EngineError> {
        Ok(self.overview_of(&*self.catalogue()?))
    }

    /// The summary of a catalogue; of a remote index with its counts.
    pub(crate) fn overview_of(&self, catalogue: &Catalogue) -> Overview {
        self.source().counted(catalogue.overview.clone())
    }

    /// All documents as of now.
    pub(crate) fn catalogue(&self) -> Result<Arc<Catalogue>, EngineError> {
        self.store.read(|view| self.catalogue_of(&view))
    }

    pub(crate) fn catalogue_of(&self, view: &View<'_>) -> Result<Arc<Catalogue>, EngineError> {
        // Locked while it is built, so that two callers build it only once.
        let mut kept = self.catalogue.lock();
        if let Some(catalogue) = kept.as_ref().filter(|kept| kept.version == view.version()) {
            return Ok(Arc::clone(catalogue));
        }
        let made = Arc::new(Catalogue::new(view)?);
        *kept = Some(Arc::clone(&made));
        Ok(made)
    }
}

/// [`Library::personal_folder`] of the library in this folder, which need not be open.
#[must_use]
pub fn personal_folder(library: &Path) -> PathBuf {
    let own = library.canonicalize().unwrap_or_else(|_| library.to_owned());
    let Some(data) = dirs::data_dir().filter(|_| is_read_only(&own)) else { return own };
    let hash = blake3::hash(own.as_os_str().as_encoded_bytes()).to_hex();
    data.join("oriel").join("read-only").join(&hash[..16])
}

/// The folder of a library unless another is named: `oriel/library` in the user's data folder by the platform's
/// convention. `None` if the user has no home folder.
#[must_use]
pub fn default_library() -> Option<PathBuf> {
    Some(dirs::data_dir()?.join("oriel").join("library"))
}
