//! The words of a question for a number: those that say what is computed are used up one after the other, with the numbers that are
//! compared with and the times.

use std::ops::Range;

use oriel_text::dates::month;
use oriel_text::numbers::{Value, value};

use crate::library::table_query::{Aggregate, Operator};
use crate::question::sums::lists::{BEFORE, BEHIND, GERMAN, NUMBERS, SENSES, Sense, is_currency};
use crate::question::words::Word;

/// A word of such a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedWord {
    pub text: String,
    pub lower: String,
    /// Whether it is accounted for.
    pub used: bool,
}

/// A number that a column is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub operator: Operator,
    /// The number as it is written.
    pub number: String,
    /// Its words.
    pub at: Range<usize>,
    pub is_age: bool,
}

/// A time in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Time {
    /// Its words.
    pub at: Range<usize>,
    pub year: Option<u16>,
    pub month: Option<i8>,
    pub side: Side,
}

/// Which days are meant by a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    In,
    Before,
    After,
    Since,
    Until,
}

/// The words of a question, some of which are used up.
pub(crate) struct Words(pub Vec<AskedWord>);

impl Words {
    pub(crate) fn of(question: &str) -> Self {
        let word = |word: Word<'_>| AskedWord { text: word.text.to_owned(), lower: word.lower, used: false };
        Self(Word::all(question).into_iter().map(word).collect())
    }

    pub(crate) fn has_german(&self) -> bool {
        self.0.iter().any(|word| GERMAN.iter().any(|part| word.lower.contains(part)))
    }

    /// Whether the words from `at` on are these; one that ends with an asterisk begins so.
    fn is_at(&self, at: usize, phrase: &str) -> Option<Range<usize>> {
        let mut end = at;
        for part in phrase.split(' ') {
            let word = self.0.get(end).filter(|word| !word.used)?;
            let is_it = match part.strip_suffix('*') {
                Some(beginning) => word.lower.starts_with(beginning),
                None => word.lower == part,
            };
            end = is_it.then_some(end + 1)?;
        }
        Some(at..end)
    }

    /// Uses the first words that are one of these phrases.
    pub(crate) fn take_one(&mut self, phrases: &str) -> Option<Range<usize>> {
        let at = |phrase: &str| (0..self.0.len()).find_map(|at| self.is_at(at, phrase));
        let found = phrases.split("; ").find_map(at)?;
        self.mark(&found);
        Some(found)
    }

    pub(crate) fn take_all(&mut self, phrases: &str) -> bool {
        let mut has_any = false;
        while self.take_one(phrases).is_some() {
            has_any = true;
        }
        has_any
    }

    fn mark(&mut self, at: &Range<usize>) {
        self.0[at.clone()].iter_mut().for_each(|word| word.used = true);
    }

    /// "Count rows …": elsewhere a count may be a column.
    pub(crate) fn take_count(&mut self) -> Option<Range<usize>> {
        let found = self.is_at(0, "count")?;
        self.mark(&found);
        Some(found)
    }

    /// "The number of members", but not "the phone number of Ada" or "the number of Ada".
    pub(crate) fn take_number_of(&mut self) -> Option<Range<usize>> {
        let at = (0..self.0.len()).find_map(|at| self.is_at(at, "number of"))?;
        let word = |at: usize| self.0.get(at).map_or("", |word| &word.text);
        let before = at.start.checked_sub(1).map_or(String::new(), |before| word(before).to_lowercase());
        let is_count =
            matches!(&*before, "" | "the" | "a" | "total" | "average" | "overall" | "highest" | "largest")
                && !word(at.end).starts_with(char::is_uppercase);
        is_count.then(|| self.mark(&at))?;
        Some(at)
    }

    /// A word that says of what the highest or lowest number is asked.
    pub(crate) fn superlative(&mut self) -> (Option<Sense>, Option<Aggregate>) {
        for sense in SENSES {
            for (words, aggregate) in [(sense.highest, Aggregate::Highest), (sense.lowest, Aggregate::Lowest)]
            {
                if self.take_one(words).is_some() {
                    return (Some(sense), Some(aggregate));
                }
            }
        }
        (None, None)
    }

    /// A small number before or behind these words: "top 3", "the three highest".
    pub(crate) fn take_number_beside(&mut self, at: &Range<usize>) -> Option<usize> {
        let number = |place: usize| {
            let word = self.0.get(place).filter(|word| !word.used)?;
            let spelt =
                || NUMBERS.iter().position(|names| names.contains(&word.lower.as_str())).map(|at| at + 2);
            word.lower.parse().ok().filter(|number| (1..=100).contains(number)).or_else(spelt)
        };
        let places = [Some(at.end), at.start.checked_sub(1)];
        let (place, number) = places.into_iter().flatten().find_map(|place| Some((place, number(place)?)))?;
        self.mark(&(place..place + 1));
        Some(number)
    }

    /// "How many euros" asks for a sum.
    pub(crate) fn takes_currency(&mut self, at: usize) -> bool {
        let is_one = self.0.get(at).is_some_and(|word| is_currency(&word.lower));
        if is_one {
            self.mark(&(at..at + 1));
        }
        is_one
    }

    fn is_number(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|word| !word.used && value(&word.lower).is_some())
    }

    /// Numbers that are compared with; their words are used.
    pub(crate) fn comparisons(&mut self) -> Vec<Comparison> {
        let mut found = Vec::new();
        for at in 0..self.0.len() {
            found.extend(self.between(at));
            let before = BEFORE.iter().find_map(|(operator, phrases)| {
                let words = phrases.split("; ").find_map(|phrase| self.is_at(at, phrase))?;
                let words = Some(words).filter(|words| self.is_number(words.end))?;
                Some((words.start..words.end + 1, words.end, *operator))
            });
            let behind = BEHIND.iter().find_map(|(operator, phrases)| {
                let words = phrases.split("; ").find_map(|phrase| self.is_at(at + 1, phrase))?;
                let words = Some(words).filter(|_| self.is_number(at))?;
                Some((at..words.end, at, *operator))
            });
            if let Some((words, number, operator)) = before.or(behind) {
                found.push(self.comparison(&words, number, operator));
            }
        }
        found
    }

    fn comparison(&mut self, words: &Range<usize>, number: usize, operator: Operator) -> Comparison {
        let is_age =
            |word: &AskedWord| matches!(word.lower.as_str(), "older" | "younger" | "älter" | "jünger");
        let is_age = self.0[words.clone()].iter().any(is_age);
        self.mark(words);
        Comparison { operator, number: self.0[number].lower.clone(), at: words.clone(), is_age }
    }

    /// "Between 20 and 30".
    fn between(&mut self, at: usize) -> Vec<Comparison> {
        let joints = [("between", "and"), ("zwischen", "und"), ("from", "to"), ("von", "bis")];
        let is_it = joints.iter().any(|(first, second)| {
            let numbers = self.is_number(at + 1) && self.is_number(at + 3);
            numbers && self.is_at(at, first).is_some() && self.is_at(at + 2, second).is_some()
        });
        if !is_it {
            return Vec::new();
        }
        let least = self.comparison(&(at..at + 2), at + 1, Operator::AtLeast);
        let most = self.comparison(&(at + 2..at + 4), at + 3, Operator::AtMost);
        // Both are of one place.
        let at = at..at + 4;
        vec![Comparison { at: at.clone(), ..least }, Comparison { at, ..most }]
    }

    /// The times, whose words are not used: a year may be the head of a column.
    pub(crate) fn times(&self) -> Vec<Time> {
        let mut times: Vec<Time> = Vec::new();
        let mut at = 0;
        while at < self.0.len() {
            match self.time(at) {
                Some(time) => {
                    at = time.at.end;
                    times.push(time);
                }
                None => at += 1,
            }
        }
        times
    }

    fn time(&self, at: usize) -> Option<Time> {
        let word = |at: usize| self.0.get(at).filter(|word| !word.used);
        let side = match word(at)?.lower.as_str() {
            "in" | "during" | "for" | "im" | "of" | "from" | "von" | "aus" => Side::In,
            "before" | "vor" => Side::Before,
            "after" | "nach" => Side::After,
            "since" | "seit" | "ab" => Side::Since,
            "until" | "till" | "bis" => Side::Until,
            _ => return None,
        };
        let mut end = at + 1;
        while word(end).is_some_and(|word| {
            matches!(word.lower.as_str(), "the" | "year" | "month" | "of" | "jahr" | "dem" | "monat")
        }) {
            end += 1;
        }
        let named = word(end).and_then(|word| {
            // "May" is a verb otherwise.
            let is_name = word.text.starts_with(char::is_uppercase);
            month(&word.lower).filter(|_| is_name)
        });
        end += usize::from(named.is_some());
        let year = word(end)
            .and_then(|word| word.lower.parse::<u16>().ok().filter(|year| (1900..2100).contains(year)));
        end += usize::from(year.is_some());
        // "Before May" is of no year.
        let is_known = year.is_some() || named.is_some() && side == Side::In;
        is_known.then_some(Time { at: at..end, year, month: named, side })
    }
}

impl Comparison {
    /// The number; points and commas are read as the language of the question has them.
    pub(crate) fn value(&self, is_german: bool) -> Option<f64> {
        number(&self.number, is_german)
    }
}

/// A number of a question.
pub(crate) fn number(text: &str, is_german: bool) -> Option<f64> {
    match value(text)? {
        Value::Plain(value) => Some(value),
        Value::Ambiguous { whole, decimal, separator } => {
            Some(if (separator == '.') == is_german { whole } else { decimal })
        }
    }
}
