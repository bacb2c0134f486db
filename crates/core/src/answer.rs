//! An answer: sentences, each with the passages it cites.

use serde::{Deserialize, Serialize};

use crate::Passage;

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The answer as shown, with citations such as `[2]`.
    pub answer: String,
    /// Whether nothing good enough was found, and the answer says so.
    pub abstained: bool,
    /// The probability that the passages answer the question; 0 if nothing was found.
    pub confidence: f32,
    /// The answer by sentence.
    pub sentences: Vec<AnswerSentence>,
    /// The passages it was written from, best first; if it abstained, the nearest passages.
    pub passages: Vec<Passage>,
    /// How long each stage took.
    pub timings: Timings,
    /// The generator's id, or "quotes".
    pub model: String,
}

/// One sentence of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerSentence {
    /// The sentence without its citation marks.
    pub text: String,
    /// Whether a cited passage says what the sentence says.
    pub supported: bool,
    /// The numbers of the passages it cites, ascending.
    pub citations: Vec<usize>,
    /// In each supporting passage, the sentence that fits best.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub places: Vec<CitedPlace>,
    /// Why it is unsupported; only if it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<Unsupported>,
}

/// The sentence of a document that a citation opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedPlace {
    /// The number of its passage.
    pub n: usize,
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// What the check found wrong with a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
#[serde(rename_all = "kebab-case")]
pub enum Unsupported {
    /// No passage says it.
    NoPassage,
    /// It has a number that no passage has.
    Number,
    /// It denies what a passage affirms.
    Denial,
    /// It makes no claim that could be checked.
    NoClaim,
}

/// How long each stage of a question took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// Embedding the question.
    pub embed_ms: f64,
    /// Finding the nearest vectors.
    pub dense_ms: f64,
    /// BM25 over the postings.
    pub sparse_ms: f64,
    /// Building windows, merging them, reading texts.
    pub window_ms: f64,
    /// The cross-encoder.
    pub rerank_ms: f64,
    /// From the question to the first generated piece; only with a generator.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_token_ms: Option<f64>,
    /// The generator from start to end; only with an answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub generate_ms: Option<f64>,
    /// From the question to the result.
    pub total_ms: f64,
}
