//! What the UI needs before it can draw anything.

use oriel_core::Notice;
use oriel_engine::ConversationRow;
use serde::Serialize;
use ts_rs::TS;

use super::library::LibraryState;
use super::settings::{Download, ServerHost, Settings};

/// What the window needs before it can draw anything.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Start {
    /// The program's version.
    pub version: String,
    /// Whether the keys are those of macOS.
    pub mac: bool,
    /// The library, or why it cannot be opened.
    pub library: Option<LibraryState>,
    /// The library's own folder, for people.
    pub place: String,
    /// Why the library cannot be opened, and the way out.
    pub trouble: Option<Notice>,
    /// Whether that is because its data file is broken, so that a repair is the way out.
    pub broken: bool,
    /// How the person wants the app.
    pub settings: Settings,
    /// Kept conversations, newest first.
    pub conversations: Vec<ConversationRow>,
    /// The models in use, for the status line.
    pub engine: EngineLine,
    /// Downloads that run, or that failed and were not dismissed.
    pub downloads: Vec<Download>,
}

/// The models in use, as the status line names them.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct EngineLine {
    /// The generator's id; `None` where answers are quotes.
    pub generator: Option<String>,
    /// Its name for people.
    pub generator_name: Option<String>,
    /// The name of the adapter that it answers with, if it has one.
    pub adapter: Option<String>,
    /// `CPU`, `CUDA` or `Metal`.
    pub device: String,
    /// Threads a model uses.
    pub threads: usize,
    /// The server that runs the generator; `None` where it runs here.
    pub server: Option<ServerHost>,
}
