//! Upgrades from every earlier version of the store: an ordered list, applied in one transaction.

use std::ops::Bound;

use oriel_core::DocumentId;
use roaring::RoaringBitmap;

use crate::postings::{FILLED_BLOCK, NewBlocks, Occurrence, push_sentence};
use crate::schema::{Raw, VERSION, VectorSet, meta};
use crate::{DocumentRecord, Edit, StoreError, keys, vectors};

type Upgrade = fn(&mut Edit<'_>, &[FormerSet]) -> Result<(), StoreError>;

/// What earlier versions kept of a set of vectors, and what takes its place.
pub(crate) struct FormerSet {
    pub set: VectorSet,
    /// Up to version 3: sentence u32 -> one f32 per dimension
    pub unindexed: Option<Raw>,
    /// Up to version 3: sentence u32 -> nothing: in the trees, of no sentence
    pub stale: Option<Raw>,
    /// Up to version 3, arroy 0.9: an item's key is 0, 0, 3, sentence u32, 0; its value 0, its length in f32, one f32 per
    /// dimension
    pub trees: Option<Raw>,
    /// Version 4: sentence u32 -> one f32 per dimension
    pub embeddings: Option<Raw>,
}

/// The beginning of the keys of arroy's items, and of their values before the vector.
const ITEM_KEY: [u8; 3] = [0, 0, 3];
const ITEM_HEADER: usize = 5;
/// Vectors that are held in memory at a time.
const MOVED_AT_ONCE: usize = 1024;

/// The first upgrades version 1 to version 2, and so on. Missing databases have been created before.
const UPGRADES: [Upgrade; VERSION as usize - 1] = [second_set, structure, codes, halves, blocks];

/// Version 2 adds a second set of vectors. It is empty, and the first one is active.
fn second_set(_: &mut Edit<'_>, _: &[FormerSet]) -> Result<(), StoreError> {
    Ok(())
}

/// Version 3 keeps the structure of each text, and the format by its content. All documents are read again for that; until then
/// they are found as before.
fn structure(edit: &mut Edit<'_>, _: &[FormerSet]) -> Result<(), StoreError> {
    let documents: Vec<_> = edit.view().documents()?.collect::<Result<_, _>>()?;
    for (id, record) in documents {
        edit.put_document(id, &DocumentRecord { outdated: true, ..record })?;
        edit.schedule(id)?;
    }
    Ok(())
}

/// Version 4 keeps the vectors in a database of their own, with codes, instead of arroy's trees. Nothing is embedded again.
fn codes(edit: &mut Edit<'_>, former: &[FormerSet]) -> Result<(), StoreError> {
    for FormerSet { set, unindexed, stale, trees, .. } in former {
        let stale_ids = stale.map(|stale| edit.view().ids(&stale)).transpose()?.unwrap_or_default();
        let stale_ids: RoaringBitmap = stale_ids.into_iter().collect();
        if let Some(trees) = *trees {
            move_vectors(edit, trees, set, |key, value| {
                let sentence = key.strip_prefix(&ITEM_KEY)?.first_chunk::<4>()?;
                let is_stale = stale_ids.contains(u32::from_be_bytes(*sentence));
                value.get(ITEM_HEADER..).filter(|_| !is_stale).map(|vector| (*sentence, vector))
            })?;
        }
        if let Some(unindexed) = *unindexed {
            move_vectors(edit, unindexed, set, by_sentence)?;
        }
        if let Some(stale) = stale {
            stale.clear(edit.txn())?;
        }
    }
    Ok(())
}

/// Version 5 keeps the vectors in f16, and in a code's block the signs of all vectors side by side.
fn halves(edit: &mut Edit<'_>, former: &[FormerSet]) -> Result<(), StoreError> {
    for FormerSet { set, embeddings, .. } in former {
        if let Some(embeddings) = *embeddings {
            move_vectors(edit, embeddings, set, by_sentence)?;
        }
    }
    // Also makes the codes.
    edit.mend_vectors().map(|_| ())
}

/// Version 6 keeps the documents of a term side by side, and less of each sentence. What cannot be read is left out, for `doctor`
/// to find.
fn blocks(edit: &mut Edit<'_>, _: &[FormerSet]) -> Result<(), StoreError> {
    let postings = edit.databases.postings;
    let mut done: Option<Vec<u8>> = None;
    loop {
        // The rows of a term.
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

/// The sentences of a document up to version 5: for each how far its ordinal is from the one before, how often it holds the
/// term, and how many terms it has.
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

fn by_sentence<'a>(key: &[u8], value: &'a [u8]) -> Option<([u8; 4], &'a [u8])> {
    Some((key.try_into().ok()?, value))
}

/// Moves the vectors of a former database to `set`. `item` gives the sentence and the vector in f32 of an entry that has one.
fn move_vectors(
    edit: &mut Edit<'_>,
    from: Raw,
    set: &VectorSet,
    item: impl for<'a> Fn(&[u8], &'a [u8]) -> Option<([u8; 4], &'a [u8])>,
) -> Result<(), StoreError> {
    let mut after: Option<Vec<u8>> = None;
    loop {
        let mut moved = Vec::with_capacity(MOVED_AT_ONCE);
        {
            let view = edit.view();
            let begin = after.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
            let mut last = None;
            for entry in from.range(view.txn, &(begin, Bound::Unbounded))?.take(MOVED_AT_ONCE) {
                let (key, value) = entry?;
                last = Some(key.to_vec());
                // A vector that is cut off is left to be embedded again.
                if let Some((sentence, vector)) = item(key, value)
                    && let (numbers, []) = vector.as_chunks::<4>()
                {
                    let vector: Vec<f32> = numbers.iter().map(|four| f32::from_le_bytes(*four)).collect();
                    moved.push((sentence, vectors::halves(&vector)));
                }
            }
            if last.is_none() {
                break;
            }
            after = last;
        }
        for (sentence, vector) in moved {
            vectors::put_halves(set, edit.txn(), &sentence, &vector)?;
        }
    }
    Ok(from.clear(edit.txn())?)
}

/// Upgrades a store of version `found`; `former` are its sets of vectors.
pub(crate) fn upgrade(edit: &mut Edit<'_>, found: u32, former: &[FormerSet]) -> Result<(), StoreError> {
    let done = usize::try_from(found).ok().and_then(|found| found.checked_sub(1));
    let Some(left) = done.and_then(|done| UPGRADES.get(done..)) else {
        return Err(StoreError::Corrupt(format!("there is no version {found} of the store")));
    };
    for step in left {
        step(edit, former)?;
    }
    let databases = edit.databases;
    databases.meta.put(edit.txn(), meta::VERSION, &keys::id(VERSION))?;
    Ok(())
}
