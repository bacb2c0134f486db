//! Codes: one bit for each dimension of each vector, for a first, approximate search that reads all of them in order.
//!
//! A code holds the signs of a vector's values and one factor. The query's values are rounded to 16 steps; from these
//! and the signs follows an estimate of the similarity, as in RaBitQ (Gao and Long, 2024) without its rotation. The
//! estimates are good enough that the nearest vectors are among the first few hundred, which `dense.rs` compares
//! exactly. A million codes take 64 MB and some ten milliseconds. They need no training and no building, and a filter
//! does not lower the recall.
//!
//! A block stores the first 64 signs of all its vectors, then the next 64 of all, and so on, and the factors at its
//! end. This layout lets a processor count the bits of several vectors at once.

use std::cmp::Ordering;

use heed::RoTxn;
use oriel_core::SentenceId;
use rayon::prelude::*;
use roaring::RoaringBitmap;

use crate::floats::floats;
use crate::schema::VectorSet;
use crate::{StoreError, keys};

/// Sentences in a block, by consecutive ids. A block is one value in the database.
const BLOCK: u32 = 256;
/// Bytes of 64 signs for each sentence of a block.
const OF_ALL: usize = BLOCK as usize * 8;
/// With fewer blocks, one thread reads them all, which takes a fraction of a millisecond.
const MIN_BLOCKS_PER_TASK: usize = 128;
/// Each task keeps its own list of the best, which costs time, so there are few tasks for each thread. There is more
/// than one because another program may delay a thread.
const TASKS_PER_THREAD: usize = 4;
/// Bits to which the query's values are rounded.
const QUERY_BITS: usize = 4;

/// The number of 64-bit words of signs in a code.
fn words(dimensions: usize) -> usize {
    dimensions.div_ceil(64)
}

/// The code of a vector: its signs, 64 in each word, and its factor.
fn code(vector: &[f32]) -> (Vec<u64>, f32) {
    let signs = vector.chunks(64).map(|values| {
        let ones = values.iter().enumerate().filter(|(_, value)| **value > 0.0);
        ones.fold(0, |signs, (n, _)| signs | 1 << n)
    });
    let sum: f32 = vector.iter().map(|value| value.abs()).sum();
    (signs.collect(), if sum > 0.0 { 1.0 / sum } else { 1.0 })
}

/// Writes the code of a vector to slot `at` of a block. A factor of 0 marks a sentence without a vector.
fn encode(block: &mut [u8], at: u32, vector: &[f32]) {
    let (signs, factor) = code(vector);
    let (at, factors) = (at as usize, signs.len() * OF_ALL);
    for (of_all, signs) in block.chunks_exact_mut(OF_ALL).zip(signs) {
        of_all[at * 8..][..8].copy_from_slice(&signs.to_le_bytes());
    }
    block[factors + at * 4..][..4].copy_from_slice(&factor.to_le_bytes());
}

/// Reads the code in slot `at` of a block.
fn decode(block: &[u8], at: u32) -> (Vec<u64>, f32) {
    let (signs, factors) = block.split_at(block.len() - BLOCK as usize * 4);
    let of_one = |of_all: &[[u8; 8]]| u64::from_le_bytes(of_all[at as usize]);
    let signs = signs.as_chunks::<8>().0.chunks_exact(BLOCK as usize).map(of_one).collect();
    (signs, f32::from_le_bytes(factors.as_chunks::<4>().0[at as usize]))
}

/// The length of a block in bytes.
fn length(dimensions: usize) -> usize {
    words(dimensions) * OF_ALL + BLOCK as usize * 4
}

/// Stores the code of a sentence's vector.
pub(crate) fn put(
    set: &VectorSet,
    txn: &mut heed::RwTxn<'_>,
    sentence: SentenceId,
    vector: &[f32],
) -> Result<(), StoreError> {
    let key = keys::id(sentence.0 / BLOCK);
    let mut block = match set.codes.get(txn, &key)? {
        Some(block) if block.len() != length(vector.len()) => return Err(wrong_length()),
        Some(block) => block.to_vec(),
        None => vec![0; length(vector.len())],
    };
    encode(&mut block, sentence.0 % BLOCK, vector);
    Ok(set.codes.put(txn, &key, &block)?)
}

/// Recomputes all codes from the vectors of these sentences.
pub(crate) fn rebuild(
    set: &VectorSet,
    txn: &mut heed::RwTxn<'_>,
    sentences: &RoaringBitmap,
) -> Result<(), StoreError> {
    set.codes.clear(txn)?;
    let mut current: Option<(u32, Vec<u8>)> = None;
    for sentence in sentences {
        let Some(vector) = set.vectors.get(txn, &keys::id(sentence))?.map(floats) else { continue };
        let number = sentence / BLOCK;
        if let Some((done, block)) = current.take_if(|(current, _)| *current != number) {
            set.codes.put(txn, &keys::id(done), &block)?;
        }
        let (_, block) = current.get_or_insert_with(|| (number, vec![0; length(vector.len())]));
        encode(block, sentence % BLOCK, &vector);
    }
    if let Some((done, block)) = current {
        set.codes.put(txn, &keys::id(done), &block)?;
    }
    Ok(())
}

/// The sentences whose code does not match their vector, or that have a code or a vector but not both.
pub(crate) fn wrong(set: &VectorSet, txn: &RoTxn<'_>) -> Result<RoaringBitmap, StoreError> {
    let mut wrong = sentences(set, txn)?;
    for entry in set.vectors.iter(txn)? {
        let (key, vector) = entry?;
        let (sentence, vector) = (keys::read_id(key)?, floats(vector));
        let block = set.codes.get(txn, &keys::id(sentence / BLOCK))?;
        let block = block.filter(|block| block.len() == length(vector.len()));
        if block.is_some_and(|block| decode(block, sentence % BLOCK) == code(&vector)) {
            wrong.remove(sentence);
        } else {
            wrong.insert(sentence);
        }
    }
    Ok(wrong)
}

fn wrong_length() -> StoreError {
    StoreError::Corrupt("a block of codes has the wrong length".into())
}

/// Removes the code of a sentence, if there is one.
pub(crate) fn remove(
    set: &VectorSet,
    txn: &mut heed::RwTxn<'_>,
    sentence: SentenceId,
) -> Result<(), StoreError> {
    let key = keys::id(sentence.0 / BLOCK);
    let Some(mut block) = set.codes.get(txn, &key)?.map(<[u8]>::to_vec) else { return Ok(()) };
    let factors = block.len().saturating_sub(BLOCK as usize * 4);
    let at = factors + (sentence.0 % BLOCK) as usize * 4;
    if let Some(factor) = block.get_mut(at..at + 4) {
        factor.fill(0);
    }
    if block[factors..].iter().all(|byte| *byte == 0) {
        set.codes.delete(txn, &key)?;
    } else {
        set.codes.put(txn, &key, &block)?;
    }
    Ok(())
}

/// The sentences that have a code.
fn sentences(set: &VectorSet, txn: &RoTxn<'_>) -> Result<RoaringBitmap, StoreError> {
    let mut all = RoaringBitmap::new();
    for entry in set.codes.iter(txn)? {
        let (key, block) = entry?;
        let first = first_of(key)?;
        let factors = &block[block.len().saturating_sub(BLOCK as usize * 4)..];
        let present = factors.chunks_exact(4).enumerate().filter(|(_, factor)| *factor != [0; 4]);
        all.extend(present.map(|(at, _)| first + at as u32));
    }
    Ok(all)
}

/// The `count` sentences with the highest estimates, highest first; only sentences of `among`, if it is given.
pub(crate) fn nearest(
    set: &VectorSet,
    txn: &RoTxn<'_>,
    query: &[f32],
    among: Option<&RoaringBitmap>,
    count: usize,
) -> Result<Vec<u32>, StoreError> {
    let mut blocks = Vec::new();
    for entry in set.codes.iter(txn)? {
        let (key, block) = entry?;
        if block.len() != length(query.len()) {
            return Err(wrong_length());
        }
        blocks.push((first_of(key)?, block));
    }
    let query = Query::new(query);
    let best = |blocks: &[(u32, &[u8])]| {
        let mut best = Best::new(count);
        let mut estimates = [0.0; BLOCK as usize];
        let counts =
            |first| among.is_none_or(|among| among.range_cardinality(first..=first + (BLOCK - 1)) > 0);
        for (first, block) in blocks.iter().filter(|(first, _)| counts(*first)) {
            query.estimate(block, &mut estimates);
            for (at, estimate) in (0..BLOCK).zip(estimates) {
                let sentence = first + at;
                if estimate > best.least && among.is_none_or(|among| among.contains(sentence)) {
                    best.add(estimate, sentence);
                }
            }
        }
        best
    };
    let task =
        MIN_BLOCKS_PER_TASK.max(blocks.len().div_ceil(TASKS_PER_THREAD * rayon::current_num_threads()));
    let found = blocks.par_chunks(task).map(best).reduce(|| Best::new(count), Best::merge);
    Ok(found.sentences())
}

fn first_of(key: &[u8]) -> Result<u32, StoreError> {
    let first = keys::read_id(key)?.checked_mul(BLOCK);
    first.ok_or_else(|| StoreError::Corrupt("a block of codes has the wrong number".into()))
}

/// Collects the highest estimates.
struct Best {
    count: usize,
    found: Vec<(f32, u32)>,
    /// A lower estimate cannot be among the highest.
    least: f32,
}

impl Best {
    fn new(count: usize) -> Self {
        Self { count, found: Vec::new(), least: f32::NEG_INFINITY }
    }

    fn add(&mut self, estimate: f32, sentence: u32) {
        self.found.push((estimate, sentence));
        if self.found.len() >= self.count.saturating_mul(2).max(2) {
            self.cut();
        }
    }

    /// Orders by estimate, highest first.
    fn order(a: &(f32, u32), b: &(f32, u32)) -> Ordering {
        b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
    }

    /// Keeps only the `count` highest.
    fn cut(&mut self) {
        if self.found.len() > self.count && self.count > 0 {
            let (_, least, _) = self.found.select_nth_unstable_by(self.count - 1, Self::order);
            self.least = least.0;
        }
        self.found.truncate(self.count);
    }

    fn merge(mut self, other: Self) -> Self {
        self.found.extend(other.found);
        self.cut();
        self
    }

    fn sentences(mut self) -> Vec<u32> {
        self.cut();
        self.found.sort_unstable_by(Self::order);
        self.found.into_iter().map(|(_, sentence)| sentence).collect()
    }
}

/// A query's values as `low + step * n`. The bits of `n` are stored in bit planes with the layout of the codes.
struct Query {
    /// The bit planes for each word of 64 signs.
    planes: Vec<[u64; QUERY_BITS]>,
    low: f32,
    step: f32,
    sum: f32,
}

impl Query {
    fn new(query: &[f32]) -> Self {
        let (low, high) =
            query.iter().fold((f32::MAX, f32::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
        let highest = (1u64 << QUERY_BITS) - 1;
        let step = ((high - low) / highest as f32).max(f32::MIN_POSITIVE);
        let mut planes = vec![[0; QUERY_BITS]; query.len().div_ceil(64)];
        let mut sum = 0.0;
        for (n, value) in query.iter().enumerate() {
            let steps = (((value - low) / step).round() as u64).min(highest);
            sum += low + step * steps as f32;
            for (bit, plane) in planes[n / 64].iter_mut().enumerate() {
                *plane |= (steps >> bit & 1) << (n % 64);
            }
        }
        Self { planes, low, step, sum }
    }

    /// Computes the estimates of a whole block; minus infinity for a sentence without a vector.
    fn estimate(&self, block: &[u8], estimates: &mut [f32; BLOCK as usize]) {
        let work = Estimate { query: self, block, estimates };
        #[cfg(target_arch = "x86_64")]
        if let Some(processor) = CountsBits::try_new() {
            return processor.vectorize(work);
        }
        pulp::Arch::new().dispatch(work);
    }
}

#[cfg(target_arch = "x86_64")]
pulp::simd_type! {
    /// Processors that count the bits of eight words with one instruction, which is three times as fast.
    struct CountsBits {
        avx512f: "avx512f",
        avx512bw: "avx512bw",
        avx512dq: "avx512dq",
        avx512vl: "avx512vl",
        avx512vpopcntdq: "avx512vpopcntdq",
    }
}

/// The computation in [`Query::estimate`]. It is a type because pulp would not compile a closure for the detected
/// processor.
struct Estimate<'a> {
    query: &'a Query,
    block: &'a [u8],
    estimates: &'a mut [f32; BLOCK as usize],
}

impl pulp::NullaryFnOnce for Estimate<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { query, block, estimates } = self;
        let (signs, factors) = block.split_at(query.planes.len() * OF_ALL);
        // The query's values at the positive signs add up to `low` times the number of signs plus `step` times the
        // steps.
        let (mut counts, mut steps) = ([0u64; BLOCK as usize], [0u64; BLOCK as usize]);
        for (of_all, [ones, twos, fours, eights]) in signs.as_chunks::<OF_ALL>().0.iter().zip(&query.planes) {
            for ((signs, count), steps) in of_all.as_chunks::<8>().0.iter().zip(&mut counts).zip(&mut steps) {
                let signs = u64::from_le_bytes(*signs);
                let shared = |plane: &u64| u64::from((signs & plane).count_ones());
                // Wrapping addition: these sums cannot overflow, and a check would keep the compiler from vector
                // instructions.
                *count = count.wrapping_add(u64::from(signs.count_ones()));
                for sum in [shared(ones), shared(twos) << 1, shared(fours) << 2, shared(eights) << 3] {
                    *steps = steps.wrapping_add(sum);
                }
            }
        }
        let sums = counts.iter().zip(&steps).zip(factors.as_chunks::<4>().0);
        for (estimate, ((count, steps), factor)) in estimates.iter_mut().zip(sums) {
            let positive = query.low * *count as u32 as f32 + query.step * *steps as u32 as f32;
            let factor = f32::from_le_bytes(*factor);
            *estimate = if factor > 0.0 { (2.0 * positive - query.sum) * factor } else { f32::NEG_INFINITY };
        }
    }
}
