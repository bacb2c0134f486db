//! Ids as newtypes, so that a document's id cannot be mistaken for a sentence's.

use serde::{Deserialize, Serialize};

/// One document of a library. A store never uses an id twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocumentId(pub u32);

/// One distinct sentence text of a library. Sentences with the same normalised text share the id and its vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SentenceId(pub u32);

/// The position of a sentence in its document, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ordinal(pub u32);
