//! The generator: llama.cpp in a program of its own, or a model of a server.
//!
//! llama.cpp may abort on a bad model, and ending the process unloads the model. So this process holds only a handle
//! ([`LlamaProcess`]) and exchanges lines of JSON with `oriel-generator`. This module knows nothing of questions.

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
    /// Processor threads for the prompt; all of them if `None`. Writing uses one fewer if there are at least two.
    pub threads: Option<usize>,
    /// Whether it stays on the processor even if there is a usable card.
    pub cpu: bool,
    /// Maximum tokens of prompt and answer, up to the model's trained context. Memory grows with it.
    pub context_length: usize,
    /// Repetition penalty; 1 is off. A little keeps small models from going in circles, much keeps them from quoting.
    pub repeat_penalty: f32,
}

impl Default for LlamaSettings {
    fn default() -> Self {
        Self { threads: None, cpu: false, context_length: 4096, repeat_penalty: 1.05 }
    }
}
