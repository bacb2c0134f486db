//! Downloads of models. They run beside everything else. A user can pause them; those that the end of the app stops
//! continue at the next start.
//!
//! Host and size stand beside the button. Only a download that a user started is resumed.

use std::sync::Arc;

use oriel_core::Notice;
use oriel_models::{Progress, Role, Stage, download_host};

use crate::api::{Download, ErrorKind, IpcError, ModelRef};
use crate::background::progress::PacedProgress;
use crate::commands::models;
use crate::desktop::publish;
use crate::state::app::App;
use crate::state::jobs::Task;

/// Starts or resumes the download of a model of the catalog.
pub(crate) fn start(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    let model = app.session()?.roles.models().find(id)?;
    let new = Download {
        id: model.entry.id.clone(),
        name: model.entry.display_name().to_owned(),
        host: download_host(),
        stage: Stage::Downloading,
        work: None,
        error: None,
    };
    if !app.downloads.add(new) {
        return Ok(());
    }
    let id = model.entry.id;
    let started = begin(app, &id);
    if started.is_err() {
        app.downloads.remove(&id);
    }
    publish::downloads(app);
    started
}

/// Notes that the next start of the app should resume the download, and starts its thread.
fn begin(app: &Arc<App>, id: &str) -> Result<(), IpcError> {
    app.change_settings(|settings| {
        settings.downloading.retain(|one| one != id);
        settings.downloading.push(id.to_owned());
    })?;
    let (of_thread, id) = (Arc::clone(app), id.to_owned());
    let run = move || run(&of_thread, &id);
    std::thread::Builder::new()
        .name("download".into())
        .spawn(run)
        .map(drop)
        .map_err(|error| IpcError::failed(Notice::DownloadCannotStart { cause: Notice::io(&error).into() }))
}

/// Resumes what the end of the app stopped, and deletes what nobody resumed for a week.
pub(crate) fn resume(app: &Arc<App>) {
    if let Ok(session) = app.session() {
        session.roles.models().sweep_downloads();
    }
    for id in app.settings().downloading {
        if let Err(error) = start(app, &ModelRef { id }) {
            tracing::warn!(error = %error.notice, "a download cannot go on");
        }
    }
}

/// Pauses a download. What has arrived is kept.
pub(crate) fn pause(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    app.jobs.cancel(&Task::Downloading(id.clone()));
    app.change_settings(|settings| settings.downloading.retain(|one| one != id))
}

/// Removes a failed download from the list.
pub(crate) fn dismiss(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    app.downloads.remove(id);
    publish::downloads(app);
    Ok(())
}

fn run(app: &Arc<App>, id: &str) {
    let ended = download(app, id);
    match &ended {
        Err(error) if error.kind != ErrorKind::Cancelled => {
            forget(app, id);
            app.downloads.change(id, |one| one.error = Some(error.clone()));
        }
        // If the end of the app has cancelled it, the next start resumes it.
        Err(_) => app.downloads.remove(id),
        Ok(()) => {
            forget(app, id);
            app.downloads.remove(id);
        }
    }
    publish::downloads(app);
    if ended.is_ok() {
        publish::engine(app);
        if let Err(error) = models::measure(app, &()) {
            tracing::warn!(error = %error.notice, "the new model cannot be measured");
        }
    }
}

fn download(app: &Arc<App>, id: &str) -> Result<(), IpcError> {
    // The library may be closed and opened again meanwhile.
    let roles = Arc::clone(&app.session()?.roles);
    let job = app.jobs.begin(Task::Downloading(id.to_owned()))?;
    let mut paced = PacedProgress::new();
    let mut report = |Progress { stage, done, total, .. }| {
        let Some(work) = paced.at(stage, done, total) else { return };
        app.downloads.change(id, |one| {
            one.stage = stage;
            one.work = Some(work);
        });
        publish::downloads(app);
    };
    let model = roles.models().download(id, &mut report, &job.cancel)?;
    drop(job);
    // Sentences that waited for an embedder can be embedded now.
    if let Some(session) = app.session().ok().filter(|_| model.entry.role == Role::Embedder) {
        session.indexer.rescan_after_change(true);
    }
    Ok(())
}

/// Removes a download from those that the next start resumes.
fn forget(app: &App, id: &str) {
    let forgotten = app.change_settings(|settings| settings.downloading.retain(|one| one != id));
    if let Err(error) = forgotten {
        tracing::warn!(error = %error.notice, "that a download has ended cannot be kept");
    }
}
