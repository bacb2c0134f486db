//! The line that names the models in use.

use oriel_models::{Backend, Role, ServerAddress, backend};

use crate::api::{EngineLine, ServerHost};
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
        server: server.as_ref().map(host_of),
    }
}

/// The host of an address.
pub(crate) fn host_of(address: &ServerAddress) -> ServerHost {
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
