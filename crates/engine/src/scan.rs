//! Folders and files that are followed against the store: what is new, changed, moved or gone. The truth, where a
//! watcher only hints.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use ignore::{DirEntry, WalkBuilder};
use oriel_core::{CancelToken, DocumentId, FailureCode, Kind};
use oriel_store::{DocumentRecord, DocumentState, FolderRecord, ScanRecord, Stamp, Store};

use crate::EngineError;
use crate::excludes::Excludes;

/// Changes are written in transactions of this many, so that none is long.
const BATCH: usize = 5_000;
/// Of files that are not read so many extensions are counted, the most frequent.
const EXTENSIONS: usize = 20;
/// Characters of an extension at most; what is longer stands for nothing.
const LONGEST_EXTENSION: usize = 12;

/// What a scan saw in all folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Files of unknown kinds.
    pub skipped: usize,
    /// Folders that could not be read, with the reason; documents in them are kept.
    pub unreachable: Vec<(PathBuf, String)>,
}

/// A file as the scan found it.
struct Found {
    path: PathBuf,
    kind: Kind,
    stamp: Stamp,
}

enum Change {
    New(Found),
    Changed(DocumentId),
    Moved(DocumentId, PathBuf),
    Gone(DocumentId),
}

/// Compares every folder with the store and writes what differs: new and changed documents go on the ledger, moved
/// ones keep their id, gone ones are forgotten. `seen` is called now and then with the number of files so far.
pub(crate) fn scan(
    store: &Store,
    seen: &mut dyn FnMut(usize),
    cancel: &CancelToken,
) -> Result<Scan, EngineError> {
    let folders = store.read(|view| view.folders())?;
    let mut result = Scan::default();
    let (mut files, mut skipped) = (Vec::new(), Vec::new());
    let mut reasons = Vec::with_capacity(folders.len());
    for (number, folder) in &folders {
        let before = result.unreachable.len();
        let reason = if is_gone(folder) {
            Some("is not there any more; bring it back, or stop following it".to_owned())
        } else {
            walk(folder, store.path(), &mut files, &mut skipped, &mut result, seen, cancel)?;
            in_one_line(&folder.path, &result.unreachable[before..])
        };
        reasons.push((*number, reason));
    }
    // In the order of paths, so that ids do not depend on the order in which a disk lists its files.
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    // One folder may lie in another.
    skipped.sort_unstable();
    skipped.dedup();
    result.skipped = skipped.len();
    let extensions = by_extension(&skipped);
    let changes = compare(store, files, &result.unreachable, &mut || cancel.check())?;
    for batch in changes.chunks(BATCH) {
        cancel.check()?;
        store.write(|edit| {
            for change in batch {
                match change {
                    // The folder may have been removed while it was walked.
                    Change::New(found) => {
                        let mut folders = edit.view().folders()?.into_iter();
                        if !folders.any(|(_, folder)| found.path.starts_with(folder.path)) {
                            continue;
                        }
                        edit.register(&DocumentRecord {
                            path: found.path.clone(),
                            stamp: found.stamp,
                            hash: None,
                            kind: found.kind,
                            pages: 0,
                            sentences: 0,
                            state: DocumentState::Waiting,
                        })?;
                    }
                    Change::Changed(id) => edit.schedule(*id)?,
                    Change::Moved(id, path) => edit.move_document(*id, path)?,
                    Change::Gone(id) => edit.remove_document(*id)?,
                }
            }
            Ok(())
        })?;
    }
    note(store, &reasons, &ScanRecord { skipped: result.skipped as u64, extensions })?;
    Ok(result)
}

/// Keeps for others to see what was out of reach and what was passed over, where that has changed.
fn note(store: &Store, reasons: &[(u32, Option<String>)], scanned: &ScanRecord) -> Result<(), EngineError> {
    let is_news = store.read(|view| -> Result<_, EngineError> {
        let mut is_news = view.scan()?.as_ref() != Some(scanned);
        for (number, reason) in reasons {
            is_news |= view.folder(*number)?.is_some_and(|folder| folder.unreachable != *reason);
        }
        Ok(is_news)
    })?;
    if is_news {
        store.write(|edit| {
            for (number, reason) in reasons {
                if let Some(folder) = edit.view().folder(*number)? {
                    edit.put_folder(*number, &FolderRecord { unreachable: reason.clone(), ..folder })?;
                }
            }
            edit.set_scan(scanned)
        })?;
    }
    Ok(())
}

/// How many files have which extension, in small letters; the most frequent ones, of those alike the first.
fn by_extension(files: &[PathBuf]) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for file in files {
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_one =
            extension.chars().count() <= LONGEST_EXTENSION && !extension.contains(char::is_whitespace);
        *counts.entry(if is_one { extension.to_lowercase() } else { String::new() }).or_default() += 1;
    }
    let mut most: Vec<_> = counts.into_iter().collect();
    most.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    most.truncate(EXTENSIONS);
    most.into_iter().collect()
}

/// Whether a file that is followed by itself was deleted: the folder it lay in is there and it is not.
fn is_gone(folder: &FolderRecord) -> bool {
    let path = &folder.path;
    folder.is_file && matches!(path.try_exists(), Ok(false)) && path.parent().is_some_and(Path::is_dir)
}

fn in_one_line(root: &Path, unreachable: &[(PathBuf, String)]) -> Option<String> {
    let (path, reason) = unreachable.first()?;
    let place = path.strip_prefix(root).ok().filter(|place| !place.as_os_str().is_empty());
    let place = place.map_or_else(String::new, |place| format!("{}: ", place.display()));
    let more = match unreachable.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Some(format!("{place}{reason}{more}"))
}

fn walk(
    folder: &FolderRecord,
    library: &Path,
    files: &mut Vec<Found>,
    skipped: &mut Vec<PathBuf>,
    result: &mut Scan,
    seen: &mut dyn FnMut(usize),
    cancel: &CancelToken,
) -> Result<(), EngineError> {
    let library = library.to_owned();
    let root = folder.path.as_path();
    let root_owned = root.to_owned();
    let excludes = Excludes::new(root, &folder.excludes)?;
    let entries = WalkBuilder::new(root)
        .standard_filters(false)
        .follow_links(false)
        .max_depth(folder.is_file.then_some(0))
        .sort_by_file_name(Ord::cmp)
        .filter_entry(move |entry| {
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.path() == root_owned
                || (!is_hidden(entry) && entry.path() != library && !excludes.prune(entry.path(), is_dir))
        })
        .build();
    for entry in entries {
        cancel.check()?;
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                result.unreachable.push(unreachable(root, &error));
                continue;
            }
        };
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let Some(kind) = Kind::of_path(entry.path()) else {
            skipped.push(entry.into_path());
            continue;
        };
        match entry.metadata() {
            Ok(metadata) => {
                files.push(Found { path: entry.into_path(), kind, stamp: stamp(&metadata) });
                if files.len().is_multiple_of(256) {
                    seen(files.len());
                }
            }
            Err(error) if error.io_error().is_some_and(|error| error.kind() == ErrorKind::NotFound) => {
                // Gone between listing and looking: the next scan sees the same, or something else.
                tracing::debug!(path = %entry.path().display(), "a file went away");
            }
            Err(error) => result.unreachable.push(unreachable(entry.path(), &error)),
        }
    }
    Ok(())
}

/// Hidden files, and the lock files that word processors leave beside an open document.
fn is_hidden(entry: &DirEntry) -> bool {
    let name = entry.file_name().as_encoded_bytes();
    name.starts_with(b".") || name.starts_with(b"~$")
}

fn unreachable(root: &Path, error: &ignore::Error) -> (PathBuf, String) {
    fn path_of(error: &ignore::Error) -> Option<&Path> {
        match error {
            ignore::Error::WithPath { path, .. } => Some(path),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
            _ => None,
        }
    }
    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    (path_of(error).unwrap_or(root).to_owned(), reason)
}

fn compare(
    store: &Store,
    files: Vec<Found>,
    unreachable: &[(PathBuf, String)],
    check: &mut dyn FnMut() -> Result<(), oriel_core::Cancelled>,
) -> Result<Vec<Change>, EngineError> {
    store.read(|view| {
        let mut known = HashMap::new();
        for entry in view.documents()? {
            let (id, record) = entry?;
            known.insert(record.path.clone(), (id, record));
        }
        let mut changes = Vec::new();
        let mut new = Vec::new();
        for found in files {
            check()?;
            match known.remove(&found.path) {
                Some((id, record)) if record.stamp != found.stamp || may_be_readable_now(&record) => {
                    changes.push(Change::Changed(id));
                }
                Some(_) => {}
                None => new.push(found),
            }
        }
        // What is left was not seen: gone, or only out of reach, or moved to one of the new places.
        known.retain(|path, _| !unreachable.iter().any(|(prefix, _)| path.starts_with(prefix)));
        let mut by_stamp = HashMap::new();
        for (id, record) in known.values() {
            if record.stamp.inode != 0 {
                by_stamp.insert(record.stamp, (*id, record.path.clone(), record.kind));
            }
        }
        for found in new {
            match by_stamp.remove(&found.stamp) {
                Some((id, old, kind)) if kind == found.kind => {
                    known.remove(&old);
                    changes.push(Change::Moved(id, found.path));
                }
                _ => changes.push(Change::New(found)),
            }
        }
        let mut gone: Vec<_> = known.into_values().map(|(id, _)| id).collect();
        gone.sort_unstable();
        changes.extend(gone.into_iter().map(Change::Gone));
        Ok(changes)
    })
}

/// Whether only permissions or the disk kept a file from being read: no stamp shows that this has changed.
fn may_be_readable_now(record: &DocumentRecord) -> bool {
    matches!(&record.state, DocumentState::Failed(failure) if failure.code == FailureCode::Unreadable)
}

/// What tells whether a file has changed.
pub(crate) fn stamp(metadata: &std::fs::Metadata) -> Stamp {
    let modified = metadata.modified().ok().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
    });
    Stamp { size: metadata.len(), modified, inode: inode(metadata) }
}

#[cfg(unix)]
fn inode(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_metadata: &std::fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_of_files_that_are_not_read_are_counted_the_most_frequent_alone() {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let counted = by_extension(&files(&[
            "/a/one.MP3",
            "/b/two.mp3",
            "/a/Makefile",
            "/a/notes.of a friend",
            "/a/x.anextensionthatisnone",
            "/a/.config",
        ]));
        assert_eq!(counted, BTreeMap::from([("mp3".to_owned(), 2), (String::new(), 4)]));
        let many: Vec<_> = (0..30).flat_map(|n| vec![PathBuf::from(format!("/f.k{n:02}")); n + 1]).collect();
        let counted = by_extension(&many);
        assert_eq!(counted.len(), EXTENSIONS);
        assert_eq!(counted.values().min(), Some(&11), "the rarest are left out");
    }
}
