//! Operations on files that several modules share: identifying a file, replacing it, moving it aside.

use std::fs::{self, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use oriel_core::Notice;
use oriel_store::Stamp;

use crate::error::EngineError;

/// Replaces the file at `path` atomically: writes `bytes` beside it, syncs, then renames.
///
/// # Errors
/// If the folder cannot be written. The old file is unchanged then.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(stem)) = (path.parent(), path.file_stem()) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a file lies in a folder and has a name"));
    };
    let mut beside = tempfile::Builder::new().prefix(stem).suffix(".new").tempfile_in(folder)?;
    beside.write_all(bytes)?;
    beside.as_file().sync_all()?;
    beside.persist(path).map_err(|error| error.error)?;
    // The rename is durable only once the folder is synced.
    sync_folder(folder)
}

/// Makes a rename in the folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Size, time and inode: what tells whether a file has changed.
pub(crate) fn stamp(metadata: &Metadata) -> Stamp {
    let modified = metadata.modified().ok().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
    });
    Stamp { size: metadata.len(), modified, inode: inode(metadata) }
}

/// The file's inode; 0 on systems without.
#[cfg(unix)]
pub(crate) fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

/// The file's inode; 0 on systems without.
#[cfg(not(unix))]
pub(crate) fn inode(_metadata: &Metadata) -> u64 {
    0
}

/// The number of the file's device; 0 on systems without.
#[cfg(unix)]
pub(crate) fn device(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::dev(found)
}

/// The number of the file's device; 0 on systems without.
#[cfg(not(unix))]
pub(crate) fn device(_found: &Metadata) -> u64 {
    0
}

/// The canonical path if it exists; otherwise the path made absolute by name.
#[must_use]
pub fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// The name of the file or folder at `path`, for people; empty if it has none.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Renames a broken file to a name that is free, and returns that name.
pub(crate) fn move_aside(path: &Path) -> io::Result<PathBuf> {
    let mut number = 1;
    let aside = loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".broken-{number}"));
        let aside = PathBuf::from(name);
        if !aside.try_exists()? {
            break aside;
        }
        number += 1;
    };
    fs::rename(path, &aside)?;
    Ok(aside)
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Since `begun`, in milliseconds.
pub(crate) fn milliseconds(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1000.0
}

/// The error of a path that cannot be written.
pub(crate) fn unwritable(path: &Path, cause: &io::Error) -> EngineError {
    let why = Notice::CannotBeWritten { cause: Notice::io(cause).into() };
    EngineError::Path { path: path.to_owned(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("settings.json");
        replace_file(&path, b"a longer first").unwrap();
        replace_file(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_replaced_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("folder");
        fs::create_dir_all(path.join("inside")).unwrap();
        replace_file(&path, b"a file").unwrap_err();
        replace_file(&place.path().join("nowhere/file"), b"a file").unwrap_err();
        assert!(path.join("inside").is_dir());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "and what was written beside it is gone");
    }
}
