//! Long work. Of a job ([`Jobs`]) one of each kind runs at a time, and Oriel waits for it when it is closed; other work
//! ([`Latest`]) ends when a newer one of its kind begins. Both can be cancelled.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use oriel_api::lock;
use oriel_core::{CancelToken, Cancelled, Notice};

use crate::api::{IpcError, Stoppable};

/// The kinds of job.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    /// Maintenance of the library as a whole.
    Maintenance,
    /// Files are copied into the library.
    Copying,
    /// A model is imported.
    Importing,
    /// A server is tried.
    Connecting,
    /// The model of this id is downloaded.
    Downloading(String),
    /// The models in use are measured.
    Measuring,
    /// Another embedder is tried on earlier questions.
    Trial,
    /// Questions are made from the documents, or asked.
    Evaluation,
}

impl Task {
    /// Why another job of this kind cannot begin.
    fn running(&self) -> Notice {
        match self {
            Self::Maintenance => Notice::MaintenanceRunning,
            Self::Copying => Notice::CopyingRunning,
            Self::Importing => Notice::ImportRunning,
            Self::Connecting => Notice::ConnectingRunning,
            Self::Downloading(id) => Notice::DownloadRunning { id: id.clone() },
            Self::Measuring => Notice::MeasuringRunning,
            Self::Trial => Notice::TrialRunning,
            Self::Evaluation => Notice::EvaluationRunning,
        }
    }
}

/// The jobs that run.
#[derive(Default)]
pub(crate) struct Jobs {
    all: Mutex<All>,
    ended: Condvar,
}

#[derive(Default)]
struct All {
    running: HashMap<Task, CancelToken>,
    /// The app is closing: no job may begin.
    closed: bool,
}

impl Jobs {
    /// Begins a job; it runs until the result is dropped.
    ///
    /// # Errors
    /// If a job of the same kind runs; cancelled once the jobs are closed.
    pub(crate) fn begin(&self, task: Task) -> Result<Job<'_>, IpcError> {
        let mut all = lock(&self.all);
        if all.closed {
            return Err(Cancelled.into());
        }
        match all.running.entry(task.clone()) {
            Entry::Occupied(_) => Err(IpcError::failed(task.running())),
            Entry::Vacant(free) => {
                let cancel = free.insert(CancelToken::new()).clone();
                Ok(Job { jobs: self, task, cancel })
            }
        }
    }

    /// Cancels a job if it runs.
    pub(crate) fn cancel(&self, task: &Task) {
        if let Some(cancel) = lock(&self.all).running.get(task) {
            cancel.cancel();
        }
    }

    /// Cancels all jobs and lets no more begin.
    pub(crate) fn close(&self) {
        let mut all = lock(&self.all);
        all.closed = true;
        all.running.values().for_each(CancelToken::cancel);
    }

    /// Waits until no job runs, at most `timeout`.
    pub(crate) fn wait(&self, timeout: Duration) {
        let waited = self.ended.wait_timeout_while(lock(&self.all), timeout, |all| !all.running.is_empty());
        if waited.is_ok_and(|(_, waited)| waited.timed_out()) {
            tracing::warn!("a cancelled job did not end in time");
        }
    }
}

/// A running job.
pub(crate) struct Job<'a> {
    jobs: &'a Jobs,
    task: Task,
    pub cancel: CancelToken,
}

impl Drop for Job<'_> {
    fn drop(&mut self) {
        lock(&self.jobs.all).running.remove(&self.task);
        self.jobs.ended.notify_all();
    }
}

/// Work of which a new one stops the one before.
#[derive(Default)]
pub(crate) struct Latest(Mutex<HashMap<Stoppable, CancelToken>>);

impl Latest {
    /// Stops the work of this kind, and returns the token of the new one.
    pub(crate) fn begin(&self, work: Stoppable) -> CancelToken {
        let cancel = CancelToken::new();
        if let Some(before) = lock(&self.0).insert(work, cancel.clone()) {
            before.cancel();
        }
        cancel
    }

    pub(crate) fn stop(&self, work: Stoppable) {
        if let Some(cancel) = lock(&self.0).get(&work) {
            cancel.cancel();
        }
    }

    pub(crate) fn stop_all(&self) {
        lock(&self.0).values().for_each(CancelToken::cancel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ErrorKind;

    #[test]
    fn one_of_a_kind_runs_and_can_be_cancelled() {
        let jobs = Jobs::default();
        let job = jobs.begin(Task::Copying).unwrap();
        let refused = jobs.begin(Task::Copying).err().map(|error| error.notice);
        assert_eq!(refused, Some(Notice::CopyingRunning));
        let downloading = |id: &str| jobs.begin(Task::Downloading(id.into()));
        let (one, other) = (downloading("a").unwrap(), downloading("b").unwrap());
        assert!(downloading("a").is_err());
        jobs.cancel(&Task::Copying);
        assert!(job.cancel.is_cancelled() && !one.cancel.is_cancelled() && !other.cancel.is_cancelled());
        drop(job);
        assert!(!jobs.begin(Task::Copying).unwrap().cancel.is_cancelled(), "the next begins anew");
        jobs.close();
        assert!(one.cancel.is_cancelled() && other.cancel.is_cancelled());
        assert_eq!(downloading("c").err().map(|error| error.kind), Some(ErrorKind::Cancelled));
        jobs.wait(Duration::ZERO);
        assert_eq!(lock(&jobs.all).running.len(), 2, "what does not end is not waited for without end");
        std::thread::scope(|scope| {
            scope.spawn(|| drop((one, other)));
            jobs.wait(Duration::from_secs(20));
            assert!(lock(&jobs.all).running.is_empty(), "they were waited for");
        });
    }
}
