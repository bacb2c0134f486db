//! Every mention of some words.

use std::sync::Arc;

use oriel_core::{DocumentId, Notice};
use oriel_engine::MentionPage;

use crate::api::{FindMentions, IpcError, MentionRow, Mentions, MoreMentions};
use crate::commands::scope::filter;
use crate::state::app::App;
use crate::state::session::take_over;
use crate::views::mentions::{mention_row, mentions};
use oriel_api::lock;

/// Documents on a page of the list.
const DOCUMENTS_PER_PAGE: usize = 20;
/// Sentences of a document that the list shows at first.
const FIRST_SENTENCES: usize = 3;
/// Sentences of a document that come with every "more".
const MORE_SENTENCES: usize = 30;

/// Lists every document that mentions the words. A list in progress is cancelled.
pub(crate) fn list(app: &Arc<App>, wanted: &FindMentions) -> Result<Mentions, IpcError> {
    let session = &app.session()?;
    let filter = filter(session, &wanted.scope)?;
    let cancel = take_over(&session.mentions);
    let from = wanted.from as usize;
    let page = MentionPage { from, documents: DOCUMENTS_PER_PAGE, sentences: FIRST_SENTENCES };
    let found = session.library.mentions(&wanted.words, &filter, page, &cancel)?;
    Ok(mentions(found, &session.library.folders()?))
}

/// More sentences of one document of the list.
pub(crate) fn more(app: &Arc<App>, wanted: &MoreMentions) -> Result<MentionRow, IpcError> {
    let session = app.session()?;
    let library = &session.library;
    let id = DocumentId(wanted.document);
    let found = library.mentions_in(&wanted.words, id, wanted.from as usize, MORE_SENTENCES)?;
    let found = found.ok_or_else(|| IpcError::gone(Notice::MentionsGone))?;
    Ok(mention_row(&found, &library.folders()?))
}

/// Cancels the list in progress.
pub(crate) fn stop(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    lock(&app.session()?.mentions).cancel();
    Ok(())
}
