//! The command `worker`: the processes that Oriel starts itself.

use std::io::{self, BufReader, BufWriter};
use std::process::ExitCode;

use crate::arguments::Worker;

pub(crate) fn run(worker: &Worker) -> anyhow::Result<ExitCode> {
    oriel_core::name_worker_process("oriel-worker");
    match worker {
        Worker::Extract => {
            let (mut input, mut output) = (BufReader::new(io::stdin()), BufWriter::new(io::stdout()));
            oriel_text::worker::serve(&mut input, &mut output)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
