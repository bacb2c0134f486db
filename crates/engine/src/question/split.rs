//! Divides a question that asks several things: "Who signed the lease, and when does it end?", "How does the rent of the
//! flat compare with that of the garage?"
//!
//! It uses the words alone, in English and German. When in doubt it leaves a question whole: its words still find something.

use oriel_text::{list_contains, words};

use crate::question::QueryPart;
use crate::question::language::AUXILIARIES;
use crate::question::rewrite::{is_fragment, standalone};
use crate::question::words::{Word, after, as_question, content, is_question_word};

/// Maximum number of parts.
const MAX_PARTS: usize = 4;

/// Conjunctions between two questions.
const JOINING: &str = "and und sowie";
/// Prepositions that may come before a question word.
const LEADING: &str =
    "in on at for from since until by with of to about under über für mit seit von bis auf in an aus zu";
/// Words after the verb of an inverted clause: "and does it", "and is the".
const SUBJECTS: &str = "the a an it there they he she we you this that these those its their his her any der die das ein eine es \
    sie er ihr ihre sein seine dieser diese dieses";

/// The parts of a question, each of which stands alone; the question itself if it asks one thing.
pub(crate) fn question_parts(question: &str) -> Vec<QueryPart> {
    if let Some(sides) = compared(question).or_else(|| chosen_from(question)) {
        return sides.into();
    }
    let mut parts: Vec<String> = Vec::new();
    for clause in clauses(question) {
        let whole = standalone(&clause, &parts[..]).unwrap_or(clause);
        parts.push(whole);
    }
    match parts.len() {
        2..=MAX_PARTS => parts.into_iter().map(QueryPart::plain).collect(),
        _ => vec![QueryPart::plain(question.trim())],
    }
}

/// The consecutive questions of a text.
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
        let is_joining = list_contains(&lower[at], JOINING);
        let first = at + usize::from(is_joining);
        if !(is_joining || between.contains('?')) || !asks(&lower[at], &lower[first..]) {
            continue;
        }
        let (before, after) = (&question[begun..places[at - 1].end], &question[places[first].start..]);
        if is_question(before) && !is_fragment(&Word::all(after)) && content(&Word::all(after)).count() > 0 {
            clauses.push(as_question(before));
            begun = places[first].start;
        }
    }
    clauses.push(as_question(&question[begun..]));
    clauses
}

/// Whether words begin a question after the word `joint`. "Was" is a question word in German and a verb in English.
fn asks(joint: &str, lower: &[String]) -> bool {
    match lower {
        [first, ..] if is_question_word(first) && (first != "was" || joint != "and") => true,
        [first, second, ..] if list_contains(first, LEADING) => is_question_word(second),
        [first, second, ..] if list_contains(first, &AUXILIARIES) => list_contains(second, SUBJECTS),
        _ => false,
    }
}

/// Whether a text is a question of its own, and not the beginning of one: "Where and when was it signed?"
fn is_question(text: &str) -> bool {
    let words = Word::all(text);
    let named = content(&words).count();
    named > 1 || (named > 0 && words.iter().any(|word| list_contains(&word.lower, &AUXILIARIES)))
}

/// Openings of comparisons, each with the words between its two sides.
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
/// Words before the topic of a comparison.
const TOPICS: [&str; 6] =
    [" in terms of ", " with regard to ", " regarding ", " concerning ", " hinsichtlich ", " bezüglich "];

/// Comparatives and superlatives that ask for one of two things: "the longer notice period".
const COMPARATIVES: &str = "more most less least fewer fewest longer longest shorter shortest higher highest lower lowest \
    larger largest bigger biggest smaller smallest greater greatest better best worse worst earlier earliest later latest \
    cheaper cheapest stricter strictest mehr weniger meisten wenigsten längere längeren längste längsten kürzere kürzeren \
    kürzeste kürzesten höhere höheren höchste höchsten niedrigere niedrigeren niedrigste niedrigsten größere größeren größte \
    größten kleinere kleineren kleinste kleinsten bessere besseren beste besten frühere früheren früheste frühesten spätere \
    späteren späteste spätesten";

/// The two sides of a comparison; `None` if the question is none.
fn compared(question: &str) -> Option<[QueryPart; 2]> {
    let plain = question.trim().trim_end_matches(['?', '.', ' ']);
    for (openings, middles) in COMPARISONS {
        let Some(both) = openings.iter().find_map(|opening| after(plain, opening)) else { continue };
        let Some((middle, length)) = find(both, middles) else { continue };
        let (left, right) = (&both[..middle], &both[middle + length..]);
        let (right, topic) = match find(right, &TOPICS) {
            Some((at, length)) => (&right[..at], &right[at + length..]),
            None => (right, ""),
        };
        if let Some(sides) = sides([left, right], topic, middles.contains(&" und ")) {
            return Some(sides);
        }
    }
    None
}

/// The two sides of a question that asks for one of them: "Which has the longer notice period, Brandt or Harbour Row?"
fn chosen_from(question: &str) -> Option<[QueryPart; 2]> {
    let plain = question.trim().trim_end_matches(['?', '.', ' ']);
    let (asked, both) = plain.rsplit_once([',', ':'])?;
    let (middle, length) = find(both, &[" or ", " oder "])?;
    let pair = [&both[..middle], &both[middle + length..]];
    let words = Word::all(asked);
    if !is_question_word(&words.first()?.lower)
        || pair.iter().any(|side| find(side, &[" or ", " oder "]).is_some())
    {
        return None;
    }
    let by = words.iter().find(|word| list_contains(&word.lower, COMPARATIVES))?;
    let (_, topic) = asked.split_once(&format!(" {} ", by.text))?;
    // "Longer than the other" names nothing, and after a comma there is a third side.
    let is_named = content(Word::all(topic).get(..1)?).count() > 0 && !topic.contains(',');
    if is_named { sides(pair, topic, both[middle..].starts_with(" oder ")) } else { None }
}

/// The position and length of the first of these in a text.
fn find(text: &str, all: &[&str]) -> Option<(usize, usize)> {
    all.iter().filter_map(|one| Some((text.find(one)?, one.len()))).min()
}

/// The sides as questions about the topic; `None` if one of them is not named.
fn sides(pair: [&str; 2], topic: &str, is_german: bool) -> Option<[QueryPart; 2]> {
    let [left, right] = pair.map(str::trim);
    let named = |side: &str| content(&Word::all(side)).any(|word| !word.is_number());
    if !named(left) || !named(right) {
        return None;
    }
    let asks = if is_german { "Was ist" } else { "What is" };
    let first = asked_of(asks, left, topic);
    let second = asked_of(asks, right, topic);
    let second = standalone(&second, std::slice::from_ref(&first)).unwrap_or(second);
    let part = |question: String, side: &str| QueryPart {
        side: Some(side.to_owned()),
        ..QueryPart::plain(question)
    };
    Some([part(first, left), part(second, right)])
}

/// A side as a question: a reranker scores it better than a name.
fn asked_of(asks: &str, side: &str, topic: &str) -> String {
    let parts = [topic.trim(), side];
    format!("{asks} {}?", parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let parts: Vec<String> = question_parts(question).into_iter().map(|part| part.question).collect();
            assert_eq!(parts, expected, "{question}");
        }
    }

    #[test]
    fn a_comparison_names_its_two_sides() {
        let cases = [
            (
                "Which has the longer notice period, Brandt or Harbour Row?",
                [
                    ("Brandt", "What is notice period, Brandt?"),
                    ("Harbour Row", "What is notice period, Harbour Row?"),
                ],
            ),
            (
                "Who pays more rent: Anna or Ben?",
                [("Anna", "What is rent, Anna?"), ("Ben", "What is rent, Ben?")],
            ),
            (
                "Welcher Vertrag hat die längere Kündigungsfrist, Brandt oder Exner?",
                [
                    ("Brandt", "Was ist Kündigungsfrist, Brandt?"),
                    ("Exner", "Was ist Kündigungsfrist, Exner?"),
                ],
            ),
            (
                "Vergleiche die Miete der Wohnung mit der Miete der Garage.",
                [
                    ("die Miete der Wohnung", "Was ist die Miete der Wohnung?"),
                    ("der Miete der Garage", "Was ist der Miete der Garage?"),
                ],
            ),
        ];
        for (question, expected) in cases {
            let parts = question_parts(question);
            let sides: Vec<_> =
                parts.iter().map(|part| (part.side.as_deref().unwrap(), part.question.as_str())).collect();
            assert_eq!(sides, expected, "{question}");
        }
        assert!(
            question_parts("Who wrote the letter, and when was it sent?")
                .iter()
                .all(|part| part.side.is_none())
        );
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
            "Which is longer, the lease or the contract?",
            "Which of the two is longer than the other, Brandt or Exner?",
            "Which has the longest notice period, Anna, Ben or Clara?",
            "Which lawyer signed the letter, Anna or Ben?",
            "If the rent is paid later, is a fee or interest due?",
            "notice period and deposit",
            "",
        ];
        for question in cases {
            assert_eq!(question_parts(question), [QueryPart::plain(question)], "{question}");
        }
    }
}
