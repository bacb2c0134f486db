//! What Oriel asks of a remote index, through `oriel-remote-index`.
//!
//! Each call is a [`Request::Index`](crate::remote::Request::Index). Its head has two lengths: of a [`Call`] as JSON,
//! and of the call's vectors; both follow as raw bytes. The answer is [`Reply::Index`](crate::remote::Reply::Index),
//! whose head has the length of a [`CallReply`] as JSON, or [`Reply::Failed`](crate::remote::Reply::Failed). The first
//! call is [`Call::Open`]; later calls go to the same collection.
//!
//! A document has a generation, a number that changes with its sentences. Found rows contain the generation, and so do
//! the rows read around them: positions of two generations are never mixed.

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

/// The generation of a document's first row until all of its rows are written.
pub const INCOMPLETE: u64 = 0;

/// The place of an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexServer {
    /// Its address. For Milvus `https://host:port`, or `http://host:port` without encryption; for PostgreSQL
    /// `postgres://host:port/database`, which is encrypted unless the host is this computer.
    pub url: String,
    /// The name of the collection; in PostgreSQL, of a schema.
    pub collection: String,
    /// The credentials, `NAME:SECRET`; for Milvus also a token, for PostgreSQL also a name alone.
    pub key: Option<Key>,
    /// Seconds without an answer after which the call fails.
    pub silence: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Connect. The answer is [`CallReply::Opened`], [`CallReply::Missing`] or [`CallReply::Foreign`].
    Open(IndexServer),
    /// Create the collection if it is missing. The answer is [`CallReply::Done`].
    Create(Collection),
    /// Delete the collection with all its rows. The answer is [`CallReply::Done`].
    Drop,
    /// Replace the collection's manifest. The answer is [`CallReply::Done`].
    Announce(Manifest),
    /// List the documents with rows, by id. The answer is [`CallReply::Published`].
    Published {
        /// Only documents with higher ids.
        after: Option<DocumentId>,
        /// Maximum number of documents.
        limit: u32,
    },
    /// Find the document at a path. The answer is [`CallReply::Located`].
    Locate {
        /// An absolute path.
        path: PathBuf,
    },
    /// Find the best rows for each text. The answer is [`CallReply::Found`].
    Find {
        texts: Vec<SoughtText>,
        /// The documents to search.
        filter: Filter,
        /// Maximum length of each list.
        depth: u32,
    },
    /// Compute the similarity of rows to the call's only vector. The answer is [`CallReply::Ranked`].
    Rank {
        /// The rows, by document and ordinal.
        rows: Vec<(DocumentId, Ordinal)>,
    },
    /// Read rows of documents. The answer is [`CallReply::Read`].
    Read {
        /// The document, and the ordinals of the first and the last row.
        ranges: Vec<(DocumentId, u32, u32)>,
    },
    /// Write rows, which replace those at the same position. The call has a vector for each, in the same order. The
    /// answer is [`CallReply::Done`].
    Put {
        /// At most [`MAX_ROWS`].
        rows: Vec<Row>,
    },
    /// Remove rows of documents, except those of one generation and of [`INCOMPLETE`]. The answer is
    /// [`CallReply::Done`].
    Remove {
        /// The documents, each with the generation to keep.
        documents: Vec<(DocumentId, Option<u64>)>,
    },
}

/// The properties that all vectors of a collection share. Another embedder needs another collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// The fingerprint of the embedder.
    pub embedder: String,
    /// Length of the vectors.
    pub dimensions: u32,
}

/// The description of a collection's content. Its writer replaces it after every change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The id of the library that writes the collection; there is only one.
    pub writer: String,
    /// The terms that are too frequent to be useful in a search.
    pub frequent_terms: Vec<String>,
    /// Number of documents.
    pub documents: u64,
    /// Number of sentences.
    pub sentences: u64,
    /// When it was written, in milliseconds since 1970.
    pub published: u64,
}

/// A text to search for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoughtText {
    /// Whether the call has a vector for it; vectors are in the order of the texts.
    pub has_vector: bool,
    /// Its distinct terms.
    pub words: Vec<String>,
}

/// A sentence in the index, with everything that is needed to show it without the document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub document: DocumentId,
    /// Its position in the document.
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
    /// The hash of its text, in hexadecimal.
    pub hash: String,
    /// Its bytes in the document's text.
    pub span: ByteSpan,
    /// The page on which it begins, from 1.
    pub page: Option<u32>,
    /// The document's text from its first byte to the next sentence or to the end.
    pub text: String,
    /// The headings above it, outermost first, with their texts; also itself if it is a heading.
    pub headings: Vec<(Heading, String)>,
    /// The header row of its table, with the end of the table and its text.
    pub header: Option<(ByteSpan, u32, String)>,
    /// Its terms, including repetitions.
    pub terms: Vec<String>,
}

/// Replies to calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallReply {
    /// Connected; with the properties and the manifest of the collection.
    Opened(Collection, Option<Manifest>),
    /// Connected, but there is no collection with this name; these exist.
    Missing(Vec<String>),
    /// Connected, but the collection was not made by Oriel, or by a later version.
    Foreign,
    Done,
    /// No document is at or in this path of [`Call::Find`]'s filter.
    UnknownPath(PathBuf),
    /// The lists of each text, and the time of each kind of search in milliseconds.
    Found {
        /// Found by meaning, and found by words.
        lists: Vec<(Vec<FoundRow>, Vec<FoundRow>)>,
        /// The search by meaning.
        dense_ms: f64,
        /// The search by words.
        sparse_ms: f64,
    },
    /// Rows by similarity, nearest first.
    Ranked(Vec<FoundRow>),
    /// Rows in the order of documents and ordinals.
    Read(Vec<Row>),
    /// Documents with their generations, by id.
    Published(Vec<(DocumentId, u64)>),
    /// The document at the path, if there is one.
    Located(Option<DocumentId>),
}

/// A row that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundRow {
    pub document: DocumentId,
    /// Its position in the document.
    pub ordinal: Ordinal,
    /// The document's generation.
    pub generation: u64,
    /// The score; higher is better.
    pub score: f32,
}
