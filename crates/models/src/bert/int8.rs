//! The layers in 8-bit integers, for processors that multiply them several times as fast as floats (AVX-512 VNNI, or
//! the dot products of ARM).
//!
//! Each output of a matrix has its own scale. Each token's hidden state is quantised when it is multiplied, between its
//! own lowest and highest value, so that a sequence's vector does not depend on the others in its batch. Sums, biases,
//! norms and attention stay in f32. A feed-forward block is computed for a few tokens at a time, so that the widest
//! tensor stays in the cache.

use candle_core::{Error, Result};
use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::NdTensorView;

use super::layer_weights::LayerWeights;
use super::{Config, Rows, attention, kernels};

/// Tokens multiplied at a time; their sums for the widest matrix take some hundred kilobytes.
const ROWS: usize = 64;

type Executor = GemmExecutor<u8, i8, i32>;

thread_local! {
    static EXECUTOR: Executor = Executor::new();
}

/// Whether 8-bit integers are exact and fast on this processor, for this model.
pub(super) fn pays(config: &Config) -> bool {
    // Without VNNI, sums saturate on x86. The kernel "mlal" is not faster than floats, "generic" is slower.
    let is_fast = |executor: &Executor| {
        let name = executor.kernel_name();
        !executor.may_saturate() && !name.starts_with("generic") && !name.ends_with("mlal")
    };
    attention::has_kernel(config.hidden_size / config.num_attention_heads) && EXECUTOR.with(is_fast)
}

/// A matrix, packed for this processor.
struct Matrix {
    packed: PackedBMatrix<i8>,
    /// For each output: the scale, and the sum of its quantised weights.
    scales: Vec<f32>,
    totals: Vec<i32>,
}

impl Matrix {
    /// Quantises `weights`: `[outputs, inputs]`.
    fn new(weights: &[f32], inputs: usize) -> Result<Self> {
        let outputs = weights.len() / inputs;
        let (mut steps, mut scales) = (Vec::<i8>::with_capacity(weights.len()), Vec::with_capacity(outputs));
        for row in weights.chunks_exact(inputs) {
            let highest = row.iter().fold(0f32, |highest, w| highest.max(w.abs()));
            let scale = if highest > 0.0 { highest / 127.0 } else { 1.0 };
            steps.extend(row.iter().map(|w| (w / scale).round() as i8));
            scales.push(scale);
        }
        let totals =
            steps.chunks_exact(inputs).map(|row| row.iter().map(|step| i32::from(*step)).sum()).collect();
        let view = NdTensorView::try_from_data([outputs, inputs], steps.as_slice())
            .map_err(|e| Error::Msg(e.to_string()))?;
        Ok(Self { packed: EXECUTOR.with(|executor| executor.prepack_b(view.transposed())), scales, totals })
    }

    fn outputs(&self) -> usize {
        self.scales.len()
    }

    fn inputs(&self) -> usize {
        self.packed.rows()
    }

    /// Writes the products of some rows to `out`: `[rows, outputs]`.
    fn multiply(&self, x: &[f32], scratch: &mut Scratch, out: &mut [f32]) -> Result<()> {
        let count = x.len() / self.inputs();
        let Scratch { steps, scales, zeros, sums } = scratch;
        steps.resize(x.len(), 0);
        scales.resize(count, 0.0);
        zeros.resize(count, 0);
        sums.resize(count * self.outputs(), 0);
        kernels::quantise(x, self.inputs(), steps, scales, zeros);
        let view = NdTensorView::try_from_data([count, self.inputs()], steps.as_slice())
            .map_err(|e| Error::Msg(e.to_string()))?;
        // The zero points are subtracted below: with a zero point for each row, the library returns wrong results
        // beyond its first block of rows.
        let (left, right) = (GemmInputA::Unpacked(view), GemmInputB::Packed(&self.packed));
        EXECUTOR
            .with(|executor| executor.gemm(sums, left, right, GemmOptions::default()))
            .map_err(|e| Error::Msg(e.to_string()))?;
        kernels::dequantise(sums, (scales, zeros), (&self.scales, &self.totals), out);
        Ok(())
    }

    /// Multiplies any number of rows, [`ROWS`] at a time; `after` gets the position of the first row and the products.
    fn multiply_all(
        &self,
        x: &[f32],
        scratch: &mut Scratch,
        mut after: impl FnMut(usize, &mut [f32]),
    ) -> Result<Vec<f32>> {
        let mut out = vec![0.0; x.len() / self.inputs() * self.outputs()];
        let rows = x.chunks(ROWS * self.inputs()).zip(out.chunks_mut(ROWS * self.outputs()));
        for (n, (x, out)) in rows.enumerate() {
            self.multiply(x, scratch, out)?;
            after(n * ROWS, out);
        }
        Ok(out)
    }
}

/// Buffers that are reused for each multiplication.
#[derive(Default)]
pub(super) struct Scratch {
    /// `[rows, inputs]`.
    steps: Vec<u8>,
    /// The scale and the zero point of each row.
    scales: Vec<f32>,
    zeros: Vec<u8>,
    /// `[rows, outputs]`.
    sums: Vec<i32>,
}

/// A layer; the parts are those of [`LayerWeights`].
pub(super) struct Layer {
    qkv: Matrix,
    query_bias: Vec<f32>,
    heads: usize,
    out: Matrix,
    /// Bias, gain and offset of a norm, one after another.
    out_norm: Vec<f32>,
    up: Matrix,
    up_bias: Vec<f32>,
    down: Matrix,
    down_norm: Vec<f32>,
    eps: f32,
}

impl Layer {
    pub(super) fn new(weights: LayerWeights, config: &Config) -> Result<Self> {
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        Ok(Self {
            qkv: Matrix::new(&weights.qkv, hidden)?,
            query_bias: weights.query_bias,
            heads: config.num_attention_heads,
            out: Matrix::new(&weights.out, hidden)?,
            out_norm: weights.out_norm,
            up: Matrix::new(&weights.up, hidden)?,
            up_bias: weights.up_bias,
            down: Matrix::new(&weights.down, inner)?,
            down_norm: weights.down_norm,
            eps: config.layer_norm_eps as f32,
        })
    }

    /// The next hidden states of sequences of these lengths: `[tokens, hidden]`, or `[sequences, hidden]` for [`Rows::First`].
    pub(super) fn forward(
        &self,
        x: Vec<f32>,
        lengths: &[usize],
        rows: Rows,
        scratch: &mut Scratch,
    ) -> Result<Vec<f32>> {
        let hidden = self.query_bias.len();
        let qkv = self.qkv.multiply_all(&x, scratch, |_, _| ())?;
        let mixed = attention::mix_sequences(&qkv, &self.query_bias, lengths, self.heads, rows);
        let residual = match rows {
            Rows::All => x,
            Rows::First => {
                super::first_rows(lengths).flat_map(|at| &x[at * hidden..][..hidden]).copied().collect()
            }
        };
        let x = self.out.multiply_all(&mixed, scratch, |first, out| {
            kernels::add_norm(out, &residual[first * hidden..][..out.len()], &self.out_norm, self.eps);
        })?;
        self.feed_forward(&x, scratch)
    }

    fn feed_forward(&self, x: &[f32], scratch: &mut Scratch) -> Result<Vec<f32>> {
        let hidden = self.query_bias.len();
        let mut out = vec![0.0; x.len()];
        let mut inner = vec![0.0; ROWS * self.up.outputs()];
        for (x, out) in x.chunks(ROWS * hidden).zip(out.chunks_mut(ROWS * hidden)) {
            let inner = &mut inner[..x.len() / hidden * self.up.outputs()];
            self.up.multiply(x, scratch, inner)?;
            kernels::bias_gelu(inner, &self.up_bias);
            self.down.multiply(inner, scratch, out)?;
            kernels::add_norm(out, x, &self.down_norm, self.eps);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_floats() {
        if EXECUTOR.with(Executor::may_saturate) {
            println!("skipped: this processor's sums saturate, so floats are used");
            return;
        }
        let value = |n: usize| ((n * 7919) % 1000) as f32 / 500.0 - 0.7;
        for (rows, inputs, outputs) in [(1, 64, 32), (3, 96, 200), (130, 384, 64)] {
            let weights: Vec<f32> = (0..inputs * outputs).map(|n| value(n * 3 + 1) * 0.1).collect();
            let x: Vec<f32> = (0..rows * inputs).map(|n| value(n) * 2.0).collect();
            let matrix = Matrix::new(&weights, inputs).unwrap();
            let products = matrix.multiply_all(&x, &mut Scratch::default(), |_, _| ()).unwrap();
            for (x, products) in x.chunks(inputs).zip(products.chunks(outputs)) {
                for (w, product) in weights.chunks(inputs).zip(products) {
                    let wanted: f32 = x.iter().zip(w).map(|(x, w)| x * w).sum();
                    assert!((wanted - product).abs() < 0.05, "{product} is not {wanted}");
                }
            }
        }
    }
}
