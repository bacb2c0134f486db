//! The folders of models on this computer.
//!
//! This module only computes paths; it reads no model and creates no folder.

use std::path::{Path, PathBuf};

use oriel_core::{ModelError, Notice};

/// The folders to search for models, each with one folder per model, named by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelDirs {
    /// Downloaded models; the folder may be deleted at any time.
    pub cache: PathBuf,
    /// Imported models.
    pub imported: PathBuf,
    /// Models that ship with the program; searched first, never written.
    pub shipped: Vec<PathBuf>,
}

impl ModelDirs {
    /// The platform's usual folders. The environment variable `ORIEL_MODELS` overrides the cache.
    ///
    /// # Errors
    /// If the user has no home folder.
    pub fn platform() -> Result<Self, ModelError> {
        let executable = std::env::current_exe().unwrap_or_default();
        let named_cache = std::env::var_os("ORIEL_MODELS").filter(|value| !value.is_empty());
        Self::new(named_cache.map(PathBuf::from), &executable)
    }

    fn new(named_cache: Option<PathBuf>, executable: &Path) -> Result<Self, ModelError> {
        // On Windows `LOCALAPPDATA` contains both caches and data.
        let folder = if cfg!(windows) { "oriel\\cache\\oriel" } else { "oriel" };
        let cache = named_cache.or_else(|| Some(dirs::cache_dir()?.join(folder).join("models")));
        let cache = cache.ok_or(ModelError::Failed(Notice::NoModelFolder))?;
        let imported = dirs::data_local_dir()
            .map_or_else(|| cache.join("imported"), |base| base.join("oriel").join("models"));
        Ok(Self { cache, imported, shipped: shipped(executable) })
    }
}

/// The folders of models that ship with the program at `executable`.
fn shipped(executable: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut add = |folder: PathBuf| {
        if folder.is_dir() && !found.contains(&folder) {
            found.push(folder);
        }
    };
    if let Some(beside) = executable.parent() {
        add(beside.join("models"));
        if let Some(prefix) = beside.parent() {
            add(prefix.join("share/oriel/models"));
            // Inside a macOS bundle.
            add(prefix.join("Resources/models"));
        }
    }
    for ancestor in executable.ancestors().skip(1) {
        let models = ancestor.join("models");
        if models.join("catalog.toml").is_file() {
            add(models.join("fetched"));
            add(models);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_can_name_the_cache() {
        let dirs = ModelDirs::new(Some("/m".into()), Path::new("/nowhere/oriel")).unwrap();
        assert_eq!(dirs.cache, Path::new("/m"));
        assert!(dirs.shipped.is_empty());
    }

    #[test]
    fn a_checkout_is_found_from_within_its_target_folder() {
        let root = tempfile::tempdir().unwrap();
        let bin = root.path().join("target/debug");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::create_dir_all(root.path().join("models/fetched")).unwrap();
        assert!(shipped(&bin.join("oriel")).is_empty(), "a folder without a catalog is not ours");
        std::fs::write(root.path().join("models/catalog.toml"), "").unwrap();
        let wanted = [root.path().join("models/fetched"), root.path().join("models")];
        assert_eq!(shipped(&bin.join("oriel")), wanted);
    }
}
