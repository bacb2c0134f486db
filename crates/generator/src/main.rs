//! The program `oriel-generator`: llama.cpp, which may abort on a bad model, in a process of its own.
//!
//! Owns everything that names llama.cpp: loading a model, its chat template, sampling, and what the process gives up
//! before it opens a file. Says what [`oriel_wire::generator`] has, to its parent alone. Knows nothing of questions.

mod cards;
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

/// Sets the niceness of this process, whose threads inherit it.
#[cfg(unix)]
fn yield_at_least(niceness: i32) {
    use rustix::process::{getpriority_process, setpriority_process};
    // Without it the process is a little more in the way; that is no reason not to answer.
    let _ = getpriority_process(None).and_then(|now| setpriority_process(None, now.max(niceness)));
}
