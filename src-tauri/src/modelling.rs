//! Models: what there is, what fits, how fast it is here; importing and deleting.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use oriel_models::{Listed, Machine, Models, Progress, Role, Stage, Tier, backend, download_host};
use tauri::ipc::Channel;

use crate::app::{App, card, lock};
use crate::folders::count;
use crate::ipc::*;
use crate::job::{Steps, Task};

/// What models are for, in the order of their work.
const ROLES: [Role; 3] = [Role::Embedder, Role::Reranker, Role::Generator];

/// The models and the machine.
pub(crate) fn state(app: &Arc<App>, (): &()) -> Result<ModelsState, IpcError> {
    let opened = app.opened()?;
    let roles = &opened.roles;
    let machine = Machine::now();
    let foreign_share = opened.library.foreign_share()?;
    let models: Vec<ModelRow> = roles
        .list(machine, foreign_share.is_some())
        .iter()
        .map(|listed| row(roles.models(), listed))
        .collect();
    let backend = backend();
    let previous = opened.library.previous_embedder()?.and_then(|previous| {
        let id = roles.embedder_with(&previous.embedder.fingerprint)?.entry.id;
        Some(PreviousIndex { id, until: previous.until, waiting: count(previous.waiting) })
    });
    Ok(ModelsState {
        previous,
        memory_total: machine.memory_total,
        memory_free: machine.memory_free,
        memory_models: models.iter().filter(|model| model.in_use).map(|model| model.memory).sum(),
        disk_free: roles.models().free_space(),
        models,
        foreign_share,
        card: card(&backend).map(str::to_owned),
        cores: count(machine.threads),
        features: backend.features.iter().map(|one| (*one).to_owned()).collect(),
        device_note: backend.note,
    })
}

fn row(models: &Models, listed: &Listed) -> ModelRow {
    let Listed { model, .. } = listed;
    let entry = &model.entry;
    ModelRow {
        id: entry.id.clone(),
        name: listed.display_name.clone(),
        about: entry.about.clone(),
        role: match entry.role {
            Role::Embedder => ModelRole::Embedder,
            Role::Reranker => ModelRole::Reranker,
            Role::Generator => ModelRole::Generator,
        },
        size: listed.size,
        memory: listed.memory,
        fit: match listed.fits {
            oriel_models::Fit::Fits => Fit::Fits,
            oriel_models::Fit::Tight => Fit::Tight,
            oriel_models::Fit::TooLarge => Fit::TooLarge,
            oriel_models::Fit::Unknown => Fit::Unknown,
        },
        lacking: listed.lacking,
        budget: listed.budget,
        licence: entry.licence.clone(),
        languages: entry.languages.clone(),
        language_count: count(entry.language_count),
        parameters: entry.parameters,
        quantisation: entry.quantisation.clone(),
        tier: entry.tier.map(|tier| match tier {
            Tier::Small => crate::ipc::Tier::Small,
            Tier::Balanced => crate::ipc::Tier::Balanced,
            Tier::Best => crate::ipc::Tier::Best,
        }),
        recommended: listed.recommended,
        right_answers: entry.right_answers,
        found_english: entry.found_english,
        found_other: entry.found_other,
        speed: listed.speed.as_ref().map(|speed| speed.per_second),
        place: match (model.weights_path(), model.program, model.imported) {
            (Some(path), Some(program), _) => {
                ModelPlace::Found { program: program.into(), path: path.to_string_lossy().into_owned() }
            }
            (Some(_), None, true) => ModelPlace::Imported,
            (Some(_), None, false) => ModelPlace::Here,
            (None, ..) => ModelPlace::Remote { host: download_host(), downloaded: models.downloaded(entry) },
        },
        stays: models.stays(model),
        in_use: listed.in_use,
    }
}

/// Measures the models in use that were never measured on this computer, in the background. One that cannot be measured
/// is tried once: its figures are asked for again whenever a model changes.
pub(crate) fn measure(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    let opened = app.opened()?;
    let serving = |role| opened.roles.serving(role).ok().flatten().map(|model| model.entry.id);
    let ids: Vec<String> = ROLES.into_iter().filter_map(serving).collect();
    let mut tried = lock(&app.measured);
    if ids.iter().all(|id| tried.contains(id)) {
        return Ok(());
    }
    tried.extend(ids);
    drop(tried);
    let (of_thread, roles) = (Arc::clone(app), Arc::clone(&opened.roles));
    std::thread::spawn(move || {
        let Ok(job) = of_thread.jobs.begin(Task::Measuring, "") else { return };
        for role in ROLES {
            if let Err(error) = roles.speed(role, &job.cancel) {
                tracing::warn!(%error, "a model cannot be measured");
            }
        }
        drop(job);
        of_thread.send("engine", of_thread.engine_line());
    });
    Ok(())
}

/// Questions that another embedder is tried on.
const TRIED: usize = 20;

/// Tries another embedder on the questions asked last.
pub(crate) fn try_embedder(
    app: &Arc<App>,
    ModelRef { id }: &ModelRef,
    events: &Channel<Work>,
) -> Result<Trial, IpcError> {
    let opened = app.opened()?;
    let job =
        app.jobs.begin(Task::Trying, "a model is being tried already; wait for it, or cancel it first")?;
    let begun = Instant::now();
    let questions = opened.conversations.last_cited(TRIED)?;
    let stored = opened.library.embedder_fingerprint()?;
    let Some(current) = opened.roles.embedder_of(stored.as_deref())? else {
        return Err(IpcError::failed(
            "the model of the library's index is not on this computer any more, so there is nothing to compare with; switch without a trial",
        ));
    };
    let other = opened.roles.load_embedder(id)?;
    let mut pace = crate::stage::Stage::new();
    let mut progress = |done, total| send(events, pace.work("try", count(done), count(total)));
    let trial = opened.library.try_embedder(&questions, &*current, &*other, &mut progress, &job.cancel)?;
    Ok(Trial {
        questions: trial
            .questions
            .into_iter()
            .map(|one| TriedQuestion {
                question: one.question,
                current: one.current.map(count),
                other: one.other.map(count),
            })
            .collect(),
        documents: count(trial.documents),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// Gives up the trial of an embedder.
pub(crate) fn cancel_trial(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.jobs.cancel(&Task::Trying);
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
    let worker = WorkerCommand::this_program("generate")?;
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

/// Tells the UI how far an import is.
fn telling(events: &Channel<ModelProgress>) -> impl FnMut(Progress) {
    let (mut steps, mut before) = (Steps::new(), None);
    move |progress| {
        if before.replace(progress.stage) != Some(progress.stage) {
            steps = Steps::new();
        }
        let Some(work) = steps.at(progress.done, progress.total) else { return };
        send(events, ModelProgress { stage: stage(progress.stage), work });
    }
}

/// What is being done, as the UI knows it.
pub(crate) fn stage(stage: Stage) -> ModelStage {
    match stage {
        Stage::Downloading => ModelStage::Downloading,
        Stage::Reading => ModelStage::Reading,
        Stage::Trying => ModelStage::Trying,
        Stage::Copying => ModelStage::Copying,
        Stage::Installing => ModelStage::Installing,
    }
}

/// Deletes a model that was imported or downloaded.
pub(crate) fn remove(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    let opened = &app.opened()?;
    opened.roles.models().remove(id)?;
    opened.roles.choose(crate::app::choice(&opened.preferences.get()));
    app.send("engine", app.engine_line());
    Ok(())
}
