//! The words of a question: which of them have content, and which refer to an earlier question.

use oriel_text::{capitalised, list_contains};

use crate::question::language::{
    AUXILIARIES, CONJUNCTIONS, PERSONAL_PRONOUNS, POSSESSIVES, PRONOUNS, QUESTION_WORDS, STOP_WORDS,
};

/// Nouns after which "this" and "those" do not refer back.
const SELF_CONTAINED_NOUNS: &str = "who which document documents file files folder folders note notes text texts year month week quarter \
    dokument dokumente dokumenten unterlagen datei dateien ordner jahr jahres monat woche quartal";

/// A pronoun after more content words than this most likely refers to one of them.
const MAX_WORDS_BEFORE_PRONOUN: usize = 2;

/// The words with content.
pub(crate) fn content<'a, 'w>(words: &'a [Word<'w>]) -> impl Iterator<Item = &'a Word<'w>> {
    words
        .iter()
        .filter(|word| !list_contains(&word.lower, &STOP_WORDS) && !list_contains(&word.lower, &PRONOUNS))
}

/// The words of a question that have content, as they are written; all words if none has.
pub(crate) fn content_words(question: &str) -> Vec<&str> {
    let words = Word::all(question);
    let telling: Vec<&str> = content(&words).map(|word| word.text).collect();
    if telling.is_empty() { words.iter().map(|word| word.text).collect() } else { telling }
}

/// Whether a word in lower case has no content.
pub(crate) fn is_stop_word(lower: &str) -> bool {
    list_contains(lower, &STOP_WORDS)
}

/// A text as a question, with a capital letter and a question mark.
pub(crate) fn as_question(text: &str) -> String {
    capitalised(text.trim().trim_end_matches([',', ';', '?', '.', ' '])) + "?"
}

/// The text after an opening, ignoring case.
pub(crate) fn after<'q>(question: &'q str, opening: &str) -> Option<&'q str> {
    let (begin, rest) = question.split_at_checked(opening.len())?;
    (begin.to_lowercase() == opening && !rest.trim().is_empty()).then(|| rest.trim())
}

/// The text after the first of these phrases that opens the question. The phrases are separated by semicolons.
pub(crate) fn after_one<'q>(question: &'q str, phrases: &str) -> Option<&'q str> {
    phrases.split("; ").find_map(|phrase| after(question, &format!("{phrase} ")))
}

/// Whether it is a question word.
pub(crate) fn is_question_word(word: &str) -> bool {
    list_contains(word, &QUESTION_WORDS) || word.starts_with("welche")
}

/// A word of a question.
pub(crate) struct Word<'w> {
    /// As it was written.
    pub text: &'w str,
    /// In lower case, without the ending of a genitive.
    pub lower: String,
    at: usize,
    /// Whether a comma is between it and the word before.
    after_comma: bool,
}

impl<'w> Word<'w> {
    /// The words of `question`, in order.
    pub(crate) fn all(question: &'w str) -> Vec<Self> {
        let mut words = Vec::new();
        let mut after_comma = false;
        let is_end = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-' | '.' | ',');
        for piece in question.split(is_end) {
            let text = piece.trim_matches(|c: char| !c.is_alphanumeric());
            if !text.is_empty() {
                let at = words.len();
                let lower = text.to_lowercase().replace('’', "'");
                let lower = lower.strip_suffix("'s").unwrap_or(&lower).to_owned();
                words.push(Word { text, lower, at, after_comma });
                after_comma = false;
            }
            after_comma |= piece.ends_with(',');
        }
        words
    }

    /// Whether it begins with a digit.
    pub(crate) fn is_number(&self) -> bool {
        self.lower.starts_with(|c: char| c.is_ascii_digit())
    }

    pub(crate) fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    /// Whether the word refers to something outside its question, `words`.
    pub(crate) fn refers_outside(&self, words: &[Word<'_>]) -> bool {
        let (before, after) = (&words[..self.at], &words[self.at + 1..]);
        let previous_is = |list: &str| before.last().is_some_and(|word| list_contains(&word.lower, list));
        let next_is = |list: &str| after.first().is_some_and(|word| list_contains(&word.lower, list));
        let is_last = after.is_empty();
        match self.lower.as_str() {
            // "Is it true that", "the rule that applies": a conjunction, unless it stands where a noun would.
            "that" => {
                is_last
                    || self.at == 1
                    || previous_is(&AUXILIARIES)
                    || previous_is("about of for by with and in on at from to")
            }
            // "How many are there?"
            "there" if previous_is("is are was were") && content(before).count() > 0 => false,
            "there" | "then" => is_last && self.at > 0,
            "one" | "ones" => {
                previous_is("which other another first second third last latest next previous old new")
            }
            // A pronoun, unless a noun follows whose article it could be.
            "das" => is_last || next_is(&STOP_WORDS) || !after.iter().any(Word::is_capitalised),
            // "Gibt es", "how long does it take to": these refer to nothing.
            "es" if previous_is("gibt gab geht") || next_is("gibt gab geht") => false,
            "it" if next_is("take takes took comes cost costs true possible allowed") => {
                !after.iter().any(|word| list_contains(&word.lower, "to that if"))
            }
            lower if list_contains(lower, &PRONOUNS) => {
                !next_is(SELF_CONTAINED_NOUNS) && !self.is_named_in(before)
            }
            _ => false,
        }
    }

    /// Whether the antecedent is probably one of the words `before`, or the word is not a pronoun.
    fn is_named_in(&self, before: &[Word<'_>]) -> bool {
        // "Sie" and "Ihr" inside a question are polite forms of address.
        let is_polite = self.is_capitalised() && self.at > 0;
        let named = before
            .iter()
            .skip(1)
            .any(|word| word.is_capitalised() && !list_contains(&word.lower, &STOP_WORDS));
        let count = content(before).count();
        // "When the pump broke, who repaired it?", "Where is the contract and who signed it?"
        let in_other_clause = before.iter().any(|word| {
            let joined = word.at > 0 && list_contains(&before[word.at - 1].lower, &CONJUNCTIONS);
            let begins = word.after_comma
                || (joined && (is_question_word(&word.lower) || list_contains(&word.lower, &AUXILIARIES)));
            begins && content(&before[..word.at]).count() > 0
        });
        is_polite
            || in_other_clause
            || (named && list_contains(&self.lower, &PERSONAL_PRONOUNS))
            || (count > 0 && list_contains(&self.lower, &POSSESSIVES))
            || count > MAX_WORDS_BEFORE_PRONOUN
    }
}
