//! What every command shares: the library, the models, the wish to stop.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use oriel_core::{CancelToken, WorkerCommand};
use oriel_engine::{ExtractorLimits, Library, default_library};
use oriel_models::{Choice, ModelDirs, Models, Roles};

use crate::arguments::Arguments;

/// One run of the command.
pub(crate) struct Session {
    library: PathBuf,
    /// Whether results are JSON.
    pub json: bool,
    /// Cancelled by Ctrl-C.
    pub cancel: CancelToken,
    /// The models in their roles.
    pub roles: Roles,
}

impl Session {
    pub(crate) fn new(arguments: &Arguments) -> anyhow::Result<Self> {
        let cancel = CancelToken::new();
        let on_signal = cancel.clone();
        ctrlc::set_handler(move || {
            // A second Ctrl-C does not wait: everything committed is safe.
            if on_signal.is_cancelled() {
                std::process::exit(130);
            }
            on_signal.cancel();
        })
        .context("Ctrl-C cannot be caught")?;
        let library = match &arguments.library {
            Some(library) => library.clone(),
            None => default_library()
                .context("the user's data folder is unknown; name a library with --library DIR")?,
        };
        let models = Models::new(ModelDirs::platform()?);
        let roles = Roles::new(models, own_worker("generate")?, Choice::default());
        Ok(Self { library, json: arguments.json, cancel, roles })
    }

    /// Opens the library, making it where it is missing.
    pub(crate) fn open(&self) -> anyhow::Result<Library> {
        Ok(Library::open(&self.library, own_worker("extract")?, ExtractorLimits::default())?)
    }

    /// The library's folder as it was asked for.
    pub(crate) fn library_path(&self) -> &Path {
        &self.library
    }
}

/// This executable as a worker.
pub(crate) fn own_worker(kind: &str) -> anyhow::Result<WorkerCommand> {
    let program = std::env::current_exe().context("the path of this program is unknown")?;
    Ok(WorkerCommand::new(program, ["worker", kind]))
}
