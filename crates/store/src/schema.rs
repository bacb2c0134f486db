//! The store's schema: every database with its key and value.
//!
//! Integers in keys are big-endian, so that a range scan is in numerical order; so are single numbers in values. Rows
//! of numbers in values (`pages`, `tables`, `vectors-f16`, `codes`) are little-endian. `docs/store-format.md` describes
//! the format for authors of other programs.

use heed::Database;
use heed::types::Bytes;

/// The version of this schema.
pub(crate) const VERSION: u32 = 6;
/// The only earlier version that can be upgraded. Those between were never released.
pub(crate) const UPGRADED: u32 = 1;

/// The data file's name in the library's folder.
pub(crate) const DATA_FILE: &str = "data.mdb";

/// A database whose keys and values this crate encodes itself.
pub(crate) type Raw = Database<'static, Bytes, Bytes>;

/// Which set of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// Those that questions are compared with.
    Active,
    /// Those of another embedder: being made, or kept from before.
    Pending,
}

/// The vectors of one embedder, and the sentences that wait for one.
#[derive(Clone, Copy)]
pub(crate) struct VectorSet {
    /// sentence u32 -> nothing: has no vector yet
    pub unembedded: Raw,
    /// sentence u32 -> one f16 per dimension, of unit length
    pub vectors: Raw,
    /// block u32 -> the codes of the vectors of 256 sentences (see `codes.rs`)
    pub codes: Raw,
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
    /// document u32 -> one u32 per page: where it begins
    pub pages: Raw,
    /// document u32 -> LZ4 block with its length: JSON `Outline`; missing if the text has neither headings nor tables
    pub outlines: Raw,
    /// document u32 -> JSON `PicturedRecord`: its text, or that of some pages, is to be recognised or was
    pub pictured: Raw,
    /// document u32, page u32 -> LZ4 block with its length: hOCR, the words that were recognised on the page
    pub recognised: Raw,
    /// The same for a recognition that is not complete
    pub recognising: Raw,
    /// document u32 -> 16 bytes per sentence: start, end, page, sentence id. A window is a slice of this table
    pub tables: Raw,
    /// sentence hash -> sentence u32
    pub hashes: Raw,
    /// sentence u32 -> sentence hash
    pub sentences: Raw,
    /// sentence u32, document u32 -> nothing: the sentence occurs in the document
    pub occurrences: Raw,
    /// term, 0, document u32 -> the sentences that contain the term, in this document and those after it (see
    /// `postings.rs`)
    pub postings: Raw,
    /// term -> u32: the number of sentences that contain it
    pub frequencies: Raw,
    /// document u32 -> LZ4 block: its terms, to remove its postings later
    pub terms: Raw,
    /// document u32 -> nothing: in the read queue
    pub read_queue: Raw,
    /// The sets of vectors: the active one, and one that is pending or kept for another embedder
    pub sets: [VectorSet; 2],
}

/// The names of the databases. They name no library, since a library can be replaced.
pub(crate) const NAMES: [&str; 24] = [
    "meta",
    "folders",
    "documents",
    "paths",
    "texts",
    "pages",
    "outlines",
    "pictured",
    "recognised-pages",
    "recognising-pages",
    "tables",
    "hashes",
    "sentences",
    "occurrences",
    "postings",
    "frequencies",
    "terms",
    "ledger",
    "unembedded",
    "vectors-f16",
    "codes",
    "unembedded-2",
    "vectors-f16-2",
    "codes-2",
];

/// Names that only version [`UPGRADED`] has, in the order of the fields of [`crate::upgrades::UpgradedVectors`].
pub(crate) const UPGRADED_NAMES: [&str; 3] = ["fresh", "stale", "vectors"];

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
    /// JSON `EmbedderRecord`: the embedder of the active vectors
    pub const EMBEDDER: &[u8] = b"embedder";
    /// JSON `EmbedderRecord`: the embedder of the other set; missing if the set is empty
    pub const NEXT_EMBEDDER: &[u8] = b"next-embedder";
    /// JSON `u64`, milliseconds since 1970: the other set holds the previous vectors, kept until then; missing if its
    /// vectors are being made
    pub const PREVIOUS_UNTIL: &[u8] = b"previous-until";
    /// u32: the active set, 0 or 1; missing means 0
    pub const SEARCHED: &[u8] = b"searched";
    /// u32: the version of the readers that read the documents, see [`crate::Store::use_readers`]; missing means 0
    pub const READERS: &[u8] = b"readers";
    /// JSON `ScanRecord`; missing before the first scan
    pub const SCAN: &[u8] = b"scan";
}

impl Databases {
    /// The databases with parts of a document's text; keys are documents.
    pub(crate) fn of_text(&self) -> [Raw; 5] {
        [self.texts, self.pages, self.outlines, self.pictured, self.tables]
    }

    /// The databases with recognised pages; keys are documents and pages.
    pub(crate) fn of_pages(&self) -> [Raw; 2] {
        [self.recognised, self.recognising]
    }

    /// Takes the handles in the order of [`NAMES`].
    pub(crate) fn new(handles: [Raw; NAMES.len()]) -> Self {
        let [
            meta,
            folders,
            documents,
            paths,
            texts,
            pages,
            outlines,
            pictured,
            recognised,
            recognising,
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
        let [a, b, c, d, e, f] = sets;
        let set = |[unembedded, vectors, codes]: [Raw; 3]| VectorSet { unembedded, vectors, codes };
        Self {
            meta,
            folders,
            documents,
            paths,
            texts,
            pages,
            outlines,
            pictured,
            recognised,
            recognising,
            tables,
            hashes,
            sentences,
            occurrences,
            postings,
            frequencies,
            terms,
            read_queue,
            sets: [set([a, b, c]), set([d, e, f])],
        }
    }
}
