//! The sentences of an answer with their places in its text.

use oriel_core::{AnswerSentence, ByteSpan, Passage};

use crate::documents::kind_of;
use crate::marks::{Marks, flowing, found_pieces, offset};
use crate::payload::payload;
use crate::text::Piece;

payload! {
    /// A sentence of an answer.
    pub struct Claim {
        #[serde(flatten)]
        pub sentence: AnswerSentence,
        /// Where it begins in the answer's text, in UTF-16 units.
        pub start: u32,
        /// Where it ends, its citations not counted.
        pub end: u32,
        /// The sentence of a document that contains it, with its words marked as found; empty if it is a whole sentence.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<Piece>>", optional))]
        pub held: Vec<Piece>,
    }
}

/// The sentences of an answer with their places in its text, in UTF-16 units. A sentence that is not found in the text gets
/// no length and keeps its citations. `passages` are those of the answer.
pub(crate) fn claims(answer: &str, sentences: &[AnswerSentence], passages: &[Passage]) -> Vec<Claim> {
    let mut from = 0;
    sentences
        .iter()
        .map(|sentence| {
            let found = place_in(answer, from, &sentence.text);
            let (start, end) = found.unwrap_or((from, from));
            from = end;
            Claim {
                sentence: sentence.clone(),
                start: utf16(&answer[..start]),
                end: utf16(&answer[..end]),
                held: held(sentence, passages).unwrap_or_default(),
            }
        })
        .collect()
}

/// The sentence of a passage that holds a phrase of an answer word for word; `None` if it is no more than the phrase.
fn held(phrase: &AnswerSentence, passages: &[Passage]) -> Option<Vec<Piece>> {
    let place = phrase.places.first().filter(|_| phrase.supported)?;
    let passage = passages.iter().find(|passage| passage.n == place.n)?;
    let within =
        ByteSpan::new(place.start.checked_sub(passage.start)?, place.end.checked_sub(passage.start)?);
    let sentence = within.of(&passage.text)?;
    let wanted = phrase.text.trim_end_matches('.');
    let at = sentence
        .find(wanted)
        .filter(|_| !wanted.is_empty() && wanted.len() < sentence.trim_end_matches('.').len())?;
    let start = within.start + offset(at);
    let marks = Marks::of_sentences(vec![ByteSpan::new(start, start + offset(wanted.len()))]);
    Some(found_pieces(match kind_of(&passage.path).is_markdown() {
        true => marks.visible_runs(&passage.text, within, 0),
        false => flowing(marks.runs(sentence, within.start)),
    }))
}

/// Finds a sentence in the answer from `from` on: its words in order, with only space and citations between them.
fn place_in(answer: &str, from: usize, sentence: &str) -> Option<(usize, usize)> {
    let mut words = sentence.split_whitespace();
    let first = words.next()?;
    let mut search = from;
    while let Some(found) = answer[search..].find(first).map(|at| at + search) {
        let mut at = found + first.len();
        let is_whole = words.clone().all(|word| {
            at += skipped(&answer[at..]);
            let is_next = answer[at..].starts_with(word);
            at += if is_next { word.len() } else { 0 };
            is_next
        });
        if is_whole {
            return Some((found, at));
        }
        search = found + answer[found..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// The length of the space and citations that the text begins with.
fn skipped(text: &str) -> usize {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        let after = trimmed
            .strip_prefix('[')
            .and_then(|inner| inner.split_once(']'))
            .filter(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|(_, after)| after);
        match after {
            Some(after) => rest = after,
            None => return text.len() - trimmed.len(),
        }
    }
}

fn utf16(text: &str) -> u32 {
    offset(text.encode_utf16().count())
}

#[cfg(test)]
mod tests {
    use oriel_core::{CitedPlace, Location};

    use super::*;

    fn sentence(text: &str, places: Vec<CitedPlace>) -> AnswerSentence {
        AnswerSentence {
            text: text.into(),
            supported: true,
            citations: vec![1],
            places,
            reason: None,
            difference: None,
        }
    }

    #[test]
    fn claims_are_found_through_citations_and_line_breaks() {
        let answer = "Ünder way [1]: it costs\n5 € [2]. It ends. It ends.";
        let sentences =
            ["Ünder way : it costs 5 €", "It ends.", "It ends."].map(|one| sentence(one, Vec::new()));
        let claims = claims(answer, &sentences[1..], &[]);
        let units: Vec<u16> = answer.encode_utf16().collect();
        let of =
            |claim: &Claim| String::from_utf16(&units[claim.start as usize..claim.end as usize]).unwrap();
        assert_eq!(claims.iter().map(of).collect::<Vec<_>>(), ["It ends.", "It ends."]);
        assert!(claims[0].end <= claims[1].start, "two sentences alike are two places");
        let lost = super::claims(answer, &[sentence("Not there at all.", Vec::new())], &[]);
        assert_eq!((lost[0].start, lost[0].end), (0, 0));
    }

    #[test]
    fn a_phrase_is_shown_in_the_sentence_that_holds_it() {
        let text = "It was let in 2019. Since the review the **rent** is £20,600 a year.";
        let start = offset(text.find("Since").unwrap());
        let passage = Passage {
            n: 2,
            path: "/papers/rent.md".into(),
            headings: Vec::new(),
            location: Location::default(),
            start: 100,
            end: 100 + offset(text.len()),
            text: text.into(),
            score: 0.0,
            hits: Vec::new(),
            answer: None,
            also: Vec::new(),
        };
        let place = CitedPlace { n: 2, start: 100 + start, end: passage.end };
        let shown = |text: &str| {
            let phrase = sentence(text, vec![place]);
            let pieces = held(&phrase, std::slice::from_ref(&passage)).unwrap_or_default();
            pieces
                .iter()
                .map(|piece| if piece.found { format!("<{}>", piece.text) } else { piece.text.clone() })
                .collect::<String>()
        };
        assert_eq!(shown("£20,600 a year."), "Since the review the rent is <£20,600 a year>.");
        assert_eq!(shown("Since the review the **rent** is £20,600 a year."), "", "it is the sentence");
        assert_eq!(shown("£18,400."), "");
    }
}
