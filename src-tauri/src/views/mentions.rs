//! Every mention of some words.

use std::path::PathBuf;

use oriel_engine::MentioningDocument;

use crate::api::{Mention, MentionRow, Mentions};
use crate::views::cards::pieces;
use crate::views::documents::row;

/// A page of the list. `roots` are the followed folders.
pub(crate) fn mentions(found: oriel_engine::Mentions, roots: &[PathBuf]) -> Mentions {
    Mentions {
        words: found.words,
        whole: found.is_whole,
        searched: found.searched,
        documents: found.documents,
        sentences: found.sentences,
        rows: found.rows.iter().map(|document| mention_row(document, roots)).collect(),
    }
}

/// A document of the list.
pub(crate) fn mention_row(document: &MentioningDocument, roots: &[PathBuf]) -> MentionRow {
    MentionRow {
        document: row(&document.row, roots),
        words: document.words,
        sentences: document.sentences,
        mentions: document
            .shown
            .iter()
            .map(|one| Mention {
                start: one.span.start,
                location: one.location.clone(),
                pieces: pieces(&one.text, one.span.start, &one.words),
            })
            .collect(),
    }
}
