//! How sure Oriel is that the passages answer the question: a logistic curve over what retriever and reranker say.

/// What the curve looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Evidence {
    /// The best logit of the reranker; `None` where it was not asked.
    pub logit: Option<f32>,
    /// How far it is above the second best passage's.
    pub margin: f32,
    /// The best cosine similarity of a sentence with the question.
    pub similarity: f32,
}

/// Weights of the logistic curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// Added.
    pub bias: f32,
    /// Of the reranker's best logit.
    pub logit: f32,
    /// Of the lead over the second passage.
    pub margin: f32,
    /// Of the best cosine similarity.
    pub similarity: f32,
}

impl Confidence {
    /// With the reranker.
    pub(crate) const RERANKED: Self = Self { bias: -2.2, logit: 0.55, margin: 0.1, similarity: 2.6 };
    /// Without it.
    pub(crate) const RETRIEVED: Self = Self { bias: -3.4, logit: 0.0, margin: 0.0, similarity: 6.0 };
    /// Below this, Oriel says that it found no answer.
    pub(crate) const LEAST: f32 = 0.25;

    /// The probability that the passages answer the question.
    pub(crate) fn of(evidence: &Evidence) -> f32 {
        let (weights, logit) = match evidence.logit {
            Some(logit) => (Self::RERANKED, logit),
            None => (Self::RETRIEVED, 0.0),
        };
        let sum = weights.bias
            + weights.logit * logit
            + weights.margin * evidence.margin
            + weights.similarity * evidence.similarity;
        1.0 / (1.0 + (-sum).exp())
    }
}
