//! The reranker: a cross-encoder that scores passages for a query, on Candle.

use std::sync::Arc;

use oriel_core::{Calibration, CancelToken, ModelError, Reading, Reranker};

use crate::cross_encoder::{CrossEncoder, PairOutput, Pairs};
use crate::model_thread::ModelThread;
use crate::tokens::Tokens;
use crate::{CandleSettings, Entry, Model, Role};

/// A cross-encoder with one logit, on its own thread.
pub struct CandleReranker {
    owner: ModelThread<Pairs, Vec<PairOutput>>,
    /// Shared with the thread: counting tokens needs no weights and should not wait for a batch.
    tokens: Arc<Tokens>,
    max_tokens: usize,
    fingerprint: String,
    languages: Vec<String>,
    calibration: Option<Calibration>,
}

impl CandleReranker {
    /// Loads an installed reranker.
    ///
    /// # Errors
    /// [`ModelError::Absent`] if it is not installed, [`ModelError::Failed`] if it is not a reranker or a file is
    /// wrong.
    pub fn load(model: &Model, settings: &CandleSettings) -> Result<Self, ModelError> {
        let encoder = CrossEncoder::load(model, Role::Reranker, 1, settings)?;
        let (tokens, max_tokens) = (Arc::clone(&encoder.tokens), encoder.max_tokens);
        let owner = encoder.start(&model.entry.id, settings)?;
        let Entry { languages, calibration, .. } = &model.entry;
        let (languages, calibration) = (languages.clone(), *calibration);
        Ok(Self { owner, tokens, max_tokens, fingerprint: model.weights_name(), languages, calibration })
    }
}

impl Reranker for CandleReranker {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn languages(&self) -> &[String] {
        &self.languages
    }

    fn calibration(&self) -> Option<Calibration> {
        self.calibration
    }

    fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    fn pair_tokens(&self, query: &str, passage: &str) -> usize {
        // A text that the tokenizer rejects counts as too long, so that it is not used; scoring it returns the error.
        let count = |text: &str| self.tokens.ids(text).map_or(self.max_tokens, |ids| ids.len());
        count(query) + count(passage) + self.tokens.special_of_pair()
    }

    fn read(
        &self,
        query: &str,
        passages: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<Reading>, ModelError> {
        let seconds = passages.iter().map(|passage| (0, passage.clone())).collect();
        let read =
            self.owner.ask(Pairs { firsts: vec![query.to_owned()], seconds, cancel: cancel.clone() })?;
        let reading = |output: PairOutput| {
            let logit = output.logits.first().copied().unwrap_or(f32::NEG_INFINITY);
            let (answer, margin) = output.answer.map_or((None, 0.0), |(words, margin)| (Some(words), margin));
            Reading { logit, answer, margin }
        };
        Ok(read.into_iter().map(reading).collect())
    }
}
