//! Decides whether the time in a question limits or orders the documents: "What did we decide in May?", "the latest price", "at the last
//! meeting".
//!
//! The time may also be what the documents are about: "What happened in 1985?" When in doubt it limits nothing.

use std::ops::Range;

use jiff::civil::Date;
use oriel_core::{TimeLimit, TimeOrder};
use oriel_text::{capitalised, list_contains, words};

use crate::question::dates::{NamedTime, Naming, named_time, time_limit};
use crate::question::language::ALL_DETERMINERS;
use crate::question::words::{Word, content};

/// Verbs for what people do in documents, such as letters and minutes.
const DOING: &str = "decide decided decides discuss discussed agree agreed resolve resolved vote voted write wrote written send sent \
    receive received reply replied promise promised talk talked approve approved plan planned happen happened happens attend attended new \
    beschlossen beschließen besprochen besprechen entschieden entscheiden vereinbart vereinbaren abgestimmt geschrieben schrieb schrieben \
    geschickt schickte erhalten bekommen geantwortet versprochen genehmigt geplant passiert geschehen geschah neu neues \
    décidé discuté convenu écrit envoyé reçu decidimos decidido discutido acordado escrito enviado recibido deciso discusso concordato \
    scritto inviato ricevuto besloten besproken afgesproken geschreven gestuurd ontvangen decidiram discutiram";
const WE: &str = "we us i wir ich uns nous je nosotros noi wij nós";
const PREPOSITIONS: &str = "at in from of on during according to under bei in auf an laut aus von nach unter";

/// Nouns for a kind of document in questions, and words in the names of such documents.
const KINDS: [(&str, &str); 8] = [
    (
        "meeting meetings session sessions assembly sitzung sitzungen versammlung besprechung treffen réunion reunión riunione \
         vergadering reunião minutes protokoll protokolle protokolls",
        "minutes meeting protokoll sitzung versammlung besprechung treffen acta verbale notulen ata",
    ),
    ("letter letters brief briefe briefes", "letter brief schreiben lettre carta lettera"),
    (
        "invoice invoices bill bills rechnung rechnungen",
        "invoice bill rechnung facture factura fattura factuur",
    ),
    ("report reports bericht berichte berichts", "report bericht rapport informe"),
    ("offer offers quote quotes angebot angebote angebots", "offer quote angebot"),
    ("list lists liste listen preisliste", "list liste preisliste"),
    ("notes notizen", "notes notizen"),
    (MAILS, ""),
];
const MAILS: &str = "mail mails email emails message messages e-mail e-mails nachricht nachrichten";
/// The kind of which only the last document is meant: if it does not answer, no other does.
const SINGLE: &str = KINDS[0].0;

const LATEST: &str = "latest newest neueste neuesten neuester neuestes neuestem jüngste jüngsten jüngster jüngstes jüngstem attuale \
    huidige atual";
/// Words that mean the same after an article.
const CURRENT: &str = "current aktuelle aktuellen aktueller aktuelles aktuellem derzeitige derzeitigen";
const LAST: &str =
    "last letzte letzten letzter letztes letztem dernier dernière última último ultima ultimo laatste";
const FIRST: &str = "first erste ersten erster erstes erstem";
/// Words after which "latest" does not order documents: "the latest version of Python", "at the latest possible date".
const OTHERS: &str = "version versions release releases edition update date day time moment possible by at in on of version ausgabe \
    zeitpunkt termin stand";

/// The same for documents that a time does not limit: "the contract of 2024" may be older.
const CONTRACTS: (&str, &str) = (
    "contract contracts agreement agreements vertrag verträge verträgen vereinbarungen contrat contrats contrato contratos contratto \
     contratti contracten",
    "contract agreement vertrag vereinbarung contrat contrato contratto",
);

/// The words in the names of documents that a noun, in lower case, means; in several languages.
pub(crate) fn names_of(noun: &str) -> Option<&'static str> {
    let kinds = KINDS.iter().chain([&CONTRACTS]);
    kinds
        .filter(|(_, names)| !names.is_empty())
        .find(|(nouns, _)| list_contains(noun, nouns))
        .map(|(_, names)| *names)
}

/// The kind of document that is ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocumentKind {
    /// Words in the names of such documents; empty for mails.
    pub names: &'static str,
    /// Whether only the newest or the oldest document is meant.
    pub is_single: bool,
    /// The word before the noun: "the last board meeting".
    pub quality: Option<String>,
}

/// How a question limits or orders the documents by their dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeQuestion {
    /// The words for the time.
    pub words: String,
    /// The first day.
    pub since: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
    /// Whether the newest or the oldest comes first.
    pub order: Option<TimeOrder>,
    /// The kind of document that the order is about.
    pub kind: Option<DocumentKind>,
}

impl TimeQuestion {
    /// The text without the words for the time.
    pub(crate) fn without(&self, text: &str) -> String {
        let Some(at) =
            text.to_lowercase().find(&self.words.to_lowercase()).filter(|_| !self.words.is_empty())
        else {
            return text.to_owned();
        };
        let end = at + self.words.len();
        match (text.get(..at), text.get(end..)) {
            (Some(before), Some(after)) => {
                let joined = format!("{} {}", before.trim_end(), after.trim_start());
                capitalised(&joined.trim_matches([' ', ',']).replace(" ?", "?").replace(" ,", ","))
            }
            _ => text.to_owned(),
        }
    }

    /// The time as it is shown to the user.
    pub(crate) fn limit(&self) -> TimeLimit {
        time_limit(&self.words, self.since, self.until, self.order)
    }
}

/// How a question limits or orders the documents by time; `None` if it does not.
pub(crate) fn time_question(question: &str, today: Date) -> Option<TimeQuestion> {
    let places = words(question);
    let lower: Vec<String> = places.iter().map(|place| question[place.clone()].to_lowercase()).collect();
    let asked = Asked { question, places, lower };
    let time = asked.limited(today).or_else(|| asked.ordered())?;
    // The rest must still ask for something.
    let rest = time.without(question);
    content(&Word::all(&rest)).next()?;
    Some(time)
}

struct Asked<'q> {
    question: &'q str,
    places: Vec<Range<usize>>,
    lower: Vec<String>,
}

impl Asked<'_> {
    fn is(&self, at: usize, list: &str) -> bool {
        self.lower.get(at).is_some_and(|word| list_contains(word, list))
    }

    fn has(&self, list: &str) -> bool {
        self.lower.iter().any(|word| list_contains(word, list))
    }

    /// The kind of document that a word names. "Vorstandssitzung" is a "Sitzung".
    fn kind(&self, at: usize) -> Option<DocumentKind> {
        let word = self.lower.get(at)?;
        let is_named = |list: &&(&str, &str)| {
            let is_compound = |noun: &str| {
                noun.len() > 6
                    && word.len() > noun.len()
                    && word.ends_with(noun)
                    && word.is_char_boundary(word.len() - noun.len())
            };
            list.0.split_whitespace().any(|noun| word == noun || is_compound(noun))
        };
        let (nouns, names) = KINDS.iter().find(is_named)?;
        Some(DocumentKind { names, is_single: *nouns == SINGLE, quality: None })
    }

    /// A period that limits the documents.
    fn limited(&self, today: Date) -> Option<TimeQuestion> {
        let time = named_time(self.question, today, false)?;
        let NamedTime { bytes, since, until, naming } = time;
        let first = self.places.iter().position(|place| place.start == bytes.start)?;
        // "The minutes of May"
        let names_documents =
            first.checked_sub(1).is_some_and(|at| self.kind(at).is_some()) && !self.is(first, "in im on am");
        let is_done = self.has(DOING);
        let is_meant = names_documents
            || match naming {
                Naming::Relative => is_done || (0..self.lower.len()).any(|at| self.kind(at).is_some()),
                Naming::Yearless | Naming::Weekday => is_done,
                Naming::Dated => is_done && self.has(WE),
            };
        // Documents are not about the future.
        let is_past = since.is_none_or(|since| since <= today);
        let words = self.question[bytes].to_owned();
        (is_meant && is_past).then_some(TimeQuestion { words, since, until, order: None, kind: None })
    }

    /// "The latest price", "at the last meeting", "at first"
    fn ordered(&self) -> Option<TimeQuestion> {
        (0..self.places.len()).find_map(|at| {
            let (order, first, next, kind) = self.order(at)?;
            let words = self.question[self.places[first].start..self.places[next - 1].end].to_owned();
            Some(TimeQuestion { words, since: None, until: None, order: Some(order), kind })
        })
    }

    /// The order at a word, the index of its first word and after its last one, and the kind of document.
    fn order(&self, at: usize) -> Option<(TimeOrder, usize, usize, Option<DocumentKind>)> {
        if self.is(at, "at") && self.is(at + 1, "first") {
            let is_alone = !self.is(at + 2, "glance sight hand floor light");
            return is_alone.then_some((TimeOrder::First, at, at + 2, None));
        }
        let is_most_recent = self.is(at, "most") && self.is(at + 1, "recent");
        let next = at + 1 + usize::from(is_most_recent);
        let is_determined = at.checked_sub(1).is_some_and(|before| self.is(before, &ALL_DETERMINERS));
        let (is_last, is_first) = (self.is(at, LAST), self.is(at, FIRST));
        let is_latest = is_most_recent || self.is(at, LATEST) || (self.is(at, CURRENT) && is_determined);
        if !is_latest && !is_last && !is_first {
            return None;
        }
        let order = if is_first { TimeOrder::First } else { TimeOrder::Latest };
        // "The last board meeting"
        let noun = (next..next + 2).find_map(|noun| {
            let quality = self.lower.get(next).filter(|_| noun > next).cloned();
            Some((noun, DocumentKind { quality, ..self.kind(noun)? }))
        });
        let Some((noun, kind)) = noun.filter(|_| is_determined) else {
            let is_named =
                content(&Word::all(self.lower.get(next).map_or("", String::as_str))).next().is_some();
            return (is_latest && is_named && !self.is(next, OTHERS)).then_some((order, at, next, None));
        };
        let place = at.checked_sub(2).filter(|place| self.is(*place, PREPOSITIONS));
        Some(match place {
            Some(place) => (order, place, noun + 1, Some(kind)),
            // "What does the last letter say?" still asks for the letter.
            None => (order, at, next, Some(kind)),
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn time(question: &str) -> Option<TimeQuestion> {
        time_question(question, date(2026, 11, 27))
    }

    #[test]
    fn a_time_limits_the_documents_where_these_are_asked_for() {
        for (question, words, rest) in [
            ("What did we decide last month?", "last month", "What did we decide?"),
            ("What did we decide in May about the roof?", "in May", "What did we decide about the roof?"),
            (
                "What do the minutes of 2024 say about the roof?",
                "of 2024",
                "What do the minutes say about the roof?",
            ),
            ("What was discussed since March?", "since March", "What was discussed?"),
            ("Last week, what did Noor write?", "Last week", "What did Noor write?"),
            ("Was haben wir letzten Monat beschlossen?", "letzten Monat", "Was haben wir beschlossen?"),
            ("Was steht im Protokoll vom Mai zum Dach?", "vom Mai", "Was steht im Protokoll zum Dach?"),
        ] {
            let time = time(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!((time.words.as_str(), time.without(question).as_str()), (words, rest));
            assert!(time.since.is_some() && time.order.is_none(), "{question}");
        }
    }

    #[test]
    fn an_order_is_of_all_documents_or_of_a_kind() {
        for (question, words, order, is_single) in [
            ("What is the latest price of a canoe?", "latest", TimeOrder::Latest, None),
            ("What is our current rent?", "current", TimeOrder::Latest, None),
            ("What was decided at the last meeting?", "at the last meeting", TimeOrder::Latest, Some(true)),
            ("What did the last letter say about the roof?", "last", TimeOrder::Latest, Some(false)),
            ("What did a canoe cost at first?", "at first", TimeOrder::First, None),
            (
                "Was kostet ein Kanu nach der neuesten Preisliste?",
                "nach der neuesten Preisliste",
                TimeOrder::Latest,
                Some(false),
            ),
            (
                "Was wurde in der letzten Vorstandssitzung beschlossen?",
                "in der letzten Vorstandssitzung",
                TimeOrder::Latest,
                Some(true),
            ),
            ("Wie hoch ist die aktuelle Miete?", "aktuelle", TimeOrder::Latest, None),
        ] {
            let time = time(question).unwrap_or_else(|| panic!("{question}"));
            let found = (time.words.as_str(), time.order, time.kind.as_ref().map(|kind| kind.is_single));
            assert_eq!(found, (words, Some(order), is_single), "{question}");
        }
    }

    #[test]
    fn a_time_that_the_documents_tell_of_limits_nothing() {
        for question in [
            "What happened in 1985?",
            "What did the court decide in 1985?",
            "How much rent was paid this year?",
            "What is the rent next year?",
            "What is her last name?",
            "What is the latest version of Python?",
            "When must it be paid at the latest?",
            "What does the electric current do?",
            "Who was the first president?",
            "What did the report in 1973 recommend?",
            "Where was she originally from?",
            "From when to when do meetings take place on Tuesday?",
            "What is the deadline of the January intake? Write a list.",
            "What did the ghost say at first sight?",
            "What is the notice period since the review in 2024?",
            "When does the contract end?",
            "Who paid the last instalment?",
            "Last month?",
        ] {
            assert_eq!(time(question), None, "{question}");
        }
    }
    proptest::proptest! {
        #[test]
        fn any_question_is_read(
            question in "((the|at|last|first|latest|most|recent|current|minutes|meeting|board|in|since|between|and|May|3|2024|days|90|next|within|\\?| ) ?){0,9}"
        ) {
            let today = date(2026, 11, 27);
            time_question(&question, today);
            crate::question::events::event_question(&format!("Which contracts end {question}"), today);
        }
    }
}
