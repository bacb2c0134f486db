//! Ids as newtypes, so that a document can never be taken for a sentence.

use serde::{Deserialize, Serialize};

/// One document of a library. Given once, never reused within a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocumentId(pub u32);

/// One distinct sentence text of a library: sentences with the same normalised text share it, and with it the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SentenceId(pub u32);

/// The place of a sentence in its document, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ordinal(pub u32);
