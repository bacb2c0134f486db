//! The checker: a cross-encoder that compares claims with passages, on Candle.

use oriel_core::{CancelToken, ClaimChecker, Entailment, ModelError};

use crate::cross_encoder::{CrossEncoder, PairOutput, Pairs};
use crate::model_thread::ModelThread;
use crate::{CandleSettings, Model, Role};

/// The labels of a checker, in this order: supported, contradicted, not found.
const LABELS: usize = 3;

/// A cross-encoder with three labels, on its own thread.
pub struct CandleChecker {
    owner: ModelThread<Pairs, Vec<PairOutput>>,
    languages: Vec<String>,
}

impl CandleChecker {
    /// Loads an installed checker. It always computes in f32, because it decides which sentences count as supported.
    ///
    /// # Errors
    /// [`ModelError::Absent`] if it is not installed, [`ModelError::Failed`] if it is not a checker or a file is wrong.
    pub fn load(model: &Model, settings: &CandleSettings) -> Result<Self, ModelError> {
        let settings = CandleSettings { exact: true, ..settings.clone() };
        let encoder = CrossEncoder::load(model, Role::Checker, LABELS, &settings)?;
        let languages = model.entry.languages.clone();
        Ok(Self { owner: encoder.start(&model.entry.id, &settings)?, languages })
    }
}

impl ClaimChecker for CandleChecker {
    fn languages(&self) -> &[String] {
        &self.languages
    }

    fn check(
        &self,
        claims: &[String],
        passages: &[(usize, String)],
        cancel: &CancelToken,
    ) -> Result<Vec<Entailment>, ModelError> {
        let pairs = Pairs { firsts: claims.to_vec(), seconds: passages.to_vec(), cancel: cancel.clone() };
        Ok(self.owner.ask(pairs)?.iter().map(|output| softmax(&output.logits)).collect())
    }
}

fn softmax(logits: &[f32]) -> Entailment {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| (logit - highest).exp()).collect();
    let sum: f32 = powers.iter().sum();
    let share = |label: usize| powers.get(label).map_or(0.0, |power| power / sum);
    Entailment { supported: share(0), contradicted: share(1), not_found: share(2) }
}
