//! The generator: llama.cpp in a process of its own.
//!
//! llama.cpp may abort on a bad model, and unloading a model is ending its process: so the parent holds only a handle
//! ([`LlamaProcess`]) and talks in lines of JSON with a child that runs [`serve`]. Nothing here knows what is asked or
//! why.

mod chat_template;
mod frames;
mod process;
mod prompt;
mod sandbox;
mod worker;

pub(crate) use self::process::trial;
pub use self::process::{LlamaProcess, Loaded};
pub use self::worker::serve;
pub use oriel_core::WorkerCommand;

/// How a generator is to run.
#[derive(Clone, Debug, PartialEq)]
pub struct LlamaSettings {
    /// Processor threads for the prompt; all there are where `None`. Writing takes one fewer, where there are two.
    pub threads: Option<usize>,
    /// Whether it stays on the processor though there is a card that it could use.
    pub cpu: bool,
    /// Tokens that prompt and answer may have together, where the model was trained on as many. Memory grows with it.
    pub context_length: usize,
    /// What a token written before is divided by; 1 is off. A little keeps small models from going in circles, much
    /// keeps them from quoting.
    pub repeat_penalty: f32,
}

impl Default for LlamaSettings {
    fn default() -> Self {
        Self { threads: None, cpu: false, context_length: 4096, repeat_penalty: 1.05 }
    }
}
