//! Documents of the library: by name, those that failed, those without text.

use std::sync::Arc;

use oriel_api::{DocumentRow, FailureRow, Resolver};
use oriel_core::{CancelToken, DocumentId};

use crate::api::*;
use crate::desktop::publish;
use crate::state::app::App;

/// The most documents without a sentence that are listed by name.
const MAX_UNREAD_LISTED: usize = 500;

/// The most senders of mails that are offered.
const MAX_SENDERS: usize = 200;

/// Documents by name.
pub(crate) fn find(app: &Arc<App>, wanted: &FindDocuments) -> Result<Vec<DocumentRow>, IpcError> {
    let library = &app.session()?.library;
    Ok(Resolver::new(library)?.rows(&library.documents(&wanted.query, wanted.limit)?))
}

/// Who sent the library's mails.
pub(crate) fn senders(app: &Arc<App>, (): &()) -> Result<Vec<SenderCount>, IpcError> {
    let senders = app.session()?.library.senders(MAX_SENDERS)?;
    Ok(senders.into_iter().map(|(name, count)| SenderCount { name, count }).collect())
}

/// Documents that could not be read.
pub(crate) fn failures(app: &Arc<App>, (): &()) -> Result<Vec<FailureRow>, IpcError> {
    let library = &app.session()?.library;
    let resolver = Resolver::new(library)?;
    Ok(library.failures()?.into_iter().map(|one| resolver.failure(one)).collect())
}

/// Reads them again.
pub(crate) fn retry(app: &Arc<App>, Retry { documents }: &Retry) -> Result<(), IpcError> {
    let session = &app.session()?;
    let documents: Vec<_> = documents.iter().copied().map(DocumentId).collect();
    session.library.retry(&documents)?;
    session.indexer.rescan();
    publish::library(app, true);
    Ok(())
}

/// Gives a PDF its password, and has it read.
pub(crate) fn unlock(app: &Arc<App>, unlock: &Unlock) -> Result<(), IpcError> {
    let session = &app.session()?;
    let Unlock { document, password, keep } = unlock;
    let unlocked = session.library.unlock(DocumentId(*document), &password.0, *keep, &CancelToken::new());
    // What the keyring refuses keeps nothing from being read.
    session.indexer.rescan();
    publish::library(app, true);
    Ok(unlocked?)
}

/// Files without searchable text.
pub(crate) fn unread(app: &Arc<App>, (): &()) -> Result<Unread, IpcError> {
    let library = &app.session()?.library;
    let unread = library.unsearchable(MAX_UNREAD_LISTED)?;
    Ok(Unread {
        documents: Resolver::new(library)?.rows(&unread.documents),
        empty: unread.empty,
        skipped: unread.skipped,
        extensions: unread.extensions,
        links: unread.links,
        dangling: unread.dangling,
        page_parts: unread.page_parts,
        part_names: unread.part_names.into_iter().map(|(name, _)| name).collect(),
    })
}
