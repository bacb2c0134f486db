//! A survey: every document that mentions a thing, and how much was read to find them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Location;

/// Every document that mentions a thing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// What was searched for.
    pub thing: String,
    /// The folder that it is limited to, if the question names one.
    #[serde(serialize_with = "crate::lossy::optional_path", default)]
    pub folder: Option<PathBuf>,
    /// The documents that mention it, by path.
    pub documents: Vec<SurveyedDocument>,
    /// Documents in the scope, readable or not.
    pub total: usize,
    /// How many of them were read.
    pub read: usize,
    /// How many of them could not be read.
    pub unreadable: usize,
    /// Sentences that were compared with the thing; a sentence counts once for each document.
    pub sentences: u64,
    /// How many distinct sentences the checker read; `None` in surveys of older versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub checked: Option<usize>,
    /// Whether it was stopped before all documents were read.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_stopped: bool,
}

impl Survey {
    /// The documents that count: all that the user has not left out.
    pub fn counted(&self) -> impl Iterator<Item = &SurveyedDocument> {
        self.documents.iter().filter(|document| document.included != Some(false))
    }
}

/// A document that mentions the thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyedDocument {
    /// Its absolute path.
    #[serde(serialize_with = "crate::lossy::path")]
    pub path: PathBuf,
    /// Whether a sentence of it certainly mentions the thing. The user should review the others.
    pub certain: bool,
    /// Whether the user included it or left it out; `None` before a review.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub included: Option<bool>,
    /// Its sentences that mention it, best first.
    pub sentences: Vec<SurveyedSentence>,
}

/// A sentence that mentions the thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyedSentence {
    /// Its page or row.
    #[serde(flatten)]
    pub location: Location,
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The text of the sentence.
    pub text: String,
    /// The probability that it mentions the thing.
    pub score: f32,
}
