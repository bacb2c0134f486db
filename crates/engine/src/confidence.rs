//! How sure Oriel is that the passages answer the question: a logistic curve over what the reranker says, or over the
//! cosine similarity where it was not asked.
//!
//! Fitted on 150 answerable questions of encyclopedia articles, 150 that only look answerable, and 140 questions, most
//! of them foreign to the library they were asked of; `docs/architecture.md` says what came of it.

/// What the curve looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Evidence {
    /// The best logit of the reranker; `None` where it was not asked.
    pub logit: Option<f32>,
    /// The best cosine similarity of a sentence with the question; `None` where nothing was searched by meaning.
    pub similarity: Option<f32>,
}

/// Below this, Oriel says that it found no answer: a logit of about -0.5.
pub const LEAST: f32 = 0.28;

/// What is said of passages that only words found and no model read.
const UNKNOWN: f32 = 0.5;

/// The probability that the passages answer the question.
pub(crate) fn confidence(evidence: &Evidence) -> f32 {
    match (evidence.logit, evidence.similarity) {
        (Some(logit), _) => logistic(-0.776 + 0.353 * logit),
        (None, Some(similarity)) => logistic(-5.40 + 8.39 * similarity),
        (None, None) => UNKNOWN,
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reranker_decides_where_it_was_asked() {
        let of = |logit, similarity| confidence(&Evidence { logit, similarity });
        assert!(of(Some(4.0), Some(0.1)) > 0.6);
        assert!(of(Some(-3.0), Some(0.9)) < LEAST);
        assert!(of(None, Some(0.3)) < LEAST && LEAST < of(None, Some(0.7)));
        assert!(of(None, None) > LEAST, "words alone are no reason to say that nothing was found");
    }
}
