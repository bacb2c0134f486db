//! The orders of events that users cause.

use std::path::Path;

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// The token of the run that begins now, if one does.
fn begins(machine: &mut Machine, change_due: Option<Instant>) -> Option<CancelToken> {
    match machine.next(Instant::now(), change_due, false) {
        Step::Run(cancel) => Some(cancel),
        Step::Wait(_) | Step::End => None,
    }
}

/// A machine whose first run is in progress.
fn running() -> (Machine, CancelToken) {
    let mut machine = Machine::new(false);
    machine.on(Event::Rescan);
    let cancel = begins(&mut machine, None).unwrap();
    (machine, cancel)
}

/// One that is up to date.
fn idle() -> Machine {
    let (mut machine, _) = running();
    machine.finish(State::Idle);
    machine
}

/// What a cancelled run leads to, unless something else was decided.
fn cancelled() -> State {
    State::Halted { scan_done: false }
}

fn is_paused(machine: &Machine) -> bool {
    matches!(machine.state, State::Paused { .. })
}

fn is_halted(machine: &Machine) -> bool {
    matches!(machine.state, State::Halted { .. })
}

fn read(machine: &mut Machine, done: usize) -> Option<bool> {
    machine.progress(&IndexProgress::Reading { done, total: 9, path: Path::new("/a.txt") })
}

fn failed(machine: &mut Machine, retry_at: Instant) {
    machine.finish(State::Failed(Notice::text("full"), retry_at));
}

fn stopped() -> Activity {
    Activity::Stopped { notice: Notice::text("full") }
}

#[test]
fn nothing_runs_before_the_first_request_and_a_change_begins_a_run_afterwards() {
    let now = Instant::now();
    let mut machine = Machine::new(false);
    assert!(begins(&mut machine, Some(now)).is_none() && !machine.has_begun());
    machine.on(Event::Rescan);
    assert_eq!(machine.activity(), Activity::Scanning { files: 0 });
    assert!(begins(&mut machine, None).is_some() && machine.has_begun());
    machine.finish(State::Idle);
    assert_eq!(machine.activity(), Activity::Idle);
    let later = now + 60 * SECOND;
    assert!(matches!(machine.next(now, Some(later), true), Step::Wait(Some(due)) if due == later));
    assert!(matches!(machine.next(now, None, true), Step::Wait(None)));
    assert!(begins(&mut machine, Some(now)).is_some());
    assert_eq!(machine.activity(), Activity::Idle, "it may find nothing to do");
}

#[test]
fn a_pause_during_a_scan_holds_whatever_the_run_still_does() {
    let (mut machine, cancel) = running();
    machine.progress(&IndexProgress::Scanning { files: 7 });
    machine.on(Event::Pause);
    assert!(cancel.is_cancelled() && is_paused(&machine) && machine.is_running());
    assert_eq!(machine.activity(), Activity::Scanning { files: 7 }, "it has not stopped yet");
    machine.on(Event::Rescan);
    machine.on(Event::Cancel);
    machine.finish(cancelled());
    assert!(is_paused(&machine) && !is_halted(&machine));
    assert_eq!(machine.activity(), Activity::Paused);
    assert!(begins(&mut machine, Some(Instant::now())).is_none());
    machine.on(Event::Resume);
    assert!(begins(&mut machine, None).is_some());
}

#[test]
fn a_run_that_ends_well_or_badly_while_it_is_paused_is_paused_too() {
    for outcome in [State::Idle, State::Deferred] {
        let (mut machine, _) = running();
        machine.on(Event::Pause);
        machine.finish(outcome);
        assert_eq!(machine.activity(), Activity::Paused);
    }
    let (mut machine, _) = running();
    machine.on(Event::Pause);
    failed(&mut machine, Instant::now());
    assert!(begins(&mut machine, None).is_none());
}

#[test]
fn what_changes_or_is_requested_during_a_pause_waits_until_the_user_resumes() {
    let mut machine = Machine::new(true);
    assert_eq!((machine.activity(), machine.has_begun()), (Activity::Paused, false));
    machine.on(Event::Rescan);
    machine.on(Event::FoldersChanged { leaves_work: false });
    assert!(begins(&mut machine, Some(Instant::now())).is_none() && machine.has_begun());
    machine.on(Event::Resume);
    assert!(!is_paused(&machine) && begins(&mut machine, None).is_some());

    let mut machine = Machine::new(true);
    machine.on(Event::Resume);
    assert!(begins(&mut machine, Some(Instant::now())).is_none() && !machine.has_begun());
}

#[test]
fn a_pause_that_is_taken_back_before_the_run_has_stopped_leads_to_another_run() {
    let (mut machine, cancel) = running();
    machine.on(Event::Pause);
    machine.on(Event::Resume);
    assert!(cancel.is_cancelled() && !is_paused(&machine));
    machine.finish(cancelled());
    let next = begins(&mut machine, None).expect("it goes on");
    assert!(!next.is_cancelled());
}

#[test]
fn the_end_ends_what_runs_waits_or_is_paused() {
    let (mut machine, cancel) = running();
    machine.on(Event::End);
    assert!(cancel.is_cancelled() && machine.is_running());
    machine.on(Event::Resume);
    machine.finish(cancelled());
    assert!(matches!(machine.next(Instant::now(), None, true), Step::End));
    for mut machine in [Machine::new(false), Machine::new(true), idle()] {
        machine.on(Event::End);
        machine.on(Event::Rescan);
        machine.on(Event::Resume);
        assert!(matches!(machine.next(Instant::now(), Some(Instant::now()), true), Step::End));
    }
}

#[test]
fn a_scan_that_is_requested_during_a_scan_follows_it_once() {
    let (mut machine, cancel) = running();
    machine.on(Event::Rescan);
    machine.on(Event::Rescan);
    assert!(!cancel.is_cancelled());
    machine.finish(State::Idle);
    assert!(begins(&mut machine, None).is_some());
    machine.finish(State::Idle);
    assert!(begins(&mut machine, None).is_none());
}

#[test]
fn a_run_that_the_user_ends_is_followed_by_none_until_one_is_requested() {
    let (mut machine, cancel) = running();
    machine.on(Event::Cancel);
    assert!(cancel.is_cancelled() && is_halted(&machine) && !is_paused(&machine));
    machine.finish(cancelled());
    assert_eq!(machine.activity(), Activity::Paused);
    assert!(begins(&mut machine, Some(Instant::now())).is_none());
    machine.on(Event::Rescan);
    assert!(!is_halted(&machine) && begins(&mut machine, None).is_some());
    machine.on(Event::Cancel);
    machine.finish(State::Idle);
    assert!(!is_halted(&machine), "a run that has finished leaves nothing to resume");

    machine.on(Event::Rescan);
    machine.on(Event::Cancel);
    assert!(is_halted(&machine) && begins(&mut machine, None).is_none(), "it had not begun");
    let mut machine = idle();
    machine.on(Event::Cancel);
    assert!(!is_halted(&machine), "there is nothing to end");
}

#[test]
fn a_change_of_folders_goes_on_after_a_run_that_was_ended_only_if_nothing_else_waits() {
    // The run is ended during its scan, or later; and the state is asked before or after its end.
    for (had_scanned, leaves_work, goes_on) in
        [(false, false, false), (true, true, false), (true, false, true)]
    {
        for has_stopped in [false, true] {
            let (mut machine, _) = running();
            if had_scanned {
                assert_eq!(read(&mut machine, 1), Some(true));
            }
            machine.on(Event::Cancel);
            if has_stopped {
                machine.finish(cancelled());
            }
            machine.on(Event::FoldersChanged { leaves_work });
            machine.finish(cancelled());
            assert_eq!(is_halted(&machine), !goes_on);
            assert_eq!(begins(&mut machine, None).is_some(), goes_on);
        }
    }
}

#[test]
fn after_a_failure_changes_wait_for_the_next_try_and_requests_do_not() {
    let now = Instant::now();
    let (mut machine, _) = running();
    failed(&mut machine, now + 5 * SECOND);
    assert_eq!(machine.activity(), stopped());
    assert!(matches!(machine.next(now, Some(now), true), Step::Wait(Some(due)) if due == now + 5 * SECOND));
    assert!(matches!(machine.next(now + 5 * SECOND, None, true), Step::Run(_)));
    assert_eq!(machine.activity(), stopped(), "until the run has come to something");
    failed(&mut machine, now + 9 * SECOND);
    machine.on(Event::Rescan);
    assert!(begins(&mut machine, None).is_some());
    machine.on(Event::Rescan);
    failed(&mut machine, now + 9 * SECOND);
    assert!(begins(&mut machine, None).is_some(), "it was requested during the run");

    let mut machine = Machine::new(false);
    machine.on(Event::RetryLater(Notice::text("full"), now + SECOND));
    assert!(machine.activity() == stopped() && machine.has_begun());
    assert!(begins(&mut machine, Some(now)).is_none());
    assert!(matches!(machine.next(now + SECOND, None, true), Step::Run(_)));
}

#[test]
fn a_library_that_refuses_everything_ends_the_thread_and_tells_why() {
    let (mut machine, _) = running();
    machine.on(Event::Rescan);
    machine.finish(State::Refused(Notice::text("full")));
    machine.on(Event::Rescan);
    assert_eq!(machine.activity(), stopped());
    assert!(matches!(machine.next(Instant::now(), Some(Instant::now()), true), Step::End));
    machine.on(Event::Pause);
    assert!(is_paused(&machine), "the reopened library is paused");
}

#[test]
fn a_suspended_run_goes_on_afterwards_unless_the_user_ended_or_paused_it() {
    let (mut machine, cancel) = running();
    machine.on(Event::Suspend);
    assert!(cancel.is_cancelled());
    machine.finish(cancelled());
    assert_eq!(machine.activity(), Activity::Idle);
    machine.on(Event::Suspend);
    machine.on(Event::Unsuspend);
    assert!(begins(&mut machine, None).is_none(), "something else needs it suspended");
    machine.on(Event::Unsuspend);
    assert!(begins(&mut machine, None).is_some());

    for event in [Event::Cancel, Event::Pause] {
        let (mut machine, _) = running();
        machine.on(event);
        machine.on(Event::Suspend);
        machine.finish(cancelled());
        machine.on(Event::Unsuspend);
        assert!(begins(&mut machine, Some(Instant::now())).is_none());
    }
}

#[test]
fn a_run_stands_still_while_a_question_is_answered_and_none_begins() {
    let (mut machine, cancel) = running();
    machine.progress(&IndexProgress::Scanning { files: 1 });
    machine.on(Event::Yield);
    assert!(!machine.is_yielding(), "a scan does not wait");
    read(&mut machine, 1);
    assert!(machine.is_yielding() && !cancel.is_cancelled());
    let (said, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || said.send(cancel.checkpoint()));
    machine.on(Event::Yield);
    machine.on(Event::Unyield);
    assert!(heard.recv_timeout(SECOND / 20).is_err(), "another question is answered");
    machine.on(Event::Unyield);
    assert_eq!(heard.recv(), Ok(Ok(())));
    assert!(!machine.is_yielding());

    let mut machine = idle();
    machine.on(Event::Yield);
    machine.on(Event::Rescan);
    assert!(begins(&mut machine, None).is_none() && machine.is_yielding());
    assert_eq!(machine.activity(), Activity::Scanning { files: 0 });
    machine.on(Event::Unyield);
    assert!(begins(&mut machine, None).is_some());
}

#[test]
fn the_speed_of_the_embedder_is_not_measured_while_a_question_is_answered() {
    let (mut machine, _) = running();
    let sample = |sentences| IndexProgress::Sampled { sentences, took: SECOND };
    machine.on(Event::Yield);
    machine.on(Event::Unyield);
    machine.progress(&sample(7));
    let rate = |machine: &Machine| machine.run.as_ref().unwrap().embedding_rate;
    assert_eq!(rate(&machine), None);
    assert_eq!(machine.progress(&sample(9)), None, "it is not shown");
    assert_eq!(rate(&machine), Some(9.0));
}

#[test]
fn what_waits_for_mains_power_goes_on_with_it_with_a_change_or_on_request() {
    let deferred = || {
        let (mut machine, _) = running();
        machine.finish(State::Deferred);
        machine
    };
    let now = Instant::now();
    let mut machine = deferred();
    assert!(machine.activity() == Activity::Deferred);
    assert!(matches!(machine.next(now, None, false), Step::Wait(None)));
    assert!(matches!(machine.next(now, None, true), Step::Run(_)));
    assert!(matches!(deferred().next(now, Some(now), false), Step::Run(_)));
    let mut machine = deferred();
    machine.on(Event::Cancel);
    machine.on(Event::Resume);
    assert!(begins(&mut machine, None).is_some());
}

#[test]
fn a_publication_that_failed_is_tried_again_when_there_is_nothing_else_to_do() {
    let (now, mut machine) = (Instant::now(), idle());
    let retry_at = now + SECOND;
    machine.unpublished = Some((Notice::text("no answer"), retry_at));
    assert!(matches!(machine.next(now, None, true), Step::Wait(Some(due)) if due == retry_at));
    assert!(matches!(machine.next(retry_at, None, true), Step::Run(_)));
    assert_eq!(machine.activity(), Activity::Idle);
    machine.unpublished = None;
    machine.finish(State::Idle);
    assert!(matches!(machine.next(retry_at, None, true), Step::Wait(None)));
}

#[test]
fn a_scan_is_stale_some_time_after_it_began_unless_the_user_ended_it() {
    let now = Instant::now();
    let mut machine = Machine::new(false);
    assert!(machine.is_stale(now));
    machine.on(Event::Rescan);
    assert!(matches!(machine.next(now, None, true), Step::Run(_)));
    assert!(!machine.is_stale(now + STALE_SCAN) && machine.is_stale(now + STALE_SCAN + SECOND));
    machine.on(Event::Cancel);
    machine.finish(cancelled());
    assert!(!machine.is_stale(now + 2 * STALE_SCAN));
}
