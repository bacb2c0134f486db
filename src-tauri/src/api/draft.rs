//! A draft that is checked sentence by sentence, as the UI sees it.

use oriel_core::{Difference, Location, Unsupported, Verdict};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::scope::Scope;
use super::text::TextPlace;

/// A text that a person wrote.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct DraftText {
    /// The text.
    pub text: String,
}

/// Asks what the documents say about sentences.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct CheckDraft {
    /// The sentences, in the order in which they are checked.
    pub sentences: Vec<String>,
    /// Where to look.
    pub scope: Scope,
}

/// A sentence is checked.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct CheckedSentence {
    /// Its position in what was asked, from 0.
    pub at: usize,
    /// What the documents say.
    pub finding: Finding,
}

/// What the documents say about a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Finding {
    /// Whether they support it.
    pub verdict: Verdict,
    /// Why not.
    pub reason: Option<Unsupported>,
    /// The words that differ, if a few words make the difference.
    pub difference: Option<Difference>,
    /// The sentences that say so, best first.
    pub places: Vec<FindingPlace>,
    /// The sentence that comes closest if nothing was found.
    pub closest: Option<FindingPlace>,
}

/// A sentence of a document that supports or contradicts a sentence of the draft.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct FindingPlace {
    /// The document.
    pub document: u32,
    /// The file's name.
    pub name: String,
    /// The folder it lies in, for the tooltip.
    pub folder: String,
    /// Its page, or its sheet and row.
    #[serde(flatten)]
    pub location: Location,
    /// The sentence without markup.
    pub text: String,
    /// Where it stands, by which it is opened.
    pub at: TextPlace,
}

/// Asks for the text of a file.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ReadDraft {
    /// What was dropped; the system's dialog asks for a file if it is `null`.
    pub drop: Option<u32>,
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct DraftFile {
    /// The file's name.
    pub name: String,
    /// Its text.
    pub text: String,
}
