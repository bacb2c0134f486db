//! What a person can set, and the models of this machine.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::WindowSize;

/// How the person wants the app. Kept as `settings.json` in the library's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export_to = "types.ts")]
pub struct Settings {
    /// Light, dark, or as the system has it.
    pub theme: Theme,
    /// The language of the interface; the system's where `null`.
    pub language: Option<Language>,
    /// Text size in percent: 87.5, 100, 112.5 or 125.
    pub text_size: f32,
    /// How far a sentence is widened where a question says nothing else.
    pub window: WindowSize,
    /// Candidate sentences.
    pub candidates: u32,
    /// Passages.
    pub passages: u32,
    /// Processor threads for models; all there are where `null`.
    pub threads: Option<u32>,
    /// Whether models stay on the processor though there is a graphics card that they could use.
    pub cpu: bool,
    /// The embedder's id; the first that is here where `null`.
    pub embedder: Option<String>,
    /// The reranker's id; `off` for none, the first that is here where `null`.
    pub reranker: Option<String>,
    /// The generator's id; `quotes` for none, the first that is here where `null`.
    pub generator: Option<String>,
    /// Minutes without a question after which the generator's memory is freed, and without any sign of a person after which the
    /// page's is; never where `null`.
    pub free_after: Option<u32>,
    /// Whether closing the window leaves Oriel in the tray.
    pub close_to_tray: bool,
    /// Whether a notification says when a long indexing ends.
    pub notify: bool,
    /// Whether indexing is paused.
    pub paused: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: None,
            text_size: 100.0,
            window: WindowSize { before: 2, after: 2 },
            candidates: 20,
            passages: 5,
            threads: None,
            cpu: false,
            embedder: None,
            reranker: None,
            generator: None,
            free_after: Some(10),
            close_to_tray: false,
            notify: true,
            paused: false,
        }
    }
}

/// The window's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "types.ts")]
pub enum Theme {
    /// As the system has it.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The languages of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "types.ts")]
pub enum Language {
    /// English.
    En,
    /// German.
    De,
}

/// The models and the machine they run on.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ModelsState {
    /// The catalog's and the imported ones.
    pub models: Vec<ModelRow>,
    /// Bytes of memory in this machine; 0 where it cannot be told.
    #[ts(type = "number")]
    pub memory_total: u64,
    /// Bytes that could be used now.
    #[ts(type = "number")]
    pub memory_free: u64,
    /// Bytes that the models in use need.
    #[ts(type = "number")]
    pub memory_models: u64,
    /// `CUDA` or `Metal`: the graphics card that models can run on.
    pub card: Option<String>,
    /// Processor threads there are.
    pub cores: u32,
    /// What this program was built for beyond the processor: `cuda`, `metal`.
    pub features: Vec<String>,
    /// Why the graphics card is not used, where the program was built for one.
    pub device_note: Option<String>,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ModelRow {
    /// Its id.
    pub id: String,
    /// One line about it, in English.
    pub about: String,
    /// What it is for.
    pub role: ModelRole,
    /// Bytes of its files.
    #[ts(type = "number")]
    pub size: u64,
    /// Bytes of memory it needs, estimated.
    #[ts(type = "number")]
    pub memory: u64,
    /// Its licence.
    pub licence: String,
    /// Where it is.
    pub place: ModelPlace,
    /// Whether it came with Oriel and cannot be removed.
    pub stays: bool,
    /// Whether it is in use.
    pub in_use: bool,
    /// Bytes of memory that this machine lacks for it; 0 where it fits.
    #[ts(type = "number")]
    pub lacking: u64,
}

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "types.ts")]
pub enum ModelRole {
    /// Finds by meaning.
    Embedder,
    /// Puts passages in order.
    Reranker,
    /// Writes the answer.
    Generator,
}

/// Where a model is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
#[ts(export_to = "types.ts")]
pub enum ModelPlace {
    /// It came with Oriel, or was fetched.
    Here,
    /// The person imported it.
    Imported,
    /// It can be fetched.
    Remote {
        /// The host that is asked.
        host: String,
    },
}

/// Names a model.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ModelRef {
    /// Its id.
    pub id: String,
}

/// How far the coming of a model is.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ModelProgress {
    /// What is being done.
    pub stage: ModelStage,
    /// Kilobytes: gigabytes of bytes do not fit a step's 32 bits.
    pub work: super::Work,
}

/// What is being done so that a model comes here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "types.ts")]
pub enum ModelStage {
    /// It is fetched.
    Downloading,
    /// The person's own file is read.
    Reading,
    /// It is loaded and run once; how far that is cannot be told.
    Trying,
    /// The person's own file is copied.
    Copying,
    /// What was fetched is put in its place and checked.
    Installing,
}
