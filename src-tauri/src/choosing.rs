//! The system's dialogs, and what is dropped on the window. Paths stay here: the window gets names and a number.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Context as _;
use oriel_core::Kind;
use tauri::Manager as _;
use tauri_plugin_dialog::{DialogExt as _, FileDialogBuilder, FilePath};

use crate::app::{App, library_path, lock};
use crate::folders::{follow, name_of};
use crate::ipc::{AcceptDrop, ChosenBackup, ConversationRef, DragEvent, Drop, IpcError};
use crate::{conversations, worker};

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

/// Follows what was dropped: files where they lie, or copied into the library's own folder.
pub(crate) fn accept(app: &Arc<App>, &AcceptDrop { id, copy }: &AcceptDrop) -> Result<(), IpcError> {
    let Some(paths) = lock(&app.drops).remove(&id) else {
        return Err(IpcError::gone("that drop is gone; please drop the files again"));
    };
    let (mut followed, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
    let files: Vec<_> = files.into_iter().filter(|path| Kind::of_path(path).is_some()).collect();
    if copy && !files.is_empty() {
        let own = app.opened()?.library.files();
        std::fs::create_dir_all(&own)
            .with_context(|| format!("{} cannot be made; check the disk", own.display()))?;
        for file in &files {
            copy_to(file, &own)?;
        }
        followed.push(own);
    } else {
        followed.extend(files);
    }
    follow(app, &followed)
}

/// Copies a file under its own name, or the next that is free.
fn copy_to(file: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let (stem, extension) = (file.file_stem().unwrap_or_default(), file.extension().unwrap_or_default());
    for number in 1u32.. {
        let mut name = stem.to_owned();
        if number > 1 {
            name.push(format!(" {number}"));
        }
        name.push(".");
        name.push(extension);
        let target = folder.join(name);
        match std::fs::OpenOptions::new().write(true).create_new(true).open(&target) {
            Ok(mut made) => {
                let copied =
                    std::fs::File::open(file).and_then(|mut from| std::io::copy(&mut from, &mut made));
                if let Err(error) = copied {
                    // Half a copy would be read as if it were the document.
                    std::fs::remove_file(&target).ok();
                    return Err(error)
                        .with_context(|| format!("{} cannot be copied; check the disk", file.display()));
                }
                return Ok(target);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(error).with_context(|| format!("{} cannot be written", target.display()));
            }
        }
    }
    anyhow::bail!("{} has too many namesakes in the library", file.display())
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
pub(crate) fn model(app: &Arc<App>, (): &()) -> Result<Option<String>, IpcError> {
    let chosen = dialog(app).add_filter("GGUF", &["gguf"]).blocking_pick_file();
    let Some(chosen) = chosen else { return Ok(None) };
    let path = paths(vec![chosen])?.remove(0);
    let roles = Arc::clone(&app.opened()?.roles);
    let model = roles.models().import(&path, &worker::own("generate")?)?;
    app.send("engine", app.engine_line());
    Ok(Some(model.entry.id))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_never_replaces_a_namesake() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = from.path().join("Brief 7%#ä.md");
        std::fs::write(&file, "one").unwrap();
        assert_eq!(copy_to(&file, to.path()).unwrap(), to.path().join("Brief 7%#ä.md"));
        std::fs::write(&file, "two").unwrap();
        assert_eq!(copy_to(&file, to.path()).unwrap(), to.path().join("Brief 7%#ä 2.md"));
        assert_eq!(std::fs::read_to_string(to.path().join("Brief 7%#ä.md")).unwrap(), "one");
    }

    #[test]
    fn half_a_copy_is_not_left_behind() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert!(copy_to(&from.path().join("gone.md"), to.path()).is_err());
        assert_eq!(std::fs::read_dir(to.path()).unwrap().count(), 0);
    }
}
