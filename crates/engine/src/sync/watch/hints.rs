//! What may have changed and was not scanned yet, and when to scan it. The caller passes events and time; this module
//! reads neither disk nor clock.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oriel_store::FolderRecord;

use crate::sync::scope::Scope;
use crate::sync::watch::debounce::{Debouncer, PathChange};
use crate::sync::watch::events::concerned;
use crate::sync::watch::watcher::Identity;

/// Time between full scans, which catch events that were lost unnoticed.
const FULL_SCAN_INTERVAL: Duration = Duration::from_secs(15 * 60);
/// Minimum time between two scans of a folder that is not fully watched …
const MIN_RESCAN_INTERVAL: Duration = Duration::from_secs(5);
/// … which is also at least this many times the duration of the last scan.
const RESCAN_INTERVAL_FACTOR: u32 = 30;
/// While a path is not quiet yet, look again this soon: another path, or the same one once it is closed, may be due
/// earlier than the first.
const MAX_SLEEP: Duration = Duration::from_millis(200);

/// The hints of a watch.
pub(super) struct Hints {
    /// The library's own folder.
    library: PathBuf,
    pub debouncer: Debouncer,
    /// The followed folders as the last scan saw them.
    folders: Vec<FolderRecord>,
    /// The followed folders and the mount points in them, each with what was last seen there.
    pub places: HashMap<PathBuf, Option<Identity>>,
    /// When the next periodic scan and the next full scan are due.
    next_timed: Option<Instant>,
    next_whole: Option<Instant>,
}

impl Hints {
    /// A watch begins with a full scan.
    pub(super) fn new(library: PathBuf, now: Instant) -> Self {
        let mut debouncer = Debouncer::default();
        debouncer.request_full_scan(now);
        let (folders, places) = (Vec::new(), HashMap::new());
        Self { library, debouncer, folders, places, next_timed: None, next_whole: None }
    }

    /// Records an event of the system. Returns whether something is pending now and nothing was before, so that a waiting thread must look
    /// earlier.
    pub(super) fn on_event(&mut self, event: notify::Result<notify::Event>, now: Instant) -> bool {
        let was_empty = self.debouncer.is_empty();
        match event {
            Ok(event) if event.need_rescan() => self.debouncer.require_full_scan(now),
            Ok(event) => {
                for (path, change) in concerned(&event, &self.library, &self.folders) {
                    self.debouncer.note(path, change, now);
                }
            }
            Err(error) => {
                tracing::warn!(%error, "the watch over the folders failed");
                self.debouncer.require_full_scan(now);
            }
        }
        was_empty && !self.debouncer.is_empty()
    }

    /// Records what polling has found: places with what is there now, and whether the list of folders has changed.
    pub(super) fn on_polled(
        &mut self,
        changed: Vec<(PathBuf, Option<Identity>)>,
        has_other_folders: bool,
        now: Instant,
    ) {
        for (place, is) in changed {
            self.debouncer.note(&place, PathChange::Touched, now);
            // It may be followed no more.
            if let Some(was) = self.places.get_mut(&place) {
                *was = is;
            }
        }
        if has_other_folders {
            self.debouncer.request_full_scan(now);
        }
    }

    /// Remembers the followed folders as a scan of `scope` sees them, and the places in them. A scan of some paths does not
    /// make a new folder known.
    pub(super) fn follow(
        &mut self,
        scope: &Scope,
        folders: Vec<FolderRecord>,
        places: HashMap<PathBuf, Option<Identity>>,
    ) {
        // Polling may have seen something newer meanwhile.
        let known = std::mem::take(&mut self.places);
        let kept = |(path, is): (PathBuf, _)| {
            let is = known.get(&path).copied().unwrap_or(is);
            (path, is)
        };
        self.places = places.into_iter().map(kept).collect();
        if *scope == Scope::Everything {
            self.folders = folders;
            return;
        }
        for known in &mut self.folders {
            let is_known = |folder: &&FolderRecord| rules(folder) == rules(known);
            if let Some(folder) = folders.iter().find(is_known) {
                folder.clone_into(known);
            }
        }
    }

    /// Sets when the next scans are due, after one of `scope` that took so long.
    pub(super) fn on_scanned(&mut self, scope: &Scope, took: Duration, now: Instant) {
        let rest = took * RESCAN_INTERVAL_FACTOR;
        if *scope == Scope::Everything {
            self.next_whole = Some(now + FULL_SCAN_INTERVAL.max(rest));
        }
        if self.is_whole() {
            self.next_timed = None;
        } else {
            self.next_timed.get_or_insert(now + MIN_RESCAN_INTERVAL.max(rest));
        }
    }

    /// Whether these are the folders that the last scan saw, with the same rules.
    pub(super) fn knows(&self, folders: &[(u32, FolderRecord)]) -> bool {
        self.folders.iter().map(rules).eq(folders.iter().map(|(_, folder)| rules(folder)))
    }

    /// Whether no folder needs periodic scans.
    pub(super) fn is_whole(&self) -> bool {
        self.folders.iter().all(|folder| folder.timed.is_none())
    }

    /// When to look for a scope again: now or earlier if there is one, `None` if nothing is pending.
    pub(super) fn next_look(&self, now: Instant) -> Option<Instant> {
        let quiet = self.debouncer.next().map(|due| due.min(now + MAX_SLEEP));
        [quiet, self.next_timed, self.next_whole].into_iter().flatten().min()
    }

    /// What has to be scanned now; `None` if nothing.
    pub(super) fn take(&mut self, now: Instant) -> Option<Scope> {
        if self.next_whole.take_if(|due| *due <= now).is_some() {
            self.debouncer.request_full_scan(now);
        }
        if self.next_timed.take_if(|due| *due <= now).is_some() {
            let timed = self.folders.iter().filter(|folder| folder.timed.is_some());
            timed.for_each(|folder| self.debouncer.request(&folder.path, now));
        }
        self.debouncer.take(now)
    }

    /// Returns a scope that was taken and not scanned. It is due at once.
    pub(super) fn put_back(&mut self, scope: Scope, now: Instant) {
        match scope {
            Scope::Everything => self.debouncer.request_full_scan(now),
            Scope::Paths(paths) => paths.iter().for_each(|path| self.debouncer.request(path, now)),
        }
    }
}

/// What decides which files of a folder are read.
fn rules(folder: &FolderRecord) -> (&Path, &[String], bool) {
    (&folder.path, &folder.excludes, folder.follow_links)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use notify::event::{CreateKind, EventKind, Flag};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn scope(path: &str) -> Option<Scope> {
        Some(Scope::Paths(BTreeSet::from([PathBuf::from(path)])))
    }

    fn folder(path: &str) -> FolderRecord {
        FolderRecord { path: path.into(), ..FolderRecord::default() }
    }

    fn created(path: &str) -> notify::Result<notify::Event> {
        Ok(notify::Event::new(EventKind::Create(CreateKind::File)).add_path(path.into()))
    }

    /// The hints after the first scan, which found such a folder.
    fn after_first_scan(folder: FolderRecord, now: Instant) -> Hints {
        let mut hints = Hints::new("/library".into(), now);
        assert!(hints.next_look(now).is_some_and(|due| due <= now), "it is due at once");
        assert_eq!(hints.take(now), Some(Scope::Everything));
        let places = HashMap::from([(folder.path.clone(), Some((1, 1)))]);
        hints.follow(&Scope::Everything, vec![folder], places);
        hints.on_scanned(&Scope::Everything, SECOND, now);
        hints
    }

    #[test]
    fn a_change_is_due_once_it_is_quiet_and_wakes_once() {
        let now = Instant::now();
        let mut hints = after_first_scan(folder("/a"), now);
        assert_eq!(hints.next_look(now), Some(now + FULL_SCAN_INTERVAL));
        assert!(hints.on_event(created("/a/one.txt"), now));
        assert!(!hints.on_event(created("/a/two.txt"), now + SECOND / 10), "who waits looks again anyway");
        assert!(!hints.on_event(created("/other/three.txt"), now));
        assert_eq!(hints.next_look(now), Some(now + MAX_SLEEP));
        assert_eq!(hints.take(now + SECOND / 5), None);
        let Some(Scope::Paths(paths)) = hints.take(now + SECOND) else { panic!("both are quiet") };
        assert!(paths.iter().map(PathBuf::as_path).eq([Path::new("/a/one.txt"), Path::new("/a/two.txt")]));
        assert_eq!(hints.next_look(now), Some(now + FULL_SCAN_INTERVAL));
    }

    #[test]
    fn lost_events_and_time_lead_to_a_full_scan() {
        let now = Instant::now();
        let mut hints = after_first_scan(folder("/a"), now);
        assert!(hints.on_event(Ok(notify::Event::new(EventKind::Other).set_flag(Flag::Rescan)), now));
        assert_eq!(hints.take(now + SECOND), Some(Scope::Everything));
        hints.on_scanned(&Scope::Everything, 60 * SECOND, now);
        assert_eq!(hints.take(now + FULL_SCAN_INTERVAL), None, "a scan that takes long is rare");
        assert_eq!(hints.take(now + 1_800 * SECOND), Some(Scope::Everything));
    }

    #[test]
    fn a_folder_that_is_not_watched_is_scanned_now_and_then() {
        let now = Instant::now();
        let mut hints = after_first_scan(FolderRecord { timed: Some("network".into()), ..folder("/n") }, now);
        assert!(!hints.is_whole());
        assert_eq!(hints.next_look(now), Some(now + 30 * SECOND));
        assert_eq!(hints.take(now + 30 * SECOND), scope("/n"));
        hints.on_scanned(&scope("/n").unwrap(), SECOND / 100, now + 30 * SECOND);
        assert_eq!(hints.next_look(now), Some(now + 35 * SECOND));
    }

    #[test]
    fn a_folder_that_is_unplugged_and_plugged_in_again_is_scanned_both_times() {
        let now = Instant::now();
        let mut hints = after_first_scan(folder("/drive"), now);
        let place = PathBuf::from("/drive");
        for (is, at) in [(None, now + SECOND), (Some((2, 1)), now + 4 * SECOND)] {
            hints.on_polled(vec![(place.clone(), is)], false, at);
            assert_eq!(hints.places[&place], is);
            assert_eq!(hints.take(at + SECOND), scope("/drive"));
        }
    }

    #[test]
    fn a_scope_that_was_not_scanned_is_due_again_with_what_came_since() {
        let now = Instant::now();
        let mut hints = after_first_scan(folder("/a"), now);
        assert!(hints.on_event(created("/a/one.txt"), now));
        let taken = hints.take(now + SECOND).unwrap();
        hints.put_back(taken, now + SECOND);
        assert!(hints.next_look(now + SECOND).is_some_and(|due| due <= now + SECOND));
        assert!(!hints.on_event(created("/a/two.txt"), now + SECOND / 2));
        let Some(Scope::Paths(paths)) = hints.take(now + SECOND) else { panic!("both are due") };
        assert_eq!(paths.len(), 2);
        hints.put_back(Scope::Everything, now + SECOND);
        assert_eq!(hints.take(now + SECOND), Some(Scope::Everything));
    }

    #[test]
    fn another_list_of_folders_is_scanned_whole_and_at_once() {
        let now = Instant::now();
        let mut hints = after_first_scan(folder("/a"), now);
        let same = [(0, FolderRecord { timed: Some("limit".into()), ..folder("/a") })];
        assert!(hints.knows(&same), "what a scan found out is no rule");
        let excludes = vec!["*.log".into()];
        assert!(!hints.knows(&[(0, FolderRecord { excludes, ..folder("/a") })]));
        assert!(!hints.knows(&[]));
        let both = || vec![folder("/a"), folder("/b")];
        hints.follow(&scope("/a/one.txt").unwrap(), both(), HashMap::new());
        assert!(!hints.knows(&[(0, folder("/a")), (1, folder("/b"))]), "it was not scanned yet");
        hints.on_polled(Vec::new(), true, now);
        assert_eq!(hints.take(now), Some(Scope::Everything));
    }
}
