//! Chat exports of Slack, Teams, Telegram, Discord, Google Chat, Messenger and Instagram; one message per paragraph.

use super::super::writer::Writer;
use super::super::{Limits, html};
use super::message::{self, Message};
use super::slack;
use super::value::Json;

/// Names under which an object may have its messages.
const LISTS: &[&str] = &["messages", "value", "MessageList", "chat_messages"];
/// Maximum depth of lists in lists.
const MAX_DEPTH: usize = 4;

/// Writes the messages of a chat; `false` if the value is not a chat.
pub(super) fn write(writer: &mut Writer, whole: &Json) -> bool {
    has_any_message(whole, MAX_DEPTH + 1) && write_below(writer, whole, MAX_DEPTH)
}

/// Whether there is any message.
fn has_any_message(value: &Json, depth: usize) -> bool {
    let below = |one: &Json| depth > 0 && has_any_message(one, depth - 1);
    match value {
        Json::List(list) => messages(list).is_some() || list.iter().any(below),
        Json::Object(members) => members.iter().any(|(_, one)| below(one)),
        _ => false,
    }
}

fn write_below(writer: &mut Writer, value: &Json, depth: usize) -> bool {
    match value {
        // An empty chat counts too.
        Json::List(list) if list.is_empty() => true,
        Json::List(list) => {
            if let Some(messages) = messages(list) {
                messages.iter().for_each(|message| message::write(writer, message));
                return true;
            }
            // A list of chats.
            let is_chats = depth > 0 && !list.is_empty() && list.iter().all(|chat| has_messages(chat, depth));
            is_chats && list.iter().all(|chat| write_below(writer, chat, depth - 1))
        }
        Json::Object(_) if depth > 0 => {
            let inner =
                LISTS.iter().find_map(|name| value.get(name)).filter(|list| has_messages(list, depth));
            let chats =
                value.get("chats").and_then(|chats| chats.get("list")).or_else(|| value.get("conversations"));
            let Some(inner) = inner.or_else(|| chats.filter(|chats| has_messages(chats, depth))) else {
                return false;
            };
            if let Some(title) = title(value) {
                writer.heading(title, 1);
            }
            write_below(writer, inner, depth - 1)
        }
        _ => false,
    }
}

/// Whether there are messages in a value.
fn has_messages(value: &Json, depth: usize) -> bool {
    match value {
        Json::List(list) => {
            list.is_empty()
                || messages(list).is_some()
                || (depth > 0
                    && list.iter().all(|one| matches!(one, Json::Object(_)) && has_messages(one, depth - 1)))
        }
        Json::Object(_) if depth > 0 => {
            LISTS.iter().any(|name| value.get(name).is_some_and(|list| has_messages(list, depth - 1)))
        }
        _ => false,
    }
}

fn title(chat: &Json) -> Option<&str> {
    let channel = chat.get("channel").and_then(|channel| channel.text("name"));
    ["title", "name", "displayName", "topic"].iter().find_map(|name| chat.text(name)).or(channel)
}

/// The messages of a list, if four fifths of its items are messages of one program; the other items are ignored.
fn messages(list: &[Json]) -> Option<Vec<Message>> {
    let read: [fn(&Json) -> Option<Message>; 7] =
        [slack::message, teams, skype, telegram, discord, google_chat, messenger];
    let sample = list.iter().take(20);
    let of = read.into_iter().max_by_key(|read| sample.clone().filter(|one| read(one).is_some()).count())?;
    let known = list.iter().filter(|one| of(one).is_some()).count();
    (known > 0 && known * 10 >= list.len() * 8).then(|| list.iter().filter_map(of).collect())
}

/// The text of a page.
fn page_text(page: &str) -> String {
    let limits = Limits { text_bytes: page.len().saturating_mul(2).max(1000), ..Limits::default() };
    html::read_text(page, &limits).map_or_else(|_| page.to_owned(), |page| page.writer.text().to_owned())
}

/// A message of Teams, from Microsoft Graph.
fn teams(message: &Json) -> Option<Message> {
    let (body, time) = (message.get("body")?, message.text("createdDateTime")?);
    let from = message.get("from");
    let named =
        ["user", "application", "device"].iter().find_map(|kind| from?.get(kind)?.text("displayName"));
    let content = body.text("content").unwrap_or_default();
    let is_page = body.text("contentType").is_none_or(|kind| kind.eq_ignore_ascii_case("html"));
    let mut text = if is_page { page_text(content) } else { content.to_owned() };
    if let Some(subject) = message.text("subject") {
        text = format!("{subject}\n{text}");
    }
    let files = message.list("attachments").unwrap_or_default().iter().filter_map(|file| file.text("name"));
    files.for_each(|file| text.extend(["\n", "File: ", file]));
    Some(Message { speaker: named.unwrap_or_default().to_owned(), time: message::from_iso(time), text })
}

/// A message of Teams or Skype, from the export of the user's own data.
fn skype(message: &Json) -> Option<Message> {
    let time = message.text("originalarrivaltime")?;
    let from = message.text("displayName").or_else(|| message.text("from"))?;
    let text = page_text(message.text("content").unwrap_or_default());
    Some(Message { speaker: from.to_owned(), time: message::from_iso(time), text })
}

fn telegram(message: &Json) -> Option<Message> {
    let (kind, time, text) = (message.text("type")?, message.text("date")?, message.get("text")?);
    if !matches!(kind, "message" | "service") {
        return None;
    }
    let from = message.text("from").or_else(|| message.text("actor")).unwrap_or_default();
    let mut text = match text {
        // The parts of a text, some with a style.
        Json::List(parts) => parts
            .iter()
            .filter_map(|part| part.as_text().or_else(|| part.text("text")))
            .collect::<Vec<_>>()
            .join(""),
        text => text.as_text()?.to_owned(),
    };
    for (name, label) in
        [("file_name", "File"), ("file", "File"), ("media_type", "Media"), ("action", "Action")]
    {
        if text.trim().is_empty() {
            text = message
                .text(name)
                .map(|value| format!("{label}: {}", value.replace('_', " ")))
                .unwrap_or_default();
        }
    }
    Some(Message { speaker: from.to_owned(), time: message::from_iso(time), text })
}

fn discord(message: &Json) -> Option<Message> {
    let (time, author, content) =
        (message.text("timestamp")?, message.get("author")?, message.get("content")?.as_text()?);
    let name = ["nickname", "global_name", "name", "username"].iter().find_map(|name| author.text(name))?;
    let mut text = content.to_owned();
    let files = message.list("attachments").unwrap_or_default().iter();
    let files = files.filter_map(|file| file.text("fileName").or_else(|| file.text("filename")));
    files.for_each(|file| text.extend(["\n", "File: ", file]));
    Some(Message { speaker: name.to_owned(), time: message::from_iso(time), text })
}

fn google_chat(message: &Json) -> Option<Message> {
    let (creator, time) = (message.get("creator")?, message.text("created_date")?);
    let name = creator.text("name").or_else(|| creator.text("email"))?;
    Some(Message {
        speaker: name.to_owned(),
        time: time.to_owned(),
        text: message.text("text").unwrap_or_default().to_owned(),
    })
}

/// A message of Messenger or Instagram.
fn messenger(message: &Json) -> Option<Message> {
    let (name, time) = (message.text("sender_name")?, message.get("timestamp_ms")?.number()?);
    let text = message.text("content").unwrap_or_default();
    Some(Message {
        speaker: decode_byte_characters(name),
        time: message::from_unix(time / 1000.0),
        text: decode_byte_characters(text),
    })
}

/// Decodes text of exports that write each UTF-8 byte as a separate character.
fn decode_byte_characters(text: &str) -> String {
    let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;

    #[test]
    fn chats_of_many_programs_are_messages() {
        for (json, said) in [
            (
                r#"{"messages":[{"createdDateTime":"2026-01-05T08:00:00Z","from":{"user":{"displayName":"Ruth"}},"body":{"contentType":"html","content":"<div>On <b>19 January</b>.</div>"}}]}"#,
                "Ruth, 2026-01-05 08:00 UTC: On 19 January.",
            ),
            (
                r#"{"name":"Boats","type":"personal_chat","messages":[{"id":1,"type":"message","date":"2026-01-05T09:00:00","from":"Ann","text":["See ",{"type":"link","text":"this"}]}]}"#,
                "Boats\n\nAnn, 2026-01-05 09:00:00: See this",
            ),
            (
                r#"{"channel":{"name":"general"},"messages":[{"timestamp":"2026-01-05T09:00:00+01:00","author":{"name":"ann","nickname":"Ann"},"content":"Yes.","attachments":[]}]}"#,
                "general\n\nAnn, 2026-01-05 08:00 UTC: Yes.",
            ),
            (
                r#"{"participants":[{"name":"Zo\u00c3\u00ab"}],"messages":[{"sender_name":"Zo\u00c3\u00ab","timestamp_ms":1767603600000,"content":"Caf\u00c3\u00a9"}]}"#,
                "Zoë, 2026-01-05 09:00 UTC: Café",
            ),
        ] {
            assert_eq!(text(json), said);
        }
        assert_eq!(
            text(r#"{"messages":[{"text":"a","level":3}]}"#),
            "messages\n\ntext: a, level: 3",
            "no chat that is known"
        );
    }
}
