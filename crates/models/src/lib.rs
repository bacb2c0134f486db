//! Oriel's models: the catalog, import, and running them.
//!
//! Owns the catalog and what it says about each model on this machine, import, the Candle encoders in their threads,
//! the generator's process, and the list of servers whose models a person uses. Downloads are in `oriel-download`,
//! llama.cpp in `oriel-generator`. No other crate names Candle or tokenizers; this one knows nothing of documents,
//! stores or questions.

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
    /// Processor threads; all of them if `None`. Each model has its own pool, so that background work can use fewer
    /// than a model that somebody waits for.
    pub threads: Option<usize>,
    /// Whether it stays on the processor even if there is a usable card.
    pub cpu: bool,
    /// Whether it computes in f32 even on a processor that is faster with 8-bit integers.
    pub exact: bool,
    /// What each of its threads does first, such as lowering its priority.
    pub begin: Option<fn()>,
}
