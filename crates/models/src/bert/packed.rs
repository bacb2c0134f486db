//! The input of an encoder: sequences without padding, and which rows of the output are wanted.

/// Sequences of token ids, packed without padding.
#[derive(Default)]
pub(crate) struct Packed {
    pub(super) ids: Vec<u32>,
    pub(super) types: Vec<u32>,
    pub(super) positions: Vec<u32>,
    pub(super) lengths: Vec<usize>,
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

    /// The number of tokens of each sequence.
    pub(crate) fn lengths(&self) -> &[usize] {
        &self.lengths
    }
}

/// Which rows of the last layer to compute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// Every token's.
    All,
    /// Only the first token of each sequence.
    First,
}

/// The position of each sequence's first token.
pub(crate) fn first_rows(lengths: &[usize]) -> impl Iterator<Item = usize> {
    lengths.iter().scan(0, |next, length| {
        let start = *next;
        *next += length;
        Some(start)
    })
}
