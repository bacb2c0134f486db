//! Calendars (iCalendar, vCalendar): each event or task is a block below its name.

use jiff::SignedDuration;
use oriel_core::{About, Extracted, Failure, Kind};

use super::content_line::{ContentLine, each, split, unescaped};
use super::date_time::DateTime;
use super::recurrence::in_words;
use super::writer::{Writer, one_line};
use super::{Limits, encoding, html};

/// Further lines of an entry are ignored.
const MAX_LINES: usize = 10_000;

/// Reads a calendar file.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let text = encoding::plain_text(bytes, None)?;
    let mut title = None;
    each(&text, |line| {
        if matches!(line.name.as_str(), "X-WR-CALNAME" | "NAME") && title.is_none() {
            title = Some(line.text()).filter(|name| !name.is_empty());
        }
    });
    let about = About { title, ..About::default() };
    Ok(Extracted { about, ..read(&text, limits)?.finish(Kind::Calendar)? })
}

/// Reads the entries of a calendar.
pub(super) fn read(text: &str, limits: &Limits) -> Result<Writer, Failure> {
    let mut writer = Writer::new(limits.text_bytes);
    // The open entry, and the open components inside it, such as an alarm.
    let mut entry: Option<(String, Vec<ContentLine>)> = None;
    let mut inside = 0_usize;
    each(text, |line| match (line.name.as_str(), &mut entry) {
        ("BEGIN", None) => {
            let kind = line.value.trim().to_uppercase();
            if matches!(kind.as_str(), "VEVENT" | "VTODO" | "VJOURNAL") {
                entry = Some((kind, Vec::new()));
            }
        }
        ("BEGIN", Some(_)) => inside += 1,
        ("END", Some(_)) if inside > 0 => inside -= 1,
        ("END", Some(_)) => {
            if let Some((kind, lines)) = entry.take() {
                write(&mut writer, &Entry { kind, lines });
            }
        }
        (_, Some((_, lines))) if inside == 0 && lines.len() < MAX_LINES => lines.push(line),
        _ => {}
    });
    if let Some((kind, lines)) = entry {
        write(&mut writer, &Entry { kind, lines });
    }
    Ok(writer)
}

struct Entry {
    kind: String,
    lines: Vec<ContentLine>,
}

impl Entry {
    fn line(&self, name: &str) -> Option<&ContentLine> {
        self.lines.iter().find(|line| line.name == name)
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a ContentLine> {
        self.lines.iter().filter(move |line| line.name == name)
    }

    fn text(&self, name: &str) -> Option<String> {
        self.line(name).map(ContentLine::text).filter(|text| !text.is_empty())
    }
}

fn write(writer: &mut Writer, entry: &Entry) {
    let summary = entry.text("SUMMARY");
    let is_done = entry.text("STATUS").is_some_and(|status| status.eq_ignore_ascii_case("completed"))
        || entry.line("COMPLETED").is_some();
    let heading = match (entry.kind.as_str(), summary) {
        ("VTODO", summary) => format!("{} {}", if is_done { "☑" } else { "☐" }, summary.unwrap_or_default()),
        (_, Some(summary)) => summary,
        (_, None) => "(no title)".to_owned(),
    };
    writer.heading(&heading, 1);
    let people = |name| entry.all(name).map(person).collect::<Vec<_>>().join("; ");
    let joined = |name| entry.all(name).map(|line| list(&line.value)).collect::<Vec<_>>().join(", ");
    let fields = [
        ("When", when(entry)),
        ("Due", entry.line("DUE").map(|line| DateTime::of(line).map_or(line.text(), |due| due.shown()))),
        ("Completed", entry.line("COMPLETED").and_then(DateTime::of).map(|time| time.shown())),
        ("Repeats", entry.line("RRULE").map(|line| in_words(&line.value))),
        ("Not on", Some(entry.all("EXDATE").map(dates).collect::<Vec<_>>().join("; "))),
        ("Also on", Some(entry.all("RDATE").map(dates).collect::<Vec<_>>().join("; "))),
        ("Instead of", entry.line("RECURRENCE-ID").and_then(DateTime::of).map(|time| time.shown())),
        ("Where", entry.text("LOCATION")),
        ("Organizer", Some(people("ORGANIZER"))),
        ("Attendees", Some(people("ATTENDEE"))),
        ("Status", entry.text("STATUS").map(|status| status.to_lowercase().replace('-', " "))),
        ("Categories", Some(joined("CATEGORIES"))),
        ("Contact", entry.text("CONTACT")),
        ("Address", entry.text("URL")),
    ];
    let mut is_first = true;
    for (label, value) in fields {
        let value = one_line(&value.unwrap_or_default());
        if value.is_empty() {
            continue;
        }
        let line = format!("{label}: {value}");
        let _ = if std::mem::take(&mut is_first) { writer.block(&line) } else { writer.line(&line) };
    }
    write_description(writer, entry);
}

fn write_description(writer: &mut Writer, entry: &Entry) {
    let described = entry.text("DESCRIPTION").or_else(|| {
        let page = entry.text("X-ALT-DESC")?;
        let limits = Limits { text_bytes: page.len(), ..Limits::default() };
        html::read_text(&page, &limits).ok().map(|page| page.writer.text().to_owned())
    });
    for text in
        described.into_iter().chain(entry.all("COMMENT").map(|line| format!("Comment: {}", line.text())))
    {
        writer.block(&text);
    }
}

/// A list of texts separated by commas.
fn list(value: &str) -> String {
    split(value, ',').map(|one| one_line(&unescaped(one))).collect::<Vec<_>>().join(", ")
}

/// A participant with address and reply.
fn person(line: &ContentLine) -> String {
    let address = line.value.trim();
    let address = address
        .split_once(':')
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("mailto"))
        .map_or(address, |(_, rest)| rest);
    let name = line.parameter("CN").unwrap_or_default();
    let mut shown = match (name.is_empty() || name == address, address.contains('@')) {
        (true, _) => address.to_owned(),
        (false, true) => format!("{name} <{address}>"),
        (false, false) => name.to_owned(),
    };
    let status = line.parameter("PARTSTAT").map(str::to_lowercase);
    if let Some(status @ ("accepted" | "declined" | "tentative" | "delegated")) = status.as_deref() {
        shown.extend([" (", status, ")"]);
    }
    shown
}

fn dates(line: &ContentLine) -> String {
    let zone = line.parameter("TZID").unwrap_or_default();
    let dates = split(&line.value, ',')
        .take(MAX_LINES)
        .filter_map(|date| DateTime::read(date.split('/').next()?, zone));
    dates.map(|date| date.shown()).collect::<Vec<_>>().join("; ")
}

/// The start and the end of an entry as text.
fn when(entry: &Entry) -> Option<String> {
    let line = entry.line("DTSTART")?;
    let Some(start) = DateTime::of(line) else { return Some(line.text()) };
    let end = entry.line("DTEND").and_then(DateTime::of).or_else(|| {
        let length = duration(entry.line("DURATION")?.value.trim())?;
        Some(DateTime { at: start.at.checked_add(length).ok()?, ..start.clone() })
    });
    let Some(mut end) = end else { return Some(start.shown()) };
    if !end.has_time {
        // The end date of a whole-day entry is exclusive.
        end.at = end.at.checked_sub(SignedDuration::from_hours(24)).ok()?;
    }
    Some(match (end.at.date() == start.at.date(), start.has_time) {
        _ if end.at <= start.at => start.shown(),
        (true, true) if end.zone == start.zone => {
            format!("{}, {} to {}{}", start.date(), start.time(), end.time(), start.zone_suffix())
        }
        _ => format!("{} to {}", start.shown(), end.shown()),
    })
}

/// A duration such as `P1DT2H30M`.
fn duration(text: &str) -> Option<SignedDuration> {
    let mut seconds = 0_i64;
    let mut number = 0_i64;
    for c in text.strip_prefix('P').or_else(|| text.strip_prefix("+P"))?.chars() {
        let unit = match c {
            'T' => continue,
            'W' => 604_800,
            'D' => 86_400,
            'H' => 3600,
            'M' => 60,
            'S' => 1,
            c => {
                number = number.checked_mul(10)?.checked_add(i64::from(c.to_digit(10)?))?;
                continue;
            }
        };
        seconds = seconds.checked_add(std::mem::take(&mut number).checked_mul(unit)?)?;
    }
    Some(SignedDuration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_blocks_below_their_names() {
        let calendar = "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Garden\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n\
            BEGIN:VEVENT\r\nDTSTART;TZID=Europe/Berlin:20240612T093000\r\nDTEND;TZID=Europe/Berlin:20240612T110000\r\nSUMMARY:Handover\\, at last\r\n\
            ATTENDEE;CN=\"Münch, Ole\";PARTSTAT=ACCEPTED:mailto:o@b.c\r\nDESCRIPTION:Bring the lad\r\n der.\\nAnd gloves.\r\n\
            BEGIN:VALARM\r\nDESCRIPTION:Not seen\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\n\
            BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20240701\r\nDTEND;VALUE=DATE:20240703\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Fair\r\nEND:VEVENT\r\n\
            BEGIN:VTODO\r\nSUMMARY:Pay\r\nDUE:20240801T120000Z\r\nSTATUS:NEEDS-ACTION\r\nEND:VTODO\r\nEND:VCALENDAR\r\n";
        let made = extract(calendar.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(
            made.text,
            "Handover, at last\n\nWhen: Wednesday, 12 June 2024, 9:30 to 11:00 (Europe/Berlin)\nAttendees: Münch, Ole <o@b.c> (accepted)\n\nBring the ladder.\nAnd gloves.\n\n\
             Fair\n\nWhen: Monday, 1 July 2024 to Tuesday, 2 July 2024\nRepeats: every year\n\n\
             ☐ Pay\n\nDue: Thursday, 1 August 2024, 12:00 UTC\nStatus: needs action"
        );
        assert_eq!((made.about.title.as_deref(), made.outline.headings.len()), (Some("Garden"), 3));
    }

    #[test]
    fn odd_calendars_are_read() {
        let text = |calendar: &str| extract(calendar.as_bytes(), &Limits::default()).unwrap().text;
        assert_eq!(
            text("BEGIN:VEVENT\nDTSTART:20240612T2200Z\nDURATION:PT3H\nSUMMARY:Night"),
            "Night\n\nWhen: Wednesday, 12 June 2024, 22:00 UTC to Thursday, 13 June 2024, 1:00 UTC"
        );
        assert_eq!(
            text("BEGIN:VEVENT\nDTSTART:99999999\nDURATION:P99999999999999999W\nEND:VEVENT"),
            "(no title)\n\nWhen: 99999999"
        );
        assert_eq!(text("END:VEVENT\nnothing"), "");
    }
}
