//! Compares followed folders and files with the store: what is new, changed, moved or gone. A scan is authoritative,
//! while a watch only gives hints. A full scan and a scan of a few paths work alike.
//!
//! The documents of a folder that cannot be read stay. So do those of a disconnected drive: a folder that had another
//! file system mounted at the last scan and is now missing, or is empty on another device. A scan does not wait while a
//! question is answered, because the disk could change under it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use oriel_core::{CancelToken, DocumentId, Notice};
use oriel_store::{
    DocumentRecord, DocumentTerms, Edit, FolderRecord, LeftOut, ScanRecord, Store, StoreError,
};

use crate::error::EngineError;
use crate::files::name_of;
use crate::library::sentences::digests;
use crate::sync::diff::{Change, compare};
use crate::sync::scope::Scope;
use crate::sync::walk::{FoundFile, Walk, WalkResult, unplugged};
use crate::sync::watch::Watch;

/// Maximum number of changes in one transaction, so that none takes long.
const BATCH_CHANGES: usize = 5_000;
/// Number of extensions of skipped files, and of names of parts of web pages, that are stored, most frequent first.
const MAX_NAMES: usize = 20;
/// Number of paths that are stored of the files that are left out for one reason.
const MAX_PATHS: usize = 50;
/// Maximum characters of an extension; a longer one counts as none.
const MAX_EXTENSION_CHARS: usize = 12;

/// The result of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Files of unsupported kinds in its scope.
    pub skipped: usize,
    /// Folders that could not be read, with the reason. Their documents are kept.
    pub unreachable: Vec<(PathBuf, Notice)>,
    /// Documents that it queued for reading.
    pub scheduled: Vec<DocumentId>,
    /// Paths that no longer have a document.
    pub removed: Vec<PathBuf>,
    /// Documents that were moved, with their new path.
    pub moved: Vec<(DocumentId, PathBuf)>,
}

/// Compares the files in `scope` with the store and writes the differences. New and changed documents are queued, moved
/// ones keep their id, gone ones are removed. `watch` watches each folder before it is listed, so that no later change is
/// missed. `report` gets the number of files so far from time to time.
pub(crate) fn scan(
    store: &Store,
    scope: &Scope,
    watch: Option<&Watch>,
    report: &mut dyn FnMut(usize),
    cancel: &CancelToken,
) -> Result<Scan, EngineError> {
    let begun = Instant::now();
    let mut seen = WalkResult::default();
    let mut within = BTreeSet::new();
    let before = store.read(|view| view.folders())?;
    let mut folders = before.clone();
    if let Some(watch) = watch {
        watch.begin_scan(scope, &before);
    }
    for (_, folder) in &mut folders {
        let starts = scope.starts(folder);
        if !starts.is_empty() {
            *folder = visit(store, folder, &before, &starts, watch, &mut seen, report, cancel)?;
            within.extend(starts);
        }
    }
    let WalkResult {
        mut files,
        mut skipped,
        mut page_parts,
        mut links,
        mut dangling,
        unreachable,
        listed,
        ..
    } = seen;
    // Sorted by path, so that ids do not depend on the order in which a disk lists its files.
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    if *scope != Scope::Everything {
        keep_listed(&mut files);
    }
    // Followed folders may be nested.
    for paths in [&mut skipped, &mut page_parts, &mut links, &mut dangling] {
        paths.sort_unstable();
        paths.dedup();
    }
    let within = (*scope != Scope::Everything).then_some(&within);
    let changes = compare(store, files, within, &unreachable, &mut || cancel.check())?;
    let mut result = Scan { skipped: skipped.len(), unreachable, ..Scan::default() };
    write(store, changes, &mut result, cancel)?;
    let extensions = most_frequent(skipped.iter().map(|path| extension(path)));
    let mut examples: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, extension) in skipped.iter().map(|path| (path, extension(path))) {
        if extensions.contains_key(&extension) {
            let paths = examples.entry(extension).or_default();
            if paths.len() < MAX_PATHS {
                paths.push(path.to_string_lossy().into_owned());
            }
        }
    }
    let scanned = ScanRecord {
        skipped: result.skipped as u64,
        extensions,
        examples,
        links: left_out(&links),
        dangling: left_out(&dangling),
        page_parts: page_parts.len() as u64,
        part_names: most_frequent(page_parts.iter().map(|path| name_of(path))),
    };
    note(store, &before, &folders, (*scope == Scope::Everything).then_some(&scanned))?;
    if let Some(watch) = watch {
        watch.end_scan(scope, &folders, &listed, begun.elapsed());
    }
    Ok(result)
}

fn left_out(paths: &[PathBuf]) -> LeftOut {
    let first = paths.iter().take(MAX_PATHS).map(|path| path.to_string_lossy().into_owned());
    LeftOut { count: paths.len() as u64, paths: first.collect() }
}

/// Walks through a folder, one of `folders`, from these paths. Returns the folder's updated record.
#[expect(clippy::too_many_arguments, reason = "what a walk needs, and where it puts what it found")]
fn visit(
    store: &Store,
    folder: &FolderRecord,
    folders: &[(u32, FolderRecord)],
    starts: &BTreeSet<PathBuf>,
    watch: Option<&Watch>,
    seen: &mut WalkResult,
    report: &mut dyn FnMut(usize),
    cancel: &CancelToken,
) -> Result<FolderRecord, EngineError> {
    let (before, mounts_before) = (seen.unreachable.len(), seen.mounts.len());
    let is_whole = starts.contains(&folder.path);
    let mut after = folder.clone();
    let enter = |path: &Path| watch.into_iter().for_each(|watch| watch.enter(path));
    let walk = Walk::new(folder, folders, store.path(), &enter, cancel)?;
    seen.unreachable.extend(unplugged(folder));
    let missing: HashSet<PathBuf> = seen.unreachable[before..].iter().map(|(path, _)| path.clone()).collect();
    let mut gone = None;
    if is_gone(folder) && missing.is_empty() {
        folder.path.parent().into_iter().for_each(|above| walk.enter(above, seen));
        gone = Some(Notice::FileNotThereAnyMore);
    } else if !folder.path.ancestors().any(|above| missing.contains(above)) {
        for start in starts {
            walk.from(start, seen, report)?;
        }
    }
    let reason = gone.or_else(|| in_one_line(&folder.path, &seen.unreachable[before..]));
    if let Some(watch) = watch {
        after.timed = watch.timed(folder);
    }
    if is_whole || reason.is_some() {
        after.unreachable = reason;
    }
    if is_whole {
        after.mounts = seen.mounts[mounts_before..].to_vec();
        after.mounts.extend(folder.mounts.iter().filter(|mount| missing.contains(&mount.path)).cloned());
        after.mounts.sort_unstable();
        after.mounts.dedup_by(|a, b| a.path == b.path);
    }
    Ok(after)
}

/// On a case-insensitive disk a file can still be opened under its old name after a change of case. Of several paths to
/// one file in one folder, only those that the folder lists are kept.
fn keep_listed(files: &mut Vec<FoundFile>) {
    let place = |file: &FoundFile| (file.path.parent().unwrap_or(&file.path).to_owned(), file.stamp);
    let mut found: HashMap<_, usize> = HashMap::new();
    for file in files.iter().filter(|file| file.stamp.inode != 0) {
        *found.entry(place(file)).or_default() += 1;
    }
    found.retain(|_, times| *times > 1);
    let mut listed = HashMap::new();
    files.retain(|file| {
        let (folder, stamp) = place(file);
        if !found.contains_key(&(folder.clone(), stamp)) {
            return true;
        }
        let names: &Option<HashSet<_>> = listed.entry(folder).or_insert_with_key(|folder| {
            let entries = std::fs::read_dir(folder).ok()?;
            Some(entries.flatten().map(|entry| entry.file_name()).collect())
        });
        // If the folder cannot be listed, the path is kept.
        names.as_ref().is_none_or(|names| file.path.file_name().is_some_and(|name| names.contains(name)))
    });
}

fn write(
    store: &Store,
    changes: Vec<Change>,
    result: &mut Scan,
    cancel: &CancelToken,
) -> Result<(), EngineError> {
    for batch in changes.chunks(BATCH_CHANGES) {
        cancel.check()?;
        let scheduled = store.write(|edit| {
            let mut scheduled = Vec::new();
            for change in batch {
                match change {
                    // The folder may have been removed during the walk.
                    Change::New(found) => {
                        let mut folders = edit.view().folders()?.into_iter();
                        if folders.any(|(_, folder)| found.path.starts_with(folder.path)) {
                            let unread = DocumentRecord::unread(found.path.clone(), found.kind, found.stamp);
                            scheduled.push(edit.register(&unread)?);
                        }
                    }
                    Change::Changed(id) => {
                        edit.schedule(*id)?;
                        scheduled.push(*id);
                    }
                    Change::Moved { id, from, to, is_sure } => {
                        edit.move_document(*id, to)?;
                        if from.file_name() != to.file_name() {
                            put_terms(edit, *id)?;
                        }
                        if !is_sure {
                            edit.schedule(*id)?;
                            scheduled.push(*id);
                        }
                    }
                    Change::Gone(id, _) => edit.remove_document(*id)?,
                }
            }
            Ok(scheduled)
        })?;
        result.scheduled.extend(scheduled);
    }
    for change in changes {
        match change {
            Change::Moved { id, from, to, .. } => {
                result.removed.push(from);
                result.moved.push((id, to));
            }
            Change::Gone(_, path) => result.removed.push(path),
            Change::New(_) | Change::Changed(_) => {}
        }
    }
    Ok(())
}

/// Recomputes the terms of a document's sentences after its file was renamed.
fn put_terms(edit: &mut Edit<'_>, id: DocumentId) -> Result<(), StoreError> {
    let view = edit.view();
    let (Some(record), Some(text)) = (view.document(id)?, view.text(id)?) else { return Ok(()) };
    let (outline, table) = (view.outline(id)?, view.table(id)?);
    let spans = table.rows().map(|row| row.span);
    let digests = digests(&record.path, &text, &outline, record.kind, spans);
    let terms: Vec<_> = digests.map(|digest| digest.map(|digest| digest.terms).unwrap_or_default()).collect();
    edit.put_terms(id, &DocumentTerms::of(&terms))
}

/// Stores what was unreachable, not watched or skipped, if that has changed.
fn note(
    store: &Store,
    before: &[(u32, FolderRecord)],
    after: &[(u32, FolderRecord)],
    scanned: Option<&ScanRecord>,
) -> Result<(), EngineError> {
    let is_same =
        store.read(|view| Ok::<_, EngineError>(scanned.is_none() || view.scan()?.as_ref() == scanned))?;
    if is_same && before == after {
        return Ok(());
    }
    store.write(|edit| {
        for ((number, after), _) in after.iter().zip(before).filter(|(after, before)| after != before) {
            // The user may have changed the folder's settings meanwhile.
            if let Some(FolderRecord { excludes, follow_links, .. }) = edit.view().folder(*number)? {
                edit.put_folder(*number, &FolderRecord { excludes, follow_links, ..after.clone() })?;
            }
        }
        scanned.map_or(Ok(()), |scanned| edit.set_scan(scanned))
    })?;
    Ok(())
}

/// The extension of a file in lower case; empty if it has none, or none that is a short word.
fn extension(path: &Path) -> String {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_one = extension.chars().count() <= MAX_EXTENSION_CHARS && !extension.contains(char::is_whitespace);
    if is_one { extension.to_lowercase() } else { String::new() }
}

/// The most frequent names with their counts; ties in alphabetical order.
fn most_frequent(names: impl Iterator<Item = String>) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut most: Vec<_> = counts.into_iter().collect();
    most.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    most.truncate(MAX_NAMES);
    most.into_iter().collect()
}

/// Whether a single followed file was deleted: its folder exists and the file does not.
fn is_gone(folder: &FolderRecord) -> bool {
    let path = &folder.path;
    folder.is_file && matches!(path.try_exists(), Ok(false)) && path.parent().is_some_and(Path::is_dir)
}

fn in_one_line(root: &Path, unreachable: &[(PathBuf, Notice)]) -> Option<Notice> {
    let (path, reason) = unreachable.first()?;
    let place = path.strip_prefix(root).ok().filter(|place| !place.as_os_str().is_empty());
    let reason = match place {
        Some(place) => Notice::about(place.display(), reason.clone()),
        None => reason.clone(),
    };
    Some(match unreachable.len() - 1 {
        0 => reason,
        more => Notice::AndMore { reason: reason.into(), more },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::stamp;

    #[test]
    fn extensions_of_files_that_are_not_read_are_counted_the_most_frequent_alone() {
        let by_extension =
            |names: &[&str]| most_frequent(names.iter().map(|name| extension(Path::new(name))));
        let counted = by_extension(&[
            "/a/one.MP3",
            "/b/two.mp3",
            "/a/Makefile",
            "/a/notes.of a friend",
            "/a/x.anextensionthatisnone",
            "/a/.config",
        ]);
        assert_eq!(counted, BTreeMap::from([("mp3".to_owned(), 2), (String::new(), 4)]));
        let many = (0..30).flat_map(|n| vec![format!("k{n:02}"); n + 1]);
        let counted = most_frequent(many);
        assert_eq!(counted.len(), MAX_NAMES);
        assert_eq!(counted.values().min(), Some(&11), "the rarest are left out");
    }

    /// Two links to one file simulate a renamed file on a case-insensitive disk; the file system here is
    /// case-sensitive.
    #[cfg(unix)]
    #[test]
    fn of_names_that_lead_to_one_file_those_are_kept_that_are_listed() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        std::fs::write(at("a.txt"), "The tide is low.").unwrap();
        std::fs::hard_link(at("a.txt"), at("b.txt")).unwrap();
        let stamp = stamp(&std::fs::metadata(at("a.txt")).unwrap());
        let found = |name: &str| FoundFile { path: at(name), kind: oriel_core::Kind::Text, stamp };
        let mut files = vec![found("A.txt"), found("a.txt"), found("b.txt")];
        keep_listed(&mut files);
        assert_eq!(
            files.iter().map(|file| file.path.clone()).collect::<Vec<_>>(),
            [at("a.txt"), at("b.txt")]
        );
    }

    #[cfg(unix)]
    fn links_of(place: &crate::testing::TestLibrary) -> (Vec<String>, Vec<String>) {
        let found = place.library.unsearchable(10).unwrap();
        let names = |left_out: LeftOut| {
            assert_eq!(left_out.count, left_out.paths.len() as u64);
            left_out.paths.iter().map(|path| name_of(Path::new(path))).collect()
        };
        (names(found.links), names(found.dangling))
    }

    #[cfg(unix)]
    #[test]
    fn links_are_named_and_followed_once_where_the_folder_says_so() {
        use std::os::unix::fs::symlink;
        let place = crate::testing::TestLibrary::with(&[
            ("real.txt", "The pass costs 41 euros."),
            ("sub/inner.txt", "The harbour is dredged."),
            (".hidden/kept.txt", "The lamp is lit."),
        ]);
        let (root, outside) = (place.documents(), tempfile::tempdir().unwrap());
        std::fs::create_dir(outside.path().join("deep")).unwrap();
        std::fs::write(outside.path().join("far.txt"), "The beacon is red.").unwrap();
        std::fs::write(outside.path().join("deep/far.md"), "The buoy is green.").unwrap();
        symlink("..", outside.path().join("deep/up")).unwrap();
        symlink(&root, outside.path().join("back")).unwrap();
        let link = |name: &str, to: &Path| symlink(to, root.join(name)).unwrap();
        link("a-deep", &outside.path().join("deep"));
        link("b-outside", outside.path());
        link("far.txt", &outside.path().join("far.txt"));
        link("file.txt", Path::new("real.txt"));
        link("folder", Path::new("sub"));
        link("hidden", Path::new(".hidden"));
        link("itself", Path::new("."));
        link("nowhere.txt", Path::new("nothing.txt"));
        link("round", Path::new("round"));
        place.read();
        assert_eq!(place.names(), ["inner.txt", "real.txt"]);
        let all = [
            "a-deep",
            "b-outside",
            "far.txt",
            "file.txt",
            "folder",
            "hidden",
            "itself",
            "nowhere.txt",
            "round",
        ];
        assert_eq!(links_of(&place), (all.map(str::to_owned).to_vec(), vec![]));

        place.library.set_follow_links(0, true).unwrap();
        place.read();
        let paths = || {
            let rows = place.library.documents("", 99).unwrap();
            let inside = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            rows.iter().map(|row| inside(&row.path)).collect::<BTreeSet<_>>()
        };
        let followed = ["a-deep/far.md", "b-outside/far.txt", "hidden/kept.txt", "real.txt", "sub/inner.txt"]
            .map(str::to_owned);
        assert_eq!(paths(), BTreeSet::from(followed.clone()), "each once");
        assert_eq!(links_of(&place), (vec![], vec!["nowhere.txt".into(), "round".into()]));
        let shown = place.library.show(&root.join("a-deep/far.md")).unwrap();
        assert_eq!(shown.text, "The buoy is green.");
        // Also by another link.
        let of = |name: &str| place.library.path_of(&root.join(name));
        assert_eq!(of("far.txt"), root.join("b-outside/far.txt"));
        assert_eq!(of("b-outside/deep"), root.join("a-deep"));
        assert_eq!(of("folder/inner.txt"), root.join("sub/inner.txt"));

        // A change behind a link is treated as any other.
        std::fs::write(outside.path().join("deep/new.txt"), "The buoy is new.").unwrap();
        let scope = Scope::Paths(BTreeSet::from([root.join("a-deep/new.txt")]));
        let store = &place.library.store;
        let found = scan(store, &scope, None, &mut |_| {}, &CancelToken::new()).unwrap();
        assert!(
            found.scheduled.contains(&place.id("a-deep/new.txt")) && found.removed.is_empty(),
            "{found:?}"
        );

        place.library.set_follow_links(0, false).unwrap();
        place.read();
        assert_eq!(place.names(), ["inner.txt", "real.txt"]);
    }

    #[test]
    fn the_words_of_a_name_find_its_sentences_also_after_it_was_renamed() {
        use crate::library::sentences::question_terms;
        let place = crate::testing::TestLibrary::with(&[
            ("Lease-Amendment_2023.txt", "The sum is due."),
            ("b.txt", "The tide is low."),
        ]);
        let found = |words: &str| {
            let hits = place.library.store.read(|view| view.search_sparse(&question_terms(words), None, 10));
            hits.unwrap().iter().map(|hit| hit.document).collect::<Vec<_>>()
        };
        let id = place.id("Lease-Amendment_2023.txt");
        assert_eq!(found("lease amendment 2023"), [id]);
        let renamed = place.documents().join("Weir.txt");
        std::fs::rename(place.documents().join("Lease-Amendment_2023.txt"), renamed).unwrap();
        assert_eq!(place.scan().scheduled, [], "it is not read again");
        assert_eq!((found("lease amendment"), found("weir")), (vec![], vec![id]));
        assert_eq!(place.library.check(&CancelToken::new()).unwrap().problems, []);
    }
}
