//! What the desktop does to the app window: closing, dropping files, focus, a change of theme.

use std::path::PathBuf;
use std::sync::Arc;

use tauri::{DragDropEvent, Manager as _, Window, WindowEvent};

use crate::api::DragEvent;
use crate::desktop::{publish, tray, window};
use crate::state::app::App;

/// Handles an event of the window. Files that are dropped on it go to `on_drop`, off the window's thread.
pub(crate) fn on_event(tauri_window: &Window, event: &WindowEvent, on_drop: fn(&App, Vec<PathBuf>)) {
    let handle = tauri_window.app_handle();
    let Some(app) = handle.try_state::<Arc<App>>() else { return };
    match event {
        // Without a tray the window could not be shown again.
        WindowEvent::CloseRequested { api, .. } if app.settings().close_to_tray && tray::is_there(handle) => {
            api.prevent_close();
            if let Err(error) = tauri_window.hide() {
                tracing::debug!(%error, "the window cannot be hidden");
            }
        }
        WindowEvent::ThemeChanged(_) => window::repaint(handle, &app.settings()),
        WindowEvent::DragDrop(DragDropEvent::Enter { .. }) => publish::send(&app, "drag", DragEvent::Over),
        WindowEvent::DragDrop(DragDropEvent::Leave) => publish::send(&app, "drag", DragEvent::Left),
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            let (app, paths): (_, Vec<PathBuf>) = (Arc::clone(&app), paths.clone());
            tauri::async_runtime::spawn_blocking(move || on_drop(&app, paths));
        }
        WindowEvent::Focused(true) => {
            if let Ok(session) = app.session() {
                session.indexer.rescan_if_stale();
            }
        }
        _ => {}
    }
}
