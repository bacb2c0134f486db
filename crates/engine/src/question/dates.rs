//! The time that a question names: "last month", "since May", "between March and June 2025", "in den nächsten 90 Tagen".

use std::ops::Range;

use jiff::civil::{Date, Weekday, date};
use jiff::{Span, ToSpan as _};
use oriel_core::{TimeLimit, TimeOrder};
use oriel_text::dates::{DatePart, DayOrder, Period, TextDate, dates, month};
use oriel_text::{list_contains, words};

use crate::question::language::{ALL_DEFINITE, number, weekday};

const LAST: &str = "last past previous letzte letzten letzter letztes letztem vergangene vergangenen vergangener vergangenes vergangenem \
    vorige vorigen voriger voriges vorigem dernier dernière derniers dernières pasado pasada pasados último últimos últimas scorso \
    scorsa ultimi ultime afgelopen laatste passado passada";
const THIS: &str =
    "this diese diesen dieser dieses diesem ce cette este esta questo questa deze dit neste nesta";
const NEXT: &str = "next coming nächste nächsten nächster nächstes nächstem kommende kommenden kommender kommendes prochain prochaine \
    prochains prochaines próximo próxima próximos próximas prossimo prossima prossimi prossime volgende komende";
/// Words between a preposition and a date that are skipped: "at the end of May".
const PARTS: &str = "beginning start end of month year anfang ende mitte monat jahr";
const SINCE: &str = "since seit ab depuis desde sinds vanaf dal dalla";
const BEFORE: &str = "before vor avant antes prima";
const AFTER: &str = "after nach après después dopo na depois";
const UNTIL: &str = "until till by bis hasta fino tot até";
const BETWEEN: &str = "between zwischen entre tra tussen";
const FROM: &str = "from von vom de da van";
const TO: &str = "to until till and bis und à au et hasta al a y e tot en";
const IN: &str = "in im during on am of from von vom for für en em nel nella du de del di della dans em op";
/// Adjectives that come after the noun.
const LAST_BEHIND: &str =
    "dernier dernière derniers dernières pasado pasada pasados scorso scorsa passado passada";
const NEXT_BEHIND: &str = "prochain prochaine prochains próximo próxima próximos prossimo prossima";
const ENDS: &str = "end ende jahresende monatsende";
/// Words for the end of this month, or of this year.
const ENDS_OF: [(&str, Unit); 2] = [("monatsende", Unit::Month), ("jahresende", Unit::Year)];
const ARTICLES_OF: &str = "the des der";
/// Openings of a time in the future: "within 90 days".
const WITHIN: &str = "within innerhalb binnen";

#[derive(Clone, Copy)]
enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    fn of(word: &str) -> Option<Self> {
        const UNITS: [(Unit, &str); 5] = [
            (Unit::Day, "day days tag tage tagen jour jours día días giorno giorni dag dagen dia dias"),
            (Unit::Week, "week weeks woche wochen semaine semaines semana semanas settimana settimane weken"),
            (
                Unit::Month,
                "month months monat monate monaten monats mois mes meses mese mesi maand maanden mês",
            ),
            (Unit::Quarter, "quarter quarters quartal quartale quartalen trimestre kwartaal"),
            (
                Unit::Year,
                "year years jahr jahre jahren jahres ans année années año años anno anni jaar jaren ano anos",
            ),
        ];
        UNITS.iter().find(|(_, list)| list_contains(word, list)).map(|(unit, _)| *unit)
    }

    fn times(self, count: i64) -> Span {
        match self {
            Self::Day => count.days(),
            Self::Week => count.weeks(),
            Self::Month => count.months(),
            Self::Quarter => (3 * count).months(),
            Self::Year => count.years(),
        }
    }

    /// The week, month, quarter or year in which a day is.
    fn around(self, day: Date) -> Option<Period> {
        match self {
            Self::Day => Some(Period::day(day)),
            Self::Week => {
                let monday = day.checked_sub(i64::from(day.weekday().to_monday_zero_offset()).days()).ok()?;
                Some(Period { first: monday, last: monday.checked_add(6.days()).ok()? })
            }
            Self::Month => Period::month(day.year(), day.month()),
            Self::Quarter => {
                TextDate { bytes: 0..0, year: None, part: DatePart::Quarter((day.month() + 2) / 3) }
                    .period_in(day.year())
            }
            Self::Year => Period::year(day.year()),
        }
    }
}

/// A time that a question names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedTime {
    /// Where its words stand, with the preposition before them.
    pub bytes: Range<usize>,
    /// The first day.
    pub since: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
    /// How it is named.
    pub naming: Naming,
}

/// How a question names a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Relative to today: "last month", "yesterday".
    Relative,
    /// By a day of the week: "since Monday".
    Weekday,
    /// By a date without a year: "in May".
    Yearless,
    /// By a date or a year.
    Dated,
}

/// The first time that a question names. If `is_ahead`, the question asks about the future: "in May" is the next May.
pub(crate) fn named_time(question: &str, today: Date, is_ahead: bool) -> Option<NamedTime> {
    let words = TimeWords::of(question, today, is_ahead);
    (0..words.places.len()).find_map(|at| words.time(at))
}

/// Where the words of the first time stand that a text names.
pub(crate) fn time_words(text: &str, is_ahead: bool) -> Option<Range<usize>> {
    // The position of the words does not depend on the day.
    named_time(text, date(2000, 1, 1), is_ahead).map(|time| time.bytes)
}

/// A time as it is shown to the user.
pub(crate) fn time_limit(
    words: &str,
    since: Option<Date>,
    until: Option<Date>,
    order: Option<TimeOrder>,
) -> TimeLimit {
    let day = |day: Option<Date>| day.map(|day| day.to_string());
    TimeLimit { words: words.to_owned(), since: day(since), until: day(until), order }
}

/// A period, how it is named, and the index of the word after it.
type Moment = (Period, Naming, usize);

struct TimeWords {
    places: Vec<Range<usize>>,
    lower: Vec<String>,
    dates: Vec<TextDate>,
    today: Date,
    is_ahead: bool,
}

impl TimeWords {
    fn of(question: &str, today: Date, is_ahead: bool) -> Self {
        let places = words(question);
        let lower = places.iter().map(|place| question[place.clone()].to_lowercase()).collect();
        Self { places, lower, dates: dates(question, DayOrder::of(question, None)), today, is_ahead }
    }

    fn is(&self, at: usize, list: &str) -> bool {
        self.lower.get(at).is_some_and(|word| list_contains(word, list))
    }

    /// The index after any number of words of a list.
    fn after(&self, mut at: usize, list: &str) -> usize {
        while self.is(at, list) {
            at += 1;
        }
        at
    }

    /// The time that begins at a word.
    fn time(&self, at: usize) -> Option<NamedTime> {
        let named = |since, until, naming, next: usize| NamedTime {
            bytes: self.places[at].start..self.places[next - 1].end,
            since,
            until,
            naming,
        };
        let moment = |at: usize| {
            let start = self.after(self.after(at, &ALL_DEFINITE), PARTS);
            // "Of the January intake"
            let is_named = start > at && self.is(start - 1, &ALL_DEFINITE) && self.month(start).is_some();
            self.moment(start).filter(|_| !is_named)
        };
        if let Some((first, last)) = self.pair(at) {
            return Some(named(Some(first.0.first), Some(last.0.last), last.1, last.2));
        }
        if self.is(at, SINCE) {
            let (period, naming, next) = moment(at + 1)?;
            return Some(named(Some(period.first), None, naming, next));
        }
        if self.is(at, BEFORE)
            && let Some((period, naming, next)) = moment(self.after(at + 1, "de di del"))
        {
            // "Before the end of the year" is before the next one.
            let is_end = (at..next).any(|at| self.is(at, ENDS));
            let until = if is_end { Some(period.last) } else { period.first.yesterday().ok() };
            return Some(named(None, until, naming, next));
        }
        if self.is(at, AFTER) {
            let (period, naming, next) = moment(self.after(at + 1, "de del"))?;
            return Some(named(period.last.tomorrow().ok(), None, naming, next));
        }
        if self.is(at, UNTIL) && (self.is_ahead || !self.is(at, "by")) {
            let (period, naming, next) = moment(self.after(at + 1, "zum a al"))?;
            return Some(named(None, Some(period.last), naming, next));
        }
        let (period, naming, next) = self.counted(at).or_else(|| match self.is(at, IN) {
            true => moment(at + 1),
            false => self.relative(self.after(at, "the le la el il o")),
        })?;
        Some(named(Some(period.first), Some(period.last), naming, next))
    }

    /// "between March and June 2025", "von Mai bis Juli"
    fn pair(&self, at: usize) -> Option<(Moment, Moment)> {
        if !self.is(at, BETWEEN) && !self.is(at, FROM) {
            return None;
        }
        let (mut first, naming, next) = self.moment(self.after(at + 1, &ALL_DEFINITE))?;
        let last = self.is(next, TO).then(|| self.moment(self.after(next + 1, &ALL_DEFINITE)))??;
        // A year at the end counts for both: "between March and June 2025".
        if naming == Naming::Yearless {
            let years = last.0.last.year() - first.first.year();
            let moved = |day: Date, years: i16| day.checked_add(i64::from(years).years()).ok();
            let by = |years: i16| {
                Some(Period { first: moved(first.first, years)?, last: moved(first.last, years)? })
            };
            first = by(years).filter(|first| first.first <= last.0.last).or_else(|| by(years - 1))?;
        }
        (first.first <= last.0.last).then_some(((first, naming, next), last))
    }

    /// A date, a month, a day of the week, or a time relative to today.
    fn moment(&self, at: usize) -> Option<Moment> {
        let start = self.places.get(at)?.start;
        if let Some(date) = self.dates.iter().find(|date| date.bytes.start == start) {
            let next = self.places.iter().take_while(|place| place.start < date.bytes.end).count();
            return match date.period() {
                Some(period) => Some((period, Naming::Dated, next)),
                None => Some((self.nearest(date)?, Naming::Yearless, next)),
            };
        }
        if let Some(month) = self.month(at) {
            let date = TextDate { bytes: 0..0, year: None, part: DatePart::Month(month) };
            return Some((self.nearest(&date)?, Naming::Yearless, at + 1));
        }
        if let Some(weekday) = self.lower.get(at).and_then(|word| weekday(word)) {
            let weekday = Weekday::from_monday_zero_offset(i8::try_from(weekday).ok()?).ok()?;
            let day = self.today.nth_weekday(if self.is_ahead { 1 } else { -1 }, weekday).ok()?;
            return Some((Period::day(day), Naming::Weekday, at + 1));
        }
        self.relative(at)
    }

    /// The month that a word alone names.
    fn month(&self, at: usize) -> Option<i8> {
        let word = self.lower.get(at)?;
        month(word).filter(|_| word.chars().count() > 3 || list_contains(word, "may mai mei"))
    }

    /// A date without a year in the nearest year: the last that has begun, or, ahead, the next that is not over.
    fn nearest(&self, date: &TextDate) -> Option<Period> {
        let year = self.today.year();
        let mut periods = (year - 4..=year + 4).filter_map(|year| date.period_in(year));
        match self.is_ahead {
            true => periods.find(|period| period.last >= self.today),
            false => periods.rfind(|period| period.first <= self.today),
        }
    }

    /// "yesterday", "last week", "the next month", "le mois dernier"
    fn relative(&self, at: usize) -> Option<Moment> {
        let moved = |unit: Unit, by: i64| unit.around(self.today.checked_add(unit.times(by)).ok()?);
        let day = if self.is(at, "yesterday gestern gisteren ayer ieri ontem") {
            Some(-1)
        } else if self.is(at, "today heute vandaag hoy oggi hoje") {
            Some(0)
        } else if self.is_ahead && self.is(at, "tomorrow morgen") {
            Some(1)
        } else {
            None
        };
        if let Some(by) = day {
            return Some((moved(Unit::Day, by)?, Naming::Relative, at + 1));
        }
        if let Some((_, unit)) = ENDS_OF.iter().find(|(list, _)| self.is(at, list)) {
            return Some((moved(*unit, 0)?, Naming::Relative, at + 1));
        }
        let unit = |at: usize| Unit::of(self.lower.get(at)?);
        let first = |lists: &[(&str, i64)], at: usize| {
            lists.iter().find(|(list, _)| self.is(at, list)).map(|(_, by)| *by)
        };
        // "The end of the year"
        let is_this = self.is(at, ARTICLES_OF) && at > 0 && self.is(at - 1, "of ende anfang mitte");
        let before = first(&[(LAST, -1), (THIS, 0), (NEXT, 1)], at).or_else(|| is_this.then_some(0));
        let behind = || first(&[(LAST_BEHIND, -1), (NEXT_BEHIND, 1)], at + 1).zip(unit(at));
        let (by, unit) = before.zip(unit(at + 1)).or_else(behind)?;
        Some((moved(unit, by)?, Naming::Relative, at + 2))
    }

    /// "in the last 90 days", "within 90 days", "les 90 prochains jours"; "two months ago" is that month
    fn counted(&self, at: usize) -> Option<Moment> {
        let is_within = self.is(at, WITHIN);
        let mut next = self.after(at, IN).max(self.after(at, WITHIN)).max(self.after(at, "vor hace há"));
        next = self.after(self.after(next, "von"), &ALL_DEFINITE);
        let (mut direction, mut count) = (None, None);
        for _ in 0..2 {
            let count_of = |word: &String| {
                let named = number(word).map(|number| number as i64);
                named.or_else(|| word.parse().ok()).filter(|count| (1..10_000).contains(count))
            };
            if self.is(next, LAST) {
                direction = Some(-1);
            } else if self.is(next, NEXT) {
                direction = Some(1);
            } else if count.is_none() {
                count = Some(self.lower.get(next).and_then(count_of)?);
            } else {
                break;
            }
            next += 1;
        }
        let unit = Unit::of(self.lower.get(next)?)?;
        let is_ago = self.is(next + 1, "ago fa geleden atrás") || self.is(at, "vor hace há");
        if let Some(count) = count.filter(|_| is_ago && direction.is_none()) {
            let period = unit.around(self.today.checked_sub(unit.times(count)).ok()?)?;
            let end = next + usize::from(!self.is(at, "vor hace há"));
            return Some((period, Naming::Relative, end + 1));
        }
        let direction = direction.or_else(|| (is_within && self.is_ahead).then_some(1))?;
        let other = self.today.checked_add(unit.times(direction * count?)).ok()?;
        let period = Period { first: self.today.min(other), last: self.today.max(other) };
        Some((period, Naming::Relative, next + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(question: &str, is_ahead: bool) -> Option<(String, String, String)> {
        let time = named_time(question, date(2026, 11, 27), is_ahead)?;
        let day = |day: Option<Date>| day.map_or_else(String::new, |day| day.to_string());
        Some((question[time.bytes].to_owned(), day(time.since), day(time.until)))
    }

    #[test]
    fn a_time_of_the_past_is_read() {
        for (question, words, since, until) in [
            ("What did we decide last month?", "last month", "2026-10-01", "2026-10-31"),
            ("What did we decide in May?", "in May", "2026-05-01", "2026-05-31"),
            ("What did we decide in December?", "in December", "2025-12-01", "2025-12-31"),
            ("What did we decide since May?", "since May", "2026-05-01", ""),
            ("since the 3rd of March", "since the 3rd of March", "2026-03-03", ""),
            ("between March and June 2025", "between March and June 2025", "2025-03-01", "2025-06-30"),
            ("between November and February", "between November and February", "2025-11-01", "2026-02-28"),
            ("the minutes of 2024", "of 2024", "2024-01-01", "2024-12-31"),
            ("before 2023", "before 2023", "", "2022-12-31"),
            ("after 3.5.2024", "after 3.5.2024", "2024-05-04", ""),
            ("What did she write yesterday?", "yesterday", "2026-11-26", "2026-11-26"),
            ("last week", "last week", "2026-11-16", "2026-11-22"),
            ("in the last 90 days", "in the last 90 days", "2026-08-29", "2026-11-27"),
            ("since Monday", "since Monday", "2026-11-23", ""),
            ("this year", "this year", "2026-01-01", "2026-12-31"),
            ("Was haben wir letzten Monat beschlossen?", "letzten Monat", "2026-10-01", "2026-10-31"),
            ("Was wurde im Mai 2025 beschlossen?", "im Mai 2025", "2025-05-01", "2025-05-31"),
            ("seit dem 3. März", "seit dem 3. März", "2026-03-03", ""),
            ("von Mai bis Juli", "von Mai bis Juli", "2026-05-01", "2026-07-31"),
            ("in den letzten drei Wochen", "in den letzten drei Wochen", "2026-11-06", "2026-11-27"),
            ("two months ago", "two months ago", "2026-09-01", "2026-09-30"),
            ("vor drei Tagen", "vor drei Tagen", "2026-11-24", "2026-11-24"),
            ("le mois dernier", "le mois dernier", "2026-10-01", "2026-10-31"),
            ("la semana pasada", "la semana pasada", "2026-11-16", "2026-11-22"),
            ("il mese scorso", "il mese scorso", "2026-10-01", "2026-10-31"),
            ("vorige maand", "vorige maand", "2026-10-01", "2026-10-31"),
            ("no mês passado", "mês passado", "2026-10-01", "2026-10-31"),
        ] {
            let expected = (words.to_owned(), since.to_owned(), until.to_owned());
            assert_eq!(time(question, false), Some(expected), "{question}");
        }
    }

    #[test]
    fn a_time_ahead_is_read() {
        for (question, words, since, until) in [
            ("within 90 days", "within 90 days", "2026-11-27", "2027-02-25"),
            ("due before June", "before June", "", "2027-05-31"),
            ("in December", "in December", "2026-12-01", "2026-12-31"),
            ("next month", "next month", "2026-12-01", "2026-12-31"),
            ("by the end of March", "by the end of March", "", "2027-03-31"),
            ("before the end of the year", "before the end of the year", "", "2026-12-31"),
            ("bis Ende des Jahres", "bis Ende des Jahres", "", "2026-12-31"),
            ("vor Jahresende", "vor Jahresende", "", "2026-12-31"),
            ("by the end of next month", "by the end of next month", "", "2026-12-31"),
            ("in den nächsten 90 Tagen", "in den nächsten 90 Tagen", "2026-11-27", "2027-02-25"),
            ("dans les 90 prochains jours", "dans les 90 prochains jours", "2026-11-27", "2027-02-25"),
        ] {
            let expected = (words.to_owned(), since.to_owned(), until.to_owned());
            assert_eq!(time(question, true), Some(expected), "{question}");
        }
    }

    #[test]
    fn other_words_name_no_time() {
        for question in [
            "What is the last name of the tenant?",
            "May I keep a dog?",
            "Must it be paid within 30 days?",
            "What happens after the review?",
            "Since when does she live here?",
            "In which month this happened is unknown",
            "How many of 2000 pages are read?",
            "on the first day",
        ] {
            assert_eq!(time(question, false), None, "{question}");
        }
    }
}
