//! Every mention of some words. `viewer::marked` locates one again by its words when it is opened, so the marks are right
//! after the document was read again.

use oriel_core::{CancelToken, DocumentId, Location, Notice};
use oriel_engine::{MentionPage, MentionWord, MentioningDocument};

use crate::documents::{DocumentRow, Resolver};
use crate::error::AppError;
use crate::marks::pieces;
use crate::payload::{payload, request};
use crate::scope::Scope;
use crate::search::Searcher;
use crate::text::Piece;

/// Documents on a page of the list.
const DOCUMENTS_PER_PAGE: usize = 20;
/// Sentences of a document that the list shows at first.
const FIRST_SENTENCES: usize = 3;
/// Sentences of a document that come with every "more".
const MORE_SENTENCES: usize = 30;

request! {
    /// Asks for every document that mentions some words.
    pub struct FindMentions {
        /// Stop words and question words in it are ignored.
        pub words: String,
        pub scope: Scope,
        /// How many documents of the list are here already.
        pub from: usize,
    }

    /// Asks for more sentences of one document of the list.
    pub struct MoreMentions {
        pub words: String,
        pub document: u32,
        /// How many of its sentences are here already.
        pub from: usize,
    }
}

payload! {
    /// Every document that mentions some words: counts of all, and some of them.
    pub struct Mentions {
        /// What was looked for, in the order of the question.
        pub words: Vec<MentionWord>,
        /// Whether sentences hold all of the words; else the documents are those that come nearest, best first.
        pub whole: bool,
        /// Documents that were searched.
        pub searched: usize,
        /// Documents that mention the words.
        pub documents: usize,
        /// Their sentences that do.
        pub sentences: u64,
        /// The next ones of the list.
        pub rows: Vec<MentionRow>,
    }

    /// A document that mentions the words.
    pub struct MentionRow {
        pub document: DocumentRow,
        /// How many of the words its sentences below hold.
        pub words: usize,
        /// How many of its sentences do.
        pub sentences: usize,
        /// The next of them, in reading order.
        pub mentions: Vec<Mention>,
    }

    /// A sentence that mentions the words.
    pub struct Mention {
        /// Its first byte in the document's text, by which it is opened.
        pub start: u32,
        #[serde(flatten)]
        pub location: Location,
        /// Its text in order.
        pub pieces: Vec<Piece>,
    }
}

impl Searcher {
    /// Every document that mentions the words.
    pub fn mentions(&self, wanted: &FindMentions, cancel: &CancelToken) -> Result<Mentions, AppError> {
        let library = self.library();
        let page =
            MentionPage { from: wanted.from, documents: DOCUMENTS_PER_PAGE, sentences: FIRST_SENTENCES };
        let found = library.mentions(&wanted.words, &wanted.scope.filter(library)?, page, cancel)?;
        let resolver = Resolver::new(library)?;
        Ok(Mentions {
            words: found.words,
            whole: found.is_whole,
            searched: found.searched,
            documents: found.documents,
            sentences: found.sentences,
            rows: found.rows.iter().map(|document| mention_row(&resolver, document)).collect(),
        })
    }

    /// More sentences of one document of the list.
    pub fn more_mentions(&self, wanted: &MoreMentions) -> Result<MentionRow, AppError> {
        let library = self.library();
        let id = DocumentId(wanted.document);
        let found = library.mentions_in(&wanted.words, id, wanted.from, MORE_SENTENCES)?;
        let found = found.ok_or(AppError::Gone(Notice::MentionsGone))?;
        Ok(mention_row(&Resolver::new(library)?, &found))
    }
}

fn mention_row(resolver: &Resolver<'_>, document: &MentioningDocument) -> MentionRow {
    let mention = |one: &oriel_engine::Mention| Mention {
        start: one.span.start,
        location: one.location.clone(),
        pieces: pieces(&one.text, one.span.start, &one.words),
    };
    MentionRow {
        document: resolver.row(&document.row),
        words: document.words,
        sentences: document.sentences,
        mentions: document.shown.iter().map(mention).collect(),
    }
}
