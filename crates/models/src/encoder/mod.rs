//! The encoders of all architectures behind one interface: sequences of token ids in, hidden states out.
//!
//! BERT and XLM-RoBERTa run on packed sequences with our own kernels (`crate::bert`). ModernBERT comes from
//! candle-transformers, which needs sequences padded to one length.

mod config;
mod head;
mod linear_layer;
mod modernbert;
mod modules;

use std::path::Path;

use candle_core::{Device, Result, Tensor};

pub(crate) use self::config::{Config, Shape};
pub(crate) use self::head::Head;
pub(crate) use self::linear_layer::linear;
use self::modernbert::ModernBert;
pub(crate) use self::modules::{DENSE, Modules, SCORE, dense, dense_rows};
use crate::Pooling;
use crate::bert::{Bert, Packed, Rows, first_rows};
use crate::weights::Weights;

/// A transformer of any kind.
pub(crate) enum Encoder {
    Bert(Bert),
    ModernBert(ModernBert),
}

impl Encoder {
    /// Reads the model. If `exact`, it computes in f32 on every processor.
    pub(crate) fn load(weights: &Weights, config: &Config, device: &Device, exact: bool) -> Result<Self> {
        match &config.shape {
            Shape::Bert(config) => {
                let prefixes = ["bert.", "roberta."];
                let has = |prefix: &&&str| weights.has(&format!("{prefix}embeddings.word_embeddings.weight"));
                let prefix = prefixes.iter().find(has).copied().unwrap_or("");
                Bert::load(weights, prefix, config, device, exact).map(Self::Bert)
            }
            Shape::ModernBert(config) => ModernBert::load(weights, config, device).map(Self::ModernBert),
        }
    }

    /// Whether the sequences of a batch are padded to the longest.
    pub(crate) fn is_padded(&self) -> bool {
        matches!(self, Self::ModernBert(_))
    }

    /// Hidden states after the last layer: `[tokens, hidden]`, or `[sequences, hidden]` for [`Rows::First`].
    pub(crate) fn forward(&self, batch: &Packed, rows: Rows) -> Result<Tensor> {
        match self {
            Self::Bert(bert) => bert.forward(batch, rows),
            Self::ModernBert(model) => model.forward(batch, rows),
        }
    }

    /// The hidden states of all tokens, `[tokens, hidden]`, and of the first of each sequence, `[sequences, hidden]`.
    pub(crate) fn all_and_first(&self, batch: &Packed) -> Result<(Tensor, Tensor)> {
        let states = self.forward(batch, Rows::All)?;
        let firsts: Vec<u32> = first_rows(batch.lengths()).map(|at| at as u32).collect();
        let firsts = states.index_select(&Tensor::new(firsts, states.device())?, 0)?;
        Ok((states, firsts))
    }

    /// One vector per sequence: `[sequences, hidden]`.
    pub(crate) fn pooled(&self, batch: &Packed, pooling: Pooling) -> Result<Tensor> {
        if pooling == Pooling::Cls {
            return self.forward(batch, Rows::First);
        }
        let states = self.forward(batch, Rows::All)?;
        let (device, width) = (states.device().clone(), states.dim(1)?);
        let states = states.flatten_all()?.to_vec1::<f32>()?;
        let mut rows = states.chunks_exact(width);
        let mut means = vec![0f32; batch.lengths().len() * width];
        for (mean, length) in means.chunks_exact_mut(width).zip(batch.lengths()) {
            for row in rows.by_ref().take(*length) {
                mean.iter_mut().zip(row).for_each(|(sum, v)| *sum += v);
            }
            mean.iter_mut().for_each(|sum| *sum /= *length as f32);
        }
        Tensor::from_vec(means, (batch.lengths().len(), width), &device)
    }
}

/// A model folder's configuration and weights.
pub(crate) fn open(folder: &Path) -> std::result::Result<(Config, Weights), String> {
    let config = Config::read(&folder.join("config.json"))?;
    let weights = Weights::open(&folder.join("model.safetensors"))?;
    Ok((config, weights))
}
