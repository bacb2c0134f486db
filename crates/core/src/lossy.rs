//! Paths on their way to JSON: a name that is not UTF-8 is shown with replacement characters instead of failing.

use std::path::{Path, PathBuf};

use serde::{Serialize as _, Serializer};

/// Serialises one path.
///
/// # Errors
/// Those of the serializer.
pub fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    path.to_string_lossy().serialize(serializer)
}

/// Serialises a path that may be missing.
///
/// # Errors
/// Those of the serializer.
pub fn optional_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

/// Serialises a list of paths.
///
/// # Errors
/// Those of the serializer.
pub fn paths<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}
