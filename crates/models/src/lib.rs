//! Oriel's models: the catalog, importing, and running them.
//!
//! This crate contains the catalog with the state of each model on this computer, imports, the Candle encoders in their
//! threads, the handle of the generator's process, and the list of connected servers. Downloads are in
//! `oriel-download`, llama.cpp in `oriel-generator`. No other crate uses Candle or tokenizers; this one knows nothing
//! about documents, stores or questions.

mod backend;
mod bert;
mod catalog;
mod checker;
mod cross_encoder;
mod embedder;
mod encoder;
mod found;
mod generate;
mod gguf;
mod import;
mod listing;
mod machine;
mod model;
mod model_dirs;
mod model_thread;
mod models;
mod registry;
mod reranker;
mod servers;
mod shape_limits;
mod speed;
mod tokens;
mod weights;

pub use backend::{Backend, backend};
pub use catalog::{Adapter, Entry, Hub, ModelFile, Pooling, Role, Tier};
pub use checker::CandleChecker;
pub use embedder::CandleEmbedder;
pub use generate::{LlamaProcess, LlamaSettings, Loaded, ServerGenerator, WorkerCommand, generator_program};
pub use listing::Listed;
pub use machine::{Fit, Machine};
pub use model::{Model, ModelServer, State};
pub use model_dirs::ModelDirs;
pub use models::Models;
pub use oriel_core::notice::size_text;
pub use oriel_download::{Progress, Stage, endpoint_host as download_host};
pub use oriel_endpoint::{EndpointError, ServerAddress, ServerKey};
pub use oriel_wire::remote::Key;
pub use registry::{Choice, OFF, QUOTES, Roles, ThreadBegin};
pub use reranker::CandleReranker;
pub use servers::NewServer;
pub use speed::{Speed, Speeds};

/// Settings of a Candle model.
#[derive(Clone, Debug, Default)]
pub struct CandleSettings {
    /// Processor threads; all if `None`. Each model has its own pool, so that background work can use fewer threads
    /// than a model that answers a question.
    pub threads: Option<usize>,
    /// Whether it uses the CPU even if there is a usable graphics card.
    pub cpu: bool,
    /// Whether it uses f32 even on a processor that is faster with 8-bit integers.
    pub exact: bool,
    /// A function that each of its threads runs first, for example to lower its priority.
    pub begin: Option<fn()>,
}
