//! The settings: read once, kept in `settings.json` in the library's folder, applied at once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::Context as _;
use oriel_engine::replace_file;
use oriel_models::Role;

use crate::app::{App, choice, lock};
use crate::asking::WIDEST;
use crate::ipc::{EngineLine, IpcError, Language, Settings};
use crate::{folders, tray, window};

/// How the person wants the app.
pub(crate) struct Preferences {
    file: PathBuf,
    settings: Mutex<Settings>,
    /// Held while they are changed: two who change at once do not undo one another.
    changing: Mutex<()>,
}

impl Preferences {
    /// Reads them; the defaults where there are none, or none that can be read.
    pub(crate) fn open(library: &Path) -> Self {
        let file = library.join("settings.json");
        let settings = match std::fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                tracing::warn!(%error, file = %file.display(), "settings cannot be read, the defaults stand");
                // Set aside: the next change must not write over what a person had.
                if let Err(error) = std::fs::rename(&file, library.join("settings.broken.json")) {
                    tracing::warn!(%error, "and they cannot be set aside");
                }
                Settings::default()
            }),
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    tracing::warn!(%error, file = %file.display(), "settings cannot be read, the defaults stand");
                }
                Settings::default()
            }
        };
        Self { file, settings: Mutex::new(settings.sound()), changing: Mutex::default() }
    }

    /// As they stand.
    pub(crate) fn get(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Changes and keeps them, and gives those before and after.
    fn change(&self, change: impl FnOnce(&mut Settings)) -> anyhow::Result<(Settings, Settings)> {
        let _one = lock(&self.changing);
        let before = self.get();
        let mut after = before.clone();
        change(&mut after);
        let after = after.sound();
        self.put(after.clone())?;
        Ok((before, after))
    }

    /// Keeps new ones; the file is replaced in one step.
    fn put(&self, settings: Settings) -> anyhow::Result<()> {
        let json = serde_json::to_vec_pretty(&settings)?;
        replace_file(&self.file, &json).with_context(|| {
            format!("{} cannot be written; check the disk and its permissions", self.file.display())
        })?;
        *lock(&self.settings) = settings;
        Ok(())
    }
}

/// Changes the settings; they apply at once.
pub(crate) fn set(app: &Arc<App>, settings: &Settings) -> Result<EngineLine, IpcError> {
    let opened = &app.opened()?;
    // Pausing is for pause and resume alone, and so is what is downloaded: the UI may not have heard of it.
    let wanted = settings.clone();
    if settings.close_to_tray && !app.settings().close_to_tray && !tray::is_there(app.handle()) {
        return Err(IpcError::failed(
            "this desktop has no tray where Oriel could stay: closing the window ends it",
        ));
    }
    let (before, settings) = opened.preferences.change(|kept| {
        let downloading = std::mem::take(&mut kept.downloading);
        *kept = Settings { paused: kept.paused, downloading, ..wanted };
    })?;
    if choice(&before) != choice(&settings) {
        let embedder = || opened.roles.serving(Role::Embedder).ok().flatten().map(|model| model.entry.id);
        let embedded = embedder();
        opened.roles.choose(choice(&settings));
        opened.forget_reranker();
        if embedded != embedder() {
            // What the old one embeds now would be embedded once more.
            opened.indexing.cancel();
            opened.indexing.rescan();
        }
        app.send("engine", app.engine_line());
    }
    if before.theme != settings.theme {
        window::repaint(app.handle(), &settings);
    }
    if before.language != settings.language {
        tray::relabel(app.handle(), &settings);
        folders::tell(app, false);
    }
    Ok(app.engine_line())
}

/// Changes one thing.
pub(crate) fn patch(app: &App, change: impl FnOnce(&mut Settings)) -> Result<(), IpcError> {
    let opened = &app.opened()?;
    opened.preferences.change(change)?;
    Ok(())
}

impl Settings {
    /// Whether words that are not the window's own are to be German: chosen, or the system's language.
    pub(crate) fn is_german(&self) -> bool {
        match self.language {
            Some(language) => language == Language::De,
            None => {
                let said = |name| std::env::var(name).ok().filter(|language| !language.is_empty());
                let system = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(said);
                system.is_some_and(|language| language.starts_with("de"))
            }
        }
    }

    /// Within the limits that the engine has.
    fn sound(mut self) -> Self {
        self.window.before = self.window.before.min(WIDEST);
        self.window.after = self.window.after.min(WIDEST);
        self.passages = self.passages.clamp(1, 20);
        self.candidates = self.candidates.clamp(self.passages, 200);
        self.text_size = if self.text_size.is_finite() { self.text_size.clamp(75.0, 200.0) } else { 100.0 };
        self.threads = self.threads.map(|threads| threads.clamp(1, 256));
        self
    }
}
