//! Search results: passages with the sentences that were hit.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{ByteSpan, Location};

/// Windows of one document, merged if they overlap or touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Its number in the result, from 1, best first; citations use it.
    pub n: usize,
    /// The document's absolute path.
    #[serde(serialize_with = "crate::lossy::path")]
    pub path: PathBuf,
    /// The headings above it, from the outermost to the innermost.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub headings: Vec<String>,
    /// The page on which it begins; in a sheet, the row of the answer or of the first hit.
    #[serde(flatten)]
    pub location: Location,
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Exactly that slice of the document's text.
    pub text: String,
    /// The score it was ranked by; comparable within one result only.
    pub score: f32,
    /// Its hits, in reading order.
    pub hits: Vec<Hit>,
    /// The sentence that answers the question, if one is likely to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answer: Option<AnsweringSentence>,
    /// Other places with nearly the same text: copies, editions, mails that quote it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub also: Vec<AlsoIn>,
}

/// A place with nearly the same text as a passage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlsoIn {
    /// The document's absolute path.
    #[serde(serialize_with = "crate::lossy::path")]
    pub path: PathBuf,
    /// The page or row where it begins.
    #[serde(flatten)]
    pub location: Location,
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The sentences in it that the retriever found, in reading order.
    pub hits: Vec<ByteSpan>,
    /// BLAKE3 of the file that the text was read from; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hash: Option<String>,
}

/// A sentence that the retriever found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Exactly that slice of the document's text.
    pub text: String,
    /// The retriever's fused score; comparable within one result only.
    pub score: f32,
}

/// A sentence that is likely to answer the question.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnsweringSentence {
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The words of the answer in it; `None` if no model looked for them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub words: Option<ByteSpan>,
    /// The probability that it answers the question.
    pub confidence: f32,
}
