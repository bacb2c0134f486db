//! The handle on the indexing thread, which keeps the library up to date and reports to a listener.
//!
//! `state` says when the thread runs: at the start, after a change of folders, on request, and when the watch over the
//! folders has noticed something. Pausing cancels a run. What is committed stays, and the next run continues from
//! there.
//!
//! Indexing waits while a question is answered. Even at niceness 15 on two cores it delayed the first word of an answer
//! with a full prompt to 16.4 and 24.4 s from 12.3 and 16.1, and passages to 0.55 s from 0.35. So no run begins then,
//! and a current run waits before the next file, the next transaction of documents or the next request to the embedder
//! (64 sentences). It holds no transaction there, only the lock for indexing, and the wait does not count in its time
//! estimate. An `oriel watch` that indexes in its place does not wait.
//!
//! If another process indexes the same library, the thread reports that and waits. A pause lasts until the user
//! resumes.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use oriel_core::Notice;
use oriel_engine::{Library, Watch};
use oriel_models::Roles;
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::keep_up::activity::Activity;
use crate::keep_up::power::Power;
use crate::keep_up::state::{Event, Machine, State};
use crate::keep_up::thread::{IndexerListener, IndexingThread, RetryDelays, Shared};
use crate::models::prefer_embedder_of;

/// How long the end of a front waits for the end of a run.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);

/// How the indexing thread begins.
#[derive(Debug, Default)]
pub struct IndexerOptions {
    /// Nothing is done until [`Indexer::resume`].
    pub paused: bool,
    /// Long work waits while the computer runs on battery.
    pub saves_power: bool,
    /// Tells whether the computer runs on battery.
    pub power: Power,
    /// How long to wait after a failure.
    pub delays: RetryDelays,
}

/// A handle on the indexing thread.
pub struct Indexer {
    shared: Arc<Shared>,
    watch: Arc<Watch>,
    /// `None` if the library can only be read, so that nothing is ever done with it.
    thread: Option<JoinHandle<()>>,
}

impl Indexer {
    /// Starts the thread. It does nothing until a run is requested.
    pub fn start(
        listener: Arc<dyn IndexerListener>,
        library: Arc<Library>,
        roles: Arc<Roles>,
        IndexerOptions { paused, saves_power, power, delays }: IndexerOptions,
    ) -> Self {
        // The first run does so as well, but models may be loaded before.
        if let Err(error) = prefer_embedder_of(&library, &roles) {
            tracing::warn!(%error, "the library's embedder is not known");
        }
        power.save(saves_power);
        let machine = Mutex::new(Machine::new(paused));
        let shared = Arc::new(Shared { machine, changed: Condvar::new(), power, delays });
        let woken = Arc::clone(&shared);
        let watch = Arc::new(library.watch(move || woken.wake()));
        let is_read_only = library.is_read_only();
        let thread = IndexingThread {
            listener,
            library,
            roles,
            shared: Arc::clone(&shared),
            watch: Arc::clone(&watch),
        };
        let thread = (!is_read_only).then(|| std::thread::spawn(move || thread.run()));
        Self { shared, watch, thread }
    }

    /// Requests the first run. Returns whether it is the first.
    pub fn begin(&self) -> bool {
        let mut machine = self.machine();
        let is_first = !machine.has_begun();
        if is_first {
            machine.on(Event::Rescan);
            self.shared.changed.notify_all();
        }
        is_first
    }

    /// Requests a scan of all folders, now or after the run in progress.
    pub fn rescan(&self) {
        self.watch.look_again();
        self.shared.on(Event::Rescan);
    }

    /// Requests a scan after a change of folders, unless the user ended a run that would then have work left.
    pub fn rescan_after_change(&self, leaves_work: bool) {
        self.watch.look_again();
        self.shared.on(Event::FoldersChanged { leaves_work });
    }

    /// Requests a scan of all folders some time after a failure, which is shown until then.
    pub fn rescan_after_failure(&self, notice: &Notice) {
        let at = Instant::now() + self.shared.delays.other;
        self.shared.on(Event::RetryLater(notice.clone(), at));
    }

    /// Requests a scan if some folders are not watched and the last scan is old: the user comes back to the front.
    pub fn rescan_if_stale(&self) {
        if !self.watch.is_whole() && self.machine().is_stale(Instant::now()) {
            self.rescan();
        }
    }

    /// Pauses until [`Indexer::resume`].
    pub fn pause(&self) {
        self.shared.on(Event::Pause);
    }

    /// Resumes after a pause or a cancelled run, and what waits for mains power.
    pub fn resume(&self) {
        self.shared.power.resume();
        self.shared.on(Event::Resume);
    }

    /// Ends this run. Another begins on request.
    pub fn cancel(&self) {
        self.shared.on(Event::Cancel);
    }

    /// Whether long work waits from now on while the computer runs on battery.
    pub fn save_power(&self, saves_power: bool) {
        self.shared.power.save(saves_power);
        self.shared.wake();
    }

    /// Suspends indexing until the result is dropped. `None` if the run in progress does not end within `timeout`.
    #[must_use]
    pub fn suspend(&self, timeout: Duration) -> Option<Hold<'_>> {
        self.shared.on(Event::Suspend);
        // Dropped, and so undone, if the run does not end.
        let suspension = Hold(&self.shared, || Event::Unsuspend);
        self.shared.wait_stopped(timeout).then_some(suspension)
    }

    /// Holds the run in progress until the result is dropped, for work that a user waits for. No run begins meanwhile.
    #[must_use]
    pub fn give_way(&self) -> Hold<'_> {
        self.shared.on(Event::Yield);
        Hold(&self.shared, || Event::Unyield)
    }

    /// Ends the run and the thread, and waits a moment for the run.
    pub fn end(&self) {
        self.shared.on(Event::End);
        self.shared.wait_stopped(STOP_TIMEOUT);
    }

    /// Ends the thread and releases the library.
    pub fn close(self) {
        self.end();
        if self.thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the indexing thread had ended by a panic");
        }
    }

    /// What is being done.
    #[must_use]
    pub fn activity(&self) -> Activity {
        match self.thread {
            Some(_) => self.machine().activity(),
            None => Activity::Idle,
        }
    }

    /// Whether a run waits for a question, or is about to. A scan does not wait.
    #[must_use]
    pub fn is_yielding(&self) -> bool {
        self.thread.is_some() && self.machine().is_yielding()
    }

    /// Seconds until all sentences can be found by meaning, while documents are still read; `sentences` have no vector yet.
    /// `None` if it cannot be estimated.
    #[must_use]
    pub fn meaning_left(&self, sentences: u64) -> Option<f64> {
        self.machine().meaning_left(sentences)
    }

    /// Why the library could not be published the last time.
    #[must_use]
    pub fn publish_trouble(&self) -> Option<Notice> {
        self.machine().unpublished.as_ref().map(|(notice, _)| notice.clone())
    }

    /// Whether a run was ever requested.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.machine().has_begun()
    }

    /// Whether it is paused until [`Indexer::resume`].
    #[must_use]
    pub fn is_paused(&self) -> bool {
        matches!(self.machine().state(), State::Paused { .. })
    }

    /// Whether the user ended a run and has not asked for another.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        matches!(self.machine().state(), State::Halted { .. })
    }

    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.shared.machine.lock()
    }
}

/// Keeps the indexing from going on until it is dropped. Work that was in progress, or was requested meanwhile, follows.
pub struct Hold<'a>(&'a Shared, fn() -> Event);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.on((self.1)());
    }
}
