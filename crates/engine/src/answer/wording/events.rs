//! What happens in documents, and when.

use jiff::civil::Date;
use oriel_text::dates::Period;

use super::pick;
use crate::question::events::{Event, EventQuestion};
use crate::search::events::{DatedEvents, days_between};

/// "2 of 4 contracts end within 90 days."
pub(crate) fn counted(question: &EventQuestion, all: &DatedEvents, documents: usize) -> String {
    let EventQuestion { event, time, is_german, noun, .. } = question;
    let read = all.read;
    // The rows of a table are counted each.
    let rows = Some(all.all.len()).filter(|_| all.all.iter().any(|one| one.row.is_some()));
    let found = rows.unwrap_or(documents);
    if *is_german {
        let (one, many, particle) = match event {
            Event::Ends => ("endet", "enden", ""),
            Event::Due => ("ist", "sind", " fällig"),
            Event::Starts => ("beginnt", "beginnen", ""),
            Event::Renews => ("verlängert sich", "verlängern sich", ""),
            Event::Meets => ("findet", "finden", " statt"),
        };
        let number = if found == 0 { "Keines".to_owned() } else { found.to_string() };
        let verb = if found > 1 { many } else { one };
        let of = match rows {
            Some(rows) => format!("{rows} {} in {documents}", if rows == 1 { "Eintrag" } else { "Einträge" }),
            None => number,
        };
        return format!("{of} von {read} Dokumenten {verb} {time}{particle}.");
    }
    let (one, many) = match event {
        Event::Ends => ("ends", "end"),
        Event::Due => ("is due", "are due"),
        Event::Starts => ("starts", "start"),
        Event::Renews => ("is renewed", "are renewed"),
        Event::Meets => ("takes place", "take place"),
    };
    let number = if found == 0 { "None".to_owned() } else { found.to_string() };
    let verb = if found > 1 { many } else { one };
    let of = match rows {
        Some(rows) => format!("{rows} {} in {documents}", if rows == 1 { "entry" } else { "entries" }),
        None => number,
    };
    format!("{of} of {read} {} {verb} {time}.", noun.as_deref().unwrap_or("documents"))
}

/// The words for events and their dates.
pub(crate) struct Words {
    pub event: Event,
    pub today: Date,
    pub is_german: bool,
}

impl Words {
    pub(crate) fn columns(&self) -> [&'static str; 3] {
        pick(self.is_german, ["Document", "Date", "Distance"], ["Dokument", "Datum", "Abstand"])
    }

    /// "contract cleaning.md ends on 6 January 2027 (in 40 days)."
    pub(crate) fn named(&self, name: &str, period: Period) -> String {
        let date = period.in_words(self.is_german);
        let is_day = period.first == period.last;
        let distance = Some(self.distance(period)).filter(|distance| !distance.is_empty());
        let distance = distance.map(|distance| format!(" ({distance})")).unwrap_or_default();
        let is_past = period.last < self.today;
        let either = |now: &'static str, then: &'static str| if is_past { then } else { now };
        if self.is_german {
            let (verb, particle) = match self.event {
                Event::Ends => (either("endet", "endete"), ""),
                Event::Due => (either("ist", "war"), " fällig"),
                Event::Starts => (either("beginnt", "begann"), ""),
                Event::Renews => (either("verlängert sich", "verlängerte sich"), ""),
                Event::Meets => (either("findet", "fand"), " statt"),
            };
            format!("{name} {verb} {} {date}{particle}{distance}.", if is_day { "am" } else { "im Zeitraum" })
        } else {
            let verb = match self.event {
                Event::Ends => either("ends", "ended"),
                Event::Due => either("is due", "was due"),
                Event::Starts => either("starts", "started"),
                Event::Renews => either("is renewed", "was renewed"),
                Event::Meets => either("takes place", "took place"),
            };
            format!("{name} {verb} {} {date}{distance}.", if is_day { "on" } else { "in" })
        }
    }

    /// "in 40 days"; empty for a month or a year.
    pub(crate) fn distance(&self, period: Period) -> String {
        if period.first != period.last {
            return String::new();
        }
        let days = days_between(self.today, period.first);
        match (days, self.is_german) {
            (0, false) => "today".to_owned(),
            (0, true) => "heute".to_owned(),
            (1, false) => "in 1 day".to_owned(),
            (1, true) => "in 1 Tag".to_owned(),
            (-1, false) => "1 day ago".to_owned(),
            (-1, true) => "vor 1 Tag".to_owned(),
            (1.., false) => format!("in {days} days"),
            (1.., true) => format!("in {days} Tagen"),
            (_, false) => format!("{} days ago", -days),
            (_, true) => format!("vor {} Tagen", -days),
        }
    }
}
