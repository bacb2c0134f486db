//! What the indexing thread does now and does next. It is decided here and nowhere else, without threads, disk or clock:
//! fronts and thread report events, and the thread asks for its next step.
//!
//! A state is what holds while no run is in progress, or what follows the run: an event that stops a run cancels it, and
//! the run ends a moment later. So a pause holds when it returns. `Idle` leaves what follows to the outcome of the run.
//!
//! | state | meaning | what begins a run |
//! |---|---|---|
//! | `New` | no run was requested yet | |
//! | `Requested` | a run was requested | it begins at once |
//! | `Idle` | the library is up to date | a change in the folders, the next try to publish |
//! | `Deferred` | long work waits for mains power | mains power, a change in the folders |
//! | `Failed` | the last run failed | the time of its repetition |
//! | `Refused` | the library refuses everything | the thread ends: the reopened library has its own |
//! | `Halted` | the user ended a run | |
//! | `Paused` | the user paused | |
//! | `Ended` | the front closes | the thread ends |
//!
//! No run begins while indexing is suspended or a user waits for something else, whatever the state.
//!
//! | event | leads to | but these stay | a run |
//! |---|---|---|---|
//! | `Rescan`: a scan is wanted | `Requested` | `Paused` | |
//! | `FoldersChanged`: so is one after a change of the list | `Requested` | `Paused`; `Halted` if work would be left | |
//! | `RetryLater`: a run is wanted at a time | `Failed` | `Paused`, `Halted`, `Requested` | |
//! | `Pause` | `Paused` | | is cancelled |
//! | `Resume` | `Requested`, before the first request `New` | | |
//! | `Cancel`: the user ends the run | `Halted` | `Paused`; without a run all but `Requested` | is cancelled |
//! | `Suspend`: nothing may be indexed until `Unsuspend` | `Requested` if there is a run | `Paused`, `Halted` | is cancelled |
//! | `Yield`: a user waits for something until `Unyield` | | | waits |
//! | `End` | `Ended` | | is cancelled |
//!
//! `Ended` stays whatever comes, and `Refused` all but `Pause` and `End`.
//!
//! Events are not sent over a channel, because a question must not wait until the thread reads its next event. The caller
//! that reports an event changes the state, under its lock.

use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Notice};
use oriel_engine::IndexProgress;

use crate::keep_up::activity::{Activity, StageProgress};

/// When the user comes back and some folders are not watched, a scan older than this is repeated.
const STALE_SCAN: Duration = Duration::from_secs(20);

/// See above. `scan_done` if the run had finished its scan, so that all its remaining work is in the store's queue. A
/// failure has a reason, and the time of the next try.
pub(super) enum State {
    New,
    Requested,
    Idle,
    Deferred,
    Failed(Notice, Instant),
    Refused(Notice),
    Halted { scan_done: bool },
    Paused { has_begun: bool },
    Ended,
}

/// What fronts report. `leaves_work` if documents or sentences wait.
pub(super) enum Event {
    Rescan,
    FoldersChanged { leaves_work: bool },
    RetryLater(Notice, Instant),
    Pause,
    Resume,
    Cancel,
    Suspend,
    Unsuspend,
    Yield,
    Unyield,
    End,
}

/// What the thread does next: it runs under this token, waits for an event at most until this time, or ends.
pub(super) enum Step {
    Run(CancelToken),
    Wait(Option<Instant>),
    End,
}

/// The state, the run in progress, and what else the next step depends on.
pub(super) struct Machine {
    state: State,
    run: Option<Run>,
    /// How many things are done during which nothing may be indexed.
    suspensions: usize,
    /// How many things that a user waits for go first.
    yields: usize,
    /// When a run last began.
    last_begun: Option<Instant>,
    /// Why the last publication failed, and when it is tried again if no run publishes earlier.
    pub(super) unpublished: Option<(Notice, Instant)>,
}

/// The run in progress.
struct Run {
    cancel: CancelToken,
    /// What was last shown.
    activity: Activity,
    stage: StageProgress,
    /// Sentences embedded per second, if this run has measured it.
    embedding_rate: Option<f64>,
    /// Whether it has waited for a user's question since its last progress.
    has_yielded: bool,
}

impl Machine {
    pub(super) fn new(is_paused: bool) -> Self {
        let state = if is_paused { State::Paused { has_begun: false } } else { State::New };
        Self { state, run: None, suspensions: 0, yields: 0, last_begun: None, unpublished: None }
    }

    pub(super) fn on(&mut self, event: Event) {
        match event {
            Event::Suspend => self.suspensions += 1,
            Event::Unsuspend => self.suspensions -= 1,
            Event::Yield => self.yields += 1,
            Event::Unyield => self.yields -= 1,
            _ => {}
        }
        if let Some(run) = &mut self.run {
            match event {
                Event::Yield => run.cancel.pause(),
                Event::Unyield if self.yields == 0 => {
                    run.has_yielded = true;
                    run.cancel.resume();
                }
                Event::Pause | Event::Cancel | Event::Suspend | Event::End => run.cancel.cancel(),
                _ => {}
            }
        }
        if let Some(next) = self.after(event) {
            self.state = next;
        }
    }

    /// The state that an event leads to; `None` if it stays.
    fn after(&self, event: Event) -> Option<State> {
        let scan_done = self.run.as_ref().map(Run::has_scanned);
        Some(match (&self.state, event) {
            (State::Ended, _) => return None,
            (_, Event::End) => State::Ended,
            (State::New | State::Paused { has_begun: false }, Event::Pause) => {
                State::Paused { has_begun: false }
            }
            (_, Event::Pause) => State::Paused { has_begun: true },
            (State::Refused(_), _) => return None,
            (State::New | State::Paused { has_begun: false }, Event::Resume) => State::New,
            (_, Event::Resume) => State::Requested,
            (State::Halted { scan_done }, Event::FoldersChanged { leaves_work })
                if leaves_work || !scan_done =>
            {
                return None;
            }
            (State::Paused { .. }, Event::Rescan | Event::FoldersChanged { .. } | Event::RetryLater(..)) => {
                State::Paused { has_begun: true }
            }
            (_, Event::Rescan | Event::FoldersChanged { .. }) => State::Requested,
            (State::Halted { .. } | State::Requested, Event::RetryLater(..)) => return None,
            (_, Event::RetryLater(notice, at)) => State::Failed(notice, at),
            (State::Paused { .. }, _) => return None,
            (State::Requested, Event::Cancel) => State::Halted { scan_done: scan_done == Some(true) },
            (_, Event::Cancel) => State::Halted { scan_done: scan_done? },
            (State::Halted { .. }, _) => return None,
            (_, Event::Suspend) => scan_done.map(|_| State::Requested)?,
            (_, Event::Unsuspend | Event::Yield | Event::Unyield) => return None,
        })
    }

    /// What the thread does next. `change_due` is when a change in the folders is due, `has_power` whether long work may be
    /// done.
    pub(super) fn next(&mut self, now: Instant, change_due: Option<Instant>, has_power: bool) -> Step {
        let due = match &self.state {
            State::Ended | State::Refused(_) => return Step::End,
            State::Requested => Some(now),
            State::Idle => change_due.into_iter().chain(self.unpublished.as_ref().map(|(_, at)| *at)).min(),
            State::Deferred if has_power => Some(now),
            State::Deferred => change_due,
            State::Failed(_, retry_at) => Some(*retry_at),
            State::New | State::Halted { .. } | State::Paused { .. } => None,
        };
        match due.filter(|_| self.suspensions == 0 && self.yields == 0) {
            Some(due) if due <= now => Step::Run(self.begin(now)),
            due => Step::Wait(due),
        }
    }

    fn begin(&mut self, now: Instant) -> CancelToken {
        let (cancel, activity, stage) = (CancelToken::new(), self.activity(), StageProgress::default());
        self.run =
            Some(Run { cancel: cancel.clone(), activity, stage, embedding_rate: None, has_yielded: false });
        (self.state, self.last_begun) = (State::Idle, Some(now));
        cancel
    }

    /// Records the end of the run in progress, and the state that it leads to if nothing else was decided meanwhile.
    pub(super) fn finish(&mut self, outcome: State) {
        self.run = None;
        match (&self.state, &outcome) {
            (State::Paused { .. } | State::Ended, _) => {}
            // A run that is done leaves nothing to resume.
            (State::Idle, _) | (_, State::Refused(_)) | (State::Halted { .. }, State::Idle) => {
                self.state = outcome;
            }
            _ => {}
        }
    }

    /// Records progress of the run. Returns whether it has come to another stage; `None` if nothing is shown of it.
    pub(super) fn progress(&mut self, progress: &IndexProgress<'_>) -> Option<bool> {
        let run = self.run.as_mut()?;
        let has_yielded = std::mem::take(&mut run.has_yielded) || self.yields > 0;
        let sampled = match progress {
            IndexProgress::Sampled { sentences, took } if !took.is_zero() => {
                Some(*sentences as f64 / took.as_secs_f64())
            }
            _ => None,
        };
        if has_yielded || sampled.is_some() {
            run.stage.pause();
        }
        if !has_yielded && sampled.is_some() {
            run.embedding_rate = sampled;
        }
        let activity = run.stage.activity(progress)?;
        let is_new = std::mem::discriminant(&activity) != std::mem::discriminant(&run.activity);
        run.activity = activity;
        Some(is_new)
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// Whether a run was ever requested.
    pub(super) fn has_begun(&self) -> bool {
        !matches!(self.state, State::New | State::Paused { has_begun: false })
    }

    /// Whether the last scan is so old that the user who comes back gets another.
    pub(super) fn is_stale(&self, now: Instant) -> bool {
        let is_halted = matches!(self.state, State::Halted { .. });
        !is_halted && self.last_begun.is_none_or(|begun| now > begun + STALE_SCAN)
    }

    /// Whether a run waits for a question, or is about to. A scan does not wait.
    pub(super) fn is_yielding(&self) -> bool {
        let waits = match &self.run {
            Some(run) => !matches!(run.activity, Activity::Scanning { .. }),
            None => matches!(self.state, State::Requested),
        };
        waits && self.yields > 0
    }

    /// What is shown.
    pub(super) fn activity(&self) -> Activity {
        if let Some(run) = &self.run {
            return run.activity.clone();
        }
        match &self.state {
            // A run begins with a scan.
            State::Requested if self.suspensions == 0 => Activity::Scanning { files: 0 },
            State::New | State::Requested | State::Idle | State::Ended => Activity::Idle,
            State::Deferred => Activity::Deferred,
            State::Failed(notice, _) | State::Refused(notice) => Activity::Stopped { notice: notice.clone() },
            State::Halted { .. } | State::Paused { .. } => Activity::Paused,
        }
    }

    /// Seconds until all sentences have a vector, while documents are still read; `sentences` have none yet.
    pub(super) fn meaning_left(&self, sentences: u64) -> Option<f64> {
        let run = self.run.as_ref().filter(|_| self.yields == 0)?;
        let Activity::Reading(work) = &run.activity else { return None };
        Some(work.left? + sentences as f64 / run.embedding_rate?)
    }
}

impl Run {
    fn has_scanned(&self) -> bool {
        matches!(self.activity, Activity::Reading(_) | Activity::Embedding(_))
    }
}

#[cfg(test)]
mod tests;
