//! Identifiers in a question: a registration, a serial number, the number of an invoice or a case.
//!
//! A document names itself once, and most of its sentences do not repeat that. A question with an identifier is about the
//! documents that have it, and a sentence of another document that says the same of something else would be a wrong answer.

use std::path::PathBuf;

use oriel_core::CancelToken;

use crate::error::EngineError;
use crate::library::Library;
use crate::search::mentions::MentionPage;
use crate::search::query::Query;

/// What more documents have than this tells none of them apart.
const MAX_DOCUMENTS: usize = 20;
/// Shorter ones are names of things, not of one thing: `B2B`, `H264`.
const MIN_CHARS: usize = 5;

/// What the identifiers of a question say about the documents that can answer it.
pub(crate) enum Identified {
    /// Nothing: it has none, or one that too many documents have.
    Nothing,
    /// Only these have one of them.
    Documents(Vec<PathBuf>),
    /// No document has any of them, so none can answer it.
    Nowhere,
}

impl Library {
    /// The documents that have an identifier of the question, among those that its filter admits.
    pub(crate) fn identified(&self, query: &Query, cancel: &CancelToken) -> Result<Identified, EngineError> {
        let page = MentionPage { from: 0, documents: MAX_DOCUMENTS, sentences: 0 };
        let (mut documents, mut has_identifier) = (Vec::new(), false);
        for identifier in identifiers(&query.question) {
            has_identifier = true;
            let found = self.mentions(identifier, &query.filter, page, cancel)?;
            if found.is_whole && found.documents > MAX_DOCUMENTS {
                return Ok(Identified::Nothing);
            }
            documents.extend(found.rows.into_iter().filter(|_| found.is_whole).map(|one| one.row.path));
        }
        Ok(match (documents.is_empty(), has_identifier) {
            (false, _) => Identified::Documents(documents),
            (true, true) => Identified::Nowhere,
            (true, false) => Identified::Nothing,
        })
    }
}

/// The words of a question that have letters and digits, without quantities, years and quarters.
fn identifiers(question: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "-/.".contains(c);
    let words = question.split(move |c| !is_part(c)).map(|word| word.trim_matches(['-', '/', '.']));
    words.filter(|word| is_identifier(word))
}

fn is_identifier(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    // `500 ml` and `1990s` are quantities and decades; `FY2023` and `Q3/2023` are times.
    let has_unit = word.trim_end_matches(char::is_alphabetic).chars().all(|c| c.is_ascii_digit() || c == '.')
        && letters <= 3;
    let is_time =
        letters <= 2 && word.starts_with(['F', 'C', 'Q', 'H', 'f', 'c', 'q', 'h']) && !word.contains('-');
    let numbers = word.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    let is_year = |number: &str| number.len() == 4 && (number.starts_with("19") || number.starts_with("20"));
    let mut numbers = numbers.filter(|number| !is_year(number));
    letters > 0 && word.chars().count() >= MIN_CHARS && !has_unit && !is_time && numbers.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_told_from_quantities_and_times() {
        let of = |question: &'static str| identifiers(question).collect::<Vec<_>>();
        assert_eq!(of("Who flew N2151J in accident CHI08CA047?"), ["N2151J", "CHI08CA047"]);
        assert_eq!(of("Is invoice RE-2023-118 paid, and A/117-B?"), ["RE-2023-118", "A/117-B"]);
        for other in [
            "the 1990s",
            "FY2023 and Q3/2023",
            "500ml in 12.5km",
            "on 2024-01-31",
            "the 21st",
            "ES2015",
            "H264",
            "covid",
            "1,150",
        ] {
            assert!(of(other).is_empty(), "{other}: {:?}", of(other));
        }
    }
}
