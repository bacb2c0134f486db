//! Days that a question about the library names: "today", "this week", "since Monday", "in the last 10 days".

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

use crate::question::list::Reader;

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday montag", Weekday::Monday),
    ("tuesday dienstag", Weekday::Tuesday),
    ("wednesday mittwoch", Weekday::Wednesday),
    ("thursday donnerstag", Weekday::Thursday),
    ("friday freitag", Weekday::Friday),
    ("saturday samstag sonnabend", Weekday::Saturday),
    ("sunday sonntag", Weekday::Sunday),
];

/// Days that depend on the one on which they are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Days {
    /// The words of the question: "since Monday".
    pub words: String,
    period: Period,
    /// Whether they go on until today.
    is_since: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Period {
    /// A day, so many before.
    Day(i32),
    /// A week from Monday on, so many before.
    Week(i32),
    Month(i32),
    Year(i32),
    /// The last such day before.
    Weekday(Weekday),
    /// So many days, weeks or months up to today.
    Last(u16, Unit),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Days,
    Weeks,
    Months,
}

impl Days {
    /// Takes the days that are next in a question.
    pub(crate) fn take(words: &mut Reader<'_>) -> Option<Self> {
        let mut begin = words.clone();
        begin.skip("from of over aus von");
        let mut after = begin.clone();
        let is_since = after.take("since") || after.take("seit");
        if !is_since {
            after.skip("in on during within am im den the der");
        }
        let period = Period::take(&mut after)?;
        let text = begin.until(&after);
        *words = after;
        Some(Self { words: text.to_owned(), period, is_since })
    }

    /// The first and the last of them.
    pub(crate) fn between(&self, today: Date) -> Option<(Date, Date)> {
        let (first, last) = self.period.between(today)?;
        Some((first, if self.is_since { today } else { last.min(today) }))
    }
}

impl Period {
    fn take(words: &mut Reader<'_>) -> Option<Self> {
        for (names, ago) in [("today heute", 0), ("yesterday gestern", 1)] {
            if words.one_of(names).is_some() {
                return Some(Self::Day(ago));
            }
        }
        let is_last =
            words.one_of("last past letzte letzten letzter letztem vergangene vergangenen").is_some();
        if let Some(period) = WEEKDAYS.iter().find(|(names, _)| words.one_of(names).is_some()) {
            return Some(Self::Weekday(period.1));
        }
        let ago = i32::from(is_last);
        let is_this = !is_last && words.one_of("this diese dieser diesen diesem dieses").is_some();
        if is_last || is_this {
            if words.one_of("week woche").is_some() {
                return Some(Self::Week(ago));
            }
            if words.one_of("month monat").is_some() {
                return Some(Self::Month(ago));
            }
            if words.one_of("year jahr").is_some() {
                return Some(Self::Year(ago));
            }
        }
        let count = words.number().filter(|_| is_last)?;
        let unit = match () {
            () if words.one_of("day days tage tagen").is_some() => Unit::Days,
            () if words.one_of("week weeks wochen").is_some() => Unit::Weeks,
            () if words.one_of("month months monate monaten").is_some() => Unit::Months,
            () => return None,
        };
        Some(Self::Last(count, unit))
    }

    fn between(self, today: Date) -> Option<(Date, Date)> {
        let back = |span: Span| today.checked_sub(span).ok();
        Some(match self {
            Self::Day(ago) => (back(ago.days())?, back(ago.days())?),
            Self::Week(ago) => {
                let into = i32::from(today.weekday().to_monday_zero_offset());
                let first = back((7 * ago + into).days())?;
                (first, first.checked_add(6.days()).ok()?)
            }
            Self::Month(ago) => {
                let first = back(ago.months())?.first_of_month();
                (first, first.last_of_month())
            }
            Self::Year(ago) => {
                let first = back(ago.years())?.first_of_year();
                (first, first.last_of_year())
            }
            Self::Weekday(weekday) => {
                let day = today.nth_weekday(-1, weekday).ok()?;
                (day, day)
            }
            Self::Last(count, Unit::Days) => (back(i64::from(count).days())?, today),
            Self::Last(count, Unit::Weeks) => (back(i64::from(count).weeks())?, today),
            Self::Last(count, Unit::Months) => (back(i64::from(count).months())?, today),
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_are_counted_from_the_one_on_which_they_are_named() {
        // A Sunday.
        let today = date(2026, 11, 29);
        for (words, first, last) in [
            ("today", date(2026, 11, 29), today),
            ("seit gestern", date(2026, 11, 28), today),
            ("since Monday", date(2026, 11, 23), today),
            ("since Sunday", date(2026, 11, 22), today),
            ("this week", date(2026, 11, 23), today),
            ("letzte Woche", date(2026, 11, 16), date(2026, 11, 22)),
            ("last month", date(2026, 10, 1), date(2026, 10, 31)),
            ("in the last 10 days", date(2026, 11, 19), today),
            ("in den letzten 2 Wochen", date(2026, 11, 15), today),
            ("since last year", date(2025, 1, 1), today),
        ] {
            let days = Days::take(&mut Reader::new(words)).expect(words);
            assert_eq!((days.between(today), &days.words[..]), (Some((first, last)), words));
        }
        for words in ["", "last", "since the review", "this lease", "in 10 days", "the last 10 invoices"] {
            assert_eq!(Days::take(&mut Reader::new(words)), None, "{words}");
        }
    }
}
