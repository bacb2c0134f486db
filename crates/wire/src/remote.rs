//! The protocol between Oriel and `oriel-remote`, in the framing of [`oriel_core::frame`].
//!
//! One request at a time: a [`Request`], then [`Reply::Start`], many [`Reply::Bytes`], and [`Reply::End`]; or
//! [`Reply::Failed`] at any point. A closed pipe ends the process.

use serde::{Deserialize, Serialize};

use crate::RemoteError;

/// Maximum length of the bytes after one [`Reply::Bytes`].
pub const PIECE: u32 = 256 << 10;

/// Requests of the parent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Send a file, or the rest of one.
    Fetch(Fetch),
}

/// A requested file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fetch {
    /// Its https address.
    pub url: String,
    /// Bytes that the parent already has.
    pub from: u64,
    /// The entity tag of those bytes, if the server gave one.
    pub etag: Option<String>,
    /// Length of the whole file; a server that names another length is rejected.
    pub size: u64,
    /// Seconds without data after which the server is given up.
    pub silence: u64,
}

/// Replies of the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The server sends the file.
    Start {
        /// The first byte: the requested one, or 0 if the server starts again.
        from: u64,
        /// The entity tag of the file, if the server gives one.
        etag: Option<String>,
        /// Bytes of the whole file.
        total: u64,
    },
    /// Raw bytes of the file follow, at most [`PIECE`].
    Bytes {
        /// Their number.
        length: u32,
    },
    /// The file was sent to its end.
    End,
    /// The file was not sent to its end.
    Failed(RemoteError),
}
