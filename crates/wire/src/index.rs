//! What Oriel asks of a remote index, through `oriel-remote-index`.
//!
//! Each call is a [`Request::Index`](crate::remote::Request::Index): its head has two lengths, of a [`Call`] as JSON and of the
//! call's vectors, which follow as raw bytes. It is answered with [`Reply::Index`](crate::remote::Reply::Index), whose head has
//! the length of a [`CallReply`] as JSON, or with [`Reply::Failed`](crate::remote::Reply::Failed). The first call is
//! [`Call::Open`]; those after it go to the same collection.
//!
//! A document has a generation, a number that changes whenever its sentences do. What is found names the generation, and so does
//! what is read around it: positions of two generations are never mixed.

use std::path::PathBuf;

use oriel_core::{ByteSpan, DocumentId, Filter, Heading, Kind, Ordinal};
use serde::{Deserialize, Serialize};

use crate::remote::Key;

/// Maximum bytes of a call or a reply as JSON.
pub const MAX_JSON: u32 = 32 << 20;
/// Maximum bytes of the vectors of a call.
pub const MAX_VECTORS: u32 = 16 << 20;
/// Maximum number of rows in one [`Call::Put`].
pub const MAX_ROWS: usize = 2_000;

/// The generation of a document's first row while not all of its rows are there.
pub const INCOMPLETE: u64 = 0;

/// Where an index is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexServer {
    /// Its address. Of Milvus `https://host:port`, or `http://host:port` if the connection is not to be encrypted; of PostgreSQL
    /// `postgres://host:port/database`, which is encrypted unless the host is this computer.
    pub url: String,
    /// The collection's name there. In PostgreSQL it is a schema.
    pub collection: String,
    /// The name and the secret that it is shown, `NAME:SECRET`; of Milvus also a token, of PostgreSQL also a name alone.
    pub key: Option<Key>,
    /// Seconds without an answer after which the server is given up.
    pub silence: u64,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Connect. Answered with [`CallReply::Opened`], [`CallReply::Missing`] or [`CallReply::Foreign`].
    Open(IndexServer),
    /// Make the collection if it is missing. Answered with [`CallReply::Done`].
    Create(Collection),
    /// Delete the collection with all it holds. Answered with [`CallReply::Done`].
    Drop,
    /// Replace what the collection says about itself. Answered with [`CallReply::Done`].
    Announce(Manifest),
    /// The documents of which there are rows, by id. Answered with [`CallReply::Published`].
    Published {
        /// Those with higher ids than this.
        after: Option<DocumentId>,
        /// Maximum number.
        limit: u32,
    },
    /// The document at a path. Answered with [`CallReply::Located`].
    Locate {
        /// Absolute.
        path: PathBuf,
    },
    /// The best rows for each text. Answered with [`CallReply::Found`].
    Find {
        /// The texts.
        texts: Vec<SoughtText>,
        /// The rows that are searched.
        filter: Filter,
        /// Maximum length of each list.
        depth: u32,
    },
    /// The similarity of given rows to the one vector of the call. Answered with [`CallReply::Ranked`].
    Rank {
        /// The rows, by document and ordinal.
        rows: Vec<(DocumentId, Ordinal)>,
    },
    /// Rows of documents. Answered with [`CallReply::Read`].
    Read {
        /// Document, and ordinals of the first and the last row.
        ranges: Vec<(DocumentId, u32, u32)>,
    },
    /// Write rows, which replace those at the same position. Each has a vector in the call, in order. Answered with
    /// [`CallReply::Done`].
    Put {
        /// At most [`MAX_ROWS`].
        rows: Vec<Row>,
    },
    /// Remove the rows of documents but those of a generation and [`INCOMPLETE`]. Answered with [`CallReply::Done`].
    Remove {
        /// The documents, each with the generation that stays.
        documents: Vec<(DocumentId, Option<u64>)>,
    },
}

/// What a collection was made for. Another embedder needs another collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// The fingerprint of the embedder that makes its vectors.
    pub embedder: String,
    /// Length of the vectors.
    pub dimensions: u32,
}

/// What a collection says about itself. Its writer replaces it after every change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Identifies the library that writes the collection. There is one.
    pub writer: String,
    /// The terms that are in too many sentences to tell any apart.
    pub frequent_terms: Vec<String>,
    /// Number of documents.
    pub documents: u64,
    /// Number of sentences.
    pub sentences: u64,
    /// When it was written, in milliseconds since 1970.
    pub published: u64,
}

/// A text that is looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoughtText {
    /// Whether a vector of it is in the call, in the order of the texts.
    pub has_vector: bool,
    /// Its terms, each once.
    pub words: Vec<String>,
}

/// A sentence as the index keeps it. It holds all that is needed to show it without the document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its document.
    pub document: DocumentId,
    /// Its position there.
    pub ordinal: Ordinal,
    /// The document's generation.
    pub generation: u64,
    /// The document's absolute path.
    pub path: PathBuf,
    /// The document's format.
    pub kind: Kind,
    /// When the document was changed or sent, in nanoseconds since 1970.
    pub dated: i64,
    /// The sender, if the document is a mail; in lower case.
    pub sender: Option<String>,
    /// BLAKE3 of the document's file.
    pub file_hash: Option<String>,
    /// The identity of its text, in hexadecimal.
    pub hash: String,
    /// Its bytes in the document's text.
    pub span: ByteSpan,
    /// The page on which it begins, from 1.
    pub page: Option<u32>,
    /// The document's text from its first byte to the next sentence's, or to its own end.
    pub text: String,
    /// The headings above it, from the outermost, with their texts; itself too if it is a heading.
    pub headings: Vec<(Heading, String)>,
    /// The header row of its table with the end of the table, and its text.
    pub header: Option<(ByteSpan, u32, String)>,
    /// Its terms, as often as they are in it.
    pub terms: Vec<String>,
}

/// Replies to calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallReply {
    /// Connected, with what the collection was made for and what it says about itself.
    Opened(Collection, Option<Manifest>),
    /// Connected; there is no collection of this name, only these.
    Missing(Vec<String>),
    /// Connected; the collection is none of Oriel's, or one of a later version.
    Foreign,
    /// Done.
    Done,
    /// No document lies at or in this path, which the filter of [`Call::Find`] names.
    UnknownPath(PathBuf),
    /// The lists of each text, with how long each kind of search took in milliseconds.
    Found {
        /// By meaning and by words.
        lists: Vec<(Vec<FoundRow>, Vec<FoundRow>)>,
        /// By meaning.
        dense_ms: f64,
        /// By words.
        sparse_ms: f64,
    },
    /// Rows by similarity, nearest first.
    Ranked(Vec<FoundRow>),
    /// Rows, by document and ordinal.
    Read(Vec<Row>),
    /// Documents with their generations, by id.
    Published(Vec<(DocumentId, u64)>),
    /// The document, if there is one at the path.
    Located(Option<DocumentId>),
}

/// A row that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundRow {
    /// Its document.
    pub document: DocumentId,
    /// Its position there.
    pub ordinal: Ordinal,
    /// The document's generation.
    pub generation: u64,
    /// Higher is better.
    pub score: f32,
}
