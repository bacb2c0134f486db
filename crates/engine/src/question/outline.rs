//! Questions about a document as a whole: "Summarise report.docx", "What is the lease about?", and about one thing in it: "What does
//! the lease say about pets?"
//!
//! They name a document by words. If the library has no such document, the question is an ordinary one.

use crate::question::language::ALL_DETERMINERS;
use crate::question::language::detect::is_german;
use crate::question::word_cursor::WordCursor;
use crate::question::words::{Word, after, after_one};

/// Openings of requests for a summary, in seven languages. If the name fits several documents, all of them are meant.
const REQUESTS: &str = "summarise; summarize; sum up; outline; give me a summary of; give a summary of; give me an overview of; \
    give an overview of; give me the main points of; give me the key points of; a summary of; an overview of; summary of; \
    overview of; what are the main points of; what are the main points in; what are the key points of; what are the key points \
    in; main points of; key points of; the main points of; the key points of; gib mir eine zusammenfassung von; gib mir eine \
    zusammenfassung der; gib mir eine zusammenfassung des; gib mir einen überblick über; eine zusammenfassung von; \
    zusammenfassung von; zusammenfassung der; zusammenfassung des; überblick über; was sind die hauptpunkte von; was sind die \
    hauptpunkte in; was sind die hauptpunkte im; was sind die hauptpunkte der; was sind die hauptpunkte des; was sind die \
    wichtigsten punkte von; was sind die wichtigsten punkte in; was sind die wichtigsten punkte im; was sind die wichtigsten \
    punkte der; was sind die wichtigsten punkte des; die wichtigsten punkte von; die wichtigsten punkte im; die wichtigsten \
    punkte der; die wichtigsten punkte des; résume; résumez; resume; resumen de; resuma; riassumi; riassunto di; samenvatting \
    van";
/// Requests for a summary with words before and after the name.
const AROUND: [(&str, &str); 6] = [
    ("fasse ", " zusammen"),
    ("fass ", " zusammen"),
    ("kannst du ", " zusammenfassen"),
    ("bitte ", " zusammenfassen"),
    ("vat ", " samen"),
    ("gib ", " wieder"),
];
/// Questions that may also be about something other than a document, so the name must fit exactly one document.
const QUESTIONS: [(&str, &str); 14] = [
    ("what is ", " about"),
    ("what's ", " about"),
    ("what’s ", " about"),
    ("what does ", " say"),
    ("what is in ", ""),
    ("what's in ", ""),
    ("what’s in ", ""),
    ("worum geht es in ", ""),
    ("worum geht es im ", ""),
    ("worum geht's in ", ""),
    ("um was geht es in ", ""),
    ("wovon handelt ", ""),
    ("was steht in ", ""),
    ("was steht im ", ""),
];
/// Questions about a thing in a document: the words before the name, and those between name and thing.
const NAMED: [(&str, &[&str]); 8] = [
    ("what does ", &[" say about ", " say on ", " tell about ", " tell us about ", " say regarding "]),
    ("what do ", &[" say about ", " say on "]),
    ("what is said in ", &[" about "]),
    ("what is in ", &[" about "]),
    ("was steht in ", &[" über ", " zu ", " zum ", " zur "]),
    ("was steht im ", &[" über ", " zu ", " zum ", " zur "]),
    ("was sagt ", &[" über ", " zu ", " zum ", " zur "]),
    ("was steht ", &[" über ", " zu ", " zum ", " zur "]),
];
const PLEASE: &str = "please; can you please; could you please; can you; could you; and; und; bitte; now";
/// Openings of a question about another thing in the same document.
const ASKING_ON: &str = "and about; what about; and what about; und über; und zu; und zum; und zur";
/// Words that ask for several documents.
const ALL: &str = "all every each alle sämtliche tutti toutes tous todos todas";
/// General nouns for documents.
const NOUNS: &str =
    "document documents file files text paper dokument dokumente dokumenten datei dateien text unterlagen";
const PRONOUNS: &str = "it this that them es dies das darin dort";

/// The name of a document, or of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocumentName {
    /// The words of the name, without articles; empty for the document to which the search is limited.
    pub name: String,
    /// Whether all documents with this name are meant: "all minutes".
    pub is_all: bool,
    /// Whether the name is that of a folder: "the files in letters".
    pub is_folder: bool,
}

/// A question about one or several documents as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutlineQuestion {
    /// The documents.
    pub documents: DocumentName,
    /// Whether several may be meant.
    pub may_be_several: bool,
    /// Whether it is asked in German.
    pub is_german: bool,
}

/// A question about a thing in one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedQuestion {
    /// The document.
    pub document: DocumentName,
    /// What the question is about: "the deposit".
    pub thing: String,
    /// Whether it is asked in German.
    pub is_german: bool,
}

/// The documents whose summary a question asks for; `None` if it is another question.
pub(crate) fn outline_question(question: &str) -> Option<OutlineQuestion> {
    let question = plainly(question);
    let is_german = is_german(question);
    let name = after_one(question, REQUESTS);
    let name = name.or_else(|| AROUND.iter().find_map(|around| between(question, around)));
    let (name, may_be_several) = match name {
        Some(name) => (name, true),
        None => (QUESTIONS.iter().find_map(|around| between(question, around))?, false),
    };
    Some(OutlineQuestion { documents: DocumentName::new(name)?, may_be_several, is_german })
}

/// The document that a question names, and the thing in it; `None` if it is another question.
pub(crate) fn named_question(question: &str) -> Option<NamedQuestion> {
    let question = plainly(question);
    let (name, thing) = NAMED.iter().find_map(|(opening, joints)| {
        let rest = after(question, opening)?;
        joints.iter().find_map(|joint| rest.split_once(joint))
    })?;
    let is_whole = !thing.trim().is_empty() && !thing.contains(['?', '!']);
    Some(NamedQuestion {
        document: DocumentName::new(name)?,
        thing: thing.trim().to_owned(),
        is_german: is_german(question),
    })
    .filter(|_| is_whole)
}

/// Completes a follow-up about the document of the question before: "And what does it say about the rent?"
pub(crate) fn follow_up(before: &str, question: &str) -> Option<String> {
    let document = match (outline_question(before), named_question(before)) {
        (_, Some(named)) => named.document,
        (Some(outline), None) => outline.documents,
        (None, None) => return None,
    };
    if document.name.is_empty() || document.is_folder {
        return None;
    }
    let thing = match named_question(question) {
        Some(asked) if asked.document.name.is_empty() => asked.thing,
        Some(_) => return None,
        None => {
            named_question(before)?;
            after_one(plain_end(question), ASKING_ON)?.to_owned()
        }
    };
    let name = document.name;
    Some(match is_german(question) || question.to_lowercase().starts_with("und ") {
        true => format!("Was steht in {name} über {thing}?"),
        false => format!("What does {name} say about {thing}?"),
    })
}

impl DocumentName {
    fn new(text: &str) -> Option<Self> {
        let mut words = WordCursor::new(text);
        let mut alone = words.clone();
        let is_pronoun = alone.one_of(PRONOUNS).is_some() && alone.is_done();
        let is_all = words.clone().one_of(ALL).is_some();
        words.skip_unless_capital(&ALL_DETERMINERS);
        let mut after_noun = words.clone();
        let has_noun = after_noun.one_of(NOUNS).is_some();
        if is_pronoun || words.is_done() || (has_noun && after_noun.is_done()) {
            return Some(Self { name: String::new(), is_all, is_folder: false });
        }
        let is_folder = has_noun && after_noun.one_of("in im from of aus von").is_some();
        if is_folder {
            after_noun.skip("the folder my dem den der ordner");
        }
        // "the file report.docx".
        let name = if has_noun { after_noun.rest() } else { words.rest() };
        let name = name.trim_matches(['"', '“', '”', '„', '\'']).trim();
        let is_clause = name.contains([';', '?', '!']) || Word::all(name).len() > MAX_NAME_WORDS;
        (!name.is_empty() && !is_clause).then(|| Self { name: name.to_owned(), is_all, is_folder })
    }
}

/// Maximum number of words of a name.
const MAX_NAME_WORDS: usize = 12;

/// The text between an opening and an ending, ignoring case.
fn between<'q>(question: &'q str, (opening, ending): &(&str, &str)) -> Option<&'q str> {
    let rest = after(question, opening)?;
    let (name, end) = rest.split_at_checked(rest.len().checked_sub(ending.len())?)?;
    (end.to_lowercase() == *ending && !name.trim().is_empty()).then(|| name.trim())
}

/// A question without polite words and its question mark.
fn plainly(question: &str) -> &str {
    let mut question = plain_end(question);
    while let Some(rest) = after_one(question, PLEASE) {
        question = rest;
    }
    question
}

fn plain_end(question: &str) -> &str {
    let question = question.trim().trim_end_matches(['?', '.', '!', ' ']);
    question.strip_suffix(" please").or_else(|| question.strip_suffix(" bitte")).unwrap_or(question)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str) -> Option<(String, bool)> {
        outline_question(question).map(|asked| (asked.documents.name, asked.documents.is_folder))
    }

    #[test]
    fn a_request_for_a_summary_names_its_documents() {
        for (question, name, is_folder) in [
            ("Summarise report.docx", "report.docx", false),
            ("Please summarize the lease.", "lease", false),
            ("Can you sum up the file “Price list 2023.pdf”?", "Price list 2023.pdf", false),
            ("What is report.docx about?", "report.docx", false),
            ("What are the main points of the annual report?", "annual report", false),
            ("Give me an overview of Minutes", "Minutes", false),
            ("Fasse den Mietvertrag zusammen", "Mietvertrag", false),
            ("Worum geht es in Protokoll Werksbesuch?", "Protokoll Werksbesuch", false),
            ("Summarise this document", "", false),
            ("What is it about?", "", false),
            ("Summarise all minutes", "minutes", false),
            ("Summarise the files in letters", "letters", true),
            ("Fasse alle Dateien im Ordner Briefe zusammen", "Briefe", true),
        ] {
            assert_eq!(asked(question), Some((name.to_owned(), is_folder)), "{question}");
        }
        for question in ["What is the rent?", "Who wrote the summary?", "What is this?", "Summarise", ""] {
            assert_eq!(asked(question), None, "{question}");
        }
    }

    #[test]
    fn a_question_for_a_thing_in_a_document_names_both() {
        let asked = |question: &str| named_question(question).map(|asked| (asked.document.name, asked.thing));
        let pair = |name: &str, thing: &str| Some((name.to_owned(), thing.to_owned()));
        assert_eq!(asked("What does lease.pdf say about the deposit?"), pair("lease.pdf", "the deposit"));
        assert_eq!(asked("Was steht im Mietvertrag über Haustiere?"), pair("Mietvertrag", "Haustiere"));
        assert_eq!(asked("And what does it say about the rent?"), pair("", "the rent"));
        assert_eq!(asked("What does the tenant pay?"), None);
    }

    #[test]
    fn a_follow_up_asks_the_document_of_the_question_before() {
        for (before, question, expected) in [
            (
                "Summarise report.docx",
                "And what does it say about the rent?",
                Some("What does report.docx say about the rent?"),
            ),
            (
                "Fasse den Mietvertrag zusammen",
                "Und was steht darin über Haustiere?",
                Some("Was steht in Mietvertrag über Haustiere?"),
            ),
            (
                "What does report.docx say about the rent?",
                "And about the deposit?",
                Some("What does report.docx say about the deposit?"),
            ),
            ("What is the rent?", "And what does it say about pets?", None),
            ("Summarise report.docx", "What is the rent?", None),
        ] {
            assert_eq!(follow_up(before, question).as_deref(), expected, "{question}");
        }
    }
}
