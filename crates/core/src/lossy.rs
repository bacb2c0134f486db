//! Serialises paths and notices as JSON for scripts: a path that is not UTF-8 gets replacement characters instead of
//! failing, and a notice becomes its English text.

use std::path::{Path, PathBuf};

use serde::{Serialize as _, Serializer};

use crate::Notice;

/// Serialises one path.
pub fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    path.to_string_lossy().serialize(serializer)
}

/// Serialises a path that may be missing.
pub fn optional_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

/// Serialises a list of paths.
pub fn paths<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}

/// Serialises a notice as its text.
pub fn notice<S: Serializer>(notice: &Notice, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(notice)
}

/// Serialises a notice that may be missing.
pub fn optional_notice<S: Serializer>(notice: &Option<Notice>, serializer: S) -> Result<S::Ok, S::Error> {
    notice.as_ref().map(Notice::to_string).serialize(serializer)
}

/// Serialises a list of notices.
pub fn notices<S: Serializer>(notices: &[Notice], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(notices.iter().map(Notice::to_string))
}
