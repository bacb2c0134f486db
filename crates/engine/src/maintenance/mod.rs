//! Maintenance of a whole library: check, repair, compact, back up and restore.
//!
//! `check` compares texts, sentences, postings and vectors. `repair` recomputes what disagrees. `backup` writes the
//! library into one file and `restore` reads it.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod repair;
pub(crate) mod restore;

use oriel_core::CancelToken;
use oriel_store::Compacted;

use crate::error::EngineError;
use crate::library::Library;

impl Library {
    /// Shrinks the data file to what is in use, see [`Store::compact`](oriel_store::Store::compact).
    ///
    /// # Errors
    /// If another process has the library open, the disk has no space for the copy, or after a cancellation. The
    /// library is then unchanged.
    pub fn compact(
        self,
        progress: &mut dyn FnMut(u64, u64),
        cancel: &CancelToken,
    ) -> Result<Compacted, EngineError> {
        Ok(self.store.compact(cancel, progress)?)
    }
}
