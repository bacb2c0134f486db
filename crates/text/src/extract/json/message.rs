//! Messages of chats, as they are written.

use jiff::Timestamp;

use super::super::writer::{Writer, one_line};

/// A message of a chat.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) speaker: String,
    pub(super) time: String,
    pub(super) text: String,
}

/// Writes a message as a paragraph.
pub(super) fn write(writer: &mut Writer, message: &Message) {
    let text = message.text.trim();
    if text.is_empty() {
        return;
    }
    let before: Vec<&str> =
        [&*message.speaker, &*message.time].into_iter().filter(|part| !part.is_empty()).collect();
    let before = one_line(&before.join(", "));
    // The paragraphs of a message stay together below their author.
    let text = text.replace("\r\n", "\n");
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    writer.block(&if before.is_empty() {
        lines.join("\n")
    } else {
        format!("{before}: {}", lines.join("\n"))
    });
}

/// Formats a time in seconds since 1970.
pub(super) fn from_unix(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "what is out of reach is no time")]
    let time = Timestamp::from_second(seconds as i64).ok();
    time.map(|time| time.strftime("%Y-%m-%d %H:%M UTC").to_string()).unwrap_or_default()
}

/// Formats a time such as `2026-01-05T08:00:00Z`.
pub(super) fn from_iso(text: &str) -> String {
    let shown = text.parse::<Timestamp>().map(|time| time.strftime("%Y-%m-%d %H:%M UTC").to_string());
    shown.unwrap_or_else(|_| text.trim().replacen('T', " ", 1))
}
