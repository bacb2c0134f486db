//! Paths that may have changed, held back until they are quiet. The caller passes events and time; this module reads neither
//! disk nor clock.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::sync::scan::Scope;

/// A path that nothing has happened to for this long has rested.
const QUIET_PERIOD: Duration = Duration::from_millis(400);
/// The same for a file that somebody has written to and not closed yet.
const QUIET_PERIOD_OPEN_FILE: Duration = Duration::from_millis(1_200);
/// What does not come to rest is looked at this long after its first change.
const MAX_DELAY: Duration = Duration::from_secs(10);
/// What rests this much later is taken along: both names of a file that was renamed.
const PAIRING_WINDOW: Duration = Duration::from_millis(50);
/// With more paths than this a look at everything costs less.
const MAX_PENDING_PATHS: usize = 20_000;

/// What happened to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathChange {
    /// It came, went, or was changed in some way.
    Touched,
    /// Something was written into it, and more may follow.
    Written,
    /// Whoever wrote into it has closed it.
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

/// All that may have changed and has not been looked at.
#[derive(Debug, Default)]
pub(crate) struct Debouncer {
    pending: HashMap<PathBuf, Pending>,
    /// Events were lost, or there were too many: only a look at everything says what has changed.
    everything: Option<Pending>,
    /// What was taken and could not be looked at.
    back: BTreeSet<PathBuf>,
}

impl Debouncer {
    /// Something happened to `path`.
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

    /// Something happened, and nobody knows to what.
    pub(crate) fn require_full_scan(&mut self, now: Instant) {
        self.pending.clear();
        self.back.clear();
        self.everything.get_or_insert_with(|| Pending::new(now)).last = now;
    }

    /// Everything is to be looked at, without waiting for rest.
    pub(crate) fn request_full_scan(&mut self, now: Instant) {
        self.require_full_scan(now);
        if let Some(everything) = &mut self.everything {
            everything.first = now.checked_sub(MAX_DELAY).unwrap_or(now);
        }
    }

    /// `path` is to be looked at, without waiting for rest.
    pub(crate) fn request(&mut self, path: &Path, now: Instant) {
        self.note(path, PathChange::Touched, now);
        if let Some(pending) = self.pending.get_mut(path) {
            pending.first = now.checked_sub(MAX_DELAY).unwrap_or(now);
        }
    }

    /// When the first of them has rested; `None` where there is none.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.pending.values().chain(&self.everything).map(Pending::due).min()
    }

    /// What has rested, and what could not be looked at before; `None` where there is nothing.
    pub(crate) fn take(&mut self, now: Instant) -> Option<Scope> {
        if let Some(everything) = self.everything {
            if everything.due() > now {
                return None;
            }
            self.everything = None;
            return Some(Scope::Everything);
        }
        let mut paths = std::mem::take(&mut self.back);
        if self.next().is_some_and(|due| due <= now) {
            self.pending.retain(|path, pending| {
                let has_rested = pending.due() <= now + PAIRING_WINDOW;
                if has_rested {
                    paths.insert(path.clone());
                }
                !has_rested
            });
        }
        (!paths.is_empty()).then_some(Scope::Paths(paths))
    }

    /// What was taken could not be looked at: it is taken again with the next.
    pub(crate) fn put_back(&mut self, scope: Scope, now: Instant) {
        match scope {
            Scope::Everything => self.request_full_scan(now),
            Scope::Paths(paths) if self.everything.is_none() => self.back.extend(paths),
            Scope::Paths(_) => {}
        }
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

    #[test]
    fn what_could_not_be_looked_at_is_not_lost() {
        let (mut debouncer, begun) = (Debouncer::default(), Instant::now());
        debouncer.note(Path::new("/a"), PathChange::Touched, begun);
        let taken = debouncer.take(after(begun, 400)).unwrap();
        debouncer.put_back(taken, after(begun, 400));
        assert_eq!(debouncer.next(), None, "nobody is woken for it");
        debouncer.note(Path::new("/b"), PathChange::Touched, after(begun, 400));
        assert_eq!(debouncer.take(after(begun, 800)), paths(&["/a", "/b"]));
        debouncer.put_back(Scope::Everything, after(begun, 900));
        assert_eq!(debouncer.take(after(begun, 900)), Some(Scope::Everything));
    }
}
