//! What Oriel says itself, in English and German, a file for each kind of answer that it computes.
//!
//! A sentence is in the language of its question, but that nothing was found: models write that in English, too. Why something failed is said by `oriel_core::Notice`, and the words of the app window
//! are in `ui/src/i18n`.

pub(super) mod events;
pub(super) mod latest;
pub(super) mod library;
pub(super) mod list;
pub(super) mod outline;
pub(super) mod sums;

use jiff::civil::Date;
use oriel_core::TimeLimit;
use oriel_text::dates::Period;

/// The answer if nothing is good enough; the prompt asks the generator to say the same.
pub(crate) const NOT_FOUND: &str = "I could not find an answer in your documents.";
/// What stands before the question of a part that was not found.
pub(crate) const PART_NOT_FOUND: &str = "Not found in your documents:";

/// Up to this many names stand in the sentence; rows below it have all.
pub(crate) const MAX_NAMES: usize = 10;

/// The English or the German words.
pub(crate) fn pick<T>(is_german: bool, english: T, german: T) -> T {
    if is_german { german } else { english }
}

/// Names as a list: "a, b and c".
pub(crate) fn names(names: impl Iterator<Item = String>, is_german: bool) -> String {
    let names: Vec<String> = names.collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} {} {last}", before.join(", "), pick(is_german, "and", "und")),
        None => String::new(),
    }
}

/// "Nothing from October 2026 answers it."
pub(crate) fn nothing_from(time: &TimeLimit, is_german: bool) -> Option<String> {
    let day = |day: &Option<String>| day.as_ref().and_then(|day| day.parse::<Date>().ok());
    let (since, until) = (day(&time.since), day(&time.until));
    let one = |day: Date| Period::day(day).in_words(is_german);
    let when = match (since, until, is_german) {
        (Some(first), Some(last), false) => format!("from {}", Period { first, last }.in_words(false)),
        (Some(first), Some(last), true) => {
            format!("aus der Zeit „{}“", Period { first, last }.in_words(true))
        }
        (Some(first), None, _) => format!("{} {}", pick(is_german, "since", "seit dem"), one(first)),
        (None, Some(last), _) => format!("{} {}", pick(is_german, "until", "bis zum"), one(last)),
        (None, None, _) => return None,
    };
    Some(match is_german {
        true => format!("Nichts {when} beantwortet die Frage."),
        false => format!("Nothing {when} answers it."),
    })
}
