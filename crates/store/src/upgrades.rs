//! The upgrade of a store of version 1, the only earlier version that can be read. It is one transaction: after a kill
//! or on a full disk the store is still at version 1.

use std::ops::Bound;

use oriel_core::DocumentId;
use roaring::RoaringBitmap;

use crate::postings::{FILLED_BLOCK, NewBlocks, Occurrence, push_sentence};
use crate::schema::{Raw, VERSION, meta};
use crate::{Edit, StoreError, floats, keys};

/// The databases with vectors in version 1, in the order of [`crate::schema::UPGRADED_NAMES`].
pub(crate) struct UpgradedVectors {
    /// sentence u32 -> one f32 per dimension
    pub unindexed: Raw,
    /// sentence u32 -> nothing: a vector in the trees whose sentence is gone
    pub stale: Raw,
    /// arroy 0.9: the key of an item is 0, 0, 3, sentence u32, 0; its value is 0, its length in f32, one f32 per
    /// dimension
    pub trees: Raw,
}

/// The beginning of the keys of arroy's items, and of their values before the vector.
const ITEM_KEY: [u8; 3] = [0, 0, 3];
const ITEM_HEADER: usize = 5;
/// The number of vectors in memory at a time.
const MOVED_AT_ONCE: usize = 1024;

/// Upgrades a store of version 1. The caller has created the missing databases.
pub(crate) fn upgrade(edit: &mut Edit<'_>, from: &UpgradedVectors) -> Result<(), StoreError> {
    edit.read_all_again()?;
    move_vectors(edit, from)?;
    gather_postings(edit)?;
    let databases = edit.databases;
    Ok(databases.meta.put(edit.txn(), meta::VERSION, &keys::id(VERSION))?)
}

/// Moves the vectors to f16 and computes their codes. Nothing is embedded again.
fn move_vectors(edit: &mut Edit<'_>, from: &UpgradedVectors) -> Result<(), StoreError> {
    let stale: RoaringBitmap = edit.view().ids(&from.stale)?.into_iter().collect();
    move_from(edit, from.trees, |key, value| {
        let sentence = key.strip_prefix(&ITEM_KEY)?.first_chunk::<4>()?;
        let is_stale = stale.contains(u32::from_be_bytes(*sentence));
        value.get(ITEM_HEADER..).filter(|_| !is_stale).map(|vector| (*sentence, vector))
    })?;
    move_from(edit, from.unindexed, |key, value| Some((key.try_into().ok()?, value)))?;
    from.stale.clear(edit.txn())?;
    // This also computes the codes.
    edit.mend_vectors().map(|_| ())
}

/// Moves the vectors of a database. `item` returns the sentence and the vector of an entry, if it has one.
fn move_from(
    edit: &mut Edit<'_>,
    from: Raw,
    item: impl for<'a> Fn(&[u8], &'a [u8]) -> Option<([u8; 4], &'a [u8])>,
) -> Result<(), StoreError> {
    let [set, _] = edit.databases.sets;
    let mut after: Option<Vec<u8>> = None;
    loop {
        let mut moved = Vec::with_capacity(MOVED_AT_ONCE);
        let mut last = None;
        {
            let view = edit.view();
            let begin = after.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
            for entry in from.range(view.txn, &(begin, Bound::Unbounded))?.take(MOVED_AT_ONCE) {
                let (key, value) = entry?;
                last = Some(key.to_vec());
                // A vector that is cut off is left out, and so embedded again.
                if let Some((sentence, vector)) = item(key, value)
                    && let (numbers, []) = vector.as_chunks::<4>()
                {
                    let vector: Vec<f32> = numbers.iter().map(|four| f32::from_le_bytes(*four)).collect();
                    moved.push((sentence, floats::halves(&vector)));
                }
            }
        }
        if last.is_none() {
            return Ok(from.clear(edit.txn())?);
        }
        after = last;
        for (sentence, vector) in moved {
            floats::put_halves(&set, edit.txn(), &sentence, &vector)?;
        }
    }
}

/// Joins the documents of a term into blocks; in version 1 each had its own entry. Entries that cannot be read are left
/// out; `doctor` reports them.
fn gather_postings(edit: &mut Edit<'_>) -> Result<(), StoreError> {
    let postings = edit.databases.postings;
    let mut done: Option<Vec<u8>> = None;
    loop {
        // The entries of one term.
        let (first, last, term, new) = {
            let txn = edit.view().txn;
            let begin = done.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
            let mut rows = postings.range(txn, &(begin, Bound::Unbounded))?;
            let Some((first, value)) = rows.next().transpose()? else { return Ok(()) };
            let term = &first[..first.len().saturating_sub(4)];
            let (mut last, mut before, mut new) = (first, None, NewBlocks::new(FILLED_BLOCK));
            for row in std::iter::once(Ok((first, value))).chain(rows) {
                let (key, triples) = row?;
                let Some(document) = key.strip_prefix(term).and_then(|id| keys::read_id(id).ok()) else {
                    break;
                };
                last = key;
                if let Ok(sentences) = from_triples(triples)
                    && before < Some(document)
                {
                    new.push(DocumentId(document), Some(&sentences));
                    before = Some(document);
                }
            }
            (first.to_vec(), last.to_vec(), term.to_vec(), new)
        };
        postings.delete_range(edit.txn(), &keys::range(&first, &last))?;
        for (document, block) in new.blocks {
            postings.put(edit.txn(), &[term.as_slice(), &keys::id(document.0)].concat(), &block)?;
        }
        done = Some(last);
    }
}

/// The sentences of a document in version 1, as three varints each: the difference to the previous ordinal, the number
/// of occurrences of the term, and the number of terms.
fn from_triples(mut triples: &[u8]) -> Result<Vec<u8>, StoreError> {
    let (mut sentences, mut ordinal) = (Vec::with_capacity(triples.len()), 0u32);
    while !triples.is_empty() {
        let before = ordinal;
        ordinal = ordinal.saturating_add(keys::take_varint(&mut triples)?);
        let frequency = keys::take_varint(&mut triples)?;
        let length = keys::take_varint(&mut triples)?;
        push_sentence(&mut sentences, before, Occurrence { ordinal, frequency, length });
    }
    Ok(sentences)
}
