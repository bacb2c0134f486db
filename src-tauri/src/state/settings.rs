//! The settings: read once, kept in `settings.json` in the library's folder.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use oriel_api::{AppError, MAX_WINDOW, lock};
use oriel_core::Notice;
use oriel_engine::replace_file;
use oriel_models::Choice;

use crate::api::{Language, Settings};

pub(crate) struct SettingsFile {
    path: PathBuf,
    settings: Mutex<Settings>,
    /// Held during a change, so that two changes at once do not undo one another.
    changing: Mutex<()>,
}

impl SettingsFile {
    /// Reads the settings. The defaults stand if there are none, or none that can be read.
    pub(crate) fn open(library: &Path) -> Self {
        let path = library.join("settings.json");
        let settings = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                tracing::warn!(%error, file = %path.display(), "settings cannot be read, the defaults stand");
                // Set aside, so that the next change does not overwrite what a user had.
                if let Err(error) = std::fs::rename(&path, library.join("settings.broken.json")) {
                    tracing::warn!(%error, "and they cannot be set aside");
                }
                Settings::default()
            }),
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    tracing::warn!(%error, file = %path.display(), "settings cannot be read, the defaults stand");
                }
                Settings::default()
            }
        };
        Self { path, settings: Mutex::new(settings.clamped()), changing: Mutex::default() }
    }

    /// The current settings.
    pub(crate) fn get(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Changes and keeps the settings. Returns them before and after.
    pub(crate) fn change(
        &self,
        change: impl FnOnce(&mut Settings),
    ) -> Result<(Settings, Settings), AppError> {
        let _changing = lock(&self.changing);
        let before = self.get();
        let mut after = before.clone();
        change(&mut after);
        let after = after.clamped();
        self.write(after.clone())?;
        Ok((before, after))
    }

    /// Replaces the file in one step, and then the settings.
    fn write(&self, settings: Settings) -> Result<(), AppError> {
        let written = serde_json::to_vec_pretty(&settings)
            .map_err(std::io::Error::from)
            .and_then(|json| replace_file(&self.path, &json));
        written.map_err(|error| {
            Notice::of_path(&self.path, Notice::SettingsNotWritten { cause: Notice::io(&error).into() })
        })?;
        *lock(&self.settings) = settings;
        Ok(())
    }
}

impl Settings {
    /// Whether texts outside of the page, such as the tray's, are in German: by choice or by the system's language.
    pub(crate) fn is_german(&self) -> bool {
        match self.language {
            Some(language) => language == Language::De,
            None => {
                let set = |name| std::env::var(name).ok().filter(|language| !language.is_empty());
                let system = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
                system.is_some_and(|language| language.starts_with("de"))
            }
        }
    }

    /// The models that these settings choose.
    pub(crate) fn model_choice(&self) -> Choice {
        Choice {
            embedder: self.embedder.clone(),
            reranker: self.reranker.clone(),
            generator: self.generator.clone(),
            threads: self.threads.map(|threads| threads as usize),
            cpu: self.cpu,
        }
    }

    /// The settings within the engine's limits.
    fn clamped(mut self) -> Self {
        self.window.before = self.window.before.min(MAX_WINDOW);
        self.window.after = self.window.after.min(MAX_WINDOW);
        self.passages = self.passages.clamp(1, 20);
        self.candidates = self.candidates.clamp(self.passages, 200);
        self.text_size = if self.text_size.is_finite() { self.text_size.clamp(75.0, 200.0) } else { 100.0 };
        self.threads = self.threads.map(|threads| threads.clamp(1, 256));
        self
    }
}
