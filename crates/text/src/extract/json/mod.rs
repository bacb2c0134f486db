//! JSON and JSON lines: chats become messages; other values are written with the path of their names.

mod chat;
mod chatbot;
mod message;
mod slack;
mod value;

use oriel_core::{Extracted, Failure, Kind};
use serde_json::Deserializer;

use super::writer::{Writer, one_line};
use super::{Limits, encoding};
use value::{Json, parsed};

pub(super) use slack::{Users, named as with_names};

/// The users in the file `users.json` of Slack's export.
pub(super) fn users(bytes: &[u8]) -> Option<Users> {
    slack::users(&parsed(bytes)?)
}

/// Maximum bytes of a line with several values of an object.
const MAX_LINE: usize = 300;
/// A longer value gets its own line.
const MAX_SHORT: usize = 120;
/// The level of the deepest headings.
const MAX_LEVEL: u8 = 6;

/// Reads a JSON file. Text that is not JSON is returned unchanged.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let text = encoding::plain_text(bytes, None)?;
    let Some(values) = read(text.trim_start_matches('\u{FEFF}')) else {
        return Ok(Extracted::new(Kind::Json, text));
    };
    let mut writer = Writer::new(limits.text_bytes);
    // Several lines are treated as a list.
    let whole =
        if values.len() == 1 { values.into_iter().next().unwrap_or(Json::Null) } else { Json::List(values) };
    if !chatbot::write(&mut writer, &whole) && !chat::write(&mut writer, &whole) {
        Layout { writer: &mut writer, limit: limits.text_bytes }.value(&whole, "", 1);
    }
    writer.finish(Kind::Json)
}

/// The values of a file: one, or one per line. `None` if it is not JSON; lines that are not JSON stay as text.
fn read(text: &str) -> Option<Vec<Json>> {
    let values: Result<Vec<Json>, _> = Deserializer::from_str(text).into_iter().collect();
    if let Ok(values) = values {
        return (!values.is_empty()).then_some(values);
    }
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_object = |line: &&&str| line.trim_start().starts_with('{') && line.trim_end().ends_with('}');
    if lines.len() < 2 || lines.iter().filter(is_object).count() * 2 < lines.len() {
        return None;
    }
    let read = |line: &&str| serde_json::from_str(line).unwrap_or_else(|_| Json::Text((*line).to_owned()));
    Some(lines.iter().map(read).collect())
}

/// Writes values with their names. It recurses as deep as the JSON parser allows, which is 128.
struct Layout<'a> {
    writer: &'a mut Writer,
    /// Maximum bytes of an object's lines.
    limit: usize,
}

impl Layout<'_> {
    fn value(&mut self, value: &Json, path: &str, level: u8) {
        if self.writer.is_full() {
            return;
        }
        match value {
            Json::Object(members) => self.object(members, path, level),
            Json::List(list) if !list.iter().all(is_single) => {
                if !path.is_empty() {
                    self.writer.heading(path, level.min(MAX_LEVEL));
                }
                list.iter().for_each(|one| self.value(one, "", level.saturating_add(1)));
            }
            value => {
                let shown = single(value);
                if !shown.is_empty() {
                    self.writer.block(&labelled(path, &shown));
                }
            }
        }
    }

    /// Writes an object as a block: short values on one line, long ones on their own lines, lists of objects below a
    /// heading.
    fn object(&mut self, members: &[(String, Json)], path: &str, level: u8) {
        let mut lines = Lines { left: self.limit, ..Lines::default() };
        let mut lists = Vec::new();
        if collect(members, path, &mut lines, &mut lists).is_none() {
            return self.writer.overflow();
        }
        let mut is_first = true;
        for line in lines.finish() {
            let _ = if std::mem::take(&mut is_first) {
                self.writer.block(&line)
            } else {
                self.writer.line(&line)
            };
        }
        for (path, list) in lists {
            self.value(list, &path, level);
        }
    }
}

/// The lines of an object.
#[derive(Default)]
struct Lines {
    done: Vec<String>,
    open: String,
    /// Bytes that further names and values may have.
    left: usize,
}

impl Lines {
    /// Adds a name with its value; `None` if there are too many.
    fn push(&mut self, field: String) -> Option<()> {
        self.left = self.left.checked_sub(field.len())?;
        let is_long = field.len() > MAX_SHORT;
        if is_long || self.open.len() + field.len() > MAX_LINE {
            self.end();
        }
        if is_long {
            self.done.push(field);
            return Some(());
        }
        if !self.open.is_empty() {
            self.open.push_str(", ");
        }
        self.open.push_str(&field);
        Some(())
    }

    fn end(&mut self) {
        if !self.open.is_empty() {
            self.done.push(std::mem::take(&mut self.open));
        }
    }

    fn finish(mut self) -> Vec<String> {
        self.end();
        self.done
    }
}

/// Collects the values of an object and of the objects in it; `None` if they are too long.
fn collect<'a>(
    members: &'a [(String, Json)],
    path: &str,
    lines: &mut Lines,
    lists: &mut Vec<(String, &'a Json)>,
) -> Option<()> {
    for (name, value) in members {
        lines.left = lines.left.checked_sub(path.len())?;
        let path = if path.is_empty() { name.clone() } else { format!("{path} > {name}") };
        match value {
            Json::Object(members) => collect(members, &path, lines, lists)?,
            Json::List(list) if !list.iter().all(is_single) => {
                lines.left = lines.left.checked_sub(path.len())?;
                lists.push((path, value));
            }
            value => {
                let shown = single(value);
                if !shown.is_empty() {
                    lines.push(labelled(&path, &shown))?;
                }
            }
        }
    }
    Some(())
}

fn labelled(path: &str, value: &str) -> String {
    if path.is_empty() { value.to_owned() } else { format!("{path}: {value}") }
}

fn is_single(value: &Json) -> bool {
    !matches!(value, Json::List(_) | Json::Object(_))
}

/// The text of a value without members, or of a list of such values.
fn single(value: &Json) -> String {
    match value {
        Json::Null | Json::Object(_) => String::new(),
        Json::Bool(is_true) => is_true.to_string(),
        Json::Number(number) => number.to_string(),
        Json::Text(text) => one_line(text),
        Json::List(list) => list
            .iter()
            .filter(|one| is_single(one))
            .map(single)
            .filter(|one| !one.is_empty())
            .collect::<Vec<_>>()
            .join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn text(json: &str) -> String {
        extract(json.as_bytes(), &Limits::default()).unwrap().validated().unwrap().text
    }

    #[test]
    fn values_have_the_path_of_their_names() {
        let json = r#"{"person":{"name":"Zo\u00eb","address":{"city":"K\u00f8ge"}},"fees":[120,140],"none":null,"pets":[{"name":"Rex","age":3},{"name":"Mia"}]}"#;
        assert_eq!(
            text(json),
            "person > name: Zoë, person > address > city: Køge, fees: 120, 140\n\npets\n\nname: Rex, age: 3\n\nname: Mia"
        );
        assert_eq!(text("{\"note\":\"one\\ntwo\"}"), "note: one two");
    }

    #[test]
    fn lines_of_json_are_blocks() {
        let lines = "{\"time\":\"10:00\",\"user\":\"Zo\\u00eb\"}\n{\"time\":\"10:05\",\"user\":\"Per\"}\n";
        assert_eq!(text(lines), "time: 10:00, user: Zoë\n\ntime: 10:05, user: Per");
        assert_eq!(
            text(&format!("{lines}{{cut off")),
            "time: 10:00, user: Zoë\n\ntime: 10:05, user: Per\n\n{cut off"
        );
        assert_eq!(text("{ // a comment\n \"a\": 1 }"), "{ // a comment\n \"a\": 1 }");
        let deep = "[".repeat(100_000);
        assert_eq!(text(&deep), deep);
    }
}
