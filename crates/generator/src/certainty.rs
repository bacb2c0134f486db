//! How sure the model is of what it writes.

use llama_cpp_2::token::LlamaToken;

/// The least probability of a token that counts.
const LEAST_CHANCE: f32 = 1e-9;

/// How sure the model is of the words before each citation.
#[derive(Default)]
pub(crate) struct Certainty {
    /// The mean logarithm of the tokens' probabilities, for each group of words that a citation ended.
    means: Vec<f32>,
    /// The sum of the logarithms in the present group.
    sum: f32,
    tokens: u16,
    is_citation: bool,
}

impl Certainty {
    /// Counts a token with its probability.
    pub(crate) fn add(&mut self, chance: f32, piece: &[u8]) {
        if piece.contains(&b'[') {
            self.end_group();
            self.is_citation = true;
        }
        if !self.is_citation {
            self.sum += chance.max(LEAST_CHANCE).ln();
            self.tokens += 1;
        }
        if piece.contains(&b']') {
            self.is_citation = false;
        }
    }

    /// The mean logarithm of each group.
    pub(crate) fn means(mut self) -> Vec<f32> {
        self.end_group();
        self.means
    }

    fn end_group(&mut self) {
        if self.tokens > 0 {
            self.means.push(self.sum / f32::from(self.tokens));
        }
        (self.sum, self.tokens) = (0.0, 0);
    }
}

/// The probability of a token by these logits.
pub(crate) fn chance(logits: &[f32], token: LlamaToken) -> f32 {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
    usize::try_from(token.0)
        .ok()
        .and_then(|at| logits.get(at))
        .map_or(0.0, |logit| (logit - highest).exp() / sum)
}

#[cfg(test)]
mod tests {
    use super::Certainty;

    #[test]
    fn each_phrase_has_its_own_certainty() {
        let mut certainty = Certainty::default();
        for (chance, piece) in
            [(1.0, "72"), (0.25, " hours"), (0.1, " ["), (0.1, "1"), (0.1, "]."), (1.0, " No"), (0.0, " [")]
        {
            certainty.add(chance, piece.as_bytes());
        }
        assert_eq!(certainty.means(), [0.25_f32.ln() / 2.0, 0.0], "citations do not count");
        assert!(Certainty::default().means().is_empty());
    }
}
