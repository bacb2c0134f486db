//! The UI starts.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::api::{IpcError, Start};
use crate::commands::{downloads, local_address};
use crate::desktop::engine_line::engine_line;
use crate::desktop::{conversation_list, publish, tray};
use crate::state::app::App;

/// Everything that the UI needs before it can draw anything. If the library could not be opened before, this tries again.
pub(crate) fn start(app: &Arc<App>, (): &()) -> Result<Start, IpcError> {
    // A library that is being reopened comes back by itself. Opening it here could make another in its place.
    if !app.reopening.load(Ordering::Acquire) {
        app.open();
    }
    let (library, trouble) = match publish::library_state(app, true) {
        Ok(library) => (Some(library), None),
        Err(error) => {
            tray::show_trouble(app.handle(), &app.settings());
            (None, Some(error.notice))
        }
    };
    let conversations = match trouble {
        None => conversation_list::all(app)?,
        Some(_) => Vec::new(),
    };
    let started = Start {
        version: env!("CARGO_PKG_VERSION").into(),
        mac: cfg!(target_os = "macos"),
        library,
        place: app
            .session()
            .map(|session| session.library.path().to_string_lossy().into_owned())
            .unwrap_or_default(),
        trouble,
        broken: app.is_beyond_repair(),
        settings: app.settings(),
        conversations,
        engine: engine_line(app),
        downloads: app.downloads.list(),
    };
    begin(app);
    Ok(started)
}

/// Begins the work in the background, unless it has begun.
pub(crate) fn begin(app: &Arc<App>) {
    if app.begin() {
        downloads::resume(app);
        local_address::resume(app);
    }
}
