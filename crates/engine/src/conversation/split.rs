//! The parts of a question that asks several things: "Who signed the lease, and when does it end?", "How does the rent of the
//! flat compare with that of the garage?"
//!
//! It works on words alone, in English and German. When in doubt it leaves a question whole: that still finds what its words
//! find.

use oriel_text::words;

use crate::conversation::rewrite::{after, is_fragment, standalone};
use crate::search::words::{VERBS, Word, among, content, is_asking};

/// Maximum number of parts.
const MAX_PARTS: usize = 4;

/// Conjunctions between two questions.
const JOINING: &str = "and und sowie";
/// Prepositions that may come before a question word.
const LEADING: &str =
    "in on at for from since until by with of to about under über für mit seit von bis auf in an aus zu";
/// What an inverted clause has after its verb: "and does it", "and is the".
const SUBJECTS: &str = "the a an it there they he she we you this that these those its their his her any der die das ein eine es \
    sie er ihr ihre sein seine dieser diese dieses";

/// The parts of a question, each standing alone; the question itself if it asks one thing.
#[must_use]
pub fn question_parts(question: &str) -> Vec<String> {
    let compared = compared(question);
    if compared.len() > 1 {
        return compared;
    }
    let mut parts: Vec<String> = Vec::new();
    for clause in clauses(question) {
        let whole = standalone(&clause, &parts[..]).unwrap_or(clause);
        parts.push(whole);
    }
    if (2..=MAX_PARTS).contains(&parts.len()) { parts } else { vec![question.trim().to_owned()] }
}

/// The questions that stand one after the other in a text.
fn clauses(question: &str) -> Vec<String> {
    let places = words(question);
    let lower = |place: &std::ops::Range<usize>| {
        let word = question[place.clone()].to_lowercase().replace('’', "'");
        word.strip_suffix("'s").unwrap_or(&word).to_owned()
    };
    let lower: Vec<String> = places.iter().map(lower).collect();
    let mut clauses = Vec::new();
    let mut begun = 0;
    for at in 1..places.len() {
        let between = &question[places[at - 1].end..places[at].start];
        let is_joining = among(&lower[at], JOINING);
        let first = at + usize::from(is_joining);
        if !(is_joining || between.contains('?')) || !asks(&lower[at], &lower[first..]) {
            continue;
        }
        let (before, after) = (&question[begun..places[at - 1].end], &question[places[first].start..]);
        if is_question(before) && !is_fragment(&Word::all(after)) && content(&Word::all(after)).count() > 0 {
            clauses.push(closed(before));
            begun = places[first].start;
        }
    }
    clauses.push(closed(&question[begun..]));
    clauses
}

/// Whether words begin a question after `joint`. "Was" asks in German and is a verb in English.
fn asks(joint: &str, lower: &[String]) -> bool {
    match lower {
        [first, ..] if is_asking(first) && (first != "was" || joint != "and") => true,
        [first, second, ..] if among(first, LEADING) => is_asking(second),
        [first, second, ..] if among(first, VERBS) => among(second, SUBJECTS),
        _ => false,
    }
}

/// Whether a text is a question of its own, and not the beginning of one: "Where and when was it signed?"
fn is_question(text: &str) -> bool {
    let words = Word::all(text);
    let named = content(&words).count();
    named > 1 || (named > 0 && words.iter().any(|word| among(&word.lower, VERBS)))
}

/// As a question, with its mark.
fn closed(text: &str) -> String {
    let text = text.trim().trim_end_matches([',', ';', '?', '.', ' ']);
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    first.chain(letters).chain(['?']).collect()
}

/// How a comparison begins, and what stands between its two sides.
const COMPARISONS: [(&[&str], &[&str]); 5] = [
    (&["how does ", "how do ", "how did "], &[" compare with ", " compare to ", " differ from "]),
    (&["compare ", "please compare "], &[" and ", " with ", " to "]),
    (
        &[
            "what is the difference between ",
            "what are the differences between ",
            "what's the difference between ",
        ],
        &[" and "],
    ),
    (&["vergleiche ", "bitte vergleiche "], &[" und ", " mit "]),
    (&["was ist der unterschied zwischen ", "was sind die unterschiede zwischen "], &[" und "]),
];
/// What both sides of a comparison are asked about.
const TOPICS: [&str; 6] =
    [" in terms of ", " with regard to ", " regarding ", " concerning ", " hinsichtlich ", " bezüglich "];

/// The two sides of a comparison, each with what they are compared in; nothing if it is none.
fn compared(question: &str) -> Vec<String> {
    let plain = question.trim().trim_end_matches(['?', '.', ' ']);
    let find =
        |text: &str, all: &[&str]| all.iter().filter_map(|one| Some((text.find(one)?, one.len()))).min();
    for (openings, middles) in COMPARISONS {
        let Some(sides) = openings.iter().find_map(|opening| after(plain, opening)) else { continue };
        let Some((middle, length)) = find(sides, middles) else { continue };
        let (left, right) = (&sides[..middle], &sides[middle + length..]);
        let topic = find(right, &TOPICS);
        let (right, topic) = match topic {
            Some((at, length)) => (&right[..at], &right[at + length..]),
            None => (right, ""),
        };
        let named = |side: &str| content(&Word::all(side)).filter(|word| !word.is_number()).count();
        if named(left) > 0 && named(right) > 0 {
            let asks = if middles.contains(&" und ") { "Was ist" } else { "What is" };
            let left = side(asks, left, topic);
            let right = side(asks, right, topic);
            let right = standalone(&right, std::slice::from_ref(&left)).unwrap_or(right);
            return vec![left, right];
        }
    }
    Vec::new()
}

/// A side as a question, which a reranker reads better than a name.
fn side(asks: &str, text: &str, topic: &str) -> String {
    let parts = [topic.trim(), text.trim()];
    format!("{asks} {}?", parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::question_parts;

    #[test]
    fn a_question_that_asks_two_things_has_two_parts() {
        let cases: [(&str, &[&str]); 10] = [
            (
                "Who designed the bridge, and when was the ferry sold?",
                &["Who designed the bridge?", "When was the ferry sold?"],
            ),
            (
                "What is the rent of the flat and how many keys are there?",
                &["What is the rent of the flat?", "How many keys are there?"],
            ),
            (
                "Where is the contract? And who signed it?",
                &["Where is the contract?", "Who signed it? (contract)"],
            ),
            (
                "Is the deposit refundable and does it bear interest?",
                &["Is the deposit refundable?", "Does it bear interest? (deposit refundable)"],
            ),
            (
                "What is the projected ROI? What about its risks?",
                &["What is the projected ROI?", "What about its risks? (projected ROI)"],
            ),
            (
                "Which boat won the race, in which year was it built, and who owns the harbour?",
                &["Which boat won the race, in which year was it built?", "Who owns the harbour?"],
            ),
            (
                "Wie hoch ist die Miete und wann ist die Kaution fällig?",
                &["Wie hoch ist die Miete?", "Wann ist die Kaution fällig?"],
            ),
            (
                "What is the difference between the lease of the flat and the lease of the garage?",
                &["What is the lease of the flat?", "What is the lease of the garage?"],
            ),
            (
                "Compare Hamburg and Bremen in terms of rent.",
                &["What is rent, Hamburg?", "What is rent, Bremen?"],
            ),
            (
                "How does the notice period in Hamburg compare with the notice period in Bremen?",
                &["What is the notice period in Hamburg?", "What is the notice period in Bremen?"],
            ),
        ];
        for (question, expected) in cases {
            assert_eq!(question_parts(question), expected, "{question}");
        }
    }

    #[test]
    fn a_question_that_asks_one_thing_stays_whole() {
        let cases = [
            "What are the rights and duties of the tenant?",
            "Where and when was the contract signed?",
            "When the pump broke, who repaired it?",
            "Who built the church and was buried there?",
            "What is the rent? Why?",
            "What is the projected ROI of Phoenix? And the second phase?",
            "What is the projected ROI of Phoenix? What about the second phase?",
            "How many people and how many dogs live there?",
            "Compare the two offers.",
            "notice period and deposit",
            "",
        ];
        for question in cases {
            assert_eq!(question_parts(question), [question], "{question}");
        }
    }
}
