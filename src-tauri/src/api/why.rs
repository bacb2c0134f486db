//! Why an answer is as it is, and why a document is not in it.

use oriel_core::{Kind, Location, Notice};
use oriel_engine::{Fate, StageRank, TracedPrompt};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::text::TextPlace;

/// How an answer came about.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Why {
    /// Milliseconds of each stage, in order.
    pub stages: Vec<StageTime>,
    /// Milliseconds in all.
    pub total_ms: f64,
    /// Milliseconds to the first word.
    pub first_word_ms: Option<f64>,
    /// Sentences found by meaning.
    pub dense: usize,
    /// Sentences found by words.
    pub sparse: usize,
    /// Sentences after both were fused.
    pub fused: usize,
    /// All passages after merging, in their final order.
    pub passages: Vec<WhyPassage>,
    /// What the generator was given; `None` where nothing was generated.
    pub prompt: Option<TracedPrompt>,
    /// What was searched for, where the question did not stand alone.
    pub searched: Option<String>,
    /// Other words for what the question names, which were searched for too.
    pub wordings: Vec<String>,
}

/// How long a stage took.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct StageTime {
    /// Which.
    pub stage: Stage,
    /// Milliseconds.
    pub ms: f64,
}

/// The stages of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "types.ts")]
pub enum Stage {
    /// Embedding, both retrievers, windows.
    Search,
    /// The cross-encoder.
    Rerank,
    /// The generator reads the prompt.
    Read,
    /// The generator writes.
    Write,
    /// The answer is checked against the passages.
    Check,
}

/// A passage on its way.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct WhyPassage {
    /// Its place in the final order, from 1.
    pub rank: u32,
    /// The document; `None` where it left the library.
    pub document: Option<u32>,
    /// The file's name.
    pub name: String,
    /// The folder it lies in.
    pub place: String,
    /// The format.
    pub kind: Kind,
    /// Its page, or its sheet and row.
    #[serde(flatten)]
    pub location: Location,
    /// Where it stands in the document's text.
    pub at: TextPlace,
    /// The first sentence, counted from 1.
    pub first: u32,
    /// The last sentence.
    pub last: u32,
    /// How many windows were merged into it.
    pub windows: usize,
    /// By meaning: the best of its sentences.
    pub dense: Option<StageRank>,
    /// By words.
    pub sparse: Option<StageRank>,
    /// Fused.
    pub fused: Option<StageRank>,
    /// The reranker's score from 0 to 1.
    pub rerank: Option<f32>,
    /// What it is ordered by, from 0 to 1: that, less a little for each place after fusion.
    pub score: Option<f32>,
    /// What became of it.
    pub fate: Fate,
}

/// Asks why a document is not in an answer.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct AskWhyNot {
    /// The conversation.
    pub conversation: String,
    /// The turn, from 0.
    pub turn: u32,
    /// The document.
    pub document: u32,
}

/// Where a document stood in a question.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct WhyNot {
    /// The document's name.
    pub name: String,
    /// Whether it can be found at all, and why not.
    pub standing: Standing,
    /// Whether the question's scope leaves it out.
    pub outside_scope: bool,
    /// Its sentences that cannot be found by meaning yet.
    pub unembedded: usize,
    /// Its best sentence for this question.
    pub best: Option<BestSentence>,
    /// The number of its best passage, where one is shown.
    pub shown: Option<usize>,
    /// How many sentences are taken from each retriever: the rank that would have been needed.
    pub needed: usize,
}

/// Whether a document can be found.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
#[ts(export_to = "types.ts")]
pub enum Standing {
    /// It is read.
    Indexed {
        /// Its sentences.
        sentences: usize,
    },
    /// It waits to be read.
    Waiting,
    /// It could not be read.
    Failed {
        /// Why, and what to do.
        reason: Notice,
    },
}

/// The sentence of a document that fits a question best.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct BestSentence {
    /// The sentence.
    pub text: String,
    /// Its page, or its sheet and row.
    #[serde(flatten)]
    pub location: Location,
    /// Where it stands in the document's text.
    pub at: TextPlace,
    /// By meaning, among all sentences of the library.
    pub dense: Option<StageRank>,
    /// By words.
    pub sparse: Option<StageRank>,
    /// Fused, where it was a candidate.
    pub fused: Option<StageRank>,
    /// What the reranker says of its window, from 0 to 1.
    pub rerank: Option<f32>,
}
