//! What a person can set, and the models of this machine.

use oriel_api::{DEFAULT_PORT, Work};
use oriel_core::Notice;
use oriel_engine::{TriedQuestion, Window};
use oriel_models::{Fit, Role, Stage, Tier};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::error::IpcError;

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
    pub window: Window,
    /// Candidate sentences.
    pub candidates: u32,
    /// Passages.
    pub passages: u32,
    /// Processor threads for models; all there are where `null`.
    pub threads: Option<u32>,
    /// Whether models stay on the processor though there is a graphics card that they could use.
    pub cpu: bool,
    /// The embedder's id; where `null`, that of the library's vectors, else the first that is here.
    pub embedder: Option<String>,
    /// The reranker's id; `off` for none, the first that is here where `null`.
    pub reranker: Option<String>,
    /// The generator's id; `quotes` for none, the first that is here where `null`.
    pub generator: Option<String>,
    /// Minutes without a question after which the generator's memory is freed; never where `null`.
    pub free_after: Option<u32>,
    /// Whether closing the window leaves Oriel in the tray.
    pub close_to_tray: bool,
    /// Whether a notification says when a long indexing ends.
    pub notify: bool,
    /// Whether indexing is paused.
    pub paused: bool,
    /// Whether long embedding and text recognition wait while the computer runs on battery.
    pub save_power: bool,
    /// Whether programs on this computer can ask at the local address; changed by a command of its own.
    pub local_address: bool,
    /// The port of the local address; changed with it.
    pub local_port: u16,
    /// Ids of the models whose download goes on at the next start; the shell's own.
    pub downloading: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: None,
            text_size: 100.0,
            window: Window::default(),
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
            save_power: true,
            local_address: false,
            local_port: DEFAULT_PORT,
            downloading: Vec::new(),
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
    /// The catalog's, the imported ones, and those of other programs on this computer.
    pub models: Vec<ModelRow>,
    /// The index of the embedder before; `null` where none is kept.
    pub previous: Option<PreviousIndex>,
    /// Bytes of memory in this machine; 0 where it cannot be told.
    pub memory_total: u64,
    /// Bytes that could be used now.
    pub memory_free: u64,
    /// Bytes that the models in use need.
    pub memory_models: u64,
    /// Bytes that are free on the disk that downloads go to; `null` where unknown.
    pub disk_free: Option<u64>,
    /// The share of documents that are not in English, where that is a good part of the library; `null` otherwise.
    pub foreign_share: Option<f32>,
    /// `CUDA` or `Metal`: the graphics card that models can run on.
    pub card: Option<String>,
    /// Processor threads there are.
    pub cores: usize,
    /// What this program was built for beyond the processor: `cuda`, `metal`.
    pub features: Vec<String>,
    /// Why the graphics card is not used, where the program was built for one.
    pub device_note: Option<Notice>,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ModelRow {
    /// Its id.
    pub id: String,
    /// Its name for people, such as `Qwen2.5 Coder 0.5B`.
    pub name: String,
    /// One line about it, in English; may be empty.
    pub about: String,
    /// What it is for.
    pub role: Role,
    /// Bytes of its files.
    pub size: u64,
    /// Bytes of memory it needs, estimated: weights, the context's keys and values, and what it computes with.
    pub memory: u64,
    /// Whether that fits the memory that is free now, or would be once the model in its role is let go.
    pub fit: Fit,
    /// Bytes of memory that are missing; 0 where it fits.
    pub lacking: u64,
    /// Bytes of memory it could have: what is free, and what the model in its role would release; 0 where unknown.
    pub budget: u64,
    /// Its licence, as an SPDX expression where there is one.
    pub licence: String,
    /// The languages it was made for, as codes (`en`, `de`); empty where unknown.
    pub languages: Vec<String>,
    /// How many languages that are in all; 0 where unknown.
    pub language_count: usize,
    /// Its number of parameters; `null` where unknown.
    pub parameters: Option<u64>,
    /// How its weights are stored, such as `Q4_K_M`; `null` where unknown.
    pub quantisation: Option<String>,
    /// The tier it stands for; `null` for the others.
    pub tier: Option<Tier>,
    /// Whether it is the one of its role that suits this computer best.
    pub recommended: bool,
    /// Of 100 questions, how many it answered right when this version was measured; `null` where that was not measured.
    pub right_answers: Option<u32>,
    /// Of 100 questions in English, for how many the first passage held the answer.
    pub found_english: Option<u32>,
    /// The same in other languages.
    pub found_other: Option<u32>,
    /// What it does a second on this computer: words a generator writes, sentences an embedder reads, passages a
    /// reranker scores; `null` until it was measured here.
    pub speed: Option<f32>,
    /// Where it is.
    pub place: ModelPlace,
    /// Whether it came with Oriel and cannot be removed.
    pub stays: bool,
    /// Whether it is in use.
    pub in_use: bool,
}

/// Where a model is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
#[ts(export_to = "types.ts")]
pub enum ModelPlace {
    /// It came with Oriel, or was downloaded.
    Here,
    /// The person imported it.
    Imported,
    /// It belongs to another program and is used where it lies.
    Found {
        /// The program's name, such as `Ollama`.
        program: String,
        /// The file.
        path: String,
    },
    /// It can be downloaded.
    Remote {
        /// The host that is asked.
        host: String,
        /// Bytes that an earlier download left here.
        downloaded: u64,
    },
    /// A server runs it.
    Served {
        /// The server's address.
        address: String,
        /// Its host, with the port if it is not the usual one.
        host: String,
        /// Whether it is this computer.
        is_local: bool,
    },
}

/// The address of a server as it was typed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct TypedAddress {
    /// The address.
    pub address: String,
}

/// Whom an address leads to. Nothing was connected to learn it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ServerHost {
    /// The host, with the port if it is not the usual one.
    pub host: String,
    /// Whether it is this computer.
    pub is_local: bool,
    /// Whether the connection is encrypted.
    pub is_encrypted: bool,
}

/// A server whose model is to write answers. The person has seen its host.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ConnectServer {
    /// The address as it was typed.
    pub address: String,
    /// The host that the person was told.
    pub host: String,
    /// The model's name there; empty for the only one.
    pub model: String,
    /// The key it wants, which goes into the system's keyring; empty for none.
    pub key: String,
}

/// The index of the embedder before, kept for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct PreviousIndex {
    /// The embedder's id.
    pub id: String,
    /// Until when it is kept, in milliseconds since 1970.
    pub until: u64,
    /// Sentences that came since and are not in it.
    pub waiting: u64,
}

/// What came of the trial of an embedder.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Trial {
    /// The questions asked last whose answers cite a place that is still there, newest first.
    pub questions: Vec<TriedQuestion>,
    /// Documents that were embedded.
    pub documents: usize,
    /// Seconds it took.
    pub seconds: f64,
}

/// Names a model.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ModelRef {
    /// Its id.
    pub id: String,
}

/// A download that runs, or that failed and was not dismissed. A paused one is not listed; [`ModelPlace::Remote`] says
/// how much of it is here.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Download {
    /// The model's id.
    pub id: String,
    /// The model's name.
    pub name: String,
    /// The host it comes from.
    pub host: String,
    /// What is being done.
    pub stage: Stage,
    /// Bytes; `null` until the first figure is known.
    pub work: Option<Work>,
    /// Why it ended, where it failed.
    pub error: Option<IpcError>,
}

/// How far the import of a model is.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ModelProgress {
    /// What is being done.
    pub stage: Stage,
    /// Bytes.
    pub work: Work,
}

/// The person's own glossary.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct GlossaryText {
    /// One entry a line: `name, other name: wording; other wording`.
    pub text: String,
}
