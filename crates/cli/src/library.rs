//! Folders and files in and out, indexing, status, texts.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use oriel_core::Sentence;
use oriel_engine::{DocumentFailure, IGNORE_FILE, IndexProgress, Library, Status};
use oriel_models::Choice;
use serde_json::json;

use crate::progress::Progress;
use crate::render::{counted, harmless};
use crate::session::Session;
use crate::{output, remote_index, render};

pub(crate) fn add(session: &Session, paths: &[PathBuf]) -> anyhow::Result<()> {
    let library = session.open()?;
    library.add(paths)?;
    list_folders(session, &library.folders()?)
}

pub(crate) fn remove(session: &Session, path: &Path) -> anyhow::Result<()> {
    let library = session.open()?;
    library.remove_path(path)?;
    list_folders(session, &library.folders()?)
}

fn list_folders(session: &Session, folders: &[PathBuf]) -> anyhow::Result<()> {
    if session.json {
        let folders: Vec<_> = folders.iter().map(|folder| folder.to_string_lossy()).collect();
        return output::json(&json!({ "folders": folders }));
    }
    if folders.is_empty() {
        return output::text("Nothing is followed. Add a folder with: oriel add FOLDER\n");
    }
    let mut text = String::from("Followed:\n");
    for folder in folders {
        text.push_str(&format!("  {}\n", harmless(&folder.to_string_lossy())));
    }
    output::text(&text)
}

pub(crate) fn unlock(session: &Session, path: &Path, keep: bool) -> anyhow::Result<()> {
    let library = session.open()?;
    let id = library.document_at(path)?.id;
    let password = if std::io::stdin().is_terminal() {
        rpassword::prompt_password(format!("Password of {}: ", harmless(&path.to_string_lossy())))?
    } else {
        std::io::read_to_string(std::io::stdin())?
    };
    let unlocked = library.unlock(id, password.trim_end_matches(['\r', '\n']), keep, &session.cancel);
    // A refusal of the keyring is reported after the document was read.
    if matches!(&unlocked, Err(error) if !error.is_of_keyring()) {
        return Ok(unlocked?);
    }
    bring_up_to_date(session, &library)?;
    Ok(unlocked?)
}

pub(crate) fn forget_password(session: &Session, path: &Path) -> anyhow::Result<()> {
    let library = session.open()?;
    Ok(library.forget_password(library.document_at(path)?.id)?)
}

pub(crate) fn index(session: &Session, embedder: Option<&str>) -> anyhow::Result<()> {
    session.roles.choose(Choice { embedder: embedder.map(str::to_owned), ..Choice::default() });
    bring_up_to_date(session, &session.open()?)
}

fn bring_up_to_date(session: &Session, library: &Library) -> anyhow::Result<()> {
    let mut progress = Progress::new();
    let mut show = |step: IndexProgress<'_>| progress.indexing(step);
    let result = oriel_app::index_library(library, &session.roles, &mut show, &session.cancel);
    progress.finish();
    let report = result?;
    for (folder, reason) in &report.unreachable {
        eprintln!(
            "oriel: {} cannot be reached ({reason}); its documents are kept as they were",
            harmless(&folder.to_string_lossy())
        );
    }
    if session.json {
        return output::json(&report);
    }
    let skipped = match report.skipped {
        0 => String::new(),
        skipped => format!("; {} of other kinds skipped", counted(skipped, "file")),
    };
    output::text(&format!(
        "{}, {}; {} embedded, {} reused, in {:.1} s{skipped}\n",
        counted(report.documents, "document"),
        counted(report.sentences, "sentence"),
        report.embedded,
        report.reused,
        report.seconds
    ))?;
    if report.failed > 0 {
        output::text(&format!("{} could not be read; 'oriel status' says why\n", report.failed))?;
    }
    Ok(())
}

/// Files that are named for a reason why some could not be read, if not all are.
const NAMED: usize = 3;

/// `all` names every file that could not be read.
pub(crate) fn status(session: &Session, all: bool) -> anyhow::Result<()> {
    let library = session.open()?;
    let (status, recognition) = (library.status()?, library.recognition()?);
    if session.json {
        let mut status = serde_json::to_value(&status)?;
        status["recognition"] = serde_json::to_value(&recognition)?;
        status["read_only"] = library.is_read_only().into();
        status["reads_from"] = serde_json::to_value(library.reads_from()?)?;
        status["publishes_to"] = serde_json::to_value(library.publishes_to()?)?;
        return output::json(&status);
    }
    if let Some(index) = library.reads_from()? {
        return output::text(&remote_index::line("Reads", &index));
    }
    list_folders(session, &status.folders)?;
    let mut text = format!(
        "{}, {}; {}\n",
        counted(status.documents, "document"),
        counted(status.sentences, "sentence"),
        waits(&status)
    );
    if library.is_read_only() {
        text.push_str("It can only be read here: what is new comes from those who may write its folder.\n");
    }
    if let Some(index) = library.publishes_to()? {
        text.push_str(&remote_index::line("Published to", &index));
    }
    for (notes, what) in [(&status.unreachable, "cannot be reached"), (&status.timed, "is not watched")] {
        for note in notes {
            let name = harmless(&note.path.to_string_lossy());
            text.push_str(&format!("{name} {what}: {}\n", harmless(&note.reason.to_string())));
        }
    }
    if recognition.waiting > 0 {
        text.push_str(&render::recognition(&recognition));
    }
    if status.page_parts > 0 {
        text.push_str(&format!(
            "{} of web pages left out (styles, scripts, icons); a line such as !_static/ in {IGNORE_FILE} takes one back\n",
            counted(status.page_parts, "part")
        ));
    }
    if !status.failed.is_empty() {
        text.push_str(&format!("{} could not be read:\n", status.failed.len()));
        text.push_str(&by_reason(&status.failed, if all { usize::MAX } else { NAMED }));
    }
    output::text(&text)
}

/// Files that could not be read, below each reason, which most come first; of each the first `named`.
fn by_reason(failed: &[DocumentFailure], named: usize) -> String {
    let mut reasons: Vec<(String, Vec<&DocumentFailure>)> = Vec::new();
    for failure in failed {
        let reason = format!("{}: {}", failure.code.name(), failure.reason);
        match reasons.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, files)) => files.push(failure),
            None => reasons.push((reason, vec![failure])),
        }
    }
    reasons.sort_by_key(|(_, files)| std::cmp::Reverse(files.len()));
    let mut text = String::new();
    for (reason, files) in reasons {
        text.push_str(&format!("  {reason}\n"));
        for failure in files.iter().take(named) {
            text.push_str(&format!("    {}\n", harmless(&failure.path.to_string_lossy())));
        }
        if files.len() > named {
            text.push_str(&format!(
                "    and {} more; 'oriel status --all' names them\n",
                files.len() - named
            ));
        }
    }
    text
}

/// What waits: documents for their words, sentences for their vectors.
fn waits(status: &Status) -> String {
    let part = |count: u64, what: &str| match count {
        1 => format!("1 {what} waits"),
        count => format!("{count} {what}s wait"),
    };
    match (status.waiting as u64, status.unembedded) {
        (0, 0) => "nothing waits".into(),
        (documents, sentences) => format!(
            "{} to be read, {} for a vector",
            part(documents, "document"),
            part(sentences, "sentence")
        ),
    }
}

pub(crate) fn show(session: &Session, path: &Path) -> anyhow::Result<()> {
    let shown = session.open()?.show(path)?;
    if session.json {
        let located = |sentence: &Sentence| {
            let mut located = serde_json::to_value(shown.location(sentence.span.start))?;
            (located["start"], located["end"]) = (sentence.span.start.into(), sentence.span.end.into());
            Ok(located)
        };
        let sentences = shown.sentences.iter().map(located).collect::<anyhow::Result<Vec<_>>>()?;
        return output::json(&json!({"text": shown.text, "sentences": sentences}));
    }
    output::text(&render::shown(&shown))
}

#[cfg(test)]
mod tests {
    use oriel_core::{DocumentId, FailureCode, Notice};

    use super::*;

    #[test]
    fn a_reason_stands_once_with_the_first_files() {
        let failure = |n: u32, code| DocumentFailure {
            id: DocumentId(n),
            path: format!("/d/{n}.png").into(),
            reason: Notice::text("install it"),
            code,
            bytes: 1,
            modified: 0,
        };
        let mut failed = vec![failure(9, FailureCode::Broken)];
        failed.extend((1..=5).map(|n| failure(n, FailureCode::NeedsOcr)));
        let short = "  needs-ocr: install it\n    /d/1.png\n    /d/2.png\n    /d/3.png\n    \
            and 2 more; 'oriel status --all' names them\n  broken: install it\n    /d/9.png\n";
        assert_eq!(by_reason(&failed, NAMED), short);
        assert_eq!(by_reason(&failed, usize::MAX).lines().count(), 8);
    }

    #[test]
    fn words_and_vectors_that_are_missing_are_named_apart() {
        let said = |waiting, unembedded| {
            waits(&Status {
                folders: Vec::new(),
                documents: 0,
                sentences: 0,
                pending: 3,
                waiting,
                unembedded,
                failed: Vec::new(),
                page_parts: 0,
                unreachable: Vec::new(),
                timed: Vec::new(),
            })
        };
        assert_eq!(said(0, 0), "nothing waits");
        assert_eq!(said(1, 0), "1 document waits to be read, 0 sentences wait for a vector");
        assert_eq!(said(2, 1), "2 documents wait to be read, 1 sentence waits for a vector");
    }
}
