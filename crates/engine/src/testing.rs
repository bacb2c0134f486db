//! A library in a temporary folder for tests, with the real store and scan, and the extractor in this process.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use oriel_core::{CancelToken, DocumentId, Kind, WorkerCommand};
use oriel_store::{DocumentState, Store, StoreOptions};
use oriel_text::Limits;
use parking_lot::Mutex;
use tempfile::TempDir;

use crate::extract::load::load_to_keep;
use crate::extract::unlock::Unlocked;
use crate::library::Library;
use crate::library::limits::ExtractorLimits;
use crate::library::passwords::Passwords;
use crate::sync::read::digest;
use crate::sync::scan::{Scan, scan};
use crate::sync::scope::Scope;

/// A library and a folder of documents beside it, which is not followed yet.
pub(crate) struct TestLibrary {
    place: TempDir,
    pub library: Library,
}

impl TestLibrary {
    pub(crate) fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("documents")).unwrap();
        let path = place.path().join("library");
        let options = StoreOptions { patience: Duration::ZERO, ..StoreOptions::default() };
        let library = Library {
            store: Store::open(&path, options).unwrap(),
            // No process is started: documents are read in this one.
            worker: WorkerCommand::new("", [""; 0]),
            limits: ExtractorLimits::default(),
            passwords: Passwords::default(),
            catalogue: Mutex::default(),
            heads: Mutex::default(),
            remote: None,
            asked_about: Mutex::default(),
        };
        Self { place, library }
    }

    /// The same with these files, a minute old, followed and read.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let place = Self::new();
        for (name, text) in files {
            let file = fs::File::options().append(true).open(place.write(name, text)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
        }
        place.library.add(&[place.documents()]).unwrap();
        place.read();
        place
    }

    /// The library, opened again.
    pub(crate) fn reopen(self) -> Self {
        let Self { place, library } = self;
        let path = library.path().to_owned();
        drop(library);
        let library = Library::open(&path, WorkerCommand::new("", [""; 0]), ExtractorLimits::default());
        Self { place, library: library.unwrap() }
    }

    /// The folder of documents.
    pub(crate) fn documents(&self) -> PathBuf {
        self.place.path().canonicalize().unwrap().join("documents")
    }

    /// Writes a document.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.documents().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Scans all folders.
    pub(crate) fn scan(&self) -> Scan {
        scan(&self.library.store, &Scope::Everything, None, &mut |_| {}, &CancelToken::new()).unwrap()
    }

    /// Scans all folders and reads what is queued.
    pub(crate) fn read(&self) {
        self.scan();
        let store = &self.library.store;
        for id in store.read(|view| view.read_queue()).unwrap() {
            let record = store.read(|view| view.document(id)).unwrap().unwrap();
            let Ok((bytes, now)) = load_to_keep(&record.path, u64::MAX) else {
                panic!("{} cannot be read", record.path.display());
            };
            let hash = blake3::hash(&bytes).to_hex().to_string();
            match oriel_text::read(record.kind, &bytes, &Limits::default()) {
                Ok(extracted) => {
                    let text = digest(
                        &record.path,
                        Unlocked { extracted, locked: false },
                        hash,
                        &CancelToken::new(),
                    )
                    .unwrap();
                    store.write(|edit| edit.put_text(id, &text.as_new(now)).map(drop)).unwrap();
                }
                Err(failure) => {
                    store.write(|edit| edit.put_failure(id, &failure, now, Some(&hash))).unwrap();
                }
            }
        }
    }

    /// The document of this name.
    pub(crate) fn id(&self, name: &str) -> DocumentId {
        self.library.document_at(&self.documents().join(name)).unwrap().id
    }

    /// The names of the documents that have been read, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let rows = self.library.documents("", usize::MAX).unwrap();
        let read = rows.into_iter().filter(|row| row.state == DocumentState::Indexed);
        let mut names: Vec<_> =
            read.map(|row| row.path.file_name().unwrap().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// A file that no extractor of `kind` can read.
    pub(crate) fn write_broken(&self, name: &str) -> PathBuf {
        assert_eq!(Kind::of_path(name.as_ref()), Some(Kind::Pdf));
        self.write(name, "%PDF-1.7\nthis goes nowhere")
    }
}
