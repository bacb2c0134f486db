//! Kept conversations: listed, shown, renamed, deleted, exported.

use std::sync::Arc;

use oriel_api::survey_csv;
use oriel_core::Notice;
use oriel_engine::{
    Conversation as KeptConversation, ConversationId, ExportWording, Turn as KeptTurn, export_markdown,
};

use crate::api::*;
use crate::desktop::{conversation_list, dialogs};
use crate::state::app::App;
use crate::state::session::LibrarySession;
use crate::views::documents::name_of;
use crate::views::turns::turn as turn_view;

/// The most characters of a file name that is made from a title.
const MAX_FILE_NAME_CHARS: usize = 60;

/// A conversation as it is kept.
pub(crate) fn kept_conversation(session: &LibrarySession, id: &str) -> Result<KeptConversation, IpcError> {
    Ok(session.assistant.conversations.get(&parse_id(id)?)?)
}

/// The same, without keeping the library open any longer: a dialog may follow.
fn read(app: &App, id: &str) -> Result<KeptConversation, IpcError> {
    let session = app.session()?;
    kept_conversation(&session, id)
}

/// The id of a conversation.
pub(crate) fn parse_id(id: &str) -> Result<ConversationId, IpcError> {
    id.parse().map_err(|_| IpcError::gone(Notice::NoConversationId))
}

/// A turn as it is kept.
pub(crate) fn kept_turn(
    session: &LibrarySession,
    conversation: &str,
    number: u32,
) -> Result<KeptTurn, IpcError> {
    take_turn(kept_conversation(session, conversation)?, number).map(|(_, turn)| turn)
}

/// A conversation without its turns, and one of them.
fn take_turn(mut kept: KeptConversation, number: u32) -> Result<(KeptConversation, KeptTurn), IpcError> {
    let mut turns = std::mem::take(&mut kept.turns);
    match (number as usize) < turns.len() {
        true => Ok((kept, turns.swap_remove(number as usize))),
        false => Err(IpcError::gone(Notice::QuestionGone)),
    }
}

/// A conversation.
pub(crate) fn get(app: &Arc<App>, wanted: &ConversationRef) -> Result<Conversation, IpcError> {
    let session = &app.session()?;
    let kept = kept_conversation(session, &wanted.conversation).inspect_err(|error| {
        // Another process may have deleted it while the UI still lists it.
        if error.kind == ErrorKind::Gone {
            conversation_list::publish(app);
        }
    })?;
    let turns = kept.turns.iter().map(|turn| turn_view(&session.library, turn)).collect::<Result<_, _>>()?;
    Ok(Conversation { id: kept.id.to_string(), title: kept.title, turns })
}

/// Gives a conversation another title.
pub(crate) fn rename(app: &Arc<App>, wanted: &Rename) -> Result<(), IpcError> {
    app.session()?.assistant.conversations.rename(&parse_id(&wanted.conversation)?, &wanted.title)?;
    conversation_list::publish(app);
    Ok(())
}

/// Deletes a conversation.
pub(crate) fn delete(app: &Arc<App>, wanted: &ConversationRef) -> Result<(), IpcError> {
    let session = app.session()?;
    let id = parse_id(&wanted.conversation)?;
    session.assistant.answers.stop(&id);
    session.assistant.conversations.delete(&id)?;
    conversation_list::publish(app);
    Ok(())
}

/// Asks where to, and writes a conversation as Markdown.
pub(crate) fn export(app: &Arc<App>, wanted: &ConversationRef) -> Result<Option<String>, IpcError> {
    let kept = read(app, &wanted.conversation)?;
    save_markdown(app, &kept.title, &export_markdown(&kept, &wording(&app.settings())))
}

/// Asks where to, and writes Markdown. The title becomes the file's name, unless the person chooses another, which is returned.
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
    let session = &app.session()?;
    let document = (wanted.n as usize).saturating_sub(1);
    let id = parse_id(&wanted.conversation)?;
    let turn = session.assistant.review(&id, wanted.turn as usize, document, wanted.included)?;
    conversation_list::publish(app);
    Ok(turn_view(&session.library, &turn)?)
}

/// Asks where to, and writes the list of an answer as CSV.
pub(crate) fn save_survey(app: &Arc<App>, wanted: &TurnRef) -> Result<Option<String>, IpcError> {
    let (kept, turn) = take_turn(read(app, &wanted.conversation)?, wanted.turn)?;
    let Some(survey) = turn.answer.as_ref().and_then(|answer| answer.survey.as_ref()) else {
        return Ok(None);
    };
    save_text(app, &kept.title, ("CSV", "csv"), &survey_csv(survey))
}

/// A whole conversation as Markdown.
pub(crate) fn whole_markdown(app: &Arc<App>, wanted: &ConversationRef) -> Result<String, IpcError> {
    let kept = read(app, &wanted.conversation)?;
    Ok(export_markdown(&kept, &wording(&app.settings())))
}

/// One turn as Markdown, without the conversation's title.
pub(crate) fn turn_markdown(app: &Arc<App>, wanted: &TurnRef) -> Result<String, IpcError> {
    let kept = read(app, &wanted.conversation)?;
    let (mut kept, turn) = take_turn(kept, wanted.turn)?;
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
    match settings.is_german() {
        true => ExportWording {
            sources: "Quellen",
            nearest: "Nächstliegende Stellen",
            page: "Seite",
            row: "Zeile",
            unanswered: "Keine Antwort.",
            stopped: "Angehalten, bevor die Antwort fertig war.",
        },
        false => ExportWording {
            sources: "Sources",
            nearest: "Nearest passages",
            page: "page",
            row: "row",
            unanswered: "No answer.",
            stopped: "Stopped before the answer was complete.",
        },
    }
}
