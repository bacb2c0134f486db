//! Other values that stand where an answer was looked for: a small model takes a neighbour's value now and then.

use crate::answer::grounding::numbers::Quantity;
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
    let is_alike = |other: &Quantity, next: Option<&Word>| {
        !other.is_year()
            && !other.equals(&own)
            && (own.has_unit_of(other)
                || next.is_some_and(|next| counted.as_ref().is_some_and(|counted| *counted == next.term)))
    };
    let mut found = Vec::new();
    for (text, evidence) in evidence.iter().enumerate() {
        for (sentence, words) in evidence.words.iter().enumerate() {
            let numbers = words.iter().enumerate().filter_map(|(at, word)| Some((at, word, word.number()?)));
            let alike = numbers.filter(|(at, _, number)| is_alike(number, words.get(at + 1)));
            found.extend(alike.map(|(_, word, number)| Proposed {
                answer: with_sign(&word.text, number.has_sign(), &evidence.sentences[sentence]),
                text,
                sentence,
            }));
        }
    }
    found
}

/// What a question counts: "clocks" of "how many clocks".
fn counted_in(question: &str) -> Option<String> {
    let words = Word::all(question);
    let many = words.windows(2).position(|pair| pair[0].lower == "how" && pair[1].lower == "many")?;
    words[many + 2..].iter().find(|word| word.tells()).map(|word| word.term.clone())
}

/// A number as it stands in a sentence, with a minus, and with the sign of its unit if that has one.
fn with_sign(number: &str, has_sign: bool, sentence: &str) -> String {
    // Not within another number: "18" of "18,400".
    let is_whole = |start: &usize| {
        let mut after = sentence[start + number.len()..].chars();
        let goes_on = match after.next() {
            Some('.' | ',') => after.next().is_some_and(|c| c.is_ascii_digit()),
            next => next.is_some_and(char::is_alphanumeric) || (!has_sign && next == Some('%')),
        };
        !goes_on && !sentence[..*start].ends_with(|c: char| c.is_alphanumeric() || ",.".contains(c))
    };
    let Some(start) = sentence.match_indices(number).map(|(at, _)| at).find(is_whole) else {
        return number.to_owned();
    };
    let (before, after) = (&sentence[..start], &sentence[start + number.len()..]);
    let bare = before.trim_end_matches(|c: char| has_sign && "£$€ ".contains(c));
    let minus =
        bare.strip_suffix(['-', '−']).filter(|rest| rest.is_empty() || rest.ends_with(char::is_whitespace));
    let from = minus.map_or(bare.len(), str::len);
    let behind =
        ["%", " %", "€", " €", "$", " $"].into_iter().find(|sign| has_sign && after.starts_with(sign));
    format!("{}{number}{}", sentence[from..start].trim_start(), behind.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_as_it_stands() {
        for (number, has_sign, sentence, written) in [
            ("20,600", true, "It is £20,600 a year.", "£20,600"),
            ("600", true, "A fee of £ 600 is due.", "£ 600"),
            ("5", true, "It fell to -5 % in May.", "-5 %"),
            ("600", true, "Es kostet 600€ im Jahr.", "600€"),
            ("18", false, "Of £18,400 they bought 18 clocks.", "18"),
            ("5", false, "Of 5% of them 5 clocks came back.", "5"),
        ] {
            assert_eq!(with_sign(number, has_sign, sentence), written, "{sentence}");
        }
    }

    #[test]
    fn a_question_counts_what_it_names() {
        assert_eq!(
            counted_in("How many of the clocks were recalled?"),
            counted_in("How many clocks were recalled?")
        );
        assert_eq!(counted_in("How many?"), None);
    }
}
