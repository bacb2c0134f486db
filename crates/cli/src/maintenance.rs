//! The commands `backup`, `restore` and `compact`.

use std::path::Path;

use crate::output;
use crate::progress::Progress;
use crate::render::{counted, harmless};
use crate::session::Session;

pub(crate) fn backup(session: &Session, path: &Path) -> anyhow::Result<()> {
    let library = session.open()?;
    let mut progress = Progress::new();
    let done = library.backup(
        path,
        &mut |done, total| progress.step("writing", "bytes", done, Some(total)),
        &session.cancel,
    );
    progress.finish();
    let done = done?;
    if session.json {
        return output::json(&done);
    }
    output::text(&format!(
        "{} holds the library with {}, {}\n",
        harmless(&path.to_string_lossy()),
        counted(done.conversations, "conversation"),
        megabytes(done.bytes)
    ))
}

pub(crate) fn restore(session: &Session, path: &Path, replace: bool) -> anyhow::Result<()> {
    let mut progress = Progress::new();
    let done = oriel_engine::restore(
        path,
        session.library_path(),
        replace,
        &mut |done, total| progress.step("reading", "bytes", done, Some(total)),
        &session.cancel,
    );
    progress.finish();
    let done = done?;
    if session.json {
        return output::json(&done);
    }
    let mut text = format!(
        "{} is back with {}, {}; 'oriel index' brings it up to date\n",
        harmless(&session.library_path().to_string_lossy()),
        counted(done.conversations, "conversation"),
        megabytes(done.bytes)
    );
    if let Some(kept) = &done.replaced {
        text.push_str(&format!("The library that was there lies in {}\n", harmless(&kept.to_string_lossy())));
    }
    output::text(&text)
}

pub(crate) fn compact(session: &Session) -> anyhow::Result<()> {
    let library = session.open()?;
    let mut progress = Progress::new();
    let done = library
        .compact(&mut |done, total| progress.step("copying", "bytes", done, Some(total)), &session.cancel);
    progress.finish();
    let done = done?;
    if session.json {
        return output::json(&done);
    }
    output::text(&format!(
        "The index took {} and takes {} now\n",
        megabytes(done.before),
        megabytes(done.after)
    ))
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
