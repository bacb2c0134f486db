//! The local address: programs on this computer ask by the API of OpenAI, if the user has switched that on.

use std::sync::Arc;

use oriel_api::{RequestLog, Searcher, ServeKey, ServedLibrary, Serving, lock, visible_to_programs};
use oriel_core::Notice;
use oriel_engine::Filter;

use crate::api::*;
use crate::background::memory;
use crate::commands::programs;
use crate::commands::yield_guard::YieldGuard;
use crate::state::app::{App, LocalServer};

/// The open library with its models, as other programs use it while it is open.
struct LentLibrary(Arc<App>);

impl ServedLibrary for LentLibrary {
    fn with(&self, work: &mut dyn FnMut(&Searcher, Filter)) -> Result<(), Notice> {
        let session = self.0.session().map_err(|error| error.notice)?;
        self.0.note_question();
        let yielding = YieldGuard::new(&self.0, &session);
        let visible = visible_to_programs(session.library.path()).map_err(|error| error.notice())?;
        work(&session.assistant.searcher, visible);
        drop(yielding);
        self.0.note_question();
        memory::release_free();
        Ok(())
    }

    fn log(&self) -> Option<RequestLog> {
        let session = self.0.session().ok()?;
        Some(RequestLog::of(&session.library.personal_folder()))
    }
}

/// Answers at the local address again, if that was on when the app ended or the library was closed; a library that was opened
/// anew may have other settings, and another key.
pub(crate) fn resume(app: &Arc<App>) {
    if app.settings().local_address || !matches!(*lock(&app.local_address), LocalServer::Off) {
        let app = Arc::clone(app);
        // The UI should not wait for it.
        std::thread::spawn(move || start(&app));
    }
}

/// Switches it on or off.
pub(crate) fn set(app: &Arc<App>, wanted: &SetLocalAddress) -> Result<Programs, IpcError> {
    app.change_settings(|settings| {
        settings.local_address = wanted.on;
        settings.local_port = wanted.port;
    })?;
    start(app);
    programs::state(app, &())
}

/// Switches it off after a restore: nobody switched it on for what was restored.
pub(crate) fn switch_off(app: &Arc<App>) -> Result<(), IpcError> {
    if app.settings().local_address {
        app.change_settings(|settings| settings.local_address = false)?;
        start(app);
    }
    Ok(())
}

/// The key, to be copied. It is not part of the page's state, so that it lies nowhere until it is asked for.
pub(crate) fn key(app: &Arc<App>, (): &()) -> Result<LocalKey, IpcError> {
    let key = ServeKey::open(app.session()?.library.path())?;
    Ok(LocalKey { key: key.token().to_owned() })
}

/// Makes a new key.
pub(crate) fn renew_key(app: &Arc<App>, (): &()) -> Result<Programs, IpcError> {
    ServeKey::renew(app.session()?.library.path())?;
    start(app);
    programs::state(app, &())
}

/// Stops the server, and starts it again with the present port and key if the settings want it.
fn start(app: &Arc<App>) {
    let mut server = lock(&app.local_address);
    // The port is free only once the former process has ended.
    *server = LocalServer::Off;
    let settings = app.settings();
    if !settings.local_address {
        return;
    }
    let ended = Arc::clone(app);
    let on_end = move || {
        let mut server = lock(&ended.local_address);
        // Another server may have replaced it.
        if matches!(&*server, LocalServer::On(serving) if serving.has_ended()) {
            let cause = Notice::text("it has ended").into();
            *server = LocalServer::Failed(Notice::ServerFailed { cause });
        }
    };
    let started = app.session().and_then(|session| {
        let key = ServeKey::open(session.library.path())?;
        let library = Arc::new(LentLibrary(Arc::clone(app)));
        Ok(Serving::start(library, &key, settings.local_port, on_end)?)
    });
    *server = match started {
        Ok(serving) => LocalServer::On(serving),
        Err(IpcError { notice, .. }) => {
            tracing::warn!("{notice}");
            LocalServer::Failed(notice)
        }
    };
}
