//! Encodes keys and small values as bytes.

use std::ops::Bound;
use std::path::Path;

use oriel_core::{DocumentId, SentenceId};

use crate::StoreError;

/// The key of a document or a sentence.
pub(crate) const fn id(value: u32) -> [u8; 4] {
    value.to_be_bytes()
}

/// Decodes a key of [`id`].
pub(crate) fn read_id(bytes: &[u8]) -> Result<u32, StoreError> {
    let array = bytes.try_into().map_err(|_| StoreError::Corrupt("a key of the wrong length".into()))?;
    Ok(u32::from_be_bytes(array))
}

/// The key of a page, from 1, of a document.
pub(crate) fn page(document: DocumentId, page: u32) -> [u8; 8] {
    let mut key = [0; 8];
    key[..4].copy_from_slice(&document.0.to_be_bytes());
    key[4..].copy_from_slice(&page.to_be_bytes());
    key
}

/// The range from one key to another, both included.
pub(crate) fn range<'k>(first: &'k [u8], last: &'k [u8]) -> (Bound<&'k [u8]>, Bound<&'k [u8]>) {
    (Bound::Included(first), Bound::Included(last))
}

/// Decodes a key of [`page`].
pub(crate) fn read_page(key: &[u8]) -> Result<(DocumentId, u32), StoreError> {
    let (document, page) = key.split_at_checked(4).unwrap_or_default();
    Ok((DocumentId(read_id(document)?), read_id(page)?))
}

/// The key in `occurrences`: a sentence and a document.
pub(crate) fn occurrence(sentence: SentenceId, document: DocumentId) -> [u8; 8] {
    let mut key = [0; 8];
    key[..4].copy_from_slice(&sentence.0.to_be_bytes());
    key[4..].copy_from_slice(&document.0.to_be_bytes());
    key
}

/// The document in a key of [`occurrence`].
pub(crate) fn occurrence_document(key: &[u8]) -> Result<DocumentId, StoreError> {
    let tail = key.get(4..).ok_or_else(|| StoreError::Corrupt("a short occurrence".into()))?;
    read_id(tail).map(DocumentId)
}

/// The key of a path.
pub(crate) fn path(path: &Path) -> [u8; 16] {
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes());
    let mut key = [0; 16];
    key.copy_from_slice(&hash.as_bytes()[..16]);
    key
}

/// The common prefix of the keys of a term's postings.
pub(crate) fn term_prefix(term: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(term.len() + 5);
    key.extend_from_slice(term.as_bytes());
    key.push(0);
    key
}

/// The key of a block of a term's postings that begins with this document.
pub(crate) fn posting(term: &str, document: DocumentId) -> Vec<u8> {
    let mut key = term_prefix(term);
    key.extend_from_slice(&document.0.to_be_bytes());
    key
}

/// The first document of a block, from the end of its key.
pub(crate) fn posting_document(key: &[u8]) -> Result<DocumentId, StoreError> {
    let tail = key.len().checked_sub(4).and_then(|at| key.get(at..));
    read_id(tail.unwrap_or_default()).map(DocumentId)
}

/// Appends `value` as a LEB128 varint.
pub(crate) fn push_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Removes a varint from the front of `bytes` and returns it.
pub(crate) fn take_varint(bytes: &mut &[u8]) -> Result<u32, StoreError> {
    let mut value = 0u32;
    for shift in (0..35).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else { break };
        *bytes = rest;
        value |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(StoreError::Corrupt("a varint without an end".into()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn varints_come_back(values in proptest::collection::vec(any::<u32>(), 0..50)) {
            let mut bytes = Vec::new();
            for &value in &values {
                push_varint(&mut bytes, value);
            }
            let mut rest = bytes.as_slice();
            for &value in &values {
                prop_assert_eq!(take_varint(&mut rest).unwrap(), value);
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn hostile_varints_are_errors_not_panics(bytes in proptest::collection::vec(any::<u8>(), 0..12)) {
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                if take_varint(&mut rest).is_err() { break; }
            }
        }
    }

    #[test]
    fn postings_of_a_term_do_not_mix_with_those_of_a_longer_one() {
        let key = posting("organs", DocumentId(7));
        assert!(!key.starts_with(&term_prefix("organ")));
        assert_eq!(posting_document(&key).unwrap(), DocumentId(7));
    }
}
