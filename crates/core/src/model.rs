//! The models as the engine sees them: text in, vectors, scores or tokens out.
//!
//! Implementations are handles: cheap to share, each in front of one thread or process that owns the weights.

use serde::{Deserialize, Serialize};

use crate::{CancelToken, Cancelled, Notice};

/// Why a model did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.notice())]
pub enum ModelError {
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The input does not fit the model; says how long it is and how long it may be, in tokens.
    TooLong {
        /// Tokens asked for.
        tokens: usize,
        /// Tokens the model takes.
        limit: usize,
    },
    /// The model is known and not on this machine.
    Absent {
        /// The model.
        id: String,
    },
    /// The model's thread or process has died; the notice says how, and what to do.
    Died(Notice),
    /// Everything else; the notice names the model or file.
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

/// What a text is to an embedder: some models want to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// What is searched for.
    Query,
    /// What is searched.
    Passage,
}

/// Turns a model's score into the probability that a passage answers the question: the logistic function of
/// `offset + slope * score`, fitted for one model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Where the curve lies.
    pub offset: f32,
    /// How steep it is.
    pub slope: f32,
}

impl Calibration {
    /// The probability, from 0 to 1, at a cosine similarity or a logit.
    #[must_use]
    pub fn probability(&self, score: f32) -> f32 {
        1.0 / (1.0 + (-(self.offset + self.slope * score)).exp())
    }
}

/// Turns sentences and queries into vectors of unit length.
pub trait Embedder: Send + Sync {
    /// Identifies weights, prefixes, pooling and dimensions: vectors of different fingerprints must never be compared.
    fn fingerprint(&self) -> &str;

    /// The length of every vector.
    fn dimensions(&self) -> usize;

    /// What a cosine similarity of its vectors means; `None` where nobody has fitted that.
    fn calibration(&self) -> Option<Calibration>;

    /// One vector a text, in the order given, each `dimensions` long and of unit length. Texts beyond the model's
    /// length are cut at their end.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`], or what became of the model.
    fn embed(
        &self,
        texts: &[String],
        kind: TextKind,
        cancel: &CancelToken,
    ) -> Result<Vec<Vec<f32>>, ModelError>;
}

/// A cross-encoder: how well a passage answers a query.
pub trait Reranker: Send + Sync {
    /// Identifies the weights.
    fn fingerprint(&self) -> &str;

    /// ISO 639-1 codes of the languages it was made for; empty where unknown.
    fn languages(&self) -> &[String];

    /// What its logits mean; `None` where nobody has fitted that.
    fn calibration(&self) -> Option<Calibration>;

    /// Tokens in a pair at most, with the special ones.
    fn max_tokens(&self) -> usize;

    /// How many tokens a pair with this `query` and `passage` has, special ones counted.
    fn pair_tokens(&self, query: &str, passage: &str) -> usize;

    /// One logit a passage, in the order given; higher is better, not a probability. Pairs beyond `max_tokens` are
    /// cut at the passage's end.
    ///
    /// # Errors
    /// [`ModelError::Cancelled`], or what became of the model.
    fn score(&self, query: &str, passages: &[String], cancel: &CancelToken) -> Result<Vec<f32>, ModelError>;
}

/// What a generator is asked to write. The model's own chat template joins the two texts.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerationRequest {
    /// What the model is told of its task.
    pub system: String,
    /// What it is asked, with the passages.
    pub user: String,
    /// Tokens to write at most.
    pub max_tokens: usize,
}

/// How a generation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model said it was done.
    Stop,
    /// `max_tokens` or the context's end was reached.
    Length,
    /// The caller asked to stop; what was written until then is kept.
    Cancelled,
}

/// What came of a generation; the text itself was streamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Tokens written.
    pub tokens: usize,
    /// Why it ended.
    pub finish: Finish,
}

/// Writes text from a prompt, piece by piece.
pub trait Generator: Send + Sync {
    /// The model's id in the catalog.
    fn id(&self) -> &str;

    /// Tokens that prompt and answer may have together. Loads the model where it is not, which may take long.
    ///
    /// # Errors
    /// Where the model cannot be loaded; [`ModelError::Cancelled`] within a second of the token.
    fn context_length(&self, cancel: &CancelToken) -> Result<usize, ModelError>;

    /// Tokens of the prompt that `request` makes, with the chat template. Loads the model where it is not.
    ///
    /// # Errors
    /// Where the model cannot be loaded; [`ModelError::Cancelled`] within a second of the token.
    fn prompt_tokens(&self, request: &GenerationRequest, cancel: &CancelToken) -> Result<usize, ModelError>;

    /// Writes; `piece` receives text as it comes, always whole characters. A cancelled token ends it within one
    /// token and is no error.
    ///
    /// # Errors
    /// [`ModelError::TooLong`] before anything is written where prompt and `max_tokens` exceed the context;
    /// [`ModelError::Died`] where the process that runs the model died, after which the next call starts a new one.
    fn generate(
        &self,
        request: &GenerationRequest,
        piece: &mut dyn FnMut(&str),
        cancel: &CancelToken,
    ) -> Result<Generation, ModelError>;
}
