//! The answer to a question about the library itself: counted in the index, so it is exact.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use oriel_core::notice::size_text;
use oriel_core::{AnswerRow, AnswerRows, Filter, Kind, Location, RowPlace, TimeLimit};
use oriel_store::DocumentState;

use crate::answer::stated::{Stated, statement};
use crate::answer::wording::MAX_NAMES;
use crate::answer::wording::library::Words;
use crate::answer::{AnswerEvent, Answered};
use crate::error::EngineError;
use crate::files::name_of;
use crate::library::Library;
use crate::library::document_row::{DocumentFailure, DocumentRow};
use crate::library::filter::{covers, each_document};
use crate::question::library::{LibraryFact, LibraryQuestion, Measure};
use crate::search::query::Query;
use crate::search::survey::named_folder;

/// Rows that are kept with an answer.
pub(crate) const MAX_ROWS: usize = 500;

/// Answers a question about the library, within the query's filter. `None` if the library has no folder or sender that it names.
///
/// # Errors
/// If the filter names a path without documents, or the store is damaged.
pub(crate) fn answer_library(
    library: &Library,
    query: &Query,
    question: &LibraryQuestion,
    event: &mut dyn FnMut(AnswerEvent<'_>),
) -> Result<Option<Answered>, EngineError> {
    let begun = Instant::now();
    let Some(documents) = Documents::of(library, query, question)? else { return Ok(None) };
    let counted = match question.fact {
        _ if documents.rows.is_empty() => Some(documents.listed()),
        LibraryFact::Count | LibraryFact::List => Some(documents.listed()),
        LibraryFact::Kinds => Some(documents.kinds()),
        LibraryFact::Unread => Some(documents.unread(library, query)?),
        LibraryFact::Extreme(measure, is_most) => documents.extreme(measure, is_most),
        LibraryFact::Senders => Some(documents.senders()),
    };
    Ok(counted.map(|(text, rows)| {
        let sentences = vec![statement(text, Vec::new())];
        let time = documents.time.clone();
        let rows = Some(rows).filter(|rows| rows.total > 0);
        let stated = Stated { sentences, confidence: 1.0, rows, time, ..Stated::default() };
        stated.answered(query, begun, event)
    }))
}

/// The documents that a question is about.
struct Documents<'q> {
    question: &'q LibraryQuestion,
    /// By path.
    rows: Vec<DocumentRow>,
    /// The followed folders.
    roots: Vec<PathBuf>,
    time: Option<TimeLimit>,
    words: Words,
}

/// A sentence, and the rows below it.
type Counted = (String, AnswerRows);

impl<'q> Documents<'q> {
    fn of(
        library: &Library,
        query: &Query,
        question: &'q LibraryQuestion,
    ) -> Result<Option<Self>, EngineError> {
        library.own_index()?.read(|view| {
            let mut all = Vec::new();
            each_document(&query.filter, &view, |id, record| all.push((id, record)))?;
            let roots: Vec<PathBuf> = view.folders()?.into_iter().map(|(_, folder)| folder.path).collect();
            let mut filter = Filter { kinds: question.noun.kinds.to_vec(), ..Filter::default() };
            let mut words = Words::new(question.noun, question.is_german);
            if let Some(name) = &question.folder {
                let paths = all.iter().map(|(_, record)| record.path.as_path());
                let Some(folder) = named_folder(paths, &roots, name) else { return Ok(None) };
                words.limit_to_folder(&name_of(&folder));
                filter.within.push(folder);
            }
            if let Some(sender) = &question.from {
                let has_sent = |sender: &str| Filter { from: vec![sender.to_owned()], ..Filter::default() };
                if !all.iter().any(|(_, record)| covers(&has_sent(sender), record)) {
                    return Ok(None);
                }
                words.limit_to_sender(sender);
                filter.from.push(sender.clone());
            }
            let time = question.days.as_ref().and_then(|days| {
                let (first, last) = days.between(query.today)?;
                filter.since = beginning(first);
                filter.until = beginning(last.checked_add(1.day()).ok()?);
                let [since, until] = [first, last].map(|day| Some(day.to_string()));
                Some(TimeLimit { words: days.words.clone(), since, until, order: None })
            });
            let is_within = |path: &Path| filter.within.iter().all(|folder| path.starts_with(folder));
            let of_question =
                all.into_iter().filter(|(_, record)| covers(&filter, record) && is_within(&record.path));
            let mut rows: Vec<_> = of_question.map(|(id, record)| DocumentRow::new(id, record)).collect();
            match time {
                Some(_) => rows.sort_by(|a, b| b.dated.cmp(&a.dated).then_with(|| a.path.cmp(&b.path))),
                None => rows.sort_by(|a, b| a.path.cmp(&b.path)),
            }
            Ok(Some(Self { question, rows, roots, time, words }))
        })
    }

    fn listed(&self) -> Counted {
        let of_state =
            |wanted: fn(&DocumentState) -> bool| self.rows.iter().filter(|row| wanted(&row.state)).count();
        let failed = of_state(|state| matches!(state, DocumentState::Failed(_)));
        let waiting = of_state(|state| *state == DocumentState::Waiting);
        let names = self.rows.iter().map(name);
        (self.words.listed(names, self.time.as_ref(), failed, waiting), self.table(&self.rows))
    }

    fn kinds(&self) -> Counted {
        let mut counts = BTreeMap::<Kind, usize>::new();
        self.rows.iter().for_each(|row| *counts.entry(row.kind).or_default() += 1);
        let mut counts: Vec<_> = counts.into_iter().map(|(kind, count)| (kind_name(kind), count)).collect();
        counts.sort_by_key(|&(_, count)| Reverse(count));
        let row = |(kind, count): &(String, usize)| AnswerRow {
            cells: vec![kind.clone(), count.to_string()],
            place: None,
        };
        let text = self.words.kinds(self.rows.len(), &counts);
        (text, table_of(&self.words.kind_columns(), counts.iter().map(row)))
    }

    fn unread(&self, library: &Library, query: &Query) -> Result<Counted, EngineError> {
        let failures: Vec<_> = self.rows.iter().filter_map(|row| Some((row, row.failure()?))).collect();
        let reason = |reason: &dyn ToString| reason.to_string().trim_end_matches('.').to_owned();
        let each = failures.iter().map(|(row, why)| format!("{} ({})", name(row), reason(&why.reason)));
        let mut text = self.words.unread(each, self.rows.len());
        // What was left out is known of the library as a whole alone.
        if query.filter.is_empty() && self.question.folder.is_none() && self.question.from.is_none() {
            let other = library.unsearchable(0)?;
            let each = other.extensions.iter().take(MAX_NAMES);
            let each = each.map(|one| format!("{} {}", one.count, one.extension).trim().to_owned());
            if other.skipped > 0 {
                text += &self.words.other_files(other.skipped, each);
            }
        }
        let row = |(row, why): &(&DocumentRow, DocumentFailure)| AnswerRow {
            cells: vec![self.below_root(row), why.reason.to_string()],
            place: Some(place(row)),
        };
        Ok((text, table_of(&self.words.failure_columns(), failures.iter().map(row))))
    }

    fn extreme(&self, measure: Measure, is_most: bool) -> Option<Counted> {
        let has_it = |row: &&DocumentRow| match measure {
            Measure::Length => row.state == DocumentState::Indexed && !row.kind.is_container(),
            // A file in an archive has no size of its own on the disk.
            Measure::Size => row.within.is_none(),
            Measure::Age => true,
        };
        let mut rows: Vec<DocumentRow> = self.rows.iter().filter(has_it).cloned().collect();
        let value = |row: &DocumentRow| match measure {
            Measure::Size => i64::try_from(row.bytes).unwrap_or(i64::MAX),
            Measure::Age => row.dated,
            Measure::Length => i64::from(row.sentences),
        };
        rows.sort_by_key(|row| if is_most { -value(row) } else { value(row) });
        let first = rows.first()?;
        let said = match measure {
            Measure::Size => size(first.bytes),
            Measure::Age => day(first.dated),
            Measure::Length => self.words.length(first.sentences, first.pages),
        };
        let text = self.words.extreme(&name(first), rows.len(), measure, is_most, &said);
        Some((text, self.table(&rows)))
    }

    fn senders(&self) -> Counted {
        // One person may write under several names from one address.
        let mut counts = BTreeMap::<String, (&str, usize)>::new();
        for sender in self.rows.iter().filter_map(|row| row.sender.as_deref()) {
            let address =
                sender.rsplit_once('<').map_or(sender, |(_, address)| address.trim_end_matches('>'));
            counts.entry(address.to_lowercase()).or_insert((sender, 0)).1 += 1;
        }
        let mut counts: Vec<(&str, usize)> = counts.into_values().collect();
        counts.sort_by_key(|&(_, count)| Reverse(count));
        if counts.is_empty() {
            return (self.words.no_mail(self.rows.len()), AnswerRows::default());
        }
        let row = |(name, count): &(&str, usize)| AnswerRow {
            cells: vec![(*name).to_owned(), count.to_string()],
            place: None,
        };
        (self.words.senders(&counts), table_of(&self.words.sender_columns(), counts.iter().map(row)))
    }

    /// One row a document.
    fn table(&self, rows: &[DocumentRow]) -> AnswerRows {
        let number = |number: u32| if number == 0 { String::new() } else { number.to_string() };
        let row = |row: &DocumentRow| AnswerRow {
            cells: vec![
                self.below_root(row),
                kind_name(row.kind),
                day(row.dated),
                number(row.pages),
                number(row.sentences),
                size(row.bytes),
            ],
            place: Some(place(row)),
        };
        table_of(&self.words.document_columns(), rows.iter().map(row))
    }

    /// The path below the folder that is followed.
    fn below_root(&self, row: &DocumentRow) -> String {
        let below = self.roots.iter().find_map(|root| row.path.strip_prefix(root).ok());
        let below = below.filter(|path| path.file_name().is_some());
        below.map_or_else(|| name(row), |path| path.to_string_lossy().into_owned())
    }
}

fn table_of(columns: &[&str], rows: impl ExactSizeIterator<Item = AnswerRow>) -> AnswerRows {
    AnswerRows {
        columns: columns.iter().map(|&column| column.to_owned()).collect(),
        total: rows.len(),
        rows: rows.take(MAX_ROWS).collect(),
        query: None,
    }
}

fn place(row: &DocumentRow) -> RowPlace {
    RowPlace { path: row.path.clone(), location: Location::default(), start: 0, end: 0 }
}

fn name(row: &DocumentRow) -> String {
    name_of(&row.path)
}

fn kind_name(kind: Kind) -> String {
    match kind {
        Kind::Image | Kind::Code => kind.name().to_owned(),
        _ => kind.name().to_uppercase(),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => size_text(bytes),
    }
}

/// The local day of a time in nanoseconds since 1970.
fn day(nanoseconds: i64) -> String {
    let time = Timestamp::from_nanosecond(i128::from(nanoseconds));
    time.map_or_else(|_| String::new(), |time| time.to_zoned(TimeZone::system()).date().to_string())
}

/// The first nanosecond of a local day.
fn beginning(day: Date) -> Option<i64> {
    i64::try_from(day.to_zoned(TimeZone::system()).ok()?.timestamp().as_nanosecond()).ok()
}

#[cfg(test)]
mod tests;
