//! Questions, passages, answers and conversations, as the window sees them.

use oriel_core::{AnswerSentence, Difference, Kind, Location, Notice, TimeLimit, Unsupported};
use oriel_engine::{Missing, Window};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::mentions::Piece;
use super::rows::RowsView;
use super::scope::Scope;
use super::survey::{Coverage, SurveyRow, SurveyView};
use super::table::{ProposedTable, TableView};
use super::text::{Run, TextPlace};

/// A question.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Ask {
    /// The conversation it belongs to; a new one where `null`.
    pub conversation: Option<String>,
    /// The turn it takes the place of, with all that follow; at the end where `null`.
    pub replace: Option<u32>,
    /// The turn whose question is asked once more: it leans on those before that one; on those before its own place where
    /// `null`.
    pub again: Option<u32>,
    /// What was asked.
    pub question: String,
    /// Where to look.
    pub scope: Scope,
    /// How far to widen.
    pub window: Window,
    /// Whether documents of any time are searched, also if the question names one.
    #[serde(default)]
    pub any_time: bool,
}

/// What happens while a question is answered, in this order; `piece` many times. The whole turn is the command's result.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
#[ts(export_to = "types.ts")]
pub enum AskEvent {
    /// The question is kept.
    Begun {
        /// Its conversation.
        conversation: String,
        /// Its place there.
        turn: usize,
        /// What was searched for, where the question did not stand alone.
        searched: Option<String>,
    },
    /// The passages, before the first word.
    Found {
        /// The passages.
        found: Box<Found>,
    },
    /// All documents are asked for: how far that is.
    Surveyed {
        /// How much was read.
        coverage: Coverage,
        /// The documents that were found since the last such event.
        rows: Vec<SurveyRow>,
    },
    /// A piece of the answer as it is written, not checked yet; whole characters.
    Piece {
        /// Markdown.
        text: String,
    },
}

/// The passages that a question found.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Found {
    /// Best first.
    pub cards: Vec<Card>,
    /// The probability that they answer the question, 0 to 1.
    pub confidence: f32,
    /// Passages that were read by the reranker, the cards among them.
    pub read: usize,
    /// Milliseconds from the question to the passages.
    pub ms: f64,
    /// What the search could not look at yet.
    pub missing: Missing,
}

/// A passage.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Card {
    /// Its number in the answer, from 1.
    pub n: usize,
    /// The document; `None` where it left the library.
    pub document: Option<u32>,
    /// The file's name.
    pub name: String,
    /// The folder it lies in, for the tooltip.
    pub place: String,
    /// The format.
    pub kind: Kind,
    /// Its page, or its sheet and row.
    #[serde(flatten)]
    pub location: Location,
    /// The headings above it, from the outermost to the innermost.
    pub headings: Vec<String>,
    /// Who sent it; only for a mail.
    pub sender: Option<String>,
    /// When it was sent, in milliseconds since 1970; only for a mail.
    pub sent: Option<i64>,
    /// Where it stands in the document's text.
    pub at: TextPlace,
    /// What the order follows, from 0 to 1: the reranker's score, less a little for each place after fusion; `None` without
    /// a reranker.
    pub score: Option<f32>,
    /// The text in reading order.
    pub runs: Vec<Run>,
    /// The words of a question that was not answered which it mentions; empty where the question was answered.
    pub mentioned: Vec<String>,
    /// Those that it lacks.
    pub lacking: Vec<String>,
    /// Where nearly the same text stands too.
    pub also: Vec<CardPlace>,
}

/// Where nearly the same text as that of a passage stands.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct CardPlace {
    /// The document.
    pub document: u32,
    /// The file's name.
    pub name: String,
    /// The folder it lies in, for the tooltip.
    pub place: String,
    /// Its page, or its sheet and row.
    #[serde(flatten)]
    pub location: Location,
    /// Where it stands in the document's text.
    pub at: TextPlace,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Turn {
    /// What was asked.
    pub question: String,
    /// What was searched for, where the question did not stand alone.
    pub searched: Option<String>,
    /// The words of it that have content: what a list of mentions looks for.
    pub words: Vec<String>,
    /// When, in milliseconds since 1970.
    pub asked: i64,
    /// Where it looked.
    pub scope: Scope,
    /// How far it widened.
    pub window: Window,
    /// The passages; `None` where it was stopped before.
    pub found: Option<Found>,
    /// The answer; `None` where it was stopped before.
    pub answer: Option<AnswerView>,
    /// The table that was made of it.
    pub table: Option<TableView>,
    /// The table that it asks for.
    pub proposed: Option<ProposedTable>,
    /// Whether the person stopped it.
    pub stopped: bool,
    /// Why there is no answer, where something failed.
    pub error: Option<Notice>,
}

/// A checked answer.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct AnswerView {
    /// Markdown with citations such as `[2]`.
    pub text: String,
    /// Whether nothing good enough was found, and the text says so.
    pub abstained: bool,
    /// Whether it was put together from quotes; else a generator wrote it.
    pub quoted: bool,
    /// Whether a generator wrote something else, which the passages did not bear out.
    pub overruled: bool,
    /// The generator's id.
    pub model: String,
    /// The least confidence with which Oriel answers.
    pub limit: f32,
    /// The sentences, in the order of the text.
    pub sentences: Vec<Claim>,
    /// The answers to the parts of the question; empty if it asks one thing.
    pub parts: Vec<PartView>,
    /// The documents that it counts, if the question asks for all or for how many.
    pub survey: Option<SurveyView>,
    /// What it was computed from, or what it lists.
    pub rows: Option<RowsView>,
    /// The time that limits the documents.
    pub time: Option<TimeLimit>,
    /// What a generator wrote and a passage contradicts.
    pub left_out: Vec<AnswerSentence>,
    /// Milliseconds from the question to the first word.
    pub first_word_ms: Option<f64>,
    /// Milliseconds from the question to the end.
    pub total_ms: f64,
}

/// The answer to a part of a question.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct PartView {
    /// What was searched for.
    pub question: String,
    /// The side that it is about, if the question compares two.
    pub side: Option<String>,
    /// Markdown with citations; empty if nothing good enough was found.
    pub text: String,
    /// The sentences, in the order of its text.
    pub sentences: Vec<Claim>,
    /// Whether nothing good enough was found.
    pub abstained: bool,
    /// The number of the closest passage.
    pub closest: Option<usize>,
    /// The words of the part that the closest passage mentions, if it abstained.
    pub mentioned: Vec<String>,
    /// The words of the part that it lacks.
    pub lacking: Vec<String>,
}

/// A sentence of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Claim {
    /// Where it begins in the answer's text, in UTF-16 units.
    pub start: u32,
    /// Where it ends, its citations not counted.
    pub end: u32,
    /// The sentence without citations.
    pub text: String,
    /// Whether a cited passage says so.
    pub supported: bool,
    /// Why not.
    pub reason: Option<Unsupported>,
    /// The words that differ, if a few words make the difference.
    pub difference: Option<Difference>,
    /// The passages it cites, ascending.
    pub citations: Vec<usize>,
    /// The sentence of a document that holds it, if it is a part of one: its words are those that are found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>", optional)]
    pub held: Vec<Piece>,
}

/// A whole conversation.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Conversation {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Questions and answers, oldest first.
    pub turns: Vec<Turn>,
}

/// Looks through conversations.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct FindConversations {
    /// What title, questions or answers hold; empty for all.
    pub query: String,
}

/// Names a conversation.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ConversationRef {
    /// Its id.
    pub conversation: String,
}

/// A new title.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Rename {
    /// The conversation.
    pub conversation: String,
    /// Its new title.
    pub title: String,
}

/// Asks for passages alone, while the window's slider moves.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Widen {
    /// The question, as it was searched for.
    pub question: String,
    /// Where to look.
    pub scope: Scope,
    /// How far to widen.
    pub window: Window,
}

/// Names a turn of a conversation.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct TurnRef {
    /// The conversation.
    pub conversation: String,
    /// The turn, from 0.
    pub turn: u32,
}
