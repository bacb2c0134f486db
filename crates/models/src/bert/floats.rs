//! The layers in f32 with Candle's tensors: for graphics cards, and for processors without fast 8-bit arithmetic.

use candle_core::{Device, Result, Tensor};

use super::layer_weights::LayerWeights;
use super::ops::{self, Norm};
use super::{Config, Rows, attention, first_rows};

/// A layer; matrices are `[inputs, outputs]`.
pub(super) struct Layer {
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

impl Layer {
    pub(super) fn new(weights: LayerWeights, config: &Config, device: &Device) -> Result<Self> {
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let matrix = |w: Vec<f32>, outputs: usize, inputs: usize| {
            Tensor::from_vec(w, (outputs, inputs), device)?.t()?.contiguous()
        };
        Ok(Self {
            qkv: matrix(weights.qkv, 3 * hidden, hidden)?,
            query_bias: Tensor::from_vec(weights.query_bias, hidden, device)?,
            heads: config.num_attention_heads,
            out: matrix(weights.out, hidden, hidden)?,
            out_norm: Norm::new(weights.out_norm, config, device)?,
            up: matrix(weights.up, inner, hidden)?,
            up_bias: Tensor::from_vec(weights.up_bias, inner, device)?,
            down: matrix(weights.down, hidden, inner)?,
            down_norm: Norm::new(weights.down_norm, config, device)?,
        })
    }

    /// The next hidden states of sequences of these lengths: `[tokens, hidden]`, or `[sequences, hidden]` for [`Rows::First`].
    pub(super) fn forward(&self, x: &Tensor, lengths: &[usize], rows: Rows) -> Result<Tensor> {
        let mixed = attention::attention(&x.matmul(&self.qkv)?, &self.query_bias, lengths, self.heads, rows)?;
        let residual = match rows {
            Rows::All => x.clone(),
            Rows::First => {
                let starts: Vec<u32> = first_rows(lengths).map(|at| at as u32).collect();
                x.index_select(&Tensor::from_vec(starts, lengths.len(), x.device())?, 0)?
            }
        };
        let x = ops::add_norm(mixed.matmul(&self.out)?, &residual, &self.out_norm)?;
        let inner = ops::bias_gelu(x.matmul(&self.up)?, &self.up_bias)?;
        ops::add_norm(inner.matmul(&self.down)?, &x, &self.down_norm)
    }
}
