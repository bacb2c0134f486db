//! Long work of which one of a kind goes on at a time: how far it is, and that it can be given up.

use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use oriel_core::CancelToken;
use oriel_engine::Pace;

use crate::app::lock;
use crate::folders::count;
use crate::ipc::{IpcError, Work};

/// Between two figures.
pub(crate) const TICK: Duration = Duration::from_millis(100);

/// Where the one of a kind is noted while it goes on.
#[derive(Default)]
pub(crate) struct Slot {
    held: Mutex<Option<CancelToken>>,
    freed: Condvar,
}

impl Slot {
    /// Gives up what is being done, where something is.
    pub(crate) fn cancel(&self) {
        lock(&self.held).iter().for_each(CancelToken::cancel);
    }

    /// Waits until nothing is being done; `patience` at most.
    pub(crate) fn wait(&self, patience: Duration) {
        let waited = self.freed.wait_timeout_while(lock(&self.held), patience, |held| held.is_some());
        if waited.is_ok_and(|(_, waited)| waited.timed_out()) {
            tracing::warn!("what was given up did not end in time");
        }
    }
}

/// The one of its kind, until it is dropped.
pub(crate) struct Job<'a> {
    slot: &'a Slot,
    pub cancel: CancelToken,
}

impl<'a> Job<'a> {
    /// Takes the place.
    ///
    /// # Errors
    /// With `busy` where another has it.
    pub(crate) fn begin(slot: &'a Slot, busy: &str) -> Result<Self, IpcError> {
        let mut held = lock(&slot.held);
        if held.is_some() {
            return Err(IpcError::failed(busy));
        }
        let cancel = CancelToken::new();
        *held = Some(cancel.clone());
        Ok(Self { slot, cancel })
    }
}

impl Drop for Job<'_> {
    fn drop(&mut self) {
        *lock(&self.slot.held) = None;
        self.slot.freed.notify_all();
    }
}

/// How far work on bytes is, as the window draws it.
pub(crate) struct Steps {
    pace: Pace,
    told: Option<Instant>,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { pace: Pace::new(), told: None }
    }

    /// The figures in kilobytes, as gigabytes do not fit 32 bits; `None` where some were told a moment ago.
    pub(crate) fn at(&mut self, done: u64, total: u64) -> Option<Work> {
        let now = Instant::now();
        self.pace.observe(now, done, total);
        if self.told.is_some_and(|told| told.elapsed() < TICK) {
            return None;
        }
        self.told = Some(now);
        Some(Work {
            done: count(done / 1000),
            total: count(total / 1000),
            rate: self.pace.rate().map(|rate| rate / 1000.0),
            left: self.pace.left().map(|left| left.as_secs_f64()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_kind_goes_on_and_can_be_given_up() {
        let slot = Slot::default();
        let job = Job::begin(&slot, "busy").unwrap();
        assert_eq!(Job::begin(&slot, "busy").err().map(|error| error.message).as_deref(), Some("busy"));
        slot.cancel();
        assert!(job.cancel.is_cancelled());
        std::thread::scope(|scope| {
            scope.spawn(|| drop(job));
            slot.wait(Duration::from_secs(20));
            assert!(lock(&slot.held).is_none(), "it was waited for");
        });
        slot.cancel();
        assert!(!Job::begin(&slot, "busy").unwrap().cancel.is_cancelled(), "the next begins anew");
    }

    #[test]
    fn figures_come_now_and_then() {
        let mut steps = Steps::new();
        let first = steps.at(5_000_000_000, 8_000_000_000).unwrap();
        assert_eq!((first.done, first.total), (5_000_000, 8_000_000));
        assert!(steps.at(5_000_001_000, 8_000_000_000).is_none());
    }
}
