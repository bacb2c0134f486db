//! From passages to an answer: generated, checked and cited, or quoted. It can be stopped at any time.
//!
//! `prompt` writes what the generator reads. `citations` splits what it wrote into sentences and gives each the passages that
//! support it; `grounding` decides whether a passage does. `phrase` finds an answer of a few words again in the passages.
//! `extractive` answers without a generator, by quoting. `kind` says what kind of answer a question asks for. `stated` is an
//! answer that Oriel itself computes: `list` counts documents, `events` lists them by a date, `library` tells of the library itself,
//! `outline` of a document as a whole, which is `told` by its `central` sentences, `sums` computes over the rows of a table and
//! `sum_words` says it. `latest` answers from the newest document that answers. `table` asks one document one question. `verify` holds any claim
//! against the library, `draft` splits a text into claims.

pub(crate) mod ask;
mod central;
pub(crate) mod citations;
pub(crate) mod draft;
pub(crate) mod events;
pub(crate) mod extractive;
pub(crate) mod grounding;
mod kind;
mod latest;
pub(crate) mod library;
pub(crate) mod list;
pub(crate) mod outline;
mod phrase;
pub(crate) mod prompt;
mod stated;
mod sum_documents;
mod sum_meanings;
mod sum_words;
pub(crate) mod sums;
pub(crate) mod table;
mod told;
pub(crate) mod verify;

use std::time::Instant;

use jiff::civil::Date;
use oriel_core::{
    Answer, AnswerPart, AnswerSentence, AnswerSource, CancelToken, CitedPlace, ClaimChecker, Finish,
    Generator, ModelError, Notice, Passage, Refusal, Reranker, Survey, TimeLimit, Timings, Verdict,
};
use oriel_text::dates::Period;
use serde::{Deserialize, Serialize};

use crate::answer::citations::{cite, join};
use crate::answer::extractive::Quotes;
use crate::answer::grounding::adds;
use crate::answer::phrase::cite_phrases;
use crate::answer::prompt::NOT_FOUND;
use crate::error::EngineError;
use crate::files::milliseconds;
use crate::library::Library;
use crate::question::translation::translated;
use crate::question::words::{is_german, is_german_text};
use crate::question::{QueryPart, proposal};
use crate::search::confidence::LEAST_CONFIDENCE;
use crate::search::loaded::PassageSentence;
use crate::search::query::{Query, RerankMode};
use crate::search::trace::Trace;
use crate::search::{FoundPart, SearchModels, SearchOutcome, SearchResult};

/// What stands before the question of a part that was not found.
const PART_NOT_FOUND: &str = "Not found in your documents:";

/// A generator that refuses even where it is so sure that the passages answer is not asked.
const LEAST_DOUBT: f32 = 0.01;

/// How far the reranker's logit of a generated answer may be below that of the best quote.
const MAX_LOGIT_GAP: f32 = 1.5;

/// What happens while an answer is made.
#[derive(Clone, Copy, Debug)]
pub enum AnswerEvent<'a> {
    /// The passages, before the first generated word.
    Passages(&'a SearchResult),
    /// A piece of the answer, as the generator writes it; whole characters.
    Piece(&'a str),
    /// The documents that were found so far, if all are asked for. `read` grows until it is everything that can be read.
    Surveyed(&'a Survey),
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
            parts: Vec::new(),
            left_out: Vec::new(),
            passages: found.passages.clone(),
            survey: None,
            rows: None,
            time: found.time.clone(),
            timings: found.timings,
            model: source(model),
        };
        Self { answer, trace: found.trace.clone(), stopped: true, died: None }
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
    let mut found = library.find(query, &search, cancel)?;
    event(AnswerEvent::Passages(&found.result));
    if let Some(better) = find_in_other_language(library, query, &found.result, &search, cancel)? {
        found = better;
        event(AnswerEvent::Passages(&found.result));
    }
    if let Some(generator) = generator.filter(|_| !found.is_nowhere)
        && let Some(better) = find_otherwise(library, query, &found.result, generator, &search, cancel)?
    {
        found = better;
        event(AnswerEvent::Passages(&found.result));
    }
    let sentences = found.sentences();
    let SearchResult { passages, parts, time, timings, trace, .. } = found.result;
    let mut draft = AnswerDraft {
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
    };
    let (mut answered, mut written) = (Vec::new(), Vec::new());
    let (mut has_written, mut has_quoted, mut stopped) = (false, false, cancel.is_cancelled());
    for (part, own) in parts.into_iter().zip(found.material) {
        let material = Material::of(&part, own, &sentences);
        let outcome = match generator.filter(|_| draft.died.is_none()) {
            _ if stopped => DraftOutcome::Stopped(Vec::new()),
            _ if material.passages.is_empty() || !may_answer(generator, part.confidence) => {
                DraftOutcome::NotFound
            }
            None => draft.quote(&material)?,
            Some(generator) => draft.write(generator, &material, event)?,
        };
        let is_quoted = matches!(outcome, DraftOutcome::Quoted(_));
        stopped = matches!(outcome, DraftOutcome::Stopped(_));
        has_quoted |= is_quoted;
        has_written |= stopped || matches!(outcome, DraftOutcome::Written(_));
        let mut own = match outcome {
            DraftOutcome::NotFound => Vec::new(),
            DraftOutcome::Quoted(own) | DraftOutcome::Written(own) | DraftOutcome::Stopped(own) => own,
        };
        own.iter_mut().for_each(|sentence| material.renumber(sentence));
        if is_quoted {
            draft.trace.quoted(&own);
        }
        answered.push(AnswerPart {
            abstained: own.is_empty() && !stopped,
            text: if is_quoted { extractive::join(&own) } else { join(&own) },
            question: part.searched.question,
            side: part.searched.side,
            wordings: part.searched.wordings,
            confidence: draft.doubted(generator, part.confidence),
            sentences: own.len(),
            passages: part.passages,
        });
        written.push((is_quoted, own));
    }
    let AnswerDraft { mut timings, trace, left_out, died, .. } = draft;
    let model = source(generator.filter(|_| has_written || !has_quoted).map(Generator::id));
    let text = text_of(&answered, time.as_ref(), is_german(&query.question));
    // Quotation marks tell a quote from the sentences that the generator wrote.
    let marked = |is_quoted: bool, sentence: AnswerSentence| match is_quoted && has_written {
        true => AnswerSentence { text: extractive::marked(&sentence.text), ..sentence },
        false => sentence,
    };
    let sentences = written
        .into_iter()
        .flat_map(|(is_quoted, own)| own.into_iter().map(move |one| marked(is_quoted, one)))
        .collect();
    timings.total_ms = milliseconds(begun);
    // Without generation the whole answer appears at the end.
    timings.first_token_ms.get_or_insert(timings.total_ms);
    timings.generate_ms.get_or_insert(0.0);
    let abstained = answered.iter().all(|part| part.abstained);
    let confidence = answered.iter().map(|part| part.confidence).fold(0.0, f32::max);
    let parts = answered;
    let answer = Answer {
        answer: text,
        abstained,
        confidence,
        sentences,
        parts,
        left_out,
        passages,
        survey: None,
        rows: None,
        time,
        timings,
        model,
    };
    Ok(Answered { answer, trace, stopped, died })
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
    let asked = &part.searched.question;
    let passages: String = found.passages.iter().map(|passage| &*passage.text).collect::<Vec<_>>().join(" ");
    let (asked_german, found_german) = (is_german(asked), is_german_text(&passages));
    let may_be_other =
        || Ok::<_, EngineError>(found.confidence < LEAST_CONFIDENCE && library.has_language(!asked_german)?);
    if passages.is_empty() || asked_german == found_german && !may_be_other()? {
        return Ok(None);
    }
    let Some(translated) = translated(asked) else { return Ok(None) };
    let parts = vec![QueryPart { wordings: part.searched.wordings.clone(), ..QueryPart::plain(translated) }];
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
    let search = |parts| {
        let again = library.find(&Query { parts, ..query.clone() }, models, cancel)?;
        Ok::<_, EngineError>(Some(again).filter(|again| again.result.parts.iter().any(is_found)))
    };
    let proposed = || {
        if let [whole] = &found.parts[..]
            && let Some(parts) = proposal::parts(generator, &whole.searched.question, cancel)?
            && let Some(better) = search(parts)?
        {
            return Ok(Some(better));
        }
        let mut parts: Vec<QueryPart> = found.parts.iter().map(|part| part.searched.clone()).collect();
        for part in &mut parts {
            part.wordings.extend(proposal::wordings(generator, &part.question, cancel)?);
        }
        search(parts)
    };
    match proposed() {
        // What was found stands; the answer tells what became of the generator.
        Err(EngineError::Model(ModelError::Died(_) | ModelError::TooLong { .. })) => Ok(None),
        Err(error) if error.is_cancelled() => Ok(None),
        proposed => proposed,
    }
}

/// Whether an answer is written from passages that answer with this probability, as far as the reranker tells. A generator that knows
/// when nothing answers is asked unless its own word could not change that.
fn may_answer(generator: Option<&dyn Generator>, read: f32) -> bool {
    match generator.and_then(Generator::answers_in_phrases) {
        Some(calibration) => calibration.refuses_from(read, LEAST_CONFIDENCE) > LEAST_DOUBT,
        None => read >= LEAST_CONFIDENCE,
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

/// "Nothing from October 2026 answers it."
fn nothing_from(time: &TimeLimit, is_german: bool) -> Option<String> {
    let day = |day: &Option<String>| day.as_ref().and_then(|day| day.parse::<Date>().ok());
    let (since, until) = (day(&time.since), day(&time.until));
    let one = |day: Date| Period::day(day).in_words(is_german);
    let when = match (since, until, is_german) {
        (Some(first), Some(last), false) => format!("from {}", Period { first, last }.in_words(false)),
        (Some(first), Some(last), true) => {
            format!("aus der Zeit „{}“", Period { first, last }.in_words(true))
        }
        (Some(first), None, _) => format!("{} {}", if is_german { "seit dem" } else { "since" }, one(first)),
        (None, Some(last), _) => format!("{} {}", if is_german { "bis zum" } else { "until" }, one(last)),
        (None, None, _) => return None,
    };
    Some(if is_german {
        format!("Nichts {when} beantwortet die Frage.")
    } else {
        format!("Nothing {when} answers it.")
    })
}

/// The passages for a part of a question, best first and numbered from 1.
struct Material {
    question: String,
    passages: Vec<Passage>,
    /// The sentences of each passage.
    sentences: Vec<Vec<PassageSentence>>,
    /// The numbers of the passages in the answer.
    numbers: Vec<usize>,
    /// The probability that they answer it, by the reranker.
    read: f32,
}

impl Material {
    fn of(part: &FoundPart, passages: Vec<Passage>, sentences: &[Vec<PassageSentence>]) -> Self {
        Self {
            question: part.searched.question.clone(),
            passages,
            sentences: part.passages.iter().map(|number| sentences[number - 1].clone()).collect(),
            numbers: part.passages.clone(),
            read: part.confidence,
        }
    }

    /// Cites the passages by their numbers in the answer.
    fn renumber(&self, sentence: &mut AnswerSentence) {
        let number = |n: &mut usize| *n = self.numbers[*n - 1];
        sentence.citations.iter_mut().for_each(number);
        sentence.citations.sort_unstable();
        sentence.places.iter_mut().for_each(|place| number(&mut place.n));
        sentence.places.sort_by_key(|place| place.n);
    }
}

/// Pieces of an answer whose citations get the numbers that the passages have in the whole answer.
struct RenumberedPieces<'a> {
    numbers: &'a [usize],
    /// What may be the beginning of a citation.
    held: String,
}

impl RenumberedPieces<'_> {
    fn add(&mut self, piece: &str, give: &mut dyn FnMut(&str)) {
        self.held.push_str(piece);
        while let Some(at) = self.held.find('[') {
            let Some(length) = self.held[at..].find(']') else { break };
            let inside = &self.held[at + 1..at + length];
            let number = |n: &str| {
                Some(self.numbers.get(n.trim().parse::<usize>().ok()?.checked_sub(1)?)?.to_string())
            };
            let numbers: Option<Vec<String>> = inside.split(',').map(number).collect();
            let inside = numbers.map_or_else(|| inside.to_owned(), |numbers| numbers.join(", "));
            give(&format!("{}[{inside}]", &self.held[..at]));
            self.held.drain(..=at + length);
        }
        let is_open = self.held.find('[').is_some_and(|at| self.held.len() - at < LONGEST_CITATION);
        if !is_open && !self.held.is_empty() {
            give(&std::mem::take(&mut self.held));
        }
    }
}

/// Bytes of a citation, at most.
const LONGEST_CITATION: usize = 16;

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
    reranker: Option<&'a dyn Reranker>,
    /// Whether the passages were reranked.
    reranked: bool,
    checker: Option<&'a dyn ClaimChecker>,
    cancel: &'a CancelToken,
    begun: Instant,
    timings: Timings,
    trace: Trace,
    /// What was written and contradicts the passages.
    left_out: Vec<AnswerSentence>,
    died: Option<Notice>,
    /// How likely the generator was to find no answer in the passages of the present part.
    doubt: Option<f32>,
}

impl AnswerDraft<'_> {
    /// The probability that the passages of the present part answer it, of the one by the reranker and the generator's doubt, which
    /// is taken.
    fn doubted(&mut self, generator: Option<&dyn Generator>, read: f32) -> f32 {
        let calibration = generator.and_then(Generator::answers_in_phrases);
        let doubted = calibration.zip(self.doubt.take());
        doubted.map_or(read, |(calibration, doubt)| calibration.probability(read, doubt))
    }

    fn write(
        &mut self,
        generator: &dyn Generator,
        material: &Material,
        event: &mut dyn FnMut(AnswerEvent<'_>),
    ) -> Result<DraftOutcome, ModelError> {
        let Material { question, passages, sentences, numbers, read } = material;
        let writing = Instant::now();
        let refusal = generator.answers_in_phrases().map(|calibration| {
            let from = calibration.refuses_from(*read, LEAST_CONFIDENCE);
            Refusal { text: NOT_FOUND.to_owned(), from }
        });
        let prompt = prompt::prompt(
            generator,
            question,
            passages,
            sentences,
            self.reranked,
            refusal.as_ref(),
            self.cancel,
        );
        let prompt = match prompt {
            Ok(prompt) => prompt,
            Err(ModelError::Cancelled(_)) => return Ok(DraftOutcome::Stopped(Vec::new())),
            // Not even the question fits into this model's context.
            Err(ModelError::TooLong { .. }) => return self.quote(material),
            Err(ModelError::Died(how)) => return self.quote_after(how, material),
            Err(error) => return Err(error),
        };
        self.trace.prompted(&prompt, numbers);
        let mut text = String::new();
        let mut renumbered = RenumberedPieces { numbers, held: String::new() };
        let (begun, first) = (self.begun, &mut self.timings.first_token_ms);
        if first.is_some() {
            // After another part.
            event(AnswerEvent::Piece("\n"));
        }
        let mut piece = |piece: &str| {
            first.get_or_insert_with(|| milliseconds(begun));
            text.push_str(piece);
            renumbered.add(piece, &mut |piece| event(AnswerEvent::Piece(piece)));
        };
        let written = generator.generate(&prompt.request, &mut piece, self.cancel);
        *self.timings.generate_ms.get_or_insert(0.0) += milliseconds(writing);
        let stopped = match written {
            Ok(generation) => {
                self.doubt = generation.refusal;
                self.trace.doubted(&prompt, generation.refusal);
                generation.finish == Finish::Cancelled
            }
            Err(ModelError::Died(how)) => return self.quote_after(how, material),
            Err(error) => return Err(error),
        };
        let text = before_echo(&text);
        if stopped && text.is_empty() {
            return Ok(DraftOutcome::Stopped(Vec::new()));
        }
        if says_not_found(text) {
            return Ok(DraftOutcome::NotFound);
        }
        // A phrase that is cut off stands in no passage as it is.
        if prompt.request.refusal.is_some() && !stopped {
            return self.phrases(text, material);
        }
        let (written, stopped) = match cite(text, passages, sentences, self.checker, self.cancel) {
            Err(ModelError::Cancelled(_)) => (cite(text, passages, sentences, None, self.cancel)?, true),
            written => (written?, stopped),
        };
        // The last sentence of a stopped answer may be cut within a number.
        let sentences = if stopped { written } else { self.leave_out(written, material) };
        if stopped {
            return Ok(DraftOutcome::Stopped(sentences));
        }
        match self.judge(&sentences, material) {
            Ok(None) => Ok(DraftOutcome::Written(sentences)),
            Ok(Some(quotes)) => Ok(DraftOutcome::Quoted(quotes)),
            Err(ModelError::Cancelled(_)) => Ok(DraftOutcome::Stopped(sentences)),
            Err(error) => Err(error),
        }
    }

    /// An answer in phrases; quotes if the passages hold none of them.
    fn phrases(&mut self, text: &str, material: &Material) -> Result<DraftOutcome, ModelError> {
        let Material { question, passages, sentences, .. } = material;
        match cite_phrases(text, question, passages, sentences, self.checker, self.cancel) {
            Err(ModelError::Cancelled(_)) => {
                Ok(DraftOutcome::Stopped(cite(text, passages, sentences, None, self.cancel)?))
            }
            Ok(written) if written.is_empty() => self.quote(material),
            written => Ok(DraftOutcome::Written(written?)),
        }
    }

    /// What was written without the sentences that a passage contradicts. If the first is one of them, the sentence that
    /// contradicts it takes its place.
    fn leave_out(&mut self, written: Vec<AnswerSentence>, material: &Material) -> Vec<AnswerSentence> {
        let is_first = written.first().is_some_and(|first| first.verdict() == Verdict::Contradicted);
        let (mut out, mut kept): (Vec<_>, Vec<_>) =
            written.into_iter().partition(|sentence| sentence.verdict() == Verdict::Contradicted);
        if is_first {
            let place = out[0].places.first();
            let says = |place: &CitedPlace| {
                let sentences = material.sentences.get(place.n - 1)?;
                sentences.iter().find(|sentence| sentence.span.start == place.start)
            };
            let quoted = place.and_then(|place| Some(extractive::quote(place.n, says(place)?)));
            let is_new = |quoted: &AnswerSentence| kept.iter().all(|other| other.places != quoted.places);
            if let Some(quoted) = quoted.filter(is_new) {
                kept.insert(0, AnswerSentence { text: extractive::marked(&quoted.text), ..quoted });
            }
        }
        out.iter_mut().for_each(|sentence| material.renumber(sentence));
        self.left_out.extend(out);
        kept
    }

    fn quote_after(&mut self, death: Notice, material: &Material) -> Result<DraftOutcome, ModelError> {
        self.died = Some(death);
        self.quote(material)
    }

    fn quote(&mut self, material: &Material) -> Result<DraftOutcome, ModelError> {
        let quoting = Instant::now();
        match self.quotes(material) {
            Ok(quotes) => {
                *self.timings.generate_ms.get_or_insert(0.0) += milliseconds(quoting);
                Ok(DraftOutcome::Quoted(quotes.sentences))
            }
            Err(ModelError::Cancelled(_)) => Ok(DraftOutcome::Stopped(Vec::new())),
            Err(error) => Err(error),
        }
    }

    fn quotes(&self, material: &Material) -> Result<Quotes, ModelError> {
        let Material { question, passages, sentences, .. } = material;
        extractive::quotes(self.reranker, question, passages, sentences, self.cancel)
    }

    /// The quotes to use instead of what was written; `None` if that is an answer.
    fn judge(
        &self,
        written: &[AnswerSentence],
        material: &Material,
    ) -> Result<Option<Vec<AnswerSentence>>, ModelError> {
        let quoted = self.quotes(material)?;
        let good = answers(written, &material.question, &quoted, self.reranker, self.cancel)?;
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
