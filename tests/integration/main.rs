//! The assembled program on real files, the real store and the real models.
//!
//! Every test runs the executable, as a user or a script would; only actions of the app window on a running indexing
//! use the engine directly. The models must be installed: `make models` downloads them, and `make test` does so first.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that fails may say so by panicking"
)]

#[path = "../support/failing_disk.rs"]
mod failing_disk;
#[path = "../support/fake_embedder.rs"]
mod fake_embedder;
#[cfg(target_os = "linux")]
#[path = "../../benches/library_figures.rs"]
mod library_figures;
#[path = "../support/oriel.rs"]
mod oriel;
#[path = "../support/prepared.rs"]
mod prepared;
#[path = "../support/prng.rs"]
mod prng;
#[cfg(target_os = "linux")]
#[path = "../support/process.rs"]
mod process;
#[path = "../support/watch_command.rs"]
mod watch_command;

mod answers;
mod awaited;
#[cfg(target_os = "linux")]
mod burst;
mod evaluating;
mod exactness;
mod failures;
mod faults;
mod generator;
mod indexing;
mod keeping;
mod keeping_files;
mod keeping_kills;
mod kills;
mod marks;
mod mcp;
mod members;
mod models;
mod offline;
mod passwords;
mod pausing;
mod payloads;
mod quality;
#[cfg(target_os = "linux")]
mod reading_only;
mod recognising;
mod repo_lints;
mod searching;
#[cfg(target_os = "linux")]
mod soak;
mod stopping;
mod stress;
mod tracing;
#[cfg(target_os = "linux")]
mod troubles;
mod trying;
mod upgrades;
mod watching;
mod watching_drives;
