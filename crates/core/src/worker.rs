//! How to start a process of our own.

use std::ffi::OsString;
use std::path::PathBuf;

/// The program and arguments of a worker process; the shipped one is `oriel worker extract` or `oriel worker generate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl WorkerCommand {
    /// `program` with `arguments`.
    pub fn new(program: impl Into<PathBuf>, arguments: impl IntoIterator<Item: Into<OsString>>) -> Self {
        Self { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }
}
