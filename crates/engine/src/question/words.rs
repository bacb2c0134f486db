//! The words of a question: which have content, and which refer to an earlier question.

use oriel_text::{among, capitalised};

/// Words without content: question words, function words and the like.
const STOP_WORDS: &str = "a about after again all already also am an and any are as ask at be been before being but by can \
    could did do does doing during each either else ever exactly for from get gets give given had has have having \
    how i if in into is just kind let like long many may me mean means might more most much must my now of often on \
    only or other our out over please really said say says shall should show since so some soon still such tell \
    than that the then there to too under until up upon us was we well were what when where whether which while who \
    whom whose why will with without would yes yet you your \
    aber alle als also am an auch auf aus bei beim bis bitte da dann das dass dem den denn der des die doch du dürfen \
    ein eine einem einen einer eines erzähl etwa etwas für gab geht genau gewesen gib gibt hab habe haben hast hat hoch \
    hatte hatten ich im in ins ist jetzt kann kannst können könnte man mehr mein meine meinen mich mir mit muss nach \
    noch nun nur ob oder ohne sag sagt schon sehr sein seit sich sind so soll sollen sollte um und uns unser unsere \
    unter viel viele vom von vor wann war waren warum was welche welchem welchen welcher welches wem wen wenn wer \
    werden weshalb wessen wie wieso wieviel wir wird wo wofür woher wohin womit worüber wurde wurden zu zum zur über";

/// Auxiliary verbs: with one of these, a text is a whole sentence.
pub(crate) const VERBS: &str = "am are can could did do does had has have is may might must shall should was were will would \
    darf dürfen gab gibt habe haben hat hatte hatten ist kann kannst können könnte muss müssen sind soll sollen \
    sollte war waren wird werden wurde wurden";

/// Words that refer to a thing or person named before.
const PRONOUNS: &str = "it its itself they them their theirs themselves he him his himself she her hers herself this \
    these those er ihn ihm ihnen es sie ihr ihre ihrem ihren ihrer ihres seine seinem seinen seiner seines dies diese \
    diesem diesen dieser dieses jene jenem jenen jener jenes deren dessen dort dabei dadurch dafür dagegen damals \
    daran darauf daraus darin darüber davon dazu";

/// Pronouns for persons. A name before them in the same question may be their antecedent.
const PERSONAL_PRONOUNS: &str = "they them their theirs themselves he him his himself she her hers herself er ihn ihm ihnen \
    sie ihr ihre ihrem ihren ihrer ihres seine seinem seinen seiner seines deren dessen";

/// Possessives. Their antecedent usually comes before them.
const POSSESSIVES: &str = "its their his her ihre ihrem ihren ihrer ihres seine seinem seinen seiner seines";

/// Nouns after which "this" and "those" do not refer back.
const SELF_CONTAINED_NOUNS: &str = "who which document documents file files folder folders note notes text texts year month week quarter \
    dokument dokumente dokumenten unterlagen datei dateien ordner jahr jahres monat woche quartal";

/// A pronoun with more content words than this before it most likely refers to one of them.
const MAX_WORDS_BEFORE_PRONOUN: usize = 2;

/// Conjunctions that may begin a follow-up.
pub(crate) const CONJUNCTIONS: &str = "and but or und aber oder";
/// Prepositions that begin a place, a time or a condition.
pub(crate) const PREPOSITIONS: &str = "in on at for from since until before after during by with without im am für seit ab bis vor nach \
    bei mit ohne";

/// The words with content.
pub(crate) fn content<'a, 'w>(words: &'a [Word<'w>]) -> impl Iterator<Item = &'a Word<'w>> {
    words.iter().filter(|word| !among(&word.lower, STOP_WORDS) && !among(&word.lower, PRONOUNS))
}

/// The words of a question that have content, as they are written; all words if none has.
pub(crate) fn content_words(question: &str) -> Vec<&str> {
    let words = Word::all(question);
    let telling: Vec<&str> = content(&words).map(|word| word.text).collect();
    if telling.is_empty() { words.iter().map(|word| word.text).collect() } else { telling }
}

/// Whether a word in lower case has no content.
pub(crate) fn is_stop_word(lower: &str) -> bool {
    among(lower, STOP_WORDS)
}

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
    let opens = words.first().is_some_and(|word| among(&word.lower, GERMAN_OPENINGS));
    // "Hat" and "in" are English; two such words are not.
    let perhaps = words.iter().filter(|word| !word.is_capitalised() && among(&word.lower, PERHAPS_GERMAN));
    let is_sure = |word: &Word<'_>| among(&word.lower, GERMAN) || among(word.text, "im mit vom zum zur");
    let is_english = words.iter().any(|word| among(&word.lower, ENGLISH));
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
    let is_it = |word: &&Word<'_>| among(&word.lower, GERMAN) || among(&word.lower, GERMAN_OF_TEXT);
    let german = words.iter().filter(is_it).count();
    german as f32 >= SHARE_OF_GERMAN * words.len() as f32
}

/// A text as a question, with a capital and its mark.
pub(crate) fn as_question(text: &str) -> String {
    capitalised(text.trim().trim_end_matches([',', ';', '?', '.', ' '])) + "?"
}

/// What follows an opening, whatever its case.
pub(crate) fn after<'q>(question: &'q str, opening: &str) -> Option<&'q str> {
    let (begin, rest) = question.split_at_checked(opening.len())?;
    (begin.to_lowercase() == opening && !rest.trim().is_empty()).then(|| rest.trim())
}

/// Whether it is a question word.
pub(crate) fn is_asking(word: &str) -> bool {
    among(
        word,
        "who whom whose what which when where why how wer wen wem wessen was wann wo warum wie wieso weshalb",
    ) || word.starts_with("welche")
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

    fn is_capitalised(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    /// Whether it refers to something outside of `words`, its question.
    pub(crate) fn points(&self, words: &[Word<'_>]) -> bool {
        let (before, after) = (&words[..self.at], &words[self.at + 1..]);
        let previous_is = |list: &str| before.last().is_some_and(|word| among(&word.lower, list));
        let next_is = |list: &str| after.first().is_some_and(|word| among(&word.lower, list));
        let is_last = after.is_empty();
        match self.lower.as_str() {
            // "Is it true that", "the rule that applies": a conjunction, unless it stands where a noun would.
            "that" => {
                is_last
                    || self.at == 1
                    || previous_is(VERBS)
                    || previous_is("about of for by with and in on at from to")
            }
            // "How many are there?"
            "there" if previous_is("is are was were") && content(before).count() > 0 => false,
            "there" | "then" => is_last && self.at > 0,
            "one" | "ones" => {
                previous_is("which other another first second third last latest next previous old new")
            }
            // A pronoun, unless a noun follows whose article it could be.
            "das" => is_last || next_is(STOP_WORDS) || !after.iter().any(Word::is_capitalised),
            // "Gibt es", "how long does it take to": these refer to nothing.
            "es" if previous_is("gibt gab geht") || next_is("gibt gab geht") => false,
            "it" if next_is("take takes took comes cost costs true possible allowed") => {
                !after.iter().any(|word| among(&word.lower, "to that if"))
            }
            lower if among(lower, PRONOUNS) => !next_is(SELF_CONTAINED_NOUNS) && !self.is_named_in(before),
            _ => false,
        }
    }

    /// Whether the antecedent is likely among the words `before` the pronoun, or it is no pronoun.
    fn is_named_in(&self, before: &[Word<'_>]) -> bool {
        // "Sie" and "Ihr" within a question address whoever is asked.
        let is_polite = self.is_capitalised() && self.at > 0;
        let named =
            before.iter().skip(1).any(|word| word.is_capitalised() && !among(&word.lower, STOP_WORDS));
        let count = content(before).count();
        // "When the pump broke, who repaired it?", "Where is the contract and who signed it?"
        let in_other_clause = before.iter().any(|word| {
            let joined = word.at > 0 && among(&before[word.at - 1].lower, CONJUNCTIONS);
            let begins =
                word.after_comma || (joined && (is_asking(&word.lower) || among(&word.lower, VERBS)));
            begins && content(&before[..word.at]).count() > 0
        });
        is_polite
            || in_other_clause
            || (named && among(&self.lower, PERSONAL_PRONOUNS))
            || (count > 0 && among(&self.lower, POSSESSIVES))
            || count > MAX_WORDS_BEFORE_PRONOUN
    }
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
