//! Models, and the line that names those in use.

use oriel_models::{
    Backend, Listed, Model, ModelServer, Models, Role, ServerAddress, backend, download_host,
};

use crate::api::{EngineLine, ModelPlace, ModelRow, ServerHost};
use crate::state::app::App;

/// The models in use, for the status line.
pub(crate) fn engine_line(app: &App) -> EngineLine {
    let backend = backend();
    let settings = app.settings();
    let threads = settings.threads.map_or(backend.threads, |threads| threads as usize);
    let device = card(&backend).filter(|_| !settings.cpu).unwrap_or("CPU");
    let serving = app.slot.lease().and_then(|session| {
        let model = session.roles.serving(Role::Generator).ok()??;
        let adapter = session.roles.models().adapter_name(&model).map(str::to_owned);
        Some((model, adapter))
    });
    let (generator, adapter) = serving.unzip();
    let server =
        generator.as_ref().and_then(|model| ServerAddress::of_models(&model.server.as_ref()?.address).ok());
    let generator = generator.map(|model| model.entry);
    EngineLine {
        generator_name: generator.as_ref().map(|entry| entry.display_name().to_owned()),
        generator: generator.map(|entry| entry.id),
        adapter: adapter.flatten(),
        device: device.into(),
        threads,
        server: server.as_ref().map(server_host),
    }
}

/// Whom an address leads to.
pub(crate) fn server_host(address: &ServerAddress) -> ServerHost {
    ServerHost { host: address.host(), is_local: address.is_local(), is_encrypted: address.is_encrypted() }
}

/// The kind of graphics card that models can run on.
pub(crate) fn card(backend: &Backend) -> Option<&'static str> {
    match backend.device.as_str() {
        "cuda" => Some("CUDA"),
        "metal" => Some("Metal"),
        _ => None,
    }
}

/// A model.
pub(crate) fn model_row(models: &Models, listed: &Listed) -> ModelRow {
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
