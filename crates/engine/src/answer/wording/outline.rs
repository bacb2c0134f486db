//! How the outline of a document, or of several, begins, and the columns below it.

use super::pick;

pub(crate) fn sentence_columns(is_german: bool) -> [&'static str; 2] {
    pick(is_german, ["Section", "Sentence"], ["Abschnitt", "Satz"])
}

pub(crate) fn document_columns(is_german: bool) -> [&'static str; 2] {
    pick(is_german, ["Document", "Sentence"], ["Dokument", "Satz"])
}

/// Before the sentences of a document, from so many sections; none if it has no sections.
pub(crate) fn of_document(name: &str, sections: usize, is_german: bool) -> String {
    match (sections, is_german) {
        (0, true) => format!("{name}, die wichtigsten Sätze:"),
        (0, false) => format!("{name}, its main sentences:"),
        (_, true) => format!("{name}, Hauptsätze aus {sections} Abschnitten:"),
        (_, false) => format!("{name}, main sentences of {sections} sections:"),
    }
}

/// Introduces one sentence for each of `count` documents, of `all` that were meant.
pub(crate) fn of_documents(count: usize, all: usize, is_german: bool) -> String {
    match is_german {
        true => format!("{count} von {all} Dokumenten, je ein Satz:"),
        false => format!("{count} of {all} documents, a sentence each:"),
    }
}
