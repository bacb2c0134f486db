//! Reopens a library that refuses everything, because a disk failed while a commit was ended.
//!
//! LMDB refuses everything after a disk failed during a commit; every command and every run that fails checks for that.
//! The new session takes over settings and models, so questions are answered at once. If the library's folder is
//! missing, none is created in its place.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use oriel_core::Notice;

use crate::api::IpcError;
use crate::commands::closed_library::{self, Failure};
use crate::desktop::publish;
use crate::state::app::App;
use crate::state::jobs::Task;
use crate::state::session::Carryover;
use oriel_api::lock;

/// Pause between two tries.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);

/// Reopens the library if it refuses everything, see [`reopen`].
pub(crate) fn reopen_if_refused(app: &Arc<App>, notice: &Notice) {
    if app.slot.lease().is_some_and(|session| session.library.wants_reopening()) {
        reopen(app, notice.clone());
    }
}

/// Reopens the library in the background, and tries until that works. The indexing continues some time later and shows
/// `notice` until then.
pub(crate) fn reopen(app: &Arc<App>, notice: Notice) {
    if app.reopening.swap(true, Ordering::AcqRel) {
        return;
    }
    let app = Arc::clone(app);
    std::thread::spawn(move || {
        let (mut carryover, mut was_closed) = (None, false);
        loop {
            let last = *lock(&app.reopened);
            let wait = last.map_or(Duration::ZERO, |last| RETRY_INTERVAL.saturating_sub(last.elapsed()));
            #[expect(clippy::disallowed_methods, reason = "nothing signals that a disk works again")]
            std::thread::sleep(wait);
            let tried = try_reopen(&app, &notice, &mut carryover);
            *lock(&app.reopened) = Some(Instant::now());
            let is_open = app.slot.lease().is_some();
            // The UI hears when the library is gone, and when it is back.
            if is_open == was_closed {
                was_closed = !is_open;
                publish::send(&app, "reopened", ());
            }
            match tried {
                Ok(()) => break,
                // It can only be set aside, and the user decides that.
                Err(_) if app.is_beyond_repair() => break,
                Err(error) => tracing::warn!("{}", error.notice),
            }
        }
        app.reopening.store(false, Ordering::Release);
        // It may have refused again before that was stored.
        reopen_if_refused(&app, &notice);
    });
}

/// One try. Nothing is done if the library works: somebody else has opened it.
fn try_reopen(app: &Arc<App>, notice: &Notice, carryover: &mut Option<Carryover>) -> Result<(), IpcError> {
    let _job = app.jobs.begin(Task::Maintenance)?;
    if let Some(session) = app.slot.lease() {
        if !session.library.wants_reopening() {
            return Ok(());
        }
        *carryover = Some(session.carryover());
    }
    closed_library::reopen(app, Failure { notice, carryover: carryover.clone() })
}
