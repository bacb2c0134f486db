//! What a scan looks at: everything, or some paths.

use std::collections::BTreeSet;
use std::path::PathBuf;

use oriel_store::FolderRecord;

/// The scope of a scan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// All folders.
    Everything,
    /// These paths and everything below them.
    Paths(BTreeSet<PathBuf>),
}

impl Scope {
    /// The starting points of the walks through `folder`. If a part of it was unreachable, the whole folder is scanned
    /// again; so is one that follows links, since only a whole walk knows what else leads to a file.
    pub(crate) fn starts(&self, folder: &FolderRecord) -> BTreeSet<PathBuf> {
        let whole = || BTreeSet::from([folder.path.clone()]);
        let Self::Paths(paths) = self else { return whole() };
        let is_whole = |path: &PathBuf| folder.path.starts_with(path);
        let mut inside: BTreeSet<PathBuf> =
            paths.iter().filter(|path| path.starts_with(&folder.path)).cloned().collect();
        let wants_whole = folder.unreachable.is_some() || folder.follow_links;
        if paths.iter().any(is_whole) || (!inside.is_empty() && wants_whole) {
            return whole();
        }
        let outer = inside.clone();
        inside.retain(|path| !path.ancestors().skip(1).any(|above| outer.contains(above)));
        inside
    }
}
