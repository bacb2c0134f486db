//! The embedder: turns sentences and queries into vectors, on Candle.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use candle_core::{Device, Module as _};
use candle_nn::Linear;
use oriel_core::{Calibration, CancelToken, Embedder, ModelError, Notice, TextKind};
use oriel_download::hex;
use rayon::ThreadPool;
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::bert::Packed;
use crate::encoder::{self, DENSE, Encoder};
use crate::model_thread::{self, ModelThread};
use crate::tokens::Tokens;
use crate::{CandleSettings, Model, Pooling, Role};

/// An encoder whose hidden states are pooled to one vector, on its own thread.
pub struct CandleEmbedder {
    owner: Arc<ModelThread<Request, Vec<Vec<f32>>>>,
    inner: Arc<Inner>,
    fingerprint: String,
    dimensions: usize,
    calibration: Option<Calibration>,
}

struct Request {
    texts: Vec<String>,
    kind: TextKind,
    cancel: CancelToken,
}

struct Inner {
    encoder: Encoder,
    pooling: Pooling,
    /// The linear layer after pooling.
    dense: Option<Linear>,
    query_prefix: String,
    passage_prefix: String,
    tokens: Tokens,
    max_tokens: usize,
    dimensions: usize,
    device: Device,
    id: String,
}

/// Texts per request to the model's thread. Limiting it lets a question take its turn between an indexer's requests.
const TURN: usize = 64;

impl CandleEmbedder {
    /// Loads an installed embedder.
    ///
    /// # Errors
    /// [`ModelError::Absent`] if it is not installed, [`ModelError::Failed`] if it is not an embedder or a file is
    /// wrong.
    pub fn load(model: &Model, settings: &CandleSettings) -> Result<Self, ModelError> {
        let folder = model.folder_for(Role::Embedder)?;
        let fail = |what: String| ModelError::Failed(Notice::about(&model.entry.id, Notice::text(what)));
        let pool = model_thread::pool(&model.entry.id, settings)?;
        let inner = Arc::new(Inner::load(folder, model, settings, &pool).map_err(fail)?);
        let dimensions = inner.dimensions;
        let fingerprint = fingerprint(model, dimensions);
        let owner = Arc::new(start(&model.entry.id, settings, pool, &inner)?);
        Ok(Self { owner, inner, fingerprint, dimensions, calibration: model.entry.calibration })
    }

    /// The same weights on a second thread with its own pool, which may have another priority; requests to the two do
    /// not wait for each other. On a GPU, which computes one request after the other anyway, it is the same thread.
    ///
    /// # Errors
    /// If its threads cannot be started.
    pub fn beside(&self, name: &str, settings: &CandleSettings) -> Result<Self, ModelError> {
        let inner = Arc::clone(&self.inner);
        let owner = if inner.device.is_cpu() {
            Arc::new(start(name, settings, model_thread::pool(name, settings)?, &inner)?)
        } else {
            Arc::clone(&self.owner)
        };
        Ok(Self { owner, inner, fingerprint: self.fingerprint.clone(), ..*self })
    }

    /// The fingerprint that `model` has once it is loaded; `None` if its dimensions are unknown.
    #[must_use]
    pub fn fingerprint_of(model: &Model) -> Option<String> {
        model.entry.dimensions.map(|dimensions| fingerprint(model, dimensions))
    }
}

/// Starts the embedding thread with its pool.
fn start(
    name: &str,
    settings: &CandleSettings,
    pool: ThreadPool,
    inner: &Arc<Inner>,
) -> Result<ModelThread<Request, Vec<Vec<f32>>>, ModelError> {
    let inner = Arc::clone(inner);
    ModelThread::start(name, settings, move |request: Request| inner.embed(&pool, &request))
}

/// A name for everything in the model that determines its vectors, such as `all-minilm-l6-v2/SUM/mean/384`.
fn fingerprint(model: &Model, dimensions: usize) -> String {
    let entry = &model.entry;
    let mut name = format!("{}/{}", model.weights_name(), entry.pooling);
    if let Some(dense) = entry.file(DENSE) {
        name.push_str(&format!("/dense-{}", dense.sha256.get(..12).unwrap_or_default()));
    }
    if !(entry.query_prefix.is_empty() && entry.passage_prefix.is_empty()) {
        let both = format!("{}\0{}", entry.query_prefix, entry.passage_prefix);
        name.push_str(&format!("/prefix-{}", &hex(&Sha256::digest(both))[..12]));
    }
    format!("{name}/{dimensions}")
}

impl Embedder for CandleEmbedder {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn calibration(&self) -> Option<Calibration> {
        self.calibration
    }

    fn token_spans(&self, text: &str) -> Result<Vec<Range<usize>>, ModelError> {
        let (_, places) = self.inner.tokens.ids_and_places(text).map_err(|e| self.inner.failed(&e))?;
        Ok(places.into_iter().map(|(start, end)| start..end).collect())
    }

    fn embed(
        &self,
        texts: &[String],
        kind: TextKind,
        cancel: &CancelToken,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for texts in texts.chunks(TURN) {
            cancel.checkpoint()?;
            vectors.extend(self.owner.ask(Request {
                texts: texts.to_vec(),
                kind,
                cancel: cancel.clone(),
            })?);
        }
        Ok(vectors)
    }
}

impl Inner {
    fn load(
        folder: &Path,
        model: &Model,
        settings: &CandleSettings,
        pool: &ThreadPool,
    ) -> Result<Self, String> {
        let (device, _) = crate::backend::device(settings.cpu);
        let entry = &model.entry;
        // The tokenizer takes as long to load as the weights, so both are loaded in parallel.
        let (tokens, weights) = pool.join(
            || Tokens::load(&folder.join("tokenizer.json")),
            || {
                let (config, weights) = encoder::open(folder)?;
                let read = || {
                    let dense =
                        entry.file(DENSE).map(|_| encoder::dense(folder, config.hidden_size(), &device));
                    Ok((Encoder::load(&weights, &config, &device, settings.exact)?, dense.transpose()?))
                };
                let (encoder, dense) = read().map_err(|e: candle_core::Error| e.to_string())?;
                Ok::<_, String>((config, encoder, dense))
            },
        );
        let (config, encoder, dense) = weights?;
        let dimensions = match &dense {
            Some(dense) => dense.weight().dim(0).map_err(|e| e.to_string())?,
            None => config.hidden_size(),
        };
        Ok(Self {
            encoder,
            pooling: entry.pooling,
            dense,
            query_prefix: entry.query_prefix.clone(),
            passage_prefix: entry.passage_prefix.clone(),
            tokens: tokens?,
            max_tokens: entry.context_length.min(config.max_tokens()).max(3),
            dimensions,
            device,
            id: entry.id.clone(),
        })
    }

    fn embed(&self, pool: &ThreadPool, request: &Request) -> Result<Vec<Vec<f32>>, ModelError> {
        let Request { texts, kind, cancel } = request;
        cancel.check()?;
        let prefix = match kind {
            TextKind::Query => &self.query_prefix,
            TextKind::Passage => &self.passage_prefix,
        };
        let ids = pool.install(|| {
            let encode = |text: &String| self.encode(prefix, text);
            texts.par_iter().with_min_len(16).map(encode).collect::<Result<Vec<_>, _>>()
        });
        let ids = ids.map_err(|e| self.failed(&e))?;
        cancel.check()?;
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        let padded = self.encoder.is_padded();
        model_thread::run_batches(pool, &lengths, padded, self.device.is_cpu(), cancel, |batch| {
            let mut packed = Packed::default();
            for at in batch {
                packed.push(&ids[*at], usize::MAX);
            }
            self.vectors(&packed).map_err(|e| self.failed(&e))
        })
    }

    /// `[CLS]`, as many tokens of prefix and text as fit, `[SEP]`.
    fn encode(&self, prefix: &str, text: &str) -> Result<Vec<u32>, String> {
        let mut ids = if prefix.is_empty() {
            self.tokens.ids(text)?
        } else {
            self.tokens.ids(&format!("{prefix}{text}"))?
        };
        ids.truncate(self.max_tokens - 2);
        ids.insert(0, self.tokens.start);
        ids.push(self.tokens.end);
        Ok(ids)
    }

    /// Each sequence's pooled hidden states, normalised to unit length.
    fn vectors(&self, packed: &Packed) -> candle_core::Result<Vec<Vec<f32>>> {
        let mut pooled = self.encoder.pooled(packed, self.pooling)?;
        if let Some(dense) = &self.dense {
            pooled = dense.forward(&pooled)?;
        }
        let mut vectors = pooled.to_vec2::<f32>()?;
        for vector in &mut vectors {
            let norm = vector.iter().map(|v| v * v).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            vector.iter_mut().for_each(|v| *v /= norm);
        }
        Ok(vectors)
    }

    fn failed(&self, what: &dyn std::fmt::Display) -> ModelError {
        ModelError::Failed(Notice::about(&self.id, Notice::text(what)))
    }
}
