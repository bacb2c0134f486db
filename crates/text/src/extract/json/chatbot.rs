//! Exports of conversations with chatbots: ChatGPT, Claude, and lists of messages in the format of their APIs.

use std::collections::HashSet;

use super::super::writer::Writer;
use super::message::{self, Message};
use super::value::Json;

/// Writes conversations; `false` if the value has none.
pub(super) fn write(writer: &mut Writer, whole: &Json) -> bool {
    let alone = std::slice::from_ref(whole);
    let list = whole.as_list().unwrap_or(alone);
    let is_one = |one: &Json| one.get("mapping").is_some_and(is_tree) || is_listed(one);
    if !list.is_empty() && list.iter().all(is_one) {
        list.iter().for_each(|conversation| write_one(writer, conversation));
        return true;
    }
    if !list.is_empty() && list.iter().all(is_message) {
        list.iter().filter_map(message).for_each(|message| message::write(writer, &message));
        return true;
    }
    false
}

/// Whether it is a tree of messages as in ChatGPT's export.
fn is_tree(mapping: &Json) -> bool {
    matches!(mapping, Json::Object(nodes)
        if !nodes.is_empty() && nodes.iter().all(|(_, node)| node.get("children").is_some()))
}

fn is_listed(conversation: &Json) -> bool {
    let list = conversation.list("chat_messages").or_else(|| conversation.list("messages"));
    list.is_some_and(|list| {
        conversation.get("chat_messages").is_some() || (!list.is_empty() && list.iter().all(is_message))
    })
}

/// Whether it is an object with a role and a content, and hardly anything else.
fn is_message(message: &Json) -> bool {
    let Json::Object(members) = message else { return false };
    members.len() <= 6 && message.text("role").is_some() && message.get("content").is_some()
}

fn write_one(writer: &mut Writer, conversation: &Json) {
    if let Some(title) = conversation.text("title").or_else(|| conversation.text("name")) {
        writer.heading(title, 1);
    }
    if let Some(Json::Object(nodes)) = conversation.get("mapping") {
        current_path(conversation, nodes)
            .into_iter()
            .filter_map(node_message)
            .for_each(|message| message::write(writer, &message));
        return;
    }
    let list = conversation.list("chat_messages").or_else(|| conversation.list("messages"));
    list.unwrap_or_default().iter().filter_map(message).for_each(|message| message::write(writer, &message));
}

/// The nodes from the first message to the one shown last. A message that was edited or regenerated has several
/// children.
fn current_path<'a>(conversation: &'a Json, nodes: &'a [(String, Json)]) -> Vec<&'a Json> {
    let by_id: std::collections::HashMap<&str, &Json> =
        nodes.iter().map(|(id, node)| (id.as_str(), node)).collect();
    let mut seen = HashSet::new();
    let mut last = conversation.text("current_node").filter(|id| by_id.contains_key(id));
    if last.is_none() {
        let is_root = |node: &Json| node.text("parent").is_none_or(|parent| !by_id.contains_key(parent));
        let mut next = nodes.iter().find(|(_, node)| is_root(node)).map(|(id, _)| id.as_str());
        while let Some(id) = next.filter(|id| seen.insert(*id)) {
            last = Some(id);
            next = by_id.get(id).and_then(|node| node.list("children")?.last()?.as_text());
        }
        seen.clear();
    }
    let mut path = Vec::new();
    while let Some(node) = last.filter(|id| seen.insert(*id)).and_then(|id| by_id.get(id)) {
        path.push(*node);
        last = node.text("parent");
    }
    path.reverse();
    path
}

/// The message of a node in ChatGPT's tree.
fn node_message(node: &Json) -> Option<Message> {
    let message = node.get("message")?;
    let role = message.get("author")?.text("role")?;
    let is_hidden =
        message.get("metadata").and_then(|about| about.get("is_visually_hidden_from_conversation"));
    let content = message.get("content")?;
    let kind = content.text("content_type").unwrap_or("text");
    let is_shown = matches!(role, "user" | "assistant") && matches!(kind, "text" | "multimodal_text");
    if !is_shown || is_hidden == Some(&Json::Bool(true)) {
        return None;
    }
    let parts = content.list("parts").unwrap_or_default().iter();
    let text =
        parts.filter_map(|part| part.as_text().or_else(|| part.text("text"))).collect::<Vec<_>>().join("\n");
    let time = message.get("create_time").and_then(Json::number).map(message::from_unix).unwrap_or_default();
    Some(Message { speaker: speaker(role), time, text })
}

/// A message of Claude's export, or of a list of roles and contents.
fn message(message: &Json) -> Option<Message> {
    let role = message.text("sender").or_else(|| message.text("role"))?;
    let parts = message
        .list("content")
        .unwrap_or_default()
        .iter()
        .filter(|part| part.text("type").is_none_or(|kind| kind == "text"));
    let parts: Vec<_> = parts.filter_map(|part| part.text("text")).collect();
    let mut text = match message.text("text").or_else(|| message.text("content")) {
        Some(text) => text.to_owned(),
        None => parts.join("\n"),
    };
    for file in message.list("attachments").into_iter().chain(message.list("files")).flatten() {
        file.text("file_name").into_iter().for_each(|name| text.extend(["\n", "File: ", name]));
    }
    let time = message.text("created_at").map(message::from_iso).unwrap_or_default();
    Some(Message { speaker: speaker(role), time, text })
}

fn speaker(role: &str) -> String {
    let mut letters = role.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;

    #[test]
    fn the_path_that_is_shown_is_read() {
        let node = |id: &str, parent: &str, role: &str, said: &str, next: &str| {
            format!(
                r#""{id}":{{"message":{{"author":{{"role":"{role}"}},"create_time":1767603600.1,"content":{{"content_type":"text","parts":["{said}"]}}}},"parent":{parent},"children":[{next}]}}"#
            )
        };
        let nodes = [
            node("c", "\"a\"", "assistant", "Twenty.", ""),
            node("a", "null", "user", "How many?", "\"b\",\"c\""),
            node("b", "\"a\"", "assistant", "Ten.", ""),
        ];
        let chat = |end: &str| format!(r#"[{{"title":"Trip","mapping":{{{}}}{end}}}]"#, nodes.join(","));
        let shown = "Trip\n\nUser, 2026-01-05 09:00 UTC: How many?\n\nAssistant, 2026-01-05 09:00 UTC: ";
        assert_eq!(text(&chat("")), format!("{shown}Twenty."));
        assert_eq!(text(&chat(r#","current_node":"b""#)), format!("{shown}Ten."));
        let circle =
            r#"[{"mapping":{"a":{"parent":"b","children":["b"]},"b":{"parent":"a","children":["a"]}}}]"#;
        assert_eq!(text(circle), "");
    }

    #[test]
    fn lists_of_messages_are_read() {
        let claude = r#"[{"name":"Trip","chat_messages":[{"sender":"human","created_at":"2026-01-05T09:00:00.5Z","text":"","content":[{"type":"text","text":"How many?"}]}]}]"#;
        assert_eq!(text(claude), "Trip\n\nHuman, 2026-01-05 09:00 UTC: How many?");
        assert_eq!(text(r#"{"messages":[{"role":"user","content":"Hello"}]}"#), "User: Hello");
    }
}
