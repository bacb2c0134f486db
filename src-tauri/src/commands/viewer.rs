//! Documents in the viewer, in the file browser, and in their own app.

use std::sync::Arc;

use oriel_api::{ChosenDocument, OpenView, View};
use oriel_core::{DocumentId, Notice};
use tauri_plugin_opener::OpenerExt as _;

use crate::api::IpcError;
use crate::desktop::pdf_protocol::address;
use crate::state::app::App;

/// A document with its marks.
pub(crate) fn open(app: &Arc<App>, wanted: &OpenView) -> Result<View, IpcError> {
    Ok(app.session()?.assistant.open_view(wanted, address)?)
}

/// Shows a document, or the file that holds it, in the system's file browser.
pub(crate) fn show_in_folder(
    app: &Arc<App>,
    &ChosenDocument { document }: &ChosenDocument,
) -> Result<(), IpcError> {
    let path = app.session()?.library.file_of(DocumentId(document))?;
    let shown = app.handle().opener().reveal_item_in_dir(&path);
    shown.map_err(|error| {
        IpcError::failed(Notice::of_path(&path, Notice::NotShown { cause: Notice::text(error).into() }))
    })
}

/// Opens a document, or the file that holds it, in its own app.
pub(crate) fn open_outside(
    app: &Arc<App>,
    &ChosenDocument { document }: &ChosenDocument,
) -> Result<(), IpcError> {
    let path = app.session()?.library.file_of(DocumentId(document))?;
    let opened = app.handle().opener().open_path(path.to_string_lossy(), None::<&str>);
    opened.map_err(|error| {
        IpcError::failed(Notice::of_path(&path, Notice::NotOpened { cause: Notice::text(error).into() }))
    })
}
