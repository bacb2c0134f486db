//! The models of this machine: the catalog's and the imported ones, and which of them are here.
//!
//! Owns the look-up. How a model gets here is `pull`'s and `import`'s matter.

use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, ModelError};
use serde::Serialize;

use crate::generate::WorkerCommand;
use crate::import::Way;
use crate::progress::Progress;
use crate::{Entry, ModelDirs, Role, catalog, import, pull};

/// The file that describes an imported model in its folder.
pub(crate) const MANIFEST: &str = "model.json";

/// A model and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Model {
    /// What it is.
    #[serde(flatten)]
    pub entry: Entry,
    /// The folder that holds all its files, or `None` where it is not installed.
    pub folder: Option<PathBuf>,
    /// Whether the user imported it.
    pub imported: bool,
}

impl Model {
    /// The file with the weights, where the model is installed.
    #[must_use]
    pub fn weights_path(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(&self.entry.weights()?.name))
    }

    /// Bytes of memory it needs while it serves, estimated: its weights, and what it computes with beside them.
    #[must_use]
    pub fn memory(&self) -> u64 {
        const BESIDE: u64 = 64 << 20;
        // Keys and values of the context grow with the model.
        let share = if self.entry.role == Role::Generator { 5 } else { 10 };
        let weights = self.entry.weights().map_or(0, |file| file.size);
        weights + weights / share + BESIDE
    }

    /// The folder, or why the model cannot serve as `role`.
    pub(crate) fn folder_for(&self, role: Role) -> Result<&Path, ModelError> {
        let id = &self.entry.id;
        if self.entry.role != role {
            return Err(ModelError::Failed(format!("{id} serves as {}, not as {role}", self.entry.role)));
        }
        self.folder.as_deref().ok_or_else(|| ModelError::Absent { id: id.clone() })
    }

    /// Names the weights: the id and the start of their checksum. The checksum is the one verified at installation.
    pub(crate) fn weights_name(&self) -> String {
        let sum = self.entry.weights().map_or("", |file| file.sha256.get(..12).unwrap_or_default());
        format!("{}/{sum}", self.entry.id)
    }
}

/// The models of this machine.
#[derive(Clone, Debug)]
pub struct Models {
    dirs: ModelDirs,
}

impl Models {
    /// The models in these folders, none of which need exist.
    #[must_use]
    pub fn new(dirs: ModelDirs) -> Self {
        Self { dirs }
    }

    /// The folders that are looked at.
    #[must_use]
    pub fn dirs(&self) -> &ModelDirs {
        &self.dirs
    }

    /// Every model of the catalog, in its order, then the imported ones by id. A folder among the imported ones whose
    /// description cannot be read is left out.
    #[must_use]
    pub fn list(&self) -> Vec<Model> {
        let mut models: Vec<Model> = catalog::entries()
            .into_iter()
            .map(|entry| Model { folder: self.place(&entry), entry, imported: false })
            .collect();
        let folders = std::fs::read_dir(&self.dirs.imported).into_iter().flatten().flatten();
        let mut imported: Vec<Model> = folders.filter_map(|item| imported(&item.path())).collect();
        imported.sort_by(|a, b| a.entry.id.cmp(&b.entry.id));
        models.extend(imported);
        models
    }

    /// The model called `id`, installed or not; upper and lower case are the same.
    ///
    /// # Errors
    /// [`ModelError::Failed`] with the names there are.
    pub fn find(&self, id: &str) -> Result<Model, ModelError> {
        let mut models = self.list();
        match models.iter().position(|model| model.entry.id.eq_ignore_ascii_case(id)) {
            Some(at) => Ok(models.swap_remove(at)),
            None => {
                let known: Vec<_> = models.iter().map(|model| model.entry.id.as_str()).collect();
                Err(ModelError::Failed(format!("there is no model '{id}'; there are {}", known.join(", "))))
            }
        }
    }

    /// Fetches a model of the catalog with pip, unless it is here. The only thing in Oriel that uses the network, and
    /// only when asked for by name.
    ///
    /// # Errors
    /// One line that says what to do; nothing is installed then.
    pub fn pull(
        &self,
        id: &str,
        progress: &mut dyn FnMut(Progress),
        cancel: &CancelToken,
    ) -> Result<Model, ModelError> {
        let model = self.find(id)?;
        if model.folder.is_some() {
            return Ok(model);
        }
        let folder = pull::pull(&model.entry, &self.dirs.cache, progress, cancel)?;
        Ok(Model { folder: Some(folder), ..model })
    }

    /// Takes a GGUF file, or a folder with a BERT model (`model.safetensors`, `tokenizer.json`, `config.json`), for
    /// the user's own. It is checked and tried before it is kept; a GGUF file is tried in a process that `worker`
    /// starts. The same file once more changes nothing.
    ///
    /// # Errors
    /// One line that names the file and says what is wrong, or [`ModelError::Cancelled`]; nothing is installed then.
    pub fn import(
        &self,
        path: &Path,
        worker: &WorkerCommand,
        progress: &mut dyn FnMut(Progress),
        cancel: &CancelToken,
    ) -> Result<Model, ModelError> {
        let taken = catalog::entries().into_iter().map(|entry| entry.id).collect::<Vec<_>>();
        import::import(path, &self.dirs.imported, &taken, worker, &mut Way { progress, cancel })
    }

    /// Whether a model came with the program and cannot be removed.
    #[must_use]
    pub fn stays(&self, model: &Model) -> bool {
        !model.imported && model.folder.as_ref().is_some_and(|folder| !folder.starts_with(&self.dirs.cache))
    }

    /// Deletes a model that was imported or fetched. What came with the program stays.
    ///
    /// # Errors
    /// One line that names the model: where it is unknown, not here, came with the program, or cannot be deleted.
    pub fn remove(&self, id: &str) -> Result<(), ModelError> {
        let model = self.find(id)?;
        let id = &model.entry.id;
        let Some(folder) = &model.folder else {
            return Err(ModelError::Failed(format!("{id} is not here")));
        };
        if self.stays(&model) {
            return Err(ModelError::Failed(format!("{id} came with Oriel and stays")));
        }
        std::fs::remove_dir_all(folder).map_err(|error| {
            let folder = folder.display();
            ModelError::Failed(format!(
                "{id} cannot be deleted from {folder}: {error}; check its permissions"
            ))
        })
    }

    /// The first folder in which all files of `entry` stand, by name and size.
    fn place(&self, entry: &Entry) -> Option<PathBuf> {
        let places = self.dirs.shipped.iter().chain([&self.dirs.cache]);
        places.map(|place| place.join(&entry.id)).find(|folder| complete(folder, entry))
    }
}

/// Whether all files are there, by name and size. Their checksums were verified when they were installed; hashing
/// 90 MB at each start would cost more than the start itself.
pub(crate) fn complete(folder: &Path, entry: &Entry) -> bool {
    entry.files.iter().all(|file| {
        folder.join(&file.name).metadata().is_ok_and(|found| found.is_file() && found.len() == file.size)
    })
}

/// The imported model in `folder`, or `None` where there is none, or not all of it.
pub(crate) fn imported(folder: &Path) -> Option<Model> {
    let manifest = std::fs::read(folder.join(MANIFEST)).ok()?;
    let entry: Entry = serde_json::from_slice(&manifest).ok()?;
    // The folder's name is the id, and file names are plain: a manifest must not lead elsewhere.
    let plain = |name: &str| Path::new(name).file_name().is_some_and(|last| last == name);
    let sound = folder.file_name().is_some_and(|name| name == entry.id.as_str())
        && !entry.files.is_empty()
        && entry.files.iter().all(|file| plain(&file.name));
    (sound && complete(folder, &entry)).then(|| Model {
        entry,
        folder: Some(folder.to_owned()),
        imported: true,
    })
}
