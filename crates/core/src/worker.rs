//! How to start a worker process.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The executable of this process on Linux. It stays the same after an upgrade has replaced the file.
const RUNNING_IMAGE: &str = "/proc/self/exe";

/// The program and arguments of a worker process, such as `oriel worker extract` or `oriel-generator`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

impl WorkerCommand {
    pub fn new(program: impl Into<PathBuf>, arguments: impl IntoIterator<Item: Into<OsString>>) -> Self {
        Self { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }

    /// This program as the worker `kind`. On Linux it is the running version even after an upgrade, so that both sides
    /// of the pipe use the same protocol. If the path of this program is unknown, starting the process fails.
    #[must_use]
    pub fn this_program(kind: &str) -> Self {
        let running = Path::new(RUNNING_IMAGE);
        let path = || std::env::current_exe().unwrap_or_default();
        let program = if running.exists() { running.to_owned() } else { path() };
        Self::new(program, ["worker", kind])
    }

    /// The command to spawn: all three streams are pipes. It gets a process group of its own, so that Ctrl-C in a
    /// terminal reaches only the parent.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            command.process_group(0);
            if self.program == Path::new(RUNNING_IMAGE)
                && let Ok(path) = std::env::current_exe()
            {
                command.arg0(path);
            }
        }
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// Names this worker process in process lists, where a process started from [`RUNNING_IMAGE`] is called `exe`.
pub fn name_worker_process(name: &str) {
    // The name is only cosmetic, so errors are ignored.
    let _ = std::fs::write("/proc/self/comm", name);
}
