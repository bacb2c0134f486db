//! The reranker: a cross-encoder that scores passages against a query, on Candle.

use std::path::Path;
use std::sync::Arc;

use candle_core::{D, DType, Device, Tensor};
use oriel_core::{CancelToken, ModelError, Reranker};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::bert::{self, Bert, Config, Packed, Rows, Weights};
use crate::owner::{self, Owner};
use crate::tokens::Tokens;
use crate::{CandleSettings, Model, Role};

/// A BERT cross-encoder with one logit, behind a thread that owns it.
pub struct CandleReranker {
    owner: Owner<Request, Vec<f32>>,
    /// Shared with the thread: counting tokens needs no weights and should not wait for a batch.
    tokens: Arc<Tokens>,
    max_tokens: usize,
    fingerprint: String,
}

struct Request {
    query: String,
    passages: Vec<String>,
    cancel: CancelToken,
}

struct CrossEncoder {
    bert: Bert,
    pooler: (Tensor, Tensor),
    classifier: (Tensor, Tensor),
    tokens: Arc<Tokens>,
    max_tokens: usize,
    device: Device,
    pool: ThreadPool,
    id: String,
}

impl CandleReranker {
    /// Loads an installed reranker.
    ///
    /// # Errors
    /// [`ModelError::Absent`] where it is not here, [`ModelError::Failed`] where it is no reranker, or its files are not
    /// what they should be.
    pub fn load(model: &Model, settings: &CandleSettings) -> Result<Self, ModelError> {
        let folder = model.folder_for(Role::Reranker)?;
        let fail = |what: String| ModelError::Failed(format!("{}: {what}", model.entry.id));
        let encoder = CrossEncoder::load(folder, model, settings).map_err(fail)?;
        let (tokens, max_tokens) = (Arc::clone(&encoder.tokens), encoder.max_tokens);
        let owner = Owner::start(&model.entry.id, settings, move |request: Request| {
            encoder.score(&request.query, &request.passages, &request.cancel)
        })?;
        Ok(Self { owner, tokens, max_tokens, fingerprint: model.weights_name() })
    }
}

impl Reranker for CandleReranker {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    fn pair_tokens(&self, query: &str, passage: &str) -> usize {
        // A text the tokenizer refuses counts as too long, so that nobody builds on it; scoring it gives the error.
        let count = |text: &str| self.tokens.ids(text).map_or(self.max_tokens, |ids| ids.len());
        count(query) + count(passage) + 3
    }

    fn score(&self, query: &str, passages: &[String], cancel: &CancelToken) -> Result<Vec<f32>, ModelError> {
        self.owner.ask(Request {
            query: query.to_owned(),
            passages: passages.to_vec(),
            cancel: cancel.clone(),
        })
    }
}

impl CrossEncoder {
    fn load(folder: &Path, model: &Model, settings: &CandleSettings) -> Result<Self, String> {
        let (device, _) = crate::backend::device(settings.cpu);
        let pool = owner::pool(&model.entry.id, settings).map_err(|e| e.to_string())?;
        let (tokens, weights) = pool.join(
            || Tokens::load(&folder.join("tokenizer.json")),
            || {
                let (config, weights) = bert::open(folder)?;
                if config.labels() != 1 {
                    return Err(format!("has {} labels, a reranker has one", config.labels()));
                }
                let read = || {
                    let bert = Bert::load(&weights, "bert.", &config, &device)?;
                    let hidden = config.hidden_size;
                    let pooler = linear(&weights, "bert.pooler.dense", hidden, hidden, &device)?;
                    let classifier = linear(&weights, "classifier", 1, hidden, &device)?;
                    Ok((bert, pooler, classifier))
                };
                let (bert, pooler, classifier) = read().map_err(|e: candle_core::Error| e.to_string())?;
                Ok((config, bert, pooler, classifier))
            },
        );
        let (config, bert, pooler, classifier): (Config, _, _, _) = weights?;
        Ok(Self {
            bert,
            pooler,
            classifier,
            tokens: Arc::new(tokens?),
            max_tokens: model.entry.context_length.min(config.max_position_embeddings).max(8),
            device,
            pool,
            id: model.entry.id.clone(),
        })
    }

    fn score(&self, query: &str, passages: &[String], cancel: &CancelToken) -> Result<Vec<f32>, ModelError> {
        cancel.check()?;
        let query = self.tokens.ids(query).map_err(|e| self.failed(&e))?;
        let query = &query[..query.len().min((self.max_tokens - 3) / 2)];
        let room = self.max_tokens - 3 - query.len();
        let ids = self.pool.install(|| {
            passages
                .par_iter()
                .with_min_len(4)
                .map(|text| self.tokens.ids(text))
                .collect::<Result<Vec<_>, _>>()
        });
        let mut ids = ids.map_err(|e| self.failed(&e))?;
        ids.iter_mut().for_each(|ids| ids.truncate(room));

        let lengths: Vec<usize> = ids.iter().map(|ids| ids.len() + query.len() + 3).collect();
        owner::run_batches(&self.pool, &lengths, self.device.is_cpu(), cancel, |batch| {
            let mut packed = Packed::default();
            for at in batch {
                let mut pair = vec![self.tokens.start];
                pair.extend_from_slice(query);
                pair.push(self.tokens.end);
                let second = pair.len();
                pair.extend_from_slice(&ids[*at]);
                pair.push(self.tokens.end);
                packed.push(&pair, second);
            }
            self.logits(&packed).map_err(|e| self.failed(&e))
        })
    }

    fn logits(&self, packed: &Packed) -> candle_core::Result<Vec<f32>> {
        let first = self.bert.forward(packed, Rows::First)?;
        let pooled = first.matmul(&self.pooler.0)?.broadcast_add(&self.pooler.1)?.tanh()?;
        let logits = pooled.matmul(&self.classifier.0)?.broadcast_add(&self.classifier.1)?;
        logits.squeeze(D::Minus1)?.to_dtype(DType::F32)?.to_vec1()
    }

    fn failed(&self, what: &dyn std::fmt::Display) -> ModelError {
        ModelError::Failed(format!("{}: {what}", self.id))
    }
}

/// Weights, transposed, and bias of a linear layer.
fn linear(
    weights: &Weights,
    name: &str,
    rows: usize,
    columns: usize,
    device: &Device,
) -> candle_core::Result<(Tensor, Tensor)> {
    let matrix = weights.read(&format!("{name}.weight"), &[rows, columns])?;
    let matrix = Tensor::from_vec(matrix, (rows, columns), device)?.t()?.contiguous()?;
    let bias = Tensor::from_vec(weights.read(&format!("{name}.bias"), &[rows])?, rows, device)?;
    Ok((matrix, bias))
}
