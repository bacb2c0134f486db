//! Upgrades from every earlier version of the store: an ordered list, applied in one transaction.

use std::ops::Bound;

use roaring::RoaringBitmap;

use crate::schema::{Raw, VERSION, VectorSet, meta};
use crate::{DocumentRecord, Edit, StoreError, keys};

type Upgrade = fn(&mut Edit<'_>, &[FormerSet]) -> Result<(), StoreError>;

/// A set of vectors up to version 3, and what takes its place.
pub(crate) struct FormerSet {
    pub set: VectorSet,
    /// sentence u32 -> one f32 per dimension
    pub unindexed: Raw,
    /// sentence u32 -> nothing: in the trees, of no sentence
    pub stale: Raw,
    /// arroy 0.9: an item's key is 0, 0, 3, sentence u32, 0; its value 0, its length in f32, one f32 per dimension
    pub trees: Raw,
}

/// The beginning of the keys of arroy's items, and of their values before the vector.
const ITEM_KEY: [u8; 3] = [0, 0, 3];
const ITEM_HEADER: usize = 5;
/// Vectors that are held in memory at a time.
const MOVED_AT_ONCE: usize = 1024;

/// The first upgrades version 1 to version 2, and so on. Missing databases have been created before.
const UPGRADES: [Upgrade; VERSION as usize - 1] = [second_set, structure, codes];

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
    for FormerSet { set, unindexed, stale, trees } in former {
        let stale_ids: RoaringBitmap = edit.view().ids(stale)?.into_iter().collect();
        let mut after = [ITEM_KEY.as_slice(), &[0; 5]].concat();
        loop {
            let mut moved = Vec::with_capacity(MOVED_AT_ONCE);
            {
                let view = edit.view();
                let range = (Bound::Included(after.as_slice()), Bound::Unbounded);
                for entry in trees.range(view.txn, &range)?.take(MOVED_AT_ONCE) {
                    let (key, value) = entry?;
                    if let (Some(key), Some(vector)) =
                        (key.strip_prefix(&ITEM_KEY).and_then(|key| key.get(..4)), value.get(ITEM_HEADER..))
                    {
                        moved.push((key.to_vec(), vector.to_vec()));
                    }
                }
            }
            let Some((last, _)) = moved.last() else { break };
            after = [ITEM_KEY.as_slice(), last, &[1]].concat();
            for (key, vector) in moved {
                if !stale_ids.contains(keys::read_id(&key)?) {
                    set.vectors.put(edit.txn(), &key, &vector)?;
                }
            }
        }
        for sentence in edit.view().ids(unindexed)? {
            let key = keys::id(sentence);
            let vector = unindexed.get(edit.txn(), &key)?.unwrap_or_default().to_vec();
            set.vectors.put(edit.txn(), &key, &vector)?;
        }
        for database in [unindexed, stale, trees] {
            database.clear(edit.txn())?;
        }
    }
    // Also makes the codes.
    edit.mend_vectors().map(|_| ())
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
