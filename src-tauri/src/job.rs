//! Long work of which one of a kind goes on at a time: how far it is, and that it can be given up.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Cancelled};
use oriel_engine::Pace;

use crate::app::lock;
use crate::folders::count;
use crate::ipc::{IpcError, Work};

/// Between two figures.
pub(crate) const TICK: Duration = Duration::from_millis(100);

/// The kinds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    /// Work on the library as a whole.
    Keeping,
    /// Files are copied into the library.
    Copying,
    /// A model is imported.
    Importing,
    /// The model of this id is downloaded.
    Downloading(String),
    /// The models in use are measured.
    Measuring,
    /// Another embedder is tried on questions from before.
    Trying,
}

/// What is going on.
#[derive(Default)]
pub(crate) struct Jobs {
    all: Mutex<All>,
    ended: Condvar,
}

#[derive(Default)]
struct All {
    going: HashMap<Task, CancelToken>,
    /// The app is closing: nothing begins any more.
    closed: bool,
}

impl Jobs {
    /// Begins a task; it goes on until what it gives is dropped.
    ///
    /// # Errors
    /// With `busy` where the same is going on; cancelled once they are closed.
    pub(crate) fn begin(&self, task: Task, busy: &str) -> Result<Job<'_>, IpcError> {
        let mut all = lock(&self.all);
        if all.closed {
            return Err(anyhow::Error::from(Cancelled).into());
        }
        match all.going.entry(task.clone()) {
            Entry::Occupied(_) => Err(IpcError::failed(busy)),
            Entry::Vacant(free) => {
                let cancel = free.insert(CancelToken::new()).clone();
                Ok(Job { jobs: self, task, cancel })
            }
        }
    }

    /// Gives up a task, where it is going on.
    pub(crate) fn cancel(&self, task: &Task) {
        if let Some(cancel) = lock(&self.all).going.get(task) {
            cancel.cancel();
        }
    }

    /// Gives up all, and lets nothing begin any more.
    pub(crate) fn close(&self) {
        let mut all = lock(&self.all);
        all.closed = true;
        all.going.values().for_each(CancelToken::cancel);
    }

    /// Waits until nothing is going on; `patience` at most.
    pub(crate) fn wait(&self, patience: Duration) {
        let waited = self.ended.wait_timeout_while(lock(&self.all), patience, |all| !all.going.is_empty());
        if waited.is_ok_and(|(_, waited)| waited.timed_out()) {
            tracing::warn!("what was given up did not end in time");
        }
    }
}

/// A task that is going on.
pub(crate) struct Job<'a> {
    jobs: &'a Jobs,
    task: Task,
    pub cancel: CancelToken,
}

impl Drop for Job<'_> {
    fn drop(&mut self) {
        lock(&self.jobs.all).going.remove(&self.task);
        self.jobs.ended.notify_all();
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
    use crate::ipc::ErrorCode;

    #[test]
    fn one_of_a_kind_goes_on_and_can_be_given_up() {
        let jobs = Jobs::default();
        let job = jobs.begin(Task::Copying, "busy").unwrap();
        assert_eq!(
            jobs.begin(Task::Copying, "busy").err().map(|error| error.message).as_deref(),
            Some("busy")
        );
        let downloading = |id: &str| jobs.begin(Task::Downloading(id.into()), "busy");
        let (one, other) = (downloading("a").unwrap(), downloading("b").unwrap());
        assert!(downloading("a").is_err());
        jobs.cancel(&Task::Copying);
        assert!(job.cancel.is_cancelled() && !one.cancel.is_cancelled() && !other.cancel.is_cancelled());
        drop(job);
        assert!(!jobs.begin(Task::Copying, "busy").unwrap().cancel.is_cancelled(), "the next begins anew");
        jobs.close();
        assert!(one.cancel.is_cancelled() && other.cancel.is_cancelled());
        assert_eq!(downloading("c").err().map(|error| error.code), Some(ErrorCode::Cancelled));
        jobs.wait(Duration::ZERO);
        assert_eq!(lock(&jobs.all).going.len(), 2, "what does not end is not waited for without end");
        std::thread::scope(|scope| {
            scope.spawn(|| drop((one, other)));
            jobs.wait(Duration::from_secs(20));
            assert!(lock(&jobs.all).going.is_empty(), "they were waited for");
        });
    }

    #[test]
    fn figures_come_now_and_then() {
        let mut steps = Steps::new();
        let first = steps.at(5_000_000_000, 8_000_000_000).unwrap();
        assert_eq!((first.done, first.total), (5_000_000, 8_000_000));
        assert!(steps.at(5_000_001_000, 8_000_000_000).is_none());
    }
}
