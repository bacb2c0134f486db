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

use oriel_text::capitalised;

use crate::answer::stated::{Stated, statement};
use crate::answer::{AnswerEvent, Answered};
use crate::error::EngineError;
use crate::files::name_of;
use crate::library::Library;
use crate::library::document_row::DocumentRow;
use crate::library::filter::{covers, each_document};
use crate::question::library::{LibraryFact, LibraryQuestion, Measure};
use crate::search::query::Query;
use crate::search::survey::named_folder;

/// So many names stand in the answer itself.
pub(crate) const MAX_NAMES: usize = 10;
/// Rows that are kept with an answer.
pub(crate) const MAX_ROWS: usize = 500;

/// Answers a question about the library, within the query's filter. `None` if the library has no folder or sender that it names.
///
/// # Errors
/// If the filter names a path without documents, or the store is damaged.
pub fn answer_library(
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
    /// What limits them, in words: " in Contracts from Anna".
    limits: String,
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
            let mut limits = String::new();
            let [within, from] = if question.is_german { ["in", "von"] } else { ["in", "from"] };
            if let Some(name) = &question.folder {
                let paths = all.iter().map(|(_, record)| record.path.as_path());
                let Some(folder) = named_folder(paths, &roots, name) else { return Ok(None) };
                limits += &format!(" {within} {}", name_of(&folder));
                filter.within.push(folder);
            }
            if let Some(sender) = &question.from {
                let has_sent = |sender: &str| Filter { from: vec![sender.to_owned()], ..Filter::default() };
                if !all.iter().any(|(_, record)| covers(&has_sent(sender), record)) {
                    return Ok(None);
                }
                limits += &format!(" {from} {sender}");
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
            Ok(Some(Self { question, rows, roots, time, limits }))
        })
    }

    fn is_german(&self) -> bool {
        self.question.is_german
    }

    /// The first words in English, else in German.
    fn say<'s>(&self, english: &'s str, german: &'s str) -> &'s str {
        if self.is_german() { german } else { english }
    }

    /// A number of documents with what they are called and what limits them: "3 PDFs in Contracts".
    fn counted(&self, count: usize) -> String {
        let number = match count {
            0 => self.say("no", "keine").to_owned(),
            _ => count.to_string(),
        };
        let name = self.question.noun.name(if count == 0 { 2 } else { count }, self.is_german());
        format!("{number} {name}{}", self.limits)
    }

    /// The same after "von": "3 Bildern".
    fn of_counted(&self, count: usize) -> String {
        let name = self.question.noun.name(count, self.is_german());
        let ending = if self.is_german() && count > 1 && name.ends_with(['e', 'r']) { "n" } else { "" };
        format!("{count} {name}{ending}{}", self.limits)
    }

    fn listed(&self) -> Counted {
        let count = self.rows.len();
        let mut text = match &self.time {
            Some(time) => self.changed(time),
            None if self.is_german() => format!("Es gibt {}", self.counted(count)),
            None => format!("There {} {}", if count == 1 { "is" } else { "are" }, self.counted(count)),
        };
        if (1..=MAX_NAMES).contains(&count) {
            text += &format!(": {}", names(self.rows.iter().map(name), self.is_german()));
        }
        text.push('.');
        let of_state =
            |wanted: fn(&DocumentState) -> bool| self.rows.iter().filter(|row| wanted(&row.state)).count();
        let failed = of_state(|state| matches!(state, DocumentState::Failed(_)));
        let waiting = of_state(|state| *state == DocumentState::Waiting);
        if failed > 0 {
            text += &match self.is_german() {
                true if failed == 1 => " 1 davon konnte nicht gelesen werden.".to_owned(),
                true => format!(" {failed} davon konnten nicht gelesen werden."),
                false => format!(" {failed} of them could not be read."),
            };
        }
        if waiting > 0 {
            text += &match self.is_german() {
                true => format!(" {waiting} davon noch nicht gelesen."),
                false => format!(" {waiting} of them not read yet."),
            };
        }
        (text, self.table(&self.rows))
    }

    /// "3 documents were changed or sent since Monday (2026-11-23 to 2026-11-29)".
    fn changed(&self, time: &TimeLimit) -> String {
        let count = self.rows.len();
        let counted = capitalised(&self.counted(count));
        let TimeLimit { words, since, until, .. } = time;
        let day = |day: &Option<String>| day.clone().unwrap_or_default();
        let days = match since == until {
            true => day(since),
            false => format!("{} {} {}", day(since), self.say("to", "bis"), day(until)),
        };
        let verb = if count == 1 { self.say("was", "wurde") } else { self.say("were", "wurden") };
        match self.is_german() {
            true => format!("{counted} {verb} {words} geändert oder gesendet ({days})"),
            false => format!("{counted} {verb} changed or sent {words} ({days})"),
        }
    }

    fn kinds(&self) -> Counted {
        let mut counts = BTreeMap::<Kind, usize>::new();
        self.rows.iter().for_each(|row| *counts.entry(row.kind).or_default() += 1);
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|&(_, count)| Reverse(count));
        let listed =
            counts.iter().take(MAX_NAMES).map(|(kind, count)| format!("{count} {}", kind_name(*kind)));
        let listed = names(listed, self.is_german());
        let (count, kinds) = (self.rows.len(), counts.len());
        let all = self.counted(count);
        let text = match (self.is_german(), kinds) {
            (true, 1) => format!("Es gibt {all} in 1 Format: {listed}."),
            (true, _) => format!("Es gibt {all} in {kinds} Formaten: {listed}."),
            (false, 1) => {
                format!("There {} {all} of 1 kind: {listed}.", if count == 1 { "is" } else { "are" })
            }
            (false, _) => format!("There are {all} of {kinds} kinds: {listed}."),
        };
        let row = |(kind, count): &(Kind, usize)| AnswerRow {
            cells: vec![kind_name(*kind), count.to_string()],
            place: None,
        };
        let columns = [self.say("Kind", "Art"), self.say("Documents", "Dokumente")];
        (text, table_of(&columns, counts.iter().map(row)))
    }

    fn unread(&self, library: &Library, query: &Query) -> Result<Counted, EngineError> {
        let failures: Vec<_> = self.rows.iter().filter_map(|row| Some((row, row.failure()?))).collect();
        let reason = |reason: &dyn ToString| reason.to_string().trim_end_matches('.').to_owned();
        let (failed, all) = (failures.len(), self.of_counted(self.rows.len()));
        let mut text = match (self.is_german(), failed) {
            (true, 0) => format!("Von {all} ist keines fehlgeschlagen."),
            (false, 0) => format!("None of {all} failed."),
            (true, 1) => format!("1 von {all} konnte nicht gelesen werden"),
            (true, _) => format!("{failed} von {all} konnten nicht gelesen werden"),
            (false, _) => format!("{failed} of {all} could not be read"),
        };
        if (1..=MAX_NAMES).contains(&failed) {
            let each = failures.iter().map(|(row, why)| format!("{} ({})", name(row), reason(&why.reason)));
            text += &format!(": {}", names(each, self.is_german()));
        }
        if failed > 0 {
            text.push('.');
        }
        // What was left out is known of the library as a whole alone.
        if query.filter.is_empty() && self.limits.is_empty() {
            let other = library.unsearchable(0)?;
            let each = other.extensions.iter().take(MAX_NAMES);
            let each = each.map(|one| format!("{} {}", one.count, one.extension).trim().to_owned());
            if other.skipped > 0 {
                text += &match self.is_german() {
                    true => format!(
                        " Dateien anderer Art werden nicht gelesen: {} ({}).",
                        other.skipped,
                        names(each, true)
                    ),
                    false => format!(
                        " Files of other kinds are not read: {} ({}).",
                        other.skipped,
                        names(each, false)
                    ),
                };
            }
        }
        let row = |(row, why): &(&DocumentRow, _)| {
            let why: &crate::library::document_row::DocumentFailure = why;
            AnswerRow { cells: vec![self.below_root(row), why.reason.to_string()], place: Some(place(row)) }
        };
        let columns = [self.say("Name", "Name"), self.say("Reason", "Grund")];
        Ok((text, table_of(&columns, failures.iter().map(row))))
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
            Measure::Length => {
                let sentences = format!("{} {}", first.sentences, self.say("sentences", "Sätze"));
                let pages = format!(", {} {}", first.pages, self.say("pages", "Seiten"));
                sentences + if first.pages > 0 { &pages } else { "" }
            }
        };
        let (english, german) = match (measure, is_most) {
            (Measure::Size, true) => ("the largest", "am größten"),
            (Measure::Size, false) => ("the smallest", "am kleinsten"),
            (Measure::Age, true) => ("the newest", "am neuesten"),
            (Measure::Age, false) => ("the oldest", "am ältesten"),
            (Measure::Length, true) => ("the longest", "am längsten"),
            (Measure::Length, false) => ("the shortest", "am kürzesten"),
        };
        let (name, all) = (name(first), self.of_counted(rows.len()));
        let text = match self.is_german() {
            true => format!("Von {all} ist {name} {german} ({said})."),
            false => format!("Of {all}, {name} is {english} ({said})."),
        };
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
        let Some(&(_, most)) = counts.first() else {
            let text = match self.is_german() {
                true => format!("Unter {} ist keine Mail.", self.of_counted(self.rows.len())),
                false => format!("None of {} is a mail.", self.of_counted(self.rows.len())),
            };
            return (text, AnswerRows::default());
        };
        let all: usize = counts.iter().map(|(_, count)| count).sum();
        let first: Vec<&str> =
            counts.iter().filter(|(_, count)| *count == most).map(|(name, _)| *name).collect();
        let more = first.len().saturating_sub(MAX_NAMES);
        let who = match more {
            0 => names(first.iter().map(|&name| name.to_owned()), self.is_german()),
            _ => format!("{} {}", first.len(), self.say("senders", "Absender")),
        };
        let each = if first.len() > 1 { self.say(" each", " je Absender") } else { "" };
        let limits = &self.limits;
        let text = match self.is_german() {
            true => format!("Die meisten Mails{limits} sind von {who}: {most} von {all}{each}."),
            false => format!("Most mails{limits} are from {who}: {most} of {all}{each}."),
        };
        let row = |(name, count): &(&str, usize)| AnswerRow {
            cells: vec![(*name).to_owned(), count.to_string()],
            place: None,
        };
        (text, table_of(&[self.say("Sender", "Absender"), "Mails"], counts.iter().map(row)))
    }

    /// One row a document.
    fn table(&self, rows: &[DocumentRow]) -> AnswerRows {
        let columns = match self.is_german() {
            true => ["Name", "Art", "Datum", "Seiten", "Sätze", "Größe"],
            false => ["Name", "Kind", "Date", "Pages", "Sentences", "Size"],
        };
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
        table_of(&columns, rows.iter().map(row))
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

/// Names as a list: "a, b and c".
pub(crate) fn names(names: impl Iterator<Item = String>, is_german: bool) -> String {
    let names: Vec<String> = names.collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => {
            format!("{} {} {last}", before.join(", "), if is_german { "und" } else { "and" })
        }
        None => String::new(),
    }
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
