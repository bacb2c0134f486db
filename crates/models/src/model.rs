//! A model, installed or not, and where it is.

use std::path::{Path, PathBuf};

use oriel_core::{ModelError, Notice};
use serde::Serialize;

use crate::catalog::{Entry, Role};
use crate::machine::memory_needed;

/// The file that describes an imported model in its folder.
pub(crate) const MANIFEST: &str = "model.json";

/// A model and where it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// Its description.
    #[serde(flatten)]
    pub entry: Entry,
    /// The folder with all its files, or `None` if it is not installed.
    pub folder: Option<PathBuf>,
    /// Whether the user imported it.
    pub imported: bool,
    /// The other program that it belongs to; it is used in place.
    pub program: Option<&'static str>,
    /// The server that runs it.
    pub server: Option<ModelServer>,
}

/// Whether a model can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It is installed.
    Here,
    /// It belongs to another program on this computer and can be used in place.
    Found,
    /// It can be downloaded.
    Available,
    /// A server runs it.
    Served,
}

impl Model {
    /// Whether it can be used.
    #[must_use]
    pub fn state(&self) -> State {
        match (&self.folder, self.program) {
            _ if self.server.is_some() => State::Served,
            (Some(_), Some(_)) => State::Found,
            (Some(_), None) => State::Here,
            (None, _) => State::Available,
        }
    }

    /// The file with the weights, if the model is installed.
    #[must_use]
    pub fn weights_path(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(&self.entry.weights()?.name))
    }

    /// Estimated bytes of memory of this computer that it needs while in use.
    #[must_use]
    pub fn memory(&self) -> u64 {
        if self.server.is_some() { 0 } else { memory_needed(&self.entry) }
    }

    /// The folder, or why the model cannot serve as `role` from one.
    pub(crate) fn folder_for(&self, role: Role) -> Result<&Path, ModelError> {
        self.check_role(role)?;
        self.folder.as_deref().ok_or_else(|| ModelError::Absent { id: self.entry.id.clone() })
    }

    /// Why the model cannot serve as `role`.
    fn check_role(&self, role: Role) -> Result<(), ModelError> {
        let id = &self.entry.id;
        if self.entry.role != role {
            let (serves, role) = (self.entry.role.to_string(), role.to_string());
            return Err(ModelError::Failed(Notice::ModelOfOtherRole { id: id.clone(), serves, role }));
        }
        Ok(())
    }

    /// Checks that the model can serve as `role`.
    ///
    /// # Errors
    /// If it has another role, or is neither here nor on a server.
    pub(crate) fn check(&self, role: Role) -> Result<(), ModelError> {
        match &self.server {
            Some(_) => self.check_role(role),
            None => self.folder_for(role).map(drop),
        }
    }

    /// Identifies the weights by the id and the start of their checksum, which was verified at installation. A file of
    /// another program has no checksum; its size is used instead.
    pub(crate) fn weights_name(&self) -> String {
        let sum = self.entry.weights().map(|file| match file.sha256.get(..12) {
            Some(sum) => sum.to_owned(),
            None => file.size.to_string(),
        });
        format!("{}/{}", self.entry.id, sum.unwrap_or_default())
    }
}

/// The server of a model, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelServer {
    /// Its address.
    pub address: String,
    /// Its host, with the port if it is not the usual one.
    pub host: String,
    /// Whether it is this computer.
    pub is_local: bool,
}

/// Whether all files are there, by name and size. Their checksums were verified when they were installed; hashing
/// 90 MB at each start would cost more than the start itself.
pub(crate) fn complete(folder: &Path, entry: &Entry) -> bool {
    entry.files.iter().all(|file| {
        folder.join(&file.name).metadata().is_ok_and(|found| found.is_file() && found.len() == file.size)
    })
}

/// The imported model in `folder`, or `None` if there is none or it is incomplete.
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
        program: None,
        server: None,
    })
}
