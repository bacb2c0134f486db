//! What Oriel and its network programs say to each other over pipes. No network code.
//!
//! Owns the protocol of `oriel-remote` ([`remote`], and [`index`] for an index elsewhere), its errors, and how the programs are
//! found and started.

mod error;
pub mod index;
mod process;
pub mod remote;

pub use error::RemoteError;
pub use process::{CallError, MissingProgram, REMOTE, Remote, network_program};
