//! What Oriel and its network programs say to each other over pipes. No network code.
//!
//! Owns the protocol of `oriel-remote` ([`remote`]), its errors, and how the programs are found and started.

mod error;
mod process;
pub mod remote;

pub use error::RemoteError;
pub use process::{MissingProgram, REMOTE, Remote, network_program};
