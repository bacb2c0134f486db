//! What the UI needs before it can draw anything.

use oriel_api::payload;
use oriel_core::Notice;
use oriel_engine::ConversationRow;

use super::folders::LibraryState;
use super::models::{Download, ServerHost};
use super::settings::Settings;

payload! {
    /// What the window needs before it can draw anything.
    pub struct Start {
        pub version: String,
        /// Whether the keys are those of macOS.
        pub mac: bool,
        /// `None` if it cannot be opened.
        pub library: Option<LibraryState>,
        /// The library's own folder.
        pub place: String,
        /// Why the library cannot be opened, and the way out.
        pub trouble: Option<Notice>,
        /// Whether that is because its data file is broken, so that a repair is the way out.
        pub broken: bool,
        pub settings: Settings,
        /// Newest first.
        pub conversations: Vec<ConversationRow>,
        pub engine: EngineLine,
        /// Downloads that run, or that failed and were not dismissed.
        pub downloads: Vec<Download>,
    }

    /// The models in use, as the status line names them.
    pub struct EngineLine {
        /// The generator's id; `None` if answers are quotes.
        pub generator: Option<String>,
        pub generator_name: Option<String>,
        /// The name of the adapter that it answers with, if it has one.
        pub adapter: Option<String>,
        /// `CPU`, `CUDA` or `Metal`.
        pub device: String,
        /// Threads a model uses.
        pub threads: usize,
        /// The server that runs the generator; `None` if it runs here.
        pub server: Option<ServerHost>,
    }
}
