//! What every command shares: the library, the models, the wish to stop.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Once};

use anyhow::Context as _;
use oriel_api::{ProgramAccess, open_library, open_roles};
use oriel_core::CancelToken;
use oriel_engine::{EngineError, Library, absolute, default_library};
use oriel_models::{Choice, Roles, ThreadBegin};

use crate::arguments::{AccessArguments, Arguments};

/// Whether the computer with the index was named.
static NAMED: Once = Once::new();

/// One run of the command.
pub(crate) struct Session {
    library: PathBuf,
    /// Whether results are JSON.
    pub json: bool,
    /// Cancelled by Ctrl-C, or another signal that asks the process to end.
    pub cancel: CancelToken,
    /// Wakes whoever waits at `woken`; so does Ctrl-C.
    pub waker: SyncSender<()>,
    /// Where a command waits that has nothing to do.
    pub woken: Receiver<()>,
    /// The models in their roles.
    pub roles: Arc<Roles>,
}

impl Session {
    pub(crate) fn new(arguments: &Arguments) -> anyhow::Result<Self> {
        let cancel = CancelToken::new();
        let (waker, woken) = sync_channel(1);
        let (on_signal, wake) = (cancel.clone(), waker.clone());
        catch_signals(move || {
            // A second Ctrl-C does not wait: everything committed is safe.
            if on_signal.is_cancelled() {
                std::process::exit(130);
            }
            on_signal.cancel();
            wake_up(&wake);
        })
        .context("Ctrl-C cannot be caught")?;
        let library = match &arguments.library {
            Some(library) => library.clone(),
            None => default_library()
                .context("the user's data folder is unknown; name a library with --library DIR")?,
        };
        let roles = Arc::new(open_roles(Choice::default(), ThreadBegin::default())?);
        Ok(Self { library, json: arguments.json, cancel, waker, woken, roles })
    }

    /// Names the other computer that receives questions and passages, if the generator that serves is there.
    pub(crate) fn name_receiver(&self) {
        if let Some(host) = self.roles.sends_to() {
            eprintln!("oriel: {host} receives the questions and the passages that answers are written from");
        }
    }

    /// Opens the library, making it where it is missing.
    pub(crate) fn open(&self) -> Result<Library, EngineError> {
        let library = open_library(&self.library)?;
        if let Some(index) = library.reads_from()?.filter(|index| !index.is_local) {
            NAMED.call_once(|| eprintln!("oriel: {} receives the words of what is asked", index.host));
        }
        Ok(library)
    }

    /// Whether a good part of the library, where there is one, is not in English.
    pub(crate) fn is_foreign(&self) -> bool {
        let share = || self.open().ok()?.foreign_share().ok()?;
        Library::is_in(&self.library) && share().is_some()
    }

    /// The library as another program may see it.
    pub(crate) fn program_access(&self, arguments: &AccessArguments) -> anyhow::Result<ProgramAccess> {
        let library = if Library::is_in(&self.library) { Some(self.open()?) } else { None };
        let meant =
            |path: &PathBuf| library.as_ref().map_or_else(|| absolute(path), |library| library.path_of(path));
        let without: Vec<PathBuf> = arguments.without.iter().map(meant).collect();
        // A misspelt folder would not be hidden.
        let is_here = match &library {
            Some(library) => library.reads_from()?.is_none(),
            None => false,
        };
        if let Some(path) = without.iter().find(|path| is_here && !path.exists()) {
            anyhow::bail!("{}: it does not exist, so it cannot be hidden; check --without", path.display());
        }
        let choice = Choice { generator: arguments.model.clone(), ..Choice::default() };
        self.roles.choose(choice.clone());
        self.name_receiver();
        Ok(ProgramAccess::new(self.library.clone(), choice, without))
    }

    /// The library's folder as it was asked for.
    pub(crate) fn library_path(&self) -> &Path {
        &self.library
    }
}

/// Calls `on_signal` at each Ctrl-C, at SIGTERM, and where the terminal closes, unless `nohup` had that ignored.
fn catch_signals(on_signal: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    #[cfg(unix)]
    let ignore_hangup = || {
        // SAFETY: to ignore a signal installs no handler.
        #[expect(unsafe_code, reason = "ctrlc catches this signal too, and cannot leave it out")]
        unsafe {
            libc::signal(libc::SIGHUP, libc::SIG_IGN)
        }
    };
    #[cfg(unix)]
    let before = ignore_hangup();
    ctrlc::set_handler(on_signal)?;
    #[cfg(unix)]
    if before == libc::SIG_IGN {
        ignore_hangup();
    }
    Ok(())
}

/// Wakes whoever waits. One who has not noticed the last time needs no second.
pub(crate) fn wake_up(waker: &SyncSender<()>) {
    match waker.try_send(()) {
        Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
    }
}
