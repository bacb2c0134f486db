//! A record of how a result came about: which sentences each stage found, and what happened to every passage.
//!
//! This module only describes. It decides nothing and computes nothing that the search did not need anyway.

use std::path::PathBuf;

use oriel_core::{ByteSpan, DocumentId};
use serde::{Deserialize, Serialize};

/// How a result came about. Kept with the conversation as JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Sentences found by meaning.
    pub dense: usize,
    /// Sentences found by words.
    pub sparse: usize,
    /// Distinct sentences of both; 0 where one retriever alone decided.
    pub fused: usize,
    /// The best of them, which were widened.
    pub candidates: usize,
    /// All passages after merging, in their final order, also those that were cut.
    pub passages: Vec<TracedPassage>,
    /// What the generator read; `None` where none was asked.
    pub prompt: Option<TracedPrompt>,
}

/// One passage with its place in each stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TracedPassage {
    /// The document's absolute path.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    pub path: PathBuf,
    /// The document.
    pub document: DocumentId,
    /// BLAKE3 of the file that the text was read from; `None` in what was kept before this was noted.
    #[serde(default)]
    pub hash: Option<String>,
    /// The page on which it begins, from 1; `None` in formats without pages.
    pub page: Option<u32>,
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The sentences that brought it here, in bytes of the document's text; empty in what was kept before this was noted.
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
    /// The best of its sentences after fusion; `None` where one retriever alone decided.
    pub fused: Option<StageRank>,
    /// The reranker's score, from 0 to 1; `None` where it was not asked.
    pub rerank: Option<f32>,
    /// What it is ordered by, from 0 to 1: that score, less a little for each place in the retriever's order. `None` where
    /// the reranker was not asked, and in what was kept before this was noted.
    #[serde(default)]
    pub score: Option<f32>,
    /// What became of it.
    pub fate: Fate,
}

/// A score and the rank it gave.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageRank {
    /// Higher is better; comparable within one stage only.
    pub score: f32,
    /// From 1.
    pub rank: usize,
}

/// What became of a passage. `n` is a passage's number in the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Fate {
    /// The answer was made from it: the generator read it, or it is quoted.
    Used {
        /// Its number.
        n: usize,
    },
    /// Shown; no answer was made from it.
    Shown {
        /// Its number.
        n: usize,
    },
    /// Shown; too far behind the best for the generator to read.
    Behind {
        /// Its number.
        n: usize,
    },
    /// Shown; it did not fit the prompt.
    NoRoom {
        /// Its number.
        n: usize,
        /// Tokens it needs.
        tokens: usize,
        /// Tokens that were left.
        left: usize,
    },
    /// Cut: its sentences are word for word those of passage `n`.
    SameText {
        /// The other's number.
        n: usize,
    },
    /// Cut: beyond the number of passages that were asked for.
    NotShown,
}

/// What the generator was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedPrompt {
    /// What it was told of its task and what it was asked, one after the other, without the model's own marks.
    pub text: String,
    /// Its length with the model's marks.
    pub tokens: usize,
    /// Tokens it could have had.
    pub limit: usize,
}
