//! Polls what the system does not report: folders and drives that come or go, and another process that changed the list
//! of folders.
//!
//! Polling has a thread of its own, because looking at a network folder may hang. Changes that the system reports are
//! then noticed all the same.

use std::convert::Infallible;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::error::EngineError;
use crate::library::Library;
use crate::sync::watch::hints::Hints;
use crate::sync::watch::watcher::identity;

const INTERVAL: Duration = Duration::from_secs(2);

/// Polls until the sender of `ended` is dropped.
pub(super) fn poll(library: &Library, hints: &Mutex<Hints>, wake: &dyn Fn(), ended: &Receiver<Infallible>) {
    let mut version = None;
    while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let places = hints.lock().places.clone();
        let now = places.into_iter().map(|(place, was)| (identity(&place), place, was));
        let changed: Vec<_> =
            now.filter(|(is, _, was)| is != was).map(|(is, place, _)| (place, is)).collect();
        let has_other_folders = has_other_folders(library, hints, &mut version);
        if !changed.is_empty() || has_other_folders {
            hints.lock().on_polled(changed, has_other_folders, Instant::now());
            wake();
        }
    }
}

/// Whether the library follows other folders than the last scan saw, or with other rules. The library is read only if its
/// `version` has changed since the last call.
fn has_other_folders(library: &Library, hints: &Mutex<Hints>, version: &mut Option<u64>) -> bool {
    let Ok(now) = library.store.read(|view| Ok::<_, EngineError>(view.version())) else { return false };
    if version.replace(now) == Some(now) {
        return false;
    }
    let Ok(folders) = library.store.read(|view| view.folders()) else { return false };
    !hints.lock().knows(&folders)
}
