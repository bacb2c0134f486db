//! Finds the sentences that give the date of an event: an exact pass over all sentences that contain a word for it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use oriel_core::{ByteSpan, CancelToken, DocumentId, Filter, Ordinal};
use oriel_store::{StoreError, View};
use oriel_text::dates::{DayOrder, Period, dates};
use oriel_text::{language, list_contains, terms, words};

use crate::error::EngineError;
use crate::library::Library;
use crate::library::columns::ColumnKind;
use crate::library::overview::DocumentDates;
use crate::library::sentences::context_terms;
use crate::library::tables::{DocumentTable, Tables};
use crate::question::events::{Event, EventQuestion};
use crate::question::time::names_of;

/// Maximum number of bytes between the word and its date.
const MAX_DISTANCE: usize = 100;

/// With one of these words a sentence is conditional.
const CONDITIONS: &str =
    "if provided should wenn falls sofern soweit ob sollte sollten si qualora indien caso";
/// With one of these words before its date, an event may not happen.
const OPEN: &str = "may can could might would unless entitled option kann können könnte könnten darf dürfen würde würden berechtigt peut \
    pourrait sauf puede podría salvo può potrebbe kan mag tenzij pode poderia";
/// With one of these words before it, a date is not that of the event: "within 30 days of 3 May", "not on 3 May".
const MEASURING: &str = "before within after prior earlier not never days weeks months years vor nach innerhalb binnen früher frühestens \
    nicht nie tage tagen wochen monate monaten jahre jahren avant après pas jours mois antes después días meses prima dopo giorni mesi dagen \
    weken maanden niet dias depois não";
/// The number of words before a date at the beginning of a sentence that are checked for these.
const WORDS_BEFORE: usize = 3;
/// Names of a column with the date of what the cell before it names.
const DATE: &str = "date day when datum tag wann fecha data";

/// A sentence that gives the date of an event.
#[derive(Clone, Debug)]
pub(crate) struct DatedEvent {
    pub document: DocumentId,
    pub path: PathBuf,
    pub ordinal: Ordinal,
    pub span: ByteSpan,
    pub period: Period,
    /// For a table row, the text of its first cell.
    pub row: Option<String>,
}

/// The result of the pass.
#[derive(Default)]
pub(crate) struct DatedEvents {
    /// The sentences, by date.
    pub all: Vec<DatedEvent>,
    pub read: usize,
}

impl Library {
    /// The sentences that give the date of a question's event, in the documents that the filter accepts and whose names
    /// match the question.
    pub(crate) fn dated_events(
        &self,
        question: &EventQuestion,
        filter: &Filter,
        cancel: &CancelToken,
    ) -> Result<DatedEvents, EngineError> {
        let (paths, folder) = self.documents_called(question.noun.as_deref(), filter)?;
        let dates = self.document_dates(cancel)?;
        self.own_index()?.read(|view| {
            let mut scope = BTreeMap::new();
            for path in &paths {
                if let Some(id) = view.document_at(path)? {
                    scope.insert(id, path.as_path());
                }
            }
            if let Some(noun) = question.noun.as_deref().filter(|_| folder.is_none()) {
                retain_called(&view, noun, &dates, &mut scope)?;
            }
            let mut found = DatedEvents { all: Vec::new(), read: scope.len() };
            for (document, sentences) in telling(&view, question.event, &scope)? {
                cancel.check()?;
                let path = scope[&document];
                read(&view, question.event, document, path, &sentences, &mut found.all, cancel)?;
            }
            found
                .all
                .sort_by(|one, other| (one.period.first, &one.path).cmp(&(other.period.first, &other.path)));
            Ok(found)
        })
    }
}

/// Keeps the documents whose name or title contains a noun; if there are none, those that contain it anywhere.
fn retain_called(
    view: &View<'_>,
    noun: &str,
    dates: &DocumentDates,
    scope: &mut BTreeMap<DocumentId, &Path>,
) -> Result<(), EngineError> {
    let wanted = terms(noun);
    let names = names_of(noun).map(terms).unwrap_or_default();
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

/// The sentences of the documents in the scope that contain a word for an event.
fn telling(
    view: &View<'_>,
    event: Event,
    scope: &BTreeMap<DocumentId, &Path>,
) -> Result<BTreeMap<DocumentId, BTreeSet<Ordinal>>, EngineError> {
    let mut sentences: BTreeMap<DocumentId, BTreeSet<Ordinal>> = BTreeMap::new();
    // A table row has the word in its header.
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
    cancel: &CancelToken,
) -> Result<(), EngineError> {
    let (text, table) = (view.text(document)?.unwrap_or_default(), view.table(document)?);
    let with_digits = |&ordinal: &Ordinal| {
        let span = table.get(ordinal)?.span;
        let sentence = span.of(&text).filter(|sentence| sentence.contains(|c: char| c.is_ascii_digit()))?;
        Some((ordinal, span, sentence))
    };
    let sentences: Vec<_> = sentences.iter().filter_map(with_digits).collect();
    let (Some(record), false) = (view.document(document)?, sentences.is_empty()) else { return Ok(()) };
    let order = DayOrder::of(&text, language(&text));
    let outline = view.outline(document)?;
    let tables = Tables::of(&text, &outline, record.kind, cancel)?.read;
    // A row may be several sentences.
    let mut rows_read = HashSet::new();
    for (ordinal, span, sentence) in sentences {
        let told = match table_at(&tables, span.start) {
            None => date_of(sentence, event, order).map(|period| (period, None)),
            Some((_, None)) => None,
            Some((table, Some(row))) if rows_read.insert(table.rows[row].start) => {
                date_in_row(table, row, event, order)
            }
            Some(_) => None,
        };
        if let Some((period, row)) = told {
            found.push(DatedEvent { document, path: path.to_owned(), ordinal, span, period, row });
        }
    }
    Ok(())
}

/// The table at a byte of the text, and its row there; `None` in its header and its totals.
fn table_at<'a, 't>(
    tables: &'a [DocumentTable<'t>],
    at: u32,
) -> Option<(&'a DocumentTable<'t>, Option<usize>)> {
    let before = tables.partition_point(|table| table.header.start <= at);
    let table = tables.get(before.checked_sub(1)?)?;
    let is_inside = table.rows.last().is_some_and(|last| at < last.end);
    let row = table.rows.partition_point(|row| row.start <= at).checked_sub(1);
    is_inside.then(|| (table, row.filter(|&row| at < table.rows[row].end)))
}

/// The date of an event in a table row, and the row's first cell. The date is in the column with the event's name,
/// otherwise in a cell that gives it alone, or in the cell after one with the event's name.
fn date_in_row(
    table: &DocumentTable<'_>,
    row: usize,
    event: Event,
    order: DayOrder,
) -> Option<(Period, Option<String>)> {
    let is_called = |text: &str| {
        let lower: Vec<String> = words(text).into_iter().map(|place| text[place].to_lowercase()).collect();
        (0..lower.len()).any(|at| event.is_told(&lower, at))
    };
    let date = |column: usize| dates(table.cell(row, column), order).first()?.period();
    let columns = 0..table.columns.len();
    let (column, period) = match table.columns.iter().position(|column| is_called(&column.head)) {
        Some(column) => (column, date(column)?),
        None => columns.into_iter().find_map(|column| {
            let cell = table.cell(row, column);
            let behind = || {
                let next = table.columns.get(column + 1)?;
                let is_its_date = !matches!(next.kind, ColumnKind::Date(_))
                    || list_contains(&next.head.to_lowercase(), DATE);
                (is_its_date && is_called(cell) && dates(cell, order).is_empty()).then(|| date(column + 1))?
            };
            Some((column, date_of(cell, event, order).or_else(behind)?))
        })?,
    };
    let name = table.cell(row, 0);
    Some((period, (column > 0 && !name.is_empty()).then(|| name.to_owned())))
}

/// The date of an event in a sentence: the first date after a word for the event, otherwise the last one before it.
fn date_of(sentence: &str, event: Event, order: DayOrder) -> Option<Period> {
    let dates: Vec<_> = dates(sentence, order)
        .into_iter()
        .filter_map(|date| Some((date.bytes.clone(), date.period()?)))
        .collect();
    if dates.is_empty() {
        return None;
    }
    let places = &words(sentence);
    let lower: Vec<String> = places.iter().map(|place| sentence[place.clone()].to_lowercase()).collect();
    if lower.iter().any(|word| list_contains(word, CONDITIONS)) {
        return None;
    }
    let in_date = |place: &Range<usize>| dates.iter().any(|(bytes, _)| bytes.contains(&place.start));
    // "May" is a month.
    let is_open = |at: usize| {
        list_contains(&lower[at], OPEN) && (lower[at] != "may" || &sentence[places[at].clone()] == "may")
    };
    (0..lower.len()).filter(|&at| event.is_told(&lower, at)).find_map(|at| {
        let word = &places[at];
        let between = |from: usize, to: usize| {
            (0..lower.len()).filter(move |&at| from <= places[at].start && places[at].end <= to)
        };
        // The text between the word and the date must not be about another event.
        let is_near = |from: usize, to: usize| {
            to.saturating_sub(from) <= MAX_DISTANCE && !between(from, to).any(|at| event.is_other(&lower[at]))
        };
        let after = dates.iter().find(|(bytes, _)| bytes.start >= word.end && is_near(word.end, bytes.start));
        let before =
            || dates.iter().rfind(|(bytes, _)| bytes.end <= word.start && is_near(bytes.end, word.start));
        let (bytes, period) = after.or_else(before)?;
        let is_after = bytes.start >= word.end;
        let (from, to) = if is_after { (word.end, bytes.start) } else { (bytes.end, word.start) };
        let is_open = between(0, to).any(|at| is_open(at) && !in_date(&places[at]));
        let lead = between(0, bytes.start).rev().take(WORDS_BEFORE).filter(|_| !is_after);
        let is_measure = between(from, to).chain(lead).any(|at| list_contains(&lower[at], MEASURING));
        (!is_open && !is_measure).then_some(*period)
    })
}

/// The number of days between two days.
pub(crate) fn days_between(from: Date, to: Date) -> i32 {
    from.until(to).map_or(0, |days| days.get_days())
}

#[cfg(test)]
mod tests {
    use oriel_core::Kind;

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
    }

    #[test]
    fn a_condition_and_a_span_of_time_say_no_date() {
        for (sentence, event) in [
            ("If the lease ends before 31 March 2027, the deposit is returned.", Event::Ends),
            ("Wenn der Vertrag am 31.03.2027 endet, zahlen wir die Kaution zurück.", Event::Ends),
            ("The invoice is due within 30 days of 3 May 2026.", Event::Due),
            ("Before 31 March 2027 the lease does not end.", Event::Ends),
            ("Der Vertrag endet nicht vor dem 31.03.2027.", Event::Ends),
            ("The tenant may terminate the lease on 31 March 2027.", Event::Ends),
            ("Der Vertrag kann zum 31.03.2027 enden.", Event::Ends),
            ("The policy ends three years after 3 May 2026.", Event::Ends),
        ] {
            assert_eq!(date_of(sentence, event, DayOrder::Unknown), None, "{sentence}");
        }
        for sentence in [
            "The lease ends on 31 March 2027 and the tenant may renew it.",
            "The lease of 3 May 2024 ends on 31 March 2027 unless it is renewed.",
            "After a term of three years the lease ends on 31 March 2027.",
        ] {
            let date = date_of(sentence, Event::Ends, DayOrder::Unknown);
            assert_eq!(date.unwrap().in_words(false), "31 March 2027", "{sentence}");
        }
    }

    #[test]
    fn a_row_has_its_date_in_the_column_of_the_event() {
        let read = |kind, bytes: &str, event| {
            let read = oriel_text::read(kind, bytes.as_bytes(), &oriel_text::Limits::default()).unwrap();
            let tables = Tables::of(&read.text, &read.outline, kind, &CancelToken::new()).unwrap().read;
            let rows = 0..tables[0].rows.len();
            let said = rows.map(|row| {
                let (period, name) = date_in_row(&tables[0], row, event, DayOrder::Unknown)?;
                Some(format!("{} {}", name.unwrap_or_default(), period.in_words(false)))
            });
            said.collect::<Vec<_>>()
        };
        let csv =
            "Contract,Ends,Renews\n,2026-12-31,2027-12-31\nA|B,2026-11-30,2027-11-30\nOpen,,2027-10-31\n";
        let expected = [Some(" 31 December 2026".to_owned()), Some("A|B 30 November 2026".to_owned()), None];
        assert_eq!(read(Kind::Csv, csv, Event::Ends), expected);
        let listed = "What,Date,Who\nLease ends,2026-12-31,Ada\nRoof repaired,2026-11-30,Bo\n";
        assert_eq!(read(Kind::Csv, listed, Event::Ends), [Some(" 31 December 2026".to_owned()), None]);
        let signed = "Contract,Signed,Note\nAlarm,2026-12-31,ends soon\nEnd plates,2026-11-30,none\n";
        assert_eq!(read(Kind::Csv, signed, Event::Ends), [None, None]);
        let markdown = "| Contract | Ends |\n|---|---|\n| Alarm \\| door | 31.12.2026 |\n";
        let expected = Some("Alarm \\| door 31 December 2026".to_owned());
        assert_eq!(read(Kind::Markdown, markdown, Event::Ends), [expected]);
    }
}
