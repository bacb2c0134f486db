//! What the indexing thread and those who ask for something share, and how it is made to rest or to wait.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oriel_core::CancelToken;

use crate::app::lock;
use crate::ipc::Activity;

/// While it is there nothing is indexed; what was going on, or wanted meanwhile, follows.
pub(crate) struct Rest<'a>(pub(super) &'a Shared);

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).resting = false;
        self.0.changed.notify_all();
    }
}

/// While it is there a run waits between two steps, and none begins: what a person waits for has the processor.
pub(crate) struct Yielding<'a>(pub(super) &'a Shared);

impl Drop for Yielding<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.ahead -= 1;
        if state.ahead == 0 {
            state.waited = true;
            state.running.iter().for_each(CancelToken::resume);
            self.0.changed.notify_all();
        }
    }
}

pub(super) struct Shared {
    pub state: Mutex<State>,
    pub changed: Condvar,
}

pub(super) struct State {
    /// A run is wanted.
    pub wanted: bool,
    /// The watch has noticed something.
    pub noticed: bool,
    /// The window has been drawn: what is noticed before waits.
    pub begun: bool,
    /// Nothing runs until the person resumes.
    pub paused: bool,
    /// The person ended a run: nothing begins by itself until someone wants it.
    pub halted: bool,
    /// Whether all that run had still to do stands on the ledger: it had looked through the folders.
    pub on_ledger: bool,
    /// Something is done that nothing may be indexed beside.
    pub resting: bool,
    /// How many things a person waits for, which go ahead of it.
    pub ahead: usize,
    /// The run has waited for one since it last said how far it is.
    pub waited: bool,
    /// The app is closing.
    pub ended: bool,
    /// Ends the run that is going on.
    pub running: Option<CancelToken>,
    /// When a run last began.
    pub scanned: Option<Instant>,
    /// When the next run is due though nobody asks for it.
    pub again: Option<Instant>,
    pub activity: Activity,
    /// Sentences that get their vectors in a second, where this run has shown it.
    pub embeds: Option<f64>,
}

impl Shared {
    /// Waits until nothing runs; whether that came within `patience`.
    pub fn stopped(&self, mut state: MutexGuard<'_, State>, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        while state.running.is_some() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl State {
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.cancel();
        }
    }
}
