//! The protocol between Oriel and `oriel-remote`, in the framing of [`oriel_core::frame`].
//!
//! One request at a time. [`Request::Fetch`] is answered with [`Reply::Start`], many [`Reply::Bytes`], and [`Reply::End`];
//! [`Request::Describe`] with [`Reply::Described`]; [`Request::Write`] with many [`Reply::Text`] and [`Reply::Wrote`];
//! [`Request::Index`] with [`Reply::Index`]; or with [`Reply::Failed`] at any point. A closed pipe ends the process.

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
    /// Say which models a server has.
    Describe {
        /// The server.
        server: Server,
        /// The name of the wanted model: the reply lists it first, if the server has it.
        wanted: Option<String>,
    },
    /// Let a model answer a prompt, whose texts follow.
    Write {
        /// The prompt.
        prompt: Prompt,
        /// Maximum number of tokens to write.
        max_tokens: u32,
    },
    /// Do something with an index, see [`crate::index`]. The call and its vectors follow.
    Index {
        /// Bytes of the call as JSON.
        json: u32,
        /// Bytes of its vectors: numbers of 32 bits, the lowest byte first.
        vectors: u32,
    },
}

impl Request {
    /// The prompt whose texts follow the head.
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

/// An OpenAI-compatible server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// Its address, http or https, without a slash at its end; requests go to paths below it, and nowhere else.
    pub url: String,
    /// Its host as a person knows it, for messages.
    pub host: String,
    /// What it wants to be shown.
    pub key: Option<Key>,
    /// Whether it is this computer, which no proxy stands before.
    pub is_local: bool,
    /// Seconds without data after which the server is given up.
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

/// A prompt for a model of a server. The bytes of its two texts, UTF-8, follow the request's head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// The server.
    pub server: Server,
    /// The model's name there.
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
    /// The names of a server's models, not all if they are very many.
    Described(Vec<String>),
    /// The next characters of an answer.
    Text(String),
    /// The answer is complete.
    Wrote(Written),
    /// The reply to a call to an index follows.
    Index {
        /// Its bytes as JSON.
        json: u32,
    },
    /// The request was not answered to its end.
    Failed(RemoteError),
}

/// How an answer ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Tokens of the prompt, if the server tells.
    pub prompt_tokens: Option<u32>,
    /// Tokens written, if the server tells.
    pub tokens: Option<u32>,
    /// Whether the model ended it, not a limit.
    pub is_complete: bool,
}
