//! Worker processes: this same program, started with other arguments. Here they are both started and run.

use std::ffi::OsString;
use std::io::{BufReader, BufWriter, stdin, stdout};
use std::process::ExitCode;

use anyhow::Context as _;
use oriel_core::name_worker_process;

use super::priority;

/// Runs a worker if the arguments ask for one.
#[must_use]
pub fn worker(arguments: &[OsString]) -> Option<ExitCode> {
    let words: Vec<_> = arguments.iter().map(|one| one.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let serve: fn() -> anyhow::Result<()> = match words.as_slice() {
        ["worker", "extract"] => || {
            oriel_text::worker::serve(&mut BufReader::new(stdin()), &mut BufWriter::new(stdout()))
                .context("the extractor's process ended")
        },
        _ => return None,
    };
    name_worker_process("oriel-worker");
    priority::set_interactive_process();
    Some(match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("oriel-desktop: {error:#}");
            ExitCode::FAILURE
        }
    })
}
