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
    pub documents: u32,
    /// Their sentences.
    pub sentences: u32,
    /// What disagrees; empty where all is well.
    pub problems: Vec<Notice>,
}

/// What a repair did.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Repaired {
    /// Documents of which everything was worked out anew from their text.
    pub recomputed: u32,
    /// Documents that are read from their files again.
    pub reread: u32,
    /// Documents that are found again as new ones.
    pub forgotten: u32,
    /// Sentences that get a vector again.
    pub unembedded: u32,
    /// Where the index lies that was damaged beyond use, for people; all documents are read again then.
    pub set_aside: Option<String>,
}

/// How many bytes have been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Written {
    /// Bytes so far.
    #[ts(type = "number")]
    pub done: u64,
    /// Bytes in all, at most.
    #[ts(type = "number")]
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
    #[ts(type = "number")]
    pub bytes: u64,
    /// Conversations in it.
    pub conversations: u32,
}

/// What a compacting came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Compacted {
    /// Bytes of the index before.
    #[ts(type = "number")]
    pub before: u64,
    /// Bytes after.
    #[ts(type = "number")]
    pub after: u64,
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
    #[ts(type = "number")]
    pub bytes: u64,
    /// Conversations among them.
    pub conversations: u32,
    /// Where the library lies now that was there before, for people; `null` where there was none, or an empty one.
    pub replaced: Option<String>,
}
