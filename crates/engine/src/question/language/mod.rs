//! The function words of questions and claims, a file for each language. A new language is a new file here, declared below, and a line in
//! `ALL`; one in which questions of every kind are understood has a line in `FULL` and `MORE`, too.
//!
//! Words that belong to one kind of question stand at the head of the file for that kind.

mod de;
pub(crate) mod detect;
mod en;
mod es;
mod fr;
mod function_words;
mod it;
mod nl;
mod pt;

use std::sync::LazyLock;

use function_words::{FunctionWords, MoreWords};

/// The languages in which questions of every kind are understood.
const FULL: [&FunctionWords; 2] = [&en::WORDS, &de::WORDS];
const MORE: [&MoreWords; 2] = [&en::MORE, &de::MORE];
const ALL: [&FunctionWords; 7] =
    [&en::WORDS, &de::WORDS, &fr::WORDS, &es::WORDS, &it::WORDS, &nl::WORDS, &pt::WORDS];

/// Defines lists of words: the named lists of these languages together.
macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident = $($languages:ident: $($list:ident)+),+;)+) => {$(
        $(#[$doc])*
        pub(crate) static $name: LazyLock<String> = LazyLock::new(|| {
            let mut words = Vec::new();
            $(words.extend($languages.iter().flat_map(|language| [$(language.$list),+]));)+
            words.retain(|list: &&str| !list.is_empty());
            words.join(" ")
        });
    )+};
}

lists! {
    ARTICLES = FULL: definite indefinite;
    /// Articles and what stands in their place.
    DETERMINERS = FULL: definite indefinite determiners;
    NEGATIONS = FULL: negations;
    QUESTION_WORDS = FULL: who when, MORE: asking;
    AUXILIARIES = MORE: auxiliaries;
    PRONOUNS = MORE: personal_pronouns other_pronouns;
    PERSONAL_PRONOUNS = MORE: personal_pronouns;
    POSSESSIVES = MORE: possessives;
    CONJUNCTIONS = MORE: conjunctions;
    PREPOSITIONS = MORE: prepositions;
    /// Words of a question without content.
    STOP_WORDS = FULL: definite indefinite, MORE: stop stop_in_questions;
    /// Words of a claim without content.
    CLAIM_STOP_WORDS = FULL: definite indefinite, MORE: stop, ALL: stop_in_claims;
    ALL_DEFINITE = ALL: definite;
    ALL_DETERMINERS = ALL: definite indefinite determiners;
    ALL_NEGATIONS = ALL: negations;
    /// Words that ask for a person.
    ALL_WHO = ALL: who;
    /// Words that ask for a time.
    ALL_WHEN = ALL: when;
    /// Words that ask for one of several.
    ALL_WHICH = ALL: which;
    /// Words that no document need have.
    ALL_FUNCTION_WORDS = ALL: definite indefinite determiners negations who when which stop_in_claims;
}

/// The number from 1 to 12 that a word in lower case names in any language.
pub(crate) fn number(lower: &str) -> Option<usize> {
    number_in(&ALL, lower)
}

/// The same in English or German: "due" is two in Italian.
pub(crate) fn full_number(lower: &str) -> Option<usize> {
    number_in(&FULL, lower)
}

fn number_in(languages: &[&FunctionWords], lower: &str) -> Option<usize> {
    let place = |list: &str| list.split(' ').position(|forms| forms.split('/').any(|form| form == lower));
    languages.iter().find_map(|language| place(language.numbers)).map(|at| at + 1)
}

/// The day of the week that a word in lower case names, from Monday as 0.
pub(crate) fn weekday(lower: &str) -> Option<usize> {
    ALL.iter().find_map(|language| language.weekdays.split(' ').position(|day| day == lower))
}
