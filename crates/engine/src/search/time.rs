//! Limits a question to the documents of the period that it names.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, Filter, TimeLimit, TimeOrder};
use oriel_store::DocumentState;
use oriel_text::terms;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::filter::each_document;
use crate::library::overview::DatedDocument;
use crate::question::QueryPart;
use crate::question::time::{TimeQuestion, time_question};
use crate::search::query::Query;

/// A query, limited by the period that it names.
pub(crate) struct Timed<'a> {
    /// The query, limited to the documents of the period, without the words for it.
    pub query: Cow<'a, Query>,
    pub time: Option<TimeLimit>,
}

impl Library {
    /// Limits a query to the documents of the time that it names, among those that its filter admits. A remote index knows no dates.
    pub(crate) fn timed<'a>(&self, query: &'a Query, cancel: &CancelToken) -> Result<Timed<'a>, EngineError> {
        let unlimited = || Timed { query: Cow::Borrowed(query), time: None };
        if query.ignore_time || self.is_remote() {
            return Ok(unlimited());
        }
        let Some(mut time) = time_question(&query.question, query.today) else { return Ok(unlimited()) };
        let is_limited = time.since.is_some() || time.until.is_some();
        // A question only for the newest or oldest document is decided among those that answer.
        if !is_limited && time.kind.is_none() {
            return Ok(unlimited());
        }
        let documents = self.documents_of(&query.filter, &mut time, cancel)?;
        let filter = match &documents[..] {
            // Nothing was changed before this time, so no document passes.
            [] if is_limited => Filter { until: Some(i64::MIN), ..query.filter.clone() },
            [] => return Ok(unlimited()),
            _ => query.filter.limited_to(documents),
        };
        let limited = Query { filter, ..without_time(query, &time) };
        Ok(Timed { query: Cow::Owned(limited), time: Some(time.limit()) })
    }

    /// The documents that `filter` accepts and that belong to the period. If a single one is meant, its date becomes
    /// the period.
    fn documents_of(
        &self,
        filter: &Filter,
        time: &mut TimeQuestion,
        cancel: &CancelToken,
    ) -> Result<Vec<PathBuf>, EngineError> {
        let dates = self.document_dates(cancel)?;
        let mut found: Vec<(DatedDocument, PathBuf)> = Vec::new();
        self.store.read(|view| {
            each_document(filter, &view, |id, record| {
                let Some(dated) = dates.get(&id).filter(|_| record.state == DocumentState::Indexed) else {
                    return;
                };
                let is_kind = time.kind.as_ref().is_none_or(|kind| match kind.names {
                    "" => record.kind.is_mail(),
                    names => is_called(names, &record.path, dated),
                });
                if is_kind && dated.period.overlaps(time.since, time.until) {
                    found.push((dated.clone(), record.path));
                }
            })
        })?;
        let Some(kind) = &time.kind else { return Ok(found.into_iter().map(|(_, path)| path).collect()) };
        let has_quality = |(dated, path): &(DatedDocument, PathBuf)| {
            kind.quality.as_ref().is_none_or(|word| is_called(word, path, dated))
        };
        if found.iter().any(has_quality) {
            found.retain(has_quality);
        }
        if kind.is_single {
            let periods = found.iter().map(|(dated, _)| dated.period);
            let best = match time.order {
                Some(TimeOrder::First) => periods.min_by_key(|period| period.first),
                _ => periods.max_by_key(|period| period.last),
            };
            found.retain(|(dated, _)| Some(dated.period) == best);
            (time.since, time.until) = (best.map(|one| one.first), best.map(|one| one.last));
        }
        Ok(found.into_iter().map(|(_, path)| path).collect())
    }
}

/// A query without the words for the time.
pub(crate) fn without_time(query: &Query, time: &TimeQuestion) -> Query {
    let without = |part: &QueryPart| QueryPart { question: time.without(&part.question), ..part.clone() };
    let parts = query.parts.iter().map(without).collect();
    Query { question: time.without(&query.question), parts, ..query.clone() }
}

/// Whether the name or the title of a document contains one of these words.
fn is_called(words: &str, path: &Path, dated: &DatedDocument) -> bool {
    let wanted = terms(words);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    [&*name, &dated.title].iter().any(|text| terms(text).iter().any(|term| wanted.contains(term)))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::testing::TestLibrary;

    #[test]
    fn a_time_admits_the_documents_that_are_from_then() {
        let place = TestLibrary::with(&[
            ("minutes 2026-09.md", "# Minutes of 14 September 2026\n\nWe decided to buy a trailer.\n"),
            ("minutes 2026-10.md", "# Minutes of 14 October 2026\n\nWe decided to raise the fee.\n"),
            ("plan 2026.md", "# Plan 2026\n\nWe decided to build a slip.\n"),
            ("price list 2025.md", "# Price list 2025\n\nA canoe costs 27 euros.\n"),
        ]);
        let names = |question: &str| -> Vec<String> {
            let query = Query { today: date(2026, 11, 27), ..Query::new(question) };
            let timed = place.library.timed(&query, &CancelToken::new()).unwrap();
            let mut names = place.library.documents_in(&timed.query.filter).unwrap();
            names.sort();
            names.iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names("What did we decide last month?"), ["minutes 2026-10", "plan 2026"]);
        assert_eq!(names("What did we decide at the last meeting?"), ["minutes 2026-10"]);
        assert_eq!(names("What did we decide at the first meeting?"), ["minutes 2026-09"]);
        assert_eq!(names("What did we decide at the last trailer meeting?"), ["minutes 2026-10"]);
        assert_eq!(names("What did we decide in 2025?"), ["price list 2025"]);
        assert!(names("What did we decide in 2024?").is_empty());
        assert_eq!(names("What do the last letters say?").len(), 4, "there are no letters");
        assert_eq!(names("What is the latest price?").len(), 4, "those that answer are put in order");
        let query = Query { today: date(2026, 11, 27), ..Query::new("What did we decide last month?") };
        let timed = place.library.timed(&query, &CancelToken::new()).unwrap();
        let gone = place.id("minutes 2026-10.md");
        place.library.store.write(|edit| edit.remove_document(gone)).unwrap();
        let left = place.library.documents_in(&timed.query.filter).unwrap();
        assert!(matches!(&left[..], [plan] if plan.ends_with("plan 2026.md")), "{left:?}");
        let ignoring = Query { ignore_time: true, ..Query::new("What did we decide in 2024?") };
        assert_eq!(place.library.timed(&ignoring, &CancelToken::new()).unwrap().time, None);
    }
}
