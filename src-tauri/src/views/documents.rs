//! Documents as rows: a name, and a place that means something to a person.

use std::path::{Path, PathBuf};

use oriel_core::Kind;
use oriel_engine::{Library, PassageDocument};

use crate::api::{DocumentRow, FailureRow};

/// A document. `roots` are the followed folders.
pub(crate) fn row(document: &oriel_engine::DocumentRow, roots: &[PathBuf]) -> DocumentRow {
    DocumentRow {
        id: document.id.0,
        name: name_of(&document.path),
        place: place_of(&document.path, roots),
        kind: document.kind,
        pages: document.pages,
        sentences: document.sentences,
        bytes: document.bytes,
        modified: milliseconds(document.modified),
    }
}

/// A document that could not be read.
pub(crate) fn failure(failure: oriel_engine::DocumentFailure, roots: &[PathBuf]) -> FailureRow {
    FailureRow {
        document: DocumentRow {
            id: failure.id.0,
            name: name_of(&failure.path),
            place: place_of(&failure.path, roots),
            kind: kind_of(&failure.path),
            pages: 0,
            sentences: 0,
            bytes: failure.bytes,
            modified: milliseconds(failure.modified),
        },
        reason: failure.reason,
        code: failure.code,
    }
}

/// The kind that a document's name promises.
pub(crate) fn kind_of(path: &Path) -> Kind {
    Kind::of_path(path).unwrap_or(Kind::Text)
}

/// The last part of a path.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned()
}

/// The folder that a document lies in, from the followed folder on: `Contracts/2019`.
pub(crate) fn place_of(path: &Path, roots: &[PathBuf]) -> String {
    let folder = path.parent().unwrap_or(path);
    let root = roots.iter().filter(|root| folder.starts_with(root)).max_by_key(|root| root.as_os_str().len());
    let from = root.and_then(|root| root.parent());
    let shown = from.and_then(|from| folder.strip_prefix(from).ok()).unwrap_or(folder);
    shown.to_string_lossy().into_owned()
}

/// A document that was kept by path, where it lies now.
pub(crate) fn relocated(
    library: &Library,
    path: &Path,
    source: Option<&PassageDocument>,
    sentences: &[&str],
) -> Option<oriel_engine::DocumentRow> {
    library.relocate(path, source, sentences).unwrap_or_else(|error| {
        tracing::warn!(%error, "a document of a passage is not looked up");
        None
    })
}

/// Nanoseconds to milliseconds.
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
