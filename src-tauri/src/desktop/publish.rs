//! Sends events to the UI. A window that is closing hears nothing; that is no error.

use oriel_api::{Work, lock};
use serde::Serialize;
use tauri::Emitter as _;
use tauri::ipc::{Channel, IpcResponse};

use crate::api::{IpcError, LibraryState};
use crate::background::progress::PacedProgress;
use crate::desktop::engine_line::engine_line;
use crate::desktop::{library_state, tray};
use crate::state::app::App;

/// Sends an event by its name in `commands::registry::Events`.
pub(crate) fn send<T: Serialize + Clone>(app: &App, event: &str, payload: T) {
    if let Err(error) = app.handle().emit(event, payload) {
        tracing::debug!(%error, event, "the window did not hear");
    }
}

/// Sends an event of a command that streams.
pub(crate) fn stream<T: IpcResponse>(events: &Channel<T>, event: T) {
    if let Err(error) = events.send(event) {
        tracing::debug!(%error, "the window did not hear");
    }
}

/// Streams progress at intervals.
pub(crate) fn progress(events: &Channel<Work>) -> impl FnMut(u64, u64) + '_ {
    let mut progress = PacedProgress::new();
    move |done, total| {
        if let Some(work) = progress.at((), done, total) {
            stream(events, work);
        }
    }
}

/// The library's state. Its counts are looked up if they are due, or with `recount`.
pub(crate) fn library_state(app: &App, recount: bool) -> Result<LibraryState, IpcError> {
    let session = &app.session()?;
    let state = session.counts.with(&session.library, recount, |overview| {
        library_state::library_state(&session.library, &session.indexer, overview)
    })?;
    Ok(state)
}

/// Sends the library's state to the UI and the tray.
pub(crate) fn library(app: &App, recount: bool) {
    let Ok(session) = app.session() else { return };
    // States are sent in the order in which they were taken.
    let _publishing = lock(&session.publishing);
    match library_state(app, recount) {
        Ok(state) => {
            tray::show_activity(app.handle(), &app.settings(), &state);
            send(app, "library", state);
        }
        Err(error) => tracing::warn!("{}", error.notice),
    }
}

/// Sends which models are in use.
pub(crate) fn engine(app: &App) {
    send(app, "engine", engine_line(app));
}

/// Sends the downloads.
pub(crate) fn downloads(app: &App) {
    send(app, "downloads", app.downloads.list());
}
