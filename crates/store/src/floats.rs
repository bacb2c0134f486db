//! Vectors as stored: two bytes for each value.

use half::f16;
use half::slice::HalfFloatSliceExt as _;
use heed::{PutFlags, RwTxn};

use crate::error::StoreError;
use crate::schema::VectorSet;

/// Encodes a vector in f16. Cosine similarities differ from those in f32 by less than 0.001.
pub(crate) fn halves(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect()
}

/// Decodes a vector that [`halves`] encoded.
pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    let halves: Vec<f16> = bytes.as_chunks::<2>().0.iter().map(|two| f16::from_le_bytes(*two)).collect();
    halves.to_f32_vec()
}

/// Puts a vector. Behind all others, if its sentence is the last: LMDB then fills a page before it begins the next, and would
/// move the last vector of a full page to the next otherwise.
pub(crate) fn put_halves(
    set: &VectorSet,
    txn: &mut RwTxn<'_>,
    sentence: &[u8],
    vector: &[u8],
) -> Result<(), StoreError> {
    let is_last = set.vectors.last(txn)?.is_none_or(|(last, _)| last < sentence);
    let flags = if is_last { PutFlags::APPEND } else { PutFlags::empty() };
    Ok(set.vectors.put_with_flags(txn, flags, sentence, vector)?)
}
