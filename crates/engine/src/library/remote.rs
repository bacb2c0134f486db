//! A library that reads a remote index instead of its own.

use oriel_core::notice::shown;
use oriel_core::{CancelToken, Notice};
use oriel_store::Store;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::source::remote::RemoteIndex;
use crate::library::source::{AnyRetriever, DocumentSource};
use crate::remote_index::connection::{Opened, SEARCH_SILENCE, open, opened};
use crate::remote_index::place::{IndexInfo, IndexPlace, NewIndex, READ_FILE, ReadFrom, forget, keep};

impl Library {
    /// Makes this library, which must follow nothing, read a remote index from when it is opened next.
    ///
    /// # Errors
    /// If it follows folders, or the index cannot be used: one line that names the host; nothing is changed then.
    pub fn connect(&self, new: NewIndex, cancel: &CancelToken) -> Result<IndexInfo, EngineError> {
        if !self.folders()?.is_empty() {
            let path = shown(self.path());
            return Err(EngineError::Index(Notice::LibraryFollowsFolders { path }));
        }
        let (place, key) = IndexPlace::new(new)?;
        let (_, reply) = open(&place, key.clone(), SEARCH_SILENCE, None, cancel)?;
        let Opened { collection, manifest } = opened(&place, reply)?;
        place.keep_key(key.as_ref())?;
        let (manifest, embedder) = (manifest.unwrap_or_default(), collection.embedder);
        let info = place.info(embedder.clone(), &manifest)?;
        keep(&self.path().join(READ_FILE), &ReadFrom { place, embedder, manifest })?;
        Ok(info)
    }

    /// Makes this library no longer read a remote index, from when it is opened next.
    ///
    /// # Errors
    /// If it cannot be written, or the keyring refuses.
    pub fn disconnect(&self) -> Result<(), EngineError> {
        let Some(remote) = &self.remote else { return Ok(()) };
        forget(&self.path().join(READ_FILE))?;
        remote.place().forget_key()
    }

    /// The remote index that this library reads; `None` if it reads its own.
    ///
    /// # Errors
    /// If its address cannot be used.
    pub fn reads_from(&self) -> Result<Option<IndexInfo>, EngineError> {
        self.remote.as_ref().map(RemoteIndex::info).transpose()
    }

    /// Whether it reads a remote index instead of its own.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.remote.is_some()
    }

    /// What holds its documents.
    pub(crate) fn source(&self) -> &dyn DocumentSource {
        match &self.remote {
            Some(remote) => remote,
            None => &self.store,
        }
    }

    /// Reads one state of the index that the library reads, again if it changes meanwhile. Long work with models does not belong
    /// in `read`: the store cannot reuse space meanwhile.
    pub(crate) fn read_index<T>(
        &self,
        mut read: impl FnMut(&AnyRetriever<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let mut result = None;
        self.source().read_state(&mut |state| {
            result = Some(read(state)?);
            Ok(())
        })?;
        Ok(result.expect("a state was given"))
    }

    /// The library's own index, for what no remote index can do.
    ///
    /// # Errors
    /// If it reads another.
    pub(crate) fn own_index(&self) -> Result<&Store, EngineError> {
        let Some(IndexInfo { host, collection, .. }) = self.reads_from()? else { return Ok(&self.store) };
        Err(EngineError::Index(Notice::LibraryReadsElsewhere { host, collection }))
    }
}
