//! Downloads of models: they run beside everything else, stop where the person or the end of the app stops them, and the
//! latter go on at the next start.
//!
//! Host and size stand beside the button. Only a download that a person started is resumed.

use std::sync::{Arc, Mutex};

use oriel_models::{Progress, Role, download_host};

use crate::app::{App, lock};
use crate::ipc::*;
use crate::job::{Steps, Task};
use crate::modelling;
use crate::preferences;

/// Those that run, and those that failed and were not dismissed.
#[derive(Default)]
pub(crate) struct Downloads {
    all: Mutex<Vec<Download>>,
}

impl Downloads {
    /// As the UI shows them.
    pub(crate) fn list(&self) -> Vec<Download> {
        lock(&self.all).clone()
    }

    /// Adds one; `false` where it runs already.
    fn add(&self, new: Download) -> bool {
        let mut all = lock(&self.all);
        if all.iter().any(|one| one.id == new.id && one.error.is_none()) {
            return false;
        }
        all.retain(|one| one.id != new.id);
        all.push(new);
        true
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Download)) {
        if let Some(one) = lock(&self.all).iter_mut().find(|one| one.id == id) {
            change(one);
        }
    }

    fn remove(&self, id: &str) {
        lock(&self.all).retain(|one| one.id != id);
    }
}

/// Starts to download a model of the catalog, or goes on with it.
pub(crate) fn start(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    let model = app.opened()?.roles.models().find(id)?;
    let new = Download {
        id: model.entry.id.clone(),
        name: model.entry.display_name().to_owned(),
        host: download_host(),
        stage: ModelStage::Downloading,
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
    publish(app);
    started
}

/// Notes that it is to be resumed should the app end, and starts its thread.
fn begin(app: &Arc<App>, id: &str) -> Result<(), IpcError> {
    preferences::patch(app, |settings| {
        settings.downloading.retain(|one| one != id);
        settings.downloading.push(id.to_owned());
    })?;
    let (of_thread, id) = (Arc::clone(app), id.to_owned());
    let run = move || run(&of_thread, &id);
    std::thread::Builder::new().name("download".into()).spawn(run).map(drop).map_err(|error| {
        IpcError::failed(format!("the download cannot start ({error}); close other programs and try again"))
    })
}

/// Resumes what the end of the app stopped, and deletes what nobody resumed for a week.
pub(crate) fn resume(app: &Arc<App>) {
    if let Ok(opened) = app.opened() {
        opened.roles.models().sweep_downloads();
    }
    for id in app.settings().downloading {
        if let Err(error) = start(app, &ModelRef { id }) {
            tracing::warn!(error = error.message, "a download cannot go on");
        }
    }
}

/// Stops a download; what is here is kept.
pub(crate) fn pause(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    app.jobs.cancel(&Task::Downloading(id.clone()));
    preferences::patch(app, |settings| settings.downloading.retain(|one| one != id))
}

/// Takes a download that failed off the list.
pub(crate) fn dismiss(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    app.downloads.remove(id);
    publish(app);
    Ok(())
}

fn run(app: &Arc<App>, id: &str) {
    let ended = download(app, id);
    match &ended {
        Err(error) if error.code != ErrorCode::Cancelled => {
            forget(app, id);
            app.downloads.change(id, |one| one.error = Some(error.clone()));
        }
        // Stopped by the end of the app it stays among those to go on with.
        Err(_) => app.downloads.remove(id),
        Ok(()) => {
            forget(app, id);
            app.downloads.remove(id);
        }
    }
    publish(app);
    if ended.is_ok() {
        app.send("engine", app.engine_line());
        if let Err(error) = modelling::measure(app, &()) {
            tracing::warn!(error = error.message, "the new model cannot be measured");
        }
    }
}

fn download(app: &Arc<App>, id: &str) -> Result<(), IpcError> {
    // The library may be closed and opened again while this goes on.
    let roles = Arc::clone(&app.opened()?.roles);
    let busy = format!("{id} is being downloaded already; wait for it, or pause it first");
    let job = app.jobs.begin(Task::Downloading(id.to_owned()), &busy)?;
    let (mut steps, mut stage) = (Steps::new(), None);
    let mut report = |progress: Progress| {
        if stage.replace(progress.stage) != Some(progress.stage) {
            steps = Steps::new();
        }
        let Some(work) = steps.at(progress.done, progress.total) else { return };
        app.downloads.change(id, |one| {
            one.stage = modelling::stage(progress.stage);
            one.work = Some(work);
        });
        publish(app);
    };
    let model = roles.models().download(id, &mut report, &job.cancel)?;
    drop(job);
    // What waited for an embedder can go on now.
    if let Some(opened) = app.opened().ok().filter(|_| model.entry.role == Role::Embedder) {
        opened.indexing.look_again(true);
    }
    Ok(())
}

/// Takes it off the list of those that the next start goes on with.
fn forget(app: &App, id: &str) {
    let forgotten = preferences::patch(app, |settings| settings.downloading.retain(|one| one != id));
    if let Err(error) = forgotten {
        tracing::warn!(error = error.message, "that a download has ended cannot be kept");
    }
}

fn publish(app: &App) {
    app.send("downloads", app.downloads.list());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_download_of_a_model_runs_and_a_failed_one_can_be_started_again() {
        let downloads = Downloads::default();
        let new = |id: &str| Download {
            id: id.into(),
            name: id.into(),
            host: "h".into(),
            stage: ModelStage::Downloading,
            work: None,
            error: None,
        };
        assert!(downloads.add(new("a")) && downloads.add(new("b")));
        assert!(!downloads.add(new("a")), "it runs");
        downloads.change("a", |one| one.error = Some(IpcError::failed("no network")));
        assert!(downloads.add(new("a")), "it failed, and is tried again");
        assert_eq!(downloads.list().len(), 2);
        downloads.remove("a");
        assert_eq!(downloads.list().first().map(|one| one.id.as_str()), Some("b"));
    }
}
