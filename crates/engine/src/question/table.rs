//! Requests for a table over documents: "Make a table of the contracts with rent, term and notice period."
//!
//! It uses the words alone, in English and German. Every request is also answered as an ordinary question: the table is only offered
//! beside the answer.

use oriel_text::list_contains;

use crate::question::language::DETERMINERS;
use crate::question::list::{BEFORE_NOUN, GENERAL_NOUNS, NOUNS};
use crate::question::word_cursor::WordCursor;
use crate::question::words::{Word, as_question, content, is_question_word};

/// Verbs that begin such a request.
const MAKING: &str =
    "make create build draw prepare compile give show erstelle erstell mache mach baue gib zeige zeig";
/// Words between the verb and "table".
const BEFORE_TABLE: &str = "me us up mir uns bitte please a an the one comparison overview eine die";
/// Words between the table and its documents.
const OF: &str = "of for from over about aus von über für zu";
/// Words before its columns.
const WITH: &str = "with showing listing mit";
/// Words before the first column that are skipped.
const BEFORE_COLUMNS: &str =
    "the their its columns column den der die das ihrer ihren spalten spalte for für";
/// Conjunctions between two columns.
const JOINTS: [&str; 5] = [" and ", " und ", " sowie ", " as well as ", " & "];
/// Maximum number of words of a column.
const MAX_COLUMN_WORDS: usize = 6;

/// A request for a table with one row for each document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableQuestion {
    /// The noun for the documents: "contracts"; `None` if any are meant.
    pub noun: Option<String>,
    /// The topics of the columns: "rent".
    pub columns: Vec<String>,
    is_german: bool,
}

impl TableQuestion {
    /// The question of each column.
    pub fn questions(&self) -> Vec<String> {
        let question = |column: &String| {
            let asks = Word::all(column).first().is_some_and(|word| is_question_word(&word.lower));
            let is_plural = column.ends_with('s') && !column.ends_with("ss");
            match (asks, self.is_german, is_plural) {
                (true, ..) => as_question(column),
                (false, true, _) => format!("Was steht darin über {column}?"),
                (false, false, true) => format!("What are the {column}?"),
                (false, false, false) => format!("What is the {column}?"),
            }
        };
        self.columns.iter().map(question).collect()
    }
}

/// The table that a question asks for; `None` if it asks for none or does not name its columns.
pub(crate) fn table_question(question: &str) -> Option<TableQuestion> {
    let mut words = WordCursor::new(question);
    words.skip("please bitte");
    words.one_of(MAKING)?;
    words.skip(BEFORE_TABLE);
    let is_german = words.take("tabelle");
    if !is_german && !words.take("table") {
        return None;
    }
    words.skip(OF);
    words.skip(&BEFORE_NOUN);
    let noun = words.one_of(NOUNS).map(str::to_lowercase);
    words.one_of(WITH)?;
    words.skip(BEFORE_COLUMNS);
    let columns = columns(words.rest())?;
    Some(TableQuestion { noun: noun.filter(|noun| !list_contains(noun, GENERAL_NOUNS)), columns, is_german })
}

/// The columns of a list; `None` if one of them is not a name.
fn columns(list: &str) -> Option<Vec<String>> {
    let joined = JOINTS.iter().fold(list.to_owned(), |list, joint| list.replace(joint, ", "));
    let pieces = joined.split([',', ';']).map(str::trim).filter(|piece| !piece.is_empty());
    pieces
        .map(|piece| {
            let column = without_article(piece);
            let words = Word::all(column);
            let is_name = words.len() <= MAX_COLUMN_WORDS
                && !column.contains(['?', '!', ':'])
                && !column.contains(". ")
                && content(&words).next().is_some();
            is_name.then(|| column.to_owned())
        })
        .collect::<Option<Vec<_>>>()
        .filter(|columns| !columns.is_empty())
}

/// A column without its article: "the rent" is "rent".
fn without_article(column: &str) -> &str {
    let rest = column.split_once(' ').filter(|(first, _)| list_contains(&first.to_lowercase(), &DETERMINERS));
    rest.map_or(column, |(_, rest)| rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_for_a_table_names_its_documents_and_columns() {
        let cases: [(&str, Option<&str>, &[&str]); 8] = [
            (
                "Make a table of the contracts with rent, term and notice period",
                Some("contracts"),
                &["rent", "term", "notice period"],
            ),
            ("Please create a table with the rent and the term.", None, &["rent", "term"]),
            ("Give me a table for all documents with the columns author, date", None, &["author", "date"]),
            (
                "show a table of my letters showing who signed it, and the date",
                Some("letters"),
                &["who signed it", "date"],
            ),
            (
                "Erstelle eine Tabelle der Verträge mit Miete, Laufzeit und Kündigungsfrist.",
                Some("verträge"),
                &["Miete", "Laufzeit", "Kündigungsfrist"],
            ),
            ("Mach mir bitte eine Tabelle aller Rechnungen mit dem Betrag", Some("rechnungen"), &["Betrag"]),
            ("Zeige eine Tabelle mit Absender sowie Datum", None, &["Absender", "Datum"]),
            ("Make a table of the reports with R&D cost", Some("reports"), &["R&D cost"]),
        ];
        for (question, noun, columns) in cases {
            let table = table_question(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!(table.noun.as_deref(), noun, "{question}");
            assert_eq!(table.columns, columns, "{question}");
        }
    }

    #[test]
    fn other_texts_are_no_requests_for_a_table() {
        for question in [
            "What is in the table of the contract?",
            "Show me the table",
            "Make a table of the contracts",
            "Make a table of planets with their size",
            "Show the contracts with rent and term",
            "Who made a table with rent and term?",
            "Make a table with rent. What is the term?",
            "Give me a table with a view of the harbour that we could reserve for eight people",
            "Zeige die Tabelle im Vertrag",
            "",
        ] {
            assert_eq!(table_question(question), None, "{question}");
        }
    }

    #[test]
    fn a_column_is_asked_as_a_question() {
        let asked = |question: &str| table_question(question).unwrap().questions();
        assert_eq!(
            asked("Make a table of the contracts with rent, parties and who signed it"),
            ["What is the rent?", "What are the parties?", "Who signed it?"]
        );
        assert_eq!(asked("Erstelle eine Tabelle mit Miete"), ["Was steht darin über Miete?"]);
    }
}
