//! Other values that stand where an answer was looked for: a small model takes a neighbour's value now and then.

use crate::answer::grounding::words::Word;
use crate::answer::grounding::{Evidence, Proposed};

/// Values of the kind of the one in `phrase`, in all evidence: amounts of its unit, or counts of what it counts. Empty if the phrase
/// holds no number, or several.
pub(crate) fn other_values(phrase: &str, question: &str, evidence: &[Evidence]) -> Vec<Proposed> {
    let words = Word::all(phrase);
    let mut numbers = words.iter().enumerate().filter(|(_, word)| word.number().is_some());
    let (Some((at, number)), None) = (numbers.next(), numbers.next()) else { return Vec::new() };
    let Some(own) = number.number().filter(|own| !own.is_year()) else { return Vec::new() };
    let named = words.get(at + 1).filter(|word| word.tells()).map(|word| word.term.clone());
    let counted = named.or_else(|| counted_in(question)).filter(|_| !own.has_unit());
    let mut found = Vec::new();
    for (text, evidence) in evidence.iter().enumerate() {
        for (sentence, words) in evidence.words.iter().enumerate() {
            for (at, word) in words.iter().enumerate() {
                let Some(other) = word.number().filter(|other| !other.is_year() && !other.equals(&own))
                else {
                    continue;
                };
                let next = words.get(at + 1).map(|next| &next.term);
                if own.has_unit_of(&other) || (next.is_some() && next == counted.as_ref()) {
                    found.push(Proposed {
                        answer: with_sign(&word.text, &evidence.sentences[sentence]),
                        text,
                        sentence,
                    });
                }
            }
        }
    }
    found
}

/// What a question counts: "clocks" of "how many clocks".
fn counted_in(question: &str) -> Option<String> {
    let words = Word::all(question);
    let many = words.windows(2).position(|pair| pair[0].lower == "how" && pair[1].lower == "many")?;
    words.get(many + 2).map(|word| word.term.clone())
}

/// A number as it stands in a sentence, with the sign before or behind it.
fn with_sign(number: &str, sentence: &str) -> String {
    let Some(start) = sentence.find(number) else { return number.to_owned() };
    let (before, after) = (&sentence[..start], &sentence[start + number.len()..]);
    let sign = before.chars().next_back().filter(|last| "£$€¥".contains(*last));
    let behind = ["%", " %", " €", " percent", " per cent"].into_iter().find(|sign| after.starts_with(sign));
    format!("{}{number}{}", sign.map(String::from).unwrap_or_default(), behind.unwrap_or_default())
}
