//! The sample: a small invented business's papers, to try Oriel on before one's own. Unpacked into the library's folder.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use include_dir::{Dir, include_dir};

static SAMPLE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tests/fixtures/sample");

/// Where the sample lies in a library.
pub(crate) fn folder(library: &Path) -> PathBuf {
    library.join("sample").join("Pellow & Daughters")
}

/// Writes the sample where it is missing.
pub(crate) fn unpack(library: &Path) -> anyhow::Result<PathBuf> {
    let folder = folder(library);
    let written = std::fs::create_dir_all(&folder).and_then(|()| SAMPLE.extract(&folder));
    written
        .with_context(|| format!("the sample cannot be written to {}; check the disk", folder.display()))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_can_be_written_again() {
        let library = tempfile::tempdir().unwrap();
        let folder = unpack(library.path()).unwrap();
        assert!(folder.join("Workshop Handbook.md").is_file());
        unpack(library.path()).unwrap();
    }
}
