//! Kept questions with their answers. Their documents are looked up where they lie now.

use std::path::{Path, PathBuf};

use oriel_core::{Answer, AnswerPart, AnswerSentence, AnswerSource, Passage, Timings};
use oriel_engine::{DocumentRow, EngineError, Filter, Library, PassageDocument, Trace, Turn as KeptTurn};

use crate::api::{AnswerView, Card, Found, Named, PartView, ProposedTable, Scope, Turn, with_way_out};
use crate::views::cards::{card, claims, place};
use crate::views::documents::{name_of, relocated};
use crate::views::rows::rows as rows_view;
use crate::views::survey::survey as survey_view;
use crate::views::table::table as table_view;

/// A question with its answer.
pub(crate) fn turn(library: &Library, turn: &KeptTurn) -> Result<Turn, EngineError> {
    let roots = library.folders()?;
    let trace = trace_of(turn);
    let searched = turn.searched.as_ref().unwrap_or(&turn.question);
    let found = turn.answer.as_ref().map(|answer| Found {
        cards: {
            let cards = cards(library, &answer.passages, &turn.documents, trace.as_ref(), &roots);
            if answer.abstained { explained(cards, answer, searched) } else { cards }
        },
        confidence: answer.confidence,
        read: trace.as_ref().map_or(answer.passages.len(), |trace| trace.passages.len()),
        ms: search_ms(&answer.timings),
        missing: turn.missing,
    });
    let answer = turn.answer.as_ref().filter(|answer| !answer.answer.is_empty()).map(|answer| AnswerView {
        text: answer.answer.clone(),
        abstained: answer.abstained,
        quoted: answer.model == AnswerSource::Quotes,
        overruled: answer.model == AnswerSource::Quotes
            && trace.as_ref().is_some_and(|trace| trace.prompt.is_some()),
        model: answer.model.to_string(),
        limit: oriel_engine::LEAST_CONFIDENCE,
        sentences: claims(&answer.answer, &answer.sentences, &answer.passages),
        parts: parts(answer),
        survey: answer.survey.as_ref().map(|survey| survey_view(library, survey, &turn.documents, &roots)),
        rows: answer.rows.as_ref().map(|rows| rows_view(library, rows)),
        time: answer.time.clone(),
        left_out: answer.left_out.clone(),
        first_word_ms: answer.timings.first_token_ms,
        total_ms: answer.timings.total_ms,
    });
    Ok(Turn {
        question: turn.question.clone(),
        searched: turn.searched.clone(),
        words: oriel_engine::named_words(searched),
        asked: turn.asked,
        scope: scope_of(library, turn)?,
        window: turn.window,
        found,
        answer,
        table: turn.table.as_ref().map(|table| table_view(library, table, &roots)),
        proposed: proposed_table(library, turn),
        // A turn with neither was in progress when Oriel was killed.
        stopped: turn.stopped || turn.answer.is_none() && turn.error.is_none(),
        error: turn.error.clone().map(with_way_out),
    })
}

/// The table that a question asks for, if there are documents for it.
fn proposed_table(library: &Library, turn: &KeptTurn) -> Option<ProposedTable> {
    let asked = oriel_engine::table_question(&turn.question)?;
    let (documents, folder) = library.documents_called(asked.noun.as_deref(), &turn.scope).ok()?;
    (!documents.is_empty()).then(|| ProposedTable {
        questions: asked.questions(),
        columns: asked.columns,
        documents: documents.len(),
        folder: folder.as_deref().map(name_of),
    })
}

/// The parts of an answer; none if the question asks one thing.
fn parts(answer: &Answer) -> Vec<PartView> {
    if answer.parts.len() < 2 {
        return Vec::new();
    }
    let mut sentences = answer.sentences.iter();
    let mut part = |part: &AnswerPart| {
        let own: Vec<AnswerSentence> = sentences.by_ref().take(part.sentences).cloned().collect();
        let closest = part.passages.first().copied();
        let passage = closest.filter(|_| part.abstained).and_then(|n| answer.passages.get(n - 1));
        let (mentioned, lacking) = match passage {
            Some(passage) => oriel_engine::words_in(&part.question, &passage.text),
            None => Default::default(),
        };
        PartView {
            question: part.question.clone(),
            side: part.side.clone(),
            text: part.text.clone(),
            sentences: claims(&part.text, &own, &answer.passages),
            abstained: part.abstained,
            closest,
            mentioned,
            lacking,
        }
    };
    answer.parts.iter().map(&mut part).collect()
}

/// Passages that do not answer a question, each with the words of the question that it mentions and lacks.
fn explained(cards: Vec<Card>, answer: &Answer, question: &str) -> Vec<Card> {
    let explain = |(card, passage): (Card, &Passage)| {
        let (mentioned, lacking) = oriel_engine::words_in(question, &passage.text);
        Card { mentioned, lacking, ..card }
    };
    cards.into_iter().zip(&answer.passages).map(explain).collect()
}

/// Passages. `sources` are their documents as they were when the question was asked.
pub(crate) fn cards(
    library: &Library,
    passages: &[Passage],
    sources: &[Option<PassageDocument>],
    trace: Option<&Trace>,
    roots: &[PathBuf],
) -> Vec<Card> {
    passages
        .iter()
        .enumerate()
        .map(|(at, passage)| {
            let traced = trace.and_then(|trace| {
                trace.passages.iter().find(|one| one.start == passage.start && one.path == passage.path)
            });
            let source = sources.get(at).and_then(Option::as_ref);
            let row = document_of(library, passage, source);
            // Only Markdown has markup in its text.
            let text = row.as_ref().filter(|row| row.kind.is_markdown());
            let text = text.and_then(|row| library.text_of(row.id).ok());
            let also = passage.also.iter().filter_map(|also| {
                // One that left the library is not named any more.
                Some(place(also, &library.document_at(&also.path).ok()?, roots))
            });
            let card = card(passage, row.as_ref(), source, text.as_ref(), traced, roots);
            Card { also: also.collect(), ..card }
        })
        .collect()
}

/// The document of a passage, where it lies now.
pub(crate) fn document_of(
    library: &Library,
    passage: &Passage,
    source: Option<&PassageDocument>,
) -> Option<DocumentRow> {
    let sentences: Vec<&str> = passage.hits.iter().map(|hit| hit.text.as_str()).collect();
    relocated(library, &passage.path, source, &sentences)
}

/// The sentences of the document at `path` that an answer's passages were found by.
pub(crate) fn sentences_of<'a>(answer: &'a Answer, path: &Path) -> Vec<&'a str> {
    let of_it = answer.passages.iter().filter(|passage| passage.path == path);
    of_it.flat_map(|passage| &passage.hits).map(|hit| hit.text.as_str()).collect()
}

/// The trace of an answer, if it was kept.
pub(crate) fn trace_of(turn: &KeptTurn) -> Option<Trace> {
    turn.trace.as_ref().and_then(|trace| serde_json::from_value(trace.clone()).ok())
}

/// Milliseconds from the question to the passages.
pub(crate) fn search_ms(timings: &Timings) -> f64 {
    timings.embed_ms + timings.dense_ms + timings.sparse_ms + timings.window_ms + timings.rerank_ms
}

/// The scope of a kept question, with its documents where they lie now.
pub(crate) fn filter_of(library: &Library, turn: &KeptTurn) -> Result<Filter, EngineError> {
    let limits = limits(library, turn)?.into_iter();
    let within = limits.map(|limit| match limit {
        Limit::Folder(_, path) | Limit::Document(_, path) | Limit::Gone(path) => path,
    });
    Ok(Filter { within: within.collect(), ..turn.scope.clone() })
}

/// The scope of a kept question, as the UI shows it.
fn scope_of(library: &Library, turn: &KeptTurn) -> Result<Scope, EngineError> {
    let filter = &turn.scope;
    let mut scope = Scope { kinds: filter.kinds.clone(), from: filter.from.clone(), ..Scope::default() };
    for limit in limits(library, turn)? {
        match limit {
            Limit::Folder(named, _) => scope.folders.push(named),
            Limit::Document(named, _) => scope.documents.push(named),
            Limit::Gone(path) => scope.gone.push(name_of(&path)),
        }
    }
    scope.since = filter.since.and_then(|since| day(since, 0));
    // It is kept as the beginning of the next day.
    scope.until = filter.until.and_then(|until| day(until, -1));
    Ok(scope)
}

/// Something that a question was limited to.
enum Limit {
    Folder(Named, PathBuf),
    Document(Named, PathBuf),
    /// It is not in the library any more.
    Gone(PathBuf),
}

fn limits(library: &Library, turn: &KeptTurn) -> Result<Vec<Limit>, EngineError> {
    if turn.scope.within.is_empty() {
        return Ok(Vec::new());
    }
    let folders = library.overview()?.folders;
    let limit = |(at, path): (usize, &PathBuf)| {
        if let Some(folder) = folders.iter().find(|folder| folder.path == *path) {
            return Ok(Limit::Folder(Named { id: folder.number, name: name_of(path) }, path.clone()));
        }
        let source = turn.scoped.get(at).and_then(Option::as_ref);
        let answer = turn.answer.as_ref();
        let sentences = answer.map_or_else(Vec::new, |answer| sentences_of(answer, path));
        Ok(match library.relocate(path, source, &sentences) {
            Ok(Some(row)) => Limit::Document(Named { id: row.id.0, name: name_of(&row.path) }, row.path),
            Ok(None) => Limit::Gone(path.clone()),
            // An index elsewhere that does not answer says nothing of it.
            Err(EngineError::Index(_)) => {
                let id = source.map_or(0, |source| source.id.0);
                Limit::Document(Named { id, name: name_of(path) }, path.clone())
            }
            Err(error) => return Err(error),
        })
    };
    turn.scope.within.iter().enumerate().map(limit).collect()
}

/// The local day of a time, or the one `after` days later.
fn day(nanoseconds: i64, after: i64) -> Option<String> {
    let time = jiff::Timestamp::from_nanosecond(i128::from(nanoseconds)).ok()?;
    let date = time.to_zoned(jiff::tz::TimeZone::system()).date();
    Some(date.checked_add(jiff::Span::new().days(after)).ok()?.to_string())
}

#[cfg(test)]
mod tests {
    use oriel_core::Notice;

    use super::*;

    #[test]
    fn an_answer_that_failed_for_want_of_a_model_says_where_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let worker = oriel_core::WorkerCommand::new("", [""; 0]);
        let library = Library::open(folder.path(), worker, oriel_engine::ExtractorLimits::default()).unwrap();
        let absent = Notice::ModelAbsent { id: "m".into() };
        let kept = KeptTurn { error: Some(absent.clone()), ..KeptTurn::new("Why?", 5) };
        let shown = turn(&library, &kept).unwrap();
        assert_eq!(shown.error, Some(Notice::SettingsOfferIt { cause: absent.into() }));
    }

    #[test]
    fn a_day_comes_back_as_it_was_given() {
        let date: jiff::civil::Date = "2024-03-31".parse().unwrap();
        let midnight = date.to_zoned(jiff::tz::TimeZone::system()).unwrap().timestamp().as_nanosecond();
        assert_eq!(day(i64::try_from(midnight).unwrap(), 0).as_deref(), Some("2024-03-31"));
        assert_eq!(day(i64::try_from(midnight).unwrap(), -1).as_deref(), Some("2024-03-30"));
    }
}
