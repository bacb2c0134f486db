//! The indexing thread: it keeps the library up to date and reports to a listener.
//!
//! The thread decides when to run: at the start, after a change of folders, on request, and when the watch over the
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

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Notice};
use oriel_engine::{DocumentChange, EngineError, IndexProgress, LastPublished, LazyEmbedder, Library, Watch};
use oriel_models::Roles;

use crate::keep_up::activity::{Activity, StageProgress, embedding_rate};
use crate::keep_up::background::in_background;
use crate::keep_up::power::Power;
use crate::keep_up::run::indexing_embedder;
use crate::keep_up::run_state::{RetryDelays, Shared, State, Suspension, Yielding};
use crate::lock::lock;
use crate::models::prefer_embedder_of;

/// Progress is reported this often at most.
pub const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// How often a waiting thread reports that it is idle, or more often while work waits for mains power.
const IDLE_INTERVAL: Duration = Duration::from_secs(30);
/// When the user comes back and some folders are not watched, a scan older than this is repeated.
const STALE_SCAN: Duration = Duration::from_secs(20);
/// How long the end of a front waits for the end of a run.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);

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
    thread: std::thread::JoinHandle<()>,
    is_read_only: bool,
}

impl Indexer {
    /// Starts the thread. It does nothing until [`Indexer::rescan`], and never anything with a library that can only be read.
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
        let is_read_only = library.is_read_only();
        let state = Mutex::new(State::new(paused, saves_power));
        let shared = Arc::new(Shared { state, changed: Condvar::new(), delays, power });
        let noticing = Arc::clone(&shared);
        let watch = Arc::new(library.watch(move || {
            lock(&noticing.state).noticed = true;
            noticing.changed.notify_all();
        }));
        let runner =
            Runner { listener, library, roles, shared: Arc::clone(&shared), watch: Arc::clone(&watch) };
        let thread = std::thread::spawn(move || {
            if !is_read_only {
                runner.run();
            }
        });
        Self { shared, watch, thread, is_read_only }
    }

    /// Requests a scan of all folders, now or after the run in progress.
    pub fn rescan(&self) {
        self.watch.look_again();
        let mut state = lock(&self.shared.state);
        state.wanted = true;
        state.begun = true;
        state.halted = false;
        self.shared.changed.notify_all();
    }

    /// Requests a scan after a change of folders, unless the user ended a run that would then have work left.
    pub fn rescan_after_change(&self, leaves_work: bool) {
        let stays_halted = {
            let state = lock(&self.shared.state);
            state.halted && (leaves_work || !state.scan_done)
        };
        if stays_halted { self.watch.look_again() } else { self.rescan() }
    }

    /// Requests a scan of all folders some time after a failure, which is shown until then.
    pub fn rescan_after_failure(&self, notice: &Notice) {
        let mut state = lock(&self.shared.state);
        state.begun = true;
        state.next_due = Some(Instant::now() + self.shared.delays.other);
        if !state.paused {
            state.activity = Activity::Stopped { notice: notice.clone() };
        }
        self.shared.changed.notify_all();
    }

    /// Requests a scan if some folders are not watched and the last scan is old: the user comes back to the front.
    pub fn rescan_if_stale(&self) {
        let is_stale = !self.watch.is_whole() && {
            let state = lock(&self.shared.state);
            !state.halted && state.scanned.is_none_or(|scanned| scanned.elapsed() > STALE_SCAN)
        };
        if is_stale {
            self.rescan();
        }
    }

    /// Pauses until [`Indexer::resume`].
    pub fn pause(&self) {
        let mut state = lock(&self.shared.state);
        state.paused = true;
        state.cancel_run();
        if state.running.is_none() {
            state.activity = Activity::Paused;
        }
        self.shared.changed.notify_all();
    }

    /// Whether long work waits from now on while the computer runs on battery.
    pub fn save_power(&self, saves_power: bool) {
        lock(&self.shared.state).saves_power = saves_power;
        self.shared.changed.notify_all();
    }

    /// Whether it is paused until [`Indexer::resume`].
    #[must_use]
    pub fn is_paused(&self) -> bool {
        lock(&self.shared.state).paused
    }

    /// Whether a run was ever requested.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        lock(&self.shared.state).begun
    }

    /// Whether the user ended a run and has not asked for another.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        lock(&self.shared.state).halted
    }

    /// Resumes after a pause or a cancelled run, and what waits for mains power.
    pub fn resume(&self) {
        let is_on_battery = self.shared.power.is_on_battery();
        let mut state = lock(&self.shared.state);
        state.ignores_battery = is_on_battery;
        state.paused = false;
        state.halted = false;
        state.wanted = true;
        if matches!(state.activity, Activity::Paused | Activity::Deferred) {
            state.activity = Activity::Scanning { files: 0 };
        }
        self.shared.changed.notify_all();
    }

    /// Ends this run. Another begins on request.
    pub fn cancel(&self) {
        let mut state = lock(&self.shared.state);
        let has_work = state.running.is_some() || state.wanted || state.noticed;
        if has_work {
            state.halted = true;
            state.scan_done = matches!(state.activity, Activity::Reading(_) | Activity::Embedding(_));
        }
        state.wanted = false;
        state.cancel_run();
        if has_work && state.running.is_none() {
            state.activity = Activity::Paused;
        }
        self.shared.changed.notify_all();
    }

    /// Ends the run and the thread, and waits a moment for the run.
    pub fn end(&self) {
        let mut state = lock(&self.shared.state);
        state.ended = true;
        state.cancel_run();
        self.shared.changed.notify_all();
        self.shared.wait_stopped(state, STOP_TIMEOUT);
    }

    /// Suspends indexing until the result is dropped. `None` if the run in progress does not end within `timeout`.
    #[must_use]
    pub fn suspend(&self, timeout: Duration) -> Option<Suspension<'_>> {
        let mut state = lock(&self.shared.state);
        state.suspended = true;
        // The run that is stopped here was wanted, unless the user has ended it.
        state.wanted |= state.running.is_some() && !state.halted;
        state.cancel_run();
        // Dropped, and so undone, if the run does not end.
        let suspension = Suspension(&self.shared);
        self.shared.wait_stopped(state, timeout).then_some(suspension)
    }

    /// Holds the run in progress until the result is dropped, for work that a user waits for. No run begins meanwhile.
    #[must_use]
    pub fn give_way(&self) -> Yielding<'_> {
        let mut state = lock(&self.shared.state);
        state.yields += 1;
        state.running.iter().for_each(CancelToken::pause);
        Yielding(&self.shared)
    }

    /// Whether a run waits for a question, or is about to. A scan does not wait.
    #[must_use]
    pub fn is_yielding(&self) -> bool {
        let state = lock(&self.shared.state);
        let is_held = state.running.is_some() && !matches!(state.activity, Activity::Scanning { .. });
        state.yields > 0 && (is_held || state.wanted && !state.paused)
    }

    /// Seconds until all sentences can be found by meaning, while documents are still read; `sentences` have no vector yet.
    /// `None` if it cannot be estimated.
    #[must_use]
    pub fn meaning_left(&self, sentences: u64) -> Option<f64> {
        let state = lock(&self.shared.state);
        match &state.activity {
            Activity::Reading(work) if state.yields == 0 => {
                Some(work.left? + sentences as f64 / state.embedding_rate?)
            }
            _ => None,
        }
    }

    /// Why the library could not be published the last time.
    #[must_use]
    pub fn publish_trouble(&self) -> Option<Notice> {
        lock(&self.shared.state).publish_trouble.clone()
    }

    /// Ends the thread and releases the library.
    pub fn close(self) {
        self.end();
        if self.thread.join().is_err() {
            tracing::error!("the indexing thread had ended by a panic");
        }
    }

    /// What is being done.
    #[must_use]
    pub fn activity(&self) -> Activity {
        if self.is_read_only {
            return Activity::Idle;
        }
        let state = lock(&self.shared.state);
        if state.yields > 0 && state.wanted && !state.paused && state.running.is_none() {
            // A run that waits for a question begins with a scan.
            return Activity::Scanning { files: 0 };
        }
        state.activity.clone()
    }
}

/// What became of a run.
struct Run {
    /// Anything was read or embedded.
    has_worked: bool,
    /// Nothing waits for mains power.
    is_done: bool,
}

struct Runner {
    listener: Arc<dyn IndexerListener>,
    library: Arc<Library>,
    roles: Arc<Roles>,
    shared: Arc<Shared>,
    watch: Arc<Watch>,
}

impl Runner {
    fn run(self) {
        let mut published = None;
        while let Some(cancel) = self.next() {
            let begun = Instant::now();
            let activity = match self.index(&cancel) {
                Ok(Run { has_worked, is_done }) => {
                    let worked = if has_worked { begun.elapsed() } else { Duration::ZERO };
                    if self.publish(&mut published, &cancel) && is_done {
                        self.listener.on_up_to_date(&self.library, worked);
                    }
                    if is_done { Activity::Idle } else { Activity::Deferred }
                }
                // A cancelled run waits until someone resumes it.
                Err(error) if error.is_cancelled() || cancel.is_cancelled() => Activity::Paused,
                Err(error) => {
                    let (delays, notice) = (&self.shared.delays, error.notice());
                    let wait = match error {
                        _ if error.is_busy() => delays.busy,
                        EngineError::Model(_) => delays.model,
                        _ => delays.other,
                    };
                    lock(&self.shared.state).next_due = Some(Instant::now() + wait);
                    self.listener.on_failure(error);
                    Activity::Stopped { notice }
                }
            };
            let refusal = match &activity {
                Activity::Stopped { notice } if self.library.wants_reopening() => Some(notice.clone()),
                _ => None,
            };
            let mut state = lock(&self.shared.state);
            state.running = None;
            // A run that finished leaves nothing to resume.
            state.halted &= activity != Activity::Idle;
            state.activity = match activity {
                _ if state.paused => Activity::Paused,
                Activity::Paused if state.wanted => Activity::Idle,
                other => other,
            };
            self.shared.changed.notify_all();
            drop(state);
            // A library that refuses everything cannot be counted.
            self.report(refusal.is_none());
            if let Some(notice) = refusal {
                // The reopened library has a thread of its own.
                self.listener.on_library_refused(notice);
                break;
            }
        }
    }

    /// Waits until a run is wanted or due; `None` when the front closes.
    fn next(&self) -> Option<CancelToken> {
        let mut state = lock(&self.shared.state);
        loop {
            let is_deferred = state.activity == Activity::Deferred && !state.halted;
            if is_deferred {
                drop(state);
                let defers = self.shared.defers();
                state = lock(&self.shared.state);
                state.wanted |= !defers;
            }
            if state.ended {
                return None;
            }
            // After a failure, noticed changes wait with everything else.
            let is_time = state.next_due.map_or(state.noticed, |due| due <= Instant::now());
            let is_due = state.begun && !state.halted && is_time;
            if !state.paused && !state.suspended && state.yields == 0 && (state.wanted || is_due) {
                let cancel = CancelToken::new();
                state.wanted = false;
                state.noticed = false;
                state.scanned = Some(Instant::now());
                state.next_due = None;
                state.embedding_rate = None;
                state.running = Some(cancel.clone());
                return Some(cancel);
            }
            let until_due = state.next_due.map(|due| due.saturating_duration_since(Instant::now()));
            // A run that is due but may not begin needs no earlier look.
            let must_wait = state.paused || state.halted || state.suspended || state.yields > 0;
            let longest = if is_deferred { self.shared.power.interval } else { IDLE_INTERVAL };
            let rest = until_due.filter(|_| !must_wait).map_or(longest, |left| left.min(longest));
            let (woken, timed) =
                self.shared.changed.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner);
            state = woken;
            if timed.timed_out() {
                drop(state);
                self.listener.on_idle();
                state = lock(&self.shared.state);
                state.wanted |= state.publish_trouble.is_some() && !state.halted && !is_deferred;
            }
        }
    }

    /// Publishes what has changed, if the library is published, until something new is noticed. A failure does not stop the
    /// indexing: it is reported, and tried again with the next run or when there is nothing else to do. Returns whether there was
    /// none.
    fn publish(&self, published: &mut Option<LastPublished>, cancel: &CancelToken) -> bool {
        let mut go_on = |_| !lock(&self.shared.state).noticed;
        let failed = match self.library.publish_changes(published, &mut go_on, cancel) {
            Ok(()) => None,
            // The next run goes on. While another process works on the library, that one publishes.
            Err(error) if error.is_cancelled() || error.is_busy() => return true,
            Err(error) => Some(error),
        };
        lock(&self.shared.state).publish_trouble = failed.as_ref().map(EngineError::notice);
        let is_published = failed.is_none();
        failed.into_iter().for_each(|error| self.listener.on_failure(error));
        is_published
    }

    fn index(&self, cancel: &CancelToken) -> Result<Run, EngineError> {
        // Another process may have changed it.
        prefer_embedder_of(&self.library, &self.roles)?;
        // Without a model documents are read all the same; the error comes when embedding begins.
        let fingerprint = self.roles.embedder_fingerprint().unwrap_or_else(|error| {
            tracing::warn!(%error, "the embedder is not known");
            None
        });
        let mut stage = StageProgress::default();
        let (mut last_sent, mut has_worked) = (Instant::now(), false);
        let mut progress = |progress: IndexProgress<'_>| {
            has_worked |= matches!(progress, IndexProgress::Reading { .. } | IndexProgress::Embedding { .. });
            if let IndexProgress::Changed { path, change } = progress {
                self.listener.on_change(path, change);
            }
            let mut state = lock(&self.shared.state);
            let has_yielded = std::mem::take(&mut state.has_yielded) || state.yields > 0;
            let sampled = embedding_rate(&progress);
            if has_yielded || sampled.is_some() {
                stage.pause();
            }
            if !has_yielded && sampled.is_some() {
                state.embedding_rate = sampled;
            }
            let Some(activity) = stage.activity(&progress) else { return };
            let is_new = std::mem::discriminant(&activity) != std::mem::discriminant(&state.activity);
            state.activity = activity;
            drop(state);
            if is_new || last_sent.elapsed() >= PROGRESS_INTERVAL {
                last_sent = Instant::now();
                self.report(is_new);
            }
        };
        // The model is loaded on this thread: it answers questions too.
        let is_done =
            in_background(self.roles.thread_begin().indexing, &|| indexing_embedder(&self.roles), |load| {
                let embedder = LazyEmbedder { fingerprint, load };
                self.library.keep_up(&self.watch, &embedder, &mut progress, cancel, &|| self.shared.defers())
            })?;
        Ok(Run { has_worked, is_done })
    }

    /// Reports progress, unless the front closes.
    fn report(&self, recount: bool) {
        // The app's tray waits for the main thread, which waits for this one when the app closes.
        if !lock(&self.shared.state).ended {
            self.listener.on_progress(recount);
        }
    }
}
