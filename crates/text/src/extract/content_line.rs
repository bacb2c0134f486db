//! The lines of calendars and address cards (RFC 5545, RFC 6350, vCard 2.1): a name, parameters and a value.

use encoding_rs::Encoding;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;

use super::encoding;

/// An unfolded line.
#[derive(Debug, Default)]
pub(super) struct ContentLine {
    /// The group before the name, such as `item1`; lower case.
    pub(super) group: String,
    /// The name in upper case.
    pub(super) name: String,
    /// Names in upper case with their values; a parameter without a value has an empty name.
    parameters: Vec<(String, String)>,
    /// The decoded value, with its escapes.
    pub(super) value: String,
}

impl ContentLine {
    /// The first value of a parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    /// The types of the line, such as `home`.
    pub(super) fn types(&self) -> Vec<String> {
        let types = self.parameters.iter().filter(|(name, _)| name.is_empty() || name == "TYPE");
        types.flat_map(|(_, value)| value.split(',')).map(|one| one.trim().to_lowercase()).collect()
    }

    /// The value as text.
    pub(super) fn text(&self) -> String {
        unescaped(&self.value).trim().to_owned()
    }

    /// The parts of the value between semicolons, as text.
    pub(super) fn parts(&self) -> Vec<String> {
        split(&self.value, ';').map(|part| unescaped(part).trim().to_owned()).collect()
    }

    fn read(line: &str) -> Option<Self> {
        let colon = outside_quotes(line, ':')?;
        let (head, value) = (&line[..colon], &line[colon + 1..]);
        let mut rest = head;
        let mut parts = Vec::new();
        while let Some(at) = outside_quotes(rest, ';') {
            parts.push(&rest[..at]);
            rest = &rest[at + 1..];
        }
        parts.push(rest);
        let name = parts.first()?.trim();
        let (group, name) = name.rsplit_once('.').unwrap_or(("", name));
        let parameters: Vec<(String, String)> = parts[1..].iter().map(|part| parameter(part)).collect();
        let mut line = Self {
            group: group.to_lowercase(),
            name: name.to_uppercase(),
            parameters,
            value: value.to_owned(),
        };
        if line.is_quoted_printable() {
            line.value = line.decoded();
        }
        Some(line)
    }

    fn is_quoted_printable(&self) -> bool {
        self.parameters.iter().any(|(name, value)| {
            (name.is_empty() || name == "ENCODING") && value.eq_ignore_ascii_case("quoted-printable")
        })
    }

    fn decoded(&self) -> String {
        let Some(bytes) = quoted_printable_decode(self.value.as_bytes()) else { return self.value.clone() };
        let charset = self.parameter("CHARSET").and_then(|label| Encoding::for_label(label.as_bytes()));
        encoding::decode(&bytes, charset)
    }
}

fn parameter(part: &str) -> (String, String) {
    let (name, value) = part.split_once('=').unwrap_or(("", part));
    let value = value.trim().trim_matches('"').replace("^n", " ").replace("^'", "\"").replace("^^", "^");
    (name.trim().to_uppercase(), value)
}

/// The position of `sign` outside of quotes.
fn outside_quotes(text: &str, sign: char) -> Option<usize> {
    let mut is_quoted = false;
    text.find(|c: char| {
        is_quoted ^= c == '"';
        c == sign && !is_quoted
    })
}

/// Calls `take` with each unfolded line of a text.
pub(super) fn each(text: &str, mut take: impl FnMut(ContentLine)) {
    let mut lines = text.lines().peekable();
    while let Some(first) = lines.next() {
        let mut whole = first.trim_end_matches('\r').to_owned();
        let is_encoded = first.to_ascii_uppercase().contains("QUOTED-PRINTABLE");
        loop {
            if is_encoded && whole.ends_with('=') {
                whole.pop();
                let Some(next) = lines.next() else { break };
                whole.push_str(next.trim_end_matches('\r').trim_start());
                continue;
            }
            let Some(next) = lines.next_if(|next| next.starts_with([' ', '\t'])) else { break };
            whole.push_str(next[1..].trim_end_matches('\r'));
        }
        ContentLine::read(&whole).into_iter().for_each(&mut take);
    }
}

/// The parts of a value between separators that are not escaped.
pub(super) fn split(value: &str, sign: char) -> impl Iterator<Item = &str> {
    let mut is_escaped = false;
    value.split(move |c: char| {
        let is_end = c == sign && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    })
}

/// Removes the escapes of a text.
pub(super) fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(c @ ('\\' | ',' | ';' | ':' | '"')) => text.push(c),
                Some(c) => text.extend(['\\', c]),
                None => text.push('\\'),
            },
            '\r' => {}
            c => text.push(c),
        }
    }
    text
}
