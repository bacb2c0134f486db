//! The protocol between Oriel and `oriel-remote`, in the framing of [`oriel_core::frame`].
//!
//! There is one request at a time. [`Request::Fetch`] is answered with [`Reply::Start`], many [`Reply::Bytes`], and
//! [`Reply::End`]; [`Request::Describe`] with [`Reply::Described`]; [`Request::Write`] with many [`Reply::Text`] and
//! [`Reply::Wrote`]; [`Request::Index`] with [`Reply::Index`]; or each with [`Reply::Failed`] at any point. A closed
//! pipe ends the process.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::RemoteError;

/// Maximum length of the bytes after one [`Reply::Bytes`].
pub const PIECE: u32 = 256 << 10;
/// Maximum length of a prompt in bytes.
pub const MAX_PROMPT: u32 = 4 << 20;

/// Requests of the parent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Send a file, or the rest of one.
    Fetch(Fetch),
    /// List the models of a server.
    Describe {
        server: Server,
        /// The name of the wanted model, which is listed first if the server has it.
        wanted: Option<String>,
    },
    /// Let a model answer a prompt; its texts follow.
    Write {
        prompt: Prompt,
        /// Maximum number of tokens to write.
        max_tokens: u32,
    },
    /// Call an index, see [`crate::index`]. The call and its vectors follow.
    Index {
        /// Bytes of the call as JSON.
        json: u32,
        /// Bytes of its vectors, which are 32-bit numbers in little endian.
        vectors: u32,
    },
}

impl Request {
    /// The prompt, if its texts follow the head.
    #[must_use]
    pub fn prompt(&self) -> Option<&Prompt> {
        match self {
            Self::Fetch(_) | Self::Describe { .. } | Self::Index { .. } => None,
            Self::Write { prompt, .. } => Some(prompt),
        }
    }
}

/// A requested file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fetch {
    /// The https address.
    pub url: String,
    /// Bytes that the parent already has.
    pub from: u64,
    /// The entity tag of those bytes, if the server gave one.
    pub etag: Option<String>,
    /// The length of the whole file; another length from the server is an error.
    pub size: u64,
    /// Seconds without data after which the request fails.
    pub silence: u64,
}

/// An OpenAI-compatible server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// Its http or https address without a final slash. Requests go only to paths below it.
    pub url: String,
    /// Its host as users know it, for messages.
    pub host: String,
    pub key: Option<Key>,
    /// Whether it is on this computer; then no proxy is used.
    pub is_local: bool,
    /// Seconds without data after which the request fails.
    pub silence: u64,
}

/// A secret, which debug output does not show.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key(pub String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// A prompt for a model on a server. The bytes of its two texts, in UTF-8, follow the request's head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    pub server: Server,
    /// The model's name on the server.
    pub model: String,
    /// Bytes of the system prompt.
    pub system: u32,
    /// Bytes of the user prompt after it.
    pub user: u32,
}

/// Replies of the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The server sends the file.
    Start {
        /// The first byte: the requested one, or 0 if the server starts again.
        from: u64,
        /// The entity tag of the file, if the server sends one.
        etag: Option<String>,
        /// The length of the whole file in bytes.
        total: u64,
    },
    /// Raw bytes of the file follow, at most [`PIECE`].
    Bytes {
        /// The number of bytes.
        length: u32,
    },
    /// The file is complete.
    End,
    /// The names of a server's models; a very long list is cut.
    Described(Vec<String>),
    /// The next characters of an answer.
    Text(String),
    /// The answer is complete.
    Wrote(Written),
    /// The reply to a call follows.
    Index {
        /// Its length as JSON in bytes.
        json: u32,
    },
    /// The request failed, possibly after other replies.
    Failed(RemoteError),
}

/// How an answer ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Tokens of the prompt, if the server reports them.
    pub prompt_tokens: Option<u32>,
    /// Tokens written, if the server reports them.
    pub tokens: Option<u32>,
    /// Whether the model ended it rather than a limit.
    pub is_complete: bool,
}
