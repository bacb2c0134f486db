//! Oriel in a window: the border between the engine and the user interface.
//!
//! Owns commands, events, the tray and the window. It decides nothing about documents, questions or answers: that is the
//! engine's matter; and draws nothing: that is the user interface's.

mod answering;
mod app;
mod asking;
mod blocks;
mod cards;
mod choosing;
mod conversations;
mod copies;
mod documents;
mod downloads;
mod folders;
mod held;
mod indexing;
mod ipc;
mod job;
mod keeping;
mod listing;
mod memory;
mod mentions;
mod modelling;
#[cfg(target_os = "linux")]
mod page;
mod preferences;
mod priority;
mod reasons;
mod sample;
mod seat;
mod stage;
mod start;
mod tray;
mod viewing;
mod way;
mod window;
mod worker;

use std::process::ExitCode;
use std::sync::Arc;

use app::App;
use tauri::{Manager as _, RunEvent};

pub use worker::worker;

/// Runs the app until it is closed.
pub fn run() -> ExitCode {
    memory::hold_together();
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_env("ORIEL_LOG"))
        .with_writer(std::io::stderr)
        .init();
    let builder = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|handle, _, _| window::show(handle)))
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(window::remembered())
        .register_asynchronous_uri_scheme_protocol("doc", |context, request, responder| {
            documents::serve(context.app_handle(), request, responder);
        })
        .invoke_handler(ipc::handler())
        .on_window_event(window::on_event)
        .setup(|tauri| {
            let app = App::new(tauri.handle().clone());
            tauri.manage(Arc::clone(&app));
            window::create(tauri, &app.settings())?;
            tray::create(tauri)?;
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
