//! The settings: read once, kept in `settings.json` in the library's folder, applied at once.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::Context as _;

use crate::app::{App, choice, lock};
use crate::ipc::{EngineLine, IpcError, Settings};
use crate::tray;

/// How the person wants the app.
pub(crate) struct Preferences {
    file: PathBuf,
    settings: Mutex<Settings>,
}

impl Preferences {
    /// Reads them; the defaults where there are none, or none that can be read.
    pub(crate) fn open(library: &Path) -> Self {
        let file = library.join("settings.json");
        let settings = match std::fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                tracing::warn!(%error, file = %file.display(), "settings cannot be read, the defaults stand");
                Settings::default()
            }),
            Err(_) => Settings::default(),
        };
        Self { file, settings: Mutex::new(settings) }
    }

    /// As they stand.
    pub(crate) fn get(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Keeps new ones; the file is replaced in one step.
    pub(crate) fn put(&self, settings: Settings) -> anyhow::Result<()> {
        let folder = self.file.parent().context("settings lie in a folder")?;
        let json = serde_json::to_vec_pretty(&settings)?;
        let written =
            tempfile::NamedTempFile::new_in(folder).map_err(anyhow::Error::from).and_then(|mut file| {
                file.write_all(&json)?;
                file.as_file().sync_all()?;
                file.persist(&self.file)?;
                Ok(())
            });
        written.with_context(|| {
            format!("{} cannot be written; check the disk and its permissions", self.file.display())
        })?;
        *lock(&self.settings) = settings;
        Ok(())
    }
}

/// Changes the settings; they apply at once.
pub(crate) fn set(app: &Arc<App>, settings: &Settings) -> Result<EngineLine, IpcError> {
    let opened = app.opened()?;
    let before = opened.preferences.get();
    let settings = settings.clone().sound();
    opened.preferences.put(settings.clone())?;
    if choice(&before) != choice(&settings) {
        opened.roles.choose(choice(&settings));
        if before.embedder != settings.embedder {
            opened.indexing.rescan();
        }
        let line = app.engine_line();
        app.send("engine", line);
    }
    if before.language != settings.language {
        tray::relabel(app.handle(), &settings);
    }
    Ok(app.engine_line())
}

/// Changes one thing.
pub(crate) fn patch(app: &App, change: impl FnOnce(&mut Settings)) -> Result<(), IpcError> {
    let opened = app.opened()?;
    let mut settings = opened.preferences.get();
    change(&mut settings);
    Ok(opened.preferences.put(settings)?)
}

impl Settings {
    /// Within the limits that the engine has.
    fn sound(mut self) -> Self {
        self.window.before = self.window.before.min(20);
        self.window.after = self.window.after.min(20);
        self.passages = self.passages.clamp(1, 20);
        self.candidates = self.candidates.clamp(self.passages, 200);
        self.text_size = if self.text_size.is_finite() { self.text_size.clamp(75.0, 200.0) } else { 100.0 };
        self.threads = self.threads.map(|threads| threads.clamp(1, 256));
        self
    }
}
