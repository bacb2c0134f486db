//! BERT and XLM-RoBERTa in Candle: sentences in, hidden states out, for embedder and reranker.
//!
//! Sequences are packed one after another, so no multiplication is spent on padding. This module knows neither
//! tokenizers nor the use of the hidden states.

mod attention;
mod config;
mod kernels;
mod ops;

use candle_core::{DType, Device, Result, Tensor};

pub(crate) use self::config::Config;
use self::ops::Norm;
use crate::weights::Weights;

/// Sequences of token ids, packed without padding.
#[derive(Default)]
pub(crate) struct Packed {
    ids: Vec<u32>,
    types: Vec<u32>,
    positions: Vec<u32>,
    lengths: Vec<usize>,
}

impl Packed {
    /// Adds a sequence; the tokens before `second` have type 0, the others type 1.
    pub(crate) fn push(&mut self, ids: &[u32], second: usize) {
        self.ids.extend_from_slice(ids);
        self.types.extend((0..ids.len()).map(|at| u32::from(at >= second)));
        self.positions.extend((0u32..).take(ids.len()));
        self.lengths.push(ids.len());
    }

    /// The ids of each sequence.
    pub(crate) fn sequences(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = self.ids.as_slice();
        self.lengths.iter().map(move |length| {
            let (sequence, after) = rest.split_at(*length);
            rest = after;
            sequence
        })
    }

    /// Tokens of each sequence.
    pub(crate) fn lengths(&self) -> &[usize] {
        &self.lengths
    }
}

/// Which rows of the last layer to compute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// Every token's.
    All,
    /// Only each sequence's first token's.
    First,
}

/// The encoder of a BERT model.
pub(crate) struct Bert {
    device: Device,
    /// As in the file, in 16 bits if possible: with a vocabulary for a hundred languages this is most of the model.
    words: Tensor,
    positions: Tensor,
    types: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Query, key and value side by side, `[hidden, 3 * hidden]`; the query's share is scaled by 1/sqrt(head).
    qkv: Tensor,
    query_bias: Tensor,
    heads: usize,
    out: Tensor,
    out_norm: Norm,
    up: Tensor,
    up_bias: Tensor,
    down: Tensor,
    down_norm: Norm,
}

impl Bert {
    /// Reads the encoder's tensors, whose names start with `prefix`.
    pub(crate) fn load(weights: &Weights, prefix: &str, config: &Config, device: &Device) -> Result<Self> {
        let hidden = config.hidden_size;
        let table = |name: &str, rows: usize| {
            weights.tensor(&format!("{prefix}embeddings.{name}.weight"), &[rows, hidden], device)
        };
        let positions = table("position_embeddings", config.max_position_embeddings)?.to_dtype(DType::F32)?;
        let embeddings = format!("{prefix}embeddings.LayerNorm");
        Ok(Self {
            words: table("word_embeddings", config.vocab_size)?,
            positions: positions.narrow(0, config.first_position, config.max_tokens())?.contiguous()?,
            types: table("token_type_embeddings", config.type_vocab_size)?.to_dtype(DType::F32)?,
            norm: Norm::load(weights, &embeddings, vec![0.0; hidden], config, device)?,
            layers: (0..config.num_hidden_layers)
                .map(|n| Layer::load(weights, &format!("{prefix}encoder.layer.{n}."), config, device))
                .collect::<Result<_>>()?,
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
        for (n, layer) in self.layers.iter().enumerate() {
            let rows = if n + 1 == self.layers.len() { rows } else { Rows::All };
            x = layer.forward(&x, &batch.lengths, rows)?;
        }
        Ok(x)
    }
}

impl Layer {
    fn load(weights: &Weights, prefix: &str, config: &Config, device: &Device) -> Result<Self> {
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let matrix = |name: &str, rows: usize, columns: usize| {
            weights.read(&format!("{prefix}{name}.weight"), &[rows, columns])
        };
        let bias = |name: &str, rows: usize| weights.read(&format!("{prefix}{name}.bias"), &[rows]);

        // Three identities save a pass over the widest tensor: the scale 1/sqrt(head) moves into the query's
        // weights; the key's bias adds the same to every score of a row, which softmax ignores; the value's bias
        // passes through the weighted mean unchanged and so joins the output's bias.
        let scale = 1.0 / ((hidden / config.num_attention_heads) as f32).sqrt();
        let mut qkv = matrix("attention.self.query", hidden, hidden)?;
        qkv.iter_mut().for_each(|w| *w *= scale);
        qkv.extend(matrix("attention.self.key", hidden, hidden)?);
        qkv.extend(matrix("attention.self.value", hidden, hidden)?);
        let query_bias: Vec<f32> =
            bias("attention.self.query", hidden)?.into_iter().map(|b| b * scale).collect();
        let value_bias = bias("attention.self.value", hidden)?;
        let out = matrix("attention.output.dense", hidden, hidden)?;
        let mut out_bias = bias("attention.output.dense", hidden)?;
        for (row, bias) in out.chunks_exact(hidden).zip(&mut out_bias) {
            *bias += row.iter().zip(&value_bias).map(|(w, b)| w * b).sum::<f32>();
        }

        let transposed = |w: Vec<f32>, rows: usize, columns: usize| {
            Tensor::from_vec(w, (rows, columns), device)?.t()?.contiguous()
        };
        let down_bias = bias("output.dense", hidden)?;
        Ok(Self {
            qkv: transposed(qkv, 3 * hidden, hidden)?,
            query_bias: Tensor::from_vec(query_bias, hidden, device)?,
            heads: config.num_attention_heads,
            out: transposed(out, hidden, hidden)?,
            out_norm: Norm::load(
                weights,
                &format!("{prefix}attention.output.LayerNorm"),
                out_bias,
                config,
                device,
            )?,
            up: transposed(matrix("intermediate.dense", inner, hidden)?, inner, hidden)?,
            up_bias: Tensor::from_vec(bias("intermediate.dense", inner)?, inner, device)?,
            down: transposed(matrix("output.dense", hidden, inner)?, hidden, inner)?,
            down_norm: Norm::load(weights, &format!("{prefix}output.LayerNorm"), down_bias, config, device)?,
        })
    }

    fn forward(&self, x: &Tensor, lengths: &[usize], rows: Rows) -> Result<Tensor> {
        let mixed = attention::attention(&x.matmul(&self.qkv)?, &self.query_bias, lengths, self.heads, rows)?;
        let residual = match rows {
            Rows::All => x.clone(),
            Rows::First => x.index_select(&first_rows(lengths, x.device())?, 0)?,
        };
        let x = ops::add_norm(mixed.matmul(&self.out)?, &residual, &self.out_norm)?;
        let inner = ops::bias_gelu(x.matmul(&self.up)?, &self.up_bias)?;
        ops::add_norm(inner.matmul(&self.down)?, &x, &self.down_norm)
    }
}

/// The first row of each sequence.
fn first_rows(lengths: &[usize], device: &Device) -> Result<Tensor> {
    let mut next = 0;
    let starts: Vec<u32> = lengths
        .iter()
        .map(|length| {
            let start = next;
            next += *length as u32;
            start
        })
        .collect();
    Tensor::from_vec(starts, lengths.len(), device)
}
