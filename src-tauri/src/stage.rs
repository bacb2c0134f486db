//! What a run of the indexing is at, with its pace.

use std::time::Instant;

use oriel_engine::{IndexProgress, Pace};

use crate::ipc::{Activity, Work};

/// A stage of a run with its pace.
pub(crate) struct Stage {
    name: &'static str,
    pace: Pace,
}

impl Stage {
    /// Before the first.
    pub(crate) fn new() -> Self {
        Self { name: "", pace: Pace::new() }
    }

    /// What is being done; `None` where this only says what has been.
    pub(crate) fn activity(&mut self, progress: &IndexProgress<'_>) -> Option<Activity> {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
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

    /// Sentences that get their vectors in a second, where this says it.
    pub(crate) fn embeds(progress: &IndexProgress<'_>) -> Option<f64> {
        match progress {
            IndexProgress::Sampled { sentences, took } if !took.is_zero() => {
                Some(*sentences as f64 / took.as_secs_f64())
            }
            _ => None,
        }
    }

    /// The work stood still for a while, which says nothing of its pace.
    pub(crate) fn waited(&mut self) {
        self.pace.pause();
    }

    /// How far the work of this name is, with its pace since it began.
    pub(crate) fn work(&mut self, name: &'static str, done: u32, total: u32) -> Work {
        if self.name != name {
            *self = Self { name, ..Self::new() };
        }
        self.pace.observe(Instant::now(), u64::from(done), u64::from(total));
        Work { done, total, rate: self.pace.rate(), left: self.pace.left().map(|left| left.as_secs_f64()) }
    }
}
