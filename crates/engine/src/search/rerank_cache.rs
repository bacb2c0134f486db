//! A reranker with a cache. Searching the same question again with another window, filter or number of passages scores mostly
//! the same pairs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use oriel_core::{Calibration, CancelToken, ModelError, Reranker};

/// Maximum number of cached pairs. Beyond it the cache is cleared.
const MAX_CACHED_PAIRS: usize = 4096;

/// Wraps a reranker, which then scores each pair only once.
pub struct CachedReranker {
    reranker: Arc<dyn Reranker>,
    logits: Mutex<HashMap<blake3::Hash, f32>>,
}

impl CachedReranker {
    /// An empty cache in front of `reranker`.
    #[must_use]
    pub fn new(reranker: Arc<dyn Reranker>) -> Self {
        Self { reranker, logits: Mutex::default() }
    }
}

impl Reranker for CachedReranker {
    fn fingerprint(&self) -> &str {
        self.reranker.fingerprint()
    }

    fn languages(&self) -> &[String] {
        self.reranker.languages()
    }

    fn calibration(&self) -> Option<Calibration> {
        self.reranker.calibration()
    }

    fn max_tokens(&self) -> usize {
        self.reranker.max_tokens()
    }

    fn pair_tokens(&self, query: &str, passage: &str) -> usize {
        self.reranker.pair_tokens(query, passage)
    }

    fn score(&self, query: &str, passages: &[String], cancel: &CancelToken) -> Result<Vec<f32>, ModelError> {
        let question = blake3::hash(query.as_bytes());
        let pairs: Vec<blake3::Hash> = passages
            .iter()
            .map(|passage| blake3::keyed_hash(question.as_bytes(), passage.as_bytes()))
            .collect();
        // The lock is not held while the model works, so two callers may score the same pair.
        let known = |pair: &blake3::Hash| {
            self.logits.lock().unwrap_or_else(PoisonError::into_inner).get(pair).copied()
        };
        let mut logits: Vec<Option<f32>> = pairs.iter().map(known).collect();
        let unknown: Vec<usize> = (0..pairs.len()).filter(|&at| logits[at].is_none()).collect();
        if !unknown.is_empty() {
            let texts: Vec<String> = unknown.iter().map(|&at| passages[at].clone()).collect();
            let scores = self.reranker.score(query, &texts, cancel)?;
            let mut remembered = self.logits.lock().unwrap_or_else(PoisonError::into_inner);
            if remembered.len() + scores.len() > MAX_CACHED_PAIRS {
                remembered.clear();
            }
            for (at, score) in unknown.into_iter().zip(scores) {
                remembered.insert(pairs[at], score);
                logits[at] = Some(score);
            }
        }
        Ok(logits.into_iter().flatten().collect())
    }
}
