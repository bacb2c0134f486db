//! Loops over floats, compiled for the widest vectors of the processor; pulp selects the version at run time.
//!
//! They work on slices and know no tensors. They are written so that the compiler vectorises them: sums in [`LANES`]
//! separate accumulators, no branches, no calls.

use pulp::Arch;

/// Accumulators of a sum: the number of floats in the widest vector.
const LANES: usize = 16;

/// Replaces rows of `x` by `layer_norm(x + bias + residual)`; `parameters` is bias, gain and offset one after another,
/// and determines the row's length.
pub(super) fn add_norm(x: &mut [f32], residual: &[f32], parameters: &[f32], eps: f32) {
    let width = parameters.len() / 3;
    let (bias, parameters) = parameters.split_at(width);
    let (gain, offset) = parameters.split_at(width);
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (x, residual) in x.chunks_exact_mut(width).zip(residual.chunks_exact(width)) {
                for ((x, r), b) in x.iter_mut().zip(residual).zip(bias) {
                    *x += r + b;
                }
                let mean = sum(x, |v| v) / width as f32;
                let variance = sum(x, |v| (v - mean) * (v - mean)) / width as f32;
                let scale = 1.0 / (variance + eps).sqrt();
                for ((x, g), o) in x.iter_mut().zip(gain).zip(offset) {
                    *x = (*x - mean) * scale * g + o;
                }
            }
        },
    );
}

/// Replaces rows of `x` by `gelu(x + bias)`.
pub(super) fn bias_gelu(x: &mut [f32], bias: &[f32]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for row in x.chunks_exact_mut(bias.len()) {
                for (x, b) in row.iter_mut().zip(bias) {
                    let v = *x + b;
                    *x = 0.5 * v * (1.0 + erf(v * std::f32::consts::FRAC_1_SQRT_2));
                }
            }
        },
    );
}

/// Quantises rows of `x` to 8 bits: `x ≈ scale * (step - zero)`, with the lowest value of a row (at most 0) as step 0 and the
/// highest (at least 0) as step 255.
pub(super) fn quantise(x: &[f32], width: usize, steps: &mut [u8], scales: &mut [f32], zeros: &mut [u8]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            let rows = x.chunks_exact(width).zip(steps.chunks_exact_mut(width));
            for ((x, steps), (scale, zero)) in rows.zip(scales.iter_mut().zip(zeros)) {
                let (mut low, mut high) = ([0f32; LANES], [0f32; LANES]);
                let (whole, rest) = x.as_chunks::<LANES>();
                for block in whole {
                    for ((low, high), v) in low.iter_mut().zip(&mut high).zip(block) {
                        *low = if *v < *low { *v } else { *low };
                        *high = if *v > *high { *v } else { *high };
                    }
                }
                let low = low.iter().chain(rest).fold(0f32, |low, v| low.min(*v));
                let high = high.iter().chain(rest).fold(0f32, |high, v| high.max(*v));
                *scale = ((high - low) / 255.0).max(f32::MIN_POSITIVE);
                let (per, at) = (1.0 / *scale, (-low / *scale).round());
                *zero = at as u8;
                // Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits.
                for (step, v) in steps.iter_mut().zip(x) {
                    let place = v * per + at;
                    let place = if place < 255.0 { place } else { 255.0 };
                    let place = if place > 0.0 { place } else { 0.0 };
                    *step = (place + 12_582_912.0).to_bits() as u8;
                }
            }
        },
    );
}

/// Converts products of quantised rows to floats. `rows` are the scale and the zero point of each row of `sums`,
/// `columns` the scale and the sum of quantised weights of each column.
pub(super) fn dequantise(sums: &[i32], rows: (&[f32], &[u8]), columns: (&[f32], &[i32]), out: &mut [f32]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            let width = columns.0.len();
            let products = sums.chunks_exact(width).zip(out.chunks_exact_mut(width));
            for ((sums, out), (row, zero)) in products.zip(rows.0.iter().zip(rows.1)) {
                let zero = i32::from(*zero);
                for ((sum, out), (column, total)) in sums.iter().zip(out).zip(columns.0.iter().zip(columns.1))
                {
                    *out = (sum - zero * total) as f32 * (row * column);
                }
            }
        },
    );
}

/// Replaces `values` by their softmax. It is inlined into callers that pulp compiles.
#[inline(always)]
pub(super) fn softmax(values: &mut [f32]) {
    let mut lanes = [f32::MIN; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for block in whole {
        for (lane, v) in lanes.iter_mut().zip(block) {
            *lane = if *v > *lane { *v } else { *lane };
        }
    }
    let most = lanes.iter().chain(rest).fold(f32::MIN, |most, v| most.max(*v));
    for v in values.iter_mut() {
        *v = exp(*v - most);
    }
    let scale = 1.0 / sum(values, |v| v);
    for v in values.iter_mut() {
        *v *= scale;
    }
}

#[inline(always)]
fn sum(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for block in whole {
        for (lane, v) in lanes.iter_mut().zip(block) {
            *lane += of(*v);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|v| of(*v)).sum::<f32>()
}

/// The error function to within 3e-7: the rational minimax approximation of Eigen and XLA, exact beyond ±3.84.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let x = x.clamp(-3.832_507, 3.832_507);
    let square = x * x;
    let mut over = 0.000_229_050_66;
    for c in [0.003_408_291, 0.050_955_694, 0.185_208_32, std::f32::consts::FRAC_2_SQRT_PI] {
        over = over * square + c;
    }
    let mut under = -1.179_160_3e-7;
    for c in [2.354_796_7e-5, 0.001_017_962_5, 0.014_070_47, 0.110_985_05, 0.497_469_25, 1.0] {
        under = under * square + c;
    }
    x * over / under
}

/// e^x for x ≤ 0, to within 3e-7 of its value; values below e^-87 become e^-87.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits. The 127 is the exponent's bias:
    // shifting the bits up by 23 gives 2^n.
    const ROUND: f32 = 12_582_912.0 + 127.0;
    let x = x.max(-87.0);
    let t = x * std::f32::consts::LOG2_E + ROUND;
    let n = t - ROUND;
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let mut p = 1.987_569_1e-4;
    for c in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5] {
        p = p * r + c;
    }
    (p * r * r + r + 1.0) * f32::from_bits(t.to_bits() << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// erf as its series, in f64.
    fn series(x: f64) -> f64 {
        let (mut term, mut total) = (x, x);
        for n in 1..200 {
            term *= -x * x / f64::from(n);
            total += term / f64::from(2 * n + 1);
        }
        total * std::f64::consts::FRAC_2_SQRT_PI
    }

    #[test]
    fn erf_is_within_a_millionth() {
        for n in -4000..=4000 {
            let x = n as f32 / 1000.0;
            let gap = (f64::from(erf(x)) - series(f64::from(x))).abs();
            assert!(gap < 1e-6, "erf({x}) is off by {gap}");
        }
        assert!((erf(50.0) - 1.0).abs() < 1e-6 && (erf(-50.0) + 1.0).abs() < 1e-6);
    }

    #[test]
    fn exp_is_within_a_millionth() {
        for n in 0..=87_000 {
            let x = -(n as f32) / 1000.0;
            let wanted = f64::from(x).exp();
            let gap = (f64::from(exp(x)) - wanted).abs() / wanted;
            assert!(gap < 1e-6, "exp({x}) is off by a share of {gap}");
        }
        assert!(exp(f32::MIN) < 1e-37);
    }

    #[test]
    fn softmax_sums_to_one_whatever_the_length() {
        for length in [1, 2, 15, 16, 17, 250] {
            let mut values: Vec<f32> = (0..length).map(|n| (n as f32 * 0.7).sin() * 30.0).collect();
            softmax(&mut values);
            assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{length}");
        }
    }
}
