//! Text of a document in marked pieces, and places in it.

use oriel_core::ByteSpan;
use serde::Deserialize;

use crate::payload::payload;

payload! {
    /// A piece of a document's text with its mark.
    #[derive(Eq)]
    pub struct Run {
        pub text: String,
        pub mark: Mark,
        /// Which of the marked sentences it is part of, from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub hit: Option<usize>,
        /// Whether these are the words of the answer.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "ts", ts(as = "Option<bool>", optional))]
        pub words: bool,
    }

    /// How text is marked.
    #[derive(Copy, Eq)]
    pub enum Mark {
        Plain,
        /// Pale green: part of a window.
        Window,
        /// Deep green: the sentence that answers, or the one that a citation opens.
        Sentence,
    }

    /// A piece of a sentence.
    #[derive(Eq)]
    pub struct Piece {
        pub text: String,
        /// Whether it is one of the words that were looked for.
        pub found: bool,
    }

    /// A place in a document's text: a window with the sentences in it that were found, in bytes. The page sends it back
    /// unchanged.
    #[derive(Deserialize)]
    pub struct TextPlace {
        pub start: u32,
        pub end: u32,
        /// The sentences.
        pub hits: Vec<ByteSpan>,
        /// The sentence that answers the question, if one is likely to. It is then the one that is marked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub answer: Option<ByteSpan>,
        /// The words of the answer in it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub words: Option<ByteSpan>,
        /// BLAKE3 of the file whose text is meant; `None` for the text as it is now.
        pub hash: Option<String>,
    }
}

impl TextPlace {
    /// A window in which these sentences were found.
    pub fn window(window: ByteSpan, hits: Vec<ByteSpan>, hash: Option<String>) -> Self {
        Self { start: window.start, end: window.end, hits, answer: None, words: None, hash }
    }

    /// A sentence that is marked.
    pub(crate) fn sentence(start: u32, end: u32, hash: Option<String>) -> Self {
        let sentence = ByteSpan::new(start, end);
        Self { answer: Some(sentence), ..Self::window(sentence, Vec::new(), hash) }
    }
}
