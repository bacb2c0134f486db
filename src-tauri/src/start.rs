//! What the window needs before it can draw anything.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::app::App;
use crate::ipc::{IpcError, Start};
use crate::{folders, listing, tray};

/// Everything at once. A window that is drawn anew also tries anew what could not be opened before.
pub(crate) fn start(app: &Arc<App>, (): &()) -> Result<Start, IpcError> {
    // One that is being opened anew is there, or comes back; this would make another in its place.
    if !app.reopening.load(Ordering::Acquire) {
        app.open();
    }
    let (library, trouble) = match folders::published(app, true) {
        Ok(library) => (Some(library), None),
        Err(error) => {
            tray::show_trouble(app.handle());
            (None, Some(error.message))
        }
    };
    let conversations = match trouble {
        None => listing::all(app)?,
        Some(_) => Vec::new(),
    };
    let started = Start {
        version: env!("CARGO_PKG_VERSION").into(),
        mac: cfg!(target_os = "macos"),
        library,
        place: app
            .opened()
            .map(|opened| opened.library.path().to_string_lossy().into_owned())
            .unwrap_or_default(),
        trouble,
        broken: app.is_beyond_repair(),
        settings: app.settings(),
        conversations,
        engine: app.engine_line(),
        downloads: app.downloads.list(),
    };
    app.begin();
    Ok(started)
}
