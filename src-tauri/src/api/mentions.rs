//! Every mention of some words, and files with nothing to read in them, as the window sees them.

use oriel_core::Location;
use oriel_engine::{LeftOut, MentionWord};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::library::DocumentRow;
use super::scope::Scope;

/// Asks for every document that mentions some words.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct FindMentions {
    /// The words; those that only ask and join are passed over.
    pub words: String,
    /// Where to look.
    pub scope: Scope,
    /// How many documents of the list are here already.
    pub from: u32,
}

/// Every document that mentions some words: counts of all, and some of them.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Mentions {
    /// What was looked for, in the order in which it was said.
    pub words: Vec<MentionWord>,
    /// Whether sentences hold all of the words; else the documents are those that come nearest, best first.
    pub whole: bool,
    /// Documents that were looked through.
    pub searched: usize,
    /// Documents that mention the words.
    pub documents: usize,
    /// Their sentences that do.
    pub sentences: u64,
    /// The next ones of the list.
    pub rows: Vec<MentionRow>,
}

/// A document that mentions the words.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct MentionRow {
    /// The document.
    pub document: DocumentRow,
    /// How many of the words its sentences below hold.
    pub words: usize,
    /// How many of its sentences do.
    pub sentences: usize,
    /// The next of them, in reading order.
    pub mentions: Vec<Mention>,
}

/// A sentence that mentions the words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Mention {
    /// Its first byte in the document's text, by which it is opened.
    pub start: u32,
    /// Its page, or its sheet and row.
    #[serde(flatten)]
    pub location: Location,
    /// Its text in order.
    pub pieces: Vec<Piece>,
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Whether it is one of the words.
    pub found: bool,
}

/// Asks for more sentences of one document of the list.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct MoreMentions {
    /// The words.
    pub words: String,
    /// The document.
    pub document: u32,
    /// How many of its sentences are here already.
    pub from: u32,
}

/// Files that no search finds though nothing failed: there is nothing to read in them.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Unread {
    /// Documents without a sentence, by place and name; the first of them.
    pub documents: Vec<DocumentRow>,
    /// How many there are in all.
    pub empty: usize,
    /// Files of kinds that are not read.
    pub skipped: u64,
    /// How many of these have which extension, the most first; not all are known.
    pub extensions: Vec<ExtensionCount>,
    /// Symbolic links that are not followed.
    pub links: LeftOutFiles,
    /// Symbolic links that were to be followed and lead nowhere.
    pub dangling: LeftOutFiles,
    /// Parts of web pages that were left out: folders and files with all that is below them.
    pub page_parts: u64,
    /// The names of these, the most first; not all are known.
    pub part_names: Vec<String>,
}

/// How many files of a kind that is not read have an extension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ExtensionCount {
    /// The extension in small letters, without its point; empty where there is none.
    pub extension: String,
    /// How many files.
    pub count: u64,
    /// The first of them, with their paths.
    pub paths: Vec<String>,
}

/// Files that were left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct LeftOutFiles {
    /// How many.
    pub count: u64,
    /// The first of them, with their paths.
    pub paths: Vec<String>,
}

impl From<LeftOut> for LeftOutFiles {
    fn from(LeftOut { count, paths }: LeftOut) -> Self {
        Self { count, paths }
    }
}
