//! The state that all commands share: the library, the models, cancellation.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Once};

use anyhow::Context as _;
use oriel_api::{ProgramAccess, open_library, open_roles};
use oriel_core::CancelToken;
use oriel_engine::{EngineError, Library, absolute, default_library};
use oriel_models::{Choice, Roles, ThreadBegin};

use crate::arguments::{AccessArguments, Arguments};

/// Whether the computer with the index was already named to the user.
static NAMED: Once = Once::new();

/// One run of the command.
pub(crate) struct Session {
    library: PathBuf,
    /// Whether results are JSON.
    pub json: bool,
    /// Cancelled by Ctrl-C, or another signal that asks the process to end.
    pub cancel: CancelToken,
    /// Wakes the thread that waits at `woken`; so does Ctrl-C.
    pub waker: SyncSender<()>,
    /// Where a command waits that has nothing to do.
    pub woken: Receiver<()>,
    pub roles: Arc<Roles>,
}

impl Session {
    pub(crate) fn new(arguments: &Arguments) -> anyhow::Result<Self> {
        let cancel = CancelToken::new();
        let (waker, woken) = sync_channel(1);
        let (on_signal, wake) = (cancel.clone(), waker.clone());
        catch_signals(move || {
            // A second Ctrl-C ends the process at once: everything committed is safe.
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

    /// Names the other computer that receives questions and passages, if the serving generator is on one.
    pub(crate) fn name_receiver(&self) {
        if let Some(host) = self.roles.sends_to() {
            eprintln!("oriel: {host} receives the questions and the passages that answers are written from");
        }
    }

    /// Opens the library, and creates it if it is missing.
    pub(crate) fn open(&self) -> Result<Library, EngineError> {
        let library = open_library(&self.library)?;
        if let Some(index) = library.reads_from()?.filter(|index| !index.is_local) {
            NAMED.call_once(|| eprintln!("oriel: {} receives the words of your questions", index.host));
        }
        Ok(library)
    }

    /// Whether much of the library is not in English; false without a library.
    pub(crate) fn is_foreign(&self) -> bool {
        let share = || self.open().ok()?.foreign_share().ok()?;
        Library::is_in(&self.library) && share().is_some()
    }

    /// The part of the library that another program may see.
    pub(crate) fn program_access(&self, arguments: &AccessArguments) -> anyhow::Result<ProgramAccess> {
        let library = if Library::is_in(&self.library) { Some(self.open()?) } else { None };
        let meant =
            |path: &PathBuf| library.as_ref().map_or_else(|| absolute(path), |library| library.path_of(path));
        let without: Vec<PathBuf> = arguments.without.iter().map(meant).collect();
        // Checks the paths to hide: a misspelt folder would not be hidden.
        let is_here = match &library {
            Some(library) => !library.is_remote(),
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

    /// The library's folder as given.
    pub(crate) fn library_path(&self) -> &Path {
        &self.library
    }
}

/// Calls `on_signal` at each Ctrl-C and SIGTERM, and when the terminal closes, unless `nohup` made the process ignore
/// that.
fn catch_signals(on_signal: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    #[cfg(unix)]
    let ignore_hangup = || {
        // SAFETY: ignoring a signal installs no handler.
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

/// Wakes the waiting thread; a pending wake-up is not repeated.
pub(crate) fn wake_up(waker: &SyncSender<()>) {
    match waker.try_send(()) {
        Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
    }
}
