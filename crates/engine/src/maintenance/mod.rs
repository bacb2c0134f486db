//! The library as a whole: checked, repaired, compacted, backed up and restored.
//!
//! `check` compares texts, sentences, postings and vectors; `repair` works out anew what disagrees. `backup` writes one
//! file, `restore` puts it back.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod repair;
pub(crate) mod restore;

use oriel_core::CancelToken;
use oriel_store::Compacted;

use crate::error::EngineError;
use crate::library::Library;

impl Library {
    /// Gives what is free in the index back to the disk, see [`Store::compact`].
    ///
    /// # Errors
    /// Where another process has the library open, the disk has no room for the copy, or `cancel` came; the library is as
    /// before then.
    pub fn compact(
        self,
        progress: &mut dyn FnMut(u64, u64),
        cancel: &CancelToken,
    ) -> Result<Compacted, EngineError> {
        Ok(self.store.compact(cancel, progress)?)
    }
}
