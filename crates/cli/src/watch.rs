//! Staying: the library is kept up to date, and every change is a line.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use oriel_engine::{DocumentChange, EngineError, IndexProgress, LazyEmbedder, Library};
use serde_json::{Value, json};

use crate::render::{counted, harmless};
use crate::session::{Session, wake_up};
use crate::{models, output};

/// How long after a failure that is not the documents' it is tried again: another Oriel may be done, a disk may have room.
const AGAIN: Duration = Duration::from_secs(2);

pub(crate) fn run(session: &Session) -> anyhow::Result<()> {
    let mut told = Told::default();
    while !session.cancel.is_cancelled() {
        stay(session, &mut told)?;
    }
    Ok(())
}

/// Keeps the library up to date until this is to end, or the library has to be opened anew: after a disk failed at the
/// wrong moment the store refuses everything until then.
fn stay(session: &Session, told: &mut Told) -> anyhow::Result<()> {
    let library = Arc::new(session.open()?);
    let waker = session.waker.clone();
    let watch = library.watch(move || wake_up(&waker));
    while !session.cancel.is_cancelled() {
        let mut unsaid = Ok(());
        let kept_up = keep_up(session, &library, &watch, &mut unsaid);
        unsaid?;
        match kept_up.and_then(|()| told.caught_up(&library)) {
            Err(_) if session.cancel.is_cancelled() => {}
            Err(error) if error.wants_reopening() => {
                wait(session, Some(Instant::now()));
                return Ok(());
            }
            Err(error) if error.is_beyond_repair() => return Err(error.into()),
            Err(error) => {
                told.trouble(&error);
                wait(session, Some(Instant::now()));
            }
            Ok(()) => wait(session, None),
        }
    }
    Ok(())
}

fn keep_up(
    session: &Session,
    library: &Library,
    watch: &oriel_engine::Watch,
    unsaid: &mut anyhow::Result<()>,
) -> Result<(), EngineError> {
    session.choose_embedder(library)?;
    // A model that is not here is said, and no reason not to read documents.
    let fingerprint = session.roles.embedder_fingerprint().unwrap_or_default();
    let embedder = LazyEmbedder { fingerprint, load: &|| models::embedder(&session.roles) };
    let (json, cancel) = (session.json, &session.cancel);
    let mut progress = |step: IndexProgress<'_>| {
        if let IndexProgress::Changed { path, change } = step
            && unsaid.is_ok()
        {
            *unsaid = say(json, path, change);
            if unsaid.is_err() {
                cancel.cancel();
            }
        }
    };
    library.keep_up(watch, &embedder, &mut progress, &session.cancel)
}

/// Waits for something to do; after a failure for some time, as nobody says when it is over.
fn wait(session: &Session, failed: Option<Instant>) {
    match failed {
        // The waker lives as long as the session: it cannot be hung up.
        None => {
            let _ = session.woken.recv();
        }
        Some(when) => {
            while !session.cancel.is_cancelled() && when.elapsed() < AGAIN {
                let _ = session.woken.recv_timeout(AGAIN.saturating_sub(when.elapsed()));
            }
        }
    }
}

fn say(json: bool, path: &Path, change: DocumentChange<'_>) -> anyhow::Result<()> {
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

/// What was said on standard error, so that nothing is said twice.
#[derive(Default)]
struct Told {
    trouble: Option<String>,
    notes: Option<Vec<String>>,
}

impl Told {
    /// Everything is done: says so the first time and after trouble, and what is wrong with folders when that changes.
    fn caught_up(&mut self, library: &Library) -> Result<(), EngineError> {
        let overview = library.overview()?;
        let mut notes = Vec::new();
        for folder in &overview.folders {
            let name = harmless(&folder.path.to_string_lossy());
            if let Some(reason) = &folder.unreachable {
                notes.push(format!(
                    "{name} cannot be reached ({reason}); its documents are kept as they were"
                ));
            }
            if let Some(why) = folder.timed {
                notes.push(format!("{name} is looked through now and then: {}", why.reason()));
            }
        }
        if self.notes.is_none() || self.trouble.take().is_some() {
            let documents = counted(overview.documents, "document");
            let folders = counted(overview.folders.len(), "folder");
            eprintln!("oriel: up to date, {documents}; watching {folders}");
        }
        for note in notes.iter().filter(|note| !self.notes.iter().flatten().any(|told| told == *note)) {
            eprintln!("oriel: {note}");
        }
        self.notes = Some(notes);
        Ok(())
    }

    fn trouble(&mut self, error: &EngineError) {
        let line = harmless(&error.to_string()).replace('\n', " ");
        if self.trouble.as_ref() != Some(&line) {
            eprintln!("oriel: {line}");
            self.trouble = Some(line);
        }
    }
}
