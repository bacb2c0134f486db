//! Closes the library for work that needs it closed, and opens it again.
//!
//! It ends the indexing, gives the library to nobody any more, and waits for those who use it; if that takes too long, it
//! gives up. The library is opened again in any case. After a kill either the former library or the new one is there,
//! whole, which the engine ensures.

use std::sync::Arc;
use std::time::Duration;

use oriel_core::Notice;
use oriel_engine::Library;

use crate::api::IpcError;
use crate::commands::start;
use crate::desktop::{conversation_list, publish, tray};
use crate::state::app::App;
use crate::state::sample;
use crate::state::session::{Carryover, LibrarySession};

/// How long to wait for those who use the library, and for the end of an indexing run.
pub(crate) const CLOSE_TIMEOUT: Duration = Duration::from_secs(20);

/// Runs `work` while the library is closed, and opens it again. `work` gets the library to close it, if it was open.
pub(crate) fn with_closed<T>(
    app: &Arc<App>,
    work: impl FnOnce(Option<Library>) -> Result<T, IpcError>,
) -> Result<T, IpcError> {
    let closed = ClosedLibrary::begin(app, None);
    let done = take_library(app).and_then(work);
    drop(closed);
    done
}

/// Closes the library and opens it again after a failure.
pub(crate) fn reopen(app: &Arc<App>, failure: Failure<'_>) -> Result<(), IpcError> {
    let closed = ClosedLibrary::begin(app, Some(failure));
    drop(take_library(app)?);
    drop(closed);
    app.session().map(drop)
}

/// The time in which the library is closed on purpose. Its end opens the library, also after a panic.
struct ClosedLibrary<'a> {
    app: &'a Arc<App>,
    failure: Option<Failure<'a>>,
    /// Whether the user had ended the indexing.
    was_halted: bool,
}

/// Why the library is reopened.
pub(crate) struct Failure<'a> {
    /// Shown until the indexing continues.
    pub notice: &'a Notice,
    /// What the new session takes over.
    pub carryover: Option<Carryover>,
}

impl<'a> ClosedLibrary<'a> {
    fn begin(app: &'a Arc<App>, failure: Option<Failure<'a>>) -> Self {
        let was_halted = app.slot.lease().is_some_and(|session| session.indexer.is_halted());
        app.set_closed_on_purpose(true);
        Self { app, failure, was_halted }
    }
}

impl Drop for ClosedLibrary<'_> {
    fn drop(&mut self) {
        let app = self.app;
        app.set_closed_on_purpose(false);
        match self.failure.take() {
            Some(Failure { notice, carryover }) => {
                app.reopen(carryover);
                app.begin_after_failure(notice);
            }
            // It was not closed after all.
            None if app.slot.lease().is_some_and(|session| session.indexer.has_begun()) => {}
            None => {
                app.open();
                let restored = app.slot.lease().map(|session| sample::restore_if_followed(&session.library));
                if let Some(Err(error)) = restored {
                    tracing::warn!("{error}");
                }
                start::begin(app);
                if let Some(session) = app.slot.lease().filter(|_| self.was_halted) {
                    session.indexer.cancel();
                }
            }
        }
        tray::relabel(app.handle(), &app.settings());
        publish::library(app, true);
        conversation_list::publish(app);
        publish::engine(app);
    }
}

/// Takes the library out of the app; `None` if it was not open.
fn take_library(app: &App) -> Result<Option<Library>, IpcError> {
    let in_use = || IpcError::failed(Notice::LibraryStillUsed);
    let Some(session) = app.slot.lease() else { return Ok(None) };
    if session.assistant.answers.is_any() {
        return Err(IpcError::failed(Notice::AnswerBeingWritten));
    }
    session.latest.stop_all();
    drop(session);
    let Some(session) = app.slot.take(CLOSE_TIMEOUT).map_err(|_| in_use())? else { return Ok(None) };
    let LibrarySession { library, assistant, settings, indexer, roles, .. } = session;
    drop((assistant, settings));
    indexer.close();
    drop(roles);
    match Arc::try_unwrap(library) {
        Ok(library) => Ok(Some(library)),
        // Somebody holds it without a lease. Everything continues with the open library.
        Err(library) => {
            app.put_back(library)?;
            Err(in_use())
        }
    }
}
