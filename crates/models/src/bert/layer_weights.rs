//! The weights of a layer, before either arithmetic converts them.

use candle_core::Result;

use super::Config;
use crate::weights::Weights;

/// Matrices are `[outputs, inputs]`; a norm is bias, gain and offset, one after another.
pub(super) struct LayerWeights {
    /// Query, key and value one below the other; the query's share is scaled by 1/sqrt(head).
    pub(super) qkv: Vec<f32>,
    pub(super) query_bias: Vec<f32>,
    pub(super) out: Vec<f32>,
    pub(super) out_norm: Vec<f32>,
    pub(super) up: Vec<f32>,
    pub(super) up_bias: Vec<f32>,
    pub(super) down: Vec<f32>,
    pub(super) down_norm: Vec<f32>,
}

impl LayerWeights {
    /// Reads the tensors whose names start with `prefix`.
    ///
    /// Three identities avoid passes over the widest tensor. The scale 1/sqrt(head) moves into the query's weights. The
    /// key's bias adds the same value to every score of a row, which softmax ignores. The value's bias passes through
    /// the weighted mean unchanged, so it is added to the output's bias.
    pub(super) fn read(weights: &Weights, prefix: &str, config: &Config) -> Result<Self> {
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let matrix = |name: &str, outputs: usize, inputs: usize| {
            weights.read(&format!("{prefix}{name}.weight"), &[outputs, inputs])
        };
        let bias = |name: &str, outputs: usize| weights.read(&format!("{prefix}{name}.bias"), &[outputs]);

        let scale = 1.0 / ((hidden / config.num_attention_heads) as f32).sqrt();
        let mut qkv = matrix("attention.self.query", hidden, hidden)?;
        qkv.iter_mut().for_each(|w| *w *= scale);
        qkv.extend(matrix("attention.self.key", hidden, hidden)?);
        qkv.extend(matrix("attention.self.value", hidden, hidden)?);
        let mut query_bias = bias("attention.self.query", hidden)?;
        query_bias.iter_mut().for_each(|b| *b *= scale);
        let value_bias = bias("attention.self.value", hidden)?;
        let out = matrix("attention.output.dense", hidden, hidden)?;
        let mut out_bias = bias("attention.output.dense", hidden)?;
        for (row, bias) in out.chunks_exact(hidden).zip(&mut out_bias) {
            *bias += row.iter().zip(&value_bias).map(|(w, b)| w * b).sum::<f32>();
        }
        let norm = |name: &str, bias: Vec<f32>| read_norm(weights, &format!("{prefix}{name}"), bias, config);
        Ok(Self {
            qkv,
            query_bias,
            out,
            out_norm: norm("attention.output.LayerNorm", out_bias)?,
            up: matrix("intermediate.dense", inner, hidden)?,
            up_bias: bias("intermediate.dense", inner)?,
            down: matrix("output.dense", hidden, inner)?,
            down_norm: norm("output.LayerNorm", bias("output.dense", hidden)?)?,
        })
    }
}

/// `bias` of the matrix before the normalisation `name`, then its gain and offset.
pub(super) fn read_norm(
    weights: &Weights,
    name: &str,
    mut bias: Vec<f32>,
    config: &Config,
) -> Result<Vec<f32>> {
    bias.extend(weights.read(&format!("{name}.weight"), &[config.hidden_size])?);
    bias.extend(weights.read(&format!("{name}.bias"), &[config.hidden_size])?);
    Ok(bias)
}
