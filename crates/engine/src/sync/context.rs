//! What an indexing run needs besides the store: worker, embedder, progress listener, cancellation.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use oriel_core::{CancelToken, Embedder, ModelError, WorkerCommand};

use crate::library::limits::ExtractorLimits;
use crate::sync::progress::IndexProgress;
use crate::sync::watch::Watch;

/// An embedder that is loaded when first needed: a library that is up to date needs none.
pub struct LazyEmbedder<'a> {
    /// The fingerprint that the embedder will have, where it is known without loading it.
    pub fingerprint: Option<String>,
    /// Loads it.
    pub load: &'a dyn Fn() -> Result<Arc<dyn Embedder>, ModelError>,
}

/// What an indexing needs beside the store.
pub(crate) struct Indexing<'a> {
    pub worker: &'a WorkerCommand,
    pub limits: ExtractorLimits,
    pub embedder: &'a LazyEmbedder<'a>,
    pub progress: &'a mut (dyn FnMut(IndexProgress<'_>) + Send),
    pub cancel: &'a CancelToken,
    /// What hints at changes, also while others are worked off.
    pub watch: Option<&'a Watch>,
    /// Files and folders that were asked about since this was looked at last.
    pub asked_about: &'a Mutex<BTreeSet<PathBuf>>,
}
