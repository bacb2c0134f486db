//! Articles, determiners and negations, a file for each language. A new language is a new file here and a line in `ALL`.

mod de;
mod en;
mod es;
mod fr;
mod function_words;
mod it;
mod nl;
mod pt;

use std::sync::LazyLock;

use function_words::FunctionWords;

/// The languages in which questions of every kind are understood.
const FULL: [&FunctionWords; 2] = [&en::WORDS, &de::WORDS];
const ALL: [&FunctionWords; 7] =
    [&en::WORDS, &de::WORDS, &fr::WORDS, &es::WORDS, &it::WORDS, &nl::WORDS, &pt::WORDS];

fn joined(languages: &[&FunctionWords], lists: fn(&FunctionWords) -> Vec<&'static str>) -> String {
    languages.iter().flat_map(|language| lists(language)).collect::<Vec<_>>().join(" ")
}

/// Articles of English and German.
pub(crate) static ARTICLES: LazyLock<String> =
    LazyLock::new(|| joined(&FULL, |words| vec![words.definite, words.indefinite]));
/// Articles and determiners of English and German.
pub(crate) static DETERMINERS: LazyLock<String> =
    LazyLock::new(|| joined(&FULL, |words| vec![words.definite, words.indefinite, words.determiners]));
/// Definite articles of all languages.
pub(crate) static ALL_DEFINITE: LazyLock<String> =
    LazyLock::new(|| joined(&ALL, |words| vec![words.definite]));
/// Articles and determiners of all languages.
pub(crate) static ALL_DETERMINERS: LazyLock<String> =
    LazyLock::new(|| joined(&ALL, |words| vec![words.definite, words.indefinite, words.determiners]));
/// Negations of English and German.
pub(crate) static NEGATIONS: LazyLock<String> =
    LazyLock::new(|| joined(&FULL, |words| vec![words.negations]));
/// Negations of all languages.
pub(crate) static ALL_NEGATIONS: LazyLock<String> =
    LazyLock::new(|| joined(&ALL, |words| vec![words.negations]));
