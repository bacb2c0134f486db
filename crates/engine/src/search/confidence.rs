//! How likely it is that the passages answer the question: from the reranker's score, or from the cosine similarity if
//! no reranker was used, each through its model's calibration curve. The curves are in the model catalog;
//! `docs/architecture.md` says how they were fitted.

use oriel_core::Calibration;

/// The best score of a model; `None` if it was not used.
pub(crate) type Best = Option<f32>;

/// Below this, Oriel says that it found no answer: a logit of about -0.5.
pub const LEAST_CONFIDENCE: f32 = 0.28;

/// The confidence if no calibrated model scored the passages.
const UNKNOWN_CONFIDENCE: f32 = 0.5;

/// The probability that the passages answer the question, from the best reranker logit and the best cosine similarity,
/// each with its calibration.
pub(crate) fn confidence(logit: (Best, Option<Calibration>), similarity: (Best, Option<Calibration>)) -> f32 {
    let read = |(best, calibration): (Best, Option<Calibration>)| Some(calibration?.probability(best?));
    read(logit).or_else(|| read(similarity)).unwrap_or(UNKNOWN_CONFIDENCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reranker_decides_where_it_was_asked() {
        let of_logit = Some(Calibration { offset: -0.776, slope: 0.353 });
        let of_cosine = Some(Calibration { offset: -5.40, slope: 8.39 });
        let of = |logit, similarity| confidence((logit, of_logit), (similarity, of_cosine));
        assert!(of(Some(4.0), Some(0.1)) > 0.6);
        assert!(of(Some(-3.0), Some(0.9)) < LEAST_CONFIDENCE);
        assert!(of(None, Some(0.3)) < LEAST_CONFIDENCE && LEAST_CONFIDENCE < of(None, Some(0.7)));
        assert!(of(None, None) > LEAST_CONFIDENCE, "words alone are no reason to say that nothing was found");
        assert_eq!(
            confidence((Some(-3.0), None), (Some(0.1), None)),
            UNKNOWN_CONFIDENCE,
            "nobody knows what the scores mean"
        );
    }
}
