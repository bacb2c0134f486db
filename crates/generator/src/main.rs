//! The program `oriel-generator`: llama.cpp in its own process, because it may abort on a bad model.
//!
//! Everything that uses llama.cpp is here: loading a model, its chat template, sampling, and the sandbox. The program
//! talks only to its parent, with the protocol of [`oriel_wire::generator`], and knows nothing about questions.
//!
//! llama.cpp starts before the sandbox, when it has read nothing: the driver of a graphics card listens on a local
//! socket from its start on, and finds no card without it. The model is opened afterwards.

mod cards;
mod certainty;
mod chat_template;
mod draft;
mod prompt;
mod sampler;
mod worker;

use std::io::{self, Write as _};

/// `oriel-generator cards` prints the graphics cards' free memory; `oriel-generator [NICENESS]` serves its parent.
fn main() -> io::Result<()> {
    let argument = std::env::args().nth(1);
    if argument.as_deref() == Some(oriel_wire::generator::CARDS) {
        return writeln!(io::stdout(), "{}", cards::free());
    }
    #[cfg(unix)]
    if let Some(niceness) = argument.and_then(|niceness| niceness.parse().ok()) {
        yield_at_least(niceness);
    }
    worker::serve(io::stdin(), io::stdout())
}

/// Raises the niceness of this process, which its threads inherit, to at least this value.
#[cfg(unix)]
fn yield_at_least(niceness: i32) {
    use rustix::process::{getpriority_process, setpriority_process};
    // Without the niceness the process slows others a little, which is no reason to fail.
    let _ = getpriority_process(None).and_then(|now| setpriority_process(None, now.max(niceness)));
}
