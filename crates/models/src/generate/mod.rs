//! The generator: llama.cpp in its own process, or a model on a server.
//!
//! llama.cpp may abort on a bad model, and only the end of its process frees all memory. So this process holds a handle
//! ([`LlamaProcess`]) and exchanges lines of JSON with `oriel-generator`. This module knows nothing about questions.

mod process;
mod program;
mod server;
mod written_text;

pub(crate) use self::process::trial;
pub use self::process::{LlamaProcess, Loaded};
pub(crate) use self::program::card_free;
pub use self::program::generator_program;
pub use self::server::ServerGenerator;
pub(crate) use self::written_text::WrittenText;
pub use oriel_core::WorkerCommand;

/// Settings of a generator.
#[derive(Clone, Debug, PartialEq)]
pub struct LlamaSettings {
    /// Processor threads for the prompt; all if `None`. Generation uses one fewer if there are at least two.
    pub threads: Option<usize>,
    /// Whether it uses the CPU even if there is a usable graphics card.
    pub cpu: bool,
    /// Maximum number of tokens of prompt and answer, up to the model's own limit. Memory grows with it.
    pub context_length: usize,
    /// Repetition penalty; 1 is off. A small penalty keeps small models from repeating themselves, a large one keeps
    /// them from quoting.
    pub repeat_penalty: f32,
}

impl Default for LlamaSettings {
    fn default() -> Self {
        Self { threads: None, cpu: false, context_length: 4096, repeat_penalty: 1.05 }
    }
}
