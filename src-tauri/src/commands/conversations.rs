//! Kept conversations: listed, shown, renamed, deleted, exported.

use std::sync::Arc;

use oriel_api::{Conversation, ConversationRef, ReviewSurvey, Turn, TurnRef, name_of, survey_csv};
use oriel_core::Notice;
use oriel_engine::{
    Conversation as KeptConversation, ConversationId, ExportWording, Turn as KeptTurn, export_markdown,
};

use crate::api::{ErrorKind, IpcError, Rename, Settings};
use crate::desktop::{conversation_list, dialogs};
use crate::state::app::App;

/// The most characters of a file name that is made from a title.
const MAX_FILE_NAME_CHARS: usize = 60;

/// A conversation as it is kept. The library is not kept open any longer: a dialog may follow.
fn read(app: &App, id: &ConversationId) -> Result<KeptConversation, IpcError> {
    Ok(app.session()?.assistant.conversations.get(id)?)
}

/// A conversation without its turns, and one of them.
fn read_turn(app: &App, at: &TurnRef) -> Result<(KeptConversation, KeptTurn), IpcError> {
    let mut kept = read(app, &at.conversation)?;
    let turn = std::mem::take(&mut kept.turns).into_iter().nth(at.turn);
    Ok((kept, turn.ok_or_else(|| IpcError::gone(Notice::QuestionGone))?))
}

pub(crate) fn get(app: &Arc<App>, wanted: &ConversationRef) -> Result<Conversation, IpcError> {
    let session = &app.session()?;
    let found = session.assistant.conversation(&wanted.conversation).map_err(IpcError::from);
    found.inspect_err(|error| {
        // Another process may have deleted it while the UI still lists it.
        if error.kind == ErrorKind::Gone {
            conversation_list::publish(app);
        }
    })
}

/// Gives a conversation another title.
pub(crate) fn rename(app: &Arc<App>, wanted: &Rename) -> Result<(), IpcError> {
    app.session()?.assistant.conversations.rename(&wanted.conversation, &wanted.title)?;
    conversation_list::publish(app);
    Ok(())
}

pub(crate) fn delete(app: &Arc<App>, wanted: &ConversationRef) -> Result<(), IpcError> {
    let session = app.session()?;
    session.assistant.answers.stop(&wanted.conversation);
    session.assistant.conversations.delete(&wanted.conversation)?;
    conversation_list::publish(app);
    Ok(())
}

/// Asks for a file, and writes a conversation as Markdown.
pub(crate) fn export(app: &Arc<App>, wanted: &ConversationRef) -> Result<Option<String>, IpcError> {
    let kept = read(app, &wanted.conversation)?;
    save_markdown(app, &kept.title, &export_markdown(&kept, &wording(&app.settings())))
}

/// Asks for a file, and writes Markdown. The title becomes the file's name, unless the user chooses another, which is returned.
pub(crate) fn save_markdown(app: &App, title: &str, text: &str) -> Result<Option<String>, IpcError> {
    save_text(app, title, ("Markdown", "md"), text)
}

/// The same for any text, with the name of its format and its extension.
pub(crate) fn save_text(
    app: &App,
    title: &str,
    (kind, extension): (&str, &str),
    text: &str,
) -> Result<Option<String>, IpcError> {
    let name = format!("{}.{extension}", file_name(title));
    let Some(path) = dialogs::save_as(app.handle(), &name, kind, extension)? else { return Ok(None) };
    std::fs::write(&path, text).map_err(|error| {
        Notice::of_path(&path, Notice::ExportNotWritten { cause: Notice::io(&error).into() })
    })?;
    Ok(Some(name_of(&path)))
}

/// Includes a document of a list, or leaves it out. The answer is counted again.
pub(crate) fn review(app: &Arc<App>, wanted: &ReviewSurvey) -> Result<Turn, IpcError> {
    let turn = app.session()?.assistant.review(wanted)?;
    conversation_list::publish(app);
    Ok(turn)
}

/// Asks for a file, and writes the list of an answer as CSV.
pub(crate) fn save_survey(app: &Arc<App>, wanted: &TurnRef) -> Result<Option<String>, IpcError> {
    let (kept, turn) = read_turn(app, wanted)?;
    let Some(survey) = turn.answer.as_ref().and_then(|answer| answer.survey.as_ref()) else {
        return Ok(None);
    };
    save_text(app, &kept.title, ("CSV", "csv"), &survey_csv(survey))
}

pub(crate) fn whole_markdown(app: &Arc<App>, wanted: &ConversationRef) -> Result<String, IpcError> {
    let kept = read(app, &wanted.conversation)?;
    Ok(export_markdown(&kept, &wording(&app.settings())))
}

/// One turn as Markdown, without the conversation's title.
pub(crate) fn turn_markdown(app: &Arc<App>, wanted: &TurnRef) -> Result<String, IpcError> {
    let (mut kept, turn) = read_turn(app, wanted)?;
    kept.turns.push(turn);
    let text = export_markdown(&kept, &wording(&app.settings()));
    let without_title = text.split_once("\n\n").map_or(text.as_str(), |(_, rest)| rest);
    Ok(without_title.to_owned())
}

/// A file name for a conversation with this title.
fn file_name(title: &str) -> String {
    let plain: String = title
        .chars()
        .map(|one| if one.is_alphanumeric() || " -_,.".contains(one) { one } else { ' ' })
        .collect();
    let name: String =
        plain.trim().trim_start_matches('.').trim().chars().take(MAX_FILE_NAME_CHARS).collect();
    if name.is_empty() { "Oriel".to_owned() } else { name }
}

fn wording(settings: &Settings) -> ExportWording<'static> {
    let is_german = settings.is_german();
    let word = |english, german| if is_german { german } else { english };
    ExportWording {
        sources: word("Sources", "Quellen"),
        nearest: word("Nearest passages", "Nächstliegende Stellen"),
        page: word("page", "Seite"),
        row: word("row", "Zeile"),
        unanswered: word("No answer.", "Keine Antwort."),
        stopped: word("Stopped before the answer was complete.", "Angehalten, bevor die Antwort fertig war."),
    }
}
