//! From passages to an answer: generated, checked and cited, or quoted. It can be stopped at any time.
//!
//! `writing` answers each part of a question. `prompt` writes what the generator reads. `citations` splits what it wrote into sentences and gives each the
//! passages that support it; `grounding` decides whether a passage does. `phrase` finds an answer of a few words again
//! in the passages. `extractive` answers without a generator, by quoting. `kind` says what kind of answer a question
//! asks for. `stated` is an answer that Oriel itself computes: `list` counts documents, `events` lists them by a date,
//! `library` tells of the library itself, `outline` of a document as a whole, which is `told` by its `central`
//! sentences, `sums` computes over the rows of a table, `sum_meanings` asks models what a word means in one. `wording` has the
//! sentences of computed answers. `latest` answers from the newest document that answers. `table` asks one document one question. `verify` holds any claim against the library, `draft`
//! splits a text into claims.
//!
//! Small generators often write what the passages do not say. So an answer is shown as written only if the passages
//! support some of it, it says more than the question, and the reranker finds no much better sentence in the documents.
//! Otherwise the best sentences are quoted. What a passage contradicts is left out.

pub(crate) mod ask;
mod central;
pub(crate) mod citations;
pub(crate) mod draft;
pub(crate) mod events;
pub(crate) mod extractive;
pub(crate) mod grounding;
mod kind;
mod kind_words;
mod latest;
pub(crate) mod library;
pub(crate) mod list;
pub(crate) mod outline;
mod phrase;
pub(crate) mod prompt;
mod stated;
mod sum_documents;
pub(crate) mod sum_meanings;
pub(crate) mod sums;
pub(crate) mod table;
mod told;
pub(crate) mod verify;
mod wording;
mod writing;

use std::time::Instant;

use oriel_core::{
    Answer, AnswerPart, AnswerSentence, AnswerSource, CancelToken, ClaimChecker, Embedder, Generator,
    ModelError, Notice, Survey, TimeLimit,
};
use serde::{Deserialize, Serialize};

use crate::answer::wording::{NOT_FOUND, PART_NOT_FOUND, nothing_from};
use crate::answer::writing::{AnswerDraft, MadePart, may_answer};
use crate::error::EngineError;
use crate::files::milliseconds;
use crate::library::Library;
use crate::question::QueryPart;
use crate::question::language::detect::{is_german, is_german_text};
use crate::question::proposal::proposals;
use crate::search::confidence::LEAST_CONFIDENCE;
use crate::search::models::{QuestionModels, SearchModels};
use crate::search::query::{Query, RerankMode};
use crate::search::trace::Trace;
use crate::search::{FoundPart, SearchOutcome, SearchResult};

/// What happens while an answer is made.
#[derive(Clone, Copy, Debug)]
pub enum AnswerEvent<'a> {
    /// The passages, before the first generated word.
    Passages(&'a SearchResult),
    /// A piece of the answer, as the generator writes it; whole characters.
    Piece(&'a str),
    /// The documents that were found so far, if all are asked for. `read` grows until it is everything that can be read.
    Surveyed(&'a Survey),
    /// What is searched for, if that is not the question as typed: at first the question completed from earlier ones, at the end a
    /// corrected or translated one.
    Searched(&'a str),
}

/// The models of an answer.
#[derive(Clone, Copy, Default)]
pub struct AnswerModels<'a> {
    /// For the passages.
    pub search: SearchModels<'a>,
    /// Writes the answer; without one, the best sentences are quoted.
    pub generator: Option<&'a dyn Generator>,
    /// Holds what is written against the passages; without one, only words are compared.
    pub checker: Option<&'a dyn ClaimChecker>,
}

impl QuestionModels for AnswerModels<'_> {
    fn search(&self, _: &Query) -> Result<SearchModels<'_>, EngineError> {
        Ok(self.search)
    }

    fn embedder(&self) -> Result<Option<&dyn Embedder>, EngineError> {
        Ok(self.search.embedder)
    }

    fn generator(&self) -> Option<&dyn Generator> {
        self.generator
    }

    fn checker(&self) -> Option<&dyn ClaimChecker> {
        self.checker
    }
}

/// An answer with how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// What was searched for, if that is not the question as typed.
    pub searched: Option<String>,
    /// How it came about.
    pub trace: Trace,
    /// Whether it was stopped. The answer is what was written until then, possibly nothing.
    pub stopped: bool,
    /// How the generator died, if it did. The answer consists of quotes then, and the next question restarts the
    /// generator.
    pub died: Option<Notice>,
}

impl Answered {
    /// What went wrong and made the answer one of quotes.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        Some(format!("{}; the answer quotes the documents", self.died.as_ref()?))
    }

    /// The answer between retrieval and the first word, as if it had been stopped there. `model` is the generator's id;
    /// `None` for quotes.
    #[must_use]
    pub fn unwritten(found: &SearchResult, model: Option<&str>) -> Self {
        let answer = Answer {
            answer: String::new(),
            abstained: false,
            confidence: found.confidence,
            sentences: Vec::new(),
            parts: Vec::new(),
            left_out: Vec::new(),
            passages: found.passages.clone(),
            survey: None,
            rows: None,
            time: found.time.clone(),
            timings: found.timings,
            model: source(model),
        };
        Self { answer, searched: None, trace: found.trace.clone(), stopped: true, died: None }
    }
}

/// Who words an answer: the generator with this id, else the documents.
fn source(generator: Option<&str>) -> AnswerSource {
    generator.map_or(AnswerSource::Quotes, |id| AnswerSource::Model(id.to_owned()))
}

/// Answers a question from what a search for it finds.
fn answer_found(
    library: &Library,
    query: &Query,
    models: &AnswerModels<'_>,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Answered, EngineError> {
    let begun = Instant::now();
    let AnswerModels { search, generator, checker } = *models;
    let found = find(library, query, &search, generator, event, cancel)?;
    let sentences = found.sentences();
    let SearchResult { passages, parts, time, timings, trace, .. } = found.result;
    let mut draft = AnswerDraft {
        generator,
        reranker: search.reranker.filter(|_| found.can_read),
        reranked: found.can_read && query.rerank != RerankMode::Off,
        checker,
        cancel,
        begun,
        timings,
        trace,
        left_out: Vec::new(),
        died: None,
        doubt: None,
        stopped: cancel.is_cancelled(),
    };
    let mut made = Vec::new();
    for (part, own) in parts.into_iter().zip(found.material) {
        made.push(draft.part(part, own, &sentences, &mut |piece| event(AnswerEvent::Piece(piece)))?);
    }
    let AnswerDraft { mut timings, trace, left_out, died, stopped, .. } = draft;
    timings.total_ms = milliseconds(begun);
    // Without generation the whole answer appears at the end.
    timings.first_token_ms.get_or_insert(timings.total_ms);
    timings.generate_ms.get_or_insert(0.0);
    let has_written = made.iter().any(|part| part.is_written);
    let has_quoted = made.iter().any(|part| part.is_quoted);
    // Quotation marks tell a quote from the sentences that the generator wrote.
    let marks = |part: &MadePart| part.is_quoted && has_written;
    let sentences = made.iter_mut().flat_map(|part| {
        let is_marked = marks(part);
        std::mem::take(&mut part.sentences).into_iter().map(move |sentence| match is_marked {
            true => AnswerSentence { text: extractive::marked(&sentence.text), ..sentence },
            false => sentence,
        })
    });
    let sentences = sentences.collect();
    let parts: Vec<AnswerPart> = made.into_iter().map(|part| part.part).collect();
    let answer = Answer {
        answer: text_of(&parts, time.as_ref(), is_german(&query.question)),
        abstained: parts.iter().all(|part| part.abstained),
        confidence: parts.iter().map(|part| part.confidence).fold(0.0, f32::max),
        sentences,
        parts,
        left_out,
        passages,
        survey: None,
        rows: None,
        time,
        timings,
        model: source(generator.filter(|_| has_written || !has_quoted).map(Generator::id)),
    };
    Ok(Answered { answer, searched: None, trace, stopped, died })
}

/// A search for the question; if that does not answer, one in the other language of the library, then one with what the generator
/// proposes. Each that is better is an event.
fn find(
    library: &Library,
    query: &Query,
    models: &SearchModels<'_>,
    generator: Option<&dyn Generator>,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<SearchOutcome, EngineError> {
    let mut found = library.find(query, models, cancel)?;
    event(AnswerEvent::Passages(&found.result));
    if let Some(better) = find_in_other_language(library, query, &found.result, models, cancel)? {
        found = better;
        event(AnswerEvent::Passages(&found.result));
    }
    if let Some(generator) = generator.filter(|_| !found.is_nowhere)
        && let Some(better) = find_otherwise(library, query, &found.result, generator, models, cancel)?
    {
        found = better;
        event(AnswerEvent::Passages(&found.result));
    }
    Ok(found)
}

/// A search for the question in the other language of the library, if what was found is in it or does not answer; `None` if the
/// question is answered no better so.
fn find_in_other_language(
    library: &Library,
    query: &Query,
    found: &SearchResult,
    models: &SearchModels<'_>,
    cancel: &CancelToken,
) -> Result<Option<SearchOutcome>, EngineError> {
    let [part] = &found.parts[..] else { return Ok(None) };
    let passages: String = found.passages.iter().map(|passage| &*passage.text).collect::<Vec<_>>().join(" ");
    let (asked_german, found_german) = (is_german(&part.searched.question), is_german_text(&passages));
    let may_be_other =
        || Ok::<_, EngineError>(found.confidence < LEAST_CONFIDENCE && library.has_language(!asked_german)?);
    if passages.is_empty() || asked_german == found_german && !may_be_other()? {
        return Ok(None);
    }
    let Some(translated) = part.searched.translated() else { return Ok(None) };
    let parts = vec![translated];
    let again = library.find(&Query { parts, ..query.clone() }, models, cancel)?;
    let least = if asked_german == found_german { LEAST_CONFIDENCE } else { 0.0 };
    Ok(Some(again).filter(|again| again.result.confidence > found.confidence.max(least)))
}

/// A search with what the generator proposes for a question of which no part was found. `None` if that finds none either.
fn find_otherwise(
    library: &Library,
    query: &Query,
    found: &SearchResult,
    generator: &dyn Generator,
    models: &SearchModels<'_>,
    cancel: &CancelToken,
) -> Result<Option<SearchOutcome>, EngineError> {
    let is_found = |part: &FoundPart| may_answer(Some(generator), part.confidence);
    if query.rerank == RerankMode::Off || found.parts.iter().any(is_found) {
        return Ok(None);
    }
    let parts: Vec<QueryPart> = found.parts.iter().map(|part| part.searched.clone()).collect();
    let proposed = || {
        for parts in proposals(generator, &parts, cancel) {
            let again = library.find(&Query { parts: parts?, ..query.clone() }, models, cancel)?;
            if again.result.parts.iter().any(is_found) {
                return Ok(Some(again));
            }
        }
        Ok(None)
    };
    match proposed() {
        // What was found stands; the answer tells what became of the generator.
        Err(EngineError::Model(ModelError::Died(_) | ModelError::TooLong { .. })) => Ok(None),
        Err(error) if error.is_cancelled() => Ok(None),
        proposed => proposed,
    }
}

/// The answer as one text: a line for each part, and what was not found by its question. Where a time limits the documents, that nothing
/// from then answers.
fn text_of(parts: &[AnswerPart], time: Option<&TimeLimit>, is_german: bool) -> String {
    let line = |part: &AnswerPart| match part.abstained {
        true => format!("{PART_NOT_FOUND} {}", part.question),
        false => part.text.clone(),
    };
    match parts.iter().all(|part| part.abstained) {
        true => time.and_then(|time| nothing_from(time, is_german)).unwrap_or_else(|| NOT_FOUND.to_owned()),
        false => parts.iter().map(line).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"),
    }
}
