//! The indexing thread. It begins the runs that the state asks for, and reports to a listener.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Notice};
use oriel_engine::{DocumentChange, EngineError, IndexProgress, LastPublished, LazyEmbedder, Library, Watch};
use oriel_models::Roles;
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::keep_up::background::in_background;
use crate::keep_up::power::Power;
use crate::keep_up::run::indexing_embedder;
use crate::keep_up::state::{Event, Machine, State, Step};
use crate::models::prefer_embedder_of;

/// Progress is reported this often at most.
pub const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// How often a waiting thread reports that it is idle, or more often while work waits for mains power.
const IDLE_INTERVAL: Duration = Duration::from_secs(30);

/// Hears from the indexing thread, on its threads. Whatever a front does not show, it leaves out.
pub trait IndexerListener: Send + Sync {
    /// Progress was made. `recount` if the library's counts should be looked up again.
    fn on_progress(&self, _recount: bool) {}

    /// A document changed.
    fn on_change(&self, _path: &Path, _change: DocumentChange<'_>) {}

    /// A run has finished: the library is up to date. `worked` is how long it took, zero if there was nothing to read or
    /// embed.
    fn on_up_to_date(&self, _library: &Library, _worked: Duration) {}

    /// A run has failed. Another follows after a delay.
    fn on_failure(&self, _error: EngineError) {}

    /// There has been nothing to do for a while.
    fn on_idle(&self) {}

    /// The library refuses everything until it is reopened. The thread ends after this.
    fn on_library_refused(&self, notice: Notice);
}

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

/// What the thread shares with its handle.
pub(super) struct Shared {
    pub machine: Mutex<Machine>,
    /// Notified after each event, after a run, and when a change in the folders is noticed.
    pub changed: Condvar,
    pub power: Power,
    pub delays: RetryDelays,
}

impl Shared {
    pub fn on(&self, event: Event) {
        self.machine.lock().on(event);
        self.changed.notify_all();
    }

    /// Has the thread look at the watch again.
    pub fn wake(&self) {
        // A thread that is about to wait holds the lock, so it does not miss this.
        drop(self.machine.lock());
        self.changed.notify_all();
    }

    /// Waits until nothing runs. Returns whether that happened within `timeout`.
    pub fn wait_stopped(&self, timeout: Duration) -> bool {
        let until = Instant::now() + timeout;
        let mut machine = self.machine.lock();
        while machine.is_running() {
            if self.changed.wait_until(&mut machine, until).timed_out() {
                return !machine.is_running();
            }
        }
        true
    }
}

pub(super) struct IndexingThread {
    pub listener: Arc<dyn IndexerListener>,
    pub library: Arc<Library>,
    pub roles: Arc<Roles>,
    pub shared: Arc<Shared>,
    pub watch: Arc<Watch>,
}

impl IndexingThread {
    pub(super) fn run(self) {
        let mut published = None;
        while let Some(cancel) = self.next() {
            let outcome = self.run_once(&mut published, &cancel);
            let refusal = match &outcome {
                State::Refused(notice) => Some(notice.clone()),
                _ => None,
            };
            self.shared.machine.lock().finish(outcome);
            self.shared.changed.notify_all();
            // A library that refuses everything cannot be counted.
            self.report(refusal.is_none());
            if let Some(notice) = refusal {
                self.listener.on_library_refused(notice);
                break;
            }
        }
    }

    /// Waits until a run begins; `None` when the thread ends.
    fn next(&self) -> Option<CancelToken> {
        let Shared { machine, changed, power, .. } = &*self.shared;
        let mut machine = machine.lock();
        loop {
            let is_deferred = matches!(machine.state(), State::Deferred);
            // Some systems take their time: nobody waits for the state meanwhile.
            let has_power = is_deferred && MutexGuard::unlocked(&mut machine, || !power.defers());
            let now = Instant::now();
            let due = match machine.next(now, self.watch.next_look(), has_power) {
                Step::Run(cancel) => return Some(cancel),
                Step::End => return None,
                Step::Wait(due) => due,
            };
            let idle = now + if is_deferred { power.interval } else { IDLE_INTERVAL };
            let until = due.map_or(idle, |due| due.min(idle));
            if changed.wait_until(&mut machine, until).timed_out() && until == idle {
                MutexGuard::unlocked(&mut machine, || self.listener.on_idle());
            }
        }
    }

    /// Does a run, and returns the state that it leads to.
    fn run_once(&self, published: &mut Option<LastPublished>, cancel: &CancelToken) -> State {
        match self.index(cancel) {
            Ok((is_done, worked)) => {
                if self.publish(published, cancel) && is_done {
                    self.listener.on_up_to_date(&self.library, worked);
                }
                if is_done { State::Idle } else { State::Deferred }
            }
            Err(error) if error.is_cancelled() || cancel.is_cancelled() => State::Halted { scan_done: false },
            Err(error) => {
                let (delays, notice) = (&self.shared.delays, error.notice());
                let delay = match error {
                    _ if error.is_busy() => delays.busy,
                    EngineError::Model(_) => delays.model,
                    _ => delays.other,
                };
                let retry_at = Instant::now() + delay;
                self.listener.on_failure(error);
                if self.library.wants_reopening() {
                    State::Refused(notice)
                } else {
                    State::Failed(notice, retry_at)
                }
            }
        }
    }

    /// Publishes what has changed, if the library is published, until something new is noticed. A failure does not stop the
    /// indexing: it is reported, and tried again with the next run or when there is nothing else to do. Returns whether there was
    /// none.
    fn publish(&self, published: &mut Option<LastPublished>, cancel: &CancelToken) -> bool {
        let failed = match self.library.publish_changes(published, &mut |_| !self.watch.is_due(), cancel) {
            Ok(()) => None,
            // The next run goes on. While another process works on the library, that one publishes.
            Err(error) if error.is_cancelled() || error.is_busy() => {
                if let Some((_, at)) = &mut self.shared.machine.lock().unpublished {
                    *at = Instant::now() + IDLE_INTERVAL;
                }
                return true;
            }
            Err(error) => Some(error),
        };
        let unpublished = failed.as_ref().map(|error| (error.notice(), Instant::now() + IDLE_INTERVAL));
        self.shared.machine.lock().unpublished = unpublished;
        let is_published = failed.is_none();
        failed.into_iter().for_each(|error| self.listener.on_failure(error));
        is_published
    }

    /// Returns whether all is done, and how long it took if anything was read or embedded. Otherwise something waits for mains
    /// power.
    fn index(&self, cancel: &CancelToken) -> Result<(bool, Duration), EngineError> {
        let begun = Instant::now();
        // Another process may have changed it.
        prefer_embedder_of(&self.library, &self.roles)?;
        // Without a model documents are read all the same; the error comes when embedding begins.
        let fingerprint = self.roles.embedder_fingerprint().unwrap_or_else(|error| {
            tracing::warn!(%error, "the embedder is not known");
            None
        });
        let (mut last_sent, mut has_worked) = (None::<Instant>, false);
        let mut progress = |progress: IndexProgress<'_>| {
            has_worked |= matches!(progress, IndexProgress::Reading { .. } | IndexProgress::Embedding { .. });
            if let IndexProgress::Changed { path, change } = progress {
                self.listener.on_change(path, change);
            }
            let shown = self.shared.machine.lock().progress(&progress);
            let Some(is_new) = shown else { return };
            // The first progress tells the front that a run has begun.
            let is_new = is_new || last_sent.is_none();
            if is_new || last_sent.is_some_and(|sent| sent.elapsed() >= PROGRESS_INTERVAL) {
                last_sent = Some(Instant::now());
                self.report(is_new);
            }
        };
        // The model is loaded on this thread: it answers questions too.
        let is_done =
            in_background(self.roles.thread_begin().indexing, &|| indexing_embedder(&self.roles), |load| {
                let embedder = LazyEmbedder { fingerprint, load };
                let defers = || self.shared.power.defers();
                self.library.keep_up(&self.watch, &embedder, &mut progress, cancel, &defers)
            })?;
        Ok((is_done, if has_worked { begun.elapsed() } else { Duration::ZERO }))
    }

    /// Reports progress, unless the front closes.
    fn report(&self, recount: bool) {
        // The app's tray waits for the main thread, which waits for this one when the app closes.
        let is_ending = matches!(self.shared.machine.lock().state(), State::Ended);
        if !is_ending {
            self.listener.on_progress(recount);
        }
    }
}
