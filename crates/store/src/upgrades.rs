//! Upgrades from every earlier version of the store: an ordered list, applied in one transaction.

use crate::schema::{VERSION, meta};
use crate::{DocumentRecord, Edit, StoreError, keys};

type Upgrade = fn(&mut Edit<'_>) -> Result<(), StoreError>;

/// The first upgrades version 1 to version 2, and so on. Missing databases have been created before.
const UPGRADES: [Upgrade; VERSION as usize - 1] = [second_set, structure];

/// Version 2 adds a second set of vectors. It is empty, and the first one is active.
fn second_set(_: &mut Edit<'_>) -> Result<(), StoreError> {
    Ok(())
}

/// Version 3 keeps the structure of each text, and the format by its content. All documents are read again for that; until then
/// they are found as before.
fn structure(edit: &mut Edit<'_>) -> Result<(), StoreError> {
    let documents: Vec<_> = edit.view().documents()?.collect::<Result<_, _>>()?;
    for (id, record) in documents {
        edit.put_document(id, &DocumentRecord { outdated: true, ..record })?;
        edit.schedule(id)?;
    }
    Ok(())
}

/// Upgrades a store of version `found`.
pub(crate) fn upgrade(edit: &mut Edit<'_>, found: u32) -> Result<(), StoreError> {
    let done = usize::try_from(found).ok().and_then(|found| found.checked_sub(1));
    let Some(left) = done.and_then(|done| UPGRADES.get(done..)) else {
        return Err(StoreError::Corrupt(format!("there is no version {found} of the store")));
    };
    for step in left {
        step(edit)?;
    }
    let databases = edit.databases;
    databases.meta.put(edit.txn(), meta::VERSION, &keys::id(VERSION))?;
    Ok(())
}
