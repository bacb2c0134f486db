//! The embedder: sentences and queries to vectors, on Candle.

use std::path::Path;
use std::sync::Arc;

use candle_core::{DType, Device};
use oriel_core::{CancelToken, Embedder, ModelError};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::bert::{self, Bert, Packed, Rows};
use crate::owner::{self, Owner};
use crate::tokens::Tokens;
use crate::{CandleSettings, Model, Role};

/// A BERT encoder with mean pooling, behind a thread of its own.
pub struct CandleEmbedder {
    owner: Arc<Owner<Request, Vec<Vec<f32>>>>,
    encoder: Arc<Encoder>,
    fingerprint: String,
    dimensions: usize,
}

struct Request {
    texts: Vec<String>,
    cancel: CancelToken,
}

struct Encoder {
    bert: Bert,
    tokens: Tokens,
    max_tokens: usize,
    dimensions: usize,
    device: Device,
    id: String,
}

/// Texts of one request to the model's thread. Whoever asks for many takes turns with whoever asks for one: a question
/// does not wait for an indexer's whole batch.
const TURN: usize = 64;

impl CandleEmbedder {
    /// Loads an installed embedder.
    ///
    /// # Errors
    /// [`ModelError::Absent`] where it is not here, [`ModelError::Failed`] where it is no embedder, or its files are not
    /// what they should be.
    pub fn load(model: &Model, settings: &CandleSettings) -> Result<Self, ModelError> {
        let folder = model.folder_for(Role::Embedder)?;
        let fail = |what: String| ModelError::Failed(format!("{}: {what}", model.entry.id));
        let pool = owner::pool(&model.entry.id, settings)?;
        let encoder = Arc::new(Encoder::load(folder, model, settings, &pool).map_err(fail)?);
        let dimensions = encoder.dimensions;
        let fingerprint = fingerprint(model, dimensions);
        let owner = Arc::new(start(&model.entry.id, settings, pool, &encoder)?);
        Ok(Self { owner, encoder, fingerprint, dimensions })
    }

    /// The same weights, which nobody changes, behind a thread and a pool of their own: what is asked there neither
    /// waits for what is asked here nor keeps it waiting, and may run at another priority. On a GPU, which computes one
    /// thing after the other anyway, it is the same thread.
    ///
    /// # Errors
    /// Where its threads cannot be started.
    pub fn beside(&self, name: &str, settings: &CandleSettings) -> Result<Self, ModelError> {
        let encoder = Arc::clone(&self.encoder);
        let owner = if encoder.device.is_cpu() {
            Arc::new(start(name, settings, owner::pool(name, settings)?, &encoder)?)
        } else {
            Arc::clone(&self.owner)
        };
        Ok(Self { owner, encoder, fingerprint: self.fingerprint.clone(), dimensions: self.dimensions })
    }

    /// The fingerprint that `model` will have once loaded; `None` where its dimensions are not noted.
    #[must_use]
    pub fn fingerprint_of(model: &Model) -> Option<String> {
        model.entry.dimensions.map(|dimensions| fingerprint(model, dimensions))
    }
}

/// Starts a thread that embeds, with its pool.
fn start(
    name: &str,
    settings: &CandleSettings,
    pool: ThreadPool,
    encoder: &Arc<Encoder>,
) -> Result<Owner<Request, Vec<Vec<f32>>>, ModelError> {
    let encoder = Arc::clone(encoder);
    Owner::start(name, settings, move |request: Request| {
        encoder.embed(&pool, &request.texts, &request.cancel)
    })
}

fn fingerprint(model: &Model, dimensions: usize) -> String {
    format!("{}/mean/{dimensions}", model.weights_name())
}

impl Embedder for CandleEmbedder {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[String], cancel: &CancelToken) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for texts in texts.chunks(TURN) {
            cancel.pass()?;
            vectors.extend(self.owner.ask(Request { texts: texts.to_vec(), cancel: cancel.clone() })?);
        }
        Ok(vectors)
    }
}

impl Encoder {
    fn load(
        folder: &Path,
        model: &Model,
        settings: &CandleSettings,
        pool: &ThreadPool,
    ) -> Result<Self, String> {
        let (device, _) = crate::backend::device(settings.cpu);
        // The tokenizer takes as long as the weights do, so the two are read side by side.
        let (tokens, weights) = pool.join(
            || Tokens::load(&folder.join("tokenizer.json")),
            || {
                let (config, weights) = bert::open(folder)?;
                let prefix = if weights.has("bert.embeddings.word_embeddings.weight") { "bert." } else { "" };
                let bert = Bert::load(&weights, prefix, &config, &device).map_err(|e| e.to_string())?;
                Ok::<_, String>((config, bert))
            },
        );
        let (config, bert) = weights?;
        Ok(Self {
            bert,
            tokens: tokens?,
            max_tokens: model.entry.context_length.min(config.max_position_embeddings).max(3),
            dimensions: config.hidden_size,
            device,
            id: model.entry.id.clone(),
        })
    }

    fn embed(
        &self,
        pool: &ThreadPool,
        texts: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        cancel.check()?;
        let ids = pool.install(|| {
            texts.par_iter().with_min_len(16).map(|text| self.encode(text)).collect::<Result<Vec<_>, _>>()
        });
        let ids = ids.map_err(|e| self.failed(&e))?;
        cancel.check()?;
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        owner::run_batches(pool, &lengths, self.device.is_cpu(), cancel, |batch| {
            let mut packed = Packed::default();
            for at in batch {
                packed.push(&ids[*at], usize::MAX);
            }
            self.vectors(&packed).map_err(|e| self.failed(&e))
        })
    }

    /// `[CLS]`, the text's tokens as far as they fit, `[SEP]`.
    fn encode(&self, text: &str) -> Result<Vec<u32>, String> {
        let mut ids = self.tokens.ids(text)?;
        ids.truncate(self.max_tokens - 2);
        ids.insert(0, self.tokens.start);
        ids.push(self.tokens.end);
        Ok(ids)
    }

    /// The mean of each sequence's hidden states, made one long.
    fn vectors(&self, packed: &Packed) -> candle_core::Result<Vec<Vec<f32>>> {
        let hidden = self.bert.forward(packed, Rows::All)?.to_dtype(DType::F32)?;
        let hidden = hidden.flatten_all()?.to_vec1::<f32>()?;
        let mut rows = hidden.chunks_exact(self.dimensions);
        let vectors = packed.lengths().iter().map(|length| {
            let mut vector = vec![0f32; self.dimensions];
            for row in rows.by_ref().take(*length) {
                vector.iter_mut().zip(row).for_each(|(sum, v)| *sum += v);
            }
            // The mean and the sum point the same way.
            let norm = vector.iter().map(|v| v * v).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            vector.iter_mut().for_each(|v| *v /= norm);
            vector
        });
        Ok(vectors.collect())
    }

    fn failed(&self, what: &dyn std::fmt::Display) -> ModelError {
        ModelError::Failed(format!("{}: {what}", self.id))
    }
}
