//! Compares files on disk with the documents in the store, and returns the changes that make them agree.
//!
//! A moved file keeps its id, text and vectors, also if it replaces another file, swaps names with others in a cycle,
//! or comes from another disk. On another disk it has another inode: name, size and time suggest the match, and the
//! hash confirms it.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use oriel_core::{Cancelled, DocumentId, FailureCode, Kind, Notice};
use oriel_store::{DocumentRecord, DocumentState, Stamp, Store, View};

use crate::error::EngineError;
use crate::extract::load::doubtful;
use crate::sync::walk::FoundFile;

/// One difference between disk and store.
pub(crate) enum Change {
    New(FoundFile),
    Changed(DocumentId),
    /// `is_sure` if it is the same file on the same device. Otherwise its bytes have to be compared with the stored hash.
    Moved {
        id: DocumentId,
        from: PathBuf,
        to: PathBuf,
        is_sure: bool,
    },
    Gone(DocumentId, PathBuf),
}

type Known = HashMap<PathBuf, (DocumentId, DocumentRecord)>;

/// Compares the found files, sorted by path, with the documents `within` these paths, or with all documents. Documents
/// at unreachable paths stay unchanged.
pub(crate) fn compare(
    store: &Store,
    files: Vec<FoundFile>,
    within: Option<&BTreeSet<PathBuf>>,
    unreachable: &[(PathBuf, Notice)],
    check: &mut dyn FnMut() -> Result<(), Cancelled>,
) -> Result<Vec<Change>, EngineError> {
    store.read(|view| {
        let mut known = match within {
            Some(within) => known_within(&view, within, &files)?,
            None => known(&view, |_| true)?,
        };
        let mut open = Vec::new();
        for found in files {
            check()?;
            let record = known.get(&found.path).map(|(_, record)| record);
            if record.is_some_and(|record| record.stamp == found.stamp && !may_be_readable_now(record)) {
                known.remove(&found.path);
            } else {
                open.push(found);
            }
        }
        let at: HashMap<&Path, Stamp> =
            open.iter().map(|found| (found.path.as_path(), found.stamp)).collect();
        // A document that was not seen is gone, unreachable, or moved to one of the new paths.
        let is_near = |path: &Path| !unreachable.iter().any(|(prefix, _)| path.starts_with(prefix));
        known.retain(|path, _| at.contains_key(path.as_path()) || is_near(path));
        let by_stamp = by_stamp(&known, &at);
        Ok(differences(open, known, by_stamp))
    })
}

type ByStamp = HashMap<(Stamp, Kind), PathBuf>;

/// The documents whose file is no longer at its path in its last known state.
fn by_stamp(known: &Known, at: &HashMap<&Path, Stamp>) -> ByStamp {
    let away = known.iter().filter(|(path, (_, record))| {
        let is_its = |stamp: &Stamp| [*stamp, doubtful(*stamp)].contains(&record.stamp);
        record.stamp.inode != 0 && !at.get(path.as_path()).is_some_and(is_its)
    });
    away.filter_map(|(path, (_, record))| Some(((record.stamp, Kind::of_path(path)?), path.clone())))
        .collect()
}

/// Matches first the same file at another path, then another file at the same path, then a file from another disk with
/// the same name, size and time. The rest is new or gone. Removals come first, so that a path is free before it is used
/// again.
fn differences(open: Vec<FoundFile>, mut known: Known, mut by_stamp: ByStamp) -> Vec<Change> {
    let (mut moved, mut changed, mut rest, mut new) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for found in open {
        let from = [(found.stamp, true), (doubtful(found.stamp), false)]
            .into_iter()
            .find_map(|(stamp, is_sure)| Some((by_stamp.remove(&(stamp, found.kind))?, is_sure)));
        match from.and_then(|(from, is_sure)| Some((known.remove_entry(&from)?, is_sure))) {
            Some(((from, (id, _)), is_sure)) => {
                moved.push(Change::Moved { id, from, to: found.path, is_sure });
            }
            None => rest.push(found),
        }
    }
    rest.retain(|found| match known.remove(&found.path) {
        Some((id, _)) => {
            changed.push(Change::Changed(id));
            false
        }
        None => true,
    });
    let mut by_name = HashMap::new();
    for (path, (_, record)) in &known {
        // Two files with the same name, size and time are ambiguous.
        let Some(kind) = Kind::of_path(path) else { continue };
        let one = by_name.entry(looks(path, record.stamp, kind));
        one.and_modify(|one| *one = None).or_insert_with(|| Some(path.clone()));
    }
    for found in rest {
        let from = [found.stamp, doubtful(found.stamp)]
            .into_iter()
            .find_map(|stamp| by_name.remove(&looks(&found.path, stamp, found.kind)).flatten());
        match from.and_then(|from| known.remove_entry(&from)) {
            Some((from, (id, _))) => moved.push(Change::Moved { id, from, to: found.path, is_sure: false }),
            None => new.push(Change::New(found)),
        }
    }
    let mut gone: Vec<_> = known.into_iter().map(|(path, (id, _))| (id, path)).collect();
    gone.sort_unstable();
    let gone = gone.into_iter().map(|(id, path)| Change::Gone(id, path));
    gone.chain(moved).chain(changed).chain(new).collect()
}

fn looks(path: &Path, stamp: Stamp, kind: Kind) -> (OsString, u64, i64, Kind) {
    (path.file_name().unwrap_or_default().to_owned(), stamp.size, stamp.modified, kind)
}

/// The documents with their own file; members follow theirs.
fn known(view: &View<'_>, is_meant: impl Fn(&Path) -> bool) -> Result<Known, EngineError> {
    let mut known = HashMap::new();
    for entry in view.documents()? {
        let (id, record) = entry?;
        if record.within.is_none() && is_meant(&record.path) {
            known.insert(record.path.clone(), (id, record));
        }
    }
    Ok(known)
}

/// The documents at and below these paths. All documents are read only if a path is a folder, or may have been one.
fn known_within(
    view: &View<'_>,
    within: &BTreeSet<PathBuf>,
    files: &[FoundFile],
) -> Result<Known, EngineError> {
    let mut exact = HashMap::new();
    let mut folders = BTreeSet::new();
    for path in within {
        if let Some(id) = view.document_at(path)? {
            if let Some(record) = view.document(id)?.filter(|record| record.within.is_none()) {
                exact.insert(path.clone(), (id, record));
            }
        } else if files.binary_search_by(|file| file.path.cmp(path)).is_err() {
            folders.insert(path.as_path());
        }
    }
    if !folders.is_empty() {
        exact.extend(known(view, |path| path.ancestors().any(|above| folders.contains(above)))?);
    }
    Ok(exact)
}

/// Whether a file failed because of its permissions or the disk. Its stamp does not show when that changes.
fn may_be_readable_now(record: &DocumentRecord) -> bool {
    matches!(&record.state, DocumentState::Failed(failure) if failure.code == FailureCode::Unreadable)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use super::*;
    use crate::extract::load::kept;
    use crate::sync::scan::scan;
    use crate::sync::scope::Scope;
    use crate::testing::TestLibrary;

    fn look(place: &TestLibrary, paths: &[&str]) -> crate::sync::scan::Scan {
        let paths = paths.iter().map(|path| place.documents().join(path)).collect();
        let cancel = oriel_core::CancelToken::new();
        scan(&place.library.store, &Scope::Paths(paths), None, &mut |_| {}, &cancel).unwrap()
    }

    #[test]
    fn a_look_at_a_few_paths_sees_those_and_no_others() {
        let place = TestLibrary::with(&[
            ("a.txt", "The tide is low."),
            ("inner/b.txt", "The tide is high."),
            ("inner/deep/c.txt", "The tide turns."),
        ]);
        let (a, inner) = (place.documents().join("a.txt"), place.documents().join("inner"));
        fs::remove_file(&a).unwrap();
        fs::remove_dir_all(&inner).unwrap();
        place.write("new.txt", "The tide is new.");
        assert_eq!(look(&place, &["elsewhere.txt"]), crate::sync::scan::Scan::default());
        let seen = look(&place, &["inner/deep", "new.txt"]);
        assert_eq!((seen.scheduled.len(), seen.removed), (1, vec![inner.join("deep/c.txt")]));
        let seen = look(&place, &["inner", "a.txt"]);
        let mut removed = seen.removed;
        removed.sort();
        assert_eq!(removed, [a, inner.join("b.txt")]);
    }

    #[test]
    fn files_that_change_their_names_in_a_ring_keep_their_documents() {
        let place = TestLibrary::with(&[("a.txt", "One."), ("b.txt", "Two."), ("c.txt", "Three.")]);
        let ids = ["a.txt", "b.txt", "c.txt"].map(|name| place.id(name));
        let at = |name: &str| place.documents().join(name);
        for (from, to) in [("a.txt", "x"), ("b.txt", "a.txt"), ("c.txt", "b.txt"), ("x", "c.txt")] {
            fs::rename(at(from), at(to)).unwrap();
        }
        assert_eq!(place.scan().scheduled, [], "nothing is to be read");
        assert_eq!(["c.txt", "a.txt", "b.txt"].map(|name| place.id(name)), ids);
        // One file moved over another: the other is gone.
        fs::rename(at("a.txt"), at("b.txt")).unwrap();
        assert_eq!(place.scan().scheduled, []);
        assert_eq!(place.id("b.txt"), ids[1]);
        assert_eq!(place.names(), ["b.txt", "c.txt"]);
    }

    #[test]
    fn a_file_from_another_disk_keeps_its_document_and_is_held_against_its_hash() {
        let place = TestLibrary::with(&[("a.txt", "The tide is low."), ("b.txt", "The tide is high.")]);
        let before = ["a.txt", "b.txt"].map(|name| place.id(name));
        // As `mv` between two disks does: another file with the same name, size and time.
        for (name, text) in [("a.txt", "The tide is low."), ("b.txt", "The tide is odd!.")] {
            let (old, new) = (place.documents().join(name), place.documents().join("moved").join(name));
            let time = fs::metadata(&old).unwrap().modified().unwrap();
            place.write(&format!("moved/{name}"), text);
            fs::File::options().append(true).open(&new).unwrap().set_modified(time).unwrap();
            fs::remove_file(&old).unwrap();
        }
        assert_eq!(place.scan().scheduled, before, "their bytes are to be compared");
        assert_eq!(["moved/a.txt", "moved/b.txt"].map(|name| place.id(name)), before);
    }

    /// As on a disk that stores whole seconds: writes within one second leave the same time.
    fn written_at(path: &Path, time: SystemTime) {
        let second = time.duration_since(UNIX_EPOCH).unwrap().as_secs();
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(second)).unwrap();
    }

    #[test]
    fn a_file_that_is_written_twice_within_a_tick_is_read_again() {
        let place = TestLibrary::with(&[]);
        let now = SystemTime::now();
        written_at(&place.write("a.txt", "The tide is low."), now);
        place.read();
        let path = place.write("a.txt", "The tide is odd.");
        written_at(&path, now);
        assert_eq!(place.scan().scheduled, [place.id("a.txt")]);
        place.read();
        assert_eq!(place.library.show(&path).unwrap().text, "The tide is odd.");
    }

    #[test]
    fn a_file_that_was_read_too_soon_is_read_once_more_and_then_rests() {
        let place = TestLibrary::with(&[]);
        written_at(&place.write("a.txt", "The tide is low."), SystemTime::now());
        place.read();
        let (id, moved) = (place.id("a.txt"), place.documents().join("b.txt"));
        fs::rename(place.documents().join("a.txt"), &moved).unwrap();
        assert_eq!((place.scan().scheduled, place.id("b.txt")), (vec![id], id), "it keeps its document");
        let record = place.library.store.read(|view| view.document(id)).unwrap().unwrap();
        let later = SystemTime::now() + Duration::from_secs(10);
        let stamp = kept(crate::files::stamp(&fs::metadata(&moved).unwrap()), later, later);
        assert_eq!(doubtful(stamp), record.stamp);
        place.library.store.write(|edit| edit.unchanged(id, stamp)).unwrap();
        assert_eq!(place.scan().scheduled, []);
    }

    #[test]
    fn what_was_changed_just_now_is_read_first_and_what_is_small_and_recent_then() {
        let place = TestLibrary::new();
        let month = Duration::from_secs(40 * 24 * 3600);
        for (name, bytes, age) in [
            ("large.txt", 2 << 20, Duration::ZERO),
            ("old.txt", 10, month),
            ("young.txt", 10, Duration::from_secs(60)),
            ("now.txt", 10, month),
            ("younger.txt", 10, Duration::ZERO),
        ] {
            let path = place.write(name, &"a".repeat(bytes));
            let file = fs::File::options().append(true).open(path).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        }
        place.library.add(&[place.documents()]).unwrap();
        place.scan();
        let now = std::collections::HashSet::from([place.id("now.txt")]);
        let tasks = crate::sync::read::tasks(&place.library.store, &now).unwrap();
        let names: Vec<_> = tasks.iter().map(|(_, record)| record.path.file_name().unwrap()).collect();
        assert_eq!(names, ["now.txt", "younger.txt", "young.txt", "large.txt", "old.txt"]);
    }
}
