//! The reranker: a cross-encoder that scores passages against a query, on Candle.

use std::path::Path;
use std::sync::Arc;

use candle_core::{D, Device};
use oriel_core::{Calibration, CancelToken, ModelError, Notice, Reranker};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::bert::Packed;
use crate::encoder::{self, DENSE, Encoder, Head};
use crate::model_thread::{self, ModelThread};
use crate::tokens::Tokens;
use crate::{CandleSettings, Entry, Model, Pooling, Role};

/// A cross-encoder with one logit, behind a thread that owns it.
pub struct CandleReranker {
    owner: ModelThread<Request, Vec<f32>>,
    /// Shared with the thread: counting tokens needs no weights and should not wait for a batch.
    tokens: Arc<Tokens>,
    max_tokens: usize,
    fingerprint: String,
    languages: Vec<String>,
    calibration: Option<Calibration>,
}

struct Request {
    query: String,
    passages: Vec<String>,
    cancel: CancelToken,
}

struct CrossEncoder {
    encoder: Encoder,
    pooling: Pooling,
    head: Head,
    has_pair_types: bool,
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
    /// [`ModelError::Absent`] if it is not here, [`ModelError::Failed`] if it is no reranker, or its files are wrong.
    pub fn load(model: &Model, settings: &CandleSettings) -> Result<Self, ModelError> {
        let folder = model.folder_for(Role::Reranker)?;
        let fail = |what: String| ModelError::Failed(Notice::about(&model.entry.id, Notice::text(what)));
        let encoder = CrossEncoder::load(folder, model, settings).map_err(fail)?;
        let (tokens, max_tokens) = (Arc::clone(&encoder.tokens), encoder.max_tokens);
        let owner = ModelThread::start(&model.entry.id, settings, move |request: Request| {
            encoder.score(&request.query, &request.passages, &request.cancel)
        })?;
        let Entry { languages, calibration, .. } = &model.entry;
        let (languages, calibration) = (languages.clone(), *calibration);
        Ok(Self { owner, tokens, max_tokens, fingerprint: model.weights_name(), languages, calibration })
    }
}

impl Reranker for CandleReranker {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn languages(&self) -> &[String] {
        &self.languages
    }

    fn calibration(&self) -> Option<Calibration> {
        self.calibration
    }

    fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    fn pair_tokens(&self, query: &str, passage: &str) -> usize {
        // A text that the tokenizer refuses counts as too long, so that it is not used; scoring it returns the error.
        let count = |text: &str| self.tokens.ids(text).map_or(self.max_tokens, |ids| ids.len());
        count(query) + count(passage) + self.tokens.special_of_pair()
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
        let pool = model_thread::pool(&model.entry.id, settings).map_err(|e| e.to_string())?;
        let (tokens, weights) = pool.join(
            || Tokens::load(&folder.join("tokenizer.json")),
            || {
                let (config, weights) = encoder::open(folder)?;
                // sentence-transformers stores its own head beside an encoder without labels.
                let (has_modules, hidden) = (model.entry.file(DENSE).is_some(), config.hidden_size());
                if !has_modules && config.labels != 1 {
                    return Err(format!("has {} labels, a reranker has one", config.labels));
                }
                let read = || {
                    let head = if has_modules {
                        Head::of_modules(folder, hidden, &device)?
                    } else {
                        Head::load(&weights, &config, &device)?
                    };
                    Ok((Encoder::load(&weights, &config, &device)?, head))
                };
                let (encoder, head) = read().map_err(|e: candle_core::Error| e.to_string())?;
                let pooling = if has_modules { model.entry.pooling } else { config.classifier_pooling };
                Ok((config, encoder, pooling, head))
            },
        );
        let (config, encoder, pooling, head) = weights?;
        Ok(Self {
            encoder,
            pooling,
            head,
            has_pair_types: config.has_pair_types(),
            tokens: Arc::new(tokens?),
            max_tokens: model.entry.context_length.min(config.max_tokens()).max(8),
            device,
            pool,
            id: model.entry.id.clone(),
        })
    }

    fn score(&self, query: &str, passages: &[String], cancel: &CancelToken) -> Result<Vec<f32>, ModelError> {
        cancel.check()?;
        let query = self.tokens.ids(query).map_err(|e| self.failed(&e))?;
        let special = self.tokens.special_of_pair();
        let query = &query[..query.len().min((self.max_tokens - special) / 2)];
        let room = self.max_tokens - special - query.len();
        let ids = self.pool.install(|| {
            passages
                .par_iter()
                .with_min_len(4)
                .map(|text| self.tokens.ids(text))
                .collect::<Result<Vec<_>, _>>()
        });
        let mut ids = ids.map_err(|e| self.failed(&e))?;
        ids.iter_mut().for_each(|ids| ids.truncate(room));

        let lengths: Vec<usize> = ids.iter().map(|ids| ids.len() + query.len() + special).collect();
        let padded = self.encoder.is_padded();
        model_thread::run_batches(&self.pool, &lengths, padded, self.device.is_cpu(), cancel, |batch| {
            let mut packed = Packed::default();
            for at in batch {
                let (pair, second) = self.tokens.pair(query, &ids[*at]);
                packed.push(&pair, if self.has_pair_types { second } else { usize::MAX });
            }
            self.logits(&packed).map_err(|e| self.failed(&e))
        })
    }

    fn logits(&self, packed: &Packed) -> candle_core::Result<Vec<f32>> {
        let pooled = self.encoder.pooled(packed, self.pooling)?;
        self.head.logits(&pooled)?.squeeze(D::Minus1)?.to_vec1()
    }

    fn failed(&self, what: &dyn std::fmt::Display) -> ModelError {
        ModelError::Failed(Notice::about(&self.id, Notice::text(what)))
    }
}
