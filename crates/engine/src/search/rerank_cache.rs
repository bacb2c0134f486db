//! A reranker with a cache. Searching for the same question with another window, filter or number of passages mostly
//! scores the same pairs.

use std::collections::HashMap;
use std::sync::Arc;

use oriel_core::{Calibration, CancelToken, ModelError, Reading, Reranker};
use parking_lot::Mutex;

/// Maximum number of cached pairs. Beyond it the cache is cleared.
const MAX_CACHED_PAIRS: usize = 4096;

/// Wraps a reranker, which then reads each pair only once.
pub struct CachedReranker {
    reranker: Arc<dyn Reranker>,
    readings: Mutex<HashMap<blake3::Hash, Reading>>,
}

impl CachedReranker {
    /// An empty cache in front of `reranker`.
    #[must_use]
    pub fn new(reranker: Arc<dyn Reranker>) -> Self {
        Self { reranker, readings: Mutex::default() }
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

    fn read(
        &self,
        query: &str,
        passages: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<Reading>, ModelError> {
        let question = blake3::hash(query.as_bytes());
        let pairs: Vec<blake3::Hash> = passages
            .iter()
            .map(|passage| blake3::keyed_hash(question.as_bytes(), passage.as_bytes()))
            .collect();
        // The lock is not held while the model works, so two callers may read the same pair.
        let known = |pair: &blake3::Hash| self.readings.lock().get(pair).cloned();
        let mut readings: Vec<Option<Reading>> = pairs.iter().map(known).collect();
        let unknown: Vec<usize> = (0..pairs.len()).filter(|&at| readings[at].is_none()).collect();
        if !unknown.is_empty() {
            let texts: Vec<String> = unknown.iter().map(|&at| passages[at].clone()).collect();
            let read = self.reranker.read(query, &texts, cancel)?;
            let mut remembered = self.readings.lock();
            if remembered.len() + read.len() > MAX_CACHED_PAIRS {
                remembered.clear();
            }
            for (at, reading) in unknown.into_iter().zip(read) {
                remembered.insert(pairs[at], reading.clone());
                readings[at] = Some(reading);
            }
        }
        Ok(readings.into_iter().flatten().collect())
    }
}
