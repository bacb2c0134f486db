//! Repairs a damaged library. Texts and folders are the starting point; everything else is computed from them or read
//! from the files again. Conversations and settings are separate files and stay untouched.
//!
//! If LMDB's own pages are broken, or a development build wrote the format, the data file is set aside and a new one
//! follows the same folders.

use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, Notice, Outline};
use oriel_store::{DocumentRecord, OpenLock, Repairs, SentenceHash, SentenceTable};
use serde::Serialize;

use crate::error::EngineError;
use crate::files::move_aside;
use crate::library::sentences::{Digest, digests};
use crate::library::{DATA_FILE, Library};

/// The result of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Repaired {
    /// Documents that were recomputed from their text.
    pub recomputed: usize,
    /// Documents that will be read from their files again.
    pub reread: usize,
    /// Documents that were dropped; a scan will find them as new ones.
    pub forgotten: usize,
    /// Folders whose record was unusable and that are followed again from the list beside the index.
    pub refollowed: usize,
    /// Folders whose record was unusable and that are not in the list. They have to be added again, or the next indexing
    /// removes their documents.
    pub unfollowed: usize,
    /// Sentences that will be embedded again.
    pub unembedded: usize,
    /// The path of an index that was damaged beyond repair. A new one with the same folders has replaced it.
    #[serde(serialize_with = "oriel_core::lossy::optional_path")]
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub set_aside: Option<PathBuf>,
}

impl Library {
    /// Recomputes everything that can be derived from texts and folders. The next indexing does the rest; this method
    /// reads no documents' files.
    ///
    /// # Errors
    /// If another process is indexing the library, the disk is full, the list of folders beside the index cannot be
    /// read, or the data file itself is broken (see [`Library::set_aside`]), and after a cancellation.
    pub fn repair(&self, cancel: &CancelToken) -> Result<Repaired, EngineError> {
        let _indexer = self.store.lock_writer()?;
        let listed = self.listed_folders()?.unwrap_or_default();
        let (repairs, refollowed) = self.store.write(|edit| {
            let repairs = edit.repair(&digest, cancel)?;
            let mut refollowed = 0;
            if repairs.unfollowed > 0 {
                let known = edit.view().folders()?;
                for folder in &listed {
                    if !known.iter().any(|(_, known)| known.path == folder.path) {
                        edit.add_folder(folder)?;
                        refollowed += 1;
                    }
                }
            }
            Ok((repairs, refollowed))
        })?;
        let Repairs { recomputed, reread, forgotten, unfollowed, unembedded } = repairs;
        let unfollowed = unfollowed.saturating_sub(refollowed);
        Ok(Repaired { recomputed, reread, forgotten, refollowed, unfollowed, unembedded, set_aside: None })
    }

    /// Moves a broken data file aside, to make room for a new one. The library must not be open. Returns its new path.
    ///
    /// # Errors
    /// If a process has the library open, or the folder cannot be written.
    pub fn set_aside(library: &Path) -> Result<PathBuf, EngineError> {
        let _alone = OpenLock::of_folder(library)?;
        let failed = |error: std::io::Error| EngineError::Path {
            path: library.to_owned(),
            why: Notice::CannotBeChanged { cause: Notice::io(&error).into() },
        };
        move_aside(&library.join(DATA_FILE)).map_err(failed)
    }
}

fn digest(
    record: &DocumentRecord,
    text: &str,
    outline: &Outline,
    table: &SentenceTable<'_>,
) -> Option<(Vec<SentenceHash>, Vec<Vec<String>>)> {
    let spans = table.rows().map(|row| row.span);
    digests(&record.path, text, outline, record.kind, spans)
        .map(|digest| digest.map(|Digest { hash, terms }| (hash, terms)))
        .collect()
}
