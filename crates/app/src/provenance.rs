//! Which file a place in a document comes from, so that a reader elsewhere can check it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use oriel_core::DocumentId;
use oriel_engine::{Freshness, Library};
use sha2::{Digest as _, Sha256};

/// The file of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The document.
    pub id: DocumentId,
    /// The name of its file.
    pub title: String,
    /// SHA-256 of its file in hexadecimal; of a file inside an archive or mail, of the one on the disk. `None` if the file has
    /// changed since it was read, or is gone.
    pub sha256: Option<String>,
}

/// The file of the document at `path`; `None` if the library has no such document (any more).
#[must_use]
pub fn provenance(library: &Library, path: &Path) -> Option<Provenance> {
    let id = library.document_at(path).ok()?.id;
    let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let is_same = library.freshness(id).is_ok_and(|freshness| freshness == Freshness::Same);
    let sha256 = is_same.then(|| sha256(&library.file_of(id).ok()?).ok()).flatten();
    Some(Provenance { id, title, sha256 })
}

fn sha256(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            length => hasher.update(&buffer[..length]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
