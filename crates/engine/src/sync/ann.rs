//! The last stage: adds vectors outside the search trees to them, one part at a time, so that another writer waits for
//! one part only.

use oriel_store::{Store, Vectors};

use crate::error::EngineError;
use crate::sync::context::Indexing;
use crate::sync::progress::IndexProgress;

/// The trees grow once this many vectors are outside them, or …
const MIN_VECTORS_TO_BUILD: u64 = 2_000;
/// … one in this many of those inside, whichever is more. Until then these are searched by brute force.
const MIN_SHARE_TO_BUILD: u64 = 10;
/// Vectors that are added in one transaction: two or three seconds of work.
const VECTORS_PER_STEP: usize = 16_384;

/// Progress of growing the trees over one set of vectors.
#[derive(Default)]
pub(crate) struct AnnBuild {
    /// Vectors outside when growing began; 0 before it begins.
    total: u64,
}

impl AnnBuild {
    /// Adds one part if enough vectors are outside. Returns whether another part is left.
    pub(crate) fn step(
        &mut self,
        store: &Store,
        of: Vectors,
        indexing: &mut Indexing<'_>,
    ) -> Result<bool, EngineError> {
        let counts = store.read(|view| view.vector_counts(of))?;
        let outside = counts.unindexed + counts.stale;
        // Once begun, growing runs to the end.
        let least =
            if self.total > 0 { 1 } else { MIN_VECTORS_TO_BUILD.max(counts.trees / MIN_SHARE_TO_BUILD) };
        if outside < least {
            self.total = 0;
            return Ok(false);
        }
        self.total = self.total.max(outside);
        self.report(outside, indexing);
        indexing.cancel.checkpoint()?;
        let left = store.grow_trees(of, VECTORS_PER_STEP, indexing.cancel)?;
        self.report(left, indexing);
        if left == 0 {
            self.total = 0;
        }
        Ok(left > 0)
    }

    fn report(&self, left: u64, indexing: &mut Indexing<'_>) {
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let (done, total) = (count(self.total - left.min(self.total)), count(self.total));
        (indexing.progress)(IndexProgress::Building { done, total });
    }
}
