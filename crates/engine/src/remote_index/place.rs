//! What a library keeps of a remote index.

use std::io;
use std::path::Path;

use oriel_core::Notice;
use oriel_core::notice::shown;
use oriel_endpoint::{KeyPlace, ServerAddress, ServerKey};
use oriel_wire::index::Manifest;
use oriel_wire::remote::Key;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::files::{replace_file, unwritable};

/// In the folder of a library that reads from a remote index.
pub(crate) const READ_FILE: &str = "index.json";
/// In the folder of a library that publishes to one.
pub(crate) const PUBLISH_FILE: &str = "publish.json";
/// Maximum characters of a collection's name: PostgreSQL has no longer ones.
const MAX_NAME: usize = 60;

/// A remote index, as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewIndex {
    /// Its address.
    pub address: ServerAddress,
    /// The name of the collection there.
    pub collection: String,
    /// The key that it wants.
    pub key: ServerKey,
}

/// A remote index, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IndexInfo {
    /// Its address.
    pub address: String,
    /// Its host, with the port if it is not the usual one.
    pub host: String,
    /// Whether it is this computer.
    pub is_local: bool,
    /// The name of the collection there.
    pub collection: String,
    /// The fingerprint of the embedder that makes its vectors.
    pub embedder: String,
    /// Documents that it held when it was last asked.
    pub documents: u64,
    /// Their sentences.
    pub sentences: u64,
    /// When it was last published to, in milliseconds since 1970; 0 if never.
    pub published: u64,
}

/// Where an index is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IndexPlace {
    pub address: String,
    pub collection: String,
    #[serde(default, skip_serializing_if = "KeyPlace::is_none")]
    pub key: KeyPlace,
    /// Tells its key in the keyring, and this connection, from others.
    id: String,
}

impl IndexPlace {
    /// The place of an index that a user names, and its key, which is not kept yet.
    ///
    /// # Errors
    /// If the collection has no possible name, or the key cannot be read.
    pub(crate) fn new(new: NewIndex) -> Result<(Self, Option<Key>), EngineError> {
        let NewIndex { address, collection, key } = new;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_name = collection.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && collection.chars().all(is_word)
            && collection.len() <= MAX_NAME;
        if !is_name {
            return Err(EngineError::Index(Notice::CollectionNameWrong { name: collection }));
        }
        let (secret, key) = key.read()?;
        let id = format!("{:08x}", rand::random::<u32>());
        Ok((Self { address: address.to_string(), collection, key, id }, secret))
    }

    pub(crate) fn address(&self) -> Result<ServerAddress, EngineError> {
        Ok(ServerAddress::of_index(&self.address)?)
    }

    /// Its key.
    pub(crate) fn key(&self) -> Result<Option<Key>, EngineError> {
        Ok(self.key.key(&self.address()?, &self.secret())?)
    }

    /// Keeps its key, if it belongs in the keyring.
    pub(crate) fn keep_key(&self, key: Option<&Key>) -> Result<(), EngineError> {
        Ok(self.key.keep(&self.address()?, &self.secret(), key)?)
    }

    /// Takes its key out of the keyring, if it is there.
    pub(crate) fn forget_key(&self) -> Result<(), EngineError> {
        Ok(self.key.forget(&self.address()?, &self.secret())?)
    }

    /// The name of its key in the keyring.
    fn secret(&self) -> String {
        format!("{} {} {}", self.address, self.collection, self.id)
    }

    /// The same for people, with what the collection said about itself.
    pub(crate) fn info(&self, embedder: String, manifest: &Manifest) -> Result<IndexInfo, EngineError> {
        let address = self.address()?;
        Ok(IndexInfo {
            host: address.host(),
            is_local: address.is_local(),
            address: self.address.clone(),
            collection: self.collection.clone(),
            embedder,
            documents: manifest.documents,
            sentences: manifest.sentences,
            published: manifest.published,
        })
    }
}

/// The index that a library reads from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReadFrom {
    #[serde(flatten)]
    pub place: IndexPlace,
    /// The fingerprint of the embedder that makes its vectors.
    pub embedder: String,
    /// What the collection said about itself when the library was connected.
    pub manifest: Manifest,
}

/// What a library keeps of publishing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptPublisher {
    /// Identifies this library at any index.
    pub writer: String,
    /// The index that it publishes to.
    pub to: Option<IndexPlace>,
}

/// Reads what is kept in a file; `None` if there is none.
///
/// # Errors
/// If it cannot be used.
pub(crate) fn read_kept<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, EngineError> {
    let unusable = |cause: Notice| {
        EngineError::Index(Notice::IndexFileUnusable { path: shown(path), cause: cause.into() })
    };
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| unusable(Notice::text(error))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unusable(Notice::io(&error))),
    }
}

/// Keeps something in a file.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn keep(path: &Path, value: &impl Serialize) -> Result<(), EngineError> {
    let json = serde_json::to_vec_pretty(value).map_err(io::Error::from);
    json.and_then(|json| replace_file(path, &json)).map_err(|error| unwritable(path, &error))
}

/// Forgets what is kept in a file, if anything is.
///
/// # Errors
/// If it cannot be removed.
pub(crate) fn forget(path: &Path) -> Result<(), EngineError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritable(path, &error)),
        _ => Ok(()),
    }
}
