//! From every earlier version of the store to this one: an ordered list, applied in one transaction.

use crate::schema::{VERSION, meta};
use crate::{Edit, StoreError, keys};

type Upgrade = fn(&mut Edit<'_>) -> Result<(), StoreError>;

/// The first turns version 1 into version 2, and so on. Databases that are missing have been made before.
const UPGRADES: [Upgrade; VERSION as usize - 1] = [second_set];

/// Version 2 has a second set of vectors. It is empty, and the first is the one that is searched.
fn second_set(_: &mut Edit<'_>) -> Result<(), StoreError> {
    Ok(())
}

/// Brings a store of version `found` to this one's.
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
