//! An embedder without a model: pseudorandom vectors, always the same for a text.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oriel_core::{Calibration, CancelToken, Embedder, ModelError, TextKind};
use oriel_engine::{EngineError, IndexProgress, IndexReport, LazyEmbedder, Library};

/// Counts the texts that it embeds.
pub struct FakeEmbedder {
    name: &'static str,
    dimensions: usize,
    embedded: AtomicUsize,
}

impl FakeEmbedder {
    pub fn new(name: &'static str, dimensions: usize) -> Self {
        Self { name, dimensions, embedded: AtomicUsize::new(0) }
    }

    pub fn embedded(&self) -> usize {
        self.embedded.load(Ordering::Relaxed)
    }
}

impl Embedder for FakeEmbedder {
    fn fingerprint(&self) -> &str {
        self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn calibration(&self) -> Option<Calibration> {
        None
    }

    fn token_spans(&self, text: &str) -> Result<Vec<Range<usize>>, ModelError> {
        Ok(text.char_indices().map(|(at, letter)| at..at + letter.len_utf8()).collect())
    }

    fn embed(
        &self,
        texts: &[String],
        _: TextKind,
        cancel: &CancelToken,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        cancel.check()?;
        self.embedded.fetch_add(texts.len(), Ordering::Relaxed);
        let vector = |text: &String| {
            let mut state = text.bytes().fold(1u64, |state, byte| state.wrapping_mul(31) ^ u64::from(byte));
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
            };
            let values: Vec<f32> = (0..self.dimensions).map(|_| next()).collect();
            let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
            values.into_iter().map(|value| value / length).collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

/// Brings a library up to date with a loaded embedder.
pub fn index(
    library: &Library,
    embedder: &Arc<dyn Embedder>,
    progress: &mut (dyn FnMut(IndexProgress<'_>) + Send),
    cancel: &CancelToken,
) -> Result<IndexReport, EngineError> {
    let load = || Ok(Arc::clone(embedder));
    let lazy = LazyEmbedder { fingerprint: Some(embedder.fingerprint().to_owned()), load: &load };
    library.index(&lazy, progress, cancel)
}

/// One of two embedders, by name.
pub fn embedder(name: &str) -> Arc<dyn Embedder> {
    match name {
        "first" => Arc::new(FakeEmbedder::new("first", 48)),
        _ => Arc::new(FakeEmbedder::new("second", 32)),
    }
}
