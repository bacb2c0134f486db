//! Identifiers in a question: a registration, a serial number, the number of an invoice or a case.
//!
//! A document contains its own identifier once, and most of its sentences do not repeat it. A question with an
//! identifier is about the documents that contain it; a sentence about something else in another document would be a
//! wrong answer.

use std::borrow::Cow;
use std::path::PathBuf;

use oriel_core::{CancelToken, Candidate, Excerpt, TextQuery};
use oriel_text::{plain, terms};

use crate::error::EngineError;
use crate::library::Library;
use crate::library::sentences::context_terms;
use crate::search::loaded::ranges;
use crate::search::mentions::MentionPage;
use crate::search::query::Query;
use crate::search::window::Window;

/// An identifier in more documents than this does not distinguish them.
const MAX_DOCUMENTS: usize = 20;
/// Sentences of a remote index that are read for one.
const MAX_REMOTE_HITS: usize = 100;
/// Shorter ones name a kind of things, not one thing: `B2B`, `H264`.
const MIN_CHARS: usize = 5;
/// Letters before a time: `FY2023`, `Q3/2023`, `H1`.
const TIMES: [&str; 4] = ["fy", "cy", "q", "h"];

/// A query, limited by its identifiers.
pub(crate) struct Identified<'a> {
    /// The query, limited to the documents that contain one of its identifiers.
    pub query: Cow<'a, Query>,
    /// Whether no document contains what the query names, so that none can answer it.
    pub is_nowhere: bool,
}

impl Library {
    /// Limits a query to the documents that contain one of its identifiers, among those that its filter accepts. The
    /// query stays the same if it has no identifier, or if no document or too many contain it.
    pub(crate) fn identified<'a>(
        &self,
        query: &'a Query,
        cancel: &CancelToken,
    ) -> Result<Identified<'a>, EngineError> {
        let unlimited = |is_nowhere| Identified { query: Cow::Borrowed(query), is_nowhere };
        let (mut within, mut is_named) = (Vec::new(), false);
        for identifier in words(&query.question).filter(|word| is_identifier(word)) {
            let Some(documents) = self.documents_with(identifier, query, cancel)? else {
                return Ok(unlimited(false));
            };
            within.extend(documents);
            is_named |= is_unmistakable(identifier);
        }
        if within.is_empty() {
            return Ok(unlimited(is_named || self.lacks_a_name(query)?));
        }
        let filter = query.filter.limited_to(within);
        Ok(Identified { query: Cow::Owned(Query { filter, ..query.clone() }), is_nowhere: false })
    }
}

impl Library {
    /// Whether a query names a thing that no sentence, heading or file name has, in one word or in several, and the glossary has no other
    /// word for it. A remote index is not asked: it tells no word that it lacks from one that it ranks low.
    fn lacks_a_name(&self, query: &Query) -> Result<bool, EngineError> {
        let Some(store) = self.source().store() else { return Ok(false) };
        let is_replaced = |name: &str| {
            query.parts.iter().flat_map(|part| &part.wordings).any(|wording| !wording.contains(name))
        };
        let question = query.question.split(|c: char| !c.is_alphanumeric() && c != '_');
        let names: Vec<&str> = question.filter(|word| is_name(word) && !is_replaced(word)).collect();
        store.read(|view| {
            let lacks = |text: &str| -> Result<bool, EngineError> {
                for (own, above) in terms(text).iter().zip(context_terms(text)) {
                    if view.frequency(own)? == 0 && view.frequency(&above)? == 0 {
                        return Ok(true);
                    }
                }
                Ok(false)
            };
            for name in names {
                if lacks(name)? && lacks(&in_words(name))? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// The documents that a query's filter accepts and that contain an identifier; `None` if there are too many.
    fn documents_with(
        &self,
        identifier: &str,
        query: &Query,
        cancel: &CancelToken,
    ) -> Result<Option<Vec<PathBuf>>, EngineError> {
        if !self.is_remote() {
            let page = MentionPage { from: 0, documents: MAX_DOCUMENTS, sentences: 0 };
            let found = self.mentions(identifier, &query.filter, page, cancel)?;
            return Ok(match (found.is_whole, found.documents) {
                (false, _) => Some(Vec::new()),
                (true, count) if count > MAX_DOCUMENTS => None,
                (true, _) => Some(found.rows.into_iter().map(|one| one.row.path).collect()),
            });
        }
        // A remote index counts nothing: those of the sentences that its words find best are read.
        let sought = terms(identifier);
        let sought = [TextQuery { vector: None, words: &sought }];
        let excerpts = self.read_index(|retriever| {
            let found = retriever.find(&sought, &query.filter, MAX_REMOTE_HITS, cancel)?.lists;
            let hits: Vec<Candidate> = found.into_iter().flat_map(|lists| lists.sparse).collect();
            // There may be more than were found.
            if hits.len() == MAX_REMOTE_HITS {
                return Ok(None);
            }
            retriever.excerpts(&ranges(&hits, Window { before: 0, after: 0 }), cancel).map(Some)
        })?;
        let Some(excerpts) = excerpts else { return Ok(None) };
        let has = |excerpt: &Excerpt| {
            let mut sentences = excerpt.rows.iter().filter_map(|(_, row)| excerpt.text.of(row.span));
            sentences.any(|sentence| {
                let read = plain(sentence, excerpt.kind);
                words(&read).any(|word| word.eq_ignore_ascii_case(identifier))
            })
        };
        let paths: Vec<PathBuf> =
            excerpts.into_iter().filter(has).map(|excerpt| excerpt.path).take(MAX_DOCUMENTS + 1).collect();
        Ok(Some(paths).filter(|paths| paths.len() <= MAX_DOCUMENTS))
    }
}

fn words(question: &str) -> impl Iterator<Item = &str> {
    let words = question.split(|c: char| !c.is_alphanumeric() && !"-/.".contains(c));
    words.map(|word| word.trim_matches(['-', '/', '.']))
}

/// Whether a word is a name that is always written in the same way, as a capital or an underscore inside it shows:
/// `MongoDB`, `shared_buffers`.
fn is_name(word: &str) -> bool {
    let has_line = word.trim_matches('_').contains('_');
    let has_capital =
        word.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    // "MitarbeiterInnen" are people.
    let is_people = word.ends_with("Innen") || word.ends_with("In");
    word.len() >= MIN_CHARS && word.is_ascii() && (has_line || has_capital && !is_people)
}

/// A name with spaces at its inner capitals and underscores: `Mongo DB`.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            words.push(' ');
        }
        words.push(if c == '_' { ' ' } else { c });
        before = c;
    }
    words
}

/// Whether an identifier is one word of letters, digits and letters: `N2151J`. Others may be written differently
/// elsewhere: `RTX 4090`.
fn is_unmistakable(identifier: &str) -> bool {
    let is_digit = |c: &u8| c.is_ascii_digit();
    let changes = identifier.as_bytes().windows(2).filter(|pair| is_digit(&pair[0]) != is_digit(&pair[1]));
    changes.count() >= 2 && identifier.bytes().all(|c| c.is_ascii_alphanumeric())
}

/// Whether a word consists of letters and a number, together (`N2151J`) or with a separator (`RE-2023-118`), and is not
/// a quantity, a year, a quarter, or a name like `COVID-19`.
fn is_identifier(word: &str) -> bool {
    /// A shorter number is a version or a part of a name.
    const MIN_DIGITS: usize = 3;
    if !word.is_ascii() || word.len() < MIN_CHARS {
        return false;
    }
    let is_year = |number: &str| {
        number.len() == 4 && number.parse().is_ok_and(|year: u32| (1500..2100).contains(&year))
    };
    let mut letters: Option<&str> = None;
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let is_letter = first.is_ascii_alphabetic();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit || c.is_ascii_alphabetic() != is_letter);
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        if is_letter {
            letters = Some(run);
        } else if is_digit {
            let of_time = letters.is_none_or(|letters| TIMES.contains(&letters.to_lowercase().as_str()));
            if !of_time && !is_year(run) && run.len() >= MIN_DIGITS {
                return true;
            }
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_told_from_quantities_times_and_compounds() {
        for identifier in ["N2151J", "CHI08CA047", "RE-2023-118", "A/117-B", "nyc09la003", "SN-00412"] {
            assert!(is_identifier(identifier), "{identifier}");
        }
        for other in [
            "1990s",
            "FY2023",
            "FY2023Q1",
            "Q3/2023",
            "500ml",
            "12.5km",
            "100km/h",
            "2024-01-31",
            "ES2015",
            "H264",
            "covid",
            "COVID-19",
            "COVID19",
            "GPT4o",
            "2-year",
            "24/7-Support",
            "3-Zimmer-Wohnung",
            "Abs.2",
            "Art.6",
            "Q3-2023",
            "18-September",
            "60-minute",
            "MPEG-3",
            "PaLM-2L",
            "70lerde",
            "pre-1875",
            "在1620年间",
            "14th-century",
        ] {
            assert!(!is_identifier(other), "{other}");
        }
        let found: Vec<_> =
            words("Who flew N2151J (accident CHI08CA047)?").filter(|word| is_identifier(word)).collect();
        assert_eq!(found, ["N2151J", "CHI08CA047"]);
        assert!(found.iter().all(|word| is_unmistakable(word)));
        assert!(["RTX4090", "RE-2023-118", "SN-00412"].iter().all(|word| !is_unmistakable(word)));
        assert!(["MongoDB", "shared_buffers", "LaTeX", "max_wal_size"].iter().all(|word| is_name(word)));
        assert!(
            ["Lindqvist", "GPU", "notice", "COVID19", "__", "bzip3", "NATO", "MitarbeiterInnen"]
                .iter()
                .all(|word| !is_name(word))
        );
    }
}
