//! Ids as newtypes, so that a document's id cannot be mistaken for a sentence's.

use serde::{Deserialize, Serialize};

/// One document of a library. Never reused within a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocumentId(pub u32);

/// One distinct sentence text of a library: sentences with the same normalised text share it and its vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SentenceId(pub u32);

/// The position of a sentence in its document, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ordinal(pub u32);
