//! The system's dialogs, and what is dropped on the window. Paths stay here: the window gets names and a number.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Context as _;
use oriel_core::Kind;
use tauri::Manager as _;
use tauri::ipc::Channel;
use tauri_plugin_dialog::{DialogExt as _, FileDialogBuilder, FilePath};

use crate::app::{App, library_path, lock};
use crate::folders::{follow, follow_in, name_of};
use crate::ipc::{AcceptDrop, ChosenBackup, ConversationRef, DragEvent, Drop, IpcError, ModelProgress, Work};
use crate::job::{Steps, Task};
use crate::{conversations, copies, ipc, modelling};

/// Lets the person choose folders and follows them; their names.
pub(crate) fn folder(app: &Arc<App>, (): &()) -> Result<Vec<String>, IpcError> {
    let chosen = dialog(app).blocking_pick_folders().unwrap_or_default();
    let chosen = paths(chosen)?;
    if !chosen.is_empty() {
        follow(app, &chosen)?;
    }
    Ok(chosen.iter().map(|path| name_of(path)).collect())
}

/// Lets the person choose files, which then wait for [`accept`].
pub(crate) fn files(app: &Arc<App>, (): &()) -> Result<Option<Drop>, IpcError> {
    let chosen = paths(dialog(app).blocking_pick_files().unwrap_or_default())?;
    Ok((!chosen.is_empty()).then(|| keep(app, chosen)))
}

/// Something was dropped: folders are followed at once, about files the person is asked.
pub(crate) fn dropped(app: &App, dropped: Vec<PathBuf>) {
    let event = if dropped.is_empty() {
        DragEvent::Left
    } else if dropped.iter().all(|path| path.is_dir()) {
        match follow(app, &dropped) {
            Ok(()) => DragEvent::Added { names: dropped.iter().map(|path| name_of(path)).collect() },
            Err(error) => DragEvent::Refused { message: error.message },
        }
    } else {
        DragEvent::Choose { drop: keep(app, dropped) }
    };
    app.send("drag", event);
}

/// Keeps the paths until the person has decided, and tells what they are.
fn keep(app: &App, paths: Vec<PathBuf>) -> Drop {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let (mut folders, mut files, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for path in &paths {
        let names = if path.is_dir() {
            &mut folders
        } else if Kind::of_path(path).is_some() {
            &mut files
        } else {
            &mut unread
        };
        names.push(name_of(path));
    }
    // One decision at a time: what was not decided before is given up.
    let mut waiting = lock(&app.drops);
    waiting.clear();
    waiting.insert(id, paths);
    Drop { id, folders, files, unread }
}

/// Follows what was dropped: files where they lie, or copied into the library's own folder. What fails can be tried again.
pub(crate) fn accept(
    app: &Arc<App>,
    &AcceptDrop { id, copy }: &AcceptDrop,
    events: &Channel<Work>,
) -> Result<(), IpcError> {
    let Some(paths) = lock(&app.drops).remove(&id) else {
        return Err(IpcError::gone("that drop is gone; please drop the files again"));
    };
    take(app, &paths, copy, events).inspect_err(|_| {
        lock(&app.drops).insert(id, paths);
    })
}

/// Ends the copying; no copy stays, and what was dropped can be taken anew.
pub(crate) fn cancel_copying(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.jobs.cancel(&Task::Copying);
    Ok(())
}

fn take(app: &App, paths: &[PathBuf], copy: bool, events: &Channel<Work>) -> Result<(), IpcError> {
    let (mut followed, files): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(|path| path.is_dir());
    let files: Vec<_> = files.into_iter().filter(|path| Kind::of_path(path).is_some()).collect();
    if !copy || files.is_empty() {
        followed.extend(files);
        return follow(app, &followed);
    }
    // Held until its copies are followed: it is put away or replaced by no one meanwhile.
    let opened = &app.opened()?;
    let own = opened.library.files();
    let busy = "files are being copied already; wait for that, or cancel it first";
    let job = app.jobs.begin(Task::Copying, busy)?;
    let mut steps = Steps::new();
    let mut copied = |done, total| {
        if let Some(work) = steps.at(done, total) {
            ipc::send(events, work);
        }
    };
    let made = copies::make(&files, &own, &mut copied, &job.cancel)?;
    followed.push(own);
    follow_in(app, opened, &followed).inspect_err(|_| copies::take_back(&made))
}

/// Asks where to and writes a conversation as Markdown.
pub(crate) fn export(app: &Arc<App>, wanted: &ConversationRef) -> Result<Option<String>, IpcError> {
    let (title, text) = conversations::markdown(app, &wanted.conversation)?;
    let name: String = title
        .chars()
        .map(|one| if one.is_alphanumeric() || " -_,.".contains(one) { one } else { ' ' })
        .collect();
    let name = {
        let name: String = name.trim().trim_start_matches('.').trim().chars().take(60).collect();
        format!("{}.md", if name.is_empty() { "Oriel" } else { &name })
    };
    let Some(path) = where_to(app, name, "Markdown", "md")? else { return Ok(None) };
    std::fs::write(&path, text)
        .with_context(|| format!("{} cannot be written; choose another folder", path.display()))?;
    Ok(Some(name_of(&path)))
}

/// Asks where a file is to be written.
pub(crate) fn where_to(
    app: &App,
    name: String,
    kind: &str,
    extension: &str,
) -> Result<Option<PathBuf>, IpcError> {
    let chosen = dialog(app).set_file_name(name).add_filter(kind, &[extension]).blocking_save_file();
    Ok(paths(chosen.into_iter().collect())?.pop())
}

/// Lets the person choose a backup, which then waits for [`crate::keeping::restore`].
pub(crate) fn backup(app: &Arc<App>, (): &()) -> Result<Option<ChosenBackup>, IpcError> {
    let chosen = dialog(app).add_filter("tar", &["tar"]).blocking_pick_file();
    let Some(path) = paths(chosen.into_iter().collect())?.pop() else { return Ok(None) };
    let library = library_path()?;
    let folder = library.parent().unwrap_or(&library).to_string_lossy().into_owned();
    let name = name_of(&path);
    *lock(&app.backup) = Some(path);
    Ok(Some(ChosenBackup { name, folder }))
}

/// Lets the person choose a model file and takes it for their own; its id.
pub(crate) fn model(
    app: &Arc<App>,
    (): &(),
    events: &Channel<ModelProgress>,
) -> Result<Option<String>, IpcError> {
    let chosen = dialog(app).add_filter("GGUF", &["gguf"]).blocking_pick_file();
    match paths(chosen.into_iter().collect())?.pop() {
        Some(path) => modelling::import(app, &path, events).map(Some),
        None => Ok(None),
    }
}

fn dialog(app: &App) -> FileDialogBuilder<tauri::Wry> {
    let dialog = app.handle().dialog().file();
    match app.handle().get_webview_window("main") {
        Some(window) => dialog.set_parent(&window),
        None => dialog,
    }
}

fn paths(chosen: Vec<FilePath>) -> Result<Vec<PathBuf>, IpcError> {
    let paths: Result<_, _> = chosen.into_iter().map(FilePath::into_path).collect();
    paths.map_err(|error| IpcError::failed(format!("what was chosen is no file of this machine: {error}")))
}
