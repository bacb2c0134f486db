//! What is being done with a library, and how fast.

use std::time::Instant;

use oriel_core::Notice;
use oriel_engine::{IndexProgress, Pace};
use serde::Serialize;

/// What is being done with the library.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
pub enum Activity {
    /// Nothing: the library is up to date.
    Idle,
    /// Folders are compared with the library.
    Scanning {
        /// Files seen so far.
        files: u64,
    },
    /// Documents are read. Each can be found by its words from then on.
    Reading(Work),
    /// Sentences get their vectors. Each can be found by meaning from then on.
    Embedding(Work),
    /// The text of a scan or an image is recognised.
    Recognising {
        /// The name of its file.
        name: String,
        /// Its pages.
        #[serde(flatten)]
        work: Work,
    },
    /// The computer runs on battery: what takes long waits for mains power, or for the user to resume.
    Deferred,
    /// The user paused the work.
    Paused,
    /// The work ended with an error. What was done is kept.
    Stopped {
        /// The reason, and what to do.
        notice: Notice,
    },
}

/// Steps of a long task.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
#[serde(rename_all = "camelCase")]
pub struct Work {
    /// Steps done.
    pub done: u64,
    /// Steps in all.
    pub total: u64,
    /// Steps a second; `None` until it is known.
    pub rate: Option<f64>,
    /// Seconds left; `None` until it is known.
    pub left: Option<f64>,
}

/// Progress of work that has stages, each with a pace of its own.
#[derive(Default)]
pub struct StageProgress {
    name: &'static str,
    pace: Pace,
}

impl StageProgress {
    /// What is being done; `None` if this only reports what has been done.
    pub(crate) fn activity(&mut self, progress: &IndexProgress<'_>) -> Option<Activity> {
        Some(match *progress {
            IndexProgress::Scanning { files } => Activity::Scanning { files: files as u64 },
            IndexProgress::Reading { done, total, .. } => Activity::Reading(self.work("read", done, total)),
            IndexProgress::Embedding { done, total } => Activity::Embedding(self.work("embed", done, total)),
            IndexProgress::Recognising { path, page, pages } => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                Activity::Recognising { name, work: self.work("recognise", page as usize, pages as usize) }
            }
            IndexProgress::Sampled { .. } | IndexProgress::Changed { .. } => return None,
        })
    }

    /// The work has stood still, which says nothing about its pace.
    pub(crate) fn pause(&mut self) {
        self.pace.pause();
    }

    /// Progress of the stage with this name, with its pace since that began.
    pub fn work(&mut self, name: &'static str, done: usize, total: usize) -> Work {
        if self.name != name {
            *self = Self { name, ..Self::default() };
        }
        Work::observed(&mut self.pace, done as u64, total as u64)
    }
}

impl Work {
    /// Progress that `pace` observes now.
    pub fn observed(pace: &mut Pace, done: u64, total: u64) -> Self {
        pace.observe(Instant::now(), done, total);
        Self { done, total, rate: pace.rate(), left: pace.left().map(|left| left.as_secs_f64()) }
    }
}
