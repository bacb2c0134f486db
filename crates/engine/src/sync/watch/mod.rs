//! Notices changes in the followed folders soon after they happen.
//!
//! A watch only gives hints. A scan of the paths decides what has really changed, and a periodic full scan catches what
//! the watch missed. `watcher` subscribes to the system, `events` filters its reports, `debounce` waits until a path is
//! quiet, `poll` looks for what the system does not report. `hints` holds what all of them found, and when it is due. The
//! watch decides nothing more; the indexing thread waits until then.
//!
//! A full scan also runs after events were lost, or when too many paths changed. A folder that is not fully watched
//! (the system has no watches left, or the folder is on another machine) is scanned every few seconds; its record,
//! `oriel status` and the settings say so.
//!
//! Hints and watcher have a lock each: the system may report an event, which needs the hints, while it is asked to watch a
//! folder.

mod debounce;
mod events;
mod hints;
mod poll;
mod watcher;

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use oriel_store::FolderRecord;
use parking_lot::Mutex;

use crate::library::Library;
use crate::sync::scope::Scope;
use crate::sync::watch::hints::Hints;
use crate::sync::watch::poll::poll;
use crate::sync::watch::watcher::{FsWatcher, identity};

/// A watch over the folders of a library. Dropping it ends the watch.
pub struct Watch {
    hints: Arc<Mutex<Hints>>,
    watcher: Mutex<FsWatcher>,
    /// The polling thread, and what ends it when dropped.
    polling: Option<(Sender<Infallible>, JoinHandle<()>)>,
}

impl Library {
    /// Watches the folders from now on. `wake` is called when there may be something to do earlier than
    /// [`Watch::next_look`] said. A watch begins with a full scan, which is due at once.
    pub fn watch(self: &Arc<Self>, wake: impl Fn() + Send + Sync + 'static) -> Watch {
        let hints = Arc::new(Mutex::new(Hints::new(self.path().to_owned(), Instant::now())));
        let wake = Arc::new(wake);
        let (noted, wake_noted) = (Arc::clone(&hints), Arc::clone(&wake));
        let watcher = FsWatcher::new(move |event| {
            let is_first = noted.lock().on_event(event, Instant::now());
            if is_first {
                wake_noted();
            }
        });
        let (end, ended) = channel();
        let (library, polled) = (Arc::clone(self), Arc::clone(&hints));
        let thread = std::thread::spawn(move || poll(&library, &polled, &*wake, &ended));
        Watch { hints, watcher: Mutex::new(watcher), polling: Some((end, thread)) }
    }
}

impl Watch {
    /// Requests a full scan as soon as possible.
    pub fn look_again(&self) {
        self.hints.lock().debouncer.request_full_scan(Instant::now());
    }

    /// When [`Library::keep_up`] may have something to do: now or earlier if it has, `None` if nothing is pending.
    #[must_use]
    pub fn next_look(&self) -> Option<Instant> {
        self.hints.lock().next_look(Instant::now())
    }

    /// Whether [`Library::keep_up`] has something to do.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.next_look().is_some_and(|due| due <= Instant::now())
    }

    /// Whether all folders are fully watched, so that none needs periodic scans.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.hints.lock().is_whole()
    }

    /// What has to be scanned now; `None` if nothing.
    pub(crate) fn take(&self) -> Option<Scope> {
        self.hints.lock().take(Instant::now())
    }

    /// Returns a scope that was taken and not scanned.
    pub(crate) fn put_back(&self, scope: Scope) {
        self.hints.lock().put_back(scope, Instant::now());
    }

    /// Called when a scan of `scope` begins, with the followed folders.
    pub(crate) fn begin_scan(&self, scope: &Scope, folders: &[(u32, FolderRecord)]) {
        self.follow(scope, folders);
        if *scope == Scope::Everything {
            self.watcher.lock().begin_walk(folders.iter().map(|(_, folder)| folder.path.clone()).collect());
        }
    }

    /// Called before a scan lists `folder`, so that no later change in it is missed.
    pub(crate) fn enter(&self, folder: &Path) {
        self.watcher.lock().enter(folder);
    }

    /// Why some changes in `folder` will not be noticed as they happen. Called after the walk through it.
    pub(crate) fn timed(&self, folder: &FolderRecord) -> Option<String> {
        self.watcher.lock().timed(folder).map(|why| why.word().to_owned())
    }

    /// Called after a scan of `scope`, with the followed folders as it found them, those that it listed, and its duration.
    pub(crate) fn end_scan(
        &self,
        scope: &Scope,
        folders: &[(u32, FolderRecord)],
        listed: &HashSet<PathBuf>,
        took: Duration,
    ) {
        self.follow(scope, folders);
        self.hints.lock().on_scanned(scope, took, Instant::now());
        if *scope == Scope::Everything {
            self.watcher.lock().end_walk(listed);
        }
    }

    /// Remembers the followed folders, and what is at each place that was not polled yet.
    fn follow(&self, scope: &Scope, folders: &[(u32, FolderRecord)]) {
        let known = self.hints.lock().places.clone();
        let folders: Vec<_> = folders.iter().map(|(_, folder)| folder.clone()).collect();
        let mounts = folders.iter().flat_map(|folder| &folder.mounts).map(|mount| &mount.path);
        let paths = mounts.chain(folders.iter().map(|folder| &folder.path));
        // The hints are not locked meanwhile, because this may hang.
        let places: HashMap<_, _> = paths
            .map(|path| (path.clone(), known.get(path).copied().unwrap_or_else(|| identity(path))))
            .collect();
        self.hints.lock().follow(scope, folders, places);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let Some((end, thread)) = self.polling.take() else { return };
        drop(end);
        if thread.join().is_err() {
            tracing::error!("the watch had ended by a panic");
        }
    }
}
