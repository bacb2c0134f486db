//! Counts as JavaScript gets them.

/// A count as 32 bits. One that does not fit becomes the largest that does.
pub(crate) fn count(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}
