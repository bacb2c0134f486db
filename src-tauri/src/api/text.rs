//! Text of a document in marked pieces, and places in it.

use oriel_core::ByteSpan;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A piece of a document's text with its mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Run {
    /// The text.
    pub text: String,
    /// How it is marked.
    pub mark: Mark,
    /// Which of the marked sentences it is part of, from 0; only where `mark` is `sentence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hit: Option<usize>,
    /// Whether these are the words of the answer; only where `mark` is `sentence`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub words: bool,
}

/// How text is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "types.ts")]
pub enum Mark {
    /// None.
    Plain,
    /// Pale green: part of a window.
    Window,
    /// Deep green: the sentence that answers, or the one that a citation opens.
    Sentence,
}

/// A place in a document's text: a window with the sentences in it that were found, in bytes. The page hands it back as it
/// got it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct TextPlace {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The sentences.
    pub hits: Vec<ByteSpan>,
    /// The sentence that answers the question, if one is likely to. It is then the one that is marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub answer: Option<ByteSpan>,
    /// The words of the answer in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<ByteSpan>,
    /// BLAKE3 of the file whose text is meant; `None` where it is the text as it is now.
    pub hash: Option<String>,
}
