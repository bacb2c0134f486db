//! Models: what is here, what it needs, fetching, importing and deleting.

use std::path::Path;
use std::sync::Arc;

use oriel_models::{Model, Models, Progress, Role, Stage, backend};
use tauri::ipc::Channel;

use crate::app::{App, card};
use crate::folders::count;
use crate::ipc::*;
use crate::job::{Steps, Task};
use crate::worker;

/// The models and the machine.
pub(crate) fn state(app: &Arc<App>, (): &()) -> Result<ModelsState, IpcError> {
    let opened = app.opened()?;
    let roles = &opened.roles;
    let serving = |role| roles.serving(role).ok().flatten().map(|model| model.entry.id);
    let in_use: Vec<String> =
        [Role::Embedder, Role::Reranker, Role::Generator].into_iter().filter_map(serving).collect();
    let memory = memory();
    let models: Vec<ModelRow> =
        roles.models().list().iter().map(|model| row(roles.models(), model, &in_use, memory.total)).collect();
    let backend = backend();
    Ok(ModelsState {
        memory_total: memory.total,
        memory_free: memory.available,
        memory_models: models.iter().filter(|model| model.in_use).map(|model| model.memory).sum(),
        models,
        card: card(&backend).map(str::to_owned),
        cores: count(std::thread::available_parallelism().map_or(1, usize::from)),
        features: backend.features.iter().map(|one| (*one).to_owned()).collect(),
        device_note: backend.note,
    })
}

fn row(models: &Models, model: &Model, in_use: &[String], total: u64) -> ModelRow {
    let entry = &model.entry;
    let memory = model.memory();
    ModelRow {
        id: entry.id.clone(),
        about: entry.about.clone(),
        role: match entry.role {
            Role::Embedder => ModelRole::Embedder,
            Role::Reranker => ModelRole::Reranker,
            Role::Generator => ModelRole::Generator,
        },
        size: entry.size(),
        memory,
        licence: entry.licence.clone(),
        place: match (&model.folder, model.imported) {
            (Some(_), true) => ModelPlace::Imported,
            (Some(_), false) => ModelPlace::Here,
            (None, _) => ModelPlace::Remote { host: oriel_models::download_host() },
        },
        stays: models.stays(model),
        in_use: in_use.contains(&entry.id),
        lacking: if total == 0 { 0 } else { memory.saturating_sub(total) },
    }
}

/// Fetches a model of the catalog. The person was asked and told the host before.
pub(crate) fn download(
    app: &Arc<App>,
    ModelRef { id }: &ModelRef,
    events: &Channel<ModelProgress>,
) -> Result<(), IpcError> {
    // The library may be closed and opened again while this goes on.
    let roles = Arc::clone(&app.opened()?.roles);
    let busy = format!("{id} is being fetched already; wait for it, or cancel it first");
    let job = app.jobs.begin(Task::Downloading(id.clone()), &busy)?;
    roles.models().pull(id, &mut telling(events), &job.cancel)?;
    drop(job);
    // What waited for an embedder can go on now.
    let is_embedder = roles.models().find(id).is_ok_and(|model| model.entry.role == Role::Embedder);
    if let Some(opened) = app.opened().ok().filter(|_| is_embedder) {
        opened.indexing.look_again(true);
    }
    app.send("engine", app.engine_line());
    Ok(())
}

/// Ends a download; nothing of it stays.
pub(crate) fn cancel(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    app.jobs.cancel(&Task::Downloading(id.clone()));
    Ok(())
}

/// Takes a model file for the person's own: it is read, tried and put beside the others; its id.
pub(crate) fn import(
    app: &Arc<App>,
    path: &Path,
    events: &Channel<ModelProgress>,
) -> Result<String, IpcError> {
    // The library may be closed and opened again while this goes on.
    let roles = Arc::clone(&app.opened()?.roles);
    let busy = "a model is being imported already; wait for it, or cancel it first";
    let job = app.jobs.begin(Task::Importing, busy)?;
    let worker = worker::own("generate")?;
    let imported = roles.models().import(path, &worker, &mut telling(events), &job.cancel);
    let id = imported?.entry.id;
    app.send("engine", app.engine_line());
    Ok(id)
}

/// Ends an import; nothing of it stays.
pub(crate) fn cancel_import(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.jobs.cancel(&Task::Importing);
    Ok(())
}

/// Tells the window how far the coming of a model is.
fn telling(events: &Channel<ModelProgress>) -> impl FnMut(Progress) {
    let (mut steps, mut stage) = (Steps::new(), None);
    move |progress| {
        if stage.replace(progress.stage) != Some(progress.stage) {
            steps = Steps::new();
        }
        let Some(work) = steps.at(progress.done, progress.total) else { return };
        let stage = match progress.stage {
            Stage::Downloading => ModelStage::Downloading,
            Stage::Reading => ModelStage::Reading,
            Stage::Trying => ModelStage::Trying,
            Stage::Copying => ModelStage::Copying,
            Stage::Installing => ModelStage::Installing,
        };
        send(events, ModelProgress { stage, work });
    }
}

/// Deletes a model that was imported or fetched.
pub(crate) fn remove(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    let opened = &app.opened()?;
    opened.roles.models().remove(id)?;
    opened.roles.choose(crate::app::choice(&opened.preferences.get()));
    app.send("engine", app.engine_line());
    Ok(())
}

/// Bytes of memory.
#[derive(Default)]
struct Memory {
    total: u64,
    available: u64,
}

/// The machine's memory; zeros where it cannot be told.
fn memory() -> Memory {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = |name: &str| {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
    };
    match (line("MemTotal:"), line("MemAvailable:")) {
        (Some(total), Some(available)) => Memory { total, available },
        _ => Memory::default(),
    }
}
