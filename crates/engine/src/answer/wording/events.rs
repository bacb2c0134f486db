//! What happens in documents, and when.

use jiff::civil::Date;
use oriel_text::dates::Period;

use super::pick;
use crate::question::events::{Event, EventQuestion};
use crate::search::events::{DatedEvents, days_between};

/// The verb for an event: in the singular, in the plural, in the past, and what follows the date.
fn verb(event: Event, is_german: bool) -> [&'static str; 4] {
    match (event, is_german) {
        (Event::Ends, false) => ["ends", "end", "ended", ""],
        (Event::Ends, true) => ["endet", "enden", "endete", ""],
        (Event::Due, false) => ["is due", "are due", "was due", ""],
        (Event::Due, true) => ["ist", "sind", "war", " fällig"],
        (Event::Starts, false) => ["starts", "start", "started", ""],
        (Event::Starts, true) => ["beginnt", "beginnen", "begann", ""],
        (Event::Renews, false) => ["is renewed", "are renewed", "was renewed", ""],
        (Event::Renews, true) => ["verlängert sich", "verlängern sich", "verlängerte sich", ""],
        (Event::Meets, false) => ["takes place", "take place", "took place", ""],
        (Event::Meets, true) => ["findet", "finden", "fand", " statt"],
    }
}

/// "2 of 4 contracts end within 90 days."
pub(crate) fn counted(question: &EventQuestion, all: &DatedEvents, documents: usize) -> String {
    let EventQuestion { event, time, is_german, noun, .. } = question;
    // Each row of a table is counted.
    let rows = Some(all.all.len()).filter(|_| all.all.iter().any(|one| one.row.is_some()));
    let found = rows.unwrap_or(documents);
    let entries = pick(*is_german, ["entry", "entries"], ["Eintrag", "Einträge"]);
    let number = match (rows, found) {
        (Some(rows), _) => format!("{rows} {} in {documents}", entries[usize::from(rows != 1)]),
        (None, 0) => pick(*is_german, "None", "Keines").to_owned(),
        (None, found) => found.to_string(),
    };
    let [one, many, _, particle] = verb(*event, *is_german);
    let (verb, read) = (if found > 1 { many } else { one }, all.read);
    match is_german {
        true => format!("{number} von {read} Dokumenten {verb} {time}{particle}."),
        false => {
            let noun = noun.as_deref().unwrap_or("documents");
            format!("{number} of {read} {noun} {verb} {time}{particle}.")
        }
    }
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
        let [one, _, past, particle] = verb(self.event, self.is_german);
        let verb = if period.last < self.today { past } else { one };
        let on =
            if is_day { pick(self.is_german, "on", "am") } else { pick(self.is_german, "in", "im Zeitraum") };
        format!("{name} {verb} {on} {date}{particle}{distance}.")
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
