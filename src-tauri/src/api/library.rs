//! Folders, documents and the work of reading them, as the window sees them.

use oriel_api::Activity;
use oriel_core::{FailureCode, Kind, Notice};
use oriel_engine::Timed;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The library as it stands. Sent at most ten times a second while something is being done.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct LibraryState {
    /// In the order in which they were added.
    pub folders: Vec<Folder>,
    /// Documents that can be found by their words.
    pub documents: usize,
    /// Their sentences.
    pub sentences: u64,
    /// Distinct sentences.
    pub distinct: u64,
    /// Of these, how many cannot be found by meaning yet.
    pub unembedded: u64,
    /// Of these, how many wait for another embedder's vectors, while those are made beside the ones that are searched.
    pub unembedded_next: Option<u64>,
    /// Documents that wait to be read.
    pub waiting: usize,
    /// Documents that could not be read.
    pub failed: usize,
    /// Documents that were read and have no sentence.
    pub empty: usize,
    /// Files of kinds that are not read.
    pub skipped: u64,
    /// Symbolic links that are not followed, or lead nowhere.
    pub links: u64,
    /// Size of all documents.
    pub bytes: u64,
    /// Documents by kind, most first.
    pub kinds: Vec<KindCount>,
    /// Whether it can only be read here; others keep it up to date.
    pub read_only: bool,
    /// The index elsewhere that it reads instead of its own.
    pub reads_from: Option<IndexPlace>,
    /// The index elsewhere that it is published to.
    pub publishes_to: Option<IndexPlace>,
    /// What is being done.
    pub activity: Activity,
    /// Whether it waits until a question is answered.
    pub yielding: bool,
    /// Seconds until all can be found by meaning, while documents are still read; `None` until it can be told.
    pub meaning_left: Option<f64>,
}

/// An index elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct IndexPlace {
    /// Its address.
    pub address: String,
    /// Its host, with the port if it is not the usual one.
    pub host: String,
    /// Whether it is this computer.
    pub is_local: bool,
    /// The name of the collection there.
    pub collection: String,
    /// Why it could not be published to the last time.
    pub trouble: Option<Notice>,
}

/// An index elsewhere to read or to publish to. The person has seen its host.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ConnectIndex {
    /// The address as it was typed.
    pub address: String,
    /// The host that the person was told.
    pub host: String,
    /// The name of the collection there.
    pub collection: String,
    /// Name and password, `NAME:PASSWORD`, or the token that it wants, which goes into the system's keyring; empty for none.
    pub key: String,
    /// Whether to publish to it, not read it.
    pub publish: bool,
    /// Whether to take the collection over from the library that writes it.
    pub take_over: bool,
}

/// Whether to stop publishing to an index elsewhere, not reading one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct LeaveIndex {
    /// Whether it is the one that is published to.
    pub publish: bool,
}

/// How many documents of a kind there are.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct KindCount {
    /// The kind.
    pub kind: Kind,
    /// How many.
    pub count: usize,
}

/// A folder that lies in the library and goes with it: removed, its files are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "types.ts")]
pub enum OwnFolder {
    /// The sample that comes with Oriel.
    Sample,
    /// Copies of documents that the person wanted there.
    Copies,
}

/// A followed folder, or a followed single file.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Folder {
    /// Its number in the library.
    pub id: u32,
    /// The last part of its path.
    pub name: String,
    /// Its whole path, for people.
    pub path: String,
    /// Whether it is a single file.
    pub is_file: bool,
    /// Which of the library's own folders it is; `None` for the person's.
    pub own: Option<OwnFolder>,
    /// Documents in it that can be found by their words.
    pub documents: usize,
    /// Documents in it that wait to be read.
    pub waiting: usize,
    /// Documents in it that could not be read.
    pub failed: usize,
    /// All documents in it that are known, read or not.
    pub known: usize,
    /// Why it cannot be reached at the moment; its documents are kept.
    pub unreachable: Option<Notice>,
    /// Why changes in it are only seen by looking through it now and then.
    pub timed: Option<Timed>,
    /// What is left out, as patterns of the kind `.gitignore` has.
    pub excludes: Vec<String>,
    /// Whether symbolic links in it are followed.
    pub follow_links: bool,
}

/// What was dropped on the window and waits for a decision. Its paths stay in the shell.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Drop {
    /// Names it when it is accepted.
    pub id: u32,
    /// Folders among it, by name.
    pub folders: Vec<String>,
    /// Files among it that Oriel can read, by name.
    pub files: Vec<String>,
    /// Files among it that it cannot read, by name.
    pub unread: Vec<String>,
}

/// Something is dragged over the window, left it, or was dropped.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
#[ts(export_to = "types.ts")]
pub enum DragEvent {
    /// Something that can be dropped is over the window.
    Over,
    /// It left again.
    Left,
    /// Only folders were dropped: they are followed already.
    Added {
        /// Their names.
        names: Vec<String>,
    },
    /// Files were dropped: the person chooses.
    Choose {
        /// What was dropped.
        drop: Drop,
    },
    /// What was dropped cannot be followed.
    Refused {
        /// Why.
        notice: Notice,
    },
}

/// Accepts what was dropped.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct AcceptDrop {
    /// The drop.
    pub id: u32,
    /// Whether files are copied into the library's own folder rather than read where they lie.
    pub copy: bool,
}

/// Names a folder of the library.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct FolderRef {
    /// Its number.
    pub folder: u32,
}

/// Whether symbolic links in a folder are followed from now on.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct FollowLinks {
    /// The folder's number.
    pub folder: u32,
    /// Whether they are.
    pub follow: bool,
}

/// New patterns for a folder.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Excludes {
    /// The folder's number.
    pub folder: u32,
    /// One pattern an entry, of the kind `.gitignore` has.
    pub patterns: Vec<String>,
}

/// Names a document of the library.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct DocumentRef {
    /// Its number.
    pub document: u32,
}

/// Names documents to try again.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Retry {
    /// Their numbers.
    pub documents: Vec<u32>,
}

/// The password of a PDF that asks for one.
#[derive(Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Unlock {
    /// The document.
    pub document: u32,
    /// Its password.
    pub password: String,
    /// Whether it is kept in the system's keyring.
    pub keep: bool,
}

/// Looks for documents by name.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct FindDocuments {
    /// What their names hold; empty for any.
    pub query: String,
    /// How many at most.
    pub limit: u32,
}

/// One document.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct DocumentRow {
    /// Its number.
    pub id: u32,
    /// The file's name.
    pub name: String,
    /// The folder it lies in, from the followed folder on.
    pub place: String,
    /// Its format.
    pub kind: Kind,
    /// Pages, 0 where the format has none.
    pub pages: u32,
    /// Sentences.
    pub sentences: u32,
    /// Bytes.
    pub bytes: u64,
    /// When the file was changed, in milliseconds since 1970.
    pub modified: i64,
}

/// Who sent mails, and how many.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct SenderCount {
    /// Name and address, as the mails have them.
    pub name: String,
    /// How many mails.
    pub count: usize,
}

/// A document that could not be read.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct FailureRow {
    /// The document.
    pub document: DocumentRow,
    /// Why.
    pub reason: Notice,
    /// The same as a code, from which the window tells what to do.
    pub code: FailureCode,
}
