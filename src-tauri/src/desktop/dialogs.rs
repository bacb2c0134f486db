//! The system's dialogs for files and folders. They block until the user has chosen.

use std::path::PathBuf;

use oriel_core::Notice;
use tauri::{AppHandle, Wry};
use tauri_plugin_dialog::{DialogExt as _, FileDialogBuilder, FilePath};

use crate::api::IpcError;
use crate::desktop::window;

/// Asks for folders; empty if none was chosen.
pub(crate) fn pick_folders(handle: &AppHandle) -> Result<Vec<PathBuf>, IpcError> {
    paths(dialog(handle).blocking_pick_folders().unwrap_or_default())
}

/// Asks for files; empty if none was chosen.
pub(crate) fn pick_files(handle: &AppHandle) -> Result<Vec<PathBuf>, IpcError> {
    paths(dialog(handle).blocking_pick_files().unwrap_or_default())
}

/// Asks for one file, of a kind with this name and extension if it is given.
pub(crate) fn pick_file(handle: &AppHandle, kind: Option<(&str, &str)>) -> Result<Option<PathBuf>, IpcError> {
    let dialog = match kind {
        Some((name, extension)) => dialog(handle).add_filter(name, &[extension]),
        None => dialog(handle),
    };
    let chosen = dialog.blocking_pick_file();
    Ok(paths(chosen.into_iter().collect())?.pop())
}

/// Asks where to write a file.
pub(crate) fn save_as(
    handle: &AppHandle,
    name: &str,
    kind: &str,
    extension: &str,
) -> Result<Option<PathBuf>, IpcError> {
    let chosen = dialog(handle).set_file_name(name).add_filter(kind, &[extension]).blocking_save_file();
    Ok(paths(chosen.into_iter().collect())?.pop())
}

fn dialog(handle: &AppHandle) -> FileDialogBuilder<Wry> {
    let dialog = handle.dialog().file();
    match window::main(handle) {
        Some(window) => dialog.set_parent(&window),
        None => dialog,
    }
}

fn paths(chosen: Vec<FilePath>) -> Result<Vec<PathBuf>, IpcError> {
    let paths: Result<_, _> = chosen.into_iter().map(FilePath::into_path).collect();
    paths.map_err(|error| IpcError::failed(Notice::ChosenIsNoFile { error: error.to_string() }))
}
