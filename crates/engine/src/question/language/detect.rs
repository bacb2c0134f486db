//! Tells German from English by short words.

use oriel_text::list_contains;

use crate::question::words::Word;

/// The most common words of German.
const COMMON: &str = "der die das den dem des und ist ein eine nicht wird von zu mit auf";
/// Words of German that English does not have.
const GERMAN: &str = "der das dem des ein eine einen einem einer ist sind wie wieviel wieviele wer wen wem wann wo warum worum wovon welche \
    welcher welches welchen welchem haben für und auf gibt gib wird wurde wurden fasse fass zeige zeig nenne nenn liste kannst bitte \
    zusammenfassung überblick sämtliche alle finde über";
/// Words of German that are also English, or names with a capital.
const PERHAPS_GERMAN: &str = "mit von vom im zu zum zur es hat den die was um";
/// Those of them that open a German question, unless it has words of English.
const GERMAN_OPENINGS: &str = "was von um mit im zu die es";
const ENGLISH: &str = "the a an of is are it he she they there this that any who what which how do does did in for to by at on before \
    after paid included and not ever";

/// Whether a question is asked in German, as far as its short words tell.
pub(crate) fn is_german(question: &str) -> bool {
    let words = Word::all(question);
    let opens = words.first().is_some_and(|word| list_contains(&word.lower, GERMAN_OPENINGS));
    // "Hat" and "in" are English; two such words are not.
    let perhaps =
        words.iter().filter(|word| !word.is_capitalised() && list_contains(&word.lower, PERHAPS_GERMAN));
    let is_sure = |word: &Word<'_>| {
        list_contains(&word.lower, GERMAN) || list_contains(word.text, "im mit vom zum zur")
    };
    let is_english = words.iter().any(|word| list_contains(&word.lower, ENGLISH));
    let is_likely = opens && words.len() > 1 || perhaps.count() > 1;
    is_likely && !is_english || words.iter().any(is_sure)
}

/// Further words that tell a German text from an English one if there are enough of them.
const GERMAN_OF_TEXT: &str = "mit von im zu es hat den";

/// The share of such words from which a text is in German.
const SHARE_OF_GERMAN: f32 = 0.08;

/// Whether a text of a document is in German, as far as its short words tell.
pub(crate) fn is_german_text(text: &str) -> bool {
    let words = Word::all(text);
    let is_it =
        |word: &&Word<'_>| list_contains(&word.lower, GERMAN) || list_contains(&word.lower, GERMAN_OF_TEXT);
    let german = words.iter().filter(is_it).count();
    german as f32 >= SHARE_OF_GERMAN * words.len() as f32
}

/// Whether a word, as it is written, is one of the most common of German.
pub(crate) fn is_common_german(word: &str) -> bool {
    list_contains(word, COMMON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_question_is_that_of_its_short_words() {
        for question in [
            "Was kostet die Hobelbank?",
            "Nenne alle Verträge",
            "Finde alle Rechnungen über Heizöl",
            "Von wem ist der Brief?",
            "Kaution mit Zinsen",
            "Miete im Mai",
            "Wieviel Miete?",
            "Worum geht es?",
        ] {
            assert!(is_german(question), "{question}");
        }
        for question in [
            "Where is the red hat?",
            "Who is von Neumann?",
            "Was the roof repaired?",
            "Was rent paid in May?",
            "Did she study at MIT?",
            "What was in the den?",
            "Which plants die in winter?",
        ] {
            assert!(!is_german(question), "{question}");
        }
    }
}
