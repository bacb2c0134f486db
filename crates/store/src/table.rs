//! A document's sentences as rows of sixteen bytes.

use oriel_core::{ByteSpan, Ordinal, SentenceId, SentenceRow};

use crate::StoreError;

const ROW_BYTES: usize = 16;

/// The sentences of one document as stored, in reading order.
#[derive(Clone, Copy, Debug)]
pub struct SentenceTable<'t>(&'t [u8]);

impl<'t> SentenceTable<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Result<Self, StoreError> {
        if bytes.len().is_multiple_of(ROW_BYTES) {
            Ok(Self(bytes))
        } else {
            Err(StoreError::Corrupt("a sentence table of the wrong length".into()))
        }
    }

    pub(crate) fn encode(rows: &[SentenceRow]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(rows.len() * ROW_BYTES);
        for row in rows {
            for value in [row.span.start, row.span.end, row.page.unwrap_or(0), row.id.0] {
                bytes.extend_from_slice(&value.to_le_bytes());
            }
        }
        bytes
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len() / ROW_BYTES
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn get(&self, ordinal: Ordinal) -> Option<SentenceRow> {
        let at = ordinal.0 as usize * ROW_BYTES;
        self.0.get(at..at + ROW_BYTES).map(decode)
    }

    /// All sentences in reading order.
    pub fn rows(&self) -> impl Iterator<Item = SentenceRow> + 't {
        self.0.chunks_exact(ROW_BYTES).map(decode)
    }

    /// The ordinals of the sentences with this id.
    pub fn ordinals_of(&self, id: SentenceId) -> impl Iterator<Item = Ordinal> + 't {
        (0..).zip(self.rows()).filter(move |(_, row)| row.id == id).map(|(at, _)| Ordinal(at))
    }
}

fn decode(bytes: &[u8]) -> SentenceRow {
    let value = |at: usize| {
        let mut four = [0; 4];
        four.copy_from_slice(&bytes[at..at + 4]);
        u32::from_le_bytes(four)
    };
    let page = value(8);
    SentenceRow {
        span: ByteSpan::new(value(0), value(4)),
        page: (page > 0).then_some(page),
        id: SentenceId(value(12)),
    }
}
