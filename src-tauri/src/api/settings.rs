//! The settings of a user.

use oriel_api::{DEFAULT_PORT, payload};
use oriel_engine::Window;
use serde::Deserialize;

payload! {
    /// The user's settings, kept as `settings.json` in the library's folder.
    #[derive(Deserialize)]
    #[serde(default)]
    pub struct Settings {
        pub theme: Theme,
        /// The language of the interface; the system's where `null`.
        pub language: Option<Language>,
        /// Text size in percent: 87.5, 100, 112.5 or 125.
        pub text_size: f32,
        /// How many sentences are shown around a hit by default.
        pub window: Window,
        /// Candidate sentences.
        pub candidates: u32,
        pub passages: u32,
        /// Processor threads for models; `null` for all.
        pub threads: Option<u32>,
        /// Whether models stay on the processor though there is a graphics card that they could use.
        pub cpu: bool,
        /// The embedder's id; where `null`, that of the library's vectors, else the first that is here.
        pub embedder: Option<String>,
        /// The reranker's id; `off` for none, the first that is here where `null`.
        pub reranker: Option<String>,
        /// The generator's id; `quotes` for none, the first that is here where `null`.
        pub generator: Option<String>,
        /// Minutes without a question after which the generator's memory is freed; never where `null`.
        pub free_after: Option<u32>,
        /// Whether closing the window leaves Oriel in the tray.
        pub close_to_tray: bool,
        /// Whether a notification says when a long indexing ends.
        pub notify: bool,
        pub paused: bool,
        /// Whether long embedding and text recognition wait while the computer runs on battery.
        pub save_power: bool,
        /// Whether programs on this computer can ask at the local address; changed by a command of its own.
        pub local_address: bool,
        /// The port of the local address; changed with it.
        pub local_port: u16,
        /// Ids of the models whose download resumes at the next start; only the shell changes it.
        pub downloading: Vec<String>,
    }

    /// The window's colours.
    #[derive(Copy, Eq, Deserialize)]
    pub enum Theme {
        /// As the system has it.
        System,
        Light,
        Dark,
    }

    /// The languages of the interface.
    #[derive(Copy, Eq, Deserialize)]
    pub enum Language {
        En,
        De,
    }

    /// The user's own glossary.
    #[derive(Deserialize)]
    pub struct GlossaryText {
        /// One entry a line: `name, other name: wording; other wording`.
        pub text: String,
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: None,
            text_size: 100.0,
            window: Window::default(),
            candidates: 20,
            passages: 5,
            threads: None,
            cpu: false,
            embedder: None,
            reranker: None,
            generator: None,
            free_after: Some(10),
            close_to_tray: false,
            notify: true,
            paused: false,
            save_power: true,
            local_address: false,
            local_port: DEFAULT_PORT,
            downloading: Vec::new(),
        }
    }
}
