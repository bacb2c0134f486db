//! The store's whole shape on one screen: every database, its key, its value.
//!
//! Integers in keys are big-endian, so that a range scan is in numerical order; so are single numbers in values. Rows of
//! numbers in values (`pages`, `tables`, `fresh`) are little-endian.
//! `docs/store-format.md` says the same for readers of other programs.

use arroy::distances::Cosine;
use heed::Database;
use heed::types::Bytes;

/// The version of everything below. A store with another version is not opened, see `environment.rs`.
pub(crate) const VERSION: u32 = 2;

/// A database whose keys and values this crate encodes itself.
pub(crate) type Raw = Database<'static, Bytes, Bytes>;

/// The vectors of one embedder, and what waits for one.
#[derive(Clone, Copy)]
pub(crate) struct VectorSet {
    /// sentence u32 -> nothing: has no vector yet
    pub unembedded: Raw,
    /// sentence u32 -> f32 a dimension: vectors that are not in the trees yet, searched one by one
    pub fresh: Raw,
    /// sentence u32 -> nothing: vectors in the trees that no document needs any more
    pub stale: Raw,
    /// the trees (arroy), keyed by index and sentence
    pub vectors: Raw,
}

impl VectorSet {
    /// The trees as arroy sees them.
    pub(crate) fn trees(&self) -> arroy::Database<'static, Cosine> {
        self.vectors.remap_types()
    }
}

/// The databases, in the order of [`NAMES`].
#[derive(Clone, Copy)]
pub(crate) struct Databases {
    /// name -> a single value: version, counters, embedder, totals (see `meta` below)
    pub meta: Raw,
    /// folder number u32 -> JSON `FolderRecord`
    pub folders: Raw,
    /// document u32 -> JSON `DocumentRecord`
    pub documents: Raw,
    /// first 16 bytes of BLAKE3(path) -> document u32 (a path can be longer than an LMDB key)
    pub paths: Raw,
    /// document u32 -> LZ4 block with its length: the text
    pub texts: Raw,
    /// document u32 -> u32 a page: where it begins
    pub pages: Raw,
    /// document u32 -> 16 bytes a sentence: start, end, page, sentence id. A window is a slice of this table
    pub tables: Raw,
    /// sentence hash -> sentence u32
    pub hashes: Raw,
    /// sentence u32 -> sentence hash
    pub sentences: Raw,
    /// sentence u32, document u32 -> nothing: where a sentence stands
    pub occurrences: Raw,
    /// term, 0, document u32 -> (ordinal, frequency, length) triples, varints
    pub postings: Raw,
    /// term -> u32: sentences that hold it
    pub frequencies: Raw,
    /// document u32 -> LZ4 block: its terms, so that they can be taken out again
    pub terms: Raw,
    /// document u32 -> nothing: to be read (the queue of documents to read)
    pub read_queue: Raw,
    /// Two of each: the vectors that are searched, and those that are made beside them for another embedder
    pub sets: [VectorSet; 2],
}

/// The names in the environment. Never a library's name: a library can be replaced.
pub(crate) const NAMES: [&str; 22] = [
    "meta",
    "folders",
    "documents",
    "paths",
    "texts",
    "pages",
    "tables",
    "hashes",
    "sentences",
    "occurrences",
    "postings",
    "frequencies",
    "terms",
    "ledger",
    "unembedded",
    "fresh",
    "stale",
    "vectors",
    "unembedded-2",
    "fresh-2",
    "stale-2",
    "vectors-2",
];

/// The keys of `meta`.
pub(crate) mod meta {
    /// u32: the schema's version
    pub const VERSION: &[u8] = b"version";
    /// u32: the next document id
    pub const NEXT_DOCUMENT: &[u8] = b"next-document";
    /// u32: the next sentence id
    pub const NEXT_SENTENCE: &[u8] = b"next-sentence";
    /// u32: the next folder number
    pub const NEXT_FOLDER: &[u8] = b"next-folder";
    /// JSON `Totals`
    pub const TOTALS: &[u8] = b"totals";
    /// JSON `EmbedderRecord`: whose vectors are searched
    pub const EMBEDDER: &[u8] = b"embedder";
    /// JSON `EmbedderRecord`: whose vectors are being made beside them; missing where none are
    pub const NEXT_EMBEDDER: &[u8] = b"next-embedder";
    /// JSON `u64`, milliseconds since 1970: the vectors beside those that are searched are the previous ones, kept until then;
    /// missing where they are being made
    pub const PREVIOUS_UNTIL: &[u8] = b"previous-until";
    /// u32: which set is searched, 0 or 1; missing: 0
    pub const SEARCHED: &[u8] = b"searched";
    /// JSON `ScanRecord`; missing before the first scan
    pub const SCAN: &[u8] = b"scan";
}

impl Databases {
    /// From handles in the order of [`NAMES`].
    pub(crate) fn new(handles: [Raw; NAMES.len()]) -> Self {
        let [
            meta,
            folders,
            documents,
            paths,
            texts,
            pages,
            tables,
            hashes,
            sentences,
            occurrences,
            postings,
            frequencies,
            terms,
            read_queue,
            sets @ ..,
        ] = handles;
        let [a, b, c, d, e, f, g, h] = sets;
        let set =
            |[unembedded, fresh, stale, vectors]: [Raw; 4]| VectorSet { unembedded, fresh, stale, vectors };
        Self {
            meta,
            folders,
            documents,
            paths,
            texts,
            pages,
            tables,
            hashes,
            sentences,
            occurrences,
            postings,
            frequencies,
            terms,
            read_queue,
            sets: [set([a, b, c, d]), set([e, f, g, h])],
        }
    }
}
