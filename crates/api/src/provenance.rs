//! Which file a place in a document comes from, so that a reader elsewhere can check it.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::time::SystemTime;

use oriel_core::{CancelToken, DocumentId};
use oriel_engine::{Freshness, Library};
use sha2::{Digest as _, Sha256};

use crate::documents::name_of;
use crate::lock::lock;

/// Size and time of change of a file.
type Stamp = (u64, SystemTime);

/// The SHA-256 of each file that was asked for, and the stamp that it had.
static HASHED: LazyLock<Mutex<HashMap<PathBuf, (Stamp, String)>>> = LazyLock::new(Mutex::default);

/// The file of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    pub id: DocumentId,
    /// The name of its file.
    pub title: String,
    /// SHA-256 of its file in hexadecimal; of a file inside an archive or mail, of the one on the disk. `None` if the file has
    /// changed since it was read, or is gone.
    pub sha256: Option<String>,
}

/// The file of the document at `path`; `None` if the library has no such document (any more). A file is hashed once, unless
/// it changes; after a cancellation it is not hashed.
pub fn provenance(library: &Library, path: &Path, cancel: &CancelToken) -> Option<Provenance> {
    let id = library.document_at(path).ok()?.id;
    Some(Provenance { id, title: name_of(path), sha256: sha256_if_same(library, id, cancel) })
}

/// The SHA-256 of the file with a document, if it is the one that was read, and stays so meanwhile.
fn sha256_if_same(library: &Library, id: DocumentId, cancel: &CancelToken) -> Option<String> {
    let file = library.file_of(id).ok()?;
    let before = stamp(&file)?;
    if library.freshness(id).ok()? != Freshness::Same {
        return None;
    }
    if let Some((_, sha256)) = lock(&HASHED).get(&file).filter(|(stamp, _)| *stamp == before) {
        return Some(sha256.clone());
    }
    let sha256 = sha256(&file, cancel)?;
    if stamp(&file)? != before {
        return None;
    }
    lock(&HASHED).insert(file, (before, sha256.clone()));
    Some(sha256)
}

fn stamp(file: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

fn sha256(path: &Path, cancel: &CancelToken) -> Option<String> {
    let (mut file, mut hasher, mut buffer) = (File::open(path).ok()?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        cancel.check().ok()?;
        match file.read(&mut buffer).ok()? {
            0 => break,
            length => hasher.update(&buffer[..length]),
        }
    }
    Some(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
