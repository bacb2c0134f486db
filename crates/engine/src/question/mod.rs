//! What a question asks for, by its words.
//!
//! - `plan` decides it.
//! - `rewrite` makes a follow-up question stand alone, `split` finds the parts of a question that asks several things.
//! - `list` recognises a question for all documents or for their number, `table` a request for a table.
//! - `library` recognises a question about the library itself, `outline` one for a document as a whole. `kinds` knows what documents
//!   of a kind are called, `days` the days that such a question names.
//! - `events` recognises a question for documents by a date that stands in them.
//! - `sums` recognises a question for a number over the rows of a table and finds what it names in one.
//! - `glossary` has other words for what a question names, `proposal` asks the generator for some.
//! - `dates` reads the time that a question names, `time` says whether it limits or orders the documents.
//! - `spelling` mends typing errors.
//! - `translation` puts a question in the other language of a library.
//! - `words` knows which words of a question have content, `language` has articles, determiners and negations by language.

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
pub(crate) mod words;

use serde::{Deserialize, Serialize};

/// What is searched for: a question, or one of the things that it asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryPart {
    /// A question that stands alone.
    pub question: String,
    /// The side that it is about, if the question compares two.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub side: Option<String>,
    /// Other words for what it names; each is searched for by itself.
    pub wordings: Vec<String>,
}

impl QueryPart {
    /// A question as it stands.
    pub fn plain(question: impl Into<String>) -> Self {
        Self { question: question.into(), side: None, wordings: Vec::new() }
    }
}
