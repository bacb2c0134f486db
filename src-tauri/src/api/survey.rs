//! The list under a count: every document that mentions a thing.

use oriel_core::Location;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::text::TextPlace;

/// Every document that mentions a thing.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct SurveyView {
    /// How much was read for it.
    #[serde(flatten)]
    #[ts(flatten)]
    pub coverage: Coverage,
    /// The documents, by path.
    pub rows: Vec<SurveyRow>,
}

/// How much was read for a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Coverage {
    /// What was looked for.
    pub thing: String,
    /// The name of the folder that it was limited to by the question.
    pub folder: Option<String>,
    /// Documents in the scope.
    pub total: usize,
    /// Those that were read.
    pub read: usize,
    /// Those that cannot be read.
    pub unreadable: usize,
    /// Sentences that were compared with the thing.
    pub sentences: u64,
    /// How many different sentences the checker read; `None` if that is not known.
    pub checked: Option<usize>,
    /// The probability from which a sentence counts.
    pub least: f32,
    /// The probability from which a document is certain.
    pub certain: f32,
}

/// A document that mentions the thing.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct SurveyRow {
    /// The number of its passage in the answer, from 1.
    pub n: usize,
    /// Whether the answer has such a passage: those that come late in a long list have none.
    pub cited: bool,
    /// The document; `None` where it left the library.
    pub document: Option<u32>,
    /// The file's name.
    pub name: String,
    /// The folder it lies in.
    pub place: String,
    /// When its file was last changed, in milliseconds since 1970; 0 where it left the library.
    pub modified: i64,
    /// Whether a sentence certainly mentions the thing.
    pub certain: bool,
    /// Whether the person included it or left it out.
    pub included: Option<bool>,
    /// Its sentences that do, best first.
    pub sentences: Vec<SurveySentence>,
}

/// A sentence that mentions the thing.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct SurveySentence {
    /// Its page, or its sheet and row.
    #[serde(flatten)]
    pub location: Location,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub at: TextPlace,
}

/// Includes a document of a list, or leaves it out.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ReviewSurvey {
    /// The conversation.
    pub conversation: String,
    /// The turn, from 0.
    pub turn: u32,
    /// The number of the document's passage.
    pub n: u32,
    /// Whether it counts; `null` takes the choice back.
    pub included: Option<bool>,
}
