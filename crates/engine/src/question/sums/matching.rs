//! Compares words of a question with cells and heads of a table, ignoring case, accents and some endings.

use oriel_text::{fold, terms, words};

/// Endings by which a word of a question may differ from a cell or a head.
const ENDINGS: [&str; 5] = ["s", "es", "e", "n", "en"];
/// Minimum length of a word whose ending may differ.
const MIN_STEM: usize = 4;

/// A text for comparison: its words in lower case and without accents.
pub(crate) fn normal(text: &str) -> String {
    let lower = text.to_lowercase();
    if lower.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return lower;
    }
    words(&lower).into_iter().map(|place| fold(&lower[place]).into_owned()).collect::<Vec<_>>().join(" ")
}

/// The words of a column's head or a table's name; `unit_price (EUR)` has three.
pub(crate) fn head_words(head: &str) -> Vec<String> {
    let apart = head.replace(['_', '-', '.', '/'], " ");
    normal(&apart).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The forms of a word with other endings.
pub(crate) fn with_endings(word: &str) -> Vec<String> {
    if word.chars().count() < MIN_STEM || !word.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let bare =
        ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending)).filter(|bare| bare.len() >= MIN_STEM);
    bare.map(str::to_owned).chain(ENDINGS.iter().map(|ending| format!("{word}{ending}"))).collect()
}

/// Whether a word of a question is the same as a word of a head, in any form.
pub(crate) fn is_same(word: &str, head: &str) -> bool {
    let word = normal(word);
    word == head
        || with_endings(&word).iter().any(|other| other == head)
        || word.len().min(head.len()) > 2 && terms(&word) == terms(head)
}
