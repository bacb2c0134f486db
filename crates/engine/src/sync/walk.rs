//! Walks a followed folder, or a part of it, and returns the files to index.
//!
//! It knows what is skipped (hidden files, ignored paths, links unless the folder follows them, the library itself),
//! and nothing about the content of the store.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, Kind, Notice};
use oriel_store::{FolderRecord, MountRecord, Stamp};

use crate::error::EngineError;
use crate::files::{device, stamp};
use crate::library::ignore_rules::{Excludes, NestedIgnore, is_hidden, is_package_part, is_page_part};

/// Number of files between two progress reports.
const FILES_BETWEEN_REPORTS: usize = 256;

/// A file found by a walk.
pub(crate) struct FoundFile {
    pub path: PathBuf,
    pub kind: Kind,
    pub stamp: Stamp,
}

/// The result of one or more walks.
#[derive(Default)]
pub(crate) struct WalkResult {
    /// Files in supported formats.
    pub files: Vec<FoundFile>,
    /// Files in other formats.
    pub skipped: Vec<PathBuf>,
    /// Parts of web pages, with everything below them.
    pub page_parts: Vec<PathBuf>,
    /// Symbolic links that the folder does not follow.
    pub links: Vec<PathBuf>,
    /// Symbolic links that should be followed, but lead nowhere.
    pub dangling: Vec<PathBuf>,
    /// Paths that could not be read, with the reason. What is below them is unknown.
    pub unreachable: Vec<(PathBuf, Notice)>,
    /// Mount points of other file systems.
    pub mounts: Vec<MountRecord>,
    /// Folders that were listed, and those of single files.
    pub listed: HashSet<PathBuf>,
}

/// A walk through one followed folder, or to one followed file.
pub(crate) struct Walk<'a> {
    root: PathBuf,
    is_file: bool,
    library: &'a Path,
    excludes: Excludes,
    /// The other followed folders, if this one follows links: files in these are read there.
    others: Option<Vec<PathBuf>>,
    /// Called with each folder before its entries are listed, so that later changes are not missed.
    enter: &'a dyn Fn(&Path),
    cancel: &'a CancelToken,
}

/// A folder that is still to be listed.
struct Open {
    path: PathBuf,
    /// Its path with links resolved.
    real: PathBuf,
    nested: NestedIgnore,
    device: u64,
}

/// The folders and files that a walk with links has visited.
#[derive(Default)]
struct Reached {
    /// Folders and files by their paths with links resolved. None is walked twice, so no walk runs in a circle.
    paths: HashSet<PathBuf>,
    /// Links that are still to be followed, with the ignore patterns that apply to them.
    links: Vec<(PathBuf, NestedIgnore)>,
}

impl<'a> Walk<'a> {
    /// A walk through `folder`, one of `folders`. It skips `library`, the library's own folder.
    pub(crate) fn new(
        folder: &FolderRecord,
        folders: &[(u32, FolderRecord)],
        library: &'a Path,
        enter: &'a dyn Fn(&Path),
        cancel: &'a CancelToken,
    ) -> Result<Self, EngineError> {
        let excludes = Excludes::new(&folder.path, &folder.excludes)?;
        let others = folders.iter().map(|(_, other)| other).filter(|other| other.path != folder.path);
        let others = folder.follow_links.then(|| others.map(|other| other.path.clone()).collect());
        let (root, is_file) = (folder.path.clone(), folder.is_file);
        Ok(Self { root, is_file, library, excludes, others, enter, cancel })
    }

    /// Walks from `start`, which is the folder or a path inside it, through everything below. Finds nothing if a parent
    /// of `start` is ignored or missing. `report` gets the number of files so far from time to time.
    pub(crate) fn from(
        &self,
        start: &Path,
        seen: &mut WalkResult,
        report: &mut dyn FnMut(usize),
    ) -> Result<(), EngineError> {
        let Ok(inside) = start.strip_prefix(&self.root) else { return Ok(()) };
        if self.is_file {
            self.enter_above(seen);
        }
        // The followed folder itself may be a link.
        let mut found = match fs::metadata(&self.root) {
            Ok(found) => found,
            Err(error) => {
                seen.unreachable.push((self.root.clone(), not_there(&error)));
                return Ok(());
            }
        };
        if self.is_file {
            self.file(self.root.clone(), &found, seen, report);
            return Ok(());
        }
        let mut path = self.root.clone();
        let mut nested = NestedIgnore::default();
        note_drive(&path, seen);
        for part in inside.components() {
            if !found.is_dir() {
                return Ok(());
            }
            nested = nested.within(&path);
            path.push(part);
            found = match fs::symlink_metadata(&path) {
                Ok(found) => found,
                Err(error) if is_absence(&error) => return Ok(()),
                Err(error) => {
                    seen.unreachable.push((path, Notice::io(&error)));
                    return Ok(());
                }
            };
            if self.passes(&path, found.is_dir(), &nested, seen) {
                return Ok(());
            }
        }
        if found.is_dir() {
            let (real, device) = (path.clone(), device(&found));
            let mut reached = Reached::default();
            self.descend(Open { path, real, nested, device }, &mut reached, seen, report)?;
            return self.follow(reached, seen, report);
        }
        self.file(path, &found, seen, report);
        Ok(())
    }

    fn descend(
        &self,
        start: Open,
        reached: &mut Reached,
        seen: &mut WalkResult,
        report: &mut dyn FnMut(usize),
    ) -> Result<(), EngineError> {
        let mut open = vec![start];
        while let Some(Open { path, real, nested, device: above }) = open.pop() {
            if !self.is_new(&real, reached) {
                continue;
            }
            self.enter(&path, seen);
            let entries = match fs::read_dir(&path) {
                Ok(entries) => entries,
                // The folder was removed after it was listed, with everything in it.
                Err(error) if is_absence(&error) && path != self.root => continue,
                Err(error) => {
                    seen.unreachable.push((path, Notice::io(&error)));
                    continue;
                }
            };
            let nested = nested.within(&path);
            for entry in entries {
                self.cancel.check()?;
                let looked = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?, entry)));
                let (path, kind, entry) = match looked {
                    Ok(looked) => looked,
                    Err(error) if is_absence(&error) => continue,
                    Err(error) => {
                        seen.unreachable.push((path.clone(), Notice::io(&error)));
                        continue;
                    }
                };
                let is_dir = kind.is_dir() || (kind.is_symlink() && path.is_dir());
                let is_followed = kind.is_dir() || kind.is_file() || kind.is_symlink();
                if !is_followed || self.passes(&path, is_dir, &nested, seen) {
                    continue;
                }
                if kind.is_symlink() {
                    match self.others {
                        Some(_) => reached.links.push((path, nested.clone())),
                        None => seen.links.push(path),
                    }
                    continue;
                }
                if kind.is_file() && Kind::of_path(&path).is_none() {
                    seen.skipped.push(path);
                    continue;
                }
                let real = real.join(entry.file_name());
                match entry.metadata() {
                    Ok(found) if kind.is_dir() => {
                        note_mount(&path, &found, above, seen);
                        open.push(Open { path, real, nested: nested.clone(), device: device(&found) });
                    }
                    Ok(found) => {
                        if self.is_new(&real, reached) {
                            self.file(path, &found, seen, report);
                        }
                    }
                    // The file was removed after it was listed.
                    Err(error) if is_absence(&error) => {}
                    Err(error) => seen.unreachable.push((path, Notice::io(&error))),
                }
            }
        }
        Ok(())
    }

    /// Whether the walk reaches a folder or file for the first time, given its path with links resolved.
    fn is_new(&self, real: &Path, reached: &mut Reached) -> bool {
        self.others.is_none() || reached.paths.insert(real.to_owned())
    }

    /// Follows the links that the walk found to targets that nothing else led to, in the order of their paths.
    fn follow(
        &self,
        mut reached: Reached,
        seen: &mut WalkResult,
        report: &mut dyn FnMut(usize),
    ) -> Result<(), EngineError> {
        let Some(others) = &self.others else { return Ok(()) };
        reached.paths.extend(others.iter().cloned());
        let library = self.library.canonicalize().unwrap_or_else(|_| self.library.to_owned());
        while !reached.links.is_empty() {
            let mut links = std::mem::take(&mut reached.links);
            links.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            for (path, nested) in links {
                self.cancel.check()?;
                let found = path.canonicalize().and_then(|real| Ok((fs::metadata(&real)?, real)));
                match found {
                    Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                        seen.unreachable.push((path, Notice::io(&error)));
                    }
                    Err(_) => seen.dangling.push(path),
                    Ok((_, real)) if others.iter().chain([&library]).any(|other| real.starts_with(other)) => {
                    }
                    Ok((found, real)) if found.is_dir() => {
                        let device = device(&found);
                        self.descend(Open { path, real, nested, device }, &mut reached, seen, report)?;
                    }
                    Ok((found, real)) => {
                        if self.is_new(&real, &mut reached) {
                            // A watch on the link's folder reports changes of the link, but not of the file.
                            self.enter(&path, seen);
                            self.file(path, &found, seen, report);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn file(&self, path: PathBuf, found: &Metadata, seen: &mut WalkResult, report: &mut dyn FnMut(usize)) {
        if !found.is_file() {
            return;
        }
        let Some(kind) = Kind::of_path(&path) else {
            seen.skipped.push(path);
            return;
        };
        seen.files.push(FoundFile { path, kind, stamp: stamp(found) });
        if seen.files.len().is_multiple_of(FILES_BETWEEN_REPORTS) {
            report(seen.files.len());
        }
    }

    /// Watches a folder before it is listed.
    pub(crate) fn enter(&self, folder: &Path, seen: &mut WalkResult) {
        (self.enter)(folder);
        seen.listed.insert(folder.to_owned());
    }

    /// Enters the folder of a single followed file. Only that folder's watch reports when another file is renamed over
    /// it.
    fn enter_above(&self, seen: &mut WalkResult) {
        if let Some(above) = self.root.parent() {
            self.enter(above, seen);
            note_drive(above, seen);
        }
    }

    /// Whether the walk skips `path` and everything below it. Parts of web pages are recorded.
    fn passes(&self, path: &Path, is_dir: bool, nested: &NestedIgnore, seen: &mut WalkResult) -> bool {
        if path.file_name().is_none_or(is_hidden) || path == self.library || self.excludes.prune(path, is_dir)
        {
            return true;
        }
        if let Some(is_ignored) = nested.prune(path, is_dir) {
            return is_ignored;
        }
        if is_package_part(path) && !self.excludes.asks_for(path, is_dir) {
            return true;
        }
        let is_part = is_page_part(path, is_dir) && !self.excludes.asks_for(path, is_dir);
        if is_part {
            seen.page_parts.push(path.to_owned());
        }
        is_part
    }
}

/// The mount points of `folder` whose drive is missing: a file system was mounted there at the last scan, and now the
/// path does not exist, or is an empty folder on another device or on that of its parent (device numbers change with a
/// restart). Documents on a missing drive are kept.
pub(crate) fn unplugged(folder: &FolderRecord) -> Vec<(PathBuf, Notice)> {
    let is_mounted = |mount: &MountRecord, found: &Metadata| {
        let above = mount.path.parent().and_then(|above| fs::metadata(above).ok());
        device(found) == mount.device && above.is_none_or(|above| device(&above) != mount.device)
    };
    let is_missing = |mount: &&MountRecord| match fs::metadata(&mount.path) {
        Ok(found) if is_mounted(mount, &found) => false,
        Ok(_) => fs::read_dir(&mount.path).is_ok_and(|mut entries| entries.next().is_none()),
        Err(error) => is_absence(&error),
    };
    let missing = folder.mounts.iter().filter(is_missing);
    missing.map(|mount| (mount.path.clone(), Notice::DriveNotConnected)).collect()
}

/// Records `path` as a mount point if it is on another device than its parent.
fn note_drive(path: &Path, seen: &mut WalkResult) {
    let above = path.parent().and_then(|above| fs::metadata(above).ok());
    if let (Some(above), Ok(found)) = (above, fs::metadata(path)) {
        note_mount(path, &found, device(&above), seen);
    }
}

fn note_mount(path: &Path, found: &Metadata, above: u64, seen: &mut WalkResult) {
    let device = device(found);
    if device != above {
        seen.mounts.push(MountRecord { path: path.to_owned(), device });
    }
}

fn not_there(error: &std::io::Error) -> Notice {
    if is_absence(error) { Notice::NotThere } else { Notice::io(error) }
}

fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
