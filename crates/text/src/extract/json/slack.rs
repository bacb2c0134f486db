//! Slack exports. Messages refer to users by ids, which are resolved with `users.json` beside the folders of the
//! channels.

use std::collections::HashMap;

use super::message::{self, Message};
use super::value::{Json, parsed};

/// The names of users, by id.
pub(in super::super) type Users = HashMap<String, String>;

pub(super) fn users(list: &Json) -> Option<Users> {
    let users = list.as_list()?.iter().filter_map(|user| {
        let id = user.text("id")?;
        let profile = user.get("profile");
        let name = ["real_name", "display_name"].iter().find_map(|name| profile?.text(name));
        let name = name.or_else(|| user.text("real_name")).or_else(|| user.text("name"))?;
        Some((id.to_owned(), name.to_owned()))
    });
    Some(users.collect::<Users>()).filter(|users| !users.is_empty())
}

/// A file of messages with the names of users inserted; `None` if it is another file. The result replaces the file's
/// bytes.
pub(in super::super) fn named(bytes: &[u8], users: &Users) -> Option<Vec<u8>> {
    let mut list: Json = parsed(bytes)?;
    let Json::List(messages) = &mut list else { return None };
    if !messages.iter().any(|one| message(one).is_some()) {
        return None;
    }
    for message in messages {
        let Json::Object(members) = message else { continue };
        let name =
            members.iter().find(|(name, _)| name == "user").and_then(|(_, id)| users.get(id.as_text()?));
        let name = name.cloned();
        for (member, value) in members.iter_mut() {
            if let (true, Json::Text(text)) = (member == "text", value) {
                *text = with_users(text, users);
            }
        }
        if let Some(name) = name {
            members.retain(|(member, _)| member != "user_profile");
            let profile = Json::Object(vec![("real_name".to_owned(), Json::Text(name))]);
            members.push(("user_profile".to_owned(), profile));
        }
    }
    serde_json::to_vec(&list).ok()
}

/// Adds the names of users to their ids in a text.
fn with_users(text: &str, users: &Users) -> String {
    let mut named = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<@") {
        let end = after.find(['>', '|']).unwrap_or(after.len());
        named.extend([before, "<@", &after[..end]]);
        rest = &after[end..];
        if let Some(name) = users.get(&after[..end]).filter(|_| rest.starts_with('>')) {
            named.extend(["|", name]);
        }
    }
    named.push_str(rest);
    named
}

pub(super) fn message(message: &Json) -> Option<Message> {
    let is_message = message.text("type") == Some("message");
    let seconds = message.get("ts")?.as_text()?.parse::<f64>().ok().filter(|_| is_message)?;
    let profile = message.get("user_profile").or_else(|| message.get("bot_profile"));
    let name = ["real_name", "display_name", "name"].iter().find_map(|name| profile?.text(name));
    let name = name.or_else(|| message.text("username")).or_else(|| message.text("user")).unwrap_or_default();
    let mut text = displayed(message.text("text").unwrap_or_default());
    for attachment in message.list("attachments").unwrap_or_default() {
        let parts =
            ["pretext", "title", "text"].iter().filter_map(|part| attachment.text(part)).map(displayed);
        let parts: Vec<_> = parts.collect();
        let parts = if parts.is_empty() {
            attachment.text("fallback").map(displayed).into_iter().collect()
        } else {
            parts
        };
        parts.iter().for_each(|part| text.extend(["\n", part]));
    }
    for file in message.list("files").unwrap_or_default() {
        let name = file.text("title").or_else(|| file.text("name"));
        name.into_iter().for_each(|name| text.extend(["\n", "File: ", name]));
    }
    Some(Message { speaker: name.to_owned(), time: message::from_unix(seconds), text })
}

/// Converts a text to the form that Slack shows.
fn displayed(text: &str) -> String {
    let mut displayed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        displayed.push_str(before);
        let Some((link, after)) = after.split_once('>') else {
            displayed.push('<');
            rest = after;
            break;
        };
        let (address, label) =
            link.split_once('|').map_or((link, None), |(address, label)| (address, Some(label)));
        let label = label.filter(|label| !label.is_empty());
        match address.as_bytes().first() {
            Some(sign @ (b'@' | b'#')) => {
                displayed.push(char::from(*sign));
                displayed.push_str(label.unwrap_or(&address[1..]));
            }
            Some(b'!') => {
                let name = label.unwrap_or_else(|| address[1..].split('^').next().unwrap_or_default());
                displayed.extend([if name.starts_with('@') { "" } else { "@" }, name]);
            }
            _ => displayed.push_str(label.unwrap_or_else(|| address.trim_start_matches("mailto:"))),
        }
        rest = after;
    }
    displayed.push_str(rest);
    struck(&displayed).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Replaces `~struck~` by Oriel's marks of struck text.
fn struck(text: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(at) = rest.find('~') {
        marked.push_str(&rest[..at]);
        before = rest[..at].chars().next_back().unwrap_or(before);
        let after = &rest[at + 1..];
        // Struck text ends within its line.
        let end = after.find(['~', '\n']).filter(|end| {
            let inside = &after[..*end];
            after[*end..].starts_with('~')
                && !before.is_alphanumeric()
                && before != '~'
                && !inside.is_empty()
                && inside.trim() == inside
        });
        match end {
            Some(end) => {
                marked.extend(["~~", &after[..end], "~~"]);
                rest = &after[end + 1..];
            }
            None => {
                marked.push('~');
                rest = after;
            }
        }
        before = '~';
    }
    marked.push_str(rest);
    marked
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;
    use super::*;

    #[test]
    fn ids_and_signs_are_shown_as_slack_shows_them() {
        let users =
            users(&parsed(br#"[{"id":"U1","profile":{"real_name":"Bj\u00f6rn"}}]"#).unwrap()).unwrap();
        let talk = r#"[{"type":"message","user":"U1","ts":"1767603600.000100","text":"<@U1> &amp; <#C1|general>: <http://a.b|the plan>, ~not~ 5 &lt; 6 <!here>"}]"#;
        let named = named(talk.as_bytes(), &users).unwrap();
        assert_eq!(
            text(std::str::from_utf8(&named).unwrap()),
            "Björn, 2026-01-05 09:00 UTC: @Björn & #general: the plan, ~~not~~ 5 < 6 @here"
        );
        assert_eq!(text(talk).split(',').next(), Some("U1"));
        assert_eq!(super::named(b"[{\"a\":1}]", &users), None);
        assert_eq!(struck("a~b ~ c~ ~~d~~"), "a~b ~ c~ ~~d~~");
        assert_eq!(struck(&"~".repeat(3)), "~~~");
    }
}
