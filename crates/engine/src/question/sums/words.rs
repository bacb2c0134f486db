//! Parses the words of a question for a number: words that say what is computed are marked as used, and so are comparisons. What stays
//! free must match a table.

use std::ops::Range;

use oriel_text::numbers::{Value, value};

use crate::library::table_query::{Aggregate, Operator};
use crate::question::dates::time_words;
use crate::question::language::full_number;
use crate::question::sums::lists::{BEFORE, BEHIND, GERMAN, SENSES, Sense, is_currency};
use crate::question::words::Word;

/// A word of such a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedWord {
    /// The word as it is written; a number with its minus sign.
    pub text: String,
    pub lower: String,
    /// Where it ends in the question.
    pub end: usize,
    /// Whether it is already understood.
    pub used: bool,
}

/// A comparison of a column with a number.
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
    /// The same as they are written.
    pub text: String,
}

/// The words of a question, some of which are used.
pub(crate) struct Words(pub Vec<AskedWord>);

impl Words {
    pub(crate) fn of(question: &str) -> Self {
        let mut end = 0;
        let word = |word: Word<'_>| {
            let start = end + question[end..].find(word.text).unwrap_or_default();
            end = start + word.text.len();
            let is_negative = word.is_number() && has_minus(&question[..start]);
            let sign = if is_negative { "-" } else { "" };
            AskedWord {
                text: format!("{sign}{}", word.text),
                lower: format!("{sign}{}", word.lower),
                end,
                used: false,
            }
        };
        Self(Word::all(question).into_iter().map(word).collect())
    }

    pub(crate) fn has_german(&self) -> bool {
        self.0.iter().any(|word| GERMAN.iter().any(|part| word.lower.contains(part)))
    }

    /// The range of a phrase that begins at the word `at`; `None` if other words stand there. An asterisk stands for any ending.
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

    /// Marks the first of these phrases that the question contains.
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

    /// Marks "count" as the first word: elsewhere it may be a column.
    pub(crate) fn take_count(&mut self) -> Option<Range<usize>> {
        let found = self.is_at(0, "count")?;
        self.mark(&found);
        Some(found)
    }

    /// Marks "number of": "the number of members", but not "the phone number of Ada" or "the number of Ada".
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

    /// Marks a superlative that says which kind of column is meant: "oldest".
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

    /// Marks a small number before or after these words: "top 3", "the three highest".
    pub(crate) fn take_number_beside(&mut self, at: &Range<usize>) -> Option<usize> {
        let number = |place: usize| {
            let word = self.0.get(place).filter(|word| !word.used)?;
            let spelt = || full_number(&word.lower).filter(|number| (2..=10).contains(number));
            word.lower.parse().ok().filter(|number| (1..=100).contains(number)).or_else(spelt)
        };
        let places = [Some(at.end), at.start.checked_sub(1)];
        let (place, number) = places.into_iter().flatten().find_map(|place| Some((place, number(place)?)))?;
        self.mark(&(place..place + 1));
        Some(number)
    }

    /// Marks a currency: "how many euros" asks for a sum.
    pub(crate) fn takes_currency(&mut self, at: usize) -> bool {
        let is_one = self.0.get(at).is_some_and(|word| is_currency(&word.lower));
        if is_one {
            self.mark(&(at..at + 1));
        }
        is_one
    }

    fn is_number(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|word| !word.used && is_number(&word.lower))
    }

    /// Marks the comparisons of the question. The years of `times` are not compared.
    pub(crate) fn comparisons(&mut self, times: &[Time]) -> Vec<Comparison> {
        let mut found = Vec::new();
        for at in 0..self.0.len() {
            if times.iter().any(|time| time.at.contains(&at)) {
                continue;
            }
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
        // Both stand in the same place.
        let at = at..at + 4;
        vec![Comparison { at: at.clone(), ..least }, Comparison { at, ..most }]
    }

    /// The times of the question. Their words are not marked: a year may be the head of a column.
    pub(crate) fn times(&self, question: &str) -> Vec<Time> {
        let mut times: Vec<Time> = Vec::new();
        let mut begin = 0;
        while let Some(time) = time_words(&question[begin..], false) {
            let bytes = begin + time.start..begin + time.end;
            begin = bytes.end;
            // "2022-23" is not a year.
            if !self.0.iter().any(|word| word.end == bytes.end) {
                continue;
            }
            let after = |byte: usize| self.0.partition_point(|word| word.end <= byte);
            times.push(Time { at: after(bytes.start)..after(bytes.end), text: question[bytes].to_owned() });
        }
        times
    }
}

/// Whether a minus sign stands before what follows `text`.
fn has_minus(text: &str) -> bool {
    let before = text.strip_suffix(['-', '−']);
    before.is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '−')))
}

/// Whether a word is a number, with or without a sign.
pub(crate) fn is_number(word: &str) -> bool {
    value(word.trim_start_matches('-')).is_some()
}

impl Comparison {
    /// The number, with points and commas as in the language of the question.
    pub(crate) fn value(&self, is_german: bool) -> Option<f64> {
        number(&self.number, is_german)
    }
}

/// A number of a question.
pub(crate) fn number(text: &str, is_german: bool) -> Option<f64> {
    if let Some(text) = text.strip_prefix('-') {
        return number(text, is_german).map(|number| -number);
    }
    match value(text)? {
        Value::Plain(value) => Some(value),
        Value::Ambiguous { whole, decimal, separator } => {
            Some(if (separator == '.') == is_german { whole } else { decimal })
        }
    }
}
