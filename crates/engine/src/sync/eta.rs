//! The speed of a long task and the time it has left.
//!
//! The caller passes progress and time; this module reads no clock.

use std::time::{Duration, Instant};

/// Time constant of the rate: an observation this long ago has a weight of about a third.
const MEMORY_SECONDS: f64 = 15.0;
/// Time constant with which the displayed time left approaches the estimate.
const SMOOTHING_SECONDS: f64 = 4.0;
/// If the two differ by more than this factor, the displayed time is replaced at once.
const MAX_CORRECTION: f64 = 2.5;
/// Nothing is estimated before this many seconds …
const MIN_SECONDS: f64 = 1.0;
/// … and this many steps.
const MIN_STEPS: u64 = 3;
/// Observations closer together than this many seconds are merged.
const MIN_BETWEEN: f64 = 0.1;

/// Rate and time left of one task, from its progress at several moments.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// Time and progress of the last observation; `None` at the beginning and after a pause.
    last: Option<(Instant, u64)>,
    /// Observed steps and seconds, older ones weighing less. Their ratio is the rate.
    steps: f64,
    seconds: f64,
    /// The same unweighted, to decide whether an estimate is possible.
    seen_steps: u64,
    seen_seconds: f64,
    /// Seconds left as last displayed.
    left: Option<f64>,
}

impl Pace {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records that `done` of `total` steps are done at `now`. Fewer steps than before mean that the task started over.
    pub fn observe(&mut self, now: Instant, done: u64, total: u64) {
        let Some((then, before)) = self.last else {
            self.last = Some((now, done));
            return;
        };
        let between = now.saturating_duration_since(then).as_secs_f64();
        let Some(steps) = done.checked_sub(before) else {
            *self = Self { last: Some((now, done)), ..Self::default() };
            return;
        };
        if between < MIN_BETWEEN && done < total {
            return;
        }
        self.last = Some((now, done));
        let kept = (-between / MEMORY_SECONDS).exp();
        self.steps = self.steps * kept + steps as f64;
        self.seconds = self.seconds * kept + between;
        self.seen_steps += steps;
        self.seen_seconds += between;
        self.left = self.rate().map(|rate| {
            let reckoned = total.saturating_sub(done) as f64 / rate;
            let expected = self.left.map(|left| (left - between).max(0.0));
            match expected {
                Some(shown)
                    if reckoned > 0.0
                        && shown < reckoned * MAX_CORRECTION
                        && reckoned < shown * MAX_CORRECTION =>
                {
                    shown + (reckoned - shown) * (1.0 - (-between / SMOOTHING_SECONDS).exp())
                }
                _ => reckoned,
            }
        });
    }

    /// Records a pause on purpose: the time until the next observation does not count.
    pub fn pause(&mut self) {
        self.last = None;
    }

    /// Steps per second; `None` until the task has run for a second and done a few steps.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        let is_known = self.seen_seconds >= MIN_SECONDS && self.seen_steps >= MIN_STEPS && self.steps > 0.0;
        is_known.then(|| self.steps / self.seconds)
    }

    /// The time left; `None` in the same cases as the rate.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        self.left.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Observes a task every quarter of a second for `seconds`, at `rate` steps a second from `done` on.
    fn run(
        pace: &mut Pace,
        from: &mut Instant,
        done: &mut f64,
        total: u64,
        rate: f64,
        seconds: f64,
    ) -> Vec<f64> {
        let mut shown = Vec::new();
        for _ in 0..(seconds * 4.0) as usize {
            *from += Duration::from_millis(250);
            *done += rate / 4.0;
            pace.observe(*from, *done as u64, total);
            shown.extend(pace.left().map(|left| left.as_secs_f64()));
        }
        shown
    }

    fn begun(total: u64) -> (Pace, Instant, f64) {
        let mut pace = Pace::new();
        let now = Instant::now();
        pace.observe(now, 0, total);
        (pace, now, 0.0)
    }

    #[test]
    fn nothing_is_said_before_a_second_and_a_few_steps() {
        let (mut pace, mut now, mut done) = begun(1000);
        run(&mut pace, &mut now, &mut done, 1000, 100.0, 0.75);
        assert_eq!((pace.rate(), pace.left()), (None, None), "too early");
        run(&mut pace, &mut now, &mut done, 1000, 100.0, 0.5);
        assert!(pace.rate().is_some() && pace.left().is_some());
        let (mut pace, mut now, mut done) = begun(1000);
        run(&mut pace, &mut now, &mut done, 1000, 0.5, 5.0);
        assert_eq!(pace.rate(), None, "two steps say nothing");
    }

    #[test]
    fn a_steady_task_has_its_rate_and_counts_down() {
        let (mut pace, mut now, mut done) = begun(10_000);
        let shown = run(&mut pace, &mut now, &mut done, 10_000, 100.0, 60.0);
        assert!((pace.rate().unwrap() - 100.0).abs() < 1.0);
        assert!((shown.last().unwrap() - 40.0).abs() < 1.0, "{shown:?}");
        assert!(shown.windows(2).all(|two| two[1] < two[0]), "{shown:?}");
    }

    #[test]
    fn a_task_that_stutters_does_not_make_the_estimate_jump() {
        let (mut pace, mut now, mut done) = begun(100_000);
        run(&mut pace, &mut now, &mut done, 100_000, 100.0, 30.0);
        let mut shown = vec![pace.left().unwrap().as_secs_f64()];
        for turn in 0..40 {
            let rate = if turn % 2 == 0 { 20.0 } else { 180.0 };
            shown.extend(run(&mut pace, &mut now, &mut done, 100_000, rate, 1.0));
        }
        let jump = shown.windows(2).map(|two| (two[1] / two[0] - 1.0).abs()).fold(0.0, f64::max);
        assert!(jump < 0.03, "it jumped by {jump} of itself");
    }

    #[test]
    fn a_task_that_slows_down_is_believed() {
        let (mut pace, mut now, mut done) = begun(10_000);
        run(&mut pace, &mut now, &mut done, 10_000, 100.0, 30.0);
        run(&mut pace, &mut now, &mut done, 10_000, 10.0, 90.0);
        let truth = (10_000.0 - done) / 10.0;
        let left = pace.left().unwrap().as_secs_f64();
        assert!((left / truth - 1.0).abs() < 0.1, "{left} instead of {truth}");
    }

    #[test]
    fn a_pause_changes_neither_rate_nor_time_left() {
        let (mut pace, mut now, mut done) = begun(10_000);
        run(&mut pace, &mut now, &mut done, 10_000, 100.0, 20.0);
        let (rate, left) = (pace.rate().unwrap(), pace.left().unwrap().as_secs_f64());
        pace.pause();
        now += Duration::from_secs(3600);
        pace.observe(now, done as u64, 10_000);
        assert_eq!(pace.rate(), Some(rate));
        run(&mut pace, &mut now, &mut done, 10_000, 100.0, 1.0);
        assert!((pace.left().unwrap().as_secs_f64() - (left - 1.0)).abs() < 0.5);
    }

    #[test]
    fn a_task_that_begins_anew_is_a_new_one() {
        let (mut pace, mut now, mut done) = begun(10_000);
        run(&mut pace, &mut now, &mut done, 10_000, 100.0, 20.0);
        pace.observe(now, 0, 50);
        assert_eq!(pace.rate(), None);
        let (mut pace, mut now, mut done) = begun(100);
        run(&mut pace, &mut now, &mut done, 100, 50.0, 2.0);
        assert_eq!(pace.left(), Some(Duration::ZERO), "it is done");
    }
}
