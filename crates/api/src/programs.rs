//! What other programs may see of a library: what the user hides from them, and how they reach the rest.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use oriel_core::Notice;
use oriel_engine::{Filter, Library, PROGRAMS_FILE, personal_folder, replace_file};
use oriel_models::{Choice, ThreadBegin};
use serde::{Deserialize, Serialize};

use crate::error::AppError;
use crate::lock::lock;
use crate::maintenance::open_library;
use crate::models::open_roles;
use crate::request_log::RequestLog;
use crate::search::Searcher;

/// The file that says what a library hides from other programs.
pub struct HiddenPaths(PathBuf);

#[derive(Default, Serialize, Deserialize)]
struct Settings {
    /// Absolute paths of folders and files.
    hidden: Vec<PathBuf>,
}

impl HiddenPaths {
    /// The file of the library in this folder.
    pub fn of(library: &Path) -> Self {
        Self(library.join(PROGRAMS_FILE))
    }

    /// The hidden folders and files; none if nothing was ever hidden. An error if the file holds something else: what is hidden is
    /// unknown then, and nothing may be shown.
    pub fn read(&self) -> Result<Vec<PathBuf>, AppError> {
        let bytes = match std::fs::read(&self.0) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(AppError::cannot_be_read(&self.0, &error)),
        };
        let settings: Settings = serde_json::from_slice(&bytes).map_err(|error| {
            let why = Notice::CannotBeRead { cause: Notice::text(error).into() };
            AppError::File { path: self.0.clone(), why }
        })?;
        Ok(settings.hidden)
    }

    /// Replaces the hidden folders and files.
    pub fn replace(&self, hidden: Vec<PathBuf>) -> Result<(), AppError> {
        let written = serde_json::to_vec_pretty(&Settings { hidden })
            .map_err(std::io::Error::from)
            .and_then(|json| replace_file(&self.0, &json));
        written.map_err(|error| AppError::cannot_be_written(&self.0, &error))
    }
}

/// What other programs may see of the library in this folder now.
pub fn visible_to_programs(library: &Path) -> Result<Filter, AppError> {
    let mut without = HiddenPaths::of(library).read()?;
    let personal = personal_folder(library);
    if personal != library {
        without.extend(HiddenPaths::of(&personal).read()?);
    }
    Ok(Filter { without, ..Filter::default() })
}

/// A library as another program reaches it. It is opened with the first request and closed when nobody asks, so that an
/// idle program holds neither memory nor the library.
pub struct ProgramAccess {
    library: PathBuf,
    /// The folder with what the user keeps beside the index.
    personal: PathBuf,
    choice: Choice,
    /// Hidden from this program alone.
    without: Vec<PathBuf>,
    open: Mutex<Option<OpenLibrary>>,
}

struct OpenLibrary {
    searcher: Arc<Searcher>,
    asked: Instant,
}

impl ProgramAccess {
    /// After this time without a request the library should be closed.
    pub const IDLE: Duration = Duration::from_secs(5 * 60);
    /// How often to check for that.
    pub const IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(30);

    /// The library in the folder `library`, which is not opened yet. `without` is hidden beside what the library hides.
    pub fn new(library: PathBuf, choice: Choice, without: Vec<PathBuf>) -> Self {
        let personal = personal_folder(&library);
        Self { library, personal, choice, without, open: Mutex::default() }
    }

    /// The log of what was asked.
    pub fn log(&self) -> RequestLog {
        RequestLog::of(&self.personal)
    }

    /// The library's folder.
    pub fn library(&self) -> &Path {
        &self.library
    }

    /// The open library. Drop it when the request is answered.
    pub fn open(&self) -> Result<Arc<Searcher>, AppError> {
        let mut open = lock(&self.open);
        // A process may open a library only once, so one that is in use stays.
        if open.as_ref().is_some_and(|one| is_unused(one) && one.searcher.library().wants_reopening()) {
            *open = None;
        }
        let searcher = match open.take() {
            Some(one) => one.searcher,
            None => {
                // Old requests go even if nobody looks at the list.
                if let Err(error) = self.log().read() {
                    tracing::warn!(%error, "what other programs asked is kept longer than thirty days");
                }
                let roles = open_roles(self.choice.clone(), ThreadBegin::default())?;
                Arc::new(Searcher::new(Arc::new(open_library(&self.library)?), Arc::new(roles)))
            }
        };
        *open = Some(OpenLibrary { searcher: Arc::clone(&searcher), asked: Instant::now() });
        Ok(searcher)
    }

    /// Closes the library and releases its models if there was no request for `idle`.
    pub fn close_idle(&self, idle: Duration) {
        lock(&self.open).take_if(|one| is_unused(one) && one.asked.elapsed() >= idle);
    }

    /// What this program may see now.
    pub fn filter(&self) -> Result<Filter, AppError> {
        let mut visible = visible_to_programs(&self.library)?;
        visible.without.extend(self.without.iter().cloned());
        Ok(visible)
    }

    /// Whether there is a library at all. Opening creates one.
    pub fn is_there(&self) -> bool {
        Library::is_in(&self.library)
    }
}

fn is_unused(open: &OpenLibrary) -> bool {
    Arc::strong_count(&open.searcher) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_kept_and_a_broken_list_shows_nothing() {
        let place = tempfile::tempdir().unwrap();
        let hidden = HiddenPaths::of(place.path());
        assert_eq!(hidden.read().unwrap(), Vec::<PathBuf>::new());
        hidden.replace(vec!["/documents/tax".into()]).unwrap();
        let access = ProgramAccess::new(place.path().to_owned(), Choice::default(), vec!["/own".into()]);
        let paths: Vec<PathBuf> = vec!["/documents/tax".into(), "/own".into()];
        assert_eq!(access.filter().unwrap().without, paths);
        std::fs::write(place.path().join(PROGRAMS_FILE), "half of a l").unwrap();
        let error = access.filter().unwrap_err().to_string();
        assert!(error.contains(PROGRAMS_FILE), "{error}");
    }

    #[test]
    fn an_idle_library_is_closed_unless_it_is_in_use() {
        let place = tempfile::tempdir().unwrap();
        let access = ProgramAccess::new(place.path().to_owned(), Choice::default(), Vec::new());
        let used = access.open().unwrap();
        access.close_idle(Duration::ZERO);
        assert!(Arc::ptr_eq(&used, &access.open().unwrap()), "it was in use");
        drop(used);
        access.close_idle(Duration::from_secs(60));
        assert!(lock(&access.open).is_some(), "it was just asked");
        access.close_idle(Duration::ZERO);
        assert!(lock(&access.open).is_none());
        access.open().unwrap();
    }
}
