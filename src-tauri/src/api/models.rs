//! The models of this machine.

use oriel_api::{Work, payload, request};
use oriel_core::Notice;
use oriel_engine::TriedQuestion;
use oriel_models::{Fit, Role, Stage, Tier};

use super::error::IpcError;
use super::folders::SecretText;

payload! {
    /// The models and the machine they run on.
    pub struct ModelsState {
        /// The catalog's, the imported ones, and those of other programs on this computer.
        pub models: Vec<ModelRow>,
        /// The index of the embedder before; `null` if none is kept.
        pub previous: Option<PreviousIndex>,
        /// Bytes of memory in this machine; 0 if unknown.
        pub memory_total: u64,
        /// Bytes that could be used now.
        pub memory_free: u64,
        /// Bytes that the models in use need.
        pub memory_models: u64,
        /// Bytes that are free on the disk that downloads go to; `null` if unknown.
        pub disk_free: Option<u64>,
        /// The share of documents that are not in English, if that is a good part of the library; `null` otherwise.
        pub foreign_share: Option<f32>,
        /// `CUDA` or `Metal`: the graphics card that models can run on.
        pub card: Option<String>,
        /// Processor threads of this computer.
        pub cores: usize,
        /// The devices besides the processor that this program was built for: `cuda`, `metal`.
        pub features: Vec<String>,
        /// Why the graphics card is not used, if the program was built for one.
        pub device_note: Option<Notice>,
    }

    pub struct ModelRow {
        pub id: String,
        /// Such as `Qwen2.5 Coder 0.5B`.
        pub name: String,
        /// One line about it, in English; may be empty.
        pub about: String,
        pub role: Role,
        /// Bytes of its files.
        pub size: u64,
        /// Bytes of memory it needs, estimated: weights, the context's keys and values, and what it computes with.
        pub memory: u64,
        /// Whether that fits the memory that is free now, or would be once the model in its role is released.
        pub fit: Fit,
        /// Bytes of memory that are missing; 0 if it fits.
        pub lacking: u64,
        /// Bytes of memory it could have: what is free, and what the model in its role would release; 0 if unknown.
        pub budget: u64,
        /// An SPDX expression if there is one.
        pub licence: String,
        /// The languages it was made for, as codes (`en`, `de`); empty if unknown.
        pub languages: Vec<String>,
        /// How many languages that are in all; 0 if unknown.
        pub language_count: usize,
        pub parameters: Option<u64>,
        /// How its weights are stored, such as `Q4_K_M`.
        pub quantisation: Option<String>,
        /// The tier it stands for; `null` for the others.
        pub tier: Option<Tier>,
        /// Whether it is the one of its role that suits this computer best.
        pub recommended: bool,
        /// Of 100 questions, how many it answered right when this version was measured.
        pub right_answers: Option<u32>,
        /// Of 100 questions in English, for how many the first passage held the answer.
        pub found_english: Option<u32>,
        /// The same in other languages.
        pub found_other: Option<u32>,
        /// What it does a second on this computer: words a generator writes, sentences an embedder reads, passages a
        /// reranker scores; `null` until it was measured here.
        pub speed: Option<f32>,
        pub place: ModelPlace,
        /// Whether it came with Oriel and cannot be removed.
        pub stays: bool,
        pub in_use: bool,
    }

    /// Where a model is.
    #[serde(tag = "is", rename_all_fields = "camelCase")]
    pub enum ModelPlace {
        /// It came with Oriel, or was downloaded.
        Here,
        Imported,
        /// It belongs to another program and is used where it lies.
        Found {
            /// Such as `Ollama`.
            program: String,
            /// The file.
            path: String,
        },
        /// It can be downloaded.
        Remote {
            /// The host of the download.
            host: String,
            /// Bytes that an earlier download has left.
            downloaded: u64,
        },
        /// A server runs it.
        Served {
            address: String,
            /// With the port if it is not the usual one.
            host: String,
            /// Whether it is this computer.
            is_local: bool,
        },
    }

    /// The host of an address, which was not contacted.
    pub struct ServerHost {
        /// With the port if it is not the usual one.
        pub host: String,
        /// Whether it is this computer.
        pub is_local: bool,
        pub is_encrypted: bool,
    }

    /// The index of the embedder before, kept for a while.
    pub struct PreviousIndex {
        /// The embedder's id.
        pub id: String,
        /// Until when it is kept, in milliseconds since 1970.
        pub until: u64,
        /// Sentences that came since and are not in it.
        pub waiting: u64,
    }

    /// The result of trying another embedder.
    pub struct Trial {
        /// The questions asked last whose answers cite a place that is still there, newest first.
        pub questions: Vec<TriedQuestion>,
        /// Documents that were embedded.
        pub documents: usize,
        pub seconds: f64,
    }

    /// A download that runs, or that failed and was not dismissed. A paused one is not listed; [`ModelPlace::Remote`] says
    /// how much of it is here.
    pub struct Download {
        /// The model's id.
        pub id: String,
        /// The model's name.
        pub name: String,
        /// The host it comes from.
        pub host: String,
        pub stage: Stage,
        /// Bytes; `null` until the first figure is known.
        pub work: Option<Work>,
        /// Why it ended, if it failed.
        pub error: Option<IpcError>,
    }

    /// How far the import of a model is.
    pub struct ModelProgress {
        pub stage: Stage,
        /// Bytes.
        pub work: Work,
    }
}

request! {
    /// The address of a server as it was typed.
    pub struct TypedAddress {
        pub address: String,
    }

    /// A server whose model is to write answers. The user has seen its host.
    pub struct ConnectServer {
        /// The address as the user typed it.
        pub address: String,
        /// The host that the app named to the user before.
        pub host: String,
        /// The model's name there; empty for the only one.
        pub model: String,
        /// The key it wants, which goes into the system's keyring; empty for none.
        #[ts(type = "string")]
        pub key: SecretText,
    }

    /// Names a model.
    pub struct ModelRef {
        pub id: String,
    }
}
