//! Where models lie on this machine.
//!
//! Only paths; nothing here reads a model or creates a folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use oriel_core::ModelError;

/// The folders in which models are looked for, each holding one folder a model, named by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelDirs {
    /// What `pull` fetched; may be deleted at any time.
    pub cache: PathBuf,
    /// What the user imported.
    pub imported: PathBuf,
    /// What came with the program; looked at first, never written.
    pub shipped: Vec<PathBuf>,
}

impl ModelDirs {
    /// The folders by the platform's convention; the environment variable `ORIEL_MODELS` names another cache.
    ///
    /// # Errors
    /// Where the environment names no home.
    pub fn platform() -> Result<Self, ModelError> {
        let executable = std::env::current_exe().unwrap_or_default();
        Self::from_environment(&|name| std::env::var_os(name).filter(|value| !value.is_empty()), &executable)
    }

    fn from_environment(
        variable: &dyn Fn(&str) -> Option<OsString>,
        executable: &Path,
    ) -> Result<Self, ModelError> {
        let path = |name: &str| variable(name).map(PathBuf::from);
        // XDG asks that relative values be ignored.
        let xdg = |name: &str| path(name).filter(|path| path.is_absolute());
        let home = path(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        let under_home = |rest: &str| home.as_ref().map(|home| home.join(rest));
        let (cache, data) = if cfg!(windows) {
            (path("LOCALAPPDATA").map(|base| base.join("oriel\\cache")), path("LOCALAPPDATA"))
        } else if cfg!(target_os = "macos") {
            (under_home("Library/Caches"), under_home("Library/Application Support"))
        } else {
            (
                xdg("XDG_CACHE_HOME").or_else(|| under_home(".cache")),
                xdg("XDG_DATA_HOME").or_else(|| under_home(".local/share")),
            )
        };
        let nowhere = || {
            ModelError::Failed(
                "there is no home folder for models: set HOME, or ORIEL_MODELS to a folder".into(),
            )
        };
        let cache = path("ORIEL_MODELS").or_else(|| cache.map(|base| base.join("oriel").join("models")));
        let cache = cache.ok_or_else(nowhere)?;
        let imported = data.map_or_else(|| cache.join("imported"), |base| base.join("oriel").join("models"));
        Ok(Self { cache, imported, shipped: shipped(executable) })
    }
}

/// Folders with models that came with the program at `executable`.
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
    fn the_environment_names_the_cache() {
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        let with = |pairs: &'static [(&str, &str)]| {
            move |name: &str| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
            }
        };
        let nowhere = Path::new("/nowhere/oriel");
        assert!(ModelDirs::from_environment(&with(&[]), nowhere).is_err());
        let dirs = ModelDirs::from_environment(&with(&[("ORIEL_MODELS", "/m"), ("HOME", "/h")]), nowhere);
        assert_eq!(dirs.unwrap().cache, Path::new("/m"));
        if cfg!(target_os = "linux") {
            assert_eq!(home, "HOME");
            let dirs = ModelDirs::from_environment(&with(&[("HOME", "/h")]), nowhere).unwrap();
            assert_eq!(dirs.cache, Path::new("/h/.cache/oriel/models"));
            assert_eq!(dirs.imported, Path::new("/h/.local/share/oriel/models"));
            assert!(dirs.shipped.is_empty());
        }
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
