//! Translates a question or a claim between German and English, word by word from a dictionary.
//!
//! The models that ship read English. The answer to a German question in an English lease is found by its translation, and so is
//! the evidence for an English claim in a German lease. The order of words may be wrong: models and the comparison of words cope
//! with that. A text with a word that is neither a name nor in the dictionary is not translated.

use std::collections::HashMap;
use std::sync::LazyLock;

use oriel_text::{capitalised, list_contains, terms, words};

use crate::error::EngineError;
use crate::library::Library;
use crate::question::QueryPart;
use crate::question::language::NEGATIONS;
use crate::question::language::detect::is_german;

const WORDS: &str = include_str!("../../glossary/german.txt");
/// German phrases, and how they begin a question in English.
const PHRASES: [(&str, &str); 12] = [
    ("wie hoch ist", "what is"),
    ("wie hoch war", "what was"),
    ("wie hoch sind", "what are"),
    ("wie hoch waren", "what were"),
    ("wie viel kostet", "how much is"),
    ("was kostet", "how much is"),
    ("was kosten", "how much are"),
    ("wie heißt", "what is the name of"),
    ("wie lautet", "what is"),
    ("um wie viel", "how much"),
    ("gibt es", "is there"),
    ("zum beispiel", "for example"),
];
/// Verbs of duty, whose negation means something else in each language.
const DUTIES: &str = "must need needs muss müssen musst müsst";
/// Endings by which a form may differ from those in the dictionary.
const ENDINGS: [&str; 8] = ["en", "er", "es", "em", "e", "n", "s", ""];
/// Letters between the parts of a compound.
const LINKS: [&str; 6] = ["", "s", "n", "en", "es", "e"];
/// English adjectives for the first part of a compound, in place of a noun.
const FIRST_PARTS: [(&str, &str); 4] =
    [("day", "daily"), ("week", "weekly"), ("month", "monthly"), ("year", "yearly")];
/// Minimum number of characters of a part of a compound.
const MIN_PART: usize = 3;

/// The dictionary in both directions.
struct Words {
    /// German forms, in lower case, with their English words.
    german: HashMap<&'static str, Vec<&'static str>>,
    /// English words and phrases, in lower case, with the first German one.
    english: HashMap<String, &'static str>,
    /// The most words of an English phrase.
    longest: usize,
}

static LIST: LazyLock<Words> = LazyLock::new(|| {
    let mut list = Words { german: HashMap::new(), english: HashMap::new(), longest: 1 };
    for line in WORDS.lines().filter(|line| !line.starts_with('#')) {
        let Some((forms, english)) = line.split_once(": ") else { continue };
        let english: Vec<&str> = english.split("; ").collect();
        let forms: Vec<&str> = forms.split(", ").collect();
        for word in &english {
            list.longest = list.longest.max(word.split(' ').count());
            list.english.entry(word.to_lowercase()).or_insert(forms[0]);
        }
        for form in &forms {
            // The first form and its genitive are singular.
            let is_plural = english.len() > 1
                && english[1] == plural(english[0])
                && ["", "s", "es"].iter().all(|ending| form.strip_suffix(ending) != Some(forms[0]));
            let mut english = english.clone();
            english.rotate_left(usize::from(is_plural));
            list.german.entry(form).or_insert(english);
        }
    }
    list
});

/// A library has documents in a language if at least so many sentences contain its most common words.
const MIN_SENTENCES: u32 = 3;

impl Library {
    /// Whether documents are in German, else in English. False for a remote index.
    pub(crate) fn has_language(&self, german: bool) -> Result<bool, EngineError> {
        let Some(store) = self.source().store() else { return Ok(false) };
        let common = if german { "der die und" } else { "the and of" };
        store.read(|view| {
            let count = terms(common).iter().map(|term| view.frequency(term)).sum::<Result<u32, _>>()?;
            Ok(count >= MIN_SENTENCES)
        })
    }
}

fn plural(noun: &str) -> String {
    match noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o'])) {
        Some(stem) => format!("{stem}ies"),
        None => format!("{noun}s"),
    }
}

/// Whether a German word is in the dictionary, in any form or as a compound.
pub(crate) fn is_known(word: &str) -> bool {
    german(&word.to_lowercase()).is_some()
}

impl QueryPart {
    /// The part in the other language; `None` if a word is not in the dictionary.
    pub(crate) fn translated(&self) -> Option<Self> {
        Some(Self { wordings: self.wordings.clone(), ..Self::plain(translated(&self.question)?) })
    }
}

/// The text in the other language; `None` if a word is not in the dictionary.
pub(crate) fn translated(text: &str) -> Option<String> {
    // "Must not" forbids, "muss nicht" does not.
    let has =
        |list: &str| words(text).iter().any(|place| list_contains(&text[place.clone()].to_lowercase(), list));
    if has(DUTIES) && has(&NEGATIONS) {
        return None;
    }
    if is_german(text) { in_english(text) } else { in_german(text) }
}

fn in_english(text: &str) -> Option<String> {
    let mut rest = text.trim().to_owned();
    for (german, english) in PHRASES {
        if let Some(at) = rest.to_lowercase().find(german)
            && rest.is_char_boundary(at)
            && rest.is_char_boundary(at + german.len())
        {
            rest.replace_range(at..at + german.len(), english);
        }
    }
    let (mut known, mut after_noun) = (0, false);
    let english = by_word(&rest, |word, _| {
        let lower = word.to_lowercase();
        // The genitive: "der Makler der Versicherung".
        if std::mem::replace(&mut after_noun, word.starts_with(char::is_uppercase))
            && matches!(&*lower, "der" | "des")
        {
            return Some((1, "of the".to_owned()));
        }
        if PHRASES.iter().any(|(_, english)| english.split(' ').any(|other| other == lower)) {
            return Some((1, lower));
        }
        if let Some(found) = german(&lower) {
            known += 1;
            return Some((1, found));
        }
        // A name.
        word.starts_with(char::is_uppercase).then(|| (1, word.to_owned()))
    })?;
    (known > 0).then(|| capitalised(&english))
}

fn in_german(text: &str) -> Option<String> {
    let (mut known, mut at) = (0, 0);
    let german = by_word(text.trim(), |word, ahead| {
        at += 1;
        for length in (1..=LIST.longest.min(ahead.len())).rev() {
            let phrase = ahead[..length].join(" ").to_lowercase();
            let singular = phrase.strip_suffix('s').unwrap_or(&phrase);
            if let Some(found) = LIST.english.get(&phrase).or_else(|| LIST.english.get(singular)) {
                known += 1;
                return Some((length, (*found).to_owned()));
            }
        }
        (at > 1 && word.starts_with(char::is_uppercase)).then(|| (1, word.to_owned()))
    })?;
    (known > 0).then(|| capitalised(&german))
}

/// The text with each word replaced. `replace` receives the word, and the words from it on; it returns how many of them it replaces
/// and by what. Numbers get the separators of the other language.
fn by_word(text: &str, mut replace: impl FnMut(&str, &[&str]) -> Option<(usize, String)>) -> Option<String> {
    let places = words(text);
    let all: Vec<&str> = places.iter().map(|place| &text[place.clone()]).collect();
    let (mut written, mut end, mut at) = (String::new(), 0, 0);
    while let Some(place) = places.get(at) {
        written.push_str(&text[end..place.start]);
        let (taken, word) = match all[at].starts_with(|c: char| c.is_ascii_digit()) {
            true => (1, with_other_separators(all[at])),
            false => replace(all[at], &all[at..])?,
        };
        written.push_str(&word);
        at += taken;
        end = places[at - 1].end;
    }
    written.push_str(&text[end..]);
    Some(written)
}

/// The English of a German word in lower case, in any form, or of a compound of two.
fn german(word: &str) -> Option<String> {
    if let Some(english) = form(word) {
        return Some(english.to_owned());
    }
    let cuts = word.char_indices().map(|(at, _)| at);
    cuts.filter(|&at| at >= MIN_PART && word.len() - at >= MIN_PART).find_map(|at| {
        let (first, second) = word.split_at(at);
        let second = form(second)?;
        let first = LINKS.iter().find_map(|link| form(first.strip_suffix(link)?))?;
        let first = FIRST_PARTS
            .iter()
            .find(|(noun, _)| *noun == first.trim_end_matches('s'))
            .map_or(first, |(_, adjective)| adjective);
        Some(format!("{first} {second}"))
    })
}

fn form(word: &str) -> Option<&'static str> {
    let exact = LIST.german.get(word);
    let stemmed = || {
        ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending)).find_map(|stem| {
            let enough = stem.chars().count() > MIN_PART;
            ENDINGS.iter().filter(|_| enough).find_map(|ending| LIST.german.get(&*format!("{stem}{ending}")))
        })
    };
    exact.or_else(stemmed).and_then(|english| english.first()).copied()
}

/// A number with the separators of the other language: `1.250,00` becomes `1,250.00`. A date (`3.5.2024`) stays.
fn with_other_separators(number: &str) -> String {
    let groups: Vec<&str> = number.split(['.', ',']).collect();
    let is_day = number.matches('.').count() == 2
        && groups.iter().any(|group| group.len() != 3)
        && groups[0].len() < 3;
    if is_day || groups.len() < 2 {
        return number.to_owned();
    }
    number
        .chars()
        .map(|c| match c {
            '.' => ',',
            ',' => '.',
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_asked_in_the_other_language() {
        for (text, other) in [
            ("Wie lang ist die Kündigungsfrist?", Some("How long is the notice period?")),
            ("Wie hoch ist die Monatsmiete?", Some("What is the monthly rent?")),
            ("Wer zahlt die Gebühr für die Müllabfuhr?", Some("Who pays the fee for the waste collection?")),
            ("Was kostet die Lieferung der Pumpen?", Some("How much is the delivery of the pumps?")),
            ("Wann endet der Pachtvertrag mit Hansen?", Some("When ends the lease contract with Hansen?")),
            ("Wie hoch ist der Wochenlohn?", Some("What is the weekly wage?")),
            ("Wer bewundert die Katze?", None),
            ("How long is the notice period?", Some("Wie lang ist der kündigungsfrist?")),
            ("The monthly rent is 1,250.00 euros.", Some("Der monatsmiete ist 1.250,00 euro.")),
            ("What is a spinnaker?", None),
        ] {
            assert_eq!(translated(text).as_deref(), other, "{text}");
        }
    }
}
