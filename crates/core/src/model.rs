//! The models as the engine sees them: text in; vectors, scores or tokens out.
//!
//! Implementations are cheap handles to the one thread or process that owns the weights.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{CancelToken, Cancelled, Notice};

/// Why a model failed.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.notice())]
pub enum ModelError {
    /// The caller cancelled the request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The input is longer than the model allows, in tokens.
    TooLong {
        tokens: usize,
        /// The model's limit.
        limit: usize,
    },
    /// The model is known, but not on this computer.
    Absent { id: String },
    /// The model's thread or process died; the notice says how, and what to do.
    Died(Notice),
    /// Any other error; the notice names the model or file.
    Failed(Notice),
}

impl ModelError {
    /// The message for the user.
    #[must_use]
    pub fn notice(&self) -> Notice {
        match self {
            Self::Cancelled(_) => Notice::Cancelled,
            &Self::TooLong { tokens, limit } => Notice::TooManyTokens { tokens, limit },
            Self::Absent { id } => Notice::ModelAbsent { id: id.clone() },
            Self::Died(notice) | Self::Failed(notice) => notice.clone(),
        }
    }
}

/// The role of a text for an embedder: some models use a different prefix for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    Query,
    Passage,
}

/// Turns a model's score into the probability that a passage answers the question: the logistic function of
/// `offset + slope * score + margin * answer margin`, fitted for one model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The intercept of the curve.
    pub offset: f32,
    /// The weight of the score, which is a cosine similarity or a logit.
    pub slope: f32,
    /// The weight of [`Reading::margin`]; 0 for a model that does not read answers.
    #[serde(default)]
    pub margin: f32,
}

impl Calibration {
    /// The probability, from 0 to 1, for a cosine similarity.
    #[must_use]
    pub fn of_similarity(&self, similarity: f32) -> f32 {
        sigmoid(self.offset + self.slope * similarity)
    }

    /// The probability, from 0 to 1, that a passage answers the question.
    #[must_use]
    pub fn of_reading(&self, reading: &Reading) -> f32 {
        sigmoid(self.offset + self.slope * reading.logit + self.margin * reading.margin)
    }
}

/// Turns the scores of a reranker and of a generator that answers in phrases into the probability that the passages
/// answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhraseCalibration {
    /// The intercept of the curve.
    pub offset: f32,
    /// The weight of the logit of the reranker's probability.
    pub reading: f32,
    /// The weight of the logit of [`Generation::refusal`].
    pub refusal: f32,
    /// The same for a phrase of the answer.
    pub phrase: PhraseWeights,
}

/// What speaks for a phrase that a generator wrote.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct PhraseSignals {
    /// The probability, from 0 to 1, that its passage says that it answers the question, by the checker.
    pub checked: f32,
    /// Whether the reader finds the same words in the first passage.
    pub is_read: bool,
    /// How sure the generator was of it ([`Generation::certainties`]).
    pub certainty: f32,
    /// The reranker's probability that the passages answer.
    pub read: f32,
    /// [`Generation::refusal`].
    pub refusal: f32,
}

/// The weights of [`PhraseSignals`] in the probability that a phrase is the answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhraseWeights {
    /// The intercept of the curve.
    pub offset: f32,
    /// The weight of the logit of [`PhraseSignals::checked`].
    pub checked: f32,
    /// What is added if the reader finds the same words.
    pub is_read: f32,
    /// The weight of [`PhraseSignals::certainty`].
    pub certainty: f32,
    /// The weight of the logit of [`PhraseSignals::read`].
    pub read: f32,
    /// The weight of the logit of [`PhraseSignals::refusal`].
    pub refusal: f32,
}

impl PhraseWeights {
    /// The probability, from 0 to 1, that a phrase is the answer.
    #[must_use]
    pub fn probability(&self, signals: &PhraseSignals) -> f32 {
        let PhraseSignals { checked, is_read, certainty, read, refusal } = *signals;
        // The checker says 0 where it is not sure, too.
        let checked = checked.clamp(LEAST_CHECKED, 1.0 - LEAST_CHECKED);
        let is_read = if is_read { self.is_read } else { 0.0 };
        let logits = self.checked * logit(checked) + self.read * logit(read) - self.refusal * logit(refusal);
        sigmoid(self.offset + is_read + self.certainty * certainty + logits)
    }
}

/// The checker's probability is clamped to this and to 1 minus this.
const LEAST_CHECKED: f32 = 0.01;

impl PhraseCalibration {
    /// The probability, from 0 to 1, that the passages answer. `read` is the reranker's probability, `refusal` the
    /// generator's probability of a refusal.
    #[must_use]
    pub fn probability(&self, read: f32, refusal: f32) -> f32 {
        sigmoid(self.offset + self.reading * logit(read) - self.refusal * logit(refusal))
    }

    /// The probability of a refusal above which the probability of an answer is below `least`.
    #[must_use]
    pub fn refuses_from(&self, read: f32, least: f32) -> f32 {
        sigmoid((self.offset + self.reading * logit(read) - logit(least)) / self.refusal)
    }
}

/// A probability as a logit, limited to ±12.
fn logit(probability: f32) -> f32 {
    (probability / (1.0 - probability)).ln().clamp(-12.0, 12.0)
}

/// A logit as a probability.
#[must_use]
pub fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Turns sentences and queries into vectors of unit length.
pub trait Embedder: Send + Sync {
    /// Identifies weights, prefixes, pooling and dimensions: vectors of different fingerprints must never be compared.
    fn fingerprint(&self) -> &str;

    /// The length of every vector.
    fn dimensions(&self) -> usize;

    /// Maps its cosine similarities to probabilities; `None` if it was not fitted.
    fn calibration(&self) -> Option<Calibration>;

    /// The bytes of each token of `text`, in order, without special tokens and without a limit on the length.
    ///
    /// # Errors
    /// If the tokenizer fails.
    fn token_spans(&self, text: &str) -> Result<Vec<Range<usize>>, ModelError>;

    /// One vector per text, in the given order, each of unit length and `dimensions` long. Texts that are too long for
    /// the model are cut at their end.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`], or why the model failed.
    fn embed(
        &self,
        texts: &[String],
        kind: TextKind,
        cancel: &CancelToken,
    ) -> Result<Vec<Vec<f32>>, ModelError>;
}

/// A cross-encoder: scores how well a passage answers a query, and finds the words of the answer if it is a reader.
pub trait Reranker: Send + Sync {
    /// Identifies the weights.
    fn fingerprint(&self) -> &str;

    /// ISO 639-1 codes of the languages it supports; empty if unknown.
    fn languages(&self) -> &[String];

    /// Maps its logits to probabilities; `None` if it was not fitted.
    fn calibration(&self) -> Option<Calibration>;

    /// Maximum number of tokens in a pair, including special tokens.
    fn max_tokens(&self) -> usize;

    /// The number of tokens in the pair of `query` and `passage`, including special tokens.
    fn pair_tokens(&self, query: &str, passage: &str) -> usize;

    /// One reading per passage, in the given order. Pairs longer than `max_tokens` are cut at the passage's end.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`], or why the model failed.
    fn read(
        &self,
        query: &str,
        passages: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<Reading>, ModelError>;

    /// The logit of each reading.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn score(&self, query: &str, passages: &[String], cancel: &CancelToken) -> Result<Vec<f32>, ModelError> {
        Ok(self.read(query, passages, cancel)?.iter().map(|reading| reading.logit).collect())
    }
}

/// What a cross-encoder finds in one passage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// How well the passage answers the query: higher is better, not a probability.
    pub logit: f32,
    /// The bytes of the answer in the passage. `None` if there is no answer, if the model does not read answers, or if
    /// the passage has no words.
    pub answer: Option<Range<usize>>,
    /// The logit of that answer minus the logit of "no answer here"; 0 without an answer.
    pub margin: f32,
}

/// The probabilities that a passage supports a claim, contradicts it, or says neither; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entailment {
    pub supported: f32,
    pub contradicted: f32,
    pub not_found: f32,
}

/// A cross-encoder that compares claims with passages.
pub trait ClaimChecker: Send + Sync {
    /// ISO 639-1 codes of the languages it supports; empty for all. It must not get texts in other languages.
    fn languages(&self) -> &[String] {
        &[]
    }

    /// One result for each passage, in the given order. Each passage comes with the index of the claim to compare it
    /// with. Pairs longer than the model's limit are cut at the passage's end.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`], or why the model failed.
    fn check(
        &self,
        claims: &[String],
        passages: &[(usize, String)],
        cancel: &CancelToken,
    ) -> Result<Vec<Entailment>, ModelError>;
}

/// A prompt for a generator. The model's own chat template joins the two texts.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerationRequest {
    pub system: String,
    /// The user prompt, with the passages.
    pub user: String,
    /// What may be written.
    pub form: TextForm,
    /// Maximum number of tokens to write.
    pub max_tokens: usize,
    /// The refusal of a model that answers in phrases ([`Generator::answers_in_phrases`]). `None` uses the model
    /// without its adapter.
    pub refusal: Option<Refusal>,
}

/// What a generator may write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextForm {
    /// Any text.
    Free,
    /// A text that cites passages: `[n]` is written only for `n` from 1 to this number; 0 leaves the text free.
    Citing(usize),
    /// A text of this grammar (GBNF, as llama.cpp reads it), for generators with [`Generator::keeps_grammar`].
    Grammar(String),
}

/// How and when a generator says that the passages do not answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The refusal that the model was trained to write.
    pub text: String,
    /// The probability above which the model refuses; below it the model never does.
    pub from: f32,
}

/// Why a generation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model wrote its end token.
    Stop,
    /// It reached `max_tokens` or the end of the context.
    Length,
    /// The caller cancelled; the text so far is kept.
    Cancelled,
}

/// The result of a generation; the text itself was streamed.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    pub prompt_tokens: usize,
    pub tokens: usize,
    /// The probability of the text beginning as [`GenerationRequest::refusal`] does; `None` without one.
    pub refusal: Option<f32>,
    /// How sure the model was of its words: the mean natural logarithm of the probabilities of the tokens before each citation, at most
    /// 0. Empty for other than the adapter's texts.
    pub certainties: Vec<f32>,
    /// Why it ended.
    pub finish: Finish,
}

/// Writes text from a prompt, piece by piece.
pub trait Generator: Send + Sync {
    /// The model's id in the catalog.
    fn id(&self) -> &str;

    /// How sure the answers are of a model that was trained to answer in a phrase and to refuse if the passages do not
    /// answer; `None` for other models. Such a model gets another prompt.
    fn answers_in_phrases(&self) -> Option<PhraseCalibration> {
        None
    }

    /// Whether it writes only what a [`TextForm::Grammar`] allows.
    fn keeps_grammar(&self) -> bool {
        false
    }

    /// Maximum number of tokens in prompt and answer together. Loads the model if needed, which may take long.
    ///
    /// # Errors
    /// If the model cannot be loaded; [`ModelError::Cancelled`] within a second after the cancellation.
    fn context_length(&self, cancel: &CancelToken) -> Result<usize, ModelError>;

    /// The number of tokens in the prompt that `request` becomes with the chat template. Loads the model if needed.
    ///
    /// # Errors
    /// If the model cannot be loaded; [`ModelError::Cancelled`] within a second after the cancellation.
    fn prompt_tokens(&self, request: &GenerationRequest, cancel: &CancelToken) -> Result<usize, ModelError>;

    /// Loads the model and processes the beginning that coming prompts share with `request`, if it has not written
    /// anything yet. Does nothing for a model on a server.
    ///
    /// # Errors
    /// If the model cannot be loaded; [`ModelError::Cancelled`] within a second after the cancellation.
    fn prepare(&self, _request: &GenerationRequest, _cancel: &CancelToken) -> Result<(), ModelError> {
        Ok(())
    }

    /// Writes text. `piece` receives it as it comes, always in whole characters. A cancellation ends it within one
    /// token and is not an error.
    ///
    /// # Errors
    /// [`ModelError::TooLong`] before anything is written if prompt and `max_tokens` exceed the context;
    /// [`ModelError::Died`] if the model's process died, after which the next call starts a new one.
    fn generate(
        &self,
        request: &GenerationRequest,
        piece: &mut dyn FnMut(&str),
        cancel: &CancelToken,
    ) -> Result<Generation, ModelError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_refuses_just_where_the_passages_answer_too_unlikely() {
        let phrase = PhraseWeights {
            offset: 0.0,
            checked: 1.0,
            is_read: 1.0,
            certainty: 1.0,
            read: 1.0,
            refusal: 1.0,
        };
        let calibration = PhraseCalibration { offset: 0.3, reading: 0.4, refusal: 0.7, phrase };
        for read in [0.02, 0.3, 0.9] {
            let from = calibration.refuses_from(read, 0.28);
            assert!((calibration.probability(read, from) - 0.28).abs() < 1e-3, "{read}: {from}");
            assert!(calibration.probability(read, from / 2.0) > 0.28);
        }
        assert!(
            calibration.refuses_from(0.1, 0.28) < calibration.refuses_from(0.9, 0.28),
            "what was read counts"
        );
        assert!(calibration.probability(0.5, 0.0) <= 1.0 && calibration.probability(1.0, 1.0) >= 0.0);
    }
}
