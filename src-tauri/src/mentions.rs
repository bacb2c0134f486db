//! Every mention of some words: the engine's list in the window's words.

use std::path::PathBuf;
use std::sync::Arc;

use oriel_core::{CancelToken, DocumentId};
use oriel_engine::{MentionPage, MentioningDocument};

use crate::app::{App, lock};
use crate::asking::filter;
use crate::cards::pieces;
use crate::folders::{count, roots, row};
use crate::ipc::*;

/// Documents that a list shows at first and with every "more".
const DOCUMENTS: usize = 20;
/// Sentences of a document that it shows at first.
const SENTENCES: usize = 3;
/// Sentences that come with every "more" of a document.
const MORE: usize = 30;

/// Lists every document that mentions the words. A list that is still being made is given up for it.
pub(crate) fn list(app: &Arc<App>, wanted: &FindMentions) -> Result<Mentions, IpcError> {
    let opened = &app.opened()?;
    let filter = filter(opened, &wanted.scope)?;
    let cancel = CancelToken::new();
    std::mem::replace(&mut *lock(&opened.listing), cancel.clone()).cancel();
    let page = MentionPage { from: wanted.from as usize, documents: DOCUMENTS, sentences: SENTENCES };
    let found = opened.library.mentions(&wanted.words, &filter, page, &cancel)?;
    let roots = roots(opened)?;
    Ok(Mentions {
        words: found
            .words
            .into_iter()
            .map(|one| MentionWord { word: one.word, sentences: count(one.sentences) })
            .collect(),
        whole: found.is_whole,
        searched: count(found.searched),
        documents: count(found.documents),
        sentences: count(found.sentences),
        rows: found.rows.iter().map(|document| shown(document, &roots)).collect(),
    })
}

/// More sentences of one document of the list.
pub(crate) fn more(app: &Arc<App>, wanted: &MoreMentions) -> Result<MentionRow, IpcError> {
    let opened = &app.opened()?;
    let id = DocumentId(wanted.document);
    let found = opened.library.mentions_in(&wanted.words, id, wanted.from as usize, MORE)?;
    let found = found.ok_or_else(|| {
        IpcError::gone("the document does not mention the words any more; list the mentions again")
    })?;
    Ok(shown(&found, &roots(opened)?))
}

/// Gives up the list that is being made: nobody looks at it any more.
pub(crate) fn stop(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    lock(&app.opened()?.listing).cancel();
    Ok(())
}

fn shown(document: &MentioningDocument, roots: &[PathBuf]) -> MentionRow {
    MentionRow {
        document: row(&document.row, roots),
        words: count(document.words),
        sentences: count(document.sentences),
        mentions: document
            .shown
            .iter()
            .map(|one| Mention {
                start: one.span.start,
                page: one.page,
                pieces: pieces(&one.text, one.span.start, &one.words),
            })
            .collect(),
    }
}
