//! A document on the screen, with its marks.

use oriel_engine::Freshness;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::library::DocumentRow;
use super::text::{Mark, Run, TextPlace};

/// Asks for a document.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
#[ts(export_to = "types.ts")]
pub enum OpenView {
    /// At a passage of an answer.
    Passage {
        /// The conversation.
        conversation: String,
        /// The turn, from 0.
        turn: u32,
        /// The passage's number, from 1.
        n: u32,
        /// The sentence of the answer that cites it, from 0: its own source is marked first.
        claim: Option<u32>,
    },
    /// At a place in its text.
    Place {
        /// The document.
        document: u32,
        /// The place.
        at: TextPlace,
    },
    /// At a sentence that mentions some words; the others of the document that do are marked as well.
    Mention {
        /// The document.
        document: u32,
        /// The words.
        words: String,
        /// First byte of the sentence.
        start: u32,
    },
    /// At its beginning.
    Document {
        /// The document.
        document: u32,
    },
}

/// A document, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct View {
    /// The document.
    pub document: DocumentRow,
    /// Whether the file is still the one that was read.
    pub freshness: Freshness,
    /// The text, for all formats but PDF; empty where the text was read anew and the marks no longer fit.
    pub blocks: Vec<Block>,
    /// The marks on pages, for PDF; may be empty, then `quotes` are looked for in the page's text.
    pub marks: Vec<PageMark>,
    /// The marked sentences in reading order: what Previous and Next go through.
    pub hits: Vec<ViewHit>,
    /// Which of `hits` is shown first.
    pub first: Option<usize>,
    /// The address under which the viewer gets the file's bytes; only for PDF.
    pub address: Option<String>,
}

/// A paragraph, heading, list item or the like.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Block {
    /// What it is.
    pub style: BlockStyle,
    /// Its text as it stands in the file, with marks.
    pub runs: Vec<Run>,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "types.ts")]
pub enum BlockStyle {
    /// A paragraph.
    Text,
    /// A heading.
    Heading,
    /// Preformatted: code, tables.
    Fixed,
}

/// A rectangle on a page, in fractions of the page as it is shown, from its top left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct PageMark {
    /// The page, from 1.
    pub page: u32,
    /// From 0 to 1.
    pub left: f32,
    /// From 0 to 1.
    pub top: f32,
    /// From 0 to 1.
    pub right: f32,
    /// From 0 to 1.
    pub bottom: f32,
    /// Window or sentence.
    pub mark: Mark,
    /// Which of the marked sentences it belongs to.
    pub hit: Option<usize>,
    /// Whether it is of the words of the answer.
    pub words: bool,
}

/// A marked sentence.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ViewHit {
    /// Its text.
    pub text: String,
    /// The page on which it begins.
    pub page: Option<u32>,
}
