//! Progress of a download or an import.

use serde::Serialize;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts", rename = "ModelStage"))]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The files are being fetched.
    Downloading,
    /// The user's own files are read, to know them again.
    Reading,
    /// The model is loaded and run once.
    Trying,
    /// The user's own files are copied, where they cannot be linked.
    Copying,
    /// The fetched files are checked and put in their place.
    Installing,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// Bytes done in this stage; 0 throughout while the model is tried.
    pub done: u64,
    /// Bytes in all.
    pub total: u64,
}
