//! The answer to each part of a question: written by the generator and checked, else quoted.

use std::time::Instant;

use oriel_core::{
    AnswerPart, AnswerSentence, CancelToken, CitedPlace, ClaimChecker, Finish, Generator, ModelError, Notice,
    Passage, Refusal, Reranker, Timings, Verdict,
};

use crate::answer::citations::{cite, join};
use crate::answer::extractive::{self, Quotes};
use crate::answer::grounding::adds;
use crate::answer::phrase::{Phrases, cite_phrases};
use crate::answer::prompt;
use crate::answer::wording::NOT_FOUND;
use crate::files::milliseconds;
use crate::search::FoundPart;
use crate::search::confidence::LEAST_CONFIDENCE;
use crate::search::loaded::PassageSentence;
use crate::search::trace::Trace;

/// A generator that refuses even where it is so sure that the passages answer is not asked.
const LEAST_DOUBT: f32 = 0.003;

/// How far the reranker's logit of a generated answer may be below that of the best quote.
const MAX_LOGIT_GAP: f32 = 1.5;

/// Whether an answer is written from passages that answer with this probability, as far as the reranker tells. A generator that knows
/// when nothing answers is asked unless its own word could not change that.
pub(super) fn may_answer(generator: Option<&dyn Generator>, read: f32) -> bool {
    match generator.and_then(Generator::answers_in_phrases) {
        Some(calibration) => calibration.refuses_from(read, LEAST_CONFIDENCE) > LEAST_DOUBT,
        None => read >= LEAST_CONFIDENCE,
    }
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

/// The answer to a part.
pub(super) struct MadePart {
    pub part: AnswerPart,
    pub sentences: Vec<AnswerSentence>,
    pub is_quoted: bool,
    /// Whether the generator wrote it, or was stopped.
    pub is_written: bool,
}

/// An answer that is being made.
pub(super) struct AnswerDraft<'a> {
    pub generator: Option<&'a dyn Generator>,
    pub reranker: Option<&'a dyn Reranker>,
    /// Whether the passages were reranked.
    pub reranked: bool,
    pub checker: Option<&'a dyn ClaimChecker>,
    pub cancel: &'a CancelToken,
    pub begun: Instant,
    pub timings: Timings,
    pub trace: Trace,
    /// What was written and contradicts the passages.
    pub left_out: Vec<AnswerSentence>,
    pub died: Option<Notice>,
    /// How likely the generator was to find no answer in the passages of the present part.
    pub doubt: Option<f32>,
    pub stopped: bool,
}

impl AnswerDraft<'_> {
    /// Answers a part of the question from its passages. `sentences` are those of all passages; `piece` receives what the generator
    /// writes, as it comes.
    pub(super) fn part(
        &mut self,
        part: FoundPart,
        passages: Vec<Passage>,
        sentences: &[Vec<PassageSentence>],
        piece: &mut dyn FnMut(&str),
    ) -> Result<MadePart, ModelError> {
        let material = Material::of(&part, passages, sentences);
        let outcome = match self.generator.filter(|_| self.died.is_none()) {
            _ if self.stopped => DraftOutcome::Stopped(Vec::new()),
            _ if material.passages.is_empty() || !may_answer(self.generator, part.confidence) => {
                DraftOutcome::NotFound
            }
            None => self.quote(&material)?,
            Some(generator) => self.write(generator, &material, piece)?,
        };
        let is_quoted = matches!(outcome, DraftOutcome::Quoted(_));
        self.stopped = matches!(outcome, DraftOutcome::Stopped(_));
        let is_written = self.stopped || matches!(outcome, DraftOutcome::Written(_));
        let mut own = match outcome {
            DraftOutcome::NotFound => Vec::new(),
            DraftOutcome::Quoted(own) | DraftOutcome::Written(own) | DraftOutcome::Stopped(own) => own,
        };
        own.iter_mut().for_each(|sentence| material.renumber(sentence));
        if is_quoted {
            self.trace.quoted(&own);
        }
        let confidence = self.doubted(part.confidence);
        let part = AnswerPart {
            abstained: own.is_empty() && !self.stopped,
            text: if is_quoted { extractive::join(&own) } else { join(&own) },
            question: part.searched.question,
            side: part.searched.side,
            wordings: part.searched.wordings,
            confidence,
            sentences: own.len(),
            passages: part.passages,
        };
        Ok(MadePart { part, sentences: own, is_quoted, is_written })
    }

    /// The probability that the passages of the present part answer it, of the one by the reranker and the generator's doubt, which
    /// is taken.
    fn doubted(&mut self, read: f32) -> f32 {
        let calibration = self.generator.and_then(Generator::answers_in_phrases);
        let doubted = calibration.zip(self.doubt.take());
        doubted.map_or(read, |(calibration, doubt)| calibration.probability(read, doubt))
    }

    fn write(
        &mut self,
        generator: &dyn Generator,
        material: &Material,
        give: &mut dyn FnMut(&str),
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
        let is_kept = self.trace.prompted(&prompt, numbers);
        let mut text = String::new();
        let mut renumbered = RenumberedPieces { numbers, held: String::new() };
        let (begun, first) = (self.begun, &mut self.timings.first_token_ms);
        if first.is_some() {
            // After another part.
            give("\n");
        }
        let mut piece = |piece: &str| {
            first.get_or_insert_with(|| milliseconds(begun));
            text.push_str(piece);
            renumbered.add(piece, give);
        };
        let written = generator.generate(&prompt.request, &mut piece, self.cancel);
        *self.timings.generate_ms.get_or_insert(0.0) += milliseconds(writing);
        let generation = match written {
            Ok(generation) => generation,
            Err(ModelError::Died(how)) => return self.quote_after(how, material),
            Err(error) => return Err(error),
        };
        self.doubt = generation.refusal;
        if let Some(kept) = self.trace.prompt.as_mut().filter(|_| is_kept) {
            kept.refusal = generation.refusal;
        }
        let stopped = generation.finish == Finish::Cancelled;
        let text = before_echo(&text);
        if stopped && text.is_empty() {
            return Ok(DraftOutcome::Stopped(Vec::new()));
        }
        if says_not_found(text) {
            return Ok(DraftOutcome::NotFound);
        }
        // A phrase that is cut off stands in no passage as it is.
        if let Some(calibration) = generator.answers_in_phrases().filter(|_| !stopped) {
            let Some(refusal) = generation.refusal else { return self.quote(material) };
            let certainties = &generation.certainties;
            let phrases = Phrases { text, weights: calibration.phrase, read: *read, refusal, certainties };
            return self.phrases(&phrases, is_kept, material);
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

    /// An answer in phrases; a quote if the passages hold none of them. `is_kept`: the trace keeps the prompt.
    fn phrases(
        &mut self,
        phrases: &Phrases<'_>,
        is_kept: bool,
        material: &Material,
    ) -> Result<DraftOutcome, ModelError> {
        let Material { question, passages, sentences, .. } = material;
        match cite_phrases(phrases, question, passages, sentences, self.checker, self.cancel) {
            Err(ModelError::Cancelled(_)) => {
                Ok(DraftOutcome::Stopped(cite(phrases.text, passages, sentences, None, self.cancel)?))
            }
            Err(error) => Err(error),
            Ok((written, tried)) => {
                if let Some(kept) = self.trace.prompt.as_mut().filter(|_| is_kept) {
                    kept.phrases = tried;
                }
                match written.is_empty() {
                    // A phrase was asked for, so one sentence is enough.
                    true => self.quote_up_to(1, material),
                    false => Ok(DraftOutcome::Written(written)),
                }
            }
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
        self.quote_up_to(extractive::MAX_QUOTES, material)
    }

    fn quote_up_to(&mut self, most: usize, material: &Material) -> Result<DraftOutcome, ModelError> {
        let quoting = Instant::now();
        match self.quotes(material) {
            Ok(Quotes { mut sentences, .. }) => {
                *self.timings.generate_ms.get_or_insert(0.0) += milliseconds(quoting);
                sentences.truncate(most);
                Ok(DraftOutcome::Quoted(sentences))
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
