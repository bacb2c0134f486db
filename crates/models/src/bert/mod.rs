//! BERT and XLM-RoBERTa in Candle: sentences in, hidden states out, for embedder and reranker.
//!
//! Sequences are packed one after another, so that nothing is computed for padding. This module knows neither
//! tokenizers nor the use of the hidden states.

mod attention;
mod config;
mod floats;
mod int8;
mod kernels;
mod layer_weights;
mod ops;
mod packed;

use candle_core::{DType, Device, Result, Tensor};

pub(crate) use self::config::Config;
use self::layer_weights::{LayerWeights, read_norm};
use self::ops::Norm;
pub(crate) use self::packed::{Packed, Rows, first_rows};
use crate::weights::Weights;

/// The encoder of a BERT model.
pub(crate) struct Bert {
    device: Device,
    /// In the format of the file, which is 16 bits if possible: with a vocabulary for a hundred languages, this is most
    /// of the model.
    words: Tensor,
    positions: Tensor,
    types: Tensor,
    norm: Norm,
    layers: Layers,
}

/// The layers, in the arithmetic that is fastest on the device.
enum Layers {
    Floats(Vec<floats::Layer>),
    Int8(Vec<int8::Layer>),
}

impl Bert {
    /// Reads the encoder's tensors, whose names start with `prefix`. Unless `exact` is set, the layers use 8-bit
    /// integers on processors where that is faster.
    pub(crate) fn load(
        weights: &Weights,
        prefix: &str,
        config: &Config,
        device: &Device,
        exact: bool,
    ) -> Result<Self> {
        let hidden = config.hidden_size;
        let table = |name: &str, rows: usize| {
            weights.tensor(&format!("{prefix}embeddings.{name}.weight"), &[rows, hidden], device)
        };
        let positions = table("position_embeddings", config.max_position_embeddings)?.to_dtype(DType::F32)?;
        let embeddings = format!("{prefix}embeddings.LayerNorm");
        let layers = (0..config.num_hidden_layers)
            .map(|n| LayerWeights::read(weights, &format!("{prefix}encoder.layer.{n}."), config));
        let layers = if device.is_cpu() && !exact && int8::pays(config) {
            Layers::Int8(layers.map(|layer| int8::Layer::new(layer?, config)).collect::<Result<_>>()?)
        } else {
            Layers::Floats(
                layers.map(|layer| floats::Layer::new(layer?, config, device)).collect::<Result<_>>()?,
            )
        };
        Ok(Self {
            words: table("word_embeddings", config.vocab_size)?,
            positions: positions.narrow(0, config.first_position, config.max_tokens())?.contiguous()?,
            types: table("token_type_embeddings", config.type_vocab_size)?.to_dtype(DType::F32)?,
            norm: Norm::new(read_norm(weights, &embeddings, vec![0.0; hidden], config)?, config, device)?,
            layers,
            device: device.clone(),
        })
    }

    /// Hidden states after the last layer: `[tokens, hidden]`, or `[sequences, hidden]` for [`Rows::First`].
    ///
    /// Ids and positions must be within the tables; the callers cut their input accordingly.
    pub(crate) fn forward(&self, batch: &Packed, rows: Rows) -> Result<Tensor> {
        let index = |of: &[u32]| Tensor::from_slice(of, of.len(), &self.device);
        let words = self.words.index_select(&index(&batch.ids)?, 0)?.to_dtype(DType::F32)?;
        let places = self.positions.index_select(&index(&batch.positions)?, 0)?;
        let types = self.types.index_select(&index(&batch.types)?, 0)?;
        let mut x = ops::add_norm(ops::add(words, &types)?, &places, &self.norm)?;
        let rows_of = |n: usize, count: usize| if n + 1 == count { rows } else { Rows::All };
        match &self.layers {
            Layers::Floats(layers) => {
                for (n, layer) in layers.iter().enumerate() {
                    x = layer.forward(&x, &batch.lengths, rows_of(n, layers.len()))?;
                }
                Ok(x)
            }
            Layers::Int8(layers) => {
                let hidden = x.dim(1)?;
                let (mut states, mut scratch) =
                    (x.flatten_all()?.to_vec1::<f32>()?, int8::Scratch::default());
                for (n, layer) in layers.iter().enumerate() {
                    let rows = rows_of(n, layers.len());
                    states = layer.forward(states, &batch.lengths, rows, &mut scratch)?;
                }
                let count = states.len() / hidden;
                Tensor::from_vec(states, (count, hidden), &self.device)
            }
        }
    }
}
