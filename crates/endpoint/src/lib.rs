//! Servers that a person named: the address of each, the key that it wants, and where that key is kept.
//!
//! A key never stands on a command line or in a list of servers: it is in a file that its owner alone can read, or in the system's
//! keyring.

mod address;
mod key;
mod secret;

use oriel_core::{ModelError, Notice};

pub use address::ServerAddress;
pub use key::{KeyPlace, ServerKey, others_can_read};
pub use secret::{KeyringResult, forget_secret, keep_secret, secret};

/// An address or a key cannot be used. It says which and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EndpointError(
    /// The message for a person.
    pub Notice,
);

impl From<EndpointError> for ModelError {
    fn from(EndpointError(notice): EndpointError) -> Self {
        Self::Failed(notice)
    }
}
