//! The models of Oriel: which there are, how they get here, and how they run.
//!
//! Owns the catalog, what it says of each model for this machine, import, the Candle encoders behind threads
//! of their own, and llama.cpp behind a process of its own. How downloads work is the matter of `oriel-download`. The only
//! crate that names Candle, tokenizers or llama.cpp; it knows nothing of documents, stores or questions.

mod backend;
mod bert;
mod catalog;
mod checker;
mod embedder;
mod encoder;
mod found;
pub mod generate;
mod gguf;
mod import;
mod listing;
mod machine;
mod model_dirs;
mod model_thread;
mod models;
mod registry;
mod reranker;
mod speed;
mod tokens;
mod weights;

pub use backend::{Backend, backend};
pub use catalog::{Entry, Hub, ModelFile, Pooling, Role, Tier};
pub use checker::{CandleChecker, CheckedToken};
pub use embedder::CandleEmbedder;
pub use generate::{LlamaProcess, LlamaSettings, Loaded, WorkerCommand};
pub use listing::Listed;
pub use machine::{Fit, Machine};
pub use model_dirs::ModelDirs;
pub use models::{Model, Models, State};
pub use oriel_core::notice::size_text;
pub use oriel_download::{Progress, Stage, endpoint_host as download_host};
pub use registry::{Choice, OFF, QUOTES, Roles, ThreadBegin};
pub use reranker::CandleReranker;
pub use speed::{Speed, Speeds};

/// How a Candle model is to run.
#[derive(Clone, Debug, Default)]
pub struct CandleSettings {
    /// Processor threads; all there are where `None`. Each model has its own pool of them, so that one at work in
    /// the background can be given fewer than one that somebody waits for.
    pub threads: Option<usize>,
    /// Whether it stays on the processor though there is a card that it could use.
    pub cpu: bool,
    /// What each of its threads does first, such as taking a lower priority; nothing where `None`.
    pub begin: Option<fn()>,
}
