//! The desktop app: the border between the engine and the UI.
//!
//! It decides nothing about documents, questions or answers, which is up to the engine, and draws nothing, which is up to
//! the UI. A room knows only the rooms to its right:
//! `commands` → `desktop` → `state` → `background` → `api`.
//! This file connects what reports upwards: the indexing thread, the window and the tray.

mod api;
mod background;
mod commands;
mod desktop;
mod state;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use background::memory;
use commands::{drops, indexing, reopen};
use desktop::{pdf_protocol, publish, tray, window, window_events};
use oriel_api::IndexerListener;
use oriel_core::Notice;
use oriel_engine::Library;
use state::app::App;
use tauri::{AppHandle, Manager as _, RunEvent};

pub use background::worker::worker;

/// Runs the app until it is closed.
pub fn run() -> ExitCode {
    memory::limit_arenas();
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_env("ORIEL_LOG"))
        .with_writer(std::io::stderr)
        .init();
    let builder = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|handle, _, _| window::show(handle)))
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(window::state_plugin())
        .register_asynchronous_uri_scheme_protocol("doc", |context, request, responder| {
            pdf_protocol::serve(context.app_handle(), request, responder);
        })
        .invoke_handler(commands::handler())
        .on_window_event(|window, event| window_events::on_event(window, event, drops::on_drop))
        .setup(|tauri| {
            let handle = tauri.handle().clone();
            let app = App::new(handle.clone(), Arc::new(IndexingReports(handle)));
            tauri.manage(Arc::clone(&app));
            let settings = app.settings();
            window::create(tauri, &settings)?;
            tray::create(tauri, &settings, indexing::toggle_pause)?;
            Ok(())
        });
    let built = match builder.build(tauri::generate_context!()) {
        Ok(built) => built,
        Err(error) => {
            eprintln!("oriel-desktop: the window cannot be made: {error}");
            return ExitCode::FAILURE;
        }
    };
    built.run(|handle, event| {
        if let RunEvent::Exit = event {
            handle.state::<Arc<App>>().end();
        }
    });
    ExitCode::SUCCESS
}

/// A run that read and embedded for this long is worth a notification at its end.
const LONG_RUN: Duration = Duration::from_secs(60);

/// Passes on what the indexing thread reports. The app may not be there yet.
struct IndexingReports(AppHandle);

impl IndexingReports {
    fn app(&self) -> Option<Arc<App>> {
        self.0.try_state::<Arc<App>>().map(|app| Arc::clone(&app))
    }
}

impl IndexerListener for IndexingReports {
    fn on_progress(&self, recount: bool) {
        if let Some(app) = self.app() {
            publish::library(&app, recount);
            app.release_if_idle();
        }
    }

    fn on_up_to_date(&self, _: &Library, worked: Duration) {
        if let Some(app) = self.app().filter(|_| worked > LONG_RUN) {
            tray::notify_done(&self.0, &app.settings());
        }
    }

    fn on_idle(&self) {
        if let Some(app) = self.app() {
            app.release_if_idle();
        }
    }

    fn on_library_refused(&self, notice: Notice) {
        if let Some(app) = self.app() {
            reopen::reopen(&app, notice);
        }
    }
}
