//! The library as a whole: checked, repaired, backed up, compacted, restored. One of these runs at a time.

use std::sync::Arc;
use std::time::Duration;

use oriel_api::{Hold, Work, lock, name_of};
use oriel_core::{CancelToken, Notice};
use oriel_engine::{Compacted, EngineError, Repaired, unpack_backup};
use tauri::ipc::Channel;

use crate::api::{BackedUp, Checkup, ChosenBackup, IpcError, Restored};
use crate::commands::closed_library::{CLOSE_TIMEOUT, with_closed};
use crate::commands::local_address;
use crate::desktop::{dialogs, publish};
use crate::state::app::{App, library_path};
use crate::state::jobs::Task;
use crate::state::session::LibrarySession;

/// Pause between two tries to close a library that is in use.
const CLOSE_RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Whether texts, sentences, postings and vectors agree.
pub(crate) fn check(app: &Arc<App>, (): &()) -> Result<Checkup, IpcError> {
    let job = app.jobs.begin(Task::Maintenance)?;
    let findings = oriel_api::check_library(&app.session()?.library, &job.cancel)?;
    Ok(Checkup { documents: findings.documents, sentences: findings.sentences, problems: findings.problems })
}

/// Repairs the library, whatever state it is in. The indexing does what is left.
pub(crate) fn repair(app: &Arc<App>, (): &()) -> Result<Repaired, IpcError> {
    let job = app.jobs.begin(Task::Maintenance)?;
    match repair_open(app, &job.cancel)? {
        Some(repaired) => Ok(repaired),
        None => with_closed(app, |library| {
            drop(library);
            Ok(oriel_api::set_library_aside(&library_path()?)?)
        }),
    }
}

/// Repairs the open library; `None` if its data file is broken.
fn repair_open(app: &App, cancel: &CancelToken) -> Result<Option<Repaired>, IpcError> {
    if app.is_beyond_repair() {
        return Ok(None);
    }
    let session = app.session()?;
    let repaired = {
        let _suspension = suspend_indexing(&session)?;
        oriel_api::repair_library(&session.library, cancel)?
    };
    if repaired.is_some() {
        session.indexer.rescan();
        publish::library(app, true);
    }
    Ok(repaired)
}

/// Asks for a file, and writes everything the library holds into one file. Questions and indexing go on meanwhile.
pub(crate) fn backup(app: &Arc<App>, (): &(), events: &Channel<Work>) -> Result<Option<BackedUp>, IpcError> {
    let job = app.jobs.begin(Task::Maintenance)?;
    let session = app.session()?;
    let name = format!("Oriel {}.tar", jiff::Zoned::now().date());
    let Some(path) = dialogs::save_as(app.handle(), &name, "tar", "tar")? else { return Ok(None) };
    let done = session.library.backup(&path, &mut publish::progress(events), &job.cancel)?;
    Ok(Some(BackedUp { name: name_of(&path), done }))
}

/// Returns free space in the index to the disk.
pub(crate) fn compact(app: &Arc<App>, (): &(), events: &Channel<Work>) -> Result<Compacted, IpcError> {
    let job = app.jobs.begin(Task::Maintenance)?;
    with_closed(app, |library| match library {
        Some(library) => Ok(library.compact(&mut publish::progress(events), &job.cancel)?),
        None => Err(IpcError::failed(Notice::CompactNeedsRepair)),
    })
}

/// Lets the user choose a backup, which then waits for [`restore`].
pub(crate) fn choose_backup(app: &Arc<App>, (): &()) -> Result<Option<ChosenBackup>, IpcError> {
    let Some(path) = dialogs::pick_file(app.handle(), Some(("tar", "tar")))? else { return Ok(None) };
    let library = library_path()?;
    let folder = library.parent().unwrap_or(&library).to_string_lossy().into_owned();
    let name = name_of(&path);
    *lock(&app.chosen_backup) = Some(path);
    Ok(Some(ChosenBackup { name, folder }))
}

/// Replaces the library by that of the chosen backup. The former library is kept beside it. Questions and indexing go on
/// while the backup is unpacked, and an answer in progress is waited for.
pub(crate) fn restore(app: &Arc<App>, (): &(), events: &Channel<Work>) -> Result<Restored, IpcError> {
    let job = app.jobs.begin(Task::Maintenance)?;
    let Some(from) = lock(&app.chosen_backup).take() else {
        return Err(IpcError::gone(Notice::NoBackupChosen));
    };
    let mut unpacked =
        Some(unpack_backup(&from, &library_path()?, &mut publish::progress(events), &job.cancel)?);
    let done = loop {
        job.cancel.check().map_err(EngineError::from)?;
        if app.slot.lease().is_some_and(|session| session.assistant.answers.is_any()) {
            wait_to_close();
            continue;
        }
        let done = with_closed(app, |library| {
            drop(library);
            job.cancel.check().map_err(EngineError::from)?;
            let unpacked = unpacked.take().expect("nothing is tried again after this");
            Ok(unpacked.put(true)?)
        });
        if done.is_ok() || unpacked.is_none() {
            break done?;
        }
        wait_to_close();
    };
    local_address::switch_off(app)?;
    Ok(Restored { name: name_of(&from), done })
}

/// Waits a little until the library may be free.
fn wait_to_close() {
    #[expect(clippy::disallowed_methods, reason = "nothing signals that the library is no longer in use")]
    std::thread::sleep(CLOSE_RETRY_INTERVAL);
}

fn suspend_indexing(session: &LibrarySession) -> Result<Hold<'_>, IpcError> {
    session.indexer.suspend(CLOSE_TIMEOUT).ok_or_else(|| IpcError::failed(Notice::IndexingCannotStop))
}
