//! The index elsewhere that a library reads.

use std::path::Path;

use oriel_wire::index::Manifest;

use crate::error::EngineError;
use crate::remote_index::connection::{RemoteIndex, SEARCH_SILENCE};
use crate::remote_index::place::{READ_FILE, ReadFrom, read_kept};

/// The index that a library reads from.
pub(crate) struct Elsewhere {
    pub index: RemoteIndex,
    /// As it was when the library was connected.
    pub kept: ReadFrom,
}

impl Elsewhere {
    /// That of the library in this folder, if it has one. Nothing is connected.
    ///
    /// # Errors
    /// If what is kept of it cannot be used.
    pub(crate) fn of(library: &Path) -> Result<Option<Self>, EngineError> {
        let kept: Option<ReadFrom> = read_kept(&library.join(READ_FILE))?;
        Ok(kept.map(|kept| Self { index: RemoteIndex::new(kept.place.clone(), SEARCH_SILENCE), kept }))
    }

    /// What the collection said about itself when it was last asked.
    pub(crate) fn manifest(&self) -> Manifest {
        self.index.last_manifest().unwrap_or_else(|| self.kept.manifest.clone())
    }
}
