//! The running app.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use oriel_api::{AppError, IndexerListener, Serving, lock};
use oriel_core::Notice;
use oriel_core::notice::shown;
use oriel_engine::{ConversationRow, Library, default_library};
use tauri::AppHandle;

use crate::api::{ErrorKind, IpcError, Settings};
use crate::state::downloads::Downloads;
use crate::state::jobs::Jobs;
use crate::state::session::{Carryover, LibrarySession};
use crate::state::shown_pages::ShownPages;
use crate::state::slot::{Lease, Slot};

/// How long the end of Oriel, or of its page, waits until what was written of an answer is kept.
pub(crate) const SAVE_TIMEOUT: Duration = Duration::from_secs(2);

/// The running app.
pub(crate) struct App {
    handle: AppHandle,
    /// Hears from the indexing thread of each session.
    listener: Arc<dyn IndexerListener>,
    /// The open library.
    pub slot: Slot<LibrarySession>,
    /// Why the library is not open.
    trouble: Mutex<Trouble>,
    /// The settings to use while the library is closed.
    last_settings: Mutex<Option<Settings>>,
    /// Jobs that run.
    pub jobs: Jobs,
    /// Downloads of models.
    pub downloads: Downloads,
    /// Ids of the models whose speed was measured, or could not be, since the app started.
    pub measured: Mutex<HashSet<String>>,
    /// What answers at the local address.
    pub local_address: Mutex<LocalServer>,
    /// The attachment whose pages are shown.
    pub shown_pages: ShownPages,
    /// Whether the library is being reopened because it refused everything.
    pub reopening: AtomicBool,
    /// When that was last tried.
    pub reopened: Mutex<Option<Instant>>,
    /// The backup that was chosen and waits for a decision.
    pub chosen_backup: Mutex<Option<PathBuf>>,
    /// The list of conversations that the UI was last sent.
    pub last_sent: Mutex<Vec<ConversationRow>>,
    /// What was dropped and waits for a decision, by number.
    pub drops: Mutex<HashMap<u32, Vec<PathBuf>>>,
    /// When the last question was asked.
    asked: Mutex<Instant>,
}

/// What answers programs on this computer.
#[derive(Default)]
pub(crate) enum LocalServer {
    /// Nothing: it is switched off.
    #[default]
    Off,
    /// A process.
    On(Serving),
    /// Nothing, although it is switched on.
    Failed(Notice),
}

/// Why the library is not open.
#[derive(Default)]
struct Trouble {
    /// What the user is told; `None` before the library was opened.
    notice: Option<Notice>,
    /// The data file is broken, so that it can only be set aside.
    is_beyond_repair: bool,
    /// The library was closed on purpose, for a while.
    is_closed_on_purpose: bool,
}

impl App {
    /// Opens the library. If that fails, the UI shows why.
    pub(crate) fn new(handle: AppHandle, listener: Arc<dyn IndexerListener>) -> Arc<Self> {
        let app = Self {
            handle,
            listener,
            slot: Slot::empty(),
            trouble: Mutex::default(),
            last_settings: Mutex::default(),
            jobs: Jobs::default(),
            downloads: Downloads::default(),
            measured: Mutex::default(),
            local_address: Mutex::default(),
            shown_pages: ShownPages::default(),
            reopening: AtomicBool::new(false),
            reopened: Mutex::default(),
            chosen_backup: Mutex::default(),
            last_sent: Mutex::default(),
            drops: Mutex::default(),
            asked: Mutex::new(Instant::now()),
        };
        app.open();
        Arc::new(app)
    }

    /// Opens the library unless it is open or closed on purpose.
    pub(crate) fn open(&self) {
        self.open_with(|listener| LibrarySession::open(&library_path()?, listener, None));
    }

    /// Opens the library again after a failure, but makes none where it is missing.
    pub(crate) fn reopen(&self, carryover: Option<Carryover>) {
        self.open_with(|listener| {
            let path = library_path()?;
            if !Library::is_in(&path) {
                return Err(Notice::LibraryNotThere { path: shown(&path) }.into());
            }
            let session = LibrarySession::open(&path, listener, carryover)?;
            // It was written until now: what forbids that may pass.
            session.library.writable()?;
            Ok(session)
        });
    }

    fn open_with(&self, open: impl FnOnce(Arc<dyn IndexerListener>) -> Result<LibrarySession, AppError>) {
        let mut trouble = lock(&self.trouble);
        if trouble.is_closed_on_purpose || self.slot.lease().is_some() {
            return;
        }
        match open(Arc::clone(&self.listener)) {
            Ok(session) => self.slot.put(session),
            Err(error) => {
                trouble.is_beyond_repair =
                    matches!(&error, AppError::Engine(error) if error.is_beyond_repair());
                tracing::warn!("{error}");
                trouble.notice = Some(IpcError::from(error).notice);
            }
        }
    }

    /// Puts back a library that was taken out of the slot, with a new session.
    pub(crate) fn put_back(&self, library: Arc<Library>) -> Result<(), AppError> {
        self.slot.put(LibrarySession::with_library(library, Arc::clone(&self.listener), None)?);
        Ok(())
    }

    /// The open library. It stays open until the result is dropped.
    pub(crate) fn session(&self) -> Result<Lease<'_, LibrarySession>, IpcError> {
        self.slot.lease().ok_or_else(|| {
            let trouble = lock(&self.trouble);
            let closed = trouble.notice.clone().filter(|_| !trouble.is_closed_on_purpose);
            let notice = closed.unwrap_or(Notice::LibraryClosed);
            IpcError { kind: ErrorKind::Closed, notice }
        })
    }

    /// Whether the library could not be opened because its data file is broken.
    pub(crate) fn is_beyond_repair(&self) -> bool {
        lock(&self.trouble).is_beyond_repair && self.slot.lease().is_none()
    }

    /// Sets whether the library is closed on purpose.
    pub(crate) fn set_closed_on_purpose(&self, is_closed: bool) {
        if is_closed {
            let settings = self.settings();
            *lock(&self.last_settings) = Some(settings);
        }
        lock(&self.trouble).is_closed_on_purpose = is_closed;
    }

    /// Tauri's handle on the app.
    pub(crate) fn handle(&self) -> &AppHandle {
        &self.handle
    }

    /// The settings; the defaults if there is no library to keep them.
    pub(crate) fn settings(&self) -> Settings {
        match self.slot.lease() {
            Some(session) => session.settings.get(),
            None => lock(&self.last_settings).clone().unwrap_or_default(),
        }
    }

    /// Changes some of the settings.
    pub(crate) fn change_settings(&self, change: impl FnOnce(&mut Settings)) -> Result<(), IpcError> {
        self.session()?.settings.change(change)?;
        Ok(())
    }

    /// Begins the work in the background: folders are scanned, models loaded. Returns whether it begins now: only once for
    /// each session, and only if there is one.
    pub(crate) fn begin(self: &Arc<Self>) -> bool {
        if !self.slot.lease().is_some_and(|session| session.indexer.begin()) {
            return false;
        }
        let app = Arc::clone(self);
        std::thread::spawn(move || app.load_models());
        true
    }

    /// Begins the work in the background some time after a failure, which is shown until then.
    pub(crate) fn begin_after_failure(&self, notice: &Notice) {
        if let Some(session) = self.slot.lease() {
            session.indexer.rescan_after_failure(notice);
        }
    }

    /// Ends everything in order: what was written of an answer is kept, workers stop, what is committed stays.
    pub(crate) fn end(&self) {
        *lock(&self.local_address) = LocalServer::Off;
        self.jobs.close();
        if let Some(session) = self.slot.lease() {
            session.assistant.answers.stop_all();
            session.indexer.end();
            session.assistant.answers.wait(SAVE_TIMEOUT);
            session.roles.release_generator();
        }
        // Cancelled jobs delete what they have made so far, if they end in time.
        self.jobs.wait(SAVE_TIMEOUT);
    }

    /// Notes that a question was asked, so that the generator stays loaded.
    pub(crate) fn note_question(&self) {
        *lock(&self.asked) = Instant::now();
    }

    /// Loads what the first search needs.
    fn load_models(&self) {
        // Loading takes seconds, in which the library may be closed.
        let Some(roles) = self.slot.lease().map(|session| Arc::clone(&session.roles)) else { return };
        for loaded in [roles.embedder().map(drop), roles.reranker().map(drop)] {
            if let Err(error) = loaded {
                tracing::warn!("{error}");
            }
        }
    }

    /// Unloads the generator after a while without a question.
    pub(crate) fn release_if_idle(&self) {
        let Some(session) = self.slot.lease() else { return };
        let minutes = session.settings.get().free_after;
        let idle = lock(&self.asked).elapsed();
        if !session.assistant.answers.is_any()
            && minutes.is_some_and(|minutes| idle > Duration::from_secs(60 * u64::from(minutes)))
        {
            session.roles.release_generator();
        }
    }
}

/// The library's folder.
pub(crate) fn library_path() -> Result<PathBuf, AppError> {
    match std::env::var_os("ORIEL_LIBRARY").filter(|value| !value.is_empty()) {
        Some(path) => Ok(PathBuf::from(path)),
        None => default_library().ok_or_else(|| Notice::NoDataFolder.into()),
    }
}
