//! The answer to a question that asks for all documents or for their number: a count, with every document it counts.

use std::time::Instant;

use oriel_core::{
    Answer, AnsweringSentence, CancelToken, Candidate, CitedPlace, Passage, Survey, SurveyedDocument,
    SurveyedSentence,
};
use oriel_store::View;

use crate::answer::citations::join;
use crate::answer::stated::{Stated, passage_around, statement};
use crate::answer::wording::list::count;
use crate::answer::{AnswerEvent, Answered};
use crate::error::EngineError;
use crate::library::Library;
use crate::question::list::{ListQuestion, list_question};
use crate::search::loaded::LoadedDocument;
use crate::search::query::Query;
use crate::search::survey::SurveyModels;

/// Documents of a list that get a passage, which the count cites. The others have their sentences in the survey.
const MAX_PASSAGES: usize = 50;

/// Counts the documents that a question asks for. The first get a passage around their best sentence, which the count cites.
///
/// # Errors
/// As [`Library::survey`].
pub(crate) fn answer_list(
    library: &Library,
    query: &Query,
    question: &ListQuestion,
    models: &SurveyModels<'_>,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Answered, EngineError> {
    let begun = Instant::now();
    let on_progress = &mut |survey: &Survey| event(AnswerEvent::Surveyed(survey));
    let mut survey = library.survey(&question.survey, &query.filter, models, on_progress, cancel)?;
    let stopped = survey.is_stopped;
    let passages = library.own_index()?.read(|view| passages_of(&view, &mut survey.documents, query))?;
    let best = passages.iter().filter_map(|passage| Some(passage.answer?.confidence));
    let confidence = best.reduce(f32::max).unwrap_or_default();
    let stated = Stated { passages, confidence, survey: Some(survey), stopped, ..Stated::default() };
    let mut answered = stated.answered(query, begun, event);
    recount(&mut answered.answer, question);
    Ok(answered)
}

/// Counts the documents of an answer's survey once more, after a user included one or left one out. Its passages are those
/// of the survey's first documents, in their order.
fn recount(answer: &mut Answer, question: &ListQuestion) {
    let Some(survey) = &answer.survey else { return };
    let counted =
        survey.documents.iter().zip(&answer.passages).filter(|(one, _)| one.included != Some(false));
    let places: Vec<CitedPlace> = counted.filter_map(|(_, passage)| place(passage)).collect();
    answer.sentences = vec![statement(count(question, survey), places)];
    answer.answer = join(&answer.sentences);
    answer.abstained = false;
    for part in &mut answer.parts {
        part.text.clone_from(&answer.answer);
        part.sentences = answer.sentences.len();
        part.abstained = false;
    }
}

/// Includes a document of an answer's survey, or leaves it out; `None` takes that back. The answer is counted again. `question` is
/// the one that was answered, `document` the document's place in the survey. Nothing changes if there is no such document.
pub fn review(answer: &mut Answer, question: &str, document: usize, included: Option<bool>) {
    let row = answer.survey.as_mut().and_then(|survey| survey.documents.get_mut(document));
    if let (Some(row), Some(question)) = (row, list_question(question)) {
        row.included = included;
        recount(answer, &question);
    }
}

fn place(passage: &Passage) -> Option<CitedPlace> {
    let AnsweringSentence { start, end, .. } = passage.answer?;
    Some(CitedPlace { n: passage.n, start, end })
}

/// A passage around the best sentence of each of the first documents. Those that changed since the survey are left out of it.
fn passages_of(
    view: &View<'_>,
    documents: &mut Vec<SurveyedDocument>,
    query: &Query,
) -> Result<Vec<Passage>, EngineError> {
    let mut passages = Vec::with_capacity(documents.len().min(MAX_PASSAGES));
    let mut unchanged = Vec::with_capacity(documents.len());
    for document in documents.drain(..) {
        if passages.len() == MAX_PASSAGES {
            unchanged.push(document);
        } else if let Some(passage) = passage_of(view, &document, passages.len() + 1, query)? {
            passages.push(passage);
            unchanged.push(document);
        }
    }
    *documents = unchanged;
    Ok(passages)
}

fn passage_of(
    view: &View<'_>,
    document: &SurveyedDocument,
    n: usize,
    query: &Query,
) -> Result<Option<Passage>, EngineError> {
    let Some(id) = view.document_at(&document.path)? else { return Ok(None) };
    let candidates = |loaded: &LoadedDocument| {
        let candidate = |sentence: &SurveyedSentence| {
            let mut rows = loaded.excerpt.rows.iter();
            let (ordinal, row) = rows.find(|(_, row)| row.span.start == sentence.start)?;
            let is_same = loaded.excerpt.text.of(row.span) == Some(&sentence.text[..]);
            is_same.then_some(Candidate { document: id, ordinal, score: sentence.score })
        };
        document.sentences.iter().filter_map(candidate).collect()
    };
    passage_around(view, id, candidates, n, query)
}
