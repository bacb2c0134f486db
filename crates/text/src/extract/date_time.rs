//! Dates and times of calendars.

use jiff::civil;

use super::content_line::{ContentLine, split};

/// A date, or a date and time with its time zone.
#[derive(Clone, Debug)]
pub(super) struct DateTime {
    pub(super) at: civil::DateTime,
    pub(super) has_time: bool,
    pub(super) zone: String,
}

impl DateTime {
    pub(super) fn of(line: &ContentLine) -> Option<Self> {
        let zone = line.parameter("TZID").unwrap_or_default();
        // Some programs write a path before the name of the zone.
        let zone = zone.trim_start_matches('/').rsplit_once("Olson_").map_or(zone, |(_, zone)| zone);
        Self::read(split(&line.value, ',').next()?, zone)
    }

    /// Reads `20240612`, `20240612T093000` or `20240612T093000Z`.
    pub(super) fn read(text: &str, zone: &str) -> Option<Self> {
        let text = text.trim();
        let (text, zone) = text.strip_suffix(['Z', 'z']).map_or((text, zone), |text| (text, "UTC"));
        let text: String = text.chars().filter(|c| !matches!(c, '-' | ':')).collect();
        let (date, time) = text.split_once(['T', 't']).unwrap_or((&text, ""));
        let date = civil::Date::strptime("%Y%m%d", date).ok()?;
        let number = |range: std::ops::Range<usize>| {
            time.get(range).and_then(|part| part.parse::<i8>().ok()).unwrap_or_default()
        };
        let at = civil::DateTime::new(
            date.year(),
            date.month(),
            date.day(),
            number(0..2),
            number(2..4),
            number(4..6).min(59),
            0,
        )
        .ok()?;
        Some(Self { at, has_time: !time.is_empty(), zone: zone.to_owned() })
    }

    pub(super) fn shown(&self) -> String {
        if self.has_time {
            format!("{}, {}{}", self.date(), self.time(), self.zone_suffix())
        } else {
            self.date()
        }
    }

    pub(super) fn date(&self) -> String {
        self.at.strftime("%A, %-d %B %Y").to_string()
    }

    pub(super) fn time(&self) -> String {
        self.at.strftime("%-H:%M").to_string()
    }

    pub(super) fn zone_suffix(&self) -> String {
        match self.zone.as_str() {
            "" => String::new(),
            "UTC" => " UTC".to_owned(),
            zone => format!(" ({zone})"),
        }
    }
}
