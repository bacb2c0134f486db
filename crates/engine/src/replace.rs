//! A file that is replaced whole or not at all, whatever happens while it is written.

use std::io::{self, Write as _};
use std::path::Path;

/// Puts `bytes` in place of what is at `path`: written beside it, brought to the disk, then given its name.
///
/// # Errors
/// Where the folder cannot be written; what was there stays as it was.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(stem)) = (path.parent(), path.file_stem()) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a file lies in a folder and has a name"));
    };
    let mut beside = tempfile::Builder::new().prefix(stem).suffix(".new").tempfile_in(folder)?;
    beside.write_all(bytes)?;
    beside.as_file().sync_all()?;
    beside.persist(path).map_err(|error| error.error)?;
    // The new name is on the disk only when the folder is.
    sync_folder(folder)
}

/// Brings to the disk that a name in the folder changed.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
