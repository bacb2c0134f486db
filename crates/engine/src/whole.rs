//! Replacing a file whole: a reader sees the old one or the new one, and a kill leaves one of them.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file beside its place, brings it to the disk and gives it its name.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().suffix(".new").tempfile_in(folder)?;
    write(&mut file)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Brings to the disk that a name in the folder changed.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
}
