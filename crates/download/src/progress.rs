//! Progress of a download or an import.

use serde::Serialize;

/// The stages of a download or an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts", rename = "ModelStage"))]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Downloading the files.
    Downloading,
    /// Reading the user's files to identify them.
    Reading,
    /// Loading the model and running it once.
    Trying,
    /// Copying the user's files, if they cannot be linked.
    Copying,
    /// Checking and installing the downloaded files.
    Installing,
}

/// Progress within a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub stage: Stage,
    /// Bytes done in this stage; always 0 while the model is tried.
    pub done: u64,
    /// Total bytes of this stage.
    pub total: u64,
}
