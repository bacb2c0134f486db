//! Questions that ask for all documents of a kind or for their number: "Which contracts mention a notice period?"
//!
//! It works on words alone, in English and German, and knows the verbs of such questions. When in doubt a question is an
//! ordinary one.

use std::ops::Range;

use oriel_text::words;

use crate::search::survey::SurveyQuestion;
use crate::search::words::{Word, among, content};

/// What documents are called, in the plural.
const NOUNS: &str = "documents files papers contracts agreements letters emails e-mails mails messages reports minutes notes \
    articles invoices orders leases studies books manuals handbooks policies protocols texts memos offers proposals quotes \
    statements filings judgments judgements rulings decisions transcripts records publications presentations \
    dokumente dokumenten dateien unterlagen verträge verträgen vereinbarungen briefe briefen mails e-mails nachrichten berichte \
    berichten protokolle protokollen notizen artikel artikeln rechnungen bestellungen aufträge aufträgen studien bücher büchern \
    handbücher handbüchern richtlinien texte texten angebote angeboten urteile urteilen gutachten";
/// What may stand between the question word and the noun.
const DETERMINERS: &str = "e of the my our all these those your der unserer meiner aller dieser unseren meinen diesen von den die alle unsere meine";
/// Verbs after which the thing itself follows.
const MENTIONING: &str = "mention mentions contain contains include includes discuss discusses cover covers describe describes \
    name names address addresses have has erwähnen enthalten nennen behandeln beschreiben haben besprechen";
/// The same with a preposition.
const MENTIONING_ABOUT: [&str; 12] = [
    "refer to",
    "talk about",
    "deal with",
    "speak of",
    "speak about",
    "are about",
    "touch on",
    "write about",
    "report on",
    "handeln von",
    "sprechen von",
    "berichten über",
];
/// Verbs of which the thing is what they do: "require insurance".
const DOING: &str = "require requires limit limits exclude excludes allow allows permit permits forbid forbids prohibit prohibits grant \
    grants define defines regulate regulates impose imposes restrict restricts guarantee guarantees verlangen begrenzen beschränken \
    erlauben verbieten regeln fordern vorschreiben garantieren";
/// What a thing stands in: "have a clause about parking".
const HOLDERS: &str = "clause clauses section sections rule rules provision provisions paragraph passage sentence anything something \
    information details klausel regelung abschnitt absatz angaben informationen etwas";
/// What joins a holder or a noun with the thing.
const ABOUT: &str =
    "about on for of regarding concerning with that which mentioning containing zu über für mit zur zum";
/// How a passive ends: "In which letters is the roof mentioned?"
const MENTIONED: &str = "mentioned named described discussed found listed covered addressed included contained defined regulated \
    erwähnt genannt beschrieben besprochen behandelt geregelt enthalten aufgeführt";

/// A question for all documents that mention a thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuestion {
    /// What is looked for.
    pub survey: SurveyQuestion,
    /// What the documents do, as the question says it of several: "mention a notice period".
    pub predicate: String,
    /// Whether it is asked in German.
    pub is_german: bool,
}

/// A text as words, of which the first are used up one after the other.
struct Reader<'q> {
    text: &'q str,
    places: Vec<Range<usize>>,
    lower: Vec<String>,
    at: usize,
}

impl<'q> Reader<'q> {
    fn new(text: &'q str) -> Self {
        let text = text.trim().trim_end_matches(['?', '.', '!', ' ']);
        let places = words(text);
        let lower = places.iter().map(|place| text[place.clone()].to_lowercase()).collect();
        Self { text, places, lower, at: 0 }
    }

    fn word(&self, ahead: usize) -> &str {
        self.lower.get(self.at + ahead).map_or("", String::as_str)
    }

    /// Skips these words if they are next.
    fn take(&mut self, phrase: &str) -> bool {
        let count = phrase.split(' ').count();
        let is_next = (0..).zip(phrase.split(' ')).all(|(ahead, word)| self.word(ahead) == word);
        self.at += if is_next { count } else { 0 };
        is_next
    }

    /// Skips any number of words of a list.
    fn skip(&mut self, list: &str) {
        while among(self.word(0), list) {
            self.at += 1;
        }
    }

    /// Takes the next word if it is one of a list.
    fn one_of(&mut self, list: &str) -> Option<&'q str> {
        let place = self.places.get(self.at).filter(|_| among(self.word(0), list))?.clone();
        self.at += 1;
        Some(&self.text[place])
    }

    /// What is left.
    fn rest(&self) -> &'q str {
        self.places.get(self.at).map_or("", |place| self.text[place.start..].trim())
    }
}

/// What a question asks all documents for; `None` if it is an ordinary question.
#[must_use]
pub fn list_question(question: &str) -> Option<ListQuestion> {
    let mut words = Reader::new(question);
    let is_listed =
        ["list", "show", "find", "name", "give", "nenne", "nenn", "liste", "zeige", "zeig", "finde"]
            .iter()
            .any(|verb| words.take(verb));
    let is_german;
    if is_listed {
        words.skip("me mir bitte please");
        is_german = matches!(words.word(0), "alle" | "sämtliche");
        if !["all", "every", "alle", "sämtliche"].iter().any(|all| words.take(all)) {
            return None;
        }
        words.skip(DETERMINERS);
        let noun = words.one_of(NOUNS)?;
        return described(words, noun, is_german);
    }
    let is_within = words.take("in");
    let english = ["which", "what", "how many"].iter().any(|asking| words.take(asking));
    is_german = !english;
    if !english
        && !["welche", "welchen", "wie viele", "wie vielen", "wieviele"]
            .iter()
            .any(|asking| words.take(asking))
    {
        return None;
    }
    words.skip(DETERMINERS);
    let noun = words.one_of(NOUNS)?;
    if is_within {
        return passive(words, noun, is_german);
    }
    if words.take("are there") || words.take("do we have") || words.take("gibt es") || words.take("haben wir")
    {
        return described(words, noun, is_german);
    }
    words.skip("do did");
    active(words, noun, is_german)
}

/// "… mention a notice period", "… require insurance".
fn active(mut words: Reader<'_>, noun: &str, is_german: bool) -> Option<ListQuestion> {
    let predicate = words.rest();
    let about = MENTIONING_ABOUT.iter().any(|phrase| words.take(phrase));
    let thing = if about || words.one_of(MENTIONING).is_some() {
        held(words)
    } else if words.one_of(DOING).is_some() {
        predicate
    } else {
        return None;
    };
    build(noun, thing, predicate.to_owned(), is_german)
}

/// The thing after a verb, without what it stands in: "a clause about parking" is about parking.
fn held(mut words: Reader<'_>) -> &str {
    let whole = words.rest();
    words.skip("a an any the eine einen ein die");
    if words.one_of(HOLDERS).is_some() && words.one_of(ABOUT).is_some() { words.rest() } else { whole }
}

/// "… that mention a notice period", "… about the roof".
fn described(mut words: Reader<'_>, noun: &str, is_german: bool) -> Option<ListQuestion> {
    if ["that", "which", "die", "in denen"].iter().any(|joint| words.take(joint)) {
        return if is_german { verb_last(words.rest(), noun) } else { active(words, noun, false) };
    }
    words.one_of(ABOUT)?;
    let thing = words.rest();
    build(noun, thing, mentioning(thing, is_german), is_german)
}

/// "… die eine Kündigungsfrist enthalten": the verb is the last word.
fn verb_last(clause: &str, noun: &str) -> Option<ListQuestion> {
    let (thing, verb) = clause.rsplit_once(' ')?;
    let is_known = among(&verb.to_lowercase(), MENTIONING)
        || among(&verb.to_lowercase(), "vorkommt vorkommen steht stehen");
    is_known.then(|| build(noun, thing, mentioning(thing, true), true)).flatten()
}

/// "… is the roof mentioned".
fn passive(mut words: Reader<'_>, noun: &str, is_german: bool) -> Option<ListQuestion> {
    words.one_of("is are was were ist sind wird werden wurde wurden steht stehen do does kommt kommen")?;
    let rest = words.rest();
    let (subject, last) = rest.rsplit_once(' ').unwrap_or((rest, ""));
    let thing = match last.to_lowercase() {
        verb if among(&verb, MENTIONED) || among(&verb, "appear occur vor") => subject,
        _ if is_german => rest,
        _ => return None,
    };
    build(noun, thing, mentioning(thing, is_german), is_german)
}

fn mentioning(thing: &str, is_german: bool) -> String {
    format!("{} {thing}", if is_german { "erwähnen" } else { "mention" })
}

fn build(noun: &str, thing: &str, predicate: String, is_german: bool) -> Option<ListQuestion> {
    content(&Word::all(thing)).next()?;
    let survey = SurveyQuestion { thing: thing.to_owned(), noun: Some(noun.to_lowercase()) };
    Some(ListQuestion { survey, predicate, is_german })
}

#[cfg(test)]
mod tests {
    use super::list_question;

    #[test]
    fn a_question_for_all_documents_names_what_they_are_asked_for() {
        for (question, noun, thing) in [
            ("Which contracts mention a notice period?", "contracts", "a notice period"),
            ("How many of the contracts contain a clause about parking?", "contracts", "parking"),
            ("how many agreements require insurance", "agreements", "require insurance"),
            ("What documents refer to the Dunlin tide clock?", "documents", "the Dunlin tide clock"),
            ("In how many letters is the roof mentioned?", "letters", "the roof"),
            ("List all minutes that discuss the recall.", "minutes", "the recall"),
            ("Find all reports about mercury in fish", "reports", "mercury in fish"),
            ("How many invoices are there about the boiler?", "invoices", "the boiler"),
            ("Welche Verträge erwähnen eine Kündigungsfrist?", "verträge", "eine Kündigungsfrist"),
            ("Wie viele Briefe enthalten etwas über das Dach?", "briefe", "das Dach"),
            ("In wie vielen Protokollen wird die Pumpe erwähnt?", "protokollen", "die Pumpe"),
            ("Nenne alle Verträge, die eine Kaution enthalten.", "verträge", "eine Kaution"),
        ] {
            let list = list_question(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!(
                (list.survey.noun.as_deref(), list.survey.thing.as_str()),
                (Some(noun), thing),
                "{question}"
            );
        }
    }

    #[test]
    fn other_questions_are_no_lists() {
        for question in [
            "How many employees does the company have?",
            "What documents are needed for a visa?",
            "Which report was written first?",
            "Which contract mentions a notice period?",
            "What does the contract say about parking?",
            "How many documents are there?",
            "How many letters did Morag write?",
            "Find the letter about the roof.",
            "Welche Unterlagen braucht der Mieter?",
            "Which papers?",
            "",
        ] {
            assert_eq!(list_question(question), None, "{question}");
        }
    }
}
