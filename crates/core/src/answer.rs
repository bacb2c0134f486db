//! An answer: sentences, each with the passages it cites.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Location, Passage, Survey};

/// Who worded an answer. As text it is the generator's id, or "quotes".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum AnswerSource {
    /// The documents: it consists of quotes.
    Quotes,
    /// The generator with this id.
    Model(String),
}

/// The text of [`AnswerSource::Quotes`].
const QUOTES: &str = "quotes";

impl From<String> for AnswerSource {
    fn from(text: String) -> Self {
        if text == QUOTES { Self::Quotes } else { Self::Model(text) }
    }
}

impl From<AnswerSource> for String {
    fn from(source: AnswerSource) -> Self {
        match source {
            AnswerSource::Quotes => QUOTES.to_owned(),
            AnswerSource::Model(id) => id,
        }
    }
}

impl fmt::Display for AnswerSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if let Self::Model(id) = self { id } else { QUOTES })
    }
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The answer as shown, with citations such as `[2]`.
    pub answer: String,
    /// Whether no good enough passage was found; the answer then says so.
    pub abstained: bool,
    /// The probability that the passages answer the question; 0 if nothing was found.
    pub confidence: f32,
    /// The answer by sentence.
    pub sentences: Vec<AnswerSentence>,
    /// The answer to each part of the question; one unless it asks several things. Empty in answers from older
    /// versions.
    #[serde(default)]
    pub parts: Vec<AnswerPart>,
    /// Sentences that the generator wrote and that were removed because a passage contradicts them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub left_out: Vec<AnswerSentence>,
    /// The passages that the answer was written from, best first; if it abstained, the nearest passages.
    pub passages: Vec<Passage>,
    /// The documents counted, if the question asks for all documents or for their number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub survey: Option<Survey>,
    /// The rows that the answer was computed from, or that it lists.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows: Option<AnswerRows>,
    /// The period or the order that the question asks for, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time: Option<TimeLimit>,
    /// How long each stage took.
    pub timings: Timings,
    /// Who worded it.
    pub model: AnswerSource,
}

impl Answer {
    /// The sentences of the document at `path` that the passages were found by.
    #[must_use]
    pub fn sentences_of(&self, path: &Path) -> Vec<&str> {
        let of_it = self.passages.iter().filter(|passage| passage.path == path);
        of_it.flat_map(|passage| &passage.hits).map(|hit| hit.text.as_str()).collect()
    }

    /// The question that was searched for instead of `question`, if that is one other question: without typing errors,
    /// or in another language. `None` if the question names a time: its words for the time are left out of the search
    /// anyway.
    #[must_use]
    pub fn searched_for(&self, question: &str) -> Option<&str> {
        let [part] = &self.parts[..] else { return None };
        (part.question != question && self.time.is_none()).then_some(&*part.question)
    }
}

/// Rows shown below an answer: those of a table that a sum was computed from, or one for each document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRows {
    /// The titles of the columns.
    pub columns: Vec<String>,
    /// The first rows.
    pub rows: Vec<AnswerRow>,
    /// The number of all rows.
    pub total: usize,
    /// The query that computed the answer, in SQL.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub query: Option<String>,
}

/// A row below an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRow {
    /// One text for each column.
    pub cells: Vec<String>,
    /// Where the row is; `None` if no document contains it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<RowPlace>,
}

/// Where a row of an answer is in its document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowPlace {
    /// The document's absolute path.
    #[serde(serialize_with = "crate::lossy::path")]
    pub path: PathBuf,
    /// The page, or the row of a sheet.
    #[serde(flatten)]
    pub location: Location,
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A time that a question names, which limits or orders the documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct TimeLimit {
    /// The words in the question, such as "last month".
    pub words: String,
    /// The first day, as `2026-10-01`; `None` if the period has no beginning.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub since: Option<String>,
    /// The last day; `None` if the period has no end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub until: Option<String>,
    /// Whether the newest or the oldest document that answers comes first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub order: Option<TimeOrder>,
}

/// Whether the newest or the oldest document that answers comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum TimeOrder {
    /// The newest: "the latest price".
    Latest,
    /// The oldest: "at first".
    First,
}

/// The answer to a part of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct AnswerPart {
    /// What was searched for.
    pub question: String,
    /// What this part is about, if the question compares two things.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub side: Option<String>,
    /// Other wordings that were searched for.
    pub wordings: Vec<String>,
    /// The probability that a passage answers this part.
    pub confidence: f32,
    /// Whether no good enough passage was found.
    pub abstained: bool,
    /// The answer to this part, with citations; empty if it abstained.
    pub text: String,
    /// How many sentences of the answer belong to this part. They follow those of the earlier parts.
    pub sentences: usize,
    /// The numbers of this part's passages, best first.
    pub passages: Vec<usize>,
}

/// One sentence of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct AnswerSentence {
    /// The sentence without its citation marks.
    pub text: String,
    /// Whether a cited passage says what the sentence says.
    pub supported: bool,
    /// The numbers of the passages it cites, ascending.
    pub citations: Vec<usize>,
    /// For each supporting passage, its sentence that supports the claim best; if a passage contradicts the claim, the
    /// contradicting sentence.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<CitedPlace>>", optional))]
    pub places: Vec<CitedPlace>,
    /// Why it is unsupported; `None` if it is supported.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub reason: Option<Unsupported>,
    /// The words that differ, if the claim and the passage differ in a few words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub difference: Option<Difference>,
}

impl AnswerSentence {
    /// What the documents say about it.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.reason {
            _ if self.supported => Verdict::Supported,
            Some(reason) => reason.verdict(),
            None => Verdict::NotFound,
        }
    }
}

/// The sentence of a document that a citation opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct CitedPlace {
    /// The number of its passage in the result.
    pub n: usize,
    /// First byte in the document's text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// What documents say about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Verdict {
    /// A passage says it.
    Supported,
    /// A passage says the opposite, or something else.
    Contradicted,
    /// No passage supports or contradicts it.
    NotFound,
}

/// Why a claim is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Unsupported {
    /// No passage says it.
    NoPassage,
    /// A number in it is not in the nearest passage.
    Number,
    /// A name in it is not in the nearest passage.
    Name,
    /// A part of it was added to what a passage says.
    Added,
    /// It denies what a passage affirms, or affirms what a passage denies.
    Denial,
    /// A passage has another number.
    OtherNumber,
    /// A passage has the same number in another unit.
    OtherUnit,
    /// A passage has another name.
    OtherName,
    /// A passage has the opposite word, such as "rose" for "fell".
    Opposite,
    /// A passage contradicts it in other words.
    Otherwise,
    /// It contains no claim that could be checked.
    NoClaim,
}

impl Unsupported {
    /// Whether this reason means that a passage contradicts the claim.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Denial
            | Self::OtherNumber
            | Self::OtherUnit
            | Self::OtherName
            | Self::Opposite
            | Self::Otherwise => Verdict::Contradicted,
            Self::NoPassage | Self::Number | Self::Name | Self::Added | Self::NoClaim => Verdict::NotFound,
        }
    }
}

/// The words in which a claim differs from its passage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Difference {
    /// The words of the claim.
    pub claim: String,
    /// What the passage has instead; empty if the passage lacks them.
    pub passage: String,
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
    /// Building and merging windows, and reading their texts.
    pub window_ms: f64,
    /// The cross-encoder.
    pub rerank_ms: f64,
    /// From the question to the first generated text; only with a generator.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_token_ms: Option<f64>,
    /// The generator from start to end; only with an answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub generate_ms: Option<f64>,
    /// From the question to the result.
    pub total_ms: f64,
}
