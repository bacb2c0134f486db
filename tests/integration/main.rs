//! The assembled program on real files, the real store and the real models.
//!
//! Every test runs the executable itself, as a person or a script would; only what a window does to a running indexing
//! is done through the engine. The models have to be here: `make models`
//! fetches them, and `make test` does so before it tests.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that fails may say so by panicking"
)]

mod answers;
mod awaited;
#[cfg(target_os = "linux")]
mod burst;
mod dice;
mod exactness;
mod failing_disk;
mod failures;
mod faults;
#[cfg(target_os = "linux")]
mod figures;
mod generator;
mod house;
mod indexing;
mod keeping;
mod keeping_files;
mod keeping_kills;
mod kills;
mod marks;
mod models;
mod offline;
mod oriel;
mod pausing;
#[cfg(target_os = "linux")]
mod process;
mod quality;
mod scattered;
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
mod watch;
mod watching;
mod watching_drives;
