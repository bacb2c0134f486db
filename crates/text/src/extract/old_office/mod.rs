//! Word and PowerPoint before 2007: numbers and arrays that both formats use.

mod doc;
mod ppt;
mod properties;

pub(super) use doc::extract as extract_doc;
pub(super) use ppt::extract as extract_ppt;

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// A 32-bit number as an offset in a stream.
fn place_at(bytes: &[u8], at: usize) -> Option<usize> {
    u32_at(bytes, at).and_then(|place| usize::try_from(place).ok())
}

/// An array (PLC) of positions, with an element of fixed size between each two.
#[derive(Clone, Copy)]
struct Plc<'a> {
    positions: &'a [[u8; 4]],
    elements: &'a [u8],
    size: usize,
}

impl<'a> Plc<'a> {
    /// The array in these bytes.
    fn new(bytes: &'a [u8], size: usize) -> Self {
        Self::of_count(bytes, bytes.len().saturating_sub(4) / (4 + size), size)
    }

    /// The array of `count` elements at the start of `bytes`; empty if the bytes are too short.
    fn of_count(bytes: &'a [u8], count: usize, size: usize) -> Self {
        let (positions, elements) = bytes.split_at_checked(4 * (count + 1)).unwrap_or_default();
        Self { positions: positions.as_chunks().0, elements, size }
    }

    fn len(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }

    /// The position before an element, or after the last one.
    fn position(&self, index: usize) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(*self.positions.get(index)?)).ok()
    }

    fn element(&self, index: usize) -> Option<&'a [u8]> {
        let at = index.checked_mul(self.size)?;
        self.elements.get(at..at + self.size)
    }

    /// The element whose range contains `position`; positions must ascend.
    fn find(&self, position: usize) -> Option<usize> {
        let before = self.positions.partition_point(|one| u32::from_le_bytes(*one) as usize <= position);
        before.checked_sub(1).filter(|index| *index < self.len())
    }
}
