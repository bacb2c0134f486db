//! The worker process: this same program, started with other arguments.

use std::ffi::OsString;
use std::io::{BufReader, BufWriter, stdin, stdout};
use std::process::ExitCode;

use oriel_core::name_worker_process;

use super::priority;

/// Runs the worker if the arguments ask for it.
#[must_use]
pub fn worker(arguments: &[OsString]) -> Option<ExitCode> {
    if arguments != ["worker", "extract"] {
        return None;
    }
    name_worker_process("oriel-worker");
    priority::set_interactive_process();
    let served = oriel_text::worker::serve(&mut BufReader::new(stdin()), &mut BufWriter::new(stdout()));
    Some(match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("oriel-desktop: the extractor's process ended: {error}");
            ExitCode::FAILURE
        }
    })
}
