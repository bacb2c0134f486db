//! Other programs that ask the library: how they are set up, and what they can see.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oriel_api::{HiddenPaths, Program, RequestLog, ServeKey, is_set_up, lock, name_of, setup_lines};
use oriel_engine::Filter;

use crate::api::*;
use crate::desktop::dialogs;
use crate::state::app::{App, LocalServer};

/// Programs that can ask this library, and what is hidden from them.
pub(crate) fn state(app: &Arc<App>, (): &()) -> Result<Programs, IpcError> {
    let library = &app.session()?.library;
    let hidden = HiddenPaths::of(&library.personal_folder()).read()?;
    let overview = library.overview()?;
    let program = |program: Program| {
        let file = program.file()?;
        Some(ProgramRow {
            program,
            name: program.name(),
            is_set_up: is_set_up(&file),
            file: file.to_string_lossy().into_owned(),
        })
    };
    let is_hidden = |path: &Path| hidden.iter().any(|hidden| path.starts_with(hidden));
    let folders = overview.folders.iter().map(|folder| VisibleFolder {
        id: folder.number,
        name: name_of(&folder.path),
        path: folder.path.to_string_lossy().into_owned(),
        documents: folder.documents,
        is_hidden: is_hidden(&folder.path),
        can_change: !is_hidden(&folder.path) || hidden.contains(&folder.path),
    });
    let documents_in =
        |path: &Path| library.documents_in(&Filter { within: vec![path.to_owned()], ..Filter::default() });
    let is_followed = |path: &Path| overview.folders.iter().any(|folder| folder.path == path);
    let others = hidden.iter().filter(|path| !is_followed(path));
    Ok(Programs {
        programs: Program::ALL.into_iter().filter_map(program).collect(),
        lines: setup_lines(library.path()),
        folders: folders.collect(),
        hidden: others
            .map(|path| HiddenFolder {
                name: name_of(path),
                path: path.to_string_lossy().into_owned(),
                // A folder without documents is an error there.
                documents: documents_in(path).map_or(0, |documents| documents.len()),
            })
            .collect(),
        local: local_address(app, library.path()),
        // The rest of the page is of use without it.
        asked: RequestLog::of(&library.personal_folder()).read().unwrap_or_else(|error| {
            tracing::warn!(%error, "what other programs asked is not shown");
            Vec::new()
        }),
    })
}

/// The local address of the library in the folder `library`.
fn local_address(app: &App, library: &Path) -> LocalAddress {
    let settings = app.settings();
    let (address, error) = match &*lock(&app.local_address) {
        LocalServer::On(serving) => (Some(format!("http://127.0.0.1:{}/v1", serving.port())), None),
        LocalServer::Failed(notice) => (None, Some(notice.clone())),
        LocalServer::Off => (None, None),
    };
    LocalAddress {
        is_on: settings.local_address,
        port: settings.local_port,
        address,
        error,
        file: ServeKey::path_of(library).to_string_lossy().into_owned(),
    }
}

/// Hides a followed folder, or shows it again.
pub(crate) fn hide(app: &Arc<App>, wanted: &HideFolder) -> Result<Programs, IpcError> {
    let folders = app.session()?.library.overview()?.folders;
    let path = folders.into_iter().find(|one| one.number == wanted.folder).map(|one| one.path);
    change(app, |hidden| {
        hidden.retain(|one| Some(one) != path.as_ref());
        hidden.extend(path.filter(|_| wanted.hide));
    })
}

/// Lets the user choose folders and hides them.
pub(crate) fn hide_others(app: &Arc<App>, (): &()) -> Result<Programs, IpcError> {
    let chosen = dialogs::pick_folders(app.handle())?;
    change(app, |hidden| {
        for path in chosen {
            // Documents are known by the path that no link is in.
            let path = path.canonicalize().unwrap_or(path);
            hidden.retain(|one| *one != path);
            hidden.push(path);
        }
    })
}

/// Shows something hidden again.
pub(crate) fn unhide(app: &Arc<App>, wanted: &HiddenRef) -> Result<Programs, IpcError> {
    change(app, |hidden| hidden.retain(|one| one.to_string_lossy() != wanted.path))
}

/// Deletes what is kept of the requests of other programs.
pub(crate) fn clear_asked(app: &Arc<App>, (): &()) -> Result<Programs, IpcError> {
    RequestLog::of(&app.session()?.library.personal_folder()).clear()?;
    state(app, &())
}

fn change(app: &Arc<App>, change: impl FnOnce(&mut Vec<PathBuf>)) -> Result<Programs, IpcError> {
    let kept = HiddenPaths::of(&app.session()?.library.personal_folder());
    let mut hidden = kept.read()?;
    change(&mut hidden);
    kept.replace(hidden)?;
    state(app, &())
}
