//! Paths from the root.

use std::path::{Path, PathBuf};

/// The path of a file to write.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
