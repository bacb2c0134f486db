//! Progress of long work, with its pace, at intervals.

use std::time::Instant;

use oriel_api::{PROGRESS_INTERVAL, Work};
use oriel_engine::Pace;

/// Progress of work in stages `S`, each with a pace of its own.
pub(crate) struct PacedProgress<S> {
    stage: Option<S>,
    pace: Pace,
    last_sent: Option<Instant>,
}

impl<S: PartialEq> PacedProgress<S> {
    pub(crate) fn new() -> Self {
        Self { stage: None, pace: Pace::new(), last_sent: None }
    }

    /// The figures of this stage; `None` if its last were given a moment ago, unless it is done.
    pub(crate) fn at(&mut self, stage: S, done: u64, total: u64) -> Option<Work> {
        if self.stage.as_ref() != Some(&stage) {
            *self = Self { stage: Some(stage), ..Self::new() };
        }
        let work = Work::observed(&mut self.pace, done, total);
        let is_end = total > 0 && done == total;
        if !is_end && self.last_sent.is_some_and(|sent| sent.elapsed() < PROGRESS_INTERVAL) {
            return None;
        }
        self.last_sent = Some(Instant::now());
        Some(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_come_at_intervals_and_at_the_end_of_a_stage() {
        let mut progress = PacedProgress::new();
        let first = progress.at(1, 5_000_000_000, 8_000_000_000).unwrap();
        assert_eq!((first.done, first.total), (5_000_000_000, 8_000_000_000));
        assert!(progress.at(1, 5_000_001_000, 8_000_000_000).is_none());
        assert!(progress.at(1, 8_000_000_000, 8_000_000_000).is_some());
        assert!(progress.at(2, 0, 8_000_000_000).is_some());
        assert!(progress.at(3, 0, 0).is_some());
        assert!(progress.at(3, 10, 0).is_none(), "the total is not known");
    }
}
