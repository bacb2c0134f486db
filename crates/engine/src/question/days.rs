//! Days that a question about the library names: "today", "this week", "since Monday", "in the last 10 days".

use jiff::civil::{Date, date};
use oriel_text::words;

use crate::question::dates::named_time;
use crate::question::list::Reader;

/// Days that depend on the one on which they are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Days {
    /// The words of the question: "since Monday".
    pub words: String,
}

impl Days {
    /// Takes the days that are next in a question.
    pub(crate) fn take(next: &mut Reader<'_>) -> Option<Self> {
        let mut begin = next.clone();
        begin.skip("from of over aus von");
        let rest = begin.rest();
        // Where the words stand is the same on every day.
        let time = named_time(rest, date(2000, 1, 1), false).filter(|time| time.bytes.start == 0)?;
        let named = rest[time.bytes].to_owned();
        words(&named).iter().for_each(|_| {
            begin.step();
        });
        *next = begin;
        Some(Self { words: named })
    }

    /// The first and the last of them, up to `today`.
    pub(crate) fn between(&self, today: Date) -> Option<(Date, Date)> {
        let time = named_time(&self.words, today, false)?;
        Some((time.since?, time.until.unwrap_or(today).min(today)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_the_one_on_which_they_are_named() {
        // A Sunday.
        let today = date(2026, 11, 29);
        for (words, first, last) in [
            ("today", date(2026, 11, 29), today),
            ("seit gestern", date(2026, 11, 28), today),
            ("since Monday", date(2026, 11, 23), today),
            ("this week", date(2026, 11, 23), today),
            ("letzte Woche", date(2026, 11, 16), date(2026, 11, 22)),
            ("last month", date(2026, 10, 1), date(2026, 10, 31)),
            ("since last year", date(2025, 1, 1), today),
            ("in May 2026", date(2026, 5, 1), date(2026, 5, 31)),
        ] {
            let mut next = Reader::new(words);
            let days = Days::take(&mut next).expect(words);
            assert!(next.is_done(), "{words}");
            assert_eq!((days.between(today), &days.words[..]), (Some((first, last)), words));
        }
        for words in ["", "last", "since the review", "this lease", "in 10 days", "the last 10 invoices"] {
            assert_eq!(Days::take(&mut Reader::new(words)), None, "{words}");
        }
    }
}
