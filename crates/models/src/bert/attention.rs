//! Self-attention over packed sequences.
//!
//! On the CPU our own kernel computes one sequence and head at a time, within the first cache levels, without padding
//! or a mask. On other devices, and for heads of unusual width, the sequences are padded to one length and computed by
//! Candle.

use candle_core::{CpuStorage, CustomOp2, D, Layout, Result, Shape, Tensor};
use pulp::{Arch, Simd, WithSimd};

use super::ops::floats;
use super::{Rows, kernels};

/// Queries that share each load of a key or value.
const QUERIES: usize = 4;
/// The kernel needs head widths that are multiples of this: two of the widest vectors.
const STEP: usize = 32;

/// Computes the attention of each sequence. `qkv` is `[tokens, 3 * hidden]`, the query scaled and without its bias; the
/// result is `[tokens, hidden]`, or `[sequences, hidden]` for [`Rows::First`].
pub(super) fn attention(
    qkv: &Tensor,
    query_bias: &Tensor,
    lengths: &[usize],
    heads: usize,
    rows: Rows,
) -> Result<Tensor> {
    let width = qkv.dim(1)? / 3 / heads;
    if qkv.device().is_cpu() && has_kernel(width) {
        return qkv.apply_op2_no_bwd(query_bias, &Attention { lengths, heads, rows });
    }
    padded(qkv, query_bias, lengths, heads, rows)
}

/// Attention with Candle's operations; the sequences are padded to the longest.
fn padded(qkv: &Tensor, query_bias: &Tensor, lengths: &[usize], heads: usize, rows: Rows) -> Result<Tensor> {
    let device = qkv.device();
    let (count, hidden) = (lengths.len(), query_bias.dim(0)?);
    let longest = lengths.iter().copied().max().unwrap_or(0);
    // For each padded position, the token to copy and the value to add to its score; for each wanted row, its position
    // in the result.
    let (mut from, mut mask, mut back) = (Vec::new(), Vec::new(), Vec::new());
    let mut start = 0;
    for (n, length) in lengths.iter().enumerate() {
        from.extend((0..longest).map(|at| if at < *length { (start + at) as u32 } else { start as u32 }));
        mask.extend((0..longest).map(|at| if at < *length { 0f32 } else { f32::MIN }));
        let wanted = if rows == Rows::All { *length } else { 1 };
        back.extend((0..wanted).map(|at| (n * longest + at) as u32));
        start += length;
    }
    let from = Tensor::from_vec(from, count * longest, device)?;
    let mask = Tensor::from_vec(mask, (count, 1, 1, longest), device)?;
    let wanted = back.len();
    let back = Tensor::from_vec(back, wanted, device)?;

    let qkv = qkv.index_select(&from, 0)?;
    let part = |n: usize, bias: Option<&Tensor>| {
        let part = qkv.narrow(1, n * hidden, hidden)?;
        let part = if let Some(bias) = bias { part.broadcast_add(bias)? } else { part };
        part.reshape((count, longest, heads, hidden / heads))?.transpose(1, 2)?.contiguous()
    };
    let (q, k, v) = (part(0, Some(query_bias))?, part(1, None)?, part(2, None)?);
    let scores = q.matmul(&k.transpose(D::Minus1, D::Minus2)?.contiguous()?)?.broadcast_add(&mask)?;
    let mixed = candle_nn::ops::softmax_last_dim(&scores)?.matmul(&v)?;
    mixed.transpose(1, 2)?.contiguous()?.reshape((count * longest, hidden))?.index_select(&back, 0)
}

struct Attention<'a> {
    lengths: &'a [usize],
    heads: usize,
    rows: Rows,
}

impl CustomOp2 for Attention<'_> {
    fn name(&self) -> &'static str {
        "packed-attention"
    }

    fn cpu_fwd(
        &self,
        qkv: &CpuStorage,
        qkv_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (qkv, bias) = (floats(qkv, qkv_layout)?, floats(bias, bias_layout)?);
        let mixed = mix_sequences(qkv, bias, self.lengths, self.heads, self.rows);
        let rows = mixed.len() / bias.len();
        Ok((CpuStorage::F32(mixed), (rows, bias.len()).into()))
    }
}

/// Whether the kernel supports heads of this width.
pub(super) fn has_kernel(width: usize) -> bool {
    width.is_multiple_of(STEP)
}

/// [`attention`] in plain memory; [`has_kernel`] must be true for the heads.
pub(super) fn mix_sequences(
    mut qkv: &[f32],
    bias: &[f32],
    lengths: &[usize],
    heads: usize,
    rows: Rows,
) -> Vec<f32> {
    let hidden = bias.len();
    let count = match rows {
        Rows::All => lengths.iter().sum(),
        Rows::First => lengths.len(),
    };
    let mut out = vec![0f32; count * hidden];
    let mut scratch = Scratch::default();
    let mut free = out.as_mut_slice();
    for length in lengths {
        let (sequence, later) = qkv.split_at(length * 3 * hidden);
        let queries = if rows == Rows::All { *length } else { 1 };
        let (mixed, left) = free.split_at_mut(queries * hidden);
        (qkv, free) = (later, left);
        for head in 0..heads {
            let width = hidden / heads;
            Arch::new().dispatch(Head {
                sequence,
                bias: &bias[head * width..][..width],
                mixed: &mut *mixed,
                hidden,
                at: head * width,
                scratch: &mut scratch,
            });
        }
    }
    out
}

/// Buffers that are reused for each head.
#[derive(Default)]
struct Scratch {
    /// Keys, transposed: `[width, positions]`.
    keys: Vec<f32>,
    /// Values: `[tokens, width]`.
    values: Vec<f32>,
    /// [`QUERIES`] queries with their bias.
    queries: Vec<f32>,
    /// Their scores, each `positions` long.
    scores: Vec<f32>,
}

/// One head of one sequence.
struct Head<'a> {
    /// `[tokens, 3 * hidden]`.
    sequence: &'a [f32],
    /// The query's bias in this head.
    bias: &'a [f32],
    /// `[queries, hidden]`; this head writes its own columns.
    mixed: &'a mut [f32],
    hidden: usize,
    /// The head's first column.
    at: usize,
    scratch: &'a mut Scratch,
}

impl WithSimd for Head<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { sequence, bias, mixed, hidden, at, scratch } = self;
        let (width, stride) = (bias.len(), 3 * hidden);
        let tokens = sequence.len() / stride;
        // Scores are computed two vectors at a time; keys beyond the last token are zero.
        let places = tokens.next_multiple_of(2 * S::F32_LANES);
        let Scratch { keys, values, queries, scores } = scratch;
        keys.clear();
        keys.resize(width * places, 0.0);
        values.clear();
        for (n, token) in sequence.chunks_exact(stride).enumerate() {
            for (row, key) in keys.chunks_exact_mut(places).zip(&token[hidden + at..][..width]) {
                row[n] = *key;
            }
            values.extend_from_slice(&token[2 * hidden + at..][..width]);
        }
        queries.resize(QUERIES * width, 0.0);
        scores.resize(QUERIES * places, 0.0);

        let rows = mixed.len() / hidden;
        for first in (0..rows).step_by(QUERIES) {
            let count = QUERIES.min(rows - first);
            for (n, query) in queries.chunks_exact_mut(width).enumerate() {
                // The last block may repeat its last query; the copies are computed and ignored.
                let token = &sequence[(first + n.min(count - 1)) * stride + at..][..width];
                for ((q, t), b) in query.iter_mut().zip(token).zip(bias) {
                    *q = t + b;
                }
            }
            score(simd, queries, keys, scores, width, places);
            for row in scores.chunks_exact_mut(places) {
                kernels::softmax(&mut row[..tokens]);
            }
            let mut blocks = [[0.0; STEP]; QUERIES];
            for column in (0..width).step_by(STEP) {
                mix(simd, scores, &values[column..], &mut blocks, tokens, width, places);
                for (n, block) in blocks.iter().take(count).enumerate() {
                    mixed[(first + n) * hidden + at + column..][..STEP].copy_from_slice(block);
                }
            }
        }
    }
}

/// Scores of [`QUERIES`] queries against all keys.
#[inline(always)]
fn score<S: Simd>(simd: S, queries: &[f32], keys: &[f32], scores: &mut [f32], width: usize, places: usize) {
    let vectors = places / S::F32_LANES;
    let keys = S::as_simd_f32s(keys).0;
    let (scores, _) = S::as_mut_simd_f32s(scores);
    for pair in (0..vectors).step_by(2) {
        let mut sums = [[simd.splat_f32s(0.0); 2]; QUERIES];
        for (t, row) in keys.chunks_exact(vectors).enumerate() {
            let (left, right) = (row[pair], row[pair + 1]);
            for (n, sum) in sums.iter_mut().enumerate() {
                let q = simd.splat_f32s(queries[n * width + t]);
                sum[0] = simd.mul_add_e_f32s(q, left, sum[0]);
                sum[1] = simd.mul_add_e_f32s(q, right, sum[1]);
            }
        }
        for (n, sum) in sums.iter().enumerate() {
            scores[n * vectors + pair] = sum[0];
            scores[n * vectors + pair + 1] = sum[1];
        }
    }
}

/// The weighted means of [`STEP`] columns of the values for [`QUERIES`] queries.
#[inline(always)]
fn mix<S: Simd>(
    simd: S,
    scores: &[f32],
    values: &[f32],
    out: &mut [[f32; STEP]; QUERIES],
    tokens: usize,
    width: usize,
    places: usize,
) {
    for column in (0..STEP).step_by(2 * S::F32_LANES) {
        let mut sums = [[simd.splat_f32s(0.0); 2]; QUERIES];
        for t in 0..tokens {
            let row = S::as_simd_f32s(&values[t * width + column..][..2 * S::F32_LANES]).0;
            let (left, right) = (row[0], row[1]);
            for (n, sum) in sums.iter_mut().enumerate() {
                let share = simd.splat_f32s(scores[n * places + t]);
                sum[0] = simd.mul_add_e_f32s(share, left, sum[0]);
                sum[1] = simd.mul_add_e_f32s(share, right, sum[1]);
            }
        }
        for (out, sum) in out.iter_mut().zip(&sums) {
            let out = S::as_mut_simd_f32s(&mut out[column..][..2 * S::F32_LANES]).0;
            out.copy_from_slice(sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    #[test]
    fn kernel_agrees_with_candle() {
        let lengths = [1, 5, 33, 2, 70];
        for (heads, width) in [(3, 32), (2, 64)] {
            let hidden = heads * width;
            let qkv = Tensor::randn(0f32, 0.7f32, (111, 3 * hidden), &Device::Cpu).unwrap();
            let bias = Tensor::randn(0f32, 0.7f32, hidden, &Device::Cpu).unwrap();
            for rows in [Rows::All, Rows::First] {
                let ours = attention(&qkv, &bias, &lengths, heads, rows).unwrap();
                let theirs = padded(&qkv, &bias, &lengths, heads, rows).unwrap();
                let gap = (&ours - &theirs).unwrap().abs().unwrap().max_all().unwrap();
                let gap = gap.to_scalar::<f32>().unwrap();
                assert!(gap < 1e-5, "they differ by {gap}");
            }
        }
    }
}
