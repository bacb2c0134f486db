//! Holds back paths that may have changed until they are quiet. The caller passes events and time; this module reads
//! neither disk nor clock.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::sync::scope::Scope;

/// A path without events for this long is quiet.
const QUIET_PERIOD: Duration = Duration::from_millis(400);
/// The same for a file that was written to and is not closed yet.
const QUIET_PERIOD_OPEN_FILE: Duration = Duration::from_millis(1_200);
/// A path that never becomes quiet is scanned this long after its first change.
const MAX_DELAY: Duration = Duration::from_secs(10);
/// Paths that become quiet within this time are taken together, such as both names of a renamed file.
const PAIRING_WINDOW: Duration = Duration::from_millis(50);
/// With more paths than this a full scan is cheaper.
const MAX_PENDING_PATHS: usize = 20_000;

/// What happened to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathChange {
    /// It was created, removed or changed in some way.
    Touched,
    /// It was written to, and more may follow.
    Written,
    /// It was written to and is closed now.
    Closed,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    first: Instant,
    last: Instant,
    is_open: bool,
}

impl Pending {
    fn new(now: Instant) -> Self {
        Self { first: now, last: now, is_open: false }
    }

    fn due(&self) -> Instant {
        let rest = if self.is_open { QUIET_PERIOD_OPEN_FILE } else { QUIET_PERIOD };
        (self.last + rest).min(self.first + MAX_DELAY)
    }
}

/// All paths that may have changed and have not been scanned yet.
#[derive(Debug, Default)]
pub(crate) struct Debouncer {
    pending: HashMap<PathBuf, Pending>,
    /// Set if events were lost or there were too many: a full scan is needed.
    everything: Option<Pending>,
}

impl Debouncer {
    /// Records an event at `path`.
    pub(crate) fn note(&mut self, path: &Path, change: PathChange, now: Instant) {
        if let Some(everything) = &mut self.everything {
            everything.last = now;
            return;
        }
        if !self.pending.contains_key(path) {
            if self.pending.len() >= MAX_PENDING_PATHS {
                self.require_full_scan(now);
                return;
            }
            self.pending.insert(path.to_owned(), Pending::new(now));
        }
        if let Some(pending) = self.pending.get_mut(path) {
            pending.last = now;
            match change {
                PathChange::Touched => {}
                PathChange::Written => pending.is_open = true,
                PathChange::Closed => pending.is_open = false,
            }
        }
    }

    /// Requires a full scan, after events were lost.
    pub(crate) fn require_full_scan(&mut self, now: Instant) {
        self.pending.clear();
        self.everything.get_or_insert_with(|| Pending::new(now)).last = now;
    }

    /// Requests a full scan without waiting for quiet.
    pub(crate) fn request_full_scan(&mut self, now: Instant) {
        self.require_full_scan(now);
        if let Some(everything) = &mut self.everything {
            everything.first = now.checked_sub(MAX_DELAY).unwrap_or(now);
        }
    }

    /// Requests a scan of `path` without waiting for quiet.
    pub(crate) fn request(&mut self, path: &Path, now: Instant) {
        self.note(path, PathChange::Touched, now);
        if let Some(pending) = self.pending.get_mut(path) {
            pending.first = now.checked_sub(MAX_DELAY).unwrap_or(now);
        }
    }

    /// Whether no path is pending.
    pub(crate) fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.everything.is_none()
    }

    /// When the next path becomes quiet; `None` if none is pending.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.pending.values().chain(&self.everything).map(Pending::due).min()
    }

    /// All quiet paths; `None` if there are none.
    pub(crate) fn take(&mut self, now: Instant) -> Option<Scope> {
        if self.next().is_none_or(|due| due > now) {
            return None;
        }
        if self.everything.take().is_some() {
            return Some(Scope::Everything);
        }
        let quiet = self.pending.extract_if(|_, pending| pending.due() <= now + PAIRING_WINDOW);
        Some(Scope::Paths(quiet.map(|(path, _)| path).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(begun: Instant, milliseconds: u64) -> Instant {
        begun + Duration::from_millis(milliseconds)
    }

    fn paths(names: &[&str]) -> Option<Scope> {
        Some(Scope::Paths(names.iter().map(PathBuf::from).collect()))
    }

    #[test]
    fn a_path_is_due_when_it_has_rested() {
        let (mut debouncer, begun) = (Debouncer::default(), Instant::now());
        assert_eq!(debouncer.next(), None);
        debouncer.note(Path::new("/a"), PathChange::Touched, begun);
        debouncer.note(Path::new("/a"), PathChange::Touched, after(begun, 300));
        debouncer.note(Path::new("/b"), PathChange::Touched, after(begun, 500));
        assert_eq!(debouncer.take(after(begun, 600)), None);
        assert_eq!(debouncer.next(), Some(after(begun, 700)));
        assert_eq!(debouncer.take(after(begun, 700)), paths(&["/a"]));
        assert_eq!(debouncer.take(after(begun, 900)), paths(&["/b"]));
        assert_eq!(debouncer.take(after(begun, 5_000)), None);
    }

    #[test]
    fn both_names_of_a_file_are_taken_together() {
        let (mut debouncer, begun) = (Debouncer::default(), Instant::now());
        debouncer.note(Path::new("/old"), PathChange::Touched, begun);
        debouncer.note(Path::new("/new"), PathChange::Touched, after(begun, 3));
        assert_eq!(debouncer.take(after(begun, 400)), paths(&["/new", "/old"]));
    }

    #[test]
    fn a_file_that_is_being_written_rests_longer_and_not_for_ever() {
        let (mut debouncer, begun) = (Debouncer::default(), Instant::now());
        let path = Path::new("/a");
        for turn in 0..8 {
            debouncer.note(path, PathChange::Written, after(begun, 1_000 * turn));
            assert_eq!(debouncer.take(after(begun, 1_000 * turn + 900)), None, "it is being written");
        }
        debouncer.note(path, PathChange::Closed, after(begun, 7_500));
        assert_eq!(debouncer.take(after(begun, 7_900)), paths(&["/a"]), "it is closed");
        for turn in 0..20 {
            debouncer.note(path, PathChange::Written, after(begun, 20_000 + 500 * turn));
        }
        assert_eq!(debouncer.take(after(begun, 29_900)), None);
        assert_eq!(debouncer.take(after(begun, 30_000)), paths(&["/a"]), "it never rests");
    }

    #[test]
    fn too_many_paths_and_lost_events_are_a_look_at_everything() {
        let (mut debouncer, begun) = (Debouncer::default(), Instant::now());
        for number in 0..=MAX_PENDING_PATHS {
            debouncer.note(&PathBuf::from(format!("/{number}")), PathChange::Touched, begun);
        }
        assert!(debouncer.pending.is_empty(), "they are not kept beside it");
        assert_eq!(debouncer.take(after(begun, 399)), None, "also it waits for rest");
        assert_eq!(debouncer.take(after(begun, 400)), Some(Scope::Everything));
        debouncer.request_full_scan(after(begun, 500));
        debouncer.note(Path::new("/a"), PathChange::Touched, after(begun, 500));
        assert_eq!(debouncer.take(after(begun, 500)), Some(Scope::Everything), "the person does not wait");
        assert_eq!(debouncer.take(after(begun, 5_000)), None);
    }
}
