//! Chats in WhatsApp's text export: one message per paragraph.

use super::Limits;
use super::writer::Writer;

/// A chat must have a message within this many lines.
const SAMPLE: usize = 20;

/// Reads the messages of a chat; `None` if the text is not a chat.
pub(super) fn read(text: &str, limits: &Limits) -> Option<Writer> {
    let first: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE).collect();
    let begun = first.iter().filter(|line| begins_message(line)).count();
    let is_chat =
        first.first().is_some_and(|line| begins_message(line)) && begun >= 2 && begun * 3 >= first.len();
    if !is_chat {
        return None;
    }
    let mut writer = Writer::new(limits.text_bytes);
    for line in text.lines() {
        let shown = without_marks(line);
        let _ = if begins_message(line) { writer.block(&shown) } else { writer.line(&shown) };
    }
    Some(writer)
}

/// Whether a line begins a message: `[05.01.26, 9:14:02 AM] Ann: …` or `05/01/2026, 09:14 - Ann: …`.
fn begins_message(line: &str) -> bool {
    let line = line.trim_start_matches(is_mark);
    let (head, said) = match line.strip_prefix('[') {
        Some(rest) => rest.split_once("] ").unwrap_or_default(),
        None => line.split_once(" - ").unwrap_or_default(),
    };
    let Some((date, time)) = head.split_once([',', ' ']) else { return false };
    let has_numbers = |text: &str, signs: &[char], least: usize| {
        let parts = text.trim().split(signs);
        parts.clone().count() >= least
            && parts.take(least).all(|part| part.trim().starts_with(|c: char| c.is_ascii_digit()))
    };
    (head.contains(", ") || line.starts_with('['))
        && head.len() <= 40
        && !said.is_empty()
        && has_numbers(date, &['.', '/', '-'], 3)
        && has_numbers(time, &[':', '.'], 2)
}

/// Whether a character is an invisible mark of the writing direction.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{FEFF}' | '\u{2068}' | '\u{2069}')
}

fn without_marks(line: &str) -> String {
    let shown = line.chars().filter(|c| !is_mark(*c));
    shown.map(|c| if c == '\u{202F}' { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_paragraphs() {
        let read = |text: &str| read(text, &Limits::default()).map(|chat| chat.text().to_owned());
        let apple = "\u{200E}[05.01.26, 9:14:02\u{202F}AM] Ann: The key.\n[05.01.26, 9:16:11\u{202F}AM] Bob: I paid\nin cash.\n";
        assert_eq!(
            read(apple).unwrap(),
            "[05.01.26, 9:14:02 AM] Ann: The key.\n\n[05.01.26, 9:16:11 AM] Bob: I paid\nin cash."
        );
        let android = "05/01/2026, 09:14 - Ann: Yes.\n05/01/2026, 09:15 - Bob: No.\n";
        assert_eq!(read(android).unwrap(), "05/01/2026, 09:14 - Ann: Yes.\n\n05/01/2026, 09:15 - Bob: No.");
        assert_eq!(read("2026-01-05 09:14:00 started\n2026-01-05 09:15:00 ended\n"), None);
    }
}
