//! From folders to the store: brings a library up to date, once or continuously with a watch.
//!
//! - `watch` says what may have changed (a `scope`), and when to look.
//! - `scan` walks it (`walk`) and compares what it finds with the store (`diff`).
//! - `read` turns files into text and sentences, `embed` computes vectors, `recognise` makes text of scans
//!   and images.
//! - `publish` sends what changed to a remote index.
//! - `scheduler` runs these stages, the most urgent documents first. `context` is what a run is given, `progress` what
//!   it reports, `eta` estimates how long it will take.

pub(crate) mod context;
pub(crate) mod diff;
pub(crate) mod embed;
pub(crate) mod eta;
pub(crate) mod progress;
pub(crate) mod publish;
pub(crate) mod read;
pub(crate) mod recognise;
pub(crate) mod scan;
pub(crate) mod scheduler;
pub(crate) mod scope;
#[cfg(test)]
mod tests;
pub(crate) mod walk;
pub(crate) mod watch;

use oriel_core::CancelToken;

use crate::error::EngineError;
use crate::library::Library;
use crate::sync::context::{Indexing, LazyEmbedder};
use crate::sync::progress::{IndexProgress, IndexReport};
use crate::sync::watch::Watch;

impl Library {
    /// Brings the library up to date once. The embedder is loaded if a sentence has no vector, or if the embedder has
    /// changed: then all vectors are computed again.
    ///
    /// # Errors
    /// If the store cannot be written (a full disk, another indexer), the embedder fails or `cancel` is cancelled. Work
    /// done until then is kept. A document that cannot be read is not an error.
    pub fn index(
        &self,
        embedder: &LazyEmbedder<'_>,
        progress: &mut (dyn FnMut(IndexProgress<'_>) + Send),
        cancel: &CancelToken,
    ) -> Result<IndexReport, EngineError> {
        self.writable()?;
        self.note_folders();
        scheduler::index(&self.store, self.indexing(embedder, progress, cancel, None))
    }

    /// Processes what `watch` has noticed since the last call, and what earlier runs left. The first call scans
    /// everything. Documents that the user changed last or asked about go first, even in the middle of other work.
    /// Returns whether all is done: while `saves_power` is true, long embedding and text recognition are left for a
    /// later call.
    ///
    /// # Errors
    /// Those of [`Library::index`]. Changes that the watch has noticed are not lost.
    pub fn keep_up(
        &self,
        watch: &Watch,
        embedder: &LazyEmbedder<'_>,
        progress: &mut (dyn FnMut(IndexProgress<'_>) + Send),
        cancel: &CancelToken,
        saves_power: &dyn Fn() -> bool,
    ) -> Result<bool, EngineError> {
        self.note_folders();
        let indexing = self.indexing(embedder, progress, cancel, Some(watch));
        scheduler::keep_up(&self.store, Indexing { saves_power, ..indexing })
    }

    fn indexing<'a>(
        &'a self,
        embedder: &'a LazyEmbedder<'a>,
        progress: &'a mut (dyn FnMut(IndexProgress<'_>) + Send),
        cancel: &'a CancelToken,
        watch: Option<&'a Watch>,
    ) -> Indexing<'a> {
        let (worker, limits, passwords) = (&self.worker, self.limits, &self.passwords);
        let (asked_about, saves_power) = (&self.asked_about, &|| false);
        Indexing { worker, limits, passwords, embedder, progress, cancel, watch, asked_about, saves_power }
    }
}
