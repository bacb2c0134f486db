//! Puts one library in the place of another, and cleans up after a process that was killed in the middle of that.
//!
//! Three kinds of folders may lie beside a library `X`. `X.restoring-*` is a backup that is being unpacked; it holds the mark
//! file of [`Unpacking`] for as long as it holds nothing else of value. `X.replacing-N` is the old library while the system
//! needs two steps to swap them. `X.replaced-N` is the old library afterwards. Only a folder with the mark is ever removed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use oriel_core::Notice;
use oriel_core::notice::shown;
use oriel_store::{OpenLock, StoreError};

use crate::error::EngineError;
use crate::files::{now, unwritable};

/// Marks a folder that holds only what is being unpacked. Locked during unpacking.
const MARK_FILE: &str = "restoring.lock";

/// A folder beside a library for the library that will replace it. Removed on drop unless it has.
pub(crate) struct Unpacking {
    folder: PathBuf,
    /// `None` once the folder may hold a library that must be kept.
    mark: Option<File>,
    is_done: bool,
}

impl Unpacking {
    /// Creates one, and removes those left by killed processes.
    pub(crate) fn beside(library: &Path) -> io::Result<Self> {
        let parent = library.parent().unwrap_or(library);
        for left in found(library, "restoring") {
            let mark = File::open(left.join(MARK_FILE));
            if mark.is_ok_and(|mark| mark.try_lock().is_ok()) {
                removed(&left);
            }
        }
        let folder = tempfile::Builder::new().prefix(&beside(library, "restoring")).tempdir_in(parent)?;
        let mark = File::create_new(folder.path().join(MARK_FILE))?;
        mark.try_lock()?;
        Ok(Self { folder: folder.keep(), mark: Some(mark), is_done: false })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// Moves it to a path where nothing exists.
    pub(crate) fn place(mut self, library: &Path) -> io::Result<()> {
        self.unmark()?;
        fs::rename(&self.folder, library)?;
        self.is_done = true;
        Ok(())
    }

    /// Puts it in the place of `library`. Returns the new path of the old library.
    ///
    /// # Errors
    /// If that fails. The library is where it was, or the error says where it is.
    pub(crate) fn swap(mut self, library: &Path) -> Result<PathBuf, EngineError> {
        self.unmark().map_err(|cause| unwritable(library, &cause))?;
        let old = swap_folders(&self.folder, library)?;
        // The folder may be the old library now.
        self.is_done = true;
        Ok(old)
    }

    fn unmark(&mut self) -> io::Result<()> {
        fs::remove_file(self.folder.join(MARK_FILE))?;
        self.mark = None;
        Ok(())
    }
}

impl Drop for Unpacking {
    fn drop(&mut self) {
        if !self.is_done {
            removed(&self.folder);
        }
    }
}

/// Removes a folder with what was unpacked. The mark goes last, so that a kill leaves no unmarked part of a library.
fn removed(folder: &Path) {
    let removed = fs::read_dir(folder).and_then(|entries| {
        for entry in entries {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            if kind.is_dir() {
                fs::remove_dir_all(path)?;
            } else if !path.ends_with(MARK_FILE) {
                fs::remove_file(path)?;
            }
        }
        fs::remove_dir_all(folder)
    });
    if let Err(error) = removed {
        tracing::warn!(%error, "what was unpacked beside a library cannot be removed");
    }
}

/// Puts back a library that is missing because a restore was killed between its two steps.
///
/// # Errors
/// [`StoreError::Replacing`] if the restore is still running, or if the library cannot be put back. The error says where
/// it is.
pub(crate) fn put_back(library: &Path) -> Result<(), EngineError> {
    if !matches!(library.try_exists(), Ok(false)) {
        return Ok(());
    }
    let mut library = &std::path::absolute(library).map_err(|cause| unwritable(library, &cause))?;
    // The path may be a link whose target is missing.
    let linked = fs::read_link(library).map(|to| library.with_file_name("").join(to));
    if let Ok(linked) = &linked {
        library = linked;
    }
    let Some(left) = found(library, "replacing").pop() else { return Ok(()) };
    let lock = OpenLock::of_folder(&left);
    let outcome = match lock {
        Ok(_alone) => fs::rename(&left, library).map_err(|cause| misplaced(&left, library, &cause)),
        Err(StoreError::InUse { .. }) => Err(StoreError::Replacing { path: library.clone() }.into()),
        Err(error) => Err(error.into()),
    };
    // The restore may have finished meanwhile.
    if library.exists() { Ok(()) } else { outcome }
}

/// Renames a replaced library to the name under which it is kept, and likewise those left by killed processes. Returns its
/// path. No other process may be replacing this library.
pub(crate) fn keep(old: PathBuf, library: &Path) -> PathBuf {
    for left in found(library, "replacing").into_iter().chain(found(library, "restoring")) {
        // An empty folder is not a library: the process was killed before it wrote the mark.
        let is_empty = || fs::remove_dir(&left).is_ok();
        if left != old && !left.join(MARK_FILE).exists() && !is_empty() {
            renamed(left, library);
        }
    }
    renamed(old, library)
}

fn renamed(from: PathBuf, library: &Path) -> PathBuf {
    let mut number = now();
    let kept = loop {
        let kept = library.with_file_name(numbered(library, "replaced", number));
        if !kept.exists() {
            break kept;
        }
        number += 1;
    };
    match fs::rename(&from, &kept) {
        Ok(()) => kept,
        Err(error) => {
            tracing::warn!(%error, "a library that was replaced keeps a name for the meantime");
            from
        }
    }
}

/// Swaps two folders, in one step if the system can. Returns the new path of the second.
fn swap_folders(new: &Path, library: &Path) -> Result<PathBuf, EngineError> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, new, CWD, library, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok(new.to_owned()),
            // Some file systems do not support it.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {}
            Err(error) => return Err(unwritable(library, &error.into())),
        }
    }
    in_two_steps(new, library)
}

fn in_two_steps(new: &Path, library: &Path) -> Result<PathBuf, EngineError> {
    let between = library.with_file_name(numbered(library, "replacing", now()));
    fs::rename(library, &between).map_err(|cause| unwritable(library, &cause))?;
    let Err(cause) = fs::rename(new, library) else { return Ok(between) };
    match fs::rename(&between, library) {
        Ok(()) => Err(unwritable(library, &cause)),
        Err(cause) => Err(misplaced(&between, library, &cause)),
    }
}

fn misplaced(at: &Path, library: &Path, cause: &io::Error) -> EngineError {
    let why = Notice::LibraryMisplaced { library: shown(library), cause: Notice::io(cause).into() };
    EngineError::Path { path: at.to_owned(), why }
}

/// Folders beside the library with this kind of name, sorted. None if the parent folder cannot be listed.
fn found(library: &Path, what: &str) -> Vec<PathBuf> {
    let beginning = beside(library, what);
    let entries = fs::read_dir(library.parent().unwrap_or(library)).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| {
        entry.file_name().as_encoded_bytes().starts_with(beginning.as_encoded_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
    });
    let mut found: Vec<_> = folders.map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// The beginning of a name beside the library.
fn beside(library: &Path, what: &str) -> OsString {
    let mut name = library.file_name().unwrap_or(OsStr::new("")).to_owned();
    name.push(format!(".{what}-"));
    name
}

fn numbered(library: &Path, what: &str, number: u64) -> OsString {
    let mut name = beside(library, what);
    name.push(number.to_string());
    name
}

#[cfg(test)]
mod tests {
    use oriel_core::WorkerCommand;
    use tempfile::TempDir;

    use super::*;
    use crate::library::Library;
    use crate::library::limits::ExtractorLimits;

    fn open(library: &Path) -> Result<Library, EngineError> {
        Library::open(library, WorkerCommand::new("", [""; 0]), ExtractorLimits::default())
    }

    fn folder(place: &TempDir, name: &str) -> PathBuf {
        let path = place.path().join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("name"), name).unwrap();
        path
    }

    fn name(folder: &Path) -> String {
        fs::read_to_string(folder.join("name")).unwrap()
    }

    #[test]
    fn two_steps_do_what_one_does_and_a_second_that_fails_is_taken_back() {
        let place = tempfile::tempdir().unwrap();
        let (new, library) = (folder(&place, "new"), folder(&place, "library"));
        let old = in_two_steps(&new, &library).unwrap();
        assert_eq!((name(&library), name(&old)), ("new".to_owned(), "library".to_owned()));
        assert!(old.file_name().unwrap().to_str().unwrap().starts_with("library.replacing-"));
        in_two_steps(&place.path().join("missing"), &old).unwrap_err();
        assert_eq!(name(&old), "library");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_library_that_a_kill_left_between_two_steps_is_put_back_when_it_is_opened() {
        let place = tempfile::tempdir().unwrap();
        let (library, left) = (place.path().join("library"), place.path().join("library.replacing-7"));
        drop(open(&library).unwrap());
        fs::write(library.join("settings.json"), "{}").unwrap();
        fs::rename(&library, &left).unwrap();
        // Another process is using it.
        let lock = OpenLock::of_folder(&left).unwrap();
        let refused = open(&library).map(drop).unwrap_err();
        assert!(matches!(refused, EngineError::Store(StoreError::Replacing { .. })), "{refused}");
        drop(lock);
        drop(open(&library).unwrap());
        assert!(library.join("settings.json").exists() && !left.exists());
        // An existing library takes precedence.
        fs::create_dir(&left).unwrap();
        drop(open(&library).unwrap());
        assert!(left.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_library_behind_a_link_is_put_back_where_the_link_leads() {
        let place = tempfile::tempdir().unwrap();
        let (link, library) = (place.path().join("link"), place.path().join("library"));
        std::os::unix::fs::symlink("library", &link).unwrap();
        drop(open(&library).unwrap());
        fs::write(library.join("settings.json"), "{}").unwrap();
        fs::rename(&library, place.path().join("library.replacing-7")).unwrap();
        drop(open(&link).unwrap());
        assert!(library.join("settings.json").exists() && link.is_symlink());
    }

    #[test]
    fn of_what_kills_left_only_what_was_being_unpacked_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let library = place.path().join("library");
        let (left, unmarked) = (folder(&place, "library.restoring-a"), folder(&place, "library.restoring-b"));
        let other = folder(&place, "other.restoring-c");
        for marked in [&left, &other] {
            fs::write(marked.join(MARK_FILE), "").unwrap();
        }
        let empty = place.path().join("library.restoring-d");
        fs::create_dir(&empty).unwrap();
        let at_work = Unpacking::beside(&library).unwrap();
        assert!(!left.exists());
        assert!(unmarked.exists() && other.exists() && at_work.path().exists());
        // A folder that may be the user's library is kept like one.
        let old = keep(folder(&place, "library.restoring-e"), &library);
        assert_eq!(name(&old), "library.restoring-e");
        assert!(!unmarked.exists() && !empty.exists() && at_work.path().exists());
        let kept = found(&library, "replaced");
        assert_eq!(kept.len(), 2, "{kept:?}");
        assert!(kept.iter().any(|kept| name(kept) == "library.restoring-b"));
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_put_in_its_place_leaves_nothing() {
        let place = tempfile::tempdir().unwrap();
        let link = place.path().join("library");
        std::os::unix::fs::symlink("/no/such/folder", &link).unwrap();
        Unpacking::beside(&link).unwrap().place(&link).unwrap_err();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
