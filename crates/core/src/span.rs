//! Byte spans in a document's text.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A half-open range of bytes in a document's text (UTF-8), on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct ByteSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl ByteSpan {
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The span as a `Range`, for slicing.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    #[must_use]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it has no bytes.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The slice of `text`, or `None` if the span is outside of it or not on character boundaries.
    #[must_use]
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.range())
    }

    /// The smallest span that contains both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Whether it shares a byte with one of these spans, which must ascend and not overlap.
    #[must_use]
    pub fn overlaps_any(self, spans: &[Self]) -> bool {
        let after = spans.partition_point(|span| span.end <= self.start);
        spans.get(after).is_some_and(|span| span.start < self.end)
    }
}
