//! Finds the words of a mention in a sentence. Terms have no positions, so each word of the sentence is converted to
//! its terms again.

use oriel_core::ByteSpan;
use oriel_text::terms;

/// The words of `sentence` with a wanted term, in bytes of the document, ascending. The sentence begins at byte
/// `start`.
pub(super) fn of(sentence: &str, start: u32, is_looked_for: &dyn Fn(&str) -> bool) -> Vec<ByteSpan> {
    let mut places: Vec<ByteSpan> = Vec::new();
    for (from, word) in words(sentence) {
        let found = terms(word);
        let held = found.iter().filter(|term| is_looked_for(term)).count();
        if held == found.len() && held > 0 {
            push(&mut places, start, from, from + word.len());
        } else if held > 0 {
            // A compound with a wanted part, or text in a script without spaces.
            for (at, part) in parts(word) {
                if terms(part).iter().any(|term| is_looked_for(term)) {
                    push(&mut places, start, from + at, from + at + part.len());
                }
            }
        }
    }
    places
}

/// Adds a span; joins it to the last one if they overlap.
fn push(places: &mut Vec<ByteSpan>, start: u32, from: usize, to: usize) {
    let at = |byte: usize| start.saturating_add(u32::try_from(byte).unwrap_or(u32::MAX));
    let place = ByteSpan::new(at(from), at(to));
    match places.last_mut() {
        Some(last) if place.start < last.end => *last = last.hull(place),
        _ => places.push(place),
    }
}

/// The words with their offsets: runs of letters, digits and the characters that join them.
fn words(sentence: &str) -> impl Iterator<Item = (usize, &str)> {
    let joins = |c: char| belongs(c) || matches!(c, '\'' | '’' | '.' | ',' | '-' | '_');
    pieces(sentence, joins).map(|(from, piece)| {
        let word = piece.trim_start_matches(|c: char| !belongs(c));
        (from + piece.len() - word.len(), word.trim_end_matches(|c: char| !belongs(c)))
    })
}

/// The parts of a compound; for a word without separators each pair of characters.
fn parts(word: &str) -> Vec<(usize, &str)> {
    let joined: Vec<_> = pieces(word, belongs).collect();
    if joined.len() > 1 {
        return joined;
    }
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    letters
        .windows(2)
        .map(|pair| {
            let (from, to) = (pair[0].0, pair[1].0 + pair[1].1.len_utf8());
            (from, &word[from..to])
        })
        .collect()
}

/// The longest runs of wanted characters, with their offsets.
fn pieces(text: &str, is_wanted: impl Fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(move |c: char| !is_wanted(c)).filter_map(move |piece| {
        let from = at;
        // Two pieces are separated by one character.
        at += piece.len() + text[from + piece.len()..].chars().next().map_or(0, char::len_utf8);
        (!piece.is_empty()).then_some((from, piece))
    })
}

/// Whether a character is part of a word: a letter, a digit or a combining mark.
fn belongs(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{65f}' | '\u{900}'..='\u{dff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marked<'s>(sentence: &'s str, wanted: &str) -> Vec<&'s str> {
        let wanted = terms(wanted);
        let places = of(sentence, 0, &|term| wanted.iter().any(|other| other == term));
        places.into_iter().map(|place| place.of(sentence).unwrap()).collect()
    }

    #[test]
    fn words_are_marked_in_every_form_and_whole() {
        assert_eq!(marked("“Companies” pay; the company's pay day.", "company"), ["Companies", "company's"]);
        assert_eq!(marked("Die Kündigungen, ohne Frist.", "Kündigung Frist"), ["Kündigungen", "Frist"]);
        assert_eq!(marked("At 80 °C it was 1,000.", "80 1000"), ["80", "1,000"]);
        assert_eq!(marked("Nothing here.", "company"), [""; 0]);
    }

    #[test]
    fn of_a_compound_the_part_is_marked() {
        assert_eq!(marked("See RFC-7231 and rfc.", "rfc"), ["RFC", "rfc"]);
        assert_eq!(marked("See RFC-7231.", "7231 rfc"), ["RFC-7231"]);
        assert_eq!(marked("東京の家賃です", "家賃"), ["家賃"]);
        assert_eq!(marked("日本語です", "日本語"), ["日本語"], "pairs that overlap are one place");
    }

    proptest! {
        #[test]
        fn places_ascend_and_lie_on_characters(sentence in any::<String>(), wanted in any::<String>()) {
            let wanted = terms(&wanted);
            let places = of(&sentence, 0, &|term| wanted.iter().any(|other| other == term));
            for place in &places {
                prop_assert!(place.of(&sentence).is_some_and(|text| !text.is_empty()));
            }
            prop_assert!(places.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }
}
