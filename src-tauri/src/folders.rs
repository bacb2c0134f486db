//! Folders and documents: what the window asks of them.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use oriel_core::DocumentId;
use oriel_engine::Overview;

use crate::app::{App, Opened, lock};
use crate::ipc::*;
use crate::{copies, preferences, sample, tray};

/// Documents without a sentence that are listed by name at most.
const UNREAD: usize = 500;

/// How long the end of a run is waited for before a folder is removed beside it.
const REST: Duration = Duration::from_secs(3);

/// How often counts that change by themselves are looked up anew at most, …
const RECOUNT: Duration = Duration::from_secs(1);
/// … and how many times as long as it took is waited before the next: a twentieth of the time at most goes into it.
const PAUSES: u32 = 20;

/// The library's counts as they were last looked up.
pub(crate) struct Counted {
    overview: Overview,
    /// When they are to be looked up again though nothing is known to have happened.
    due: Instant,
}

impl Counted {
    fn new(opened: &Opened) -> Result<Self, IpcError> {
        let begun = Instant::now();
        let overview = opened.library.overview()?;
        let ended = Instant::now();
        Ok(Self { overview, due: ended + pause_after(ended - begun) })
    }
}

/// How long to wait after a count that took `took`.
fn pause_after(took: Duration) -> Duration {
    RECOUNT.max(took * PAUSES)
}

/// The library as it stands.
pub(crate) fn state(app: &Arc<App>, (): &()) -> Result<LibraryState, IpcError> {
    published(app, true)
}

/// The same; with the counts of the last time, where they are not due yet or cannot be looked up, unless `recount`.
pub(crate) fn published(app: &App, recount: bool) -> Result<LibraryState, IpcError> {
    let opened = &app.opened()?;
    // Held while they are counted, so that two who ask at once count once.
    let mut held = lock(&opened.counted);
    let is_due = recount || held.as_ref().is_none_or(|kept| Instant::now() >= kept.due);
    if is_due {
        match Counted::new(opened) {
            Ok(counted) => *held = Some(counted),
            Err(error) if recount || held.is_none() => return Err(error),
            Err(error) => tracing::warn!("{}", error.message),
        }
    }
    let counted = held.as_ref().expect("it was counted, or is there from before");
    Ok(described(opened, &counted.overview))
}

fn described(opened: &Opened, overview: &Overview) -> LibraryState {
    let mut kinds: Vec<KindCount> = overview
        .kinds
        .iter()
        .map(|(&kind, &number)| KindCount { kind: kind.into(), count: count(number) })
        .collect();
    kinds.sort_by_key(|one| std::cmp::Reverse(one.count));
    LibraryState {
        folders: overview
            .folders
            .iter()
            .map(|folder| Folder {
                id: folder.number,
                name: name_of(&folder.path),
                path: folder.path.to_string_lossy().into_owned(),
                is_file: folder.is_file,
                own: own(opened, &folder.path),
                documents: count(folder.documents),
                waiting: count(folder.waiting),
                failed: count(folder.failed),
                known: count(folder.known),
                unreachable: folder.unreachable.clone(),
                timed: folder.timed.map(timed),
                excludes: folder.excludes.clone(),
            })
            .collect(),
        documents: count(overview.documents),
        sentences: count(overview.sentences),
        distinct: count(overview.distinct),
        unembedded: count(overview.unembedded),
        unembedded_next: overview.unembedded_next.map(count),
        waiting: count(overview.waiting),
        failed: count(overview.failed),
        empty: count(overview.empty),
        skipped: count(overview.skipped.unwrap_or(0)),
        bytes: overview.bytes,
        kinds,
        activity: opened.indexing.activity(),
        yielding: opened.indexing.is_yielding(),
        meaning_left: opened.indexing.meaning_left(overview.unembedded + overview.expected),
    }
}

fn timed(why: oriel_engine::Timed) -> Timed {
    match why {
        oriel_engine::Timed::Limit => Timed::Limit,
        oriel_engine::Timed::Network => Timed::Network,
        oriel_engine::Timed::Refused => Timed::Refused,
    }
}

/// A number for the window; what is beyond its range is told as its end.
pub(crate) fn count(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// The kind that a document's name promises.
pub(crate) fn kind_of(path: &Path) -> DocumentKind {
    oriel_core::Kind::of_path(path).unwrap_or(oriel_core::Kind::Text).into()
}

/// The last part of a path, for people.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned()
}

/// Follows the sample that comes with Oriel.
pub(crate) fn add_sample(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    let folder = sample::unpack(app.opened()?.library.path())?;
    follow(app, &[folder])
}

/// Follows folders and files, and begins to read them.
pub(crate) fn follow(app: &App, paths: &[std::path::PathBuf]) -> Result<(), IpcError> {
    let opened = &app.opened()?;
    follow_in(app, opened, paths)
}

/// The same in a library that is held open.
pub(crate) fn follow_in(app: &App, opened: &Opened, paths: &[std::path::PathBuf]) -> Result<(), IpcError> {
    opened.library.add(paths)?;
    opened.indexing.rescan();
    tell(app, true);
    Ok(())
}

/// Which of the library's own folders it is.
fn own(opened: &Opened, path: &Path) -> Option<OwnFolder> {
    let sample = sample::folder(opened.library.path());
    match path {
        _ if path == sample => Some(OwnFolder::Sample),
        _ if path == opened.library.files() => Some(OwnFolder::Copies),
        _ => None,
    }
}

/// Stops following a folder and forgets its documents; the files themselves stay, save those in the library's own folders.
pub(crate) fn remove(app: &Arc<App>, &FolderRef { folder }: &FolderRef) -> Result<(), IpcError> {
    let opened = &app.opened()?;
    let folders = opened.library.overview()?.folders;
    let path = folders.into_iter().find(|one| one.number == folder).map(|one| one.path);
    let removed = {
        // What is being read goes on afterwards; what the person ended stays so.
        let _rest = opened.indexing.rest(REST);
        opened.library.remove(folder)
    };
    opened
        .indexing
        .look_again(opened.library.overview().is_ok_and(|left| left.waiting > 0 || left.unembedded > 0));
    removed?;
    tell(app, true);
    match path.filter(|path| own(opened, path).is_some()) {
        Some(path) => Ok(copies::delete(&path)?),
        None => Ok(()),
    }
}

/// How many documents the patterns would leave out.
pub(crate) fn preview_excludes(app: &Arc<App>, wanted: &Excludes) -> Result<u32, IpcError> {
    Ok(count(app.opened()?.library.excluded_by(wanted.folder, &wanted.patterns)?))
}

/// Leaves documents out from the next run on, which begins at once.
pub(crate) fn set_excludes(app: &Arc<App>, wanted: &Excludes) -> Result<(), IpcError> {
    let opened = &app.opened()?;
    opened.library.set_excludes(wanted.folder, &wanted.patterns)?;
    opened.indexing.rescan();
    tell(app, true);
    Ok(())
}

/// Looks through the folders now.
pub(crate) fn rescan(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.opened()?.indexing.rescan();
    Ok(())
}

/// Pauses; also after a restart.
pub(crate) fn pause(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.opened()?.indexing.pause();
    preferences::patch(app, |settings| settings.paused = true)?;
    tell(app, true);
    Ok(())
}

/// Goes on.
pub(crate) fn resume(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    preferences::patch(app, |settings| settings.paused = false)?;
    app.opened()?.indexing.resume();
    tell(app, true);
    Ok(())
}

/// Ends this run.
pub(crate) fn cancel(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.opened()?.indexing.cancel();
    tell(app, true);
    Ok(())
}

/// Documents that could not be read.
pub(crate) fn failures(app: &Arc<App>, (): &()) -> Result<Vec<FailureRow>, IpcError> {
    let opened = &app.opened()?;
    let roots = roots(opened)?;
    let failures = opened.library.failures()?.into_iter();
    Ok(failures
        .map(|failure| FailureRow {
            document: DocumentRow {
                id: failure.id.0,
                name: name_of(&failure.path),
                place: place_of(&failure.path, &roots),
                kind: kind_of(&failure.path),
                pages: 0,
                sentences: 0,
                bytes: failure.bytes,
                modified: milliseconds(failure.modified),
            },
            reason: failure.reason,
            code: failure.code.into(),
        })
        .collect())
}

/// Reads them once more.
pub(crate) fn retry(app: &Arc<App>, &Retry { document }: &Retry) -> Result<(), IpcError> {
    let opened = &app.opened()?;
    opened.library.retry(document.map(DocumentId))?;
    opened.indexing.rescan();
    tell(app, true);
    Ok(())
}

/// Files with nothing to read in them.
pub(crate) fn unread(app: &Arc<App>, (): &()) -> Result<Unread, IpcError> {
    let opened = &app.opened()?;
    let roots = roots(opened)?;
    let unread = opened.library.unsearchable(UNREAD)?;
    Ok(Unread {
        documents: unread.documents.iter().map(|one| row(one, &roots)).collect(),
        empty: count(unread.empty),
        skipped: count(unread.skipped),
        extensions: unread
            .extensions
            .into_iter()
            .map(|(extension, files)| ExtensionCount { extension, count: count(files) })
            .collect(),
    })
}

/// Documents by name.
pub(crate) fn documents(app: &Arc<App>, wanted: &FindDocuments) -> Result<Vec<DocumentRow>, IpcError> {
    let opened = &app.opened()?;
    let roots = roots(opened)?;
    let found = opened.library.documents(&wanted.query, wanted.limit as usize)?;
    Ok(found.iter().map(|one| row(one, &roots)).collect())
}

/// The followed paths.
pub(crate) fn roots(opened: &Opened) -> Result<Vec<std::path::PathBuf>, IpcError> {
    Ok(opened.library.folders()?)
}

/// A document for the window: a name and a place that mean something to a person.
pub(crate) fn row(document: &oriel_engine::DocumentRow, roots: &[std::path::PathBuf]) -> DocumentRow {
    DocumentRow {
        id: document.id.0,
        name: name_of(&document.path),
        place: place_of(&document.path, roots),
        kind: document.kind.into(),
        pages: document.pages,
        sentences: document.sentences,
        bytes: document.bytes,
        modified: milliseconds(document.modified),
    }
}

/// Nanoseconds to milliseconds.
fn milliseconds(nanoseconds: i64) -> i64 {
    nanoseconds / 1_000_000
}

/// The folder a document lies in, from the followed folder on: `Contracts/2019`.
pub(crate) fn place_of(path: &Path, roots: &[std::path::PathBuf]) -> String {
    let folder = path.parent().unwrap_or(path);
    let root = roots.iter().filter(|root| folder.starts_with(root)).max_by_key(|root| root.as_os_str().len());
    let from = root.and_then(|root| root.parent());
    let shown = from.and_then(|from| folder.strip_prefix(from).ok()).unwrap_or(folder);
    shown.to_string_lossy().into_owned()
}

/// Tells the window and the tray how the library is; with new counts where they are due, or where `recount`.
pub(crate) fn tell(app: &App, recount: bool) {
    let Ok(opened) = app.opened() else { return };
    // States are told in the order in which they were.
    let _one = lock(&opened.telling);
    match published(app, recount) {
        Ok(state) => {
            tray::show_activity(app.handle(), &state);
            app.send("library", state);
        }
        Err(error) => tracing::warn!("{}", error.message),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn counting_takes_a_twentieth_of_the_time_at_most() {
        assert_eq!(pause_after(Duration::from_millis(3)), RECOUNT, "and goes on once a second");
        assert_eq!(pause_after(Duration::from_millis(400)), Duration::from_secs(8));
    }

    #[test]
    fn a_place_begins_with_the_followed_folder() {
        let roots = [PathBuf::from("/home/ada/Papers"), PathBuf::from("/home/ada/Papers/Old")];
        assert_eq!(place_of(Path::new("/home/ada/Papers/2019/a.pdf"), &roots), "Papers/2019");
        assert_eq!(place_of(Path::new("/home/ada/Papers/Old/b.pdf"), &roots), "Old");
        assert_eq!(place_of(Path::new("/elsewhere/c.pdf"), &roots), "/elsewhere");
    }
}
