//! What the app holds while it runs: the library, the models, the settings, the work that is going on.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, ModelError, Reranker, WorkerCommand};
use oriel_engine::{CachedReranker, Conversations, EngineError, ExtractorLimits, Library, default_library};
use oriel_models::{Backend, Choice, ModelDirs, Models, Roles, ThreadBegin, backend};
use tauri::{AppHandle, Emitter as _};

use crate::answering::Answering;
use crate::downloads::{self, Downloads};
use crate::folders::Counted;
use crate::held::{Held, Lease};
use crate::indexing::Indexing;
use crate::ipc::{ConversationRow, EngineLine, ErrorCode, IpcError, Settings};
use crate::job::Jobs;
use crate::preferences::Preferences;
use crate::priority;

/// How long the end of Oriel, or of its page, waits for what was written of an answer to be kept.
pub(crate) const WRITTEN: Duration = Duration::from_secs(2);

/// The running app.
pub(crate) struct App {
    handle: AppHandle,
    pub(crate) held: Held<Opened>,
    /// Why the library is not open.
    trouble: Mutex<Trouble>,
    /// How the person wants the app while no library is open to say so.
    known: Mutex<Option<Settings>>,
    /// The long work that is going on.
    pub jobs: Jobs,
    /// The downloads of models.
    pub downloads: Downloads,
    /// Ids of the models whose speed was measured, or could not be, since the app started.
    pub measured: Mutex<HashSet<String>>,
    /// Whether the library is being opened anew because it refused everything.
    pub reopening: AtomicBool,
    /// When that was last tried.
    pub reopened: Mutex<Option<Instant>>,
    /// The backup that was chosen and waits for a decision.
    pub backup: Mutex<Option<PathBuf>>,
    /// The list of conversations as the window was told it.
    pub told: Mutex<Vec<ConversationRow>>,
    /// What was dropped and waits for a decision, by number.
    pub drops: Mutex<HashMap<u32, Vec<PathBuf>>>,
    /// Whether the work in the background has begun.
    begun: AtomicBool,
    /// When something was last asked.
    asked: Mutex<Instant>,
}

/// Why the library is not open.
#[derive(Default)]
struct Trouble {
    /// What the person is told.
    message: String,
    /// Whether the data file is broken, so that it can only be set aside.
    is_beyond_repair: bool,
    /// It was closed for a while, on purpose.
    is_away: bool,
}

/// What there is only where the library could be opened.
pub(crate) struct Opened {
    /// The library.
    pub library: Arc<Library>,
    /// Kept conversations.
    pub conversations: Conversations,
    /// How the person wants the app.
    pub preferences: Arc<Preferences>,
    /// The models in their roles.
    pub roles: Arc<Roles>,
    /// The thread that keeps the library up to date.
    pub indexing: Indexing,
    /// Questions being answered, by conversation.
    pub answering: Answering,
    /// The reranker with what it said before, so that the window's slider asks it little; with the model behind it.
    remembering: Mutex<Option<Remembered>>,
    /// The list of mentions that is being made.
    pub listing: Mutex<CancelToken>,
    /// Held while the window is told how the library is.
    pub telling: Mutex<()>,
    /// The counts as the window was told them last.
    pub counted: Mutex<Option<Counted>>,
}

/// What a library that is opened anew after a trouble goes on with: nothing of it is read from the disk once more.
#[derive(Clone)]
pub(crate) struct Kept {
    preferences: Arc<Preferences>,
    roles: Arc<Roles>,
    is_paused: bool,
}

impl App {
    /// Opens the library; where that fails the window says why.
    pub(crate) fn new(handle: AppHandle) -> Arc<Self> {
        let app = Self {
            handle,
            held: Held::empty(),
            trouble: Mutex::default(),
            known: Mutex::default(),
            reopening: AtomicBool::new(false),
            jobs: Jobs::default(),
            downloads: Downloads::default(),
            measured: Mutex::default(),
            reopened: Mutex::default(),
            backup: Mutex::default(),
            told: Mutex::default(),
            drops: Mutex::default(),
            begun: AtomicBool::new(false),
            asked: Mutex::new(Instant::now()),
        };
        app.open();
        Arc::new(app)
    }

    /// Opens the library where it is not open yet, and not closed on purpose.
    pub(crate) fn open(&self) {
        self.open_by(|| open(&self.handle, None));
    }

    /// Opens the library anew, where it is there, and goes on with what was kept of the old one.
    pub(crate) fn open_again(&self, kept: Option<Kept>) {
        self.open_by(|| {
            let path = library_path()?;
            anyhow::ensure!(
                Library::is_in(&path),
                "the library {} is not there; bring it back, and it is opened by itself",
                path.display()
            );
            open(&self.handle, kept)
        });
    }

    fn open_by(&self, open: impl FnOnce() -> anyhow::Result<Opened>) {
        let mut trouble = lock(&self.trouble);
        if trouble.is_away || self.held.lease().is_some() {
            return;
        }
        match open() {
            Ok(opened) => self.held.put(opened),
            Err(error) => {
                let of_engine = error.downcast_ref::<EngineError>();
                trouble.is_beyond_repair = of_engine.is_some_and(EngineError::is_beyond_repair);
                trouble.message = format!("{error:#}");
                tracing::warn!("{}", trouble.message);
            }
        }
    }

    /// What there is where the library could be opened. It stays open for as long as the result is there.
    pub(crate) fn opened(&self) -> Result<Lease<'_, Opened>, IpcError> {
        let trouble = || {
            let trouble = lock(&self.trouble);
            let message = if trouble.is_away {
                "the library is being compacted, restored, repaired or opened anew; wait until that is done"
                    .into()
            } else {
                trouble.message.clone()
            };
            IpcError { code: ErrorCode::NoLibrary, message }
        };
        self.held.lease().ok_or_else(trouble)
    }

    /// Whether the library could not be opened because its data file is broken.
    pub(crate) fn is_beyond_repair(&self) -> bool {
        lock(&self.trouble).is_beyond_repair && self.held.lease().is_none()
    }

    /// Notes that the library is closed on purpose, or not any more.
    pub(crate) fn set_away(&self, is_away: bool) {
        if is_away {
            let settings = self.settings();
            *lock(&self.known) = Some(settings);
        }
        lock(&self.trouble).is_away = is_away;
    }

    /// Tauri's handle on the app.
    pub(crate) fn handle(&self) -> &AppHandle {
        &self.handle
    }

    /// How the person wants the app; the defaults where there is no library to keep them.
    pub(crate) fn settings(&self) -> Settings {
        match self.held.lease() {
            Some(opened) => opened.preferences.get(),
            None => lock(&self.known).clone().unwrap_or_default(),
        }
    }

    /// The library was opened anew: the work in the background begins once more; some time after a `trouble`, which is
    /// told until then.
    pub(crate) fn begin_again(self: &Arc<Self>, trouble: Option<&str>) {
        if let (Some(message), Some(opened)) = (trouble, self.held.lease()) {
            self.begun.store(true, Ordering::Release);
            opened.indexing.begin_later(message);
        } else {
            self.begun.store(false, Ordering::Release);
            self.begin();
        }
    }

    /// Begins the work in the background once the window has what it needs to draw itself: models are loaded, folders
    /// looked through.
    pub(crate) fn begin(self: &Arc<Self>) {
        let Some(opened) = self.held.lease() else { return };
        if self.begun.swap(true, Ordering::AcqRel) {
            return;
        }
        opened.indexing.rescan();
        downloads::resume(self);
        let app = Arc::clone(self);
        std::thread::spawn(move || app.warm());
    }

    /// Ends everything in order: what was written of an answer is kept, workers stop, what is committed stays.
    pub(crate) fn end(&self) {
        self.jobs.close();
        if let Some(opened) = self.held.lease() {
            opened.answering.stop_all();
            opened.indexing.end();
            opened.answering.wait(WRITTEN);
            opened.roles.release_generator();
        }
        // What they had made so far is deleted, where they end in time.
        self.jobs.wait(WRITTEN);
    }

    /// Notes that something was asked, so that the generator is kept.
    pub(crate) fn note_question(&self) {
        *lock(&self.asked) = Instant::now();
    }

    /// Loads what the first search needs before it is asked for.
    fn warm(&self) {
        // Loading takes seconds, in which the library may be closed.
        let Some(roles) = self.held.lease().map(|opened| Arc::clone(&opened.roles)) else { return };
        for loaded in [roles.embedder().map(drop), roles.reranker().map(drop)] {
            if let Err(error) = loaded {
                tracing::warn!("{error}");
            }
        }
    }

    /// Frees the generator's memory after a while without a question.
    pub(crate) fn release_if_idle(&self) {
        let Some(opened) = self.held.lease() else { return };
        let minutes = opened.preferences.get().free_after;
        let idle = lock(&self.asked).elapsed();
        if !opened.answering.is_any()
            && minutes.is_some_and(|minutes| idle > Duration::from_secs(60 * u64::from(minutes)))
        {
            opened.roles.release_generator();
        }
    }

    /// The models in use, as the status line names them.
    pub(crate) fn engine_line(&self) -> EngineLine {
        let backend = backend();
        let threads = self.settings().threads.map_or(backend.threads, |threads| threads as usize);
        let device = card(&backend).filter(|_| !self.settings().cpu).unwrap_or("CPU");
        let serving = self.held.lease().map(|opened| opened.roles.serving(oriel_models::Role::Generator));
        let generator = serving.and_then(Result::ok).flatten().map(|model| model.entry);
        EngineLine {
            generator_name: generator.as_ref().map(|entry| entry.display_name().to_owned()),
            generator: generator.map(|entry| entry.id),
            device: device.into(),
            threads: u32::try_from(threads).unwrap_or(1),
        }
    }

    /// Sends an event to the window. A window that is closing hears nothing; that is no error.
    pub(crate) fn send<T: serde::Serialize + Clone>(&self, event: &str, payload: T) {
        if let Err(error) = self.handle.emit(event, payload) {
            tracing::debug!(%error, event, "the window did not hear");
        }
    }
}

/// The library's folder.
pub(crate) fn library_path() -> anyhow::Result<PathBuf> {
    match std::env::var_os("ORIEL_LIBRARY").filter(|value| !value.is_empty()) {
        Some(path) => Ok(PathBuf::from(path)),
        None => default_library()
            .ok_or_else(|| anyhow::anyhow!("the user's data folder is unknown; set HOME or ORIEL_LIBRARY")),
    }
}

fn open(handle: &AppHandle, kept: Option<Kept>) -> anyhow::Result<Opened> {
    let path = library_path()?;
    let library = Library::open(&path, WorkerCommand::this_program("extract")?, ExtractorLimits::default())?;
    opened(handle, Arc::new(library), &path, kept)
}

/// Everything around an open library; with what was kept of the one before.
pub(crate) fn opened(
    handle: &AppHandle,
    library: Arc<Library>,
    path: &Path,
    kept: Option<Kept>,
) -> anyhow::Result<Opened> {
    let conversations = Conversations::open(&path.join("conversations"))?;
    let Kept { preferences, roles, is_paused } = match kept {
        Some(kept) => kept,
        None => {
            let preferences = Arc::new(Preferences::open(path));
            let settings = preferences.get();
            let models = Models::new(ModelDirs::platform()?);
            let begin = ThreadBegin { asked: Some(priority::asked), indexing: Some(priority::background) };
            let roles = Roles::new(models, WorkerCommand::this_program("generate")?, choice(&settings))
                .beginning(begin);
            Kept { preferences, roles: Arc::new(roles), is_paused: settings.paused }
        }
    };
    let indexing = Indexing::begin(handle.clone(), Arc::clone(&library), Arc::clone(&roles), is_paused);
    Ok(Opened {
        library,
        conversations,
        preferences,
        roles,
        indexing,
        answering: Answering::default(),
        remembering: Mutex::default(),
        listing: Mutex::default(),
        telling: Mutex::default(),
        counted: Mutex::default(),
    })
}

/// A reranker, and what remembers in front of it.
type Remembered = (Arc<dyn Reranker>, Arc<dyn Reranker>);

impl Opened {
    /// Whether the library refuses everything until it is opened anew: a disk failed while a commit was ended.
    pub(crate) fn refuses(&self) -> bool {
        refuses(&self.library)
    }

    /// What the library goes on with when it is opened anew.
    pub(crate) fn kept(&self) -> Kept {
        let (preferences, roles) = (Arc::clone(&self.preferences), Arc::clone(&self.roles));
        Kept { preferences, roles, is_paused: self.indexing.is_paused() }
    }

    /// The reranker; it remembers what it was asked before.
    pub(crate) fn reranker(&self) -> Result<Option<Arc<dyn Reranker>>, ModelError> {
        let reranker = self.roles.reranker()?;
        let mut held = lock(&self.remembering);
        let Some(reranker) = reranker else {
            *held = None;
            return Ok(None);
        };
        if let Some((_, kept)) = held.as_ref().filter(|(of, _)| Arc::ptr_eq(of, &reranker)) {
            return Ok(Some(Arc::clone(kept)));
        }
        let kept: Arc<dyn Reranker> = Arc::new(CachedReranker::new(Arc::clone(&reranker)));
        *held = Some((reranker, Arc::clone(&kept)));
        Ok(Some(kept))
    }

    /// Forgets what the reranker said, and with it the reranker.
    pub(crate) fn forget_reranker(&self) {
        *lock(&self.remembering) = None;
    }
}

/// See [`Opened::refuses`].
pub(crate) fn refuses(library: &Library) -> bool {
    library.embedder_fingerprint().is_err_and(|error| error.wants_reopening())
}

/// The kind of graphics card that models can run on.
pub(crate) fn card(backend: &Backend) -> Option<&'static str> {
    match backend.device.as_str() {
        "cuda" => Some("CUDA"),
        "metal" => Some("Metal"),
        _ => None,
    }
}

/// The models that the settings name.
pub(crate) fn choice(settings: &Settings) -> Choice {
    Choice {
        embedder: settings.embedder.clone(),
        reranker: settings.reranker.clone(),
        generator: settings.generator.clone(),
        threads: settings.threads.map(|threads| threads as usize),
        cpu: settings.cpu,
    }
}

/// A lock whose holder never leaves anything half done: a panic elsewhere does not spread.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
