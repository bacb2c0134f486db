//! A draft: split, checked sentence by sentence, read from a file, saved with its findings.
//!
//! A new check ends the previous one: when a sentence was changed, the UI sends it again with all that are still open, the
//! changed one first. Nothing of a draft is stored.

use std::sync::Arc;

use oriel_api::{CheckDraft, CheckedSentence, Draft, DraftReport, lock, name_of, report_markdown};
use oriel_core::{CancelToken, Notice};
use tauri::ipc::Channel;

use crate::api::{DraftFile, DraftText, IpcError, ReadDraft, Stoppable};
use crate::commands::conversations::save_markdown;
use crate::commands::yield_guard::YieldGuard;
use crate::desktop::{dialogs, publish};
use crate::state::app::App;

/// The sentences of a text.
pub(crate) fn split(_: &Arc<App>, DraftText { text }: &DraftText) -> Result<Draft, IpcError> {
    Ok(Draft::split(text))
}

/// Checks sentences in order and streams what is found. A check in progress is cancelled.
pub(crate) fn check(
    app: &Arc<App>,
    wanted: &CheckDraft,
    events: &Channel<CheckedSentence>,
) -> Result<(), IpcError> {
    let session = &app.session()?;
    let cancel = session.latest.begin(Stoppable::Draft);
    let yielding = YieldGuard::new(app, session);
    yielding.publish();
    let searcher = &session.assistant.searcher;
    Ok(searcher.check_draft(wanted, &cancel, &mut |checked| publish::stream(events, checked))?)
}

/// The text of a file that was dropped, or that the user chooses. The file is not added to the library.
pub(crate) fn read(app: &Arc<App>, wanted: &ReadDraft) -> Result<Option<DraftFile>, IpcError> {
    let path = match wanted.drop {
        Some(id) => {
            let dropped = lock(&app.drops).remove(&id).unwrap_or_default().into_iter().next();
            dropped.ok_or_else(|| IpcError::gone(Notice::DropGone))?
        }
        None => match dialogs::pick_file(app.handle(), None)? {
            Some(path) => path,
            None => return Ok(None),
        },
    };
    let text = app.session()?.library.text_of_file(&path, &CancelToken::new())?;
    Ok(Some(DraftFile { name: name_of(&path), text }))
}

/// Asks for a file, and writes the draft with its findings as Markdown.
pub(crate) fn save_report(app: &Arc<App>, report: &DraftReport) -> Result<Option<String>, IpcError> {
    save_markdown(app, &report.title, &report_markdown(report))
}
