//! A model, installed or not, and where it is.

use std::path::{Path, PathBuf};

use oriel_core::{ModelError, Notice};
use serde::Serialize;

use crate::catalog::{Entry, Role};
use crate::machine::memory_needed;

/// The file that describes an imported model in its folder.
pub(crate) const MANIFEST: &str = "model.json";

/// A model and its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// Its description.
    #[serde(flatten)]
    pub entry: Entry,
    /// The folder with all its files, or `None` if it is not installed.
    pub folder: Option<PathBuf>,
    /// Whether the user imported it.
    pub imported: bool,
    /// The other program that owns it; it is used in place.
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

    /// The file with the weights, if the model is on this computer.
    #[must_use]
    pub fn weights_path(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(&self.entry.weights()?.name))
    }

    /// The estimated memory of this computer that it needs in use, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        if self.server.is_some() { 0 } else { memory_needed(&self.entry) }
    }

    /// The folder, or why the model cannot serve as `role` from a folder.
    pub(crate) fn folder_for(&self, role: Role) -> Result<&Path, ModelError> {
        self.check_role(role)?;
        self.folder.as_deref().ok_or_else(|| ModelError::Absent { id: self.entry.id.clone() })
    }

    /// Fails if the model cannot serve as `role`.
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
    /// If it has another role, or is neither installed nor on a server.
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

/// The server of a model, to show to the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelServer {
    /// Its address.
    pub address: String,
    /// Its host, with the port unless that is the default.
    pub host: String,
    /// Whether the server is on this computer.
    pub is_local: bool,
}

/// Whether all files exist, by name and size. Their checksums were verified at installation; hashing 90 MB at each
/// start would take longer than the start itself.
pub(crate) fn complete(folder: &Path, entry: &Entry) -> bool {
    entry.files.iter().all(|file| {
        folder.join(&file.name).metadata().is_ok_and(|found| found.is_file() && found.len() == file.size)
    })
}

/// The imported model in `folder`, or `None` if there is none or it is incomplete.
pub(crate) fn imported(folder: &Path) -> Option<Model> {
    let manifest = std::fs::read(folder.join(MANIFEST)).ok()?;
    let entry: Entry = serde_json::from_slice(&manifest).ok()?;
    // The id is the folder's name, and file names must be plain: a manifest must not refer to other folders.
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
