//! The commands for folders and files: add, remove, unlock, index, status, show.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use oriel_core::{Notice, Sentence};
use oriel_engine::{DocumentFailure, IGNORE_FILE, IndexProgress, Library, OtherFiles, Status, Unsearchable};
use oriel_models::Choice;
use serde_json::json;

use crate::progress::Progress;
use crate::render::{counted, harmless};
use crate::session::Session;
use crate::{output, remote_index, render};

/// `follow_links` is whether to follow symbolic links in the folders from now on; `None` leaves the setting unchanged.
pub(crate) fn add(session: &Session, paths: &[PathBuf], follow_links: Option<bool>) -> anyhow::Result<()> {
    let library = session.open()?;
    library.add(paths)?;
    if let Some(follow_links) = follow_links {
        for path in paths {
            library.set_follow_links(library.folder_at(path)?, follow_links)?;
        }
    }
    list_folders(session, &library.folders()?)
}

pub(crate) fn remove(session: &Session, path: &Path) -> anyhow::Result<()> {
    let library = session.open()?;
    library.remove(library.folder_at(path)?)?;
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
    // An error of the keyring is reported after the document was read.
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
    let is_new = library.overview()?.documents == 0;
    let mut progress = Progress::new();
    let mut show = |step: IndexProgress<'_>| progress.indexing(step);
    let result = oriel_api::index_library(library, &session.roles, &mut show, &session.cancel);
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
    if is_new {
        let ask = |question: &String| format!("  oriel ask \"{}\"\n", harmless(question));
        let asked: String = library.suggestions(false)?.iter().map(ask).collect();
        if !asked.is_empty() {
            output::text(&format!("You could ask:\n{asked}"))?;
        }
    }
    Ok(())
}

/// The number of files named for each reason, unless all are wanted.
const NAMED: usize = 3;

/// `all` names every file that could not be read, and more of those that were left out.
pub(crate) fn status(session: &Session, all: bool) -> anyhow::Result<()> {
    let library = session.open()?;
    let (status, recognition) = (library.status()?, library.recognition()?);
    if session.json {
        let mut status = serde_json::to_value(&status)?;
        status["recognition"] = serde_json::to_value(&recognition)?;
        status["read_only"] = library.is_read_only().into();
        status["reads_from"] = serde_json::to_value(library.reads_from()?)?;
        status["publishes_to"] = serde_json::to_value(library.publishes_to()?)?;
        status["left_out"] = serde_json::to_value(library.unsearchable(usize::MAX)?)?;
        return output::json(&status);
    }
    if let Some(index) = library.reads_from()? {
        return output::text(&remote_index::line("Reads", &index));
    }
    list_folders(session, &status.folders)?;
    let following = status.follow_links.iter().map(|folder| harmless(&folder.to_string_lossy()));
    let following: String =
        following.map(|folder| format!("Symbolic links in {folder} are followed.\n")).collect();
    let mut text = following;
    text.push_str(&format!(
        "{}, {}; {}\n",
        counted(status.documents, "document"),
        counted(status.sentences, "sentence"),
        waits(&status)
    ));
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
    text.push_str(&not_read(&library, all)?);
    output::text(&text)
}

/// Lists the files that failed and those that were left out, with the reason and what helps.
pub(crate) fn not_read(library: &Library, all: bool) -> anyhow::Result<String> {
    let named = if all { usize::MAX } else { NAMED };
    let (failed, unsearchable) = (library.failures()?, library.unsearchable(named)?);
    let mut text = String::new();
    if !failed.is_empty() {
        text.push_str(&format!("{} could not be read:\n", failed.len()));
        text.push_str(&by_reason(&failed, named));
    }
    text.push_str(&left_out(&unsearchable, named));
    Ok(text)
}

/// Files that were left out, one line per reason, with the names of the first `named`.
fn left_out(unsearchable: &Unsearchable, named: usize) -> String {
    let Unsearchable { documents, empty, extensions, links, dangling, page_parts, part_names, .. } =
        unsearchable;
    let mut lines = Vec::new();
    let empty_paths: Vec<_> = documents.iter().map(|row| row.path.to_string_lossy().into_owned()).collect();
    lines.push((format!("{} without text", counted(*empty, "file")), *empty as u64, &empty_paths));
    for OtherFiles { extension, count, paths } in extensions {
        let kind =
            if extension.is_empty() { "no known kind".to_owned() } else { format!("the kind .{extension}") };
        lines.push((format!("{} of {kind}, which is not read", counted(*count, "file")), *count, paths));
    }
    let count = counted(links.count, "symbolic link");
    lines.push((
        format!("{count} not followed ('oriel add --follow-links FOLDER' does)"),
        links.count,
        &links.paths,
    ));
    let count = counted(dangling.count, "symbolic link");
    lines.push((format!("{count} to nothing"), dangling.count, &dangling.paths));
    let parts: Vec<_> = part_names.iter().map(|(name, _)| name.clone()).collect();
    let count = counted(*page_parts, "part");
    lines.push((
        format!("{count} of web pages (a line such as !_static/ in {IGNORE_FILE} takes one back)"),
        parts.len() as u64,
        &parts,
    ));
    let lines = lines.into_iter().filter(|(_, count, _)| *count > 0);
    let text: String = lines.map(|(what, count, paths)| line(&what, count, paths, named)).collect();
    if text.is_empty() { text } else { format!("Left out:\n{text}") }
}

/// The files left out for one reason: some names on one line, or all known paths below it.
fn line(what: &str, count: u64, paths: &[String], named: usize) -> String {
    let more = |shown: usize| count.saturating_sub(shown as u64);
    if named > NAMED {
        let paths: String = paths.iter().map(|path| format!("    {}\n", harmless(path))).collect();
        return match more(paths.lines().count()) {
            0 => format!("  {what}:\n{paths}"),
            more => format!("  {what}:\n{paths}    and {more} more\n"),
        };
    }
    let name = |path: &String| Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
    let names: Vec<_> = paths.iter().take(named).filter_map(name).collect();
    let names_said = harmless(&names.join(", "));
    match more(names.len()) {
        0 => format!("  {what}: {names_said}\n"),
        more => format!("  {what}: {names_said} and {more} more; 'oriel status --all' names them\n"),
    }
}

/// Files that could not be read, grouped by reason, most frequent first; of each reason the first `named`.
fn by_reason(failed: &[DocumentFailure], named: usize) -> String {
    let mut reasons: Vec<(String, Vec<&DocumentFailure>)> = Vec::new();
    for failure in failed {
        let way = match failure.reason {
            Notice::PdfWantsPassword => " 'oriel unlock FILE' takes it.",
            _ => "",
        };
        let reason = format!("{}: {}{way}", failure.code.name(), failure.reason);
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

/// Pending work: documents to read, sentences to embed.
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
    use oriel_core::{DocumentId, FailureCode};
    use oriel_engine::LeftOut;

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
    fn what_was_left_out_stands_in_a_line_with_its_reason_and_three_names() {
        let paths = |names: &[&str]| names.iter().map(|name| format!("/d/{name}")).collect::<Vec<_>>();
        let unsearchable = Unsearchable {
            skipped: 6,
            extensions: vec![
                OtherFiles {
                    extension: "mp3".into(),
                    count: 5,
                    paths: paths(&["a.mp3", "b.mp3", "c.mp3", "d.mp3"]),
                },
                OtherFiles { extension: String::new(), count: 1, paths: paths(&["tune"]) },
            ],
            links: LeftOut { count: 1, paths: paths(&["far.txt"]) },
            ..Unsearchable::default()
        };
        assert_eq!(
            left_out(&unsearchable, NAMED),
            "Left out:\n  5 files of the kind .mp3, which is not read: a.mp3, b.mp3, c.mp3 and 2 more; 'oriel status --all' names \
             them\n  1 file of no known kind, which is not read: tune\n  1 symbolic link not followed ('oriel add --follow-links \
             FOLDER' does): far.txt\n"
        );
        let all = left_out(&unsearchable, usize::MAX);
        assert!(all.contains("    /d/d.mp3\n    and 1 more\n"), "{all}");
        assert_eq!(left_out(&Unsearchable::default(), NAMED), "");
    }

    #[test]
    fn words_and_vectors_that_are_missing_are_named_apart() {
        let line = |waiting, unembedded| {
            waits(&Status {
                folders: Vec::new(),
                documents: 0,
                sentences: 0,
                pending: 3,
                waiting,
                unembedded,
                failed: Vec::new(),
                page_parts: 0,
                follow_links: Vec::new(),
                unreachable: Vec::new(),
                timed: Vec::new(),
            })
        };
        assert_eq!(line(0, 0), "nothing waits");
        assert_eq!(line(1, 0), "1 document waits to be read, 0 sentences wait for a vector");
        assert_eq!(line(2, 1), "2 documents wait to be read, 1 sentence waits for a vector");
    }
}
