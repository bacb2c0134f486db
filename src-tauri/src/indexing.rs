//! The thread that keeps the library up to date, and what the window hears of it.
//!
//! It decides when: at the start, after a change of folders, on request, when the watch over the folders has noticed
//! something. What is to be done, and in what order, is the engine's matter. Pausing is cancelling: what is committed
//! stays, and the next run goes on from there.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Embedder, ModelError};
use oriel_engine::{EngineError, IndexProgress, LazyEmbedder, Library, Watch};
use oriel_models::Roles;
use tauri::{AppHandle, Manager as _};

use crate::app::{App, lock, refuses};
use crate::folders;
use crate::ipc::Activity;
use crate::priority::in_background;
use crate::stage::Stage;
use crate::{keeping, tray};

mod state;

pub(crate) use state::{Rest, Yielding};
use state::{Shared, State};

/// How often the window hears of progress at most.
const TICK: Duration = Duration::from_millis(100);
/// How long another indexer's work is waited for before it is looked at again.
const BUSY: Duration = Duration::from_secs(2);
/// How long the thread rests at most before it looks whether the generator can go.
const REST: Duration = Duration::from_secs(30);
/// How long after a failure that is not the documents' it is tried again: the disk may have room by then.
const TROUBLE: Duration = Duration::from_secs(10);
/// The same after a failure of a model, which takes its time to load.
const MODEL: Duration = Duration::from_secs(30);
/// From how old on a scan is made anew when the person comes back and not all folders can be watched.
const STALE: Duration = Duration::from_secs(20);
/// From how long on the end of a run is worth a notification.
const LONG: Duration = Duration::from_secs(60);

/// A handle on the thread.
pub(crate) struct Indexing {
    shared: Arc<Shared>,
    watch: Arc<Watch>,
    thread: std::thread::JoinHandle<()>,
}

impl Indexing {
    /// Starts the thread; nothing is done until [`Indexing::rescan`].
    pub(crate) fn begin(handle: AppHandle, library: Arc<Library>, roles: Arc<Roles>, paused: bool) -> Self {
        let activity = if paused { Activity::Paused } else { Activity::Idle };
        let state = State {
            wanted: false,
            noticed: false,
            begun: false,
            paused,
            halted: false,
            on_ledger: false,
            resting: false,
            ahead: 0,
            waited: false,
            ended: false,
            running: None,
            scanned: None,
            again: None,
            activity,
            embeds: None,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let noticing = Arc::clone(&shared);
        let watch = Arc::new(library.watch(move || {
            lock(&noticing.state).noticed = true;
            noticing.changed.notify_all();
        }));
        let runner =
            Runner { handle, library, roles, shared: Arc::clone(&shared), watch: Arc::clone(&watch) };
        let thread = std::thread::spawn(move || runner.run());
        Self { shared, watch, thread }
    }

    /// Wants a look at all folders: now, or after the run that is going on.
    pub(crate) fn rescan(&self) {
        self.watch.look_again();
        let mut state = lock(&self.shared.state);
        state.wanted = true;
        state.begun = true;
        state.halted = false;
        self.shared.changed.notify_all();
    }

    /// Folders have changed: wants a look at all, save where the person ended a run that leaves something to do.
    pub(crate) fn look_again(&self, leaves_something: bool) {
        let stays_halted = {
            let state = lock(&self.shared.state);
            state.halted && (leaves_something || !state.on_ledger)
        };
        if stays_halted { self.watch.look_again() } else { self.rescan() }
    }

    /// Wants a look at all folders some time after a trouble, which is told until then.
    pub(crate) fn begin_later(&self, trouble: &str) {
        let mut state = lock(&self.shared.state);
        state.begun = true;
        state.again = Some(Instant::now() + TROUBLE);
        if !state.paused {
            state.activity = Activity::Stopped { message: trouble.into() };
        }
        self.shared.changed.notify_all();
    }

    /// Wants a look at all folders where not all of them are watched and the last run is some time ago: the person comes
    /// back to the window.
    pub(crate) fn rescan_if_stale(&self) {
        let is_stale = !self.watch.is_whole() && {
            let state = lock(&self.shared.state);
            !state.halted && state.scanned.is_none_or(|scanned| scanned.elapsed() > STALE)
        };
        if is_stale {
            self.rescan();
        }
    }

    /// Stops, and stays stopped until [`Indexing::resume`].
    pub(crate) fn pause(&self) {
        let mut state = lock(&self.shared.state);
        state.paused = true;
        state.stop();
        if state.running.is_none() {
            state.activity = Activity::Paused;
        }
        self.shared.changed.notify_all();
    }

    /// Whether it is stopped until [`Indexing::resume`].
    pub(crate) fn is_paused(&self) -> bool {
        lock(&self.shared.state).paused
    }

    /// Whether anybody has wanted a run yet.
    pub(crate) fn has_begun(&self) -> bool {
        lock(&self.shared.state).begun
    }

    /// Whether the person ended a run and wants none until they say so.
    pub(crate) fn is_halted(&self) -> bool {
        lock(&self.shared.state).halted
    }

    /// Goes on.
    pub(crate) fn resume(&self) {
        let mut state = lock(&self.shared.state);
        state.paused = false;
        state.halted = false;
        state.wanted = true;
        if state.activity == Activity::Paused {
            state.activity = Activity::Scanning { files: 0 };
        }
        self.shared.changed.notify_all();
    }

    /// Ends this run; another begins when someone wants it.
    pub(crate) fn cancel(&self) {
        let mut state = lock(&self.shared.state);
        let has_work = state.running.is_some() || state.wanted || state.noticed;
        if has_work {
            state.halted = true;
            state.on_ledger = matches!(state.activity, Activity::Reading(_) | Activity::Embedding(_));
        }
        state.wanted = false;
        state.stop();
        if has_work && state.running.is_none() {
            state.activity = Activity::Paused;
        }
        self.shared.changed.notify_all();
    }

    /// Ends the run and the thread, and waits a moment for both.
    pub(crate) fn end(&self) {
        let mut state = lock(&self.shared.state);
        state.ended = true;
        state.stop();
        self.shared.changed.notify_all();
        self.shared.stopped(state, Duration::from_secs(3));
    }

    /// Stops for as long as the result is there; `None` where the run that is going on does not end within `patience`.
    pub(crate) fn rest(&self, patience: Duration) -> Option<Rest<'_>> {
        let mut state = lock(&self.shared.state);
        state.resting = true;
        // What is stopped here was wanted, where nobody took that back.
        state.wanted |= state.running.is_some() && !state.halted;
        state.stop();
        // Goes on by itself where the run did not end.
        let rest = Rest(&self.shared);
        self.shared.stopped(state, patience).then_some(rest)
    }

    /// Has a run wait for as long as the result is there; it goes on where it was. None begins meanwhile.
    pub(crate) fn give_way(&self) -> Yielding<'_> {
        let mut state = lock(&self.shared.state);
        state.ahead += 1;
        state.running.iter().for_each(CancelToken::pause);
        Yielding(&self.shared)
    }

    /// Whether a run waits, or is about to. A look at folders does not.
    pub(crate) fn is_yielding(&self) -> bool {
        let state = lock(&self.shared.state);
        let is_held = state.running.is_some() && !matches!(state.activity, Activity::Scanning { .. });
        state.ahead > 0 && (is_held || state.wanted && !state.paused)
    }

    /// How many seconds it takes until so many sentences that have no vector yet have one, while documents are read before;
    /// `None` where it cannot be told.
    pub(crate) fn meaning_left(&self, sentences: u64) -> Option<f64> {
        let state = lock(&self.shared.state);
        match &state.activity {
            Activity::Reading(work) if state.ahead == 0 => {
                Some(work.left? + sentences as f64 / state.embeds?)
            }
            _ => None,
        }
    }

    /// Ends the thread and lets go of the library.
    pub(crate) fn close(self) {
        self.end();
        if self.thread.join().is_err() {
            tracing::error!("the indexing thread had ended by a panic");
        }
    }

    /// What is being done.
    pub(crate) fn activity(&self) -> Activity {
        let state = lock(&self.shared.state);
        if state.ahead > 0 && state.wanted && !state.paused && state.running.is_none() {
            // What has to wait until a question is answered begins with a look at the folders.
            return Activity::Scanning { files: 0 };
        }
        state.activity.clone()
    }
}

struct Runner {
    handle: AppHandle,
    library: Arc<Library>,
    roles: Arc<Roles>,
    shared: Arc<Shared>,
    watch: Arc<Watch>,
}

impl Runner {
    fn run(self) {
        while let Some(cancel) = self.next() {
            let begun = Instant::now();
            let activity = match self.index(&cancel) {
                Ok(read) => {
                    if read && begun.elapsed() > LONG {
                        tray::notify_done(&self.handle);
                    }
                    Activity::Idle
                }
                // What was cancelled stands still until someone wants it to go on.
                Err(error) if error.is_cancelled() => Activity::Paused,
                Err(error) => {
                    let wait = match error {
                        // Another process does the work; it is looked at again when it may be done.
                        _ if error.is_busy() => BUSY,
                        EngineError::Model(_) => MODEL,
                        _ => TROUBLE,
                    };
                    lock(&self.shared.state).again = Some(Instant::now() + wait);
                    Activity::Stopped { message: error.to_string() }
                }
            };
            let trouble = match &activity {
                Activity::Stopped { message } if refuses(&self.library) => Some(message.clone()),
                _ => None,
            };
            let mut state = lock(&self.shared.state);
            state.running = None;
            // A run that came to its end leaves nothing to be halted.
            state.halted &= activity != Activity::Idle;
            state.activity = match activity {
                _ if state.paused => Activity::Paused,
                Activity::Paused if state.wanted => Activity::Idle,
                other => other,
            };
            self.shared.changed.notify_all();
            drop(state);
            // What refuses everything counts nothing either.
            self.tell(trouble.is_none());
            if let (Some(trouble), Some(app)) = (trouble, self.handle.try_state::<Arc<App>>()) {
                // With the library that is opened then a new thread begins.
                keeping::reopen(&app, trouble);
                break;
            }
        }
    }

    /// Waits until a run is wanted, or due; `None` when the app closes.
    fn next(&self) -> Option<CancelToken> {
        let mut state = lock(&self.shared.state);
        loop {
            if state.ended {
                return None;
            }
            // After a trouble what is noticed waits with the rest.
            let is_time = state.again.map_or(state.noticed, |again| again <= Instant::now());
            let is_due = state.begun && !state.halted && is_time;
            if !state.paused && !state.resting && state.ahead == 0 && (state.wanted || is_due) {
                let cancel = CancelToken::new();
                state.wanted = false;
                state.noticed = false;
                state.scanned = Some(Instant::now());
                state.again = None;
                state.embeds = None;
                state.running = Some(cancel.clone());
                return Some(cancel);
            }
            let rest =
                state.again.map_or(REST, |again| again.saturating_duration_since(Instant::now()).min(REST));
            // What is due stays due until the person wants it again.
            let must_wait = state.paused || state.halted || state.resting || state.ahead > 0;
            let rest = if must_wait { REST } else { rest };
            let (woken, timed) =
                self.shared.changed.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner);
            state = woken;
            if timed.timed_out() {
                drop(state);
                if let Some(app) = self.handle.try_state::<Arc<App>>() {
                    app.release_if_idle();
                }
                state = lock(&self.shared.state);
            }
        }
    }

    /// One run; whether anything was read.
    fn index(&self, cancel: &CancelToken) -> Result<bool, EngineError> {
        let load = || -> Result<Arc<dyn Embedder>, ModelError> {
            self.roles.indexing_embedder()?.ok_or_else(|| {
                ModelError::Failed(
                    "no model that finds by meaning is here, so documents are found by their words only; Settings, Models and device offers one".into(),
                )
            })
        };
        // Where it is not here, documents are read all the same; what wants it says so then.
        let fingerprint = self.roles.embedder_fingerprint().unwrap_or_else(|error| {
            tracing::warn!(%error, "the embedder is not known");
            None
        });
        let mut stage = Stage::new();
        let (mut told, mut read) = (Instant::now(), false);
        let mut progress = |progress: IndexProgress<'_>| {
            read |= matches!(progress, IndexProgress::Reading { .. } | IndexProgress::Embedding { .. });
            let mut state = lock(&self.shared.state);
            let waited = std::mem::take(&mut state.waited) || state.ahead > 0;
            let sampled = Stage::embeds(&progress);
            if waited || sampled.is_some() {
                stage.waited();
            }
            if !waited && sampled.is_some() {
                state.embeds = sampled;
            }
            let Some(activity) = stage.activity(&progress) else { return };
            let is_new = std::mem::discriminant(&activity) != std::mem::discriminant(&state.activity);
            state.activity = activity;
            drop(state);
            if is_new || told.elapsed() >= TICK {
                told = Instant::now();
                self.tell(is_new);
            }
        };
        // The model is loaded here: it answers questions too.
        in_background(&load, |load| {
            let embedder = LazyEmbedder { fingerprint, load };
            self.library.keep_up(&self.watch, &embedder, &mut progress, cancel)
        })?;
        Ok(read)
    }

    /// Tells the window and the tray; with new counts where `recount`, or where they are due.
    fn tell(&self, recount: bool) {
        // The tray waits for the main thread, which waits for this one when the app closes.
        if lock(&self.shared.state).ended {
            return;
        }
        let Some(app) = self.handle.try_state::<Arc<App>>() else { return };
        folders::tell(&app, recount);
        app.release_if_idle();
    }
}
