//! Notices changes in the followed folders soon after they happen.
//!
//! A watch only gives hints. A scan of the paths decides what has really changed, and a periodic full scan catches what
//! the watch missed. `watcher` subscribes to the system, `events` filters its reports, `debounce` waits until a path is
//! quiet.

mod debounce;
mod events;
mod watcher;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use oriel_store::FolderRecord;

use crate::error::EngineError;
use crate::library::Library;
use crate::sync::scan::{ScanObserver, Scope};
use crate::sync::watch::debounce::{Debouncer, PathChange};
use crate::sync::watch::events::EventFilter;
use crate::sync::watch::watcher::{FsWatcher, identity};

/// Time between full scans, which catch events that were lost unnoticed.
const FULL_SCAN_INTERVAL: Duration = Duration::from_secs(15 * 60);
/// Minimum time between two scans of a folder that is not fully watched …
const MIN_RESCAN_INTERVAL: Duration = Duration::from_secs(5);
/// … which is also at least this many times the duration of the last scan.
const RESCAN_INTERVAL_FACTOR: u32 = 30;
/// How often to look for drives that were connected or removed, and for folders that another process added.
const DRIVE_POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The longest sleep of the thread while a path is not quiet yet.
const MAX_SLEEP: Duration = Duration::from_millis(200);

/// A watch over the folders of a library. Dropping it ends the watch.
pub struct Watch {
    shared: Arc<Shared>,
    watcher: Mutex<FsWatcher>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    debouncer: Debouncer,
    filter: EventFilter,
    /// The ignore patterns of each followed folder, and whether it follows links.
    rules: Vec<(Vec<String>, bool)>,
    /// The followed folders and the mount points in them, each with the device and inode last seen there.
    drives: HashMap<PathBuf, Option<(u64, u64)>>,
    /// Folders that are not fully watched and are scanned periodically.
    timed: Vec<PathBuf>,
    /// When the next periodic scan and the next full scan are due.
    next_timed: Option<Instant>,
    next_whole: Option<Instant>,
    /// Whether the indexer was woken for everything that is pending.
    is_woken: bool,
    is_ended: bool,
}

impl Library {
    /// Watches the folders from now on. `wake` is called whenever there may be work for [`Library::keep_up`]. The first
    /// call comes at once, because a watch begins with a full scan.
    pub fn watch(self: &Arc<Self>, wake: impl Fn() + Send + 'static) -> Watch {
        let mut state = State::default();
        state.filter.library = self.path().to_owned();
        state.debouncer.request_full_scan(Instant::now());
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let listener = Arc::clone(&shared);
        let watcher = Mutex::new(FsWatcher::new(move |event| listener.on_event(event)));
        let (library, of_thread) = (Arc::clone(self), Arc::clone(&shared));
        let thread = std::thread::spawn(move || of_thread.run(&library, &wake));
        Watch { shared, watcher, thread: Some(thread) }
    }
}

impl Watch {
    /// Requests a full scan as soon as possible.
    pub fn look_again(&self) {
        let mut state = self.shared.lock();
        state.debouncer.request_full_scan(Instant::now());
        state.is_woken = false;
        self.shared.changed.notify_all();
    }

    /// Whether all folders are fully watched, so that none needs periodic scans.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.shared.lock().timed.is_empty()
    }

    /// What has to be scanned now; `None` if nothing.
    pub(crate) fn take(&self) -> Option<Scope> {
        let now = Instant::now();
        let mut state = self.shared.lock();
        state.queue_due(now);
        state.is_woken = false;
        self.shared.changed.notify_all();
        state.debouncer.take(now)
    }

    /// Returns a scope that could not be scanned. The indexer is not woken for it until something else happens.
    pub(crate) fn put_back(&self, scope: Scope) {
        let mut state = self.shared.lock();
        state.debouncer.put_back(scope, Instant::now());
        state.is_woken = true;
    }

    /// Called after a scan of `scope` with its duration and the current folders.
    pub(crate) fn on_scanned(&self, scope: &Scope, folders: &[(u32, FolderRecord)], took: Duration) {
        let now = Instant::now();
        let mut state = self.shared.lock();
        state.follow(folders);
        if *scope == Scope::Everything {
            state.next_whole = Some(now + FULL_SCAN_INTERVAL.max(took * RESCAN_INTERVAL_FACTOR));
        }
        if state.timed.is_empty() {
            state.next_timed = None;
        } else {
            state.next_timed.get_or_insert(now + MIN_RESCAN_INTERVAL.max(took * RESCAN_INTERVAL_FACTOR));
        }
        drop(state);
        if *scope == Scope::Everything {
            lock(&self.watcher).end_walk();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().is_ended = true;
        self.shared.changed.notify_all();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the watch had ended by a panic");
        }
    }
}

impl ScanObserver for Watch {
    fn begin(&self, scope: &Scope, folders: &[(u32, FolderRecord)]) {
        self.shared.lock().follow(folders);
        if *scope == Scope::Everything {
            lock(&self.watcher).begin_walk(folders.iter().map(|(_, folder)| folder.path.clone()).collect());
        }
    }

    fn enter(&self, folder: &Path) {
        lock(&self.watcher).enter(folder);
    }

    fn timed(&self, folder: &FolderRecord) -> Option<String> {
        lock(&self.watcher).timed(folder).map(|why| why.word().to_owned())
    }
}

impl State {
    fn follow(&mut self, folders: &[(u32, FolderRecord)]) {
        let each = || folders.iter().map(|(_, folder)| folder);
        self.filter.folders = each().map(|folder| folder.path.clone()).collect();
        let following = each().filter(|folder| folder.follow_links);
        self.filter.following = following.map(|folder| folder.path.clone()).collect();
        self.rules = each().map(|folder| (folder.excludes.clone(), folder.follow_links)).collect();
        let mounts = each().flat_map(|folder| &folder.mounts).map(|mount| mount.path.clone());
        let mut before = std::mem::take(&mut self.drives);
        for place in mounts.chain(self.filter.folders.iter().cloned()) {
            let is = before.remove(&place).unwrap_or_else(|| identity(&place));
            self.drives.insert(place, is);
        }
        let timed = each().filter(|folder| folder.timed.is_some());
        self.timed = timed.map(|folder| folder.path.clone()).collect();
    }

    /// Queues the scans that are due because of the time.
    fn queue_due(&mut self, now: Instant) {
        if self.next_whole.take_if(|due| *due <= now).is_some() {
            self.debouncer.request_full_scan(now);
            self.is_woken = false;
        }
        if self.next_timed.take_if(|due| *due <= now).is_some() {
            self.timed.iter().for_each(|path| self.debouncer.request(path, now));
            self.is_woken = false;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Called by the system for each event.
    fn on_event(&self, event: notify::Result<notify::Event>) {
        let now = Instant::now();
        let mut state = self.lock();
        let was_idle = state.debouncer.next().is_none();
        let mut is_new = true;
        match event {
            Ok(event) if event.need_rescan() => state.debouncer.require_full_scan(now),
            Ok(event) => {
                let State { filter, debouncer, .. } = &mut *state;
                is_new = false;
                for (path, change) in filter.concerned(&event) {
                    debouncer.note(path, change, now);
                    is_new = true;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "the watch over the folders failed");
                state.debouncer.require_full_scan(now);
            }
        }
        if is_new && state.debouncer.next().is_some() {
            state.is_woken = false;
            if was_idle {
                self.changed.notify_all();
            }
        }
    }

    fn run(&self, library: &Library, wake: &dyn Fn()) {
        let (mut version, mut next_round) = (None, Instant::now() + DRIVE_POLL_INTERVAL);
        let mut state = self.lock();
        while !state.is_ended {
            let now = Instant::now();
            state.queue_due(now);
            let next = state.debouncer.next().filter(|_| !state.is_woken);
            if next.is_some_and(|due| due <= now) {
                state.is_woken = true;
                drop(state);
                wake();
                state = self.lock();
                continue;
            }
            if next_round <= now {
                next_round = now + DRIVE_POLL_INTERVAL;
                let (drives, roots, rules) =
                    (state.drives.clone(), state.filter.folders.clone(), state.rules.clone());
                drop(state);
                let changed = changed(drives);
                let is_other = is_other(library, &mut version, &roots, &rules);
                state = self.lock();
                for (place, is) in &changed {
                    state.debouncer.note(place, PathChange::Touched, now);
                    state.drives.insert(place.clone(), *is);
                }
                if is_other {
                    state.debouncer.request_full_scan(now);
                }
                state.is_woken &= changed.is_empty() && !is_other;
                continue;
            }
            let soon = next.map(|due| due.min(now + MAX_SLEEP));
            let until = [Some(next_round), soon, state.next_timed, state.next_whole];
            let until = until.into_iter().flatten().min().unwrap_or(next_round);
            let rest = until.saturating_duration_since(now);
            state = self.changed.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Which of these were mounted, unmounted or replaced, with the current device and inode. The system sends no event for
/// that.
fn changed(drives: HashMap<PathBuf, Option<(u64, u64)>>) -> Vec<(PathBuf, Option<(u64, u64)>)> {
    let now = drives.into_iter().map(|(place, was)| (identity(&place), place, was));
    now.filter(|(is, _, was)| is != was).map(|(is, place, _)| (place, is)).collect()
}

/// Whether another process changed the list of folders or their exclusions. The library is read only if its `version`
/// has changed since the last call.
fn is_other(
    library: &Library,
    version: &mut Option<u64>,
    roots: &[PathBuf],
    rules: &[(Vec<String>, bool)],
) -> bool {
    let Ok(now) = library.store.read(|view| Ok::<_, EngineError>(view.version())) else { return false };
    if version.replace(now) == Some(now) {
        return false;
    }
    let Ok(folders) = library.store.read(|view| view.folders()) else { return false };
    let known = roots.iter().zip(rules).map(|(root, (excludes, follows))| (root, excludes, follows));
    let is = folders.iter().map(|(_, folder)| (&folder.path, &folder.excludes, &folder.follow_links));
    !known.eq(is)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
