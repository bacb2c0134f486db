//! A cross-encoder: reads two texts together and gives the logits of its labels, on Candle.

use std::path::Path;
use std::sync::Arc;

use candle_core::Device;
use oriel_core::{CancelToken, ModelError, Notice};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::bert::Packed;
use crate::encoder::{self, DENSE, Encoder, Head};
use crate::model_thread::{self, ModelThread};
use crate::tokens::Tokens;
use crate::{CandleSettings, Model, Pooling, Role};

/// Pairs of texts to read.
pub(crate) struct Pairs {
    /// The first texts, each once.
    pub firsts: Vec<String>,
    /// The second text of each pair, with the position of its first text.
    pub seconds: Vec<(usize, String)>,
    pub cancel: CancelToken,
}

pub(crate) struct CrossEncoder {
    encoder: Encoder,
    pooling: Pooling,
    head: Head,
    has_pair_types: bool,
    pub tokens: Arc<Tokens>,
    pub max_tokens: usize,
    device: Device,
    pool: ThreadPool,
    id: String,
}

impl CrossEncoder {
    /// Loads an installed model that serves as `role` and has this number of labels.
    ///
    /// # Errors
    /// [`ModelError::Absent`] if it is not installed, [`ModelError::Failed`] if it is another kind of model or a file is wrong.
    pub(crate) fn load(
        model: &Model,
        role: Role,
        labels: usize,
        settings: &CandleSettings,
    ) -> Result<Self, ModelError> {
        let folder = model.folder_for(role)?;
        Self::load_from(folder, model, labels, settings)
            .map_err(|what| ModelError::Failed(Notice::about(&model.entry.id, Notice::text(what))))
    }

    /// Starts a thread that owns it.
    pub(crate) fn start(
        self,
        id: &str,
        settings: &CandleSettings,
    ) -> Result<ModelThread<Pairs, Vec<Vec<f32>>>, ModelError> {
        ModelThread::start(id, settings, move |pairs: Pairs| self.logits(&pairs))
    }

    fn load_from(
        folder: &Path,
        model: &Model,
        labels: usize,
        settings: &CandleSettings,
    ) -> Result<Self, String> {
        let (device, _) = crate::backend::device(settings.cpu);
        let pool = model_thread::pool(&model.entry.id, settings).map_err(|e| e.to_string())?;
        let (tokens, weights) = pool.join(
            || Tokens::load(&folder.join("tokenizer.json")),
            || {
                let (config, weights) = encoder::open(folder)?;
                // sentence-transformers has a head of its own beside an encoder without labels.
                let (has_modules, hidden) = (model.entry.file(DENSE).is_some(), config.hidden_size());
                let has = if has_modules { 1 } else { config.labels };
                if has != labels {
                    return Err(format!("has {has} labels, not {labels}"));
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

    /// The logits of each pair.
    fn logits(&self, pairs: &Pairs) -> Result<Vec<Vec<f32>>, ModelError> {
        pairs.cancel.check()?;
        let special = self.tokens.special_of_pair();
        let firsts: Vec<Vec<u32>> = pairs
            .firsts
            .iter()
            .map(|text| {
                let mut ids = self.tokens.ids(text)?;
                ids.truncate((self.max_tokens - special) / 2);
                Ok(ids)
            })
            .collect::<Result<_, String>>()
            .map_err(|e| self.failed(&e))?;
        let seconds = self.pool.install(|| {
            let ids = pairs.seconds.par_iter().with_min_len(4).map(|(first, text)| {
                let mut ids = self.tokens.ids(text)?;
                ids.truncate(self.max_tokens - special - firsts[*first].len());
                Ok((&firsts[*first], ids))
            });
            ids.collect::<Result<Vec<_>, String>>()
        });
        let seconds = seconds.map_err(|e| self.failed(&e))?;
        let lengths: Vec<usize> =
            seconds.iter().map(|(first, second)| first.len() + second.len() + special).collect();
        let padded = self.encoder.is_padded();
        model_thread::run_batches(
            &self.pool,
            &lengths,
            padded,
            self.device.is_cpu(),
            &pairs.cancel,
            |batch| {
                let mut packed = Packed::default();
                for at in batch {
                    let (first, second) = &seconds[*at];
                    let (pair, second) = self.tokens.pair(first, second);
                    packed.push(&pair, if self.has_pair_types { second } else { usize::MAX });
                }
                let pooled = self.encoder.pooled(&packed, self.pooling).map_err(|e| self.failed(&e))?;
                let logits = self.head.logits(&pooled).and_then(|logits| logits.to_vec2());
                logits.map_err(|e| self.failed(&e))
            },
        )
    }

    fn failed(&self, what: &dyn std::fmt::Display) -> ModelError {
        ModelError::Failed(Notice::about(&self.id, Notice::text(what)))
    }
}
