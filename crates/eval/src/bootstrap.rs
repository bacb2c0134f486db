//! Confidence intervals by resampling questions (Efron and Tibshirani, An Introduction to the Bootstrap, 1993). Pure
//! functions.
//!
//! Two arms are compared on the same resampled questions, a paired bootstrap (Koehn, 2004). The seed is fixed, so that
//! the same figures have the same intervals.
//!
//! The pseudorandom numbers come from a published generator in this file: intervals must not change with the version of
//! a library.

use serde::{Deserialize, Serialize};

/// How often the questions are resampled.
pub const RESAMPLES: usize = 2_000;
const SEED: u64 = 20_261_125;

/// A 95% percentile interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Interval {
    /// 2.5% of the resampled values are below.
    pub low: f64,
    /// 2.5% of the resampled values are above.
    pub high: f64,
}

impl Interval {
    /// Whether it leaves zero out: a difference is then clear.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The interval of a `statistic` of `count` questions. It gets the positions of the questions of one sample, with repetitions,
/// and returns `None` where it has no value. `None` if it never has one.
#[must_use]
pub fn interval(count: usize, statistic: impl Fn(&[usize]) -> Option<f64>) -> Option<Interval> {
    let mut random = SplitMix(SEED);
    let mut sample = vec![0; count];
    let mut values = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        sample.fill_with(|| random.below(count));
        values.extend(statistic(&sample));
    }
    values.sort_by(f64::total_cmp);
    // The same number of values is left out at either end.
    let outside = values.len() / 40;
    Some(Interval { low: *values.get(outside)?, high: *values.get(values.len() - 1 - outside)? })
}

/// The 95% score interval of a share of `count` cases (Wilson, 1927).
#[must_use]
pub fn share_interval(share: f64, count: usize) -> Interval {
    let (z, count) = (1.96, count as f64);
    let middle = share + z * z / (2.0 * count);
    let spread = z * (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt();
    let scale = 1.0 + z * z / count;
    Interval { low: ((middle - spread) / scale).max(0.0), high: ((middle + spread) / scale).min(1.0) }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(super) struct SplitMix(pub u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(of: &[f64]) -> impl Fn(&[usize]) -> Option<f64> {
        |sample| Some(sample.iter().map(|at| of[*at]).sum::<f64>() / sample.len() as f64)
    }

    #[test]
    fn the_interval_of_a_share_is_that_of_the_binomial() {
        let all: Vec<f64> = (0..100).map(|at| f64::from(at < 30)).collect();
        let found = interval(all.len(), mean(&all)).unwrap();
        // Binomial(100, 0.3): its quantiles at 2.5% and 97.5% are 21 and 39.
        assert!((found.low - 0.21).abs() <= 0.011 && (found.high - 0.39).abs() <= 0.011, "{found:?}");
        assert_eq!(interval(all.len(), mean(&all)), Some(found), "it is the same every time");
    }

    #[test]
    fn a_difference_on_the_same_questions_has_no_spread_of_its_own() {
        let base: Vec<f64> = (0..60).map(|at| f64::from(at % 7)).collect();
        let better: Vec<f64> = base.iter().map(|value| value + 0.25).collect();
        let difference = |sample: &[usize]| Some(mean(&better)(sample)? - mean(&base)(sample)?);
        let found = interval(base.len(), difference).unwrap();
        assert!((found.low - 0.25).abs() < 1e-9 && (found.high - 0.25).abs() < 1e-9, "{found:?}");
        assert!(found.is_clear());
        assert!(!Interval { low: -0.1, high: 0.2 }.is_clear());
    }

    #[test]
    fn the_interval_of_a_share_stays_within_its_bounds() {
        let found = share_interval(1.0, 10);
        assert!((found.low - 0.722).abs() < 0.001 && found.high <= 1.0, "{found:?}");
    }

    #[test]
    fn nothing_has_no_interval() {
        assert_eq!(interval(3, |_| None), None);
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs for the seed 1234567, as in its authors' test vectors.
        let mut random = SplitMix(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
