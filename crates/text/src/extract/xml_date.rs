//! Dates as XML writes them.

use mail_parser::DateTime;

/// Parses a date in XML's format, with or without time and zone, to seconds since 1970.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let has_zone = text.ends_with('Z') || text.get(10..).is_some_and(|time| time.contains(['+', '-']));
    let text = match text.len() {
        10 => format!("{text}T00:00:00Z"),
        _ if has_zone => text.to_owned(),
        _ => format!("{text}Z"),
    };
    DateTime::parse_rfc3339(&text).filter(DateTime::is_valid).map(|date| date.to_timestamp())
}
