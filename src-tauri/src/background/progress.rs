//! Progress of work on bytes.

use std::time::Instant;

use oriel_api::{PROGRESS_INTERVAL, Work};
use oriel_engine::Pace;

/// Progress of work on bytes.
pub(crate) struct ByteProgress {
    pace: Pace,
    last_sent: Option<Instant>,
}

impl ByteProgress {
    /// Before the first byte.
    pub(crate) fn new() -> Self {
        Self { pace: Pace::new(), last_sent: None }
    }

    /// The figures; `None` if the last were given a moment ago.
    pub(crate) fn at(&mut self, done: u64, total: u64) -> Option<Work> {
        let work = Work::observed(&mut self.pace, done, total);
        if self.last_sent.is_some_and(|sent| sent.elapsed() < PROGRESS_INTERVAL) {
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
    fn figures_come_at_intervals() {
        let mut progress = ByteProgress::new();
        let first = progress.at(5_000_000_000, 8_000_000_000).unwrap();
        assert_eq!((first.done, first.total), (5_000_000_000, 8_000_000_000));
        assert!(progress.at(5_000_001_000, 8_000_000_000).is_none());
    }
}
