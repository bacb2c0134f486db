//! Reads the files inside a file (attachments, files of an archive) and the files inside those, as documents of their own.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, DocumentId, Extracted, Failure, FailureCode, Kind, Member, Notice};
use oriel_store::{DocumentRecord, Store, StoreError};

use crate::error::EngineError;
use crate::extract::process::Extractor;

/// A file in a file in a file is at depth 2; deeper ones than this are not read.
const MAX_DEPTH: usize = 4;
/// More files in one file, at any depth, are too many.
const MAX_MEMBERS: usize = 10_000;

/// A file inside a file.
pub(crate) struct InnerFile {
    /// The path of the file on the disk, joined with its name inside.
    pub path: PathBuf,
    /// The format that its name promises.
    pub kind: Kind,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 of its bytes, in hex; `None` if they could not be had.
    pub hash: Option<String>,
    /// What was read of it.
    pub read: Inner,
}

/// What was read of a file inside a file.
pub(crate) enum Inner {
    /// It has the bytes that this member had before, which was not read again.
    Same(DocumentId),
    Text(Box<Extracted>),
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

/// Reads the members of the file at `path`, outer ones first. The inner error is about that file, the outer one about the
/// program.
pub(crate) fn read_members(
    extractor: &mut Extractor,
    path: &Path,
    members: Vec<Member>,
    known: Known,
    limit: u64,
    cancel: &CancelToken,
) -> Result<Result<Vec<InnerFile>, Failure>, EngineError> {
    let mut reading =
        Reading { extractor, cancel, known, left: limit, taken: Taken::new(), found: Vec::new() };
    Ok(reading.all(path, members, 1)?.map(|()| reading.found))
}

/// The paths of members, each with how often its name was there.
type Taken = HashMap<PathBuf, usize>;

struct Reading<'a> {
    extractor: &'a mut Extractor,
    cancel: &'a CancelToken,
    known: Known,
    /// Bytes that further members may hold.
    left: u64,
    taken: Taken,
    found: Vec<InnerFile>,
}

impl Reading<'_> {
    fn all(
        &mut self,
        within: &Path,
        members: Vec<Member>,
        depth: usize,
    ) -> Result<Result<(), Failure>, EngineError> {
        for member in members {
            self.cancel.checkpoint()?;
            let size = member.bytes.as_ref().map_or(0, Vec::len) as u64;
            let Some(left) = self.left.checked_sub(size).filter(|_| self.found.len() < MAX_MEMBERS) else {
                return Ok(Err(Failure::new(FailureCode::TooLarge, Notice::TooManyMembers)));
            };
            self.left = left;
            if let Err(failure) = self.one(within, member, depth)? {
                return Ok(Err(failure));
            }
        }
        Ok(Ok(()))
    }

    fn one(
        &mut self,
        within: &Path,
        member: Member,
        depth: usize,
    ) -> Result<Result<(), Failure>, EngineError> {
        let path = free(within, &member.name, &mut self.taken);
        let Some(kind) = Kind::of_path(&path) else { return Ok(Ok(())) };
        let bytes = match member.bytes {
            Ok(bytes) => bytes,
            Err(failure) => {
                let read = Inner::Failed(failure);
                self.found.push(InnerFile { path, kind, size: 0, hash: None, read });
                return Ok(Ok(()));
            }
        };
        let hash = blake3::hash(&bytes).to_hex().to_string();
        let size = bytes.len() as u64;
        if self.keep(&path, &hash) {
            return Ok(Ok(()));
        }
        let (read, inner) = match self.extractor.extract(kind, &bytes, self.cancel)? {
            Ok(extracted) if depth == MAX_DEPTH && !extracted.members.is_empty() => {
                (Inner::Failed(Failure::new(FailureCode::TooLarge, Notice::NestedTooDeeply)), Vec::new())
            }
            Ok(mut extracted) => {
                let inner = std::mem::take(&mut extracted.members);
                (Inner::Text(Box::new(extracted)), inner)
            }
            Err(failure) => (Inner::Failed(failure), Vec::new()),
        };
        drop(bytes);
        self.found.push(InnerFile { path: path.clone(), kind, size, hash: Some(hash), read });
        self.all(&path, inner, depth + 1)
    }

    /// Keeps the member at `path` with all that is inside it, if its bytes are those that were read before.
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

/// The bytes of the member at `wanted` in the file at `path`; `None` if it has no such member. Errors as in [`read_members`].
pub(crate) fn bytes_of(
    extractor: &mut Extractor,
    path: &Path,
    kind: Kind,
    bytes: &[u8],
    wanted: &Path,
    cancel: &CancelToken,
) -> Result<Result<Option<Vec<u8>>, Failure>, EngineError> {
    let members = match extractor.extract(kind, bytes, cancel)? {
        Ok(extracted) => extracted.members,
        Err(failure) => return Ok(Err(failure)),
    };
    let mut taken = Taken::new();
    for member in members {
        let inner = free(path, &member.name, &mut taken);
        let (true, Some(kind)) = (wanted.starts_with(&inner), Kind::of_path(&inner)) else { continue };
        return match member.bytes {
            Ok(bytes) if inner != wanted => bytes_of(extractor, &inner, kind, &bytes, wanted, cancel),
            bytes => Ok(bytes.map(Some)),
        };
    }
    Ok(Ok(None))
}

/// The path of a member; of several with one name the second is called `name (2).pdf`.
fn free(within: &Path, name: &str, taken: &mut Taken) -> PathBuf {
    let path = within.join(name);
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
        let free = names.map(|name| free(Path::new("/x.zip"), name, &mut taken));
        let paths = free.each_ref().map(|path| path.to_str().unwrap());
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
    }
}
