//! What Oriel and its network programs say to each other over pipes. No network code.
//!
//! Owns the protocols of `oriel-remote` ([`remote`]), with its errors, and of `oriel-serve` ([`serve`]), and how the
//! programs are found and started.

mod error;
mod process;
pub mod remote;
pub mod serve;

pub use error::RemoteError;
pub use process::{MissingProgram, REMOTE, Remote, network_program, spawn};
