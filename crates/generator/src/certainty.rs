//! How sure the model is of what it writes.

use llama_cpp_2::token::LlamaToken;

/// How sure the model is of a text, up to its first citation.
#[derive(Default)]
pub(crate) struct Certainty {
    /// The sum of the logarithms of the tokens' probabilities.
    sum: f32,
    tokens: u16,
    is_over: bool,
}

impl Certainty {
    pub(crate) fn add(&mut self, chance: f32, piece: &[u8]) {
        self.is_over |= piece.contains(&b'[');
        if !self.is_over {
            self.sum += chance.max(LEAST_CHANCE).ln();
            self.tokens += 1;
        }
    }

    /// The mean logarithm; `None` without a token.
    pub(crate) fn mean(&self) -> Option<f32> {
        (self.tokens > 0).then(|| self.sum / f32::from(self.tokens))
    }
}

/// The least probability of a token that counts.
const LEAST_CHANCE: f32 = 1e-9;

/// The probability of a token by these logits.
pub(crate) fn chance(logits: &[f32], token: LlamaToken) -> f32 {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
    usize::try_from(token.0)
        .ok()
        .and_then(|at| logits.get(at))
        .map_or(0.0, |logit| (logit - highest).exp() / sum)
}
