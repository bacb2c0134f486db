//! Followed folders: chosen, removed, with patterns for what is left out.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use oriel_api::name_of;

use crate::api::*;
use crate::desktop::{dialogs, publish};
use crate::state::app::App;
use crate::state::sample::own_folder;
use crate::state::session::LibrarySession;
use crate::state::{copies, sample};

/// How long the removal of a folder waits for the end of a run.
const SUSPEND_TIMEOUT: Duration = Duration::from_secs(3);

/// The library as it stands.
pub(crate) fn state(app: &Arc<App>, (): &()) -> Result<LibraryState, IpcError> {
    publish::library_state(app, true)
}

/// Lets the user choose folders and follows them. Returns their names.
pub(crate) fn choose(app: &Arc<App>, (): &()) -> Result<Vec<String>, IpcError> {
    let chosen = dialogs::pick_folders(app.handle())?;
    if !chosen.is_empty() {
        let session = app.session()?;
        follow(app, &session, &chosen)?;
    }
    Ok(chosen.iter().map(|path| name_of(path)).collect())
}

/// Follows the sample that comes with Oriel.
pub(crate) fn add_sample(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    let session = &app.session()?;
    let folder = sample::unpack(session.library.path())?;
    follow(app, session, &[folder])
}

/// Follows folders and files, and begins to read them.
pub(crate) fn follow(app: &App, session: &LibrarySession, paths: &[PathBuf]) -> Result<(), IpcError> {
    session.library.add(paths)?;
    session.indexer.rescan();
    publish::library(app, true);
    Ok(())
}

/// Stops following a folder and forgets its documents. Its files stay, unless it is one of the library's own folders.
pub(crate) fn remove(app: &Arc<App>, &FolderRef { folder }: &FolderRef) -> Result<(), IpcError> {
    let session = &app.session()?;
    let library = &session.library;
    let folders = library.overview()?.folders;
    let path = folders.into_iter().find(|one| one.number == folder).map(|one| one.path);
    let removed = {
        // A run that is suspended here continues afterwards. One that the user ended does not.
        let _suspension = session.indexer.suspend(SUSPEND_TIMEOUT);
        library.remove(folder)
    };
    let leaves_work = library.overview().is_ok_and(|left| left.waiting > 0 || left.unembedded > 0);
    session.indexer.rescan_after_change(leaves_work);
    removed?;
    publish::library(app, true);
    match path.filter(|path| own_folder(library, path).is_some()) {
        Some(path) => Ok(copies::delete_folder(&path)?),
        None => Ok(()),
    }
}

/// How many documents the patterns would leave out.
pub(crate) fn preview_excludes(app: &Arc<App>, wanted: &Excludes) -> Result<usize, IpcError> {
    Ok(app.session()?.library.excluded_by(wanted.folder, &wanted.patterns)?)
}

/// Follows symbolic links in a folder from the next run on, which begins at once, or no more.
pub(crate) fn follow_links(app: &Arc<App>, wanted: &FollowLinks) -> Result<(), IpcError> {
    let session = &app.session()?;
    session.library.set_follow_links(wanted.folder, wanted.follow)?;
    session.indexer.rescan();
    publish::library(app, true);
    Ok(())
}

/// Leaves documents out from the next run on, which begins at once.
pub(crate) fn set_excludes(app: &Arc<App>, wanted: &Excludes) -> Result<(), IpcError> {
    let session = &app.session()?;
    session.library.set_excludes(wanted.folder, &wanted.patterns)?;
    session.indexer.rescan();
    publish::library(app, true);
    Ok(())
}
