//! Understands questions by their words.
//!
//! - `plan` decides what Oriel may compute for a question, and the parts that are searched for otherwise.
//! - `rewrite` completes a follow-up question from earlier ones, `split` divides a question that asks several things.
//! - `list` recognises questions for all documents that mention a thing, `table` requests for a table.
//! - `library` recognises questions about the library itself. `kinds` has nouns for documents of a kind, `days` the periods in such
//!   questions.
//! - `outline` recognises questions about a document as a whole, or about one thing in a named document.
//! - `events` recognises questions for documents by a date in their text.
//! - `sums` recognises questions for a number over the rows of a table, and matches them with a table.
//! - `dates` parses the time that a question names, `time` decides whether it limits or orders the documents.
//! - `glossary` has other words for what a question names, `proposal` asks the generator for some; both within `writing`'s time limit.
//! - `spelling` corrects typing errors, `translation` translates a question between German and English.
//! - `words` tells which words of a question have content, `word_cursor` reads them one by one, `language` has the function words of
//!   each language.

pub(crate) mod dates;
pub(crate) mod days;
pub(crate) mod events;
pub(crate) mod glossary;
pub(crate) mod kinds;
pub(crate) mod language;
pub(crate) mod library;
pub(crate) mod list;
pub(crate) mod outline;
pub(crate) mod plan;
pub(crate) mod proposal;
pub(crate) mod rewrite;
pub(crate) mod spelling;
pub(crate) mod split;
pub(crate) mod sums;
pub(crate) mod table;
pub(crate) mod time;
pub(crate) mod translation;
mod word_cursor;
pub(crate) mod words;
pub(crate) mod writing;

use serde::{Deserialize, Serialize};

/// A part of a question that is searched for by itself; the whole question if it asks one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryPart {
    /// The part as a question that stands alone.
    pub question: String,
    /// Its side, if the question compares two.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub side: Option<String>,
    /// Other words for what it names. Each wording is searched for too.
    pub wordings: Vec<String>,
}

impl QueryPart {
    /// A question without sides and other wordings.
    pub fn plain(question: impl Into<String>) -> Self {
        Self { question: question.into(), side: None, wordings: Vec::new() }
    }
}
