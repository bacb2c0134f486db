//! What the indexing thread shares with its handle: requests, the run in progress, and reasons to wait.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Notice};

use crate::keep_up::activity::Activity;
use crate::keep_up::power::Power;
use crate::lock::lock;

/// How long to wait before another run after one that failed.
#[derive(Clone, Copy, Debug)]
pub struct RetryDelays {
    /// Another process indexes the library: its work may be done then.
    pub busy: Duration,
    /// A model failed, which takes time to load.
    pub model: Duration,
    /// Everything else: the disk may have room by then.
    pub other: Duration,
}

impl Default for RetryDelays {
    fn default() -> Self {
        let [busy, model, other] = [2, 30, 10].map(Duration::from_secs);
        Self { busy, model, other }
    }
}

/// Nothing is indexed until this is dropped. Work that was in progress, or was requested meanwhile, follows.
pub struct Suspension<'a>(pub(super) &'a Shared);

impl Drop for Suspension<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).suspended = false;
        self.0.changed.notify_all();
    }
}

/// Until this is dropped, a run waits between two steps and none begins: what a user waits for gets the processor.
pub struct Yielding<'a>(pub(super) &'a Shared);

impl Drop for Yielding<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.yields -= 1;
        if state.yields == 0 {
            state.has_yielded = true;
            state.running.iter().for_each(CancelToken::resume);
            self.0.changed.notify_all();
        }
    }
}

pub(super) struct Shared {
    pub state: Mutex<State>,
    pub changed: Condvar,
    pub delays: RetryDelays,
    pub power: Power,
}

pub(super) struct State {
    /// A run was requested.
    pub wanted: bool,
    /// The watch has noticed something.
    pub noticed: bool,
    /// A run was requested once. What the watch notices before that waits.
    pub begun: bool,
    /// Nothing runs until the user resumes.
    pub paused: bool,
    /// The user ended a run: none begins by itself until one is requested.
    pub halted: bool,
    /// The run that was ended had finished its scan, so all its remaining work is in the store's queue.
    pub scan_done: bool,
    /// Long work waits while the computer runs on battery …
    pub saves_power: bool,
    /// … unless the user resumed it since.
    pub ignores_battery: bool,
    /// Something is done during which nothing may be indexed.
    pub suspended: bool,
    /// How many things that a user waits for go first.
    pub yields: usize,
    /// The run has waited for one of them since its last progress.
    pub has_yielded: bool,
    /// The front is closing.
    pub ended: bool,
    /// Cancels the run in progress.
    pub running: Option<CancelToken>,
    /// When a run last began.
    pub scanned: Option<Instant>,
    /// When the next run begins without a request.
    pub next_due: Option<Instant>,
    /// Why the library could not be published the last time.
    pub publish_trouble: Option<Notice>,
    pub activity: Activity,
    /// Sentences embedded per second, if this run has shown it.
    pub embedding_rate: Option<f64>,
}

impl Shared {
    /// Whether long work waits for mains power.
    pub fn defers(&self) -> bool {
        if !lock(&self.state).saves_power {
            return false;
        }
        // Some systems take their time: nobody waits for the state meanwhile.
        let is_on_battery = self.power.is_on_battery();
        lock(&self.state).defers(is_on_battery)
    }

    /// Waits until nothing runs. Returns whether that happened within `timeout`.
    pub fn wait_stopped(&self, mut state: MutexGuard<'_, State>, timeout: Duration) -> bool {
        let until = Instant::now() + timeout;
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
    /// Before the first request.
    pub fn new(paused: bool, saves_power: bool) -> Self {
        Self {
            wanted: false,
            noticed: false,
            begun: false,
            paused,
            halted: false,
            scan_done: false,
            saves_power,
            ignores_battery: false,
            suspended: false,
            yields: 0,
            has_yielded: false,
            ended: false,
            running: None,
            scanned: None,
            next_due: None,
            publish_trouble: None,
            activity: if paused { Activity::Paused } else { Activity::Idle },
            embedding_rate: None,
        }
    }

    /// Whether long work waits, given whether the computer runs on battery.
    pub fn defers(&mut self, is_on_battery: bool) -> bool {
        self.ignores_battery &= is_on_battery;
        is_on_battery && self.saves_power && !self.ignores_battery
    }

    pub fn cancel_run(&self) {
        if let Some(running) = &self.running {
            running.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_resumed_on_battery_goes_on_until_the_computer_was_on_mains_power() {
        let mut state = State::new(false, true);
        assert!(state.defers(true) && !state.defers(false));
        state.ignores_battery = true;
        assert!(!state.defers(true), "the person resumed it");
        assert!(!state.defers(false) && state.defers(true), "and has it wait the next time");
        state.saves_power = false;
        assert!(!state.defers(true), "it is switched off");
    }
}
