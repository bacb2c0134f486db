//! The library as a whole: checked, repaired, backed up, compacted, restored.

use oriel_core::Notice;
use serde::Serialize;
use ts_rs::TS;

/// What a check of the library found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Checkup {
    /// Documents whose text was checked.
    pub documents: usize,
    /// Their sentences.
    pub sentences: usize,
    /// What disagrees; empty where all is well.
    pub problems: Vec<Notice>,
}

/// What a repair did.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Repaired {
    /// Documents of which everything was worked out anew from their text.
    pub recomputed: usize,
    /// Documents that are read from their files again.
    pub reread: usize,
    /// Documents that are found again as new ones.
    pub forgotten: usize,
    /// Sentences that get a vector again.
    pub unembedded: usize,
    /// Where the index lies that was damaged beyond use, for people; all documents are read again then.
    pub set_aside: Option<String>,
}

/// How many bytes have been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Written {
    /// Bytes so far.
    pub done: u64,
    /// Bytes in all, at most.
    pub total: u64,
}

/// A backup that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct BackedUp {
    /// The file's name.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
    /// Conversations in it.
    pub conversations: usize,
}

/// A backup that waits to be restored. Its path stays in the shell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ChosenBackup {
    /// The file's name.
    pub name: String,
    /// The folder in which the library that is replaced will lie, for people.
    pub folder: String,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Restored {
    /// The backup's name.
    pub name: String,
    /// Bytes that were written.
    pub bytes: u64,
    /// Conversations among them.
    pub conversations: usize,
    /// Where the library lies now that was there before, for people; `null` where there was none, or an empty one.
    pub replaced: Option<String>,
}
