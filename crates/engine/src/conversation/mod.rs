//! A conversation: questions, the documents they were asked of, and the answers.
//!
//! `store` keeps conversations as files, `export` writes Markdown, `trial` compares two embedders on past questions.
//!
//! A conversation does not depend on the index. The index may be lost and rebuilt without losing any of it.

pub(crate) mod export;
pub(crate) mod store;
pub(crate) mod trial;

use std::fmt;
use std::str::FromStr;

use oriel_core::{Answer, Filter, Notice, Table, kept_notice};
use serde::{Deserialize, Deserializer, Serialize};

use crate::library::document_text::PassageDocument;
use crate::search::trace::Trace;
use crate::search::window::Window;

/// A conversation's id: sixteen random hexadecimal digits in lower case. Nothing else becomes part of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ConversationId(String);

/// The error of an invalid id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the id of a conversation is sixteen hexadecimal digits")]
pub struct NoConversationId;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    pub id: ConversationId,
    /// One line.
    pub title: String,
    /// When it was begun, in milliseconds since 1970.
    pub created: i64,
    /// When its turns last changed, in milliseconds since 1970.
    pub changed: i64,
    /// Oldest first.
    pub turns: Vec<Turn>,
}

/// One question with its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The question as it was typed.
    pub question: String,
    /// What was searched for, if that is not the question as typed: it was completed, corrected or translated.
    #[serde(default)]
    pub searched: Option<String>,
    /// When it was asked, in milliseconds since 1970.
    pub asked: i64,
    /// The documents it was asked of.
    #[serde(default)]
    pub scope: Filter,
    /// For each path of the scope, in order: the document at that path; `None` for a folder or a document that was not
    /// read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scoped: Vec<Option<PassageDocument>>,
    /// Whether it was asked of documents of any time, also if it names one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_time: bool,
    /// The window it was asked with.
    #[serde(default)]
    pub window: Window,
    /// The answer; `None` while there is none, or after an error.
    #[serde(default)]
    pub answer: Option<Answer>,
    /// For each of the answer's passages, in order: its document; `None` if the document left the library while the
    /// answer was made.
    #[serde(default)]
    pub documents: Vec<Option<PassageDocument>>,
    /// The table that was made of it, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
    /// Whether the answer is incomplete: stopped by the user, or interrupted when Oriel was closed. It is also set
    /// while the answer is being written.
    #[serde(default)]
    pub stopped: bool,
    /// Why there is no answer, if something failed.
    #[serde(flatten, with = "error")]
    pub error: Option<Notice>,
    /// What was not indexed yet when it was asked.
    #[serde(default)]
    pub missing: Missing,
    /// How the answer came about; `None` if another version recorded it in another shape.
    #[serde(default, deserialize_with = "known_trace", skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

kept_notice!(error, "error", "error_notice");

/// A trace of another shape does not make the conversation unreadable; the next change of the conversation drops it.
fn known_trace<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Option<Trace>, D::Error> {
    Ok(serde_json::from_value(serde_json::Value::deserialize(deserializer)?).unwrap_or_default())
}

/// What was not indexed yet when a question was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Missing {
    /// Documents that were not read yet and cannot be found.
    #[serde(default)]
    pub unread: usize,
    /// Sentences without a vector, which are found by words only.
    #[serde(default)]
    pub unembedded: usize,
}

impl ConversationId {
    /// A new random id.
    #[must_use]
    pub(crate) fn random() -> Self {
        Self(format!("{:016x}", rand::random::<u64>()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ConversationId {
    type Err = NoConversationId;

    fn from_str(text: &str) -> Result<Self, NoConversationId> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 16 && text.bytes().all(is_digit))
            .then(|| Self(text.to_owned()))
            .ok_or(NoConversationId)
    }
}

impl TryFrom<String> for ConversationId {
    type Error = NoConversationId;

    fn try_from(text: String) -> Result<Self, NoConversationId> {
        text.parse()
    }
}

impl From<ConversationId> for String {
    fn from(id: ConversationId) -> Self {
        id.0
    }
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The most characters of a title that is taken from a question.
const MAX_TITLE_CHARS: usize = 80;

/// The title of a conversation that begins with a question: its first words.
#[must_use]
pub fn title_of(question: &str) -> String {
    let line = one_line(question);
    match line.char_indices().nth(MAX_TITLE_CHARS) {
        None => line,
        Some((at, _)) => {
            let cut = line[..at].rfind(' ').unwrap_or(at);
            format!("{}…", &line[..cut])
        }
    }
}

/// A title in one line.
fn one_line(title: &str) -> String {
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The time now as conversations keep it, in milliseconds since 1970.
#[must_use]
pub fn now() -> i64 {
    i64::try_from(crate::files::now()).unwrap_or(i64::MAX)
}

impl Turn {
    /// A question about all documents, asked at `asked` in milliseconds since 1970.
    #[must_use]
    pub fn new(question: impl Into<String>, asked: i64) -> Self {
        Self {
            question: question.into(),
            searched: None,
            asked,
            scope: Filter::default(),
            scoped: Vec::new(),
            any_time: false,
            window: Window::default(),
            answer: None,
            documents: Vec::new(),
            table: None,
            stopped: false,
            error: None,
            missing: Missing::default(),
            trace: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_ends_with_a_word() {
        assert_eq!(title_of("  Why\n so? "), "Why so?");
        let long = title_of(&"word ".repeat(40));
        assert!(long.ends_with("word…") && long.chars().count() <= 81, "{long}");
    }

    #[test]
    fn only_sixteen_digits_are_an_id() {
        for wrong in ["", "0123456789abcde", "0123456789ABCDEF", "../../../../etc/x", "0123456789abcdef0"] {
            assert_eq!(wrong.parse::<ConversationId>(), Err(NoConversationId), "{wrong}");
            assert!(serde_json::from_value::<ConversationId>(wrong.into()).is_err(), "{wrong}");
        }
        let (one, other) = (ConversationId::random(), ConversationId::random());
        assert_ne!(one, other);
        assert_eq!(one.as_str().parse(), Ok(one.clone()));
    }

    #[test]
    fn a_turn_needs_its_question_and_nothing_else() {
        let turn: Turn =
            serde_json::from_str(r#"{"question": "Why?", "asked": 5, "mood": "curious"}"#).unwrap();
        assert_eq!(turn, Turn::new("Why?", 5));
    }
}
