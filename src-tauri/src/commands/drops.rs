//! Files and folders that were dropped on the window, or files that were chosen. Their paths stay here under a number
//! until the user has decided; the UI gets their names.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use oriel_api::{Work, lock, name_of};
use oriel_core::{Kind, Notice};
use tauri::ipc::Channel;

use crate::api::{AcceptDrop, DragEvent, Drop, IpcError};
use crate::commands::folders::follow;
use crate::desktop::{dialogs, publish};
use crate::state::app::App;
use crate::state::copies;
use crate::state::jobs::Task;

/// Lets the user choose files, which then wait for [`accept`].
pub(crate) fn choose_files(app: &Arc<App>, (): &()) -> Result<Option<Drop>, IpcError> {
    let chosen = dialogs::pick_files(app.handle())?;
    Ok((!chosen.is_empty()).then(|| keep(app, chosen)))
}

/// Something was dropped. Folders are followed at once; for files the user is asked.
pub(crate) fn on_drop(app: &App, dropped: Vec<PathBuf>) {
    let event = if dropped.is_empty() {
        DragEvent::Left
    } else if dropped.iter().all(|path| path.is_dir()) {
        match app.session().and_then(|session| follow(app, &session, &dropped)) {
            Ok(()) => DragEvent::Added { names: dropped.iter().map(|path| name_of(path)).collect() },
            Err(error) => DragEvent::Refused { notice: error.notice },
        }
    } else {
        DragEvent::Choose { drop: keep(app, dropped) }
    };
    publish::send(app, "drag", event);
}

/// Keeps the paths until the user has decided.
fn keep(app: &App, paths: Vec<PathBuf>) -> Drop {
    static NEXT_ID: AtomicU32 = AtomicU32::new(1);
    let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
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
    // One decision at a time: an earlier drop is forgotten.
    let mut waiting = lock(&app.drops);
    waiting.clear();
    waiting.insert(id, paths);
    Drop { id, folders, files, unread }
}

/// Follows what was dropped: files where they lie, or copied into the library's own folder. After an error it can be tried
/// again.
pub(crate) fn accept(
    app: &Arc<App>,
    &AcceptDrop { id, copy }: &AcceptDrop,
    events: &Channel<Work>,
) -> Result<(), IpcError> {
    let Some(paths) = lock(&app.drops).remove(&id) else {
        return Err(IpcError::gone(Notice::DropGone));
    };
    take(app, &paths, copy, events).inspect_err(|_| {
        lock(&app.drops).insert(id, paths);
    })
}

fn take(app: &App, paths: &[PathBuf], copy: bool, events: &Channel<Work>) -> Result<(), IpcError> {
    let (mut followed, files): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(|path| path.is_dir());
    let files: Vec<_> = files.into_iter().filter(|path| Kind::of_path(path).is_some()).collect();
    // Leased until the copies are followed, so that the library is not closed or replaced meanwhile.
    let session = &app.session()?;
    if !copy || files.is_empty() {
        followed.extend(files);
        return follow(app, session, &followed);
    }
    let folder = session.library.files();
    let job = app.jobs.begin(Task::Copying)?;
    let copied = copies::copy_all(&files, &folder, &mut publish::progress(events), &job.cancel)?;
    followed.push(folder);
    follow(app, session, &followed).inspect_err(|_| copies::undo(&copied))
}
