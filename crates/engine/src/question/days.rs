//! Days that a question about the library names: "today", "this week", "since Monday", "in the last 10 days".

use jiff::civil::Date;
use oriel_text::words;

use crate::question::dates::{named_time, time_words};
use crate::question::word_cursor::WordCursor;

/// A period relative to the day on which the question is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Days {
    /// The words of the question: "since Monday".
    pub words: String,
}

impl Days {
    /// Takes the period at the front of the remaining question.
    pub(crate) fn take(next: &mut WordCursor<'_>) -> Option<Self> {
        let mut begin = next.clone();
        begin.skip("from of over aus von");
        let rest = begin.rest();
        let time = time_words(rest, false).filter(|bytes| bytes.start == 0)?;
        let named = rest[time].to_owned();
        words(&named).iter().for_each(|_| {
            begin.skip_word();
        });
        *next = begin;
        Some(Self { words: named })
    }

    /// The first and the last day, at most `today`.
    pub(crate) fn between(&self, today: Date) -> Option<(Date, Date)> {
        let time = named_time(&self.words, today, false)?;
        Some((time.since?, time.until.unwrap_or(today).min(today)))
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
            ("this week", date(2026, 11, 23), today),
            ("letzte Woche", date(2026, 11, 16), date(2026, 11, 22)),
            ("last month", date(2026, 10, 1), date(2026, 10, 31)),
            ("since last year", date(2025, 1, 1), today),
            ("in May 2026", date(2026, 5, 1), date(2026, 5, 31)),
        ] {
            let mut next = WordCursor::new(words);
            let days = Days::take(&mut next).expect(words);
            assert!(next.is_done(), "{words}");
            assert_eq!((days.between(today), &days.words[..]), (Some((first, last)), words));
        }
        for words in ["", "last", "since the review", "this lease", "in 10 days", "the last 10 invoices"] {
            assert_eq!(Days::take(&mut WordCursor::new(words)), None, "{words}");
        }
    }
}
