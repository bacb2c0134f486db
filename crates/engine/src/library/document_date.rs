//! The date of a document: when a mail was sent, else what its title, its first lines or its file name say, else the
//! file's properties, else when the file was changed.
//!
//! All dates are read at the first question that names a time, and kept until the library changes.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use oriel_core::{CancelToken, DocumentId, Kind, Outline};
use oriel_store::{DocumentRecord, DocumentState, HeadRecord};
use oriel_text::dates::{DatePart, DayOrder, Period, TextDate, dates};
use oriel_text::{language, plain};
use parking_lot::MutexGuard;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::heads::Heads;
use crate::library::overview::{DatedDocument, DocumentDates};

/// Bytes of a text that may contain its title and its date.
const HEAD_BYTES: usize = 1500;
/// Number of texts whose first lines are read in one transaction.
const HEADS_AT_ONCE: usize = 200;
/// Lines of a text that may contain its date.
const HEAD_LINES: usize = 12;
/// A longer line is neither a title nor the document's date.
const MAX_LINE: usize = 100;
/// Maximum number of other words in a line with the document's date, as in "Hamburg, den 3. Mai 2024", unless one of
/// [`MARKS`] labels it.
const MAX_OTHER_WORDS: usize = 3;
/// Words that label the document's date.
const MARKS: &str = "date dated datum vom fecha data datado";
/// Words that show that a date is not the document's.
const OTHERS: &str = "due until till valid expires expiry ends end born birth from since effective delivery fällig bis gültig geboren ab seit \
    läuft endet beginnt starts begins next nächste échéance naissance";

impl Library {
    /// The dates of all documents that have been read, kept until the library changes.
    pub(crate) fn document_dates(&self, cancel: &CancelToken) -> Result<Arc<DocumentDates>, EngineError> {
        if let Some(dates) = self.catalogue()?.dates.get() {
            return Ok(Arc::clone(dates));
        }
        self.read_heads(cancel)?;
        self.store.read(|view| {
            let (catalogue, heads) = (self.catalogue_of(&view)?, self.heads());
            let mut dates = DocumentDates::new();
            for entry in view.documents()? {
                let (id, record) = entry?;
                if record.state == DocumentState::Indexed {
                    dates.insert(id, date_of(&heads, id, record));
                }
            }
            Ok(Arc::clone(catalogue.dates.get_or_init(|| dates.into())))
        })
    }

    /// Reads the heads that the store lacks.
    fn read_heads(&self, cancel: &CancelToken) -> Result<(), EngineError> {
        let mut lacking = Vec::new();
        self.store.read(|view| {
            let heads = self.heads();
            for entry in view.documents()? {
                let (id, record) = entry?;
                let is_known = record.head.is_some()
                    || record.kind.is_mail() && record.about.date.is_some()
                    || heads.get(&id).is_some_and(|(hash, _)| *hash == record.text_hash());
                if record.state == DocumentState::Indexed && !is_known {
                    lacking.push((id, record.text_hash(), record.kind));
                }
            }
            Ok::<_, EngineError>(())
        })?;
        for block in lacking.chunks(HEADS_AT_ONCE) {
            self.store.read(|view| {
                for (id, hash, kind) in block {
                    cancel.check()?;
                    let head = head_of(&view.text(*id)?.unwrap_or_default(), &view.outline(*id)?, *kind);
                    self.heads().insert(*id, (hash.clone(), head));
                }
                Ok::<_, EngineError>(())
            })?;
        }
        Ok(())
    }

    fn heads(&self) -> MutexGuard<'_, Heads> {
        self.heads.lock()
    }
}

fn date_of(heads: &Heads, id: DocumentId, record: DocumentRecord) -> DatedDocument {
    let day = |seconds: i64| {
        Timestamp::from_second(seconds).ok().map(|time| time.to_zoned(TimeZone::system()).date())
    };
    let written = record.about.date.and_then(day).map(Period::day);
    if let Some(period) = written.filter(|_| record.kind.is_mail()) {
        return DatedDocument { period, title: record.about.title.unwrap_or_default() };
    }
    let head = record.head.or_else(|| heads.get(&id).map(|(_, head)| head.clone()));
    let HeadRecord { title, days } = head.unwrap_or_default();
    let said =
        days.and_then(|(first, last)| Some(Period { first: first.parse().ok()?, last: last.parse().ok()? }));
    let changed = || Period::day(day(record.stamp.modified / 1_000_000_000).unwrap_or(Date::MIN));
    let period = said.or_else(|| date_in_name(&record.path)).or(written).unwrap_or_else(changed);
    DatedDocument { period, title }
}

/// Reads title and date from the first lines of a text.
pub(crate) fn head_of(text: &str, outline: &Outline, kind: Kind) -> HeadRecord {
    let head = &text[..text.floor_char_boundary(HEAD_BYTES)];
    let title = title(head, outline, kind);
    let days = date_in_text(head, &title, kind);
    HeadRecord { days: days.map(|days| (days.first.to_string(), days.last.to_string())), title }
}

fn lines(head: &str) -> impl Iterator<Item = &str> {
    head.lines().map(str::trim).filter(|line| !line.is_empty()).take(HEAD_LINES)
}

/// The first heading of a text, or its first line; empty if that is no title.
fn title(head: &str, outline: &Outline, kind: Kind) -> String {
    let heading = outline.headings.first().and_then(|heading| heading.span.of(head));
    let title = plain(heading.or_else(|| lines(head).next()).unwrap_or_default(), kind);
    if title.len() > MAX_LINE { String::new() } else { title }
}

/// The date that a text has in its title or its first lines.
fn date_in_text(head: &str, title: &str, kind: Kind) -> Option<Period> {
    let order = DayOrder::of(head, language(head));
    let has_lines = !matches!(
        kind,
        Kind::Csv
            | Kind::Tsv
            | Kind::Xlsx
            | Kind::Xls
            | Kind::Ods
            | Kind::Json
            | Kind::Code
            | Kind::Yaml
            | Kind::Xml
            | Kind::Calendar
            | Kind::Card
            | Kind::Srt
            | Kind::Vtt
    );
    let mut of_lines = lines(head).filter(|_| has_lines);
    most_exact(title, order, |_| has_lines)
        .or_else(|| of_lines.find_map(|line| date_in_line(&plain(line, kind), order)))
}

/// The date that a line gives its document.
fn date_in_line(line: &str, order: DayOrder) -> Option<Period> {
    let words: Vec<String> = line.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect();
    let has = |list: &str| words.iter().any(|word| list.split_whitespace().any(|other| other == word));
    if line.len() > MAX_LINE || has(OTHERS) {
        return None;
    }
    let is_marked = has(MARKS);
    most_exact(line, order, |date| {
        let rest = format!("{} {}", &line[..date.bytes.start], &line[date.bytes.end..]);
        let others = rest.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        let is_day = matches!(date.part, DatePart::Day(..));
        let most = if is_day { MAX_OTHER_WORDS } else { 1 };
        (is_day && is_marked) || (others <= most && date.part != DatePart::Year)
    })
}

/// The first of the dates in a short text that name the fewest days.
fn most_exact(text: &str, order: DayOrder, is_own: impl Fn(&TextDate) -> bool) -> Option<Period> {
    if text.len() > MAX_LINE {
        return None;
    }
    let periods = dates(text, order).into_iter().filter(|date| is_own(date)).filter_map(|date| date.period());
    periods.min_by_key(|period| period.last.since(period.first).map_or(0, |days| days.get_days()))
}

/// The date in the name of a file: `minutes 2026-08.md`, `2024_05_03 letter.pdf`, `scan-20240503.pdf`.
fn date_in_name(path: &Path) -> Option<Period> {
    let stem = path.file_stem()?.to_string_lossy();
    let (mut name, mut before) = (String::new(), ' ');
    for c in stem.chars() {
        let c = if c == '_' { '-' } else { c };
        // A line joins the numbers of a date, and parts them from a word.
        let joins_word = |other: char| other.is_alphabetic();
        if before == '-' && (joins_word(c) || name.chars().rev().nth(1).is_some_and(joins_word)) {
            name.pop();
            name.push(' ');
        }
        name.push(c);
        before = c;
    }
    let compact = name.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() == 8).find_map(|run| {
        let (year, month, day) = (run[..4].parse().ok()?, run[4..6].parse().ok()?, run[6..].parse().ok()?);
        Date::new(year, month, day).ok().filter(|date| (1900..2100).contains(&date.year())).map(Period::day)
    });
    compact.or_else(|| most_exact(&name, DayOrder::of(&name, None), |_| true))
}

#[cfg(test)]
mod tests {
    use oriel_store::NewText;

    use super::*;
    use crate::extract::unlock::Unlocked;
    use crate::sync::read::digest;
    use crate::testing::TestLibrary;

    #[test]
    fn a_document_is_dated_by_what_it_says_of_itself() {
        let changed = jiff::Zoned::now().date();
        let place = TestLibrary::with(&[
            ("minutes a.md", "# Minutes of 14 October 2026\n\nWe meet again on 3 May 2027.\n"),
            ("letter.txt", "Harbour Office\nHamburg, den 3. Mai 2024\n\nDear Ms Exner,\nwe write to you.\n"),
            ("invoice.txt", "Invoice 417\nDelivery: 1.2.2024\nDate: 3.5.2024\nDue: 3.6.2024\n"),
            ("price list 2026.md", "# Prices\n\nA canoe for a day costs 31 euros.\n"),
            ("minutes_2026-08.md", "# Minutes\n\nWe decided to buy a trailer.\n"),
            ("2024_05_03 letter.txt", "Dear Ms Exner,\nwe write to you about the flat.\n"),
            ("scan-20240503.txt", "The roof leaks.\n"),
            ("contract.md", "# Contract: cleaning\n\nThis contract ends on 6 January 2027.\n"),
            ("rows.csv", "day,sum\n2024-05-03,12\n2024-05-04,15\n"),
            (
                "mail.eml",
                "From: a@b.example\nDate: Fri, 8 Mar 2024 11:00:00 +0000\nSubject: Tide of 2020\n\nLow.\n",
            ),
        ]);
        let dates = place.library.document_dates(&CancelToken::new()).unwrap();
        let date = |name: &str| dates[&place.id(name)].period.in_words(false);
        for (name, expected) in [
            ("minutes a.md", "14 October 2026"),
            ("letter.txt", "3 May 2024"),
            ("invoice.txt", "3 May 2024"),
            ("price list 2026.md", "2026"),
            ("minutes_2026-08.md", "August 2026"),
            ("2024_05_03 letter.txt", "3 May 2024"),
            ("scan-20240503.txt", "3 May 2024"),
            ("contract.md", &Period::day(changed).in_words(false)),
            ("rows.csv", &Period::day(changed).in_words(false)),
            ("mail.eml", "8 March 2024"),
        ] {
            assert_eq!(date(name), expected, "{name}");
        }
    }

    #[test]
    fn heads_that_the_store_lacks_are_read_once() {
        let place = TestLibrary::with(&[("minutes.md", "# Minutes of 14 October 2026\n\nWe met.\n")]);
        let (id, store) = (place.id("minutes.md"), &place.library.store);
        let record = store.read(|view| view.document(id)).unwrap().unwrap();
        let extracted = oriel_text::read(
            record.kind,
            &std::fs::read(&record.path).unwrap(),
            &oriel_text::Limits::default(),
        );
        let unlocked = Unlocked { extracted: extracted.unwrap(), locked: false };
        let text = digest(&record.path, unlocked, record.hash.clone().unwrap(), &CancelToken::new()).unwrap();
        let without = NewText { head: None, ..text.as_new(record.stamp) };
        store.write(|edit| edit.put_text(id, &without).map(drop)).unwrap();
        let cancelled = CancelToken::new();
        cancelled.cancel();
        assert!(place.library.document_dates(&cancelled).is_err_and(|error| error.is_cancelled()));
        let date = || place.library.document_dates(&CancelToken::new()).unwrap()[&id].period.in_words(false);
        assert_eq!((date().as_str(), place.library.heads().len()), ("14 October 2026", 1));
        place.write("other.md", "# Other\n");
        place.scan();
        // Of the document that is known the cancelled call reads nothing.
        assert!(place.library.document_dates(&cancelled).is_ok());
    }
}
