//! The library as a whole: checked, repaired, written into one file, compacted, replaced by a backup.
//!
//! Some of it wants the library closed. The app then lets go of it: the indexing rests, nobody gets the library any
//! more, those who use it are waited for, and whatever came of it, it is opened again. Where somebody uses it for too
//! long nothing is done. The engine sees to it that a kill leaves the one library or the other, whole.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use oriel_core::CancelToken;
use oriel_engine::{EngineError, Library, unpack_backup};
use tauri::ipc::Channel;

use crate::app::{App, Kept, Opened, library_path, lock, opened};
use crate::folders::{count, name_of};
use crate::indexing::Rest;
use crate::ipc::{BackedUp, Checkup, Compacted, IpcError, Repaired, Restored, Written};
use crate::job::{TICK, Task};
use crate::{choosing, folders, ipc, listing, sample, tray};

/// How long is waited for those who use the library, and for the indexing.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long after the library was opened anew, or could not be, it may be tried again.
const AGAIN: Duration = Duration::from_secs(10);
/// Between two tries to close a library that is being used.
const IN_USE: Duration = Duration::from_millis(500);

/// What whoever comes second is told.
const BUSY: &str = "the library is already being checked, repaired, backed up, compacted or restored; wait for that, or cancel it";

/// Gives up what is being done; what was there before stays.
pub(crate) fn stop(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.jobs.cancel(&Task::Keeping);
    Ok(())
}

/// Whether texts, sentences, postings and vectors agree.
pub(crate) fn check(app: &Arc<App>, (): &()) -> Result<Checkup, IpcError> {
    let job = app.jobs.begin(Task::Keeping, BUSY)?;
    match app.opened()?.library.check(&job.cancel) {
        Ok(findings) => Ok(Checkup {
            documents: count(findings.documents),
            sentences: count(findings.sentences),
            problems: findings.problems,
        }),
        // So damaged that it cannot even be read: that is what was to be found out.
        Err(error) if error.is_damage() || error.is_beyond_repair() => {
            Ok(Checkup { problems: vec![error.to_string()], ..Checkup::default() })
        }
        Err(error) => Err(error.into()),
    }
}

/// Makes the library sound again, whatever state it is in. The indexing does what is left.
pub(crate) fn repair(app: &Arc<App>, (): &()) -> Result<Repaired, IpcError> {
    let job = app.jobs.begin(Task::Keeping, BUSY)?;
    let repaired = match mend(app, &job.cancel)? {
        Some(repaired) => repaired,
        None => without(app, |library| {
            drop(library);
            let set_aside = Some(Library::set_aside(&library_path()?)?);
            Ok(oriel_engine::Repaired { set_aside, ..oriel_engine::Repaired::default() })
        })?,
    };
    Ok(Repaired {
        recomputed: count(repaired.recomputed),
        reread: count(repaired.reread),
        forgotten: count(repaired.forgotten),
        unembedded: count(repaired.unembedded),
        set_aside: repaired.set_aside.map(|path| path.to_string_lossy().into_owned()),
    })
}

/// Repairs the open library; `None` where its data file is broken.
fn mend(app: &App, cancel: &CancelToken) -> Result<Option<oriel_engine::Repaired>, IpcError> {
    if app.is_beyond_repair() {
        return Ok(None);
    }
    let opened = app.opened()?;
    let mended = {
        let _rest = rested(&opened)?;
        opened.library.repair(cancel)
    };
    match mended {
        Err(error) if error.is_beyond_repair() => Ok(None),
        mended => {
            let repaired = mended?;
            opened.indexing.rescan();
            folders::tell(app, true);
            Ok(Some(repaired))
        }
    }
}

/// Asks where to and writes everything the library holds into one file. Questions and indexing go on meanwhile.
pub(crate) fn backup(
    app: &Arc<App>,
    (): &(),
    events: &Channel<Written>,
) -> Result<Option<BackedUp>, IpcError> {
    let job = app.jobs.begin(Task::Keeping, BUSY)?;
    let opened = app.opened()?;
    let name = format!("Oriel {}.tar", jiff::Zoned::now().date());
    let Some(path) = choosing::where_to(app, name, "tar", "tar")? else { return Ok(None) };
    let done = opened.library.backup(&path, &mut tell(events), &job.cancel)?;
    Ok(Some(BackedUp { name: name_of(&path), bytes: done.bytes, conversations: count(done.conversations) }))
}

/// Gives what is free in the index back to the disk.
pub(crate) fn compact(app: &Arc<App>, (): &(), events: &Channel<Written>) -> Result<Compacted, IpcError> {
    let job = app.jobs.begin(Task::Keeping, BUSY)?;
    let done = without(app, |library| match library {
        Some(library) => Ok(library.compact(&mut tell(events), &job.cancel)?),
        None => {
            Err(IpcError::failed("the library cannot be opened, so it cannot be compacted; repair it first"))
        }
    })?;
    Ok(Compacted { before: done.before, after: done.after })
}

/// Puts the library of the chosen backup in the place of this one, which lies beside it then. Questions and indexing go
/// on while it is unpacked, and an answer that is being written then is waited for.
pub(crate) fn restore(app: &Arc<App>, (): &(), events: &Channel<Written>) -> Result<Restored, IpcError> {
    let job = app.jobs.begin(Task::Keeping, BUSY)?;
    let Some(from) = lock(&app.backup).take() else {
        return Err(IpcError::gone("no backup is chosen any more; choose one again"));
    };
    let mut unpacked = Some(unpack_backup(&from, &library_path()?, &mut tell(events), &job.cancel)?);
    let done = loop {
        job.cancel.check().map_err(EngineError::from)?;
        if app.held.lease().is_some_and(|opened| opened.answering.is_any()) {
            pause();
            continue;
        }
        let done = without(app, |library| {
            drop(library);
            job.cancel.check().map_err(EngineError::from)?;
            let unpacked = unpacked.take().expect("nothing is tried again after this");
            Ok(unpacked.put(true)?)
        });
        if done.is_ok() || unpacked.is_none() {
            break done?;
        }
        pause();
    };
    Ok(Restored {
        name: name_of(&from),
        bytes: done.bytes,
        conversations: count(done.conversations),
        replaced: done.replaced.map(|path| path.to_string_lossy().into_owned()),
    })
}

/// Waits a little until the library may not be used any more.
fn pause() {
    #[expect(clippy::disallowed_methods, reason = "those who use the library tell nobody when they end")]
    std::thread::sleep(IN_USE);
}

/// Opens the library anew where it refuses everything, see [`reopen`].
pub(crate) fn reopen_if_refused(app: &Arc<App>, trouble: &str) {
    if app.held.lease().is_some_and(|opened| opened.refuses()) {
        reopen(app, trouble.to_owned());
    }
}

/// Opens the library anew, in the background: a disk failed while a commit was ended, and the open one refuses
/// everything from then on. Where it is used for too long, or cannot be opened, that is tried until it can. The indexing
/// goes on some time after its `trouble`.
pub(crate) fn reopen(app: &Arc<App>, trouble: String) {
    if app.reopening.swap(true, Ordering::AcqRel) {
        return;
    }
    let app = Arc::clone(app);
    std::thread::spawn(move || {
        let (mut kept, mut was_told) = (None, false);
        loop {
            let last = *lock(&app.reopened);
            #[expect(clippy::disallowed_methods, reason = "nobody says when a disk works again")]
            std::thread::sleep(last.map_or(Duration::ZERO, |last| AGAIN.saturating_sub(last.elapsed())));
            let tried = reopened(&app, &trouble, &mut kept);
            *lock(&app.reopened) = Some(Instant::now());
            let is_open = app.held.lease().is_some();
            // A page that was told that there is no library is told when there is one.
            if is_open == was_told {
                was_told = !is_open;
                app.send("reopened", ());
            }
            match tried {
                Ok(()) => break,
                // It can only be set aside, and the person decides that.
                Err(_) if app.is_beyond_repair() => break,
                Err(error) => tracing::warn!("{}", error.message),
            }
        }
        app.reopening.store(false, Ordering::Release);
        // It may have refused once more before that was noted.
        reopen_if_refused(&app, &trouble);
    });
}

/// One try. Nothing is done where the library works: somebody else has opened it.
fn reopened(app: &Arc<App>, trouble: &str, kept: &mut Option<Kept>) -> Result<(), IpcError> {
    let _job = app.jobs.begin(Task::Keeping, BUSY)?;
    if let Some(opened) = app.held.lease() {
        if !opened.refuses() {
            return Ok(());
        }
        *kept = Some(opened.kept());
    }
    let away = Away::begin(app, Some(Trouble { message: trouble, kept: kept.clone() }));
    drop(closed(app)?);
    drop(away);
    app.opened().map(drop)
}

/// Progress for the window, not too often.
fn tell(events: &Channel<Written>) -> impl FnMut(u64, u64) + '_ {
    let mut told: Option<Instant> = None;
    move |done, total| {
        if told.is_some_and(|told| told.elapsed() < TICK) {
            return;
        }
        told = Some(Instant::now());
        ipc::send(events, Written { done, total });
    }
}

/// Runs `work` while the library is closed, and opens it again. `work` gets it where it could be opened at all, to close
/// it itself.
fn without<T>(
    app: &Arc<App>,
    work: impl FnOnce(Option<Library>) -> Result<T, IpcError>,
) -> Result<T, IpcError> {
    let away = Away::begin(app, None);
    let done = closed(app).and_then(work);
    drop(away);
    done
}

/// The time in which the library is closed on purpose. What ends it opens the library, also after a panic.
struct Away<'a> {
    app: &'a Arc<App>,
    trouble: Option<Trouble<'a>>,
    /// Whether the person had ended the indexing.
    is_halted: bool,
}

/// Why the library is opened anew: what is told until the indexing goes on, and what of the old one is kept.
struct Trouble<'a> {
    message: &'a str,
    kept: Option<Kept>,
}

impl<'a> Away<'a> {
    fn begin(app: &'a Arc<App>, trouble: Option<Trouble<'a>>) -> Self {
        let is_halted = app.held.lease().is_some_and(|opened| opened.indexing.is_halted());
        app.set_away(true);
        Self { app, trouble, is_halted }
    }
}

impl Drop for Away<'_> {
    fn drop(&mut self) {
        let app = self.app;
        app.set_away(false);
        match self.trouble.take() {
            Some(Trouble { message, kept }) => {
                app.open_again(kept);
                app.begin_again(Some(message));
            }
            // It was not closed after all.
            None if app.held.lease().is_some_and(|opened| opened.indexing.has_begun()) => {}
            None => {
                app.open();
                if let Some(Err(error)) = app.held.lease().map(|opened| sample::bring_back(&opened.library)) {
                    tracing::warn!("{error:#}");
                }
                app.begin_again(None);
                if let Some(opened) = app.held.lease().filter(|_| self.is_halted) {
                    opened.indexing.cancel();
                }
            }
        }
        tray::relabel(app.handle(), &app.settings());
        folders::tell(app, true);
        listing::tell(app);
        app.send("engine", app.engine_line());
    }
}

/// Lets go of the library; `None` where it was not open.
fn closed(app: &App) -> Result<Option<Library>, IpcError> {
    let still =
        || IpcError::failed("the library is still being used by a question or a view; try again in a moment");
    if let Some(opened) = app.held.lease() {
        if opened.answering.is_any() {
            return Err(IpcError::failed(
                "an answer is being written; wait until it is complete, or stop it",
            ));
        }
        lock(&opened.listing).cancel();
    } else {
        return Ok(None);
    }
    let Some(Opened { library, conversations, preferences, indexing, roles, .. }) =
        app.held.take(PATIENCE).map_err(|_| still())?
    else {
        return Ok(None);
    };
    drop((conversations, preferences));
    indexing.close();
    drop(roles);
    match Arc::try_unwrap(library) {
        Ok(library) => Ok(Some(library)),
        // Somebody has it whom nobody knows of: everything goes on with the library that is open.
        Err(library) => {
            let path = library.path().to_owned();
            app.held.put(opened(app.handle(), library, &path, None)?);
            Err(still())
        }
    }
}

/// Has the indexing rest.
fn rested(opened: &Opened) -> Result<Rest<'_>, IpcError> {
    opened.indexing.rest(PATIENCE).ok_or_else(|| {
        IpcError::failed(
            "the indexing is in the middle of something that cannot be interrupted; try again in a moment",
        )
    })
}
