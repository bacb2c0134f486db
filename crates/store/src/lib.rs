//! The store: one LMDB environment with all data of a library.
//!
//! This crate knows only bytes on disk: it never opens a document, divides text into sentences or calls a model. No
//! other crate uses heed. A closure over a [`View`] reads, a closure over an [`Edit`] writes; each closure is one
//! transaction, so callers always see one consistent state.

mod codes;
mod copy;
mod dense;
mod documents;
mod edit;
mod environment;
mod error;
mod floats;
mod keys;
mod lock;
mod pending_postings;
mod postings;
mod records;
mod repair;
mod schema;
mod sparse;
mod table;
mod upgrades;
mod vectors;
mod view;

pub use copy::Compacted;
pub use dense::DenseHit;
pub use documents::{NewText, Recognised};
pub use edit::Edit;
pub use environment::{Store, StoreOptions, is_read_only};
pub use error::StoreError;
pub use lock::{OpenLock, WriterLock};
pub use postings::{DocumentTerms, Posting};
pub use records::{
    DocumentRecord, DocumentState, EmbedderRecord, FolderRecord, HeadRecord, LeftOut, MountRecord,
    PicturedRecord, Previous, ScanRecord, Stamp, Totals,
};
pub use repair::{Digest, Repairs};
pub use schema::Vectors;
pub use sparse::SparseHit;
pub use table::SentenceTable;
pub use view::{EntryCounts, View};

/// The hash of a sentence's plain text: sentences with the same hash share one vector.
pub type SentenceHash = [u8; 16];
