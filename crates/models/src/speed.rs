//! The speed of models on this computer, measured once and stored beside the downloaded models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use oriel_core::{
    CancelToken, Embedder, GenerationRequest, Generator, ModelError, Notice, Reranker, TextForm, TextKind,
};
use serde::{Deserialize, Serialize};

use crate::{LlamaProcess, Loaded, Model};

/// The file with the speeds, in the folder of the downloaded models.
const FILE: &str = "speeds.json";
/// A sentence of ordinary length.
const SENTENCE: &str =
    "The board agreed on Tuesday to put off the second phase until the pump had been tested again.";
/// Sentences per passage, and in the prompt that measures a generator.
const PASSAGE: usize = 6;
/// Sentences that measure an embedder, and passages that measure a reranker.
const SENTENCES: usize = 64;
const PASSAGES: usize = 8;
/// Tokens that a generator writes for a measurement.
const WRITTEN: usize = 32;

/// A model's speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// The device: `CPU`, or the graphics card's name.
    pub device: String,
    /// Per second: words that a generator writes, sentences that an embedder embeds, passages that a reranker scores.
    pub per_second: f32,
    /// Prompt tokens that a generator processes per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_per_second: Option<f32>,
    /// Why a generator's own chat template is not used, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// The speeds on this computer, by weights, device and threads.
#[derive(Debug)]
pub struct Speeds {
    path: PathBuf,
    known: Mutex<Option<BTreeMap<String, Speed>>>,
}

impl Speeds {
    pub(crate) fn new(cache: &Path) -> Self {
        Self { path: cache.join(FILE), known: Mutex::new(None) }
    }

    /// The speed of `model` with `settings` such as `CPU, 8 threads`; `None` until it is measured.
    #[must_use]
    pub fn of(&self, model: &Model, settings: &str) -> Option<Speed> {
        self.with(|known| known.get(&key(model, settings)).cloned())
    }

    /// Stores a speed. If the folder cannot be written, the speed is measured again next time.
    pub(crate) fn keep(&self, model: &Model, settings: &str, speed: Speed) {
        let text = self.with(|known| {
            known.insert(key(model, settings), speed);
            serde_json::to_string_pretty(known)
        });
        let written = text.map_err(std::io::Error::from).and_then(|text| {
            let folder = self.path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            std::io::Write::write_all(&mut file, text.as_bytes())?;
            file.persist(&self.path).map(drop).map_err(|e| e.error)
        });
        drop(written);
    }

    fn with<T>(&self, act: impl FnOnce(&mut BTreeMap<String, Speed>) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            let text = std::fs::read(&self.path).ok()?;
            serde_json::from_slice(&text).ok()
        };
        act(known.get_or_insert_with(|| read().unwrap_or_default()))
    }
}

/// The key of a model's speed. It contains Oriel's version, because another version's kernels may be faster or slower.
fn key(model: &Model, settings: &str) -> String {
    format!("{} on {settings}, Oriel {}", model.weights_name(), env!("CARGO_PKG_VERSION"))
}

/// Measures a generator with a short prompt and some words, which takes a few seconds.
pub(crate) fn generator(generator: &LlamaProcess, cancel: &CancelToken) -> Result<Speed, ModelError> {
    let request = GenerationRequest {
        system: "You tell long stories.".into(),
        user: format!("{} Go on with this story, in many sentences.", [SENTENCE; 2 * PASSAGE].join(" ")),
        form: TextForm::Free,
        refusal: None,
        max_tokens: WRITTEN,
    };
    // The model is loaded first, since loading is not measured.
    let Loaded { device, notice, .. } = generator.loaded(cancel)?;
    let (start, mut first, mut text) = (Instant::now(), None, String::new());
    let written = generator.generate(
        &request,
        &mut |piece| {
            first.get_or_insert_with(Instant::now);
            text.push_str(piece);
        },
        cancel,
    )?;
    cancel.check()?;
    let Some(first) = first else {
        return Err(ModelError::Failed(Notice::ModelWroteNothing { id: generator.id().to_owned() }));
    };
    let (reading, writing) = ((first - start).as_secs_f32(), first.elapsed().as_secs_f32());
    Ok(Speed {
        device,
        per_second: rate(text.split_whitespace().count().saturating_sub(1), writing),
        prompt_per_second: Some(rate(written.prompt_tokens, reading)),
        notice,
    })
}

pub(crate) fn embedder(
    embedder: &dyn Embedder,
    device: String,
    cancel: &CancelToken,
) -> Result<Speed, ModelError> {
    // The texts differ, because equal ones might be computed once.
    let texts: Vec<String> = (0..SENTENCES).map(|n| format!("{n}. {SENTENCE}")).collect();
    embedder.embed(&texts[..1], TextKind::Passage, cancel)?;
    let start = Instant::now();
    embedder.embed(&texts, TextKind::Passage, cancel)?;
    Ok(Speed {
        device,
        per_second: rate(SENTENCES, start.elapsed().as_secs_f32()),
        prompt_per_second: None,
        notice: None,
    })
}

pub(crate) fn reranker(
    reranker: &dyn Reranker,
    device: String,
    cancel: &CancelToken,
) -> Result<Speed, ModelError> {
    let passages: Vec<String> =
        (0..PASSAGES).map(|n| format!("{n}. {}", [SENTENCE; PASSAGE].join(" "))).collect();
    reranker.score("When is the second phase?", &passages[..1], cancel)?;
    let start = Instant::now();
    reranker.score("When is the second phase?", &passages, cancel)?;
    Ok(Speed {
        device,
        per_second: rate(PASSAGES, start.elapsed().as_secs_f32()),
        prompt_per_second: None,
        notice: None,
    })
}

fn rate(done: usize, seconds: f32) -> f32 {
    done as f32 / seconds.max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, ModelFile, Role};

    #[test]
    fn figures_are_kept_for_the_weights_they_were_measured_with() {
        let cache = tempfile::tempdir().unwrap();
        let model = |sum: &str| {
            let file = ModelFile { name: "w".into(), path: None, size: 1, sha256: sum.repeat(64) };
            let entry = Entry { id: "m".into(), ..Entry::of(Role::Generator, 8, vec![file]) };
            Model { entry, folder: None, imported: false, program: None, server: None }
        };
        let speed =
            Speed { device: "CPU".into(), per_second: 9.5, prompt_per_second: Some(80.0), notice: None };
        Speeds::new(cache.path()).keep(&model("a"), "CPU, 8 threads", speed.clone());
        let again = Speeds::new(cache.path());
        assert_eq!(again.of(&model("a"), "CPU, 8 threads"), Some(speed));
        assert_eq!(again.of(&model("b"), "CPU, 8 threads"), None, "other weights are not as fast");
        assert_eq!(again.of(&model("a"), "CPU, 2 threads"), None, "nor are fewer threads");
        std::fs::write(cache.path().join(FILE), "broken").unwrap();
        assert_eq!(Speeds::new(cache.path()).of(&model("a"), "CPU, 8 threads"), None);
    }
}
