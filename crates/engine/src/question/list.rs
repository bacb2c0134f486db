//! Questions that ask for all documents of a kind or for their number: "Which contracts mention a notice period?"
//!
//! It uses the words alone, in English and German, and knows the verbs of such questions. When in doubt it treats a question as an
//! ordinary one.

use std::sync::LazyLock;

use oriel_text::list_contains;

use crate::question::language::detect::is_german;
use crate::question::language::{DETERMINERS, NEGATIONS};
use crate::question::word_cursor::WordCursor;
use crate::question::words::{Word, content, is_question_word};

/// Nouns for documents, in the plural.
pub(crate) const NOUNS: &str = "documents files papers contracts agreements letters emails mails messages reports minutes notes \
    articles invoices orders leases studies books manuals handbooks policies protocols texts memos offers proposals quotes \
    statements filings judgments judgements rulings decisions transcripts records publications presentations \
    dokumente dokumenten dateien unterlagen verträge verträgen vereinbarungen briefe briefen mails nachrichten berichte \
    berichten protokolle protokollen notizen artikel artikeln rechnungen bestellungen aufträge aufträgen studien bücher büchern \
    handbücher handbüchern richtlinien texte texten angebote angeboten urteile urteilen gutachten";
/// Nouns for documents in the singular, after "every" and "each".
const SINGULAR_NOUNS: &str = "document file paper contract agreement letter email mail message report note article invoice order \
    lease study book manual handbook policy protocol text memo offer proposal quote statement filing judgment judgement ruling \
    decision transcript record publication presentation";
/// Nouns for any document. They are not looked for as names of folders.
pub(crate) const GENERAL_NOUNS: &str = "documents files papers dokumente dokumenten dateien unterlagen";
/// Words that may stand between the question word and the noun.
pub(crate) static BEFORE_NOUN: LazyLock<String> = LazyLock::new(|| format!("{} of von", *DETERMINERS));
/// Verbs that the thing follows directly.
const MENTIONING: &str = "mention mentions contain contains include includes discuss discusses describe describes name names \
    address addresses erwähnen enthalten nennen behandeln beschreiben besprechen";
/// Verbs with a preposition that the thing follows.
const MENTIONING_ABOUT: &str = "refer to; talk about; deal with; speak of; speak about; are about; touch on; write about; report \
    on; handeln von; sprechen von; berichten über";
/// Verbs that a thing follows only if it has an article or is a holder: "have a clause", not "have expired".
const HAVING: &str = "have has haben";
/// Verbs that are part of the thing: "require insurance". The checker was trained on such things, in English.
const DOING: &str =
    "require limit exclude allow permit forbid prohibit grant define regulate impose restrict guarantee";
/// Parts of a document that hold the thing: "have a clause about parking".
const HOLDERS: &str = "clause clauses section sections rule rules provision provisions paragraph passage sentence anything something \
    information details klausel regelung abschnitt absatz angaben informationen etwas";
/// Words between a holder or a noun and the thing.
const ABOUT: &str =
    "about on for of regarding concerning with that which mentioning containing zu über für mit zur zum";
/// Participles that end a passive question: "In which letters is the roof mentioned?"
const MENTIONED: &str = "mentioned named described discussed listed covered addressed included contained defined regulated \
    erwähnt genannt beschrieben besprochen behandelt geregelt enthalten aufgeführt";
/// Contrasts. With one of them, or with a negation, the question asks for two things or for what is missing, so it is an ordinary one.
const CONTRASTS: &str = "but noch aber";

/// What a survey looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurveyQuestion {
    /// The thing: "a notice period".
    pub thing: String,
    /// What the documents are called: "contracts". If a folder has this name, only documents in it are surveyed.
    pub noun: Option<String>,
}

impl SurveyQuestion {
    /// Of a thing, or of a question for the documents that mention one.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let plain = || Self { thing: text.trim().to_owned(), noun: None };
        list_question(text).map_or_else(plain, |list| list.survey)
    }
}

/// A question for all documents that mention a thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListQuestion {
    /// What is looked for.
    pub survey: SurveyQuestion,
    /// The verb, if it is part of the thing, which then begins with it: "require insurance".
    pub verb: Option<String>,
    /// Whether it is asked in German.
    pub is_german: bool,
}

/// What a question for all documents asks for; `None` if it is an ordinary question.
pub(crate) fn list_question(question: &str) -> Option<ListQuestion> {
    let mut words = WordCursor::new(question);
    let is_listed = words.one_of("list show find name give nenne nenn liste zeige zeig finde").is_some();
    let is_german = is_german(question);
    if is_listed {
        words.skip("me mir bitte please");
        let noun = if words.one_of("every each").is_some() {
            words.one_of(SINGULAR_NOUNS)?
        } else if words.one_of("all alle sämtliche").is_some() {
            words.skip(&BEFORE_NOUN);
            words.one_of(NOUNS)?
        } else {
            return None;
        };
        return described(words, noun, is_german);
    }
    let is_within = words.take("in");
    if !words.take_one("which; what; how many; welche; welchen; wie viele; wie vielen; wieviele") {
        return None;
    }
    words.skip(&BEFORE_NOUN);
    let noun = words.one_of(NOUNS)?;
    if is_within {
        return passive(words, noun, is_german);
    }
    if words.take_one("are there; do we have; gibt es; haben wir") {
        return described(words, noun, is_german);
    }
    words.skip("do did");
    active(words, noun, is_german)
}

/// "… mention a notice period", "… require insurance".
fn active(mut words: WordCursor<'_>, noun: &str, is_german: bool) -> Option<ListQuestion> {
    let predicate = words.rest();
    let mentions = words.take_one(MENTIONING_ABOUT) || words.one_of(MENTIONING).is_some();
    let has = !mentions
        && words.one_of(HAVING).is_some()
        && (list_contains(words.word(0), &DETERMINERS) || list_contains(words.word(0), HOLDERS));
    if mentions || has {
        return build(noun, held(words), None, is_german);
    }
    let verb = words.one_of(DOING)?;
    build(noun, predicate, Some(verb), is_german)
}

/// The thing after a verb, without its holder: "parking" of "a clause about parking".
fn held(mut words: WordCursor<'_>) -> &str {
    let whole = words.rest();
    words.skip("a an any the eine einen ein die");
    if words.one_of(HOLDERS).is_some() && words.one_of(ABOUT).is_some() { words.rest() } else { whole }
}

/// "… that mention a notice period", "… about the roof".
fn described(mut words: WordCursor<'_>, noun: &str, is_german: bool) -> Option<ListQuestion> {
    if words.take_one("that; which; die; in denen") {
        return if is_german { verb_last(words.rest(), noun) } else { active(words, noun, false) };
    }
    words.one_of(ABOUT)?;
    let thing = words.rest();
    build(noun, thing, None, is_german)
}

/// "… die eine Kündigungsfrist enthalten", "… in denen das Dach erwähnt wird": the verb comes last.
fn verb_last(clause: &str, noun: &str) -> Option<ListQuestion> {
    let clause = clause.strip_suffix(" wird").or_else(|| clause.strip_suffix(" werden")).unwrap_or(clause);
    let (thing, verb) = clause.rsplit_once(' ')?;
    let verb = verb.to_lowercase();
    let is_known = [MENTIONING, MENTIONED, "vorkommt vorkommen steht stehen"]
        .iter()
        .any(|list| list_contains(&verb, list));
    is_known.then(|| build(noun, thing, None, true)).flatten()
}

/// "… is the roof mentioned".
fn passive(mut words: WordCursor<'_>, noun: &str, is_german: bool) -> Option<ListQuestion> {
    let verb = words
        .one_of("is are was were do does ist sind wird werden wurde wurden steht stehen kommt kommen")?;
    let rest = words.rest();
    let (subject, last) = rest.rsplit_once(' ').unwrap_or((rest, ""));
    let last = last.to_lowercase();
    let thing = match list_contains(&last, MENTIONED) || list_contains(&last, "appear occur vor") {
        true => subject,
        false if list_contains(&verb.to_lowercase(), "steht stehen") => rest,
        false => return None,
    };
    build(noun, thing, None, is_german)
}

fn build(noun: &str, thing: &str, verb: Option<&str>, is_german: bool) -> Option<ListQuestion> {
    let words = Word::all(thing);
    let has_end = thing.contains(['?', '!', ';']) || thing.contains(". ");
    // It asks a second question, or for what is missing.
    if has_end
        || words.iter().any(|word| {
            is_question_word(&word.lower)
                || list_contains(&word.lower, &NEGATIONS)
                || list_contains(&word.lower, CONTRASTS)
        })
    {
        return None;
    }
    content(&words).next()?;
    let noun = Some(noun.to_lowercase()).filter(|noun| !list_contains(noun, GENERAL_NOUNS));
    Some(ListQuestion {
        survey: SurveyQuestion { thing: thing.to_owned(), noun },
        verb: verb.map(str::to_lowercase),
        is_german,
    })
}

#[cfg(test)]
mod tests {
    use super::list_question;

    #[test]
    fn a_question_for_all_documents_names_what_they_are_asked_for() {
        for (question, noun, thing) in [
            ("Which contracts mention a notice period?", Some("contracts"), "a notice period"),
            ("How many of the contracts contain a clause about parking?", Some("contracts"), "parking"),
            ("Which leases have a break clause?", Some("leases"), "a break clause"),
            ("how many agreements require insurance", Some("agreements"), "require insurance"),
            ("What documents refer to the Dunlin tide clock?", None, "the Dunlin tide clock"),
            ("Which letters mention £500?", Some("letters"), "£500"),
            ("Which contracts mention “notice period”?", Some("contracts"), "notice period"),
            ("In how many letters is the roof mentioned?", Some("letters"), "the roof"),
            ("List all minutes that discuss the recall.", Some("minutes"), "the recall"),
            ("Show every contract that mentions a deposit", Some("contract"), "a deposit"),
            ("Find all reports about mercury in fish", Some("reports"), "mercury in fish"),
            ("How many invoices are there about the boiler?", Some("invoices"), "the boiler"),
            ("Welche Verträge erwähnen eine Kündigungsfrist?", Some("verträge"), "eine Kündigungsfrist"),
            ("Wie viele Briefe enthalten etwas über das Dach?", Some("briefe"), "das Dach"),
            ("In wie vielen Protokollen wird die Pumpe erwähnt?", Some("protokollen"), "die Pumpe"),
            ("Nenne alle Verträge, die eine Kaution enthalten.", Some("verträge"), "eine Kaution"),
            ("Zeige alle Briefe, in denen das Dach erwähnt wird.", Some("briefe"), "das Dach"),
        ] {
            let list = list_question(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!(
                (list.survey.noun.as_deref(), list.survey.thing.as_str()),
                (noun, thing),
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
            "Which invoices have not been paid?",
            "How many orders have been delivered?",
            "Which contracts have expired?",
            "How many minutes have passed since the start?",
            "Welche Rechnungen haben wir bezahlt?",
            "Which contracts mention no notice period?",
            "Welche Verträge enthalten keine Kaution?",
            "Which contracts mention a deposit but not a notice period?",
            "In welchen Verträgen ist Anna die Mieterin?",
            "In wie vielen Verträgen wird der Mieter zur Zahlung verpflichtet?",
            "Which contracts mention a notice period, and how long is it?",
            "Which contracts mention a deposit? I need it today.",
            "",
        ] {
            assert_eq!(list_question(question), None, "{question}");
        }
    }
}
