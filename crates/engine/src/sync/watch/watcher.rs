//! The system's file watcher, and the folders that it cannot cover.
//!
//! On Linux each folder is watched separately, before the walk lists it. So no change between the two is missed, and no
//! watch is spent on an ignored folder. Other systems watch whole trees.
//!
//! A folder that is new, was moved or has returned is walked completely, because nothing was reported from inside it.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use notify::{Config, ErrorKind, EventHandler, RecommendedWatcher, RecursiveMode, Watcher as _};
use oriel_store::FolderRecord;

use crate::library::overview::Timed;

/// Whether each folder is watched separately.
const WATCHES_EACH_FOLDER: bool = cfg!(target_os = "linux");

/// The watched folders.
pub(crate) struct FsWatcher {
    /// The system's watcher, or why there is none.
    watcher: Result<RecommendedWatcher, Timed>,
    /// Each watched folder with its device and inode.
    watched: HashMap<PathBuf, Identity>,
    /// Folders that could not be watched.
    unwatched: HashMap<PathBuf, Timed>,
    /// The followed folders, which are watched as whole trees.
    roots: Vec<PathBuf>,
}

impl FsWatcher {
    /// Opens the system's watcher. `handler` receives the events; if opening fails it receives none.
    pub(crate) fn new(handler: impl EventHandler) -> Self {
        let made = RecommendedWatcher::new(handler, Config::default().with_follow_symlinks(false));
        let watcher = made.map_err(|error| {
            tracing::warn!(%error, "folders cannot be watched");
            why(&error)
        });
        Self { watcher, watched: HashMap::new(), unwatched: HashMap::new(), roots: Vec::new() }
    }

    /// Called before a full walk. Drops the watches of folders that were moved or replaced, before the same folder is
    /// watched at its new path.
    pub(crate) fn begin_walk(&mut self, roots: Vec<PathBuf>) {
        self.roots = roots;
        self.unwatched.clear();
        let moved = self.watched.iter().filter(|(path, id)| identity(path) != Some(**id));
        let moved: Vec<_> = moved.map(|(path, _)| path.clone()).collect();
        moved.into_iter().for_each(|path| self.forget(&path));
    }

    /// Called after a full walk. Drops the watches of folders that it did not visit.
    pub(crate) fn end_walk(&mut self, visited: &HashSet<PathBuf>) {
        let left: Vec<_> = self.watched.keys().filter(|path| !visited.contains(*path)).cloned().collect();
        left.into_iter().for_each(|path| self.forget(&path));
    }

    /// Watches `folder` from now on. Called before the folder is listed.
    pub(crate) fn enter(&mut self, folder: &Path) {
        let is_root = self.roots.iter().any(|root| folder == root || root.parent() == Some(folder));
        if !WATCHES_EACH_FOLDER && !is_root {
            return;
        }
        let Ok(watcher) = &mut self.watcher else { return };
        if self.unwatched.values().any(|why| *why == Timed::Limit) && !self.watched.contains_key(folder) {
            self.unwatched.insert(folder.to_owned(), Timed::Limit);
            return;
        }
        let Some(id) = identity(folder) else { return };
        let is_tree = !WATCHES_EACH_FOLDER && self.roots.iter().any(|root| root == folder);
        let mode = if is_tree { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        match watcher.watch(folder, mode) {
            Ok(()) => {
                self.watched.insert(folder.to_owned(), id);
                self.unwatched.remove(folder);
            }
            // The folder was removed since.
            Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => {}
            Err(error) => {
                tracing::warn!(%error, "a folder cannot be watched");
                self.watched.remove(folder);
                self.unwatched.insert(folder.to_owned(), why(&error));
            }
        }
    }

    /// Why some changes in `folder` will not be noticed; `None` if all will.
    pub(crate) fn timed(&self, folder: &FolderRecord) -> Option<Timed> {
        let here = if folder.is_file { folder.path.parent().unwrap_or(&folder.path) } else { &folder.path };
        let unwatched =
            self.unwatched.iter().filter(|(path, _)| path.starts_with(here)).map(|(_, why)| *why).min();
        let remote = || is_remote(here) || folder.mounts.iter().any(|mount| is_remote(&mount.path));
        self.watcher.as_ref().err().copied().or(unwatched).or_else(|| remote().then_some(Timed::Network))
    }

    fn forget(&mut self, path: &Path) {
        self.watched.remove(path);
        if let Ok(watcher) = &mut self.watcher {
            // The watch of a removed folder is already gone.
            if let Err(error) = watcher.unwatch(path) {
                tracing::debug!(%error, "a watch had ended");
            }
        }
    }
}

fn why(error: &notify::Error) -> Timed {
    match &error.kind {
        ErrorKind::MaxFilesWatch => Timed::Limit,
        // The user has no watcher instance left.
        ErrorKind::Io(cause) if cause.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error()) => {
            Timed::Limit
        }
        _ => Timed::Refused,
    }
}

/// Device and inode, which distinguish a folder from another one with the same path.
pub(super) type Identity = (u64, u64);

/// What is at `path`; `None` if nothing.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).ok().map(|found: Metadata| (crate::files::device(&found), crate::files::inode(&found)))
}

/// Whether a folder is on a network file system or behind FUSE. Changes there cause no events.
#[cfg(target_os = "linux")]
fn is_remote(path: &Path) -> bool {
    /// NFS, SMB (three magic numbers), FUSE, AFS, Ceph, 9P, Coda: `linux/magic.h`.
    const REMOTE_FILE_SYSTEMS: [u32; 9] = [
        0x6969,
        0xff53_4d42,
        0xfe53_4d42,
        0x517b,
        0x6573_5546,
        0x5346_414f,
        0x00c3_6400,
        0x0102_1997,
        0x7375_7245,
    ];
    rustix::fs::statfs(path).is_ok_and(|disk| REMOTE_FILE_SYSTEMS.contains(&(disk.f_type as u32)))
}

/// Network file systems are not detected on this system.
#[cfg(not(target_os = "linux"))]
fn is_remote(_path: &Path) -> bool {
    false
}
