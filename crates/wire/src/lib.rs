//! The protocols between Oriel and its other programs, over pipes. No network code.
//!
//! Owns the protocols of `oriel-remote` ([`remote`], and [`index`] for a remote index), with its errors, of
//! `oriel-serve` ([`serve`]) and of `oriel-generator` ([`generator`]), and how the programs are found and started.

mod error;
pub mod generator;
pub mod index;
mod process;
pub mod remote;
pub mod serve;

pub use error::RemoteError;
pub use process::{CallError, MissingProgram, REMOTE, REMOTE_INDEX, Remote, shipped_program, spawn};
