//! What an indexing run needs besides the store: worker, embedder, progress listener, cancellation.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use oriel_core::{CancelToken, Embedder, ModelError, WorkerCommand};
use parking_lot::Mutex;

use crate::library::limits::ExtractorLimits;
use crate::library::passwords::Passwords;
use crate::sync::progress::IndexProgress;
use crate::sync::watch::Watch;

/// An embedder that is loaded on first use: a library that is up to date needs none.
pub struct LazyEmbedder<'a> {
    /// The embedder's fingerprint, if it is known without loading it.
    pub fingerprint: Option<String>,
    /// Loads it.
    pub load: &'a dyn Fn() -> Result<Arc<dyn Embedder>, ModelError>,
}

/// What reading documents needs besides the store.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub worker: &'a WorkerCommand,
    pub limits: ExtractorLimits,
    pub passwords: &'a Passwords,
    pub cancel: &'a CancelToken,
}

/// What an indexing run needs besides the store.
pub(crate) struct Indexing<'a> {
    pub worker: &'a WorkerCommand,
    pub limits: ExtractorLimits,
    pub passwords: &'a Passwords,
    pub embedder: &'a LazyEmbedder<'a>,
    pub progress: &'a mut (dyn FnMut(IndexProgress<'_>) + Send),
    pub cancel: &'a CancelToken,
    /// The watch that reports changes during the run.
    pub watch: Option<&'a Watch>,
    /// Files and folders that the user asked about since the last check.
    pub asked_about: &'a Mutex<BTreeSet<PathBuf>>,
    /// Whether long work should be left for later.
    pub saves_power: &'a dyn Fn() -> bool,
}

impl<'a> Indexing<'a> {
    pub(crate) fn reading(&self) -> Reading<'a> {
        Reading { worker: self.worker, limits: self.limits, passwords: self.passwords, cancel: self.cancel }
    }
}
