//! The answer to a question for documents by a date that stands in them: each with its date, how far it is, and its place.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use oriel_core::{
    AnswerRow, AnswerRows, CancelToken, Candidate, CitedPlace, DocumentId, Location, Passage, RowPlace,
};

use crate::answer::stated::{Stated, passage_of, statement};
use crate::answer::wording::events::{Words, counted};
use crate::answer::{AnswerEvent, Answered};
use crate::error::EngineError;
use crate::files::name_of;
use crate::library::Library;
use crate::library::source::store_state::whole_document;
use crate::question::events::EventQuestion;
use crate::search::events::DatedEvent;
use crate::search::loaded::LoadedDocument;
use crate::search::query::Query;

/// Dates that the answer names, each with a passage. All of them are rows.
const MAX_NAMED: usize = 20;
const MAX_ROWS: usize = 500;
/// How likely a sentence with the word and a date is to say when it happens.
const CONFIDENCE: f32 = 0.9;

/// Lists the documents in which something happens at the time of the question, by date. `None` if none of them says when it happens.
///
/// # Errors
/// If the filter names a path without documents, the store is damaged, or it is cancelled.
pub(crate) fn answer_events(
    library: &Library,
    query: &Query,
    question: &EventQuestion,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Option<Answered>, EngineError> {
    let begun = Instant::now();
    if query.ignore_time {
        return Ok(None);
    }
    let mut found = library.dated_events(question, &query.filter, cancel)?;
    if found.all.is_empty() {
        return Ok(None);
    }
    // "It ends in 2026" does not say that it ends within 90 days.
    let is_within = |one: &DatedEvent| {
        question.since.is_none_or(|since| one.period.first >= since)
            && question.until.is_none_or(|until| one.period.last <= until)
    };
    found.all.retain(is_within);
    let documents: BTreeSet<_> = found.all.iter().map(|one| one.document).collect();
    let mut stated = Stated { confidence: CONFIDENCE, time: Some(question.limit()), ..Stated::default() };
    stated.sentences.push(statement(counted(question, &found, documents.len()), Vec::new()));
    let words = Words { event: question.event, today: query.today, is_german: question.is_german };
    let mut rows = AnswerRows {
        columns: words.columns().map(str::to_owned).into(),
        total: found.all.len(),
        ..AnswerRows::default()
    };
    found.all.truncate(MAX_ROWS);
    for (one, Shown { location, passage }) in found.all.iter().zip(shown(library, query, &found.all, cancel)?)
    {
        let n = stated.passages.len() + 1;
        if let Some(passage) = passage {
            stated.passages.push(Passage { n, ..passage });
            let place = CitedPlace { n, start: one.span.start, end: one.span.end };
            stated.sentences.push(statement(words.named(&name(one), one.period), vec![place]));
        }
        let (start, end) = (one.span.start, one.span.end);
        let place = location.map(|location| RowPlace { path: one.path.clone(), location, start, end });
        let date = one.period.in_words(question.is_german);
        rows.rows.push(AnswerRow { cells: vec![name(one), date, words.distance(one.period)], place });
    }
    stated.rows = (!rows.rows.is_empty()).then_some(rows);
    Ok(Some(stated.answered(query, begun, event)))
}

/// Where an event stands.
#[derive(Clone, Default)]
struct Shown {
    location: Option<Location>,
    /// Of the first ones.
    passage: Option<Passage>,
}

/// Where each event stands. Each document is loaded once; one that is gone meanwhile has no place.
fn shown(
    library: &Library,
    query: &Query,
    events: &[DatedEvent],
    cancel: &CancelToken,
) -> Result<Vec<Shown>, EngineError> {
    let mut by_document: BTreeMap<DocumentId, Vec<usize>> = BTreeMap::new();
    for (at, one) in events.iter().enumerate() {
        by_document.entry(one.document).or_default().push(at);
    }
    let mut shown = vec![Shown::default(); events.len()];
    library.own_index()?.read(|view| {
        for (document, places) in by_document {
            cancel.check()?;
            if view.document(document)?.is_none() {
                continue;
            }
            let loaded = LoadedDocument { excerpt: whole_document(&view, document)? };
            for at in places {
                let ordinal = events[at].ordinal;
                let candidate = Candidate { document, ordinal, score: CONFIDENCE };
                shown[at].location = loaded.location(ordinal);
                if at < MAX_NAMED {
                    shown[at].passage = passage_of(&loaded, &[candidate], 0, query);
                }
            }
        }
        Ok::<_, EngineError>(())
    })?;
    Ok(shown)
}

/// The document, and the row in it.
fn name(one: &DatedEvent) -> String {
    let name = name_of(&one.path);
    match &one.row {
        Some(row) => format!("{row} ({name})"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::question::events::event_question;
    use crate::testing::TestLibrary;

    #[test]
    fn contracts_are_listed_by_the_day_on_which_they_end() {
        let contract =
            |what: &str, day: &str| format!("# Contract: {what}\n\nThis contract ends on {day}.\n");
        let place = TestLibrary::with(&[
            ("contract cleaning.md", &contract("cleaning", "6 January 2027")),
            ("contract alarm.md", &contract("alarm system", "15 June 2027")),
            ("contract trailer.md", &contract("boat trailer", "28 October 2026")),
            ("contract web.md", &contract("web site", "20.02.2027")),
            ("notes.md", "The season ends on 3 December 2026.\n"),
        ]);
        let answer = |question: &str| {
            let query = Query { today: date(2026, 11, 27), ..Query::new(question) };
            let event = event_question(question, query.today).unwrap();
            answer_events(&place.library, &query, &event, &mut |_| {}, &CancelToken::new()).unwrap()
        };
        let found = answer("Which contracts end within 90 days?").unwrap().answer;
        assert_eq!(
            found.answer,
            "2 of 4 contracts end within 90 days. contract cleaning.md ends on 6 January 2027 (in 40 days). [1] \
             contract web.md ends on 20 February 2027 (in 85 days). [2]"
        );
        let said = &found.passages[1].text;
        let cited = found.sentences[2].places[0];
        let start = found.passages[1].start;
        assert_eq!(
            &said[(cited.start - start) as usize..(cited.end - start) as usize],
            "This contract ends on 20.02.2027."
        );
        let german = answer("Welche Verträge enden dieses Jahr?").unwrap().answer.answer;
        assert!(german.starts_with("1 von 4 Dokumenten endet dieses Jahr. contract trailer.md"), "{german}");
        assert!(answer("Which leases end this year?").is_none(), "there are none");
        let german = answer("Welche Dokumente enden dieses Jahr?").unwrap().answer.answer;
        assert!(german.starts_with(
            "2 von 5 Dokumenten enden dieses Jahr. contract trailer.md endete am 28. Oktober 2026"
        ));
        assert_eq!(found.time.unwrap().until.as_deref(), Some("2027-02-25"));
        let any_time = Query { ignore_time: true, ..Query::new("Which contracts end within 90 days?") };
        let event = event_question(&any_time.question, date(2026, 11, 27)).unwrap();
        let ordinary = answer_events(&place.library, &any_time, &event, &mut |_| {}, &CancelToken::new());
        assert!(ordinary.unwrap().is_none(), "it is asked without the time");
        let none = answer("Which contracts end next week?").unwrap().answer;
        assert_eq!((none.answer.as_str(), none.abstained), ("None of 4 contracts ends next week.", false));
    }

    #[test]
    fn rows_of_a_table_are_named_by_their_first_cell() {
        let place = TestLibrary::with(&[(
            "contracts.csv",
            "Contract,Begins,Ends\nAlarm,2026-12-01,2028-12-01\nCleaning,2025-01-01,2026-12-31\nTrailer,2024-01-01,2026-01-01\n",
        )]);
        let query = Query { today: date(2026, 11, 27), ..Query::new("Which contracts end within 90 days?") };
        let event = event_question(&query.question, query.today).unwrap();
        let found = answer_events(&place.library, &query, &event, &mut |_| {}, &CancelToken::new()).unwrap();
        let answer = found.unwrap().answer;
        assert_eq!(
            answer.answer,
            "1 entry in 1 of 1 contracts ends within 90 days. Cleaning (contracts.csv) ends on 31 December 2026 (in 34 days). [1]"
        );
        let row = &answer.rows.unwrap().rows[0];
        assert_eq!(row.place.as_ref().unwrap().location.row, Some(3));
    }
}
