//! What Oriel and its network programs say to each other over pipes. No network code.
//!
//! Owns the protocols of `oriel-remote` ([`remote`], and [`index`] for an index elsewhere), with its errors, and of
//! `oriel-serve` ([`serve`]), and how the programs are found and started.

mod error;
pub mod index;
mod process;
pub mod remote;
pub mod serve;

pub use error::RemoteError;
pub use process::{CallError, MissingProgram, REMOTE, Remote, network_program, spawn};
