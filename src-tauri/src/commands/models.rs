//! Models: listed, measured, tried, imported, deleted.

use std::sync::Arc;
use std::time::Instant;

use oriel_api::{Work, lock};
use oriel_core::Notice;
use oriel_models::{
    Key, Listed, Machine, Model, ModelServer, Models, NewServer, Progress, Role, ServerAddress, ServerKey,
    backend, download_host,
};
use tauri::ipc::Channel;

use crate::api::*;
use crate::background::progress::PacedProgress;
use crate::desktop::engine_line::{card, host_of};
use crate::desktop::{dialogs, publish};
use crate::state::app::App;
use crate::state::jobs::Task;

/// How many of the last questions another embedder is tried on.
const TRIAL_QUESTIONS: usize = 20;

/// The models and the machine.
pub(crate) fn state(app: &Arc<App>, (): &()) -> Result<ModelsState, IpcError> {
    let session = app.session()?;
    let roles = &session.roles;
    let machine = Machine::now();
    let foreign_share = session.library.foreign_share()?;
    let models: Vec<ModelRow> = roles
        .list(machine, foreign_share.is_some())
        .iter()
        .map(|listed| model_row(roles.models(), listed))
        .collect();
    let backend = backend();
    let previous = session.library.previous_embedder()?.and_then(|previous| {
        let id = roles.embedder_with(&previous.embedder.fingerprint)?.entry.id;
        Some(PreviousIndex { id, until: previous.until, waiting: previous.waiting })
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
        cores: machine.threads,
        features: backend.features.iter().map(|one| (*one).to_owned()).collect(),
        device_note: backend.note,
    })
}

/// Measures the models in use that were never measured on this computer, in the background. A model that cannot be measured
/// is tried once.
pub(crate) fn measure(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    let session = app.session()?;
    let serving = |role| session.roles.serving(role).ok().flatten().map(|model| model.entry.id);
    let ids: Vec<String> = Role::ALL.into_iter().filter_map(serving).collect();
    let mut tried = lock(&app.measured);
    if ids.iter().all(|id| tried.contains(id)) {
        return Ok(());
    }
    tried.extend(ids);
    drop(tried);
    let (of_thread, roles) = (Arc::clone(app), Arc::clone(&session.roles));
    std::thread::spawn(move || {
        let Ok(job) = of_thread.jobs.begin(Task::Measuring) else { return };
        for role in Role::ALL {
            if let Err(error) = roles.speed(role, &job.cancel) {
                tracing::warn!(%error, "a model cannot be measured");
            }
        }
        drop(job);
        publish::engine(&of_thread);
    });
    Ok(())
}

/// Tries another embedder on the questions asked last.
pub(crate) fn try_embedder(
    app: &Arc<App>,
    ModelRef { id }: &ModelRef,
    events: &Channel<Work>,
) -> Result<Trial, IpcError> {
    let session = app.session()?;
    let job = app.jobs.begin(Task::Trial)?;
    let begun = Instant::now();
    let questions = session.assistant.conversations.last_cited(TRIAL_QUESTIONS)?;
    let stored = session.library.embedder_fingerprint()?;
    let Some(current) = session.roles.embedder_of(stored.as_deref())? else {
        return Err(IpcError::failed(Notice::IndexModelGone));
    };
    let other = session.roles.load_embedder(id)?;
    let mut report = publish::progress(events);
    let mut progress = |done, total| report(done as u64, total as u64);
    let trial = session.library.try_embedder(&questions, &*current, &*other, &mut progress, &job.cancel)?;
    Ok(Trial {
        questions: trial.questions,
        documents: trial.documents,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// Lets the user choose a model file. It is read, tried and put beside the others. Returns its id.
pub(crate) fn import(
    app: &Arc<App>,
    (): &(),
    events: &Channel<ModelProgress>,
) -> Result<Option<String>, IpcError> {
    let Some(path) = dialogs::pick_file(app.handle(), Some(("GGUF", "gguf")))? else { return Ok(None) };
    // The library may be closed and opened again meanwhile.
    let roles = Arc::clone(&app.session()?.roles);
    let job = app.jobs.begin(Task::Importing)?;
    let id = roles.import(&path, &mut report_to(events), &job.cancel)?.entry.id;
    publish::engine(app);
    Ok(Some(id))
}

/// The host of an address, to be shown to the user. It is not contacted.
pub(crate) fn server_host(_: &Arc<App>, typed: &TypedAddress) -> Result<ServerHost, IpcError> {
    Ok(host_of(&ServerAddress::of_models(&typed.address)?))
}

/// Tries a server whose host the app named before. Returns the id of its model.
pub(crate) fn connect_server(app: &Arc<App>, wanted: &ConnectServer) -> Result<String, IpcError> {
    let address = ServerAddress::of_models(&wanted.address)?;
    if address.host() != wanted.host {
        return Err(IpcError::failed(Notice::ServerAddressWrong { address: wanted.address.clone() }));
    }
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let roles = Arc::clone(&app.session()?.roles);
    let job = app.jobs.begin(Task::Connecting)?;
    let server = NewServer {
        address,
        model: given(&wanted.model),
        key: given(&wanted.key.0).map_or(ServerKey::None, |key| ServerKey::Keyring(Key(key))),
    };
    Ok(roles.models().connect(server, &job.cancel)?.entry.id)
}

/// Streams the progress of an import.
fn report_to(events: &Channel<ModelProgress>) -> impl FnMut(Progress) {
    let mut paced = PacedProgress::new();
    move |Progress { stage, done, total, .. }| {
        if let Some(work) = paced.at(stage, done, total) {
            publish::stream(events, ModelProgress { stage, work });
        }
    }
}

/// Deletes a model that was imported or downloaded, or forgets one of a server.
pub(crate) fn remove(app: &Arc<App>, ModelRef { id }: &ModelRef) -> Result<(), IpcError> {
    let session = &app.session()?;
    session.roles.models().remove(id)?;
    session.roles.choose(session.settings.get().model_choice());
    publish::engine(app);
    Ok(())
}

fn model_row(models: &Models, listed: &Listed) -> ModelRow {
    let Listed { model, .. } = listed;
    let entry = &model.entry;
    ModelRow {
        id: entry.id.clone(),
        name: listed.display_name.clone(),
        about: entry.about.clone(),
        role: entry.role,
        size: listed.size,
        memory: listed.memory,
        fit: listed.fits,
        lacking: listed.lacking,
        budget: listed.budget,
        licence: entry.licence.clone(),
        languages: entry.languages.clone(),
        language_count: entry.language_count,
        parameters: entry.parameters,
        quantisation: entry.quantisation.clone(),
        tier: entry.tier,
        recommended: listed.recommended,
        right_answers: entry.right_answers,
        found_english: entry.found_english,
        found_other: entry.found_other,
        speed: listed.speed.as_ref().map(|speed| speed.per_second),
        place: place(models, model),
        stays: models.stays(model),
        in_use: listed.in_use,
    }
}

fn place(models: &Models, model: &Model) -> ModelPlace {
    if let Some(ModelServer { address, host, is_local }) = model.server.clone() {
        return ModelPlace::Served { address, host, is_local };
    }
    match (model.weights_path(), model.program, model.imported) {
        (Some(path), Some(program), _) => {
            ModelPlace::Found { program: program.into(), path: path.to_string_lossy().into_owned() }
        }
        (Some(_), None, true) => ModelPlace::Imported,
        (Some(_), None, false) => ModelPlace::Here,
        (None, ..) => {
            ModelPlace::Remote { host: download_host(), downloaded: models.downloaded(&model.entry) }
        }
    }
}
