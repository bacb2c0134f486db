//! Reads the files inside a file (attachments, members of archives), and the files inside those, as separate documents.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, DocumentId, Failure, Kind, Member};
use oriel_store::{DocumentRecord, Store, StoreError};
use oriel_text::{Limits, MAX_MEMBERS, too_many_members};

use crate::error::EngineError;
use crate::extract::process::Extractor;
use crate::extract::unlock::{self, Unlocked};
use crate::library::passwords::Passwords;

/// Maximum depth of nested files; a file in a file in a file is at depth 2. Deeper ones fail.
const MAX_DEPTH: usize = 4;

/// A file inside a file.
pub(crate) struct InnerFile {
    /// The path of the file on disk, joined with the name inside it.
    pub path: PathBuf,
    /// The kind by its name.
    pub kind: Kind,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 of its bytes, in hex; `None` if they cannot be read.
    pub hash: Option<String>,
    /// The result of reading it.
    pub read: Inner,
}

/// The result of reading a file inside a file.
pub(crate) enum Inner {
    /// It has the same bytes as this earlier member, and was not read again.
    Same(DocumentId),
    Text(Box<Unlocked>),
    Failed(Failure),
}

/// The members that a file had when it was last read, by path.
pub(crate) type Known = BTreeMap<PathBuf, (DocumentId, DocumentRecord)>;

/// The members of the document with this record.
pub(crate) fn known(store: &Store, record: &DocumentRecord) -> Result<Known, StoreError> {
    store.read(|view| {
        let mut known = Known::new();
        for &id in &record.members {
            known.extend(view.document(id)?.map(|record| (record.path.clone(), (id, record))));
        }
        Ok(known)
    })
}

/// Reads the members of the file at `path`, outer ones first. A member that exceeds `limits` fails by itself.
///
/// # Errors
/// Those of [`Extractor::extract`].
pub(crate) fn read_members(
    extractor: &mut Extractor,
    passwords: &Passwords,
    path: &Path,
    members: Vec<Member>,
    known: Known,
    limits: Limits,
    cancel: &CancelToken,
) -> Result<Vec<InnerFile>, EngineError> {
    let (taken, found) = (Taken::new(), Vec::new());
    let mut reading = Reading { extractor, passwords, cancel, known, limits, taken, found };
    for member in members {
        reading.read(path, member, 1)?;
    }
    Ok(reading.found)
}

/// The paths of members, each with the number of members of that name.
type Taken = HashMap<PathBuf, usize>;

struct Reading<'a> {
    extractor: &'a mut Extractor,
    passwords: &'a Passwords,
    cancel: &'a CancelToken,
    known: Known,
    /// The limits for further members.
    limits: Limits,
    taken: Taken,
    found: Vec<InnerFile>,
}

impl Reading<'_> {
    /// Reads a member, and the members inside it.
    fn read(&mut self, within: &Path, member: Member, depth: usize) -> Result<(), EngineError> {
        self.cancel.checkpoint()?;
        let path = free(within, &member.name, &mut self.taken);
        let Some(kind) = Kind::of_path(&path) else { return Ok(()) };
        let bytes = member.bytes.and_then(|bytes| {
            let fits = depth <= MAX_DEPTH && self.take(bytes.len());
            if fits { Ok(bytes) } else { Err(too_many_members()) }
        });
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(failure) => {
                let read = Inner::Failed(failure);
                self.found.push(InnerFile { path, kind, size: 0, hash: None, read });
                return Ok(());
            }
        };
        let hash = blake3::hash(&bytes).to_hex().to_string();
        if self.keep(&path, &hash) {
            return Ok(());
        }
        let (extractor, limits) = (&mut *self.extractor, self.limits);
        let read = unlock::extract(extractor, self.passwords, kind, &bytes, &hash, &limits, self.cancel)?;
        let size = bytes.len() as u64;
        drop(bytes);
        let (read, inner) = match read {
            Ok(mut unlocked) if self.take(unlocked.extracted.text.len()) => {
                let inner = std::mem::take(&mut unlocked.extracted.members);
                (Inner::Text(Box::new(unlocked)), inner)
            }
            Ok(_) => (Inner::Failed(too_many_members()), Vec::new()),
            Err(failure) => (Inner::Failed(failure), Vec::new()),
        };
        self.found.push(InnerFile { path: path.clone(), kind, size, hash: Some(hash), read });
        inner.into_iter().try_for_each(|member| self.read(&path, member, depth + 1))
    }

    /// Whether one more member with this many bytes is within the limits; if so, it is subtracted from them.
    fn take(&mut self, bytes: usize) -> bool {
        let left = self.limits.member_bytes.checked_sub(bytes as u64);
        let left = left.filter(|_| self.found.len() < MAX_MEMBERS);
        self.limits.member_bytes = left.unwrap_or(self.limits.member_bytes);
        left.is_some()
    }

    /// Keeps the member at `path` with its own members, if its bytes are unchanged.
    fn keep(&mut self, path: &Path, hash: &str) -> bool {
        let is_same = |(_, record): &(DocumentId, DocumentRecord)| {
            !record.outdated && record.hash.as_deref() == Some(hash)
        };
        if !self.known.get(path).is_some_and(is_same) {
            return false;
        }
        for (inner, (id, record)) in self.known.range(path.to_owned()..) {
            if !inner.starts_with(path) {
                break;
            }
            self.taken.entry(inner.clone()).or_insert(1);
            self.found.push(InnerFile {
                path: inner.clone(),
                kind: record.kind,
                size: record.stamp.size,
                hash: record.hash.clone(),
                read: Inner::Same(*id),
            });
        }
        true
    }
}

/// The bytes of the member at `wanted` in the file at `path`; `None` if there is no such member. Errors are those of
/// [`Extractor::extract`].
pub(crate) fn bytes_of(
    extractor: &mut Extractor,
    path: &Path,
    kind: Kind,
    bytes: &[u8],
    wanted: &Path,
    limits: &Limits,
    cancel: &CancelToken,
) -> Result<Result<Option<Vec<u8>>, Failure>, EngineError> {
    let members = match extractor.extract(kind, bytes, limits, cancel)? {
        Ok(extracted) => extracted.members,
        Err(failure) => return Ok(Err(failure)),
    };
    let mut taken = Taken::new();
    for member in members {
        let inner = free(path, &member.name, &mut taken);
        let (true, Some(kind)) = (wanted.starts_with(&inner), Kind::of_path(&inner)) else { continue };
        return match member.bytes {
            Ok(bytes) if inner != wanted => bytes_of(extractor, &inner, kind, &bytes, wanted, limits, cancel),
            bytes => Ok(bytes.map(Some)),
        };
    }
    Ok(Ok(None))
}

/// The path of a member. If several have the same name, the second one becomes `name (2).pdf`. A member without a name
/// gets the name of its file without the extension of the compression.
fn free(within: &Path, name: &str, taken: &mut Taken) -> PathBuf {
    let is_packed = Kind::of_path(within) == Some(Kind::Archive);
    let path = match name {
        "" if is_packed => within.join(within.file_stem().unwrap_or_default()),
        "" => within.join(within.file_name().unwrap_or_default()),
        name => within.join(name),
    };
    let mut number = taken.get(&path).map_or(1, |times| times + 1);
    let mut free = numbered(&path, number);
    while taken.contains_key(&free) {
        number += 1;
        free = numbered(&path, number);
    }
    taken.insert(free.clone(), 1);
    taken.insert(path, number);
    free
}

fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(" ({number})"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_with_one_name_are_numbered() {
        let mut taken = Taken::new();
        let names = ["a.pdf", "a.pdf", "b", "a (3).pdf", "a.pdf", "b"];
        let found = names.map(|name| free(Path::new("/x.zip"), name, &mut taken));
        let paths = found.each_ref().map(|path| path.to_str().unwrap());
        assert_eq!(
            paths,
            [
                "/x.zip/a.pdf",
                "/x.zip/a (2).pdf",
                "/x.zip/b",
                "/x.zip/a (3).pdf",
                "/x.zip/a (4).pdf",
                "/x.zip/b (2)"
            ]
        );
        assert_eq!(free(Path::new("/notes.txt.gz"), "", &mut taken), Path::new("/notes.txt.gz/notes.txt"));
        assert_eq!(free(Path::new("/notes.txt"), "", &mut taken), Path::new("/notes.txt/notes.txt"));
    }
}
