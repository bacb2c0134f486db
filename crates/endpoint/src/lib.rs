//! Servers that the user connected: their addresses, their keys, and where the keys are stored.
//!
//! A key is never on a command line or in a list of servers: it is in a file that only its owner may read, or in the
//! system's keyring.

mod address;
mod key;
mod secret;

use oriel_core::{ModelError, Notice};

pub use address::ServerAddress;
pub use key::{KeyPlace, ServerKey, others_can_read};
pub use secret::{KeyringResult, forget_secret, keep_secret, secret};

/// An address or a key cannot be used; the notice says which one and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EndpointError(
    /// The message for the user.
    pub Notice,
);

impl From<EndpointError> for ModelError {
    fn from(EndpointError(notice): EndpointError) -> Self {
        Self::Failed(notice)
    }
}
