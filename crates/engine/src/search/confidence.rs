//! The probability that the passages answer the question: from the reranker's readings, or from the cosine similarity
//! if no reranker was used, through the model's calibration curve (`calibration` in the model catalog).
//!
//! The curve is logistic, over the logit of the most promising part; of a reader also over how far its answer is above
//! "no answer here". The reranker's curve was fitted on 440 questions, of which 179 can be answered from the library
//! that was asked. A reader's curve is fitted on open data that was kept apart from its training. At the threshold the
//! reader alone finds no answer to 4% of 284 answerable questions, to 72% of 132 that only look answerable and to 97% of
//! 64 others; with the doubt of a generator that answers in phrases 5%, 77% and 97% (`models/fit_phrases.py`).

use oriel_core::Calibration;

/// Below this confidence Oriel reports that it found no answer. Some 5% of the questions that the passages answer are
/// below.
pub const LEAST_CONFIDENCE: f32 = 0.36;

/// The confidence if no calibrated model scored the passages.
pub(crate) const UNKNOWN_CONFIDENCE: f32 = 0.5;

/// The probability that the passages answer the question: by the reranker's reading of the most promising part, or by
/// the best cosine similarity if nothing was read.
pub(crate) fn confidence(
    of_reading: Option<f32>,
    similarity: Option<f32>,
    calibration: Option<Calibration>,
) -> f32 {
    let of_similarity = || Some(calibration?.of_similarity(similarity?));
    of_reading.or_else(of_similarity).unwrap_or(UNKNOWN_CONFIDENCE)
}

#[cfg(test)]
mod tests {
    use oriel_core::Reading;

    use super::*;

    #[test]
    fn the_reranker_decides_where_it_was_asked() {
        let of_reading = Calibration { offset: -0.776, slope: 0.353, margin: 0.2 };
        let of_cosine = Some(Calibration { offset: -5.40, slope: 8.39, margin: 0.0 });
        let read = |logit, margin| Some(of_reading.of_reading(&Reading { logit, answer: None, margin }));
        let of = |reading: Option<f32>, similarity| confidence(reading, similarity, of_cosine);
        assert!(of(read(4.0, 0.0), Some(0.1)) > 0.6);
        assert!(of(read(-3.0, 0.0), Some(0.9)) < LEAST_CONFIDENCE);
        assert!(of(read(0.0, 3.0), None) > of(read(0.0, -3.0), None), "an answer that was read counts");
        assert!(of(None, Some(0.3)) < LEAST_CONFIDENCE && LEAST_CONFIDENCE < of(None, Some(0.7)));
        assert!(of(None, None) > LEAST_CONFIDENCE, "words alone are no reason to say that nothing was found");
    }
}
