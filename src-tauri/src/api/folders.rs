//! Folders, documents and the work of reading them.

use oriel_api::{Activity, DocumentRow, payload, request};
use oriel_core::{Kind, Notice};
use oriel_engine::{LeftOut, OtherFiles, Timed};

payload! {
    /// The library as it stands. Sent at most ten times a second while something is being done.
    pub struct LibraryState {
        /// In the order in which they were added.
        pub folders: Vec<Folder>,
        /// Documents that can be found by their words.
        pub documents: usize,
        pub sentences: u64,
        /// Distinct sentences.
        pub distinct: u64,
        /// Of these, how many cannot be found by meaning yet.
        pub unembedded: u64,
        /// Distinct sentences without a vector of the next embedder; `None` unless another embedder's vectors are being made.
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
        /// The remote index that it reads instead of its own.
        pub reads_from: Option<IndexPlace>,
        /// The remote index that it is published to.
        pub publishes_to: Option<IndexPlace>,
        /// What is being done.
        pub activity: Activity,
        /// Whether it waits until a question is answered.
        pub yielding: bool,
        /// Seconds until all can be found by meaning, while documents are still read; `None` until it is known.
        pub meaning_left: Option<f64>,
    }

    /// A remote index.
    pub struct IndexPlace {
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

    /// How many documents of a kind there are.
    pub struct KindCount {
        pub kind: Kind,
        pub count: usize,
    }

    /// A folder that lies in the library and goes with it: if it is removed, its files are deleted.
    #[derive(Copy, Eq)]
    pub enum OwnFolder {
        /// The sample that comes with Oriel.
        Sample,
        /// Copies of documents.
        Copies,
    }

    /// A followed folder, or a followed single file.
    pub struct Folder {
        pub id: u32,
        /// The last part of its path.
        pub name: String,
        pub path: String,
        pub is_file: bool,
        /// Which of the library's own folders it is; `None` for the user's.
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
        /// Why it is scanned periodically instead of watched.
        pub timed: Option<Timed>,
        /// Patterns of files to leave out, as in `.gitignore`.
        pub excludes: Vec<String>,
        /// Whether symbolic links in it are followed.
        pub follow_links: bool,
    }

    /// What was dropped on the window and waits for a decision. Its paths stay in the shell.
    pub struct Drop {
        /// Its id, for accepting it.
        pub id: u32,
        /// Folders among it, by name.
        pub folders: Vec<String>,
        /// Files among it that Oriel can read, by name.
        pub files: Vec<String>,
        /// Files among it that it cannot read, by name.
        pub unread: Vec<String>,
    }

    /// Something is dragged over the window, left it, or was dropped.
    #[serde(tag = "is")]
    pub enum DragEvent {
        /// Something that can be dropped is over the window.
        Over,
        /// It left again.
        Left,
        /// Only folders were dropped: they are followed already.
        Added { names: Vec<String> },
        /// Files were dropped: the user chooses.
        Choose { drop: Drop },
        /// What was dropped cannot be followed.
        Refused { notice: Notice },
    }

    /// Who sent mails, and how many.
    pub struct SenderCount {
        /// Name and address, as the mails have them.
        pub name: String,
        pub count: usize,
    }

    /// Files that no search finds although nothing failed, because they contain no text.
    pub struct Unread {
        /// Documents without a sentence, by place and name; the first of them.
        pub documents: Vec<DocumentRow>,
        /// How many there are in all.
        pub empty: usize,
        /// Files of kinds that are not read.
        pub skipped: u64,
        /// These by extension, the most frequent first; not all are known.
        pub extensions: Vec<OtherFiles>,
        /// Symbolic links that are not followed.
        pub links: LeftOut,
        /// Symbolic links that were to be followed and lead nowhere.
        pub dangling: LeftOut,
        /// Parts of web pages that were left out: folders and files with all that is below them.
        pub page_parts: u64,
        /// The names of these, the most frequent first; not all are known.
        pub part_names: Vec<String>,
    }
}

request! {
    /// A remote index to read or to publish to. The user has seen its host.
    pub struct ConnectIndex {
        /// The address as the user typed it.
        pub address: String,
        /// The host that the app named to the user before.
        pub host: String,
        /// The name of the collection there.
        pub collection: String,
        /// `NAME:PASSWORD` or the token, for the keyring; empty for none.
        #[ts(type = "string")]
        pub key: SecretText,
        /// Whether to publish to it, not read it.
        pub publish: bool,
        /// Whether to take the collection over from the library that writes it.
        pub take_over: bool,
    }

    /// Whether to stop publishing to a remote index, not reading one.
    pub struct LeaveIndex {
        pub publish: bool,
    }

    /// Accepts what was dropped.
    pub struct AcceptDrop {
        pub id: u32,
        /// Whether files are copied into the library's own folder rather than read where they lie.
        pub copy: bool,
    }

    /// Names a folder of the library.
    pub struct FolderRef {
        pub folder: u32,
    }

    /// Whether symbolic links in a folder are followed from now on.
    pub struct FollowLinks {
        pub folder: u32,
        pub follow: bool,
    }

    /// New patterns for a folder.
    pub struct Excludes {
        pub folder: u32,
        /// Patterns of `.gitignore`.
        pub patterns: Vec<String>,
    }

    /// Names documents to try again.
    pub struct Retry {
        pub documents: Vec<u32>,
    }

    /// The password of a PDF that asks for one.
    pub struct Unlock {
        pub document: u32,
        #[ts(type = "string")]
        pub password: SecretText,
        /// Whether it is kept in the system's keyring.
        pub keep: bool,
    }

    /// Looks for documents by name.
    pub struct FindDocuments {
        /// A part of their names; empty for all.
        pub query: String,
        /// How many at most.
        pub limit: usize,
    }
}

/// A password or key, which is never logged.
#[derive(Clone, serde::Deserialize)]
pub struct SecretText(pub String);

impl std::fmt::Debug for SecretText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("…")
    }
}
