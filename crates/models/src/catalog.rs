//! The catalog: every model that Oriel knows by name, with the checksums of its files.
//!
//! Owns the types of `models/catalog.toml`. It does not know where files are or how they are downloaded.

use std::fmt;

use oriel_core::{Calibration, PhraseCalibration};
use serde::{Deserialize, Serialize};

/// The catalog, included at build time.
const CATALOG: &str = include_str!("../../../models/catalog.toml");

/// The role of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts", rename = "ModelRole"))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Text to vector.
    Embedder,
    /// Query and passage to score.
    Reranker,
    /// Claim and passage to verdict.
    Checker,
    /// Prompt to text.
    Generator,
}

impl Role {
    /// All roles, in the order of a question's stages.
    pub const ALL: [Self; 4] = [Self::Embedder, Self::Reranker, Self::Checker, Self::Generator];
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Embedder => "embedder",
            Self::Reranker => "reranker",
            Self::Checker => "checker",
            Self::Generator => "generator",
        })
    }
}

/// How an embedder pools its tokens' states into one vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The mean of all tokens.
    #[default]
    Mean,
    /// The first token.
    Cls,
}

impl fmt::Display for Pooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mean => "mean",
            Self::Cls => "cls",
        })
    }
}

/// One file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// Its name in the model's folder.
    pub name: String,
    /// Its path in the repository or the imported folder, if that differs from its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

/// Where a model is published: a repository of the Hugging Face Hub at one commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hub {
    /// Owner and name of the repository.
    pub repository: String,
    /// The commit, 40 hexadecimal digits. Later commits may contain another model.
    pub commit: String,
}

/// The tier of a generator, to show to users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Small and fast.
    Small,
    /// Balanced.
    Balanced,
    /// Best.
    Best,
}

/// An adapter of a generator's weights that ships with Oriel. With it the model answers in a phrase from passages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adapter {
    /// Its name, which is also the name of its folder.
    pub id: String,
    /// Its file.
    pub file: ModelFile,
    /// SHA-256 of the weights that it was trained for.
    pub base: String,
    /// How to compute the confidence of its answers.
    pub calibration: PhraseCalibration,
}

/// A model, as described by the catalog or an import's manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id in settings and commands, in lower case.
    pub id: String,
    /// Its display name; the id if it has none.
    #[serde(default)]
    pub name: String,
    pub role: Role,
    /// An SPDX expression, or `unknown`.
    pub licence: String,
    /// Codes of the most common languages that it supports; empty if unknown.
    #[serde(default)]
    pub languages: Vec<String>,
    /// How many languages it supports; 0 if unknown.
    #[serde(default)]
    pub language_count: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<u64>,
    /// The format of its weights, such as `Q4_K_M`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantisation: Option<String>,
    /// Maximum number of input tokens.
    pub context_length: usize,
    /// Bytes of keys and values for each token in a generator's context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kv_bytes: Option<u64>,
    /// Length of an embedder's vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<usize>,
    /// The tier of a generator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// Of 100 answerable questions, the number that the generator answered with the right words; see
    /// `docs/benchmarks.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right_answers: Option<u32>,
    /// Of 100 English questions, the number whose first passage contained the answer with this embedder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_english: Option<u32>,
    /// The same for questions in seven other languages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_other: Option<u32>,
    /// The pooling of an embedder.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pooling: Pooling,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub query_prefix: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub passage_prefix: String,
    /// Maps the scores of an embedder or a reranker to probabilities, if that was fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// One line to show to users.
    #[serde(default)]
    pub about: String,
    /// Where it can be downloaded. Other models ship with Oriel, are imported, or belong to other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hub: Option<Hub>,
    /// The adapter that ships for this generator, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<Adapter>,
    /// Its files, the weights first.
    pub files: Vec<ModelFile>,
}

impl Entry {
    /// An entry with defaults for everything else; the caller sets its id.
    pub(crate) fn of(role: Role, context_length: usize, files: Vec<ModelFile>) -> Self {
        Self {
            id: String::new(),
            name: String::new(),
            role,
            licence: "unknown".into(),
            languages: Vec::new(),
            language_count: 0,
            parameters: None,
            quantisation: None,
            context_length,
            adapter: None,
            kv_bytes: None,
            dimensions: None,
            pooling: Pooling::default(),
            query_prefix: String::new(),
            passage_prefix: String::new(),
            tier: None,
            right_answers: None,
            found_english: None,
            found_other: None,
            calibration: None,
            about: String::new(),
            hub: None,
            files,
        }
    }

    /// The size of all its files in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    pub(crate) fn file(&self, name: &str) -> Option<&ModelFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// The file that holds the weights.
    #[must_use]
    pub fn weights(&self) -> Option<&ModelFile> {
        self.files.first()
    }

    /// The name to show to users.
    #[must_use]
    pub fn display_name(&self) -> &str {
        if self.name.is_empty() { &self.id } else { &self.name }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Deserialize)]
struct Catalog {
    model: Vec<Entry>,
}

/// All entries of the catalog, in its order.
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
        for role in Role::ALL {
            assert!(entries.iter().any(|entry| entry.role == role), "no {role}");
        }
        for entry in &entries {
            let id = &entry.id;
            assert_eq!(*id, id.to_lowercase());
            assert!(!entry.name.is_empty() && !entry.files.is_empty() && entry.context_length > 0, "{id}");
            assert_eq!(entry.dimensions.is_some(), entry.role == Role::Embedder, "{id}");
            assert_eq!(entry.kv_bytes.is_some(), entry.role == Role::Generator, "{id}");
            assert!(entry.languages.len() <= entry.language_count, "{id}");
            for file in &entry.files {
                let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
                let is_sum = file.sha256.len() == 64 && file.sha256.chars().all(hex);
                assert!(file.size > 0 && is_sum, "{id} {}", file.name);
                assert!(file.path.is_none() || entry.hub.is_some(), "{id} {}", file.name);
            }
            if let Some(hub) = &entry.hub {
                assert!(hub.commit.len() == 40 && hub.repository.split('/').count() == 2, "{id}");
            }
        }
        for tier in [Tier::Small, Tier::Balanced, Tier::Best] {
            assert_eq!(entries.iter().filter(|entry| entry.tier == Some(tier)).count(), 1, "{tier:?}");
        }
        let mut ids: Vec<_> = entries.iter().map(|entry| &entry.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), entries.len(), "an id stands twice");
    }
}
