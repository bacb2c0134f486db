//! Documents as a front names them: by number, with a name and a place that mean something to the user.

use std::path::{Path, PathBuf};

use oriel_core::{FailureCode, Kind, Location, Notice};
use oriel_engine::{DocumentFailure, EngineError, Library, PassageDocument};

use crate::payload::{payload, request};
use crate::text::TextPlace;

payload! {
    /// A document that something refers to.
    pub struct DocumentRef {
        /// Its number; `None` if it left the library.
        pub document: Option<u32>,
        /// The file's name.
        pub name: String,
        /// The folder it lies in, from the followed folder on.
        pub place: String,
        pub kind: Kind,
    }

    /// A place in a document, which can be opened.
    pub struct PlaceRef {
        #[serde(flatten)]
        pub document: DocumentRef,
        #[serde(flatten)]
        pub location: Location,
        pub at: TextPlace,
    }

    /// A document in a list.
    pub struct DocumentRow {
        pub id: u32,
        /// The file's name.
        pub name: String,
        /// The folder it lies in, from the followed folder on.
        pub place: String,
        pub kind: Kind,
        /// 0 in formats without pages.
        pub pages: u32,
        pub sentences: u32,
        pub bytes: u64,
        /// When the file was changed, in milliseconds since 1970.
        pub modified: i64,
    }

    /// A document that could not be read.
    pub struct FailureRow {
        pub document: DocumentRow,
        pub reason: Notice,
        /// From which the window tells what to do.
        pub code: FailureCode,
    }
}

request! {
    /// Names a document of the library.
    pub struct ChosenDocument {
        pub document: u32,
    }
}

/// Resolves what is kept by path against the library as it is now.
pub struct Resolver<'a> {
    pub(crate) library: &'a Library,
    /// The followed folders.
    roots: Vec<PathBuf>,
}

impl<'a> Resolver<'a> {
    pub fn new(library: &'a Library) -> Result<Self, EngineError> {
        Ok(Self { library, roots: library.folders()? })
    }

    /// A document of the library.
    pub fn row(&self, document: &oriel_engine::DocumentRow) -> DocumentRow {
        DocumentRow {
            id: document.id.0,
            name: name_of(&document.path),
            place: self.place_of(&document.path),
            kind: document.kind,
            pages: document.pages,
            sentences: document.sentences,
            bytes: document.bytes,
            modified: milliseconds(document.modified),
        }
    }

    /// Documents of the library.
    pub fn rows(&self, documents: &[oriel_engine::DocumentRow]) -> Vec<DocumentRow> {
        documents.iter().map(|one| self.row(one)).collect()
    }

    /// A document that could not be read.
    pub fn failure(&self, failure: DocumentFailure) -> FailureRow {
        let document = DocumentRow {
            id: failure.id.0,
            name: name_of(&failure.path),
            place: self.place_of(&failure.path),
            kind: kind_of(&failure.path),
            pages: 0,
            sentences: 0,
            bytes: failure.bytes,
            modified: milliseconds(failure.modified),
        };
        FailureRow { document, reason: failure.reason, code: failure.code }
    }

    /// The document that was at `path` and is `now` there or elsewhere.
    pub(crate) fn document(&self, path: &Path, now: Option<&oriel_engine::DocumentRow>) -> DocumentRef {
        // After a rename or move it is shown with its present name.
        self.named(now.map_or(path, |row| &row.path), now.map(|row| row.id.0))
    }

    /// The document at `path`.
    pub fn named(&self, path: &Path, document: Option<u32>) -> DocumentRef {
        DocumentRef { document, name: name_of(path), place: self.place_of(path), kind: kind_of(path) }
    }

    /// A document that was kept by path, where it lies now.
    pub(crate) fn relocated(
        &self,
        path: &Path,
        source: Option<&PassageDocument>,
        sentences: &[&str],
    ) -> Option<oriel_engine::DocumentRow> {
        self.library.relocate(path, source, sentences).unwrap_or_else(|error| {
            tracing::warn!(%error, "a document of a passage is not looked up");
            None
        })
    }

    fn place_of(&self, path: &Path) -> String {
        place_of(path, &self.roots)
    }
}

/// The kind that a document's name promises.
pub(crate) fn kind_of(path: &Path) -> Kind {
    Kind::of_path(path).unwrap_or(Kind::Text)
}

/// The last part of a path.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned()
}

/// The folder that a document lies in, from the followed folder on: `Contracts/2019`.
fn place_of(path: &Path, roots: &[PathBuf]) -> String {
    let folder = path.parent().unwrap_or(path);
    let root = roots.iter().filter(|root| folder.starts_with(root)).max_by_key(|root| root.as_os_str().len());
    let from = root.and_then(|root| root.parent());
    let shown = from.and_then(|from| folder.strip_prefix(from).ok()).unwrap_or(folder);
    shown.to_string_lossy().into_owned()
}

pub(crate) fn milliseconds(nanoseconds: i64) -> i64 {
    nanoseconds / 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_begins_with_the_followed_folder() {
        let roots = [PathBuf::from("/home/ada/Papers"), PathBuf::from("/home/ada/Papers/Old")];
        assert_eq!(place_of(Path::new("/home/ada/Papers/2019/a.pdf"), &roots), "Papers/2019");
        assert_eq!(place_of(Path::new("/home/ada/Papers/Old/b.pdf"), &roots), "Old");
        assert_eq!(place_of(Path::new("/elsewhere/c.pdf"), &roots), "/elsewhere");
    }
}
