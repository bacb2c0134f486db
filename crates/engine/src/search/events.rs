//! Finds the sentences that say at which date something happens: an exact pass over those that hold a word for it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use oriel_core::{ByteSpan, CancelToken, DocumentId, Filter, Ordinal};
use oriel_store::{StoreError, View};
use oriel_text::dates::{DayOrder, Period, dates};
use oriel_text::{language, terms, words};

use crate::error::EngineError;
use crate::library::Library;
use crate::library::sentences::context_terms;
use crate::question::events::{Event, EventQuestion};
use crate::question::time::names_of;

/// Bytes between the word and its date, at most.
const MAX_DISTANCE: usize = 100;

/// A sentence that says when something happens.
#[derive(Clone, Debug)]
pub(crate) struct DatedEvent {
    pub document: DocumentId,
    pub path: PathBuf,
    pub ordinal: Ordinal,
    pub span: ByteSpan,
    pub period: Period,
    /// Of a row of a table, what its first cell says.
    pub row: Option<String>,
}

/// What a pass found.
#[derive(Default)]
pub(crate) struct DatedEvents {
    /// The sentences, by date.
    pub all: Vec<DatedEvent>,
    /// Documents that were looked at.
    pub read: usize,
}

impl Library {
    /// The sentences that say when the event of a question happens, in the documents that the filter admits and that are called as the
    /// question calls them.
    pub(crate) fn dated_events(
        &self,
        question: &EventQuestion,
        filter: &Filter,
        cancel: &CancelToken,
    ) -> Result<DatedEvents, EngineError> {
        let (paths, folder) = self.documents_called(question.noun.as_deref(), filter)?;
        self.own_index()?.read(|view| {
            let mut scope = BTreeMap::new();
            for path in &paths {
                if let Some(id) = view.document_at(path)? {
                    scope.insert(id, path.as_path());
                }
            }
            if let Some(noun) = question.noun.as_deref().filter(|_| folder.is_none()) {
                self.retain_called(&view, noun, &mut scope)?;
            }
            let mut found = DatedEvents { all: Vec::new(), read: scope.len() };
            for (document, sentences) in telling(&view, question.event, &scope)? {
                cancel.check()?;
                read(&view, question.event, document, scope[&document], &sentences, &mut found.all)?;
            }
            found
                .all
                .sort_by(|one, other| (one.period.first, &one.path).cmp(&(other.period.first, &other.path)));
            Ok(found)
        })
    }

    /// Leaves the documents whose name or title has a noun; where there are none, those that have it anywhere.
    fn retain_called(
        &self,
        view: &View<'_>,
        noun: &str,
        scope: &mut BTreeMap<DocumentId, &Path>,
    ) -> Result<(), EngineError> {
        let wanted = terms(noun);
        let names = names_of(noun).map(terms).unwrap_or_default();
        let dates = self.document_dates(view)?;
        let is_called = |id: &DocumentId, path: &Path| {
            let title = dates.get(id).map_or("", |dated| dated.title.as_str());
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let held: HashSet<String> = terms(&name).into_iter().chain(terms(title)).collect();
            names.iter().any(|term| held.contains(term)) || wanted.iter().all(|term| held.contains(term))
        };
        let called: BTreeSet<DocumentId> =
            scope.iter().filter(|(id, path)| is_called(id, path)).map(|(id, _)| *id).collect();
        let is_held = |id: DocumentId| -> Result<bool, StoreError> {
            for term in &wanted {
                if view.posting(term, id)?.is_none() {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let mut kept = BTreeMap::new();
        for (&id, &path) in scope.iter() {
            let is_kept = if called.is_empty() { is_held(id)? } else { called.contains(&id) };
            if is_kept {
                kept.insert(id, path);
            }
        }
        *scope = kept;
        Ok(())
    }
}

/// The sentences of the documents in the scope that hold a word for an event.
fn telling(
    view: &View<'_>,
    event: Event,
    scope: &BTreeMap<DocumentId, &Path>,
) -> Result<BTreeMap<DocumentId, BTreeSet<Ordinal>>, EngineError> {
    let mut sentences: BTreeMap<DocumentId, BTreeSet<Ordinal>> = BTreeMap::new();
    // A row of a table has the word in the header.
    let words = event.told().flat_map(|word| terms(word).into_iter().chain(context_terms(word)));
    for term in words.collect::<BTreeSet<String>>() {
        for posting in view.postings(&term)? {
            let posting = posting?;
            if scope.contains_key(&posting.document) {
                let ordinals = sentences.entry(posting.document).or_default();
                for ordinal in posting.ordinals() {
                    ordinals.insert(ordinal?);
                }
            }
        }
    }
    Ok(sentences)
}

/// Adds the sentences of a document that have a date for the event.
fn read(
    view: &View<'_>,
    event: Event,
    document: DocumentId,
    path: &Path,
    sentences: &BTreeSet<Ordinal>,
    found: &mut Vec<DatedEvent>,
) -> Result<(), EngineError> {
    let (text, table) = (view.text(document)?.unwrap_or_default(), view.table(document)?);
    let outline = view.outline(document)?;
    let mut order = None;
    for &ordinal in sentences {
        let Some(span) = table.get(ordinal).map(|row| row.span) else { continue };
        let sentence = span.of(&text).unwrap_or_default();
        if !sentence.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let order = *order.get_or_insert_with(|| DayOrder::of(&text, language(&text)));
        let header = outline.header_at(span.start).and_then(|header| header.of(&text));
        let told = header
            .and_then(|header| date_in_row(header, sentence, event, order))
            .or_else(|| Some((date_of(sentence, event, order)?, None)));
        if let Some((period, row)) = told {
            found.push(DatedEvent { document, path: path.to_owned(), ordinal, span, period, row });
        }
    }
    Ok(())
}

/// When an event happens, as a row of a table says in the column that is called so, and the row's first cell.
fn date_in_row(header: &str, row: &str, event: Event, order: DayOrder) -> Option<(Period, Option<String>)> {
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split(['\t', '|']).map(|cell| cell.trim().to_owned()).collect()
    };
    let (heads, cells) = (cells(header), cells(row));
    let is_named = |head: &String| {
        let lower: Vec<String> = words(head).into_iter().map(|place| head[place].to_lowercase()).collect();
        (0..lower.len()).any(|at| event.is_told(&lower, at))
    };
    let column = heads.iter().position(is_named)?;
    let period = dates(cells.get(column)?, order).first()?.period()?;
    Some((period, cells.first().filter(|first| column > 0 && !first.is_empty()).cloned()))
}

/// When an event happens, as a sentence says: the first date after a word for it, else the last one before it.
fn date_of(sentence: &str, event: Event, order: DayOrder) -> Option<Period> {
    let dates: Vec<_> = dates(sentence, order)
        .into_iter()
        .filter_map(|date| Some((date.bytes.clone(), date.period()?)))
        .collect();
    if dates.is_empty() {
        return None;
    }
    let places = words(sentence);
    let lower: Vec<String> = places.iter().map(|place| sentence[place.clone()].to_lowercase()).collect();
    (0..lower.len()).filter(|&at| event.is_told(&lower, at)).find_map(|at| {
        let word = &places[at];
        // What stands between the word and the date must not be of another event.
        let is_near = |from: usize, to: usize| {
            let between = |place: &std::ops::Range<usize>| from <= place.start && place.end <= to;
            let is_other = (0..lower.len()).any(|at| between(&places[at]) && event.is_other(&lower[at]));
            to.saturating_sub(from) <= MAX_DISTANCE && !is_other
        };
        let after = dates.iter().find(|(bytes, _)| bytes.start >= word.end && is_near(word.end, bytes.start));
        let before =
            || dates.iter().rfind(|(bytes, _)| bytes.end <= word.start && is_near(bytes.end, word.start));
        after.or_else(before).map(|(_, period)| *period)
    })
}

/// How many days lie between two days.
pub(crate) fn days_between(from: Date, to: Date) -> i32 {
    from.until(to).map_or(0, |days| days.get_days())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_says_when_something_happens() {
        let date = |sentence: &str, event| {
            date_of(sentence, event, DayOrder::Unknown).map(|period| period.in_words(false))
        };
        let lease = "The lease begins on 1 January 2025 and ends on 31 December 2026.";
        assert_eq!(date(lease, Event::Starts).as_deref(), Some("1 January 2025"));
        assert_eq!(date(lease, Event::Ends).as_deref(), Some("31 December 2026"));
        for sentence in [
            "Der Vertrag ist bis zum 31.12.2026 befristet.",
            "The guarantee is valid until 31 December 2026.",
            "Signed on 3 May 2024, it expires on 2026-12-31.",
            "Laufzeit: bis 31. Dezember 2026",
        ] {
            assert_eq!(date(sentence, Event::Ends).as_deref(), Some("31 December 2026"), "{sentence}");
        }
        assert_eq!(date("Payment due: 3.5.2026", Event::Due).as_deref(), Some("3 May 2026"));
        for (sentence, event) in [
            ("The office was closed due to rain on 3 May 2026.", Event::Due),
            ("It does not end on 3 May 2026.", Event::Ends),
            ("We end the year and start again on 3 May 2026.", Event::Ends),
            ("It is free of charge at the end of 2026.", Event::Ends),
            ("The shop is open until 3 May 2026.", Event::Ends),
        ] {
            assert_eq!(date(sentence, event), None, "{sentence}");
        }
        let row = date_in_row(
            "Contract\tBegins\tEnd date",
            "Alarm\t1.1.2025\t31.12.2026",
            Event::Ends,
            DayOrder::Unknown,
        );
        let (period, name) = row.unwrap();
        assert_eq!((period.in_words(false).as_str(), name.as_deref()), ("31 December 2026", Some("Alarm")));
    }
}
