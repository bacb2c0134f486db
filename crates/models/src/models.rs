//! The models of this computer: of the catalog, imported, on servers, and of other programs; and which are installed.
//!
//! This module only looks models up; `import` and the download install them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oriel_core::notice::{listed, shown};
use oriel_core::{CancelToken, ModelError, Notice, PhraseCalibration};
use oriel_download::{DownloadError, Progress, RemoteFile, download, downloaded, free_space, hub_url, sweep};
use oriel_wire::{REMOTE, shipped_program};

use crate::catalog::Adapter;
use crate::found::Finder;
use crate::generate::WorkerCommand;
use crate::import::ImportContext;
use crate::model::{Model, complete, imported};
use crate::servers::{NewServer, Servers};
use crate::speed::Speeds;
use crate::{Entry, ModelDirs, ModelFile, catalog, import};

/// The models of this computer.
#[derive(Clone, Debug)]
pub struct Models {
    dirs: ModelDirs,
    finder: Arc<Finder>,
    speeds: Arc<Speeds>,
}

impl Models {
    /// The models in these folders, which need not exist, and those of other programs.
    #[must_use]
    pub fn new(dirs: ModelDirs) -> Self {
        Self::with_finder(dirs, Finder::platform())
    }

    /// Only the models in these folders, without those of other programs.
    #[must_use]
    pub fn in_own_folders(dirs: ModelDirs) -> Self {
        Self::with_finder(dirs, Finder::nowhere())
    }

    fn with_finder(dirs: ModelDirs, finder: Finder) -> Self {
        let speeds = Arc::new(Speeds::new(&dirs.cache));
        Self { dirs, finder: Arc::new(finder), speeds }
    }

    #[must_use]
    pub fn dirs(&self) -> &ModelDirs {
        &self.dirs
    }

    #[must_use]
    pub fn speeds(&self) -> &Speeds {
        &self.speeds
    }

    /// All models: of the catalog in its order, imported ones by id, those of servers, and those of other programs.
    #[must_use]
    pub fn list(&self) -> Vec<Model> {
        let mut models = self.own();
        models.extend(self.finder.models());
        models
    }

    /// All models except those of other programs. Imported folders with an unreadable description are left out.
    pub(crate) fn own(&self) -> Vec<Model> {
        let mut models: Vec<Model> = catalog::entries()
            .into_iter()
            .map(|entry| Model {
                folder: self.place(&entry),
                entry,
                imported: false,
                program: None,
                server: None,
            })
            // A model that can be neither used nor downloaded is not listed.
            .filter(|model| model.folder.is_some() || model.entry.hub.is_some())
            .collect();
        let folders = std::fs::read_dir(&self.dirs.imported).into_iter().flatten().flatten();
        let mut imported: Vec<Model> = folders.filter_map(|item| imported(&item.path())).collect();
        imported.sort_by(|a, b| a.entry.id.cmp(&b.entry.id));
        models.extend(imported);
        // An unreadable list is ignored here; `find` reports it.
        models.extend(self.servers().models().unwrap_or_default());
        models
    }

    /// The model with this id, installed or not; case does not matter.
    ///
    /// # Errors
    /// [`ModelError::Failed`] with the most similar ids.
    pub fn find(&self, id: &str) -> Result<Model, ModelError> {
        let named = |model: &Model| model.entry.id.eq_ignore_ascii_case(id);
        if let Some(model) = self.own().into_iter().find(named) {
            return Ok(model);
        }
        if let Some(found) = self.finder.find(id) {
            return Ok(found);
        }
        self.servers().models()?;
        let known = self.list().into_iter().map(|model| model.entry.id).collect();
        Err(ModelError::Failed(Notice::ModelUnknown { id: id.to_owned(), nearest: nearest(id, known) }))
    }

    /// Downloads a model of the catalog unless it is installed; resumes an earlier download. Callers must only do this
    /// after the user asked for the model by name.
    ///
    /// # Errors
    /// One line that says what to do. Nothing is installed then, and downloaded bytes are kept.
    pub fn download(
        &self,
        id: &str,
        progress: &mut dyn FnMut(Progress),
        cancel: &CancelToken,
    ) -> Result<Model, ModelError> {
        let model = self.find(id)?;
        if model.folder.is_some() {
            return Ok(model);
        }
        let entry = &model.entry;
        let files = remote_files(entry).ok_or_else(|| ModelError::Absent { id: entry.id.clone() })?;
        let remote = shipped_program(REMOTE).map_err(DownloadError::from)?;
        let folder = download(&entry.id, &files, &self.dirs.cache, &remote, progress, cancel)?;
        Ok(Model { folder: Some(folder), ..model })
    }

    /// The bytes of `entry` that an earlier download left.
    #[must_use]
    pub fn downloaded(&self, entry: &Entry) -> u64 {
        remote_files(entry).map_or(0, |files| downloaded(&self.dirs.cache, &files))
    }

    /// Deletes partial downloads that were not resumed for seven days.
    pub fn sweep_downloads(&self) {
        sweep(&self.dirs.cache, &[]);
    }

    /// The free space in bytes on the disk of the downloads; `None` if unknown.
    #[must_use]
    pub fn free_space(&self) -> Option<u64> {
        // The first download creates the folder, so it may not exist yet.
        self.dirs.cache.ancestors().find(|folder| folder.is_dir()).and_then(free_space)
    }

    /// Imports a GGUF file, or a folder with an embedder or a reranker (`model.safetensors`, `tokenizer.json`,
    /// `config.json`). The model is checked and tried before it is kept; a GGUF file is tried in a process that
    /// `worker` starts. Importing the same file again changes nothing.
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
        import::import(path, &self.dirs.imported, &taken, worker, &mut ImportContext { progress, cancel })
    }

    /// The servers that the user connected.
    pub(crate) fn servers(&self) -> Servers {
        Servers::in_folder(&self.dirs.imported)
    }

    /// Connects a model on a server and tries it with a sentence that is in no document. After that, Oriel connects
    /// only when the model is asked. The caller has told the user the host if it is not this computer.
    ///
    /// # Errors
    /// One line that names the host and says what is wrong, or [`ModelError::Cancelled`]; nothing is stored then.
    pub fn connect(&self, server: NewServer, cancel: &CancelToken) -> Result<Model, ModelError> {
        let is_free = |id: &str| {
            let named = |model: &Model| model.entry.id.eq_ignore_ascii_case(id);
            !self.own().iter().any(named) && self.finder.find(id).is_none()
        };
        self.servers().add(server, is_free, cancel)
    }

    /// Whether a model ships with the program, and so cannot be removed.
    #[must_use]
    pub fn stays(&self, model: &Model) -> bool {
        let is_shipped = |folder: &PathBuf| !folder.starts_with(&self.dirs.cache);
        !model.imported && model.program.is_none() && model.folder.as_ref().is_some_and(is_shipped)
    }

    /// Deletes an imported or downloaded model, or removes a server's model from the list. Refuses models that ship
    /// with Oriel or belong to another program.
    ///
    /// # Errors
    /// One line that names the model: it is unknown, not installed, not Oriel's to delete, or cannot be deleted.
    pub fn remove(&self, id: &str) -> Result<(), ModelError> {
        let model = self.find(id)?;
        let id = model.entry.id.clone();
        if model.server.is_some() {
            return self.servers().remove(&id);
        }
        let Some(folder) = &model.folder else {
            return Err(ModelError::Failed(Notice::ModelNotHere { id }));
        };
        if self.stays(&model) {
            return Err(ModelError::Failed(Notice::ModelStays { id }));
        }
        if let Some(program) = model.program {
            return Err(ModelError::Failed(Notice::ModelOfProgram { id, program: program.to_owned() }));
        }
        std::fs::remove_dir_all(folder).map_err(|error| {
            let (folder, cause) = (shown(folder), Notice::io(&error).into());
            ModelError::Failed(Notice::ModelCannotBeDeleted { id, folder, cause })
        })
    }

    /// The file of a generator's adapter, if it is installed and was trained for these weights, and how to compute the
    /// confidence of its answers.
    #[must_use]
    pub fn adapter(&self, model: &Model) -> Option<(PathBuf, PhraseCalibration)> {
        let Adapter { id, file, base, calibration } = model.entry.adapter.as_ref()?;
        let is_base = model.entry.weights().is_some_and(|weights| weights.sha256 == *base);
        let mut places = self.dirs.shipped.iter().map(|place| place.join(id).join(&file.name));
        let path =
            places.find(|path| is_base && path.metadata().is_ok_and(|found| found.len() == file.size))?;
        Some((path, *calibration))
    }

    /// The name of the adapter that a generator uses, if any.
    #[must_use]
    pub fn adapter_name<'m>(&self, model: &'m Model) -> Option<&'m str> {
        self.adapter(model)?;
        model.entry.adapter.as_ref().map(|adapter| adapter.id.as_str())
    }

    /// The first folder that contains all files of `entry`, by name and size.
    fn place(&self, entry: &Entry) -> Option<PathBuf> {
        let places = self.dirs.shipped.iter().chain([&self.dirs.cache]);
        places.map(|place| place.join(&entry.id)).find(|folder| complete(folder, entry))
    }
}

/// The number of similar ids in a message about an unknown id.
const NEAREST: usize = 3;

/// The ids of `known` most similar to `id`, best first: those that contain it, then by Jaro-Winkler similarity.
fn nearest(id: &str, mut known: Vec<String>) -> String {
    let id = id.to_lowercase();
    let likeness = |other: &str| {
        let other = other.to_lowercase();
        f64::from(u8::from(other.contains(&id))) + strsim::jaro_winkler(&id, &other)
    };
    known.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    known.truncate(NEAREST);
    listed(&known)
}

/// Where a model's files can be downloaded; `None` if they are not published.
fn remote_files(entry: &Entry) -> Option<Vec<RemoteFile>> {
    let hub = entry.hub.as_ref()?;
    let file = |file: &ModelFile| RemoteFile {
        url: hub_url(&hub.repository, &hub.commit, file.path.as_deref().unwrap_or(&file.name)),
        name: file.name.clone(),
        size: file.size,
        sha256: file.sha256.clone(),
    };
    Some(entry.files.iter().map(file).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_id_brings_up_those_like_it() {
        let known = || catalog::entries().into_iter().map(|entry| entry.id).collect::<Vec<_>>();
        for (typed, meant) in [
            ("qwen3-4b", "qwen3-4b-instruct-2507-q4_k_m"),
            ("Oriel-Reader", "oriel-reader-v3"),
            ("all-minilm-16-v2", "all-minilm-l6-v2"),
            ("granit-4.1-8b-q4_k_m", "granite-4.1-8b-q4_k_m"),
        ] {
            let told = nearest(typed, known());
            assert!(told.starts_with(meant) && told.split(", ").count() == NEAREST, "{typed}: {told}");
        }
    }
}
