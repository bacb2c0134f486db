//! An open library and everything that depends on it.

use std::path::Path;
use std::sync::{Arc, Mutex};

use oriel_api::{
    Answers, AppError, Assistant, Indexer, IndexerListener, IndexerOptions, Reach, Searcher, open_library,
    open_roles,
};
use oriel_engine::{Conversations, Library};
use oriel_eval::Review;
use oriel_models::{Roles, ThreadBegin};

use crate::background::priority;
use crate::state::counts::Counts;
use crate::state::jobs::Latest;
use crate::state::settings::SettingsFile;

/// An open library with its settings, models and work in progress.
pub(crate) struct LibrarySession {
    pub library: Arc<Library>,
    /// Asks the library and keeps conversations.
    pub assistant: Assistant,
    pub settings: Arc<SettingsFile>,
    /// The models in their roles.
    pub roles: Arc<Roles>,
    /// The thread that keeps the library up to date.
    pub indexer: Indexer,
    /// The counts that the UI was last sent.
    pub counts: Counts,
    /// Mentions, suggestion, table and draft in progress.
    pub latest: Latest,
    /// Held while a table is filled.
    pub filling: Mutex<()>,
    /// The questions that the library is measured with.
    pub review: Review,
    /// Held while the UI is sent the library's state, so that states arrive in order.
    pub publishing: Mutex<()>,
}

/// What a library that is reopened after a failure takes over from the session before, without reading it again.
#[derive(Clone)]
pub(crate) struct Carryover {
    settings: Arc<SettingsFile>,
    roles: Arc<Roles>,
    is_paused: bool,
}

impl LibrarySession {
    /// Opens the library in this folder.
    pub(crate) fn open(
        path: &Path,
        listener: Arc<dyn IndexerListener>,
        carryover: Option<Carryover>,
    ) -> Result<Self, AppError> {
        Self::with_library(Arc::new(open_library(path)?), listener, carryover)
    }

    /// Starts a session with an open library.
    pub(crate) fn with_library(
        library: Arc<Library>,
        listener: Arc<dyn IndexerListener>,
        carryover: Option<Carryover>,
    ) -> Result<Self, AppError> {
        let own = library.personal_folder();
        let conversations = Conversations::open(&own.join("conversations"))?;
        let Carryover { settings, roles, is_paused } = match carryover {
            Some(carryover) => carryover,
            None => Carryover::read(&own)?,
        };
        let saves_power = settings.get().save_power;
        let options = IndexerOptions { paused: is_paused, saves_power, ..IndexerOptions::default() };
        let indexer = Indexer::start(listener, Arc::clone(&library), Arc::clone(&roles), options);
        let review = Review::of(&library);
        let searcher = Searcher::new(Arc::clone(&library), Arc::clone(&roles));
        Ok(Self {
            library,
            assistant: Assistant { searcher, conversations, answers: Answers::default() },
            settings,
            roles,
            indexer,
            counts: Counts::default(),
            latest: Latest::default(),
            filling: Mutex::default(),
            review,
            publishing: Mutex::default(),
        })
    }

    /// How far a question reaches, as it is set now.
    pub(crate) fn reach(&self) -> Reach {
        let settings = self.settings.get();
        Reach { passages: settings.passages as usize, candidates: settings.candidates as usize }
    }

    /// What the library takes over when it is reopened.
    pub(crate) fn carryover(&self) -> Carryover {
        Carryover {
            settings: Arc::clone(&self.settings),
            roles: Arc::clone(&self.roles),
            is_paused: self.indexer.is_paused(),
        }
    }
}

impl Carryover {
    /// Reads the settings in a folder and prepares the models that they choose.
    fn read(folder: &Path) -> Result<Self, AppError> {
        let file = SettingsFile::open(folder);
        let settings = file.get();
        let begin = ThreadBegin {
            asked: Some(priority::set_interactive),
            indexing: Some(priority::set_background),
            generator: Some(priority::INTERACTIVE_NICENESS),
        };
        let roles = open_roles(settings.model_choice(), begin)?;
        Ok(Self { settings: Arc::new(file), roles: Arc::new(roles), is_paused: settings.paused })
    }
}
