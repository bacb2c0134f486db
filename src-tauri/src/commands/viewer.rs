//! Documents in the viewer, in the file browser, and in their own app.

use std::sync::Arc;

use oriel_core::{ByteSpan, DocumentId, Notice};
use tauri_plugin_opener::OpenerExt as _;

use crate::api::{DocumentRef, IpcError, OpenView, View};
use crate::commands::conversations::{kept_turn, parse_id};
use crate::state::app::App;
use crate::state::session::LibrarySession;
use crate::views::documents::name_of;
use crate::views::turns::document_of;
use crate::views::viewer::{Marked, view};

/// A document with its marks.
pub(crate) fn open(app: &Arc<App>, wanted: &OpenView) -> Result<View, IpcError> {
    let session = &app.session()?;
    let library = &session.library;
    let (document, marked) = match wanted {
        &OpenView::Document { document } => (DocumentId(document), Marked::none()),
        OpenView::Place { document, at } => {
            let id = DocumentId(*document);
            (id, Marked::place(&library.text_of(id)?, at))
        }
        OpenView::Mention { document, words, start } => {
            let id = DocumentId(*document);
            (id, Marked::mentions(library, id, words, *start)?)
        }
        OpenView::Passage { conversation, turn, n, claim } => {
            passage(session, conversation, *turn, *n, *claim)?
        }
    };
    Ok(view(library, document, marked)?)
}

/// The document of a passage, and what to mark in it.
fn passage(
    session: &LibrarySession,
    conversation: &str,
    number: u32,
    n: u32,
    claim: Option<u32>,
) -> Result<(DocumentId, Marked), IpcError> {
    let gone = || IpcError::gone(Notice::PassageGone);
    // The passages of an answer in progress are in no conversation yet.
    let basis = session.assistant.answers.basis(&parse_id(conversation)?, number as usize);
    let turn = if basis.is_none() { Some(kept_turn(session, conversation, number)?) } else { None };
    let answer = turn.as_ref().and_then(|turn| turn.answer.as_ref());
    let passages = match &basis {
        Some(basis) => &basis.passages,
        None => &answer.ok_or_else(gone)?.passages,
    };
    let documents =
        basis.as_ref().map(|basis| &basis.documents).or(turn.as_ref().map(|turn| &turn.documents));
    let at = passages.iter().position(|passage| passage.n == n as usize).ok_or_else(gone)?;
    let passage = &passages[at];
    let source = documents.and_then(|documents| documents.get(at)?.as_ref());
    let left = || IpcError::gone(Notice::PlaceGone { name: name_of(&passage.path) });
    let id = document_of(&session.library, passage, source).ok_or_else(left)?.id;
    let cited = claim.and_then(|claim| answer?.sentences.get(claim as usize)).and_then(|sentence| {
        let place = sentence.places.iter().find(|place| place.n == n as usize)?;
        Some(ByteSpan::new(place.start, place.end))
    });
    Ok((id, Marked::passage(passage, source, cited)))
}

/// Shows a document, or the file that holds it, in the system's file browser.
pub(crate) fn show_in_folder(
    app: &Arc<App>,
    &DocumentRef { document }: &DocumentRef,
) -> Result<(), IpcError> {
    let path = app.session()?.library.file_of(DocumentId(document))?;
    let shown = app.handle().opener().reveal_item_in_dir(&path);
    shown.map_err(|error| {
        IpcError::failed(Notice::of_path(&path, Notice::NotShown { cause: Notice::text(error).into() }))
    })
}

/// Opens a document, or the file that holds it, in its own app.
pub(crate) fn open_outside(app: &Arc<App>, &DocumentRef { document }: &DocumentRef) -> Result<(), IpcError> {
    let path = app.session()?.library.file_of(DocumentId(document))?;
    let opened = app.handle().opener().open_path(path.to_string_lossy(), None::<&str>);
    opened.map_err(|error| {
        IpcError::failed(Notice::of_path(&path, Notice::NotOpened { cause: Notice::text(error).into() }))
    })
}
