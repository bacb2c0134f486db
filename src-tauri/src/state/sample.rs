//! The sample: papers of a small invented business, to try Oriel on. It is unpacked into the library's folder.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use oriel_api::AppError;
use oriel_core::Notice;
use oriel_core::notice::shown;
use oriel_engine::Library;

use crate::api::OwnFolder;

static SAMPLE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tests/fixtures/sample");

/// The sample's folder in a library.
pub(crate) fn folder(library: &Path) -> PathBuf {
    library.join("sample").join("Pellow & Daughters")
}

/// Writes the sample's files.
pub(crate) fn unpack(library: &Path) -> Result<PathBuf, AppError> {
    let folder = folder(library);
    let written = std::fs::create_dir_all(&folder).and_then(|()| SAMPLE.extract(&folder));
    written.map_err(|error| Notice::SampleNotWritten {
        folder: shown(&folder),
        cause: Notice::io(&error).into(),
    })?;
    Ok(folder)
}

/// Writes the sample if it is followed and missing: a backup does not contain it.
pub(crate) fn restore_if_followed(library: &Library) -> Result<(), AppError> {
    let folder = folder(library.path());
    if !folder.exists() && library.folders()?.contains(&folder) {
        unpack(library.path())?;
    }
    Ok(())
}

/// Which of the library's own folders this is.
pub(crate) fn own_folder(library: &Library, path: &Path) -> Option<OwnFolder> {
    if path == folder(library.path()) {
        Some(OwnFolder::Sample)
    } else if path == library.files() {
        Some(OwnFolder::Copies)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use oriel_core::WorkerCommand;
    use oriel_engine::ExtractorLimits;

    use super::*;

    #[test]
    fn the_sample_comes_back_if_it_is_followed() {
        let place = tempfile::tempdir().unwrap();
        // Nothing is read here.
        let worker = WorkerCommand::new("", [""; 0]);
        let library =
            Library::open(&place.path().join("library"), worker, ExtractorLimits::default()).unwrap();
        restore_if_followed(&library).unwrap();
        assert!(!folder(library.path()).exists(), "nobody wants it");
        let folder = unpack(library.path()).unwrap();
        library.add(std::slice::from_ref(&folder)).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        restore_if_followed(&library).unwrap();
        assert!(folder.join("Workshop Handbook.md").is_file());
    }

    #[test]
    fn the_sample_can_be_written_again() {
        let library = tempfile::tempdir().unwrap();
        let folder = unpack(library.path()).unwrap();
        assert!(folder.join("Workshop Handbook.md").is_file());
        unpack(library.path()).unwrap();
    }
}
