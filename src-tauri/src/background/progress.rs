//! Progress with its pace: of an indexing run, and of work on bytes.

use std::time::{Duration, Instant};

use oriel_engine::{IndexProgress, Pace};

use crate::api::{Activity, Work, count};

/// Progress is reported this often at most.
pub(crate) const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Progress of work that has stages, each with a pace of its own.
pub(crate) struct StageProgress {
    name: &'static str,
    pace: Pace,
}

impl StageProgress {
    /// Before the first stage.
    pub(crate) fn new() -> Self {
        Self { name: "", pace: Pace::new() }
    }

    /// What is being done; `None` if this only reports what has been done.
    pub(crate) fn activity(&mut self, progress: &IndexProgress<'_>) -> Option<Activity> {
        Some(match *progress {
            IndexProgress::Scanning { files } => Activity::Scanning { files: count(files) },
            IndexProgress::Reading { done, total, .. } => {
                Activity::Reading(self.work("read", count(done), count(total)))
            }
            IndexProgress::Embedding { done, total } => {
                Activity::Embedding(self.work("embed", count(done), count(total)))
            }
            IndexProgress::Building { done, total } => {
                Activity::Building(self.work("build", count(done), count(total)))
            }
            IndexProgress::Sampled { .. } | IndexProgress::Changed { .. } => return None,
        })
    }

    /// Sentences embedded per second, if this reports it.
    pub(crate) fn embedding_rate(progress: &IndexProgress<'_>) -> Option<f64> {
        match progress {
            IndexProgress::Sampled { sentences, took } if !took.is_zero() => {
                Some(*sentences as f64 / took.as_secs_f64())
            }
            _ => None,
        }
    }

    /// The work has stood still, which says nothing about its pace.
    pub(crate) fn pause(&mut self) {
        self.pace.pause();
    }

    /// Progress of the stage with this name, with its pace since that began.
    pub(crate) fn work(&mut self, name: &'static str, done: u32, total: u32) -> Work {
        if self.name != name {
            *self = Self { name, ..Self::new() };
        }
        self.pace.observe(Instant::now(), u64::from(done), u64::from(total));
        Work { done, total, rate: self.pace.rate(), left: self.pace.left().map(|left| left.as_secs_f64()) }
    }
}

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

    /// The figures in kilobytes, as bytes do not fit 32 bits; `None` if the last were given a moment ago.
    pub(crate) fn at(&mut self, done: u64, total: u64) -> Option<Work> {
        let now = Instant::now();
        self.pace.observe(now, done, total);
        if self.last_sent.is_some_and(|sent| sent.elapsed() < PROGRESS_INTERVAL) {
            return None;
        }
        self.last_sent = Some(now);
        Some(Work {
            done: count(done / 1000),
            total: count(total / 1000),
            rate: self.pace.rate().map(|rate| rate / 1000.0),
            left: self.pace.left().map(|left| left.as_secs_f64()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_come_at_intervals() {
        let mut progress = ByteProgress::new();
        let first = progress.at(5_000_000_000, 8_000_000_000).unwrap();
        assert_eq!((first.done, first.total), (5_000_000, 8_000_000));
        assert!(progress.at(5_000_001_000, 8_000_000_000).is_none());
    }
}
