//! A record of how a result came about: the sentences that each stage found, and the fate of every passage.
//!
//! This module only describes. It decides nothing, and computes nothing that the search does not need.

use std::path::PathBuf;

use oriel_core::{ByteSpan, DocumentId, Location, PhraseSignals};
use serde::{Deserialize, Serialize};

/// How a result came about. Stored with the conversation as JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Sentences found by meaning.
    pub dense: usize,
    /// Sentences found by words.
    pub sparse: usize,
    /// Distinct sentences of both; 0 if only one retriever was used.
    pub fused: usize,
    /// The best of them, which were widened.
    pub candidates: usize,
    /// All passages after merging in their final order, including those that were cut.
    pub passages: Vec<TracedPassage>,
    /// The generator's prompt; `None` if no generator was used.
    pub prompt: Option<TracedPrompt>,
}

/// One passage with its rank in each stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct TracedPassage {
    /// The document's absolute path.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub path: PathBuf,
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub document: DocumentId,
    /// BLAKE3 of the file that the text was read from; `None` in traces from older versions.
    #[serde(default)]
    pub hash: Option<String>,
    #[serde(flatten)]
    pub location: Location,
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The sentences that were retrieved, in bytes of the document's text; empty in traces from older versions.
    #[serde(default)]
    pub hits: Vec<ByteSpan>,
    /// Ordinal of its first sentence.
    pub first: u32,
    /// Ordinal of its last sentence.
    pub last: u32,
    /// How many windows were merged into it.
    pub windows: usize,
    /// The best of its sentences by meaning: cosine similarity.
    pub dense: Option<StageRank>,
    /// The best of its sentences by words: BM25.
    pub sparse: Option<StageRank>,
    /// The best of its sentences after fusion; `None` if only one retriever was used.
    pub fused: Option<StageRank>,
    /// The reranker's score, from 0 to 1; `None` if it was not read.
    pub rerank: Option<f32>,
    /// What it is ordered by, from 0 to 1: that score minus a little for each retrieval rank. `None` if it was not
    /// read, and in traces from older versions.
    #[serde(default)]
    pub score: Option<f32>,
    /// What happened to it.
    pub fate: Fate,
}

/// A score and rank in one stage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct StageRank {
    /// Higher is better; comparable within one stage only.
    pub score: f32,
    /// From 1.
    pub rank: usize,
}

/// What happened to a passage. `n` is a passage's number in the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Fate {
    /// The answer was made from it: the generator read it, or it is quoted.
    Used {
        /// The passage's number.
        n: usize,
    },
    /// Shown; no answer was made from it.
    Shown {
        /// The passage's number.
        n: usize,
    },
    /// Shown; too far behind the best for the generator to read.
    Behind {
        /// The passage's number.
        n: usize,
    },
    /// Shown; it did not fit the prompt.
    NoRoom {
        /// The passage's number.
        n: usize,
        /// Tokens it needs.
        tokens: usize,
        /// Tokens that were left.
        left: usize,
    },
    /// Cut: its sentences are the same as those of passage `n`.
    SameText {
        /// The other passage's number.
        n: usize,
    },
    /// Cut: beyond the requested number of passages.
    NotShown,
}

/// The prompt of the generator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts", rename = "Prompt"))]
pub struct TracedPrompt {
    /// System and user prompt, one after the other, without the tokens of the chat template.
    pub text: String,
    /// Its length in tokens, including those of the chat template.
    pub tokens: usize,
    /// Maximum length in tokens.
    pub limit: usize,
    /// The probability of a refusal, if the generator was trained to refuse.
    #[serde(default)]
    pub refusal: Option<f32>,
    /// The phrases that it wrote, if it was trained to answer so, each where a passage holds it.
    #[serde(default)]
    pub phrases: Vec<TracedPhrase>,
}

/// A phrase that may be the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct TracedPhrase {
    pub text: String,
    /// The number of the passage, among those that the generator read.
    pub n: usize,
    #[serde(flatten)]
    pub signals: PhraseSignals,
    /// The probability that it is the answer.
    pub probability: f32,
}
