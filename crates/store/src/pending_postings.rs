//! Postings that a transaction has not written yet.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use heed::RwTxn;
use oriel_core::DocumentId;

use crate::error::StoreError;
use crate::keys;
use crate::postings::{Block, DocumentTerms, FILLED_BLOCK, MAX_BLOCK, NewBlocks, Posting, measure};
use crate::schema::Databases;
use crate::view::View;

/// Postings that an edit has not written yet.
///
/// Documents have many terms in common. Written together and in the order of their keys, the postings of a transaction
/// touch each block once, and each term's frequency is updated once.
#[derive(Default)]
pub(crate) struct PendingPostings {
    terms: HashMap<String, PendingTerm>,
    /// The sentences of all changes, one after the other.
    sentences: Vec<u8>,
    /// The documents with pending changes.
    documents: HashSet<DocumentId>,
    /// The number of changes.
    count: usize,
}

#[derive(Default)]
struct PendingTerm {
    /// The change of the term's frequency.
    frequency: i64,
    /// One change for each document.
    changes: Vec<Change>,
}

struct Change {
    document: DocumentId,
    /// The range in [`PendingPostings::sentences`]; `None` if no sentence of the document contains the term any more.
    sentences: Option<Range<usize>>,
}

/// If more changes are pending, they are written before the next document is added. Each takes some fifty bytes of
/// memory.
const MAX_PENDING: usize = 1 << 20;

impl PendingPostings {
    /// Replaces the sentences of the document that contain a term. `by` is the change of their number.
    fn change(&mut self, term: &str, document: DocumentId, new: Option<&[u8]>, by: i64) {
        let start = self.sentences.len();
        self.sentences.extend_from_slice(new.unwrap_or_default());
        let sentences = new.map(|_| start..self.sentences.len());
        let pending = self.terms.entry(term.to_owned()).or_default();
        pending.frequency += by;
        pending.changes.push(Change { document, sentences });
        self.count += 1;
    }

    /// Writes the pending changes.
    pub fn flush(&mut self, databases: &Databases, txn: &mut RwTxn<'_>) -> Result<(), StoreError> {
        let Self { terms, sentences, .. } = std::mem::take(self);
        let frequencies = databases.frequencies;
        let mut terms: Vec<_> = terms.into_iter().collect();
        terms.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (term, PendingTerm { frequency: by, mut changes }) in terms {
            changes.sort_unstable_by_key(|change| change.document);
            put(databases, txn, &term, &changes, &sentences)?;
            if by != 0 {
                match View::new(databases, txn).frequency(&term)?.saturating_add_signed(saturated(by)) {
                    0 => _ = frequencies.delete(txn, term.as_bytes())?,
                    sum => frequencies.put(txn, term.as_bytes(), &keys::id(sum))?,
                }
            }
        }
        Ok(())
    }

    /// Replaces the document's postings by those of `new`. Returns how many terms its sentences had before, and how many now.
    pub fn replace(
        &mut self,
        databases: &Databases,
        txn: &mut RwTxn<'_>,
        document: DocumentId,
        new: &DocumentTerms,
    ) -> Result<(i64, i64), StoreError> {
        if self.documents.contains(&document) || self.count > MAX_PENDING {
            self.flush(databases, txn)?;
        }
        let mut old_length = 0i64;
        let (mut same, mut changed) = (HashSet::new(), HashMap::new());
        let old = View::new(databases, txn).terms_of(document)?;
        let by_term: HashMap<&str, &[u8]> = if old.is_empty() {
            HashMap::new()
        } else {
            new.iter().map(|(term, sentences, _)| (term, sentences)).collect()
        };
        for term in &old {
            let term = term.as_str();
            let (count, length, is_same) = {
                let posting = View::new(databases, txn).posting(term, document)?;
                let sentences = posting.map(|posting| posting.sentences).unwrap_or_default();
                let (count, length) = measure(sentences)?;
                (count, length, by_term.get(term).map(|new| *new == sentences.bytes))
            };
            old_length += length;
            match is_same {
                Some(true) => _ = same.insert(term),
                Some(false) => _ = changed.insert(term, count),
                None => self.change(term, document, None, -i64::from(count)),
            }
        }
        for (term, sentences, count) in new.iter().filter(|(term, ..)| !same.contains(term)) {
            let by = i64::from(count) - i64::from(changed.get(term).copied().unwrap_or(0));
            self.change(term, document, Some(sentences), by);
        }
        self.documents.insert(document);
        let key = keys::id(document.0);
        if new.names.is_empty() {
            databases.terms.delete(txn, &key)?;
        } else {
            let packed = lz4_flex::block::compress_prepend_size(new.names.as_bytes());
            databases.terms.put(txn, &key, &packed)?;
        }
        Ok((old_length, new.length))
    }
}

fn saturated(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

/// Writes changes of a term's documents, given in order, block by block.
fn put(
    databases: &Databases,
    txn: &mut RwTxn<'_>,
    term: &str,
    mut changes: &[Change],
    sentences: &[u8],
) -> Result<(), StoreError> {
    let postings = databases.postings;
    let prefix = keys::term_prefix(term);
    while let Some(first) = changes.first() {
        let key = keys::posting(term, first.document);
        let (old, new) = {
            let txn = View::new(databases, txn).txn;
            let is_ours = |(found, _): &(&[u8], &[u8])| found.starts_with(&prefix);
            let mut old = postings.get_lower_than_or_equal_to(txn, &key)?.filter(is_ours);
            if old.is_none() {
                old = postings.get_greater_than(txn, &key)?.filter(is_ours);
            }
            let next = match old {
                Some((old, _)) => postings.get_greater_than(txn, old)?.filter(is_ours),
                None => None,
            };
            let end = next.map(|(next, _)| keys::posting_document(next)).transpose()?;
            let count = end.map_or(changes.len(), |end| changes.partition_point(|one| one.document < end));
            if count == 0 {
                return Err(StoreError::Corrupt("blocks of postings out of order".into()));
            }
            let (here, later) = changes.split_at(count);
            changes = later;
            let block = old.map(Block::of).transpose()?.unwrap_or_default();
            let mut new = merged(block, here, sentences, MAX_BLOCK)?;
            if new.len() > 1 {
                new = merged(block, here, sentences, FILLED_BLOCK)?;
            }
            (old.map(|(old, _)| old.to_vec()), new)
        };
        if let Some(old) =
            old.filter(|old| new.first().is_none_or(|(first, _)| keys::posting(term, *first) != *old))
        {
            postings.delete(txn, &old)?;
        }
        for (first, block) in new {
            postings.put(txn, &keys::posting(term, first), &block)?;
        }
    }
    Ok(())
}

/// Applies changes to the documents of a block. The result may be several blocks of at most `room` bytes.
fn merged(
    block: Block<'_>,
    changes: &[Change],
    sentences: &[u8],
    room: usize,
) -> Result<Vec<(DocumentId, Vec<u8>)>, StoreError> {
    let new_sentences = |change: &Change| change.sentences.clone().map(|range| &sentences[range]);
    let mut blocks = NewBlocks::new(room);
    let mut changes = changes.iter().peekable();
    for posting in block {
        let Posting { document, sentences: old } = posting?;
        while let Some(change) = changes.next_if(|change| change.document < document) {
            blocks.push(change.document, new_sentences(change));
        }
        match changes.next_if(|change| change.document == document) {
            Some(change) => blocks.push(document, new_sentences(change)),
            None => blocks.push(document, Some(old.bytes)),
        }
    }
    for change in changes {
        blocks.push(change.document, new_sentences(change));
    }
    Ok(blocks.blocks)
}
