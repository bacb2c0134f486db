//! The models as the engine sees them: text in, vectors, scores or tokens out.
//!
//! Implementations are cheap handles to the one thread or process that owns the weights.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{CancelToken, Cancelled, Notice};

/// Why a model failed.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.notice())]
pub enum ModelError {
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The input is longer than the model allows, in tokens.
    TooLong {
        /// Tokens of the input.
        tokens: usize,
        /// Tokens the model takes.
        limit: usize,
    },
    /// The model is known but not on this machine.
    Absent {
        /// The model.
        id: String,
    },
    /// The model's thread or process has died; the notice says how, and what to do.
    Died(Notice),
    /// Any other error; the notice names the model or file.
    Failed(Notice),
}

impl ModelError {
    /// The message for a person.
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
    /// The query.
    Query,
    /// A text that is searched.
    Passage,
}

/// Turns a model's score into the probability that a passage answers the question: the logistic function of
/// `offset + slope * score + margin * answer margin`, fitted for one model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Where the curve crosses one half.
    pub offset: f32,
    /// The weight of a cosine similarity or a logit.
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

/// Maps what a reranker and a generator that answers in phrases make of the passages to a probability that these answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhraseCalibration {
    /// Where the curve crosses one half.
    pub offset: f32,
    /// The weight of the logit of the reranker's probability.
    pub reading: f32,
    /// The weight of the logit of [`Generation::refusal`].
    pub refusal: f32,
}

impl PhraseCalibration {
    /// The probability, from 0 to 1, that the passages answer: `read` is that of the reranker, `refusal` that of a refusal.
    #[must_use]
    pub fn probability(&self, read: f32, refusal: f32) -> f32 {
        sigmoid(self.offset + self.reading * logit(read) - self.refusal * logit(refusal))
    }

    /// The probability of a refusal from which on the passages answer less likely than `least`.
    #[must_use]
    pub fn refuses_from(&self, read: f32, least: f32) -> f32 {
        sigmoid((self.offset + self.reading * logit(read) - logit(least)) / self.refusal)
    }
}

/// A probability as a logit, of at most 12 either way.
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

    /// Maps its cosine similarities to probabilities; `None` if nobody has fitted that.
    fn calibration(&self) -> Option<Calibration>;

    /// The bytes of each token of `text`, in order, without special tokens and however long the text is.
    ///
    /// # Errors
    /// If the tokenizer fails.
    fn token_spans(&self, text: &str) -> Result<Vec<Range<usize>>, ModelError>;

    /// One vector per text, in the given order, each `dimensions` long and of unit length. Longer texts than the model
    /// takes are cut at their end.
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

/// A cross-encoder: how well a passage answers a query, and with which words if it is a reader.
pub trait Reranker: Send + Sync {
    /// Identifies the weights.
    fn fingerprint(&self) -> &str;

    /// ISO 639-1 codes of the languages it was made for; empty if unknown.
    fn languages(&self) -> &[String];

    /// Maps its logits to probabilities; `None` if nobody has fitted that.
    fn calibration(&self) -> Option<Calibration>;

    /// Maximum tokens of a pair, including special tokens.
    fn max_tokens(&self) -> usize;

    /// How many tokens a pair of this `query` and `passage` has, including special tokens.
    fn pair_tokens(&self, query: &str, passage: &str) -> usize;

    /// One reading per passage, in the given order. Pairs beyond `max_tokens` are cut at the passage's end.
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
    /// How well the passage answers the query; higher is better, not a probability.
    pub logit: f32,
    /// The bytes of the passage that are the answer, if it has one. `None` if the model does not read answers, or the
    /// passage has no words.
    pub answer: Option<Range<usize>>,
    /// The logit of that answer minus the logit of "no answer here"; 0 without an answer.
    pub margin: f32,
}

/// How likely a passage supports a claim, contradicts it, or says neither; the three add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entailment {
    /// It says what the claim says.
    pub supported: f32,
    /// It says otherwise.
    pub contradicted: f32,
    /// It does not say.
    pub not_found: f32,
}

/// A cross-encoder that holds claims against passages.
pub trait ClaimChecker: Send + Sync {
    /// The languages it was made for (ISO 639-1); empty for all. What is in another language must not be given to it.
    fn languages(&self) -> &[String] {
        &[]
    }

    /// One result a passage, in the order given; each passage comes with the position of the claim that it is held against.
    /// Pairs beyond the model's length are cut at the passage's end.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`], or what became of the model.
    fn check(
        &self,
        claims: &[String],
        passages: &[(usize, String)],
        cancel: &CancelToken,
    ) -> Result<Vec<Entailment>, ModelError>;
}

/// What a generator is asked to write. The model's own chat template joins the two texts.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerationRequest {
    /// The system prompt.
    pub system: String,
    /// The user prompt, with the passages.
    pub user: String,
    /// What may be written.
    pub form: TextForm,
    /// Maximum number of tokens to write.
    pub max_tokens: usize,
    /// For a model that answers in phrases ([`Generator::answers_in_phrases`]): how it refuses. `None` for its own weights alone.
    pub refusal: Option<Refusal>,
}

/// What a generator may write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextForm {
    /// Any text.
    Free,
    /// Text that cites so many passages, numbered from 1: `[n]` with another number is not written. With none it is free.
    Citing(usize),
    /// A text of this grammar (GBNF, as llama.cpp reads it). Only a generator that [`Generator::keeps_grammar`] is asked for one.
    Grammar(String),
}

/// When a generator says that the passages do not answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// What it has learned to say then.
    pub text: String,
    /// It says so if that is at least so likely, and otherwise not at all.
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generation {
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Tokens written.
    pub tokens: usize,
    /// How likely the text was to begin as [`GenerationRequest::refusal`] does; `None` without one.
    pub refusal: Option<f32>,
    /// Why it ended.
    pub finish: Finish,
}

/// Writes text from a prompt, piece by piece.
pub trait Generator: Send + Sync {
    /// The model's id in the catalog.
    fn id(&self) -> &str;

    /// If it has learned to answer from passages in a phrase and to say when they do not answer: how sure its answers are. Its
    /// prompt is another one.
    fn answers_in_phrases(&self) -> Option<PhraseCalibration> {
        None
    }

    /// Whether it writes nothing but what a [`TextForm::Grammar`] allows.
    fn keeps_grammar(&self) -> bool {
        false
    }

    /// Maximum tokens of prompt and answer together. Loads the model if needed, which may take long.
    ///
    /// # Errors
    /// If the model cannot be loaded; [`ModelError::Cancelled`] within a second of the token.
    fn context_length(&self, cancel: &CancelToken) -> Result<usize, ModelError>;

    /// Tokens of the prompt that `request` makes, with the chat template. Loads the model if needed.
    ///
    /// # Errors
    /// If the model cannot be loaded; [`ModelError::Cancelled`] within a second of the token.
    fn prompt_tokens(&self, request: &GenerationRequest, cancel: &CancelToken) -> Result<usize, ModelError>;

    /// Loads the model and lets it read what the prompts to come begin with, such as `request`, if it has written nothing
    /// yet. A model elsewhere is not asked.
    ///
    /// # Errors
    /// If the model cannot be loaded; [`ModelError::Cancelled`] within a second of the token.
    fn prepare(&self, _request: &GenerationRequest, _cancel: &CancelToken) -> Result<(), ModelError> {
        Ok(())
    }

    /// Writes; `piece` receives text as it comes, always whole characters. A cancelled token ends it within one token,
    /// which is not an error.
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
        let calibration = PhraseCalibration { offset: 0.3, reading: 0.4, refusal: 0.7 };
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
