//! From passages to an answer: generated, checked and cited, or quoted. It can be stopped at any time.
//!
//! `prompt` writes what the generator reads. `citations` splits what it wrote into sentences and gives each the passages that
//! support it; `grounding` decides whether a passage does. `extractive` answers without a generator, by quoting. `verify`
//! holds any claim against the library, `draft` splits a text into claims.

pub(crate) mod citations;
pub(crate) mod draft;
pub(crate) mod extractive;
pub(crate) mod grounding;
pub(crate) mod prompt;
pub(crate) mod verify;

use std::time::Instant;

use oriel_core::{
    Answer, AnswerSentence, CancelToken, CitedPlace, ClaimChecker, Finish, Generator, ModelError, Notice,
    Passage, Reranker, Timings, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::answer::citations::{cite, join};
use crate::answer::extractive::Quotes;
use crate::answer::grounding::adds;
use crate::answer::prompt::NOT_FOUND;
use crate::error::EngineError;
use crate::library::Library;
use crate::search::confidence::LEAST_CONFIDENCE;
use crate::search::loaded::PassageSentence;
use crate::search::query::{Query, RerankMode};
use crate::search::retrieve::milliseconds;
use crate::search::trace::Trace;
use crate::search::{SearchModels, SearchResult};

/// The model name of an answer that consists of quotes.
const QUOTES_MODEL: &str = "quotes";

/// How far the reranker's logit of a generated answer may be below that of the best quote.
const MAX_LOGIT_GAP: f32 = 1.5;

/// What happens while an answer is made.
#[derive(Clone, Copy, Debug)]
pub enum AnswerEvent<'a> {
    /// The passages, before the first generated word.
    Passages(&'a SearchResult),
    /// A piece of the answer, as the generator writes it; whole characters.
    Piece(&'a str),
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

/// An answer with how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// How it came about.
    pub trace: Trace,
    /// Whether it was stopped. The answer is what was written until then, possibly nothing.
    pub stopped: bool,
    /// How the generator died, if it did. The answer consists of quotes then, and the next question restarts the
    /// generator.
    pub died: Option<Notice>,
}

impl Answered {
    /// The answer between retrieval and the first word, as if it had been stopped there. `model` is the generator's id;
    /// `None` for quotes.
    #[must_use]
    pub fn unwritten(found: &SearchResult, model: Option<&str>) -> Self {
        let answer = Answer {
            answer: String::new(),
            abstained: false,
            confidence: found.confidence,
            sentences: Vec::new(),
            left_out: Vec::new(),
            passages: found.passages.clone(),
            timings: found.timings,
            model: model.unwrap_or(QUOTES_MODEL).to_owned(),
        };
        Self { answer, trace: found.trace.clone(), stopped: true, died: None }
    }
}

/// Answers a question from the library. The best sentences are quoted if there is no generator, if it died, or if what
/// it wrote is not an answer by the passages and the reranker. The answer's model is "quotes" then.
///
/// A cancelled token ends it within a second. Once there are passages this is no error: what was written until then is
/// kept and checked, by its words alone if the checker had not finished.
///
/// # Errors
/// If the search or a model fails, and [`ModelError::Cancelled`] before there are passages.
pub fn answer(
    library: &Library,
    query: &Query,
    models: &AnswerModels<'_>,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Answered, EngineError> {
    let begun = Instant::now();
    let AnswerModels { search, generator, checker } = *models;
    let found = library.find(query, &search, cancel)?;
    event(AnswerEvent::Passages(&found.result));
    let parts = found.sentences();
    let SearchResult { passages, confidence, timings, trace } = found.result;
    let mut draft = AnswerDraft {
        query,
        reranker: search.reranker.filter(|_| found.can_read),
        checker,
        passages: &passages,
        parts: &parts,
        cancel,
        begun,
        timings,
        trace,
        left_out: Vec::new(),
        died: None,
    };
    let outcome = match generator {
        _ if passages.is_empty() || confidence < LEAST_CONFIDENCE => DraftOutcome::NotFound,
        None => draft.quote()?,
        Some(generator) => draft.write(generator, event)?,
    };
    let AnswerDraft { mut timings, mut trace, left_out, died, .. } = draft;
    let stopped = matches!(outcome, DraftOutcome::Stopped(_));
    let own = generator.map_or(QUOTES_MODEL, Generator::id);
    let (model, abstained, text, sentences) = match outcome {
        DraftOutcome::NotFound => (own, true, NOT_FOUND.to_owned(), Vec::new()),
        DraftOutcome::Quoted(quotes) if quotes.is_empty() => {
            (QUOTES_MODEL, true, NOT_FOUND.to_owned(), quotes)
        }
        DraftOutcome::Quoted(quotes) => (QUOTES_MODEL, false, extractive::join(&quotes), quotes),
        DraftOutcome::Written(sentences) | DraftOutcome::Stopped(sentences) => {
            (own, false, join(&sentences), sentences)
        }
    };
    if model == QUOTES_MODEL {
        trace.quoted(&sentences);
    }
    timings.total_ms = milliseconds(begun);
    // Without generation the whole answer appears at the end.
    timings.first_token_ms.get_or_insert(timings.total_ms);
    timings.generate_ms.get_or_insert(0.0);
    let model = model.to_owned();
    let answer =
        Answer { answer: text, abstained, confidence, sentences, left_out, passages, timings, model };
    Ok(Answered { answer, trace, stopped, died })
}

/// What kind of answer was made.
enum DraftOutcome {
    /// No answer was found.
    NotFound,
    /// What the generator wrote.
    Written(Vec<AnswerSentence>),
    /// Sentences of the documents; empty if none qualifies.
    Quoted(Vec<AnswerSentence>),
    /// What the generator had written when it was stopped.
    Stopped(Vec<AnswerSentence>),
}

/// An answer that is being made.
struct AnswerDraft<'a> {
    query: &'a Query,
    reranker: Option<&'a dyn Reranker>,
    checker: Option<&'a dyn ClaimChecker>,
    passages: &'a [Passage],
    /// The sentences of each passage.
    parts: &'a [Vec<PassageSentence>],
    cancel: &'a CancelToken,
    begun: Instant,
    timings: Timings,
    trace: Trace,
    /// What was written and contradicts the passages.
    left_out: Vec<AnswerSentence>,
    died: Option<Notice>,
}

impl AnswerDraft<'_> {
    fn write(
        &mut self,
        generator: &dyn Generator,
        event: &mut dyn FnMut(AnswerEvent<'_>),
    ) -> Result<DraftOutcome, ModelError> {
        let question = &self.query.question;
        let reranked = self.reranker.is_some() && self.query.rerank != RerankMode::Off;
        let writing = Instant::now();
        let prompt =
            match prompt::prompt(generator, question, self.passages, self.parts, reranked, self.cancel) {
                Ok(prompt) => prompt,
                Err(ModelError::Cancelled(_)) => return Ok(DraftOutcome::Stopped(Vec::new())),
                // Not even the question fits into this model's context.
                Err(ModelError::TooLong { .. }) => return self.quote(),
                Err(ModelError::Died(how)) => return self.quote_after(how),
                Err(error) => return Err(error),
            };
        self.trace.prompted(&prompt);
        let mut text = String::new();
        let (begun, first) = (self.begun, &mut self.timings.first_token_ms);
        let mut piece = |piece: &str| {
            first.get_or_insert_with(|| milliseconds(begun));
            text.push_str(piece);
            event(AnswerEvent::Piece(piece));
        };
        let written = generator.generate(&prompt.request, &mut piece, self.cancel);
        self.timings.generate_ms = Some(milliseconds(writing));
        let stopped = match written {
            Ok(generation) => generation.finish == Finish::Cancelled,
            Err(ModelError::Died(how)) => return self.quote_after(how),
            Err(error) => return Err(error),
        };
        let text = before_echo(&text);
        if stopped && text.is_empty() {
            return Ok(DraftOutcome::Stopped(Vec::new()));
        }
        if says_not_found(text) {
            return Ok(DraftOutcome::NotFound);
        }
        let (written, stopped) = match cite(text, self.passages, self.parts, self.checker, self.cancel) {
            Err(ModelError::Cancelled(_)) => {
                (cite(text, self.passages, self.parts, None, self.cancel)?, true)
            }
            written => (written?, stopped),
        };
        // The last sentence of a stopped answer may be cut within a number.
        let sentences = if stopped { written } else { self.leave_out(written) };
        if stopped {
            return Ok(DraftOutcome::Stopped(sentences));
        }
        match self.judge(&sentences) {
            Ok(None) => Ok(DraftOutcome::Written(sentences)),
            Ok(Some(quotes)) => Ok(DraftOutcome::Quoted(quotes)),
            Err(ModelError::Cancelled(_)) => Ok(DraftOutcome::Stopped(sentences)),
            Err(error) => Err(error),
        }
    }

    /// What was written without the sentences that a passage contradicts. If the first is one of them, the sentence that
    /// contradicts it takes its place.
    fn leave_out(&mut self, written: Vec<AnswerSentence>) -> Vec<AnswerSentence> {
        let is_first = written.first().is_some_and(|first| first.verdict() == Verdict::Contradicted);
        let (out, mut kept): (Vec<_>, Vec<_>) =
            written.into_iter().partition(|sentence| sentence.verdict() == Verdict::Contradicted);
        if is_first {
            let place = out[0].places.first();
            let says = |place: &CitedPlace| {
                let sentences = self.parts.get(place.n - 1)?;
                sentences.iter().find(|sentence| sentence.span.start == place.start)
            };
            let quoted = place.and_then(|place| Some(extractive::quote(place.n, says(place)?)));
            let is_new = |quoted: &AnswerSentence| kept.iter().all(|other| other.places != quoted.places);
            if let Some(quoted) = quoted.filter(is_new) {
                kept.insert(0, AnswerSentence { text: extractive::marked(&quoted.text), ..quoted });
            }
        }
        self.left_out.extend(out);
        kept
    }

    fn quote_after(&mut self, death: Notice) -> Result<DraftOutcome, ModelError> {
        self.died = Some(death);
        self.quote()
    }

    fn quote(&mut self) -> Result<DraftOutcome, ModelError> {
        let quoting = Instant::now();
        match self.quotes() {
            Ok(quotes) => {
                self.timings.generate_ms.get_or_insert(milliseconds(quoting));
                Ok(DraftOutcome::Quoted(quotes.sentences))
            }
            Err(ModelError::Cancelled(_)) => Ok(DraftOutcome::Stopped(Vec::new())),
            Err(error) => Err(error),
        }
    }

    fn quotes(&self) -> Result<Quotes, ModelError> {
        extractive::quotes(self.reranker, &self.query.question, self.passages, self.parts, self.cancel)
    }

    /// The quotes to use instead of what was written; `None` if that is an answer.
    fn judge(&self, written: &[AnswerSentence]) -> Result<Option<Vec<AnswerSentence>>, ModelError> {
        let quoted = self.quotes()?;
        let good = answers(written, &self.query.question, &quoted, self.reranker, self.cancel)?;
        Ok((!good).then_some(quoted.sentences))
    }
}

/// Whether what was written is an answer: the passages support a part of it, that part adds something to the question,
/// and the reranker does not score a sentence of the documents much higher.
fn answers(
    sentences: &[AnswerSentence],
    question: &str,
    quoted: &Quotes,
    reranker: Option<&dyn Reranker>,
    cancel: &CancelToken,
) -> Result<bool, ModelError> {
    let supported: Vec<&str> = sentences
        .iter()
        .filter(|sentence| sentence.supported)
        .map(|sentence| sentence.text.as_str())
        .collect();
    let supported = supported.join(" ");
    if !adds(&supported, question) {
        return Ok(false);
    }
    let Some((reranker, best)) = reranker.zip(quoted.logit) else { return Ok(true) };
    let logits = reranker.score(question, &[supported], cancel)?;
    Ok(logits.first().is_some_and(|&logit| logit >= best - MAX_LOGIT_GAP))
}

/// The answer without the repetition of our prompt that small models append.
fn before_echo(text: &str) -> &str {
    let echo = ["Question:", "Passages:"].iter().filter_map(|mark| text.find(mark)).min();
    text[..echo.unwrap_or(text.len())].trim()
}

fn says_not_found(text: &str) -> bool {
    let start: String = text.chars().take(80).collect::<String>().to_lowercase();
    text.is_empty() || start.contains("could not find an answer")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_says_it_found_nothing_is_taken_at_its_word() {
        assert!(says_not_found("I could not find an answer in your documents. But the clock…"));
        assert!(says_not_found(""));
        assert_eq!(before_echo("It stopped [1]. Question: When did it stop?"), "It stopped [1].");
        assert!(!says_not_found("The clock stopped at noon [1]."));
    }
}
