//! `oriel watch`: keeps the library up to date until it is stopped, and prints every change.

use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oriel_api::{Indexer, IndexerListener, IndexerOptions, RetryDelays};
use oriel_core::Notice;
use oriel_engine::{DocumentChange, EngineError, Library, Overview};
use serde_json::{Value, json};

use crate::output;
use crate::render::{counted, harmless};
use crate::session::{Session, wake_up};

/// The time before a retry after a failure that is not caused by a document: another Oriel may finish, or disk space
/// may be freed.
const RETRY: Duration = Duration::from_secs(2);

pub(crate) fn run(session: &Session) -> anyhow::Result<()> {
    let printer =
        Arc::new(Printer { json: session.json, waker: session.waker.clone(), state: Mutex::default() });
    let delays = RetryDelays { busy: RETRY, model: RETRY, other: RETRY };
    let wait = || {
        let refused = Instant::now();
        while !session.cancel.is_cancelled() && refused.elapsed() < RETRY {
            let _ = session.woken.recv_timeout(RETRY.saturating_sub(refused.elapsed()));
        }
    };
    let mut was_written = false;
    while !session.cancel.is_cancelled() {
        let (library, roles) = (Arc::new(session.open()?), Arc::clone(&session.roles));
        match library.writable() {
            Ok(()) => was_written = true,
            // The system may make the library read-only for a while, as after errors of the disk.
            Err(error) if was_written => {
                printer.on_failure(error);
                wait();
                continue;
            }
            Err(error) => return Err(error.into()),
        }
        let indexer = Indexer::start(
            Arc::clone(&printer) as Arc<_>,
            library,
            roles,
            IndexerOptions { delays, ..IndexerOptions::default() },
        );
        indexer.rescan();
        while !session.cancel.is_cancelled() && !printer.has_ended() {
            // This cannot fail: the waker lives as long as the session.
            let _ = session.woken.recv();
        }
        // This closes the library.
        indexer.close();
        match printer.take_end() {
            Some(End::Error(error)) => return Err(error),
            Some(End::Refused) => wait(),
            None => {}
        }
    }
    Ok(())
}

/// Prints events: changes on standard output, everything else on standard error, and each message only once.
struct Printer {
    json: bool,
    /// Wakes the thread that waits for the end.
    waker: SyncSender<()>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The last problem, until it is solved.
    trouble: Option<String>,
    /// The last messages about folders; `None` before the library was up to date.
    notes: Option<Vec<String>>,
    end: Option<End>,
}

/// Why the watch has to end or to start again.
enum End {
    /// The library has to be reopened.
    Refused,
    Error(anyhow::Error),
}

impl Printer {
    fn end(&self, end: End) {
        self.lock().end.get_or_insert(end);
        wake_up(&self.waker);
    }

    fn has_ended(&self) -> bool {
        self.lock().end.is_some()
    }

    fn take_end(&self) -> Option<End> {
        self.lock().end.take()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl IndexerListener for Printer {
    fn on_change(&self, path: &Path, change: DocumentChange<'_>) {
        if !self.has_ended()
            && let Err(error) = print(self.json, path, change)
        {
            self.end(End::Error(error));
        }
    }

    /// Prints that the library is up to date, the first time and after a problem, and changed messages about folders.
    fn on_up_to_date(&self, library: &Library, _: Duration) {
        let overview = match library.overview() {
            Ok(overview) => overview,
            Err(error) => return self.on_failure(error),
        };
        let mut state = self.lock();
        if state.notes.is_none() || state.trouble.take().is_some() {
            let documents = counted(overview.documents, "document");
            let folders = counted(overview.folders.len(), "folder");
            eprintln!("oriel: up to date, {documents}; watching {folders}");
        }
        let notes = notes(&overview);
        for note in notes.iter().filter(|note| !state.notes.iter().flatten().any(|shown| shown == *note)) {
            eprintln!("oriel: {note}");
        }
        state.notes = Some(notes);
    }

    fn on_failure(&self, error: EngineError) {
        if error.is_beyond_repair() {
            return self.end(End::Error(error.into()));
        }
        let line = harmless(&error.to_string()).replace('\n', " ");
        let mut state = self.lock();
        // The library is reopened without a message.
        if !error.wants_reopening() && state.trouble.as_ref() != Some(&line) {
            eprintln!("oriel: {line}");
            state.trouble = Some(line);
        }
    }

    fn on_library_refused(&self, _: Notice) {
        self.end(End::Refused);
    }
}

fn notes(overview: &Overview) -> Vec<String> {
    let mut notes = Vec::new();
    for folder in &overview.folders {
        let name = harmless(&folder.path.to_string_lossy());
        if let Some(reason) = &folder.unreachable {
            notes.push(format!("{name} cannot be reached ({reason}); its documents are kept as they were"));
        }
        if let Some(why) = folder.timed {
            notes.push(format!("{name} is scanned now and then: {}", why.reason()));
        }
    }
    notes
}

fn print(json: bool, path: &Path, change: DocumentChange<'_>) -> anyhow::Result<()> {
    let name = path.to_string_lossy();
    if json {
        return output::json(&line(&name, change));
    }
    let name = harmless(&name);
    output::text(&match change {
        DocumentChange::Indexed { sentences } => {
            format!("indexed  {name}, {}\n", counted(sentences, "sentence"))
        }
        DocumentChange::Removed => format!("removed  {name}\n"),
        DocumentChange::Failed(failure) => format!("failed   {name}: {}\n", failure.reason),
    })
}

fn line(path: &str, change: DocumentChange<'_>) -> Value {
    match change {
        DocumentChange::Indexed { sentences } => {
            json!({"event": "indexed", "path": path, "sentences": sentences})
        }
        DocumentChange::Removed => json!({"event": "removed", "path": path}),
        DocumentChange::Failed(failure) => {
            json!({"event": "failed", "path": path, "reason": failure.reason.to_string(), "code": failure.code.name()})
        }
    }
}
