//! What Oriel and `oriel-remote` say to each other, in the framing of [`oriel_core::frame`].
//!
//! One request at a time: a [`Request`], then [`Reply::Start`], many [`Reply::Bytes`], and [`Reply::End`]; or
//! [`Reply::Failed`] at any point. A closed pipe ends the process.

use serde::{Deserialize, Serialize};

/// Bytes that may follow one [`Reply::Bytes`].
pub const PIECE: u32 = 256 << 10;

/// What the parent asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Send a file, or the rest of one.
    Fetch(Fetch),
}

/// A file that is asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fetch {
    /// Its https address.
    pub url: String,
    /// Bytes that the parent has already.
    pub from: u64,
    /// The entity tag of what it has, where the server gave one.
    pub etag: Option<String>,
    /// Bytes of the whole file; a server that names another size is not believed.
    pub size: u64,
    /// Seconds after which a server that sends nothing is given up.
    pub silence: u64,
}

/// What the process answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The server sends the file.
    Start {
        /// Where it begins: where the parent asked, or 0 where the server starts the file again.
        from: u64,
        /// The entity tag of the file, where the server gives one.
        etag: Option<String>,
        /// Bytes of the whole file.
        total: u64,
    },
    /// Raw bytes of the file follow, at most [`PIECE`].
    Bytes {
        /// How many.
        length: u32,
    },
    /// The file has been sent to its end.
    End,
    /// It has not.
    Failed(FetchError),
}

/// Why a file was not sent. Each names the host it happened with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum FetchError {
    /// The address is no https address; only its scheme and host are named.
    #[error("{address} is not an https address")]
    Insecure { address: String },
    /// The server leads to a host that is none of its own.
    #[error("{host} redirects to {target}, which Oriel does not follow")]
    ForeignRedirect { host: String, target: String },
    /// The server leads from address to address.
    #[error("{host} redirects without end")]
    TooManyRedirects { host: String },
    /// No address is known for the name.
    #[error("the address of {host} cannot be found")]
    UnknownHost { host: String },
    /// There is no way to the host.
    #[error("{host} cannot be reached")]
    Unreachable { host: String },
    /// The host is there and takes no connection.
    #[error("{host} refuses the connection")]
    Refused { host: String },
    /// The host does not answer, or stopped sending.
    #[error("{host} does not answer")]
    Silent { host: String },
    /// The connection ended before the file did.
    #[error("the connection to {host} was cut")]
    Cut { host: String },
    /// The host's certificate is not trusted.
    #[error("the certificate of {host} is not trusted ({reason})")]
    Certificate { host: String, reason: String },
    /// The encryption failed for another reason.
    #[error("no secure connection to {host} ({reason})")]
    Tls { host: String, reason: String },
    /// The proxy cannot be used.
    #[error("the proxy {proxy} refuses the connection ({reason})")]
    Proxy { proxy: String, reason: String },
    /// The host answers with an error.
    #[error("{}", meaning(host, *status))]
    Status { host: String, status: u16 },
    /// The file has another length than it should.
    #[error("{host} has a file of {found} bytes where {size} were expected")]
    Length { host: String, size: u64, found: u64 },
    /// The host sends another part than the one asked for.
    #[error("{host} sends another part of the file than the one asked for")]
    Range { host: String },
    /// Anything else.
    #[error("{host}: {reason}")]
    Other { host: String, reason: String },
}

impl FetchError {
    /// Whether the same request may succeed shortly after.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Cut { .. } | Self::Silent { .. } => true,
            Self::Status { status, .. } => *status == 429 || *status >= 500,
            _ => false,
        }
    }

    /// Whether the network may have gone for a while: passing where it was there before.
    #[must_use]
    pub fn is_offline(&self) -> bool {
        matches!(
            self,
            Self::UnknownHost { .. } | Self::Unreachable { .. } | Self::Refused { .. } | Self::Proxy { .. }
        )
    }

    /// What a person can do about it.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Insecure { .. } => "check HF_ENDPOINT, which must be an https address",
            Self::ForeignRedirect { .. } | Self::TooManyRedirects { .. } => {
                "a network that asks for a sign-in does this; sign in, or check HF_ENDPOINT, and try again"
            }
            Self::UnknownHost { .. }
            | Self::Unreachable { .. }
            | Self::Refused { .. }
            | Self::Silent { .. }
            | Self::Cut { .. }
            | Self::Tls { .. }
            | Self::Other { .. } => "check the network and try again",
            Self::Certificate { .. } => {
                "if your company inspects traffic, install its certificate in the system's store and try again"
            }
            Self::Proxy { .. } => "check HTTPS_PROXY and ALL_PROXY and try again",
            Self::Status { status: 401 | 403, .. } => "this model cannot be fetched without an account there",
            Self::Status { status: 404, .. } | Self::Length { .. } => "update Oriel, or choose another model",
            Self::Status { .. } | Self::Range { .. } => "try again later",
        }
    }
}

/// An HTTP status in plain words.
fn meaning(host: &str, status: u16) -> String {
    match status {
        401 | 403 => format!("{host} refuses access to this file (status {status})"),
        404 => format!("{host} does not have this file (status 404)"),
        429 => format!("{host} asks to wait (status 429)"),
        500.. => format!("{host} has a fault of its own (status {status})"),
        _ => format!("{host} answers with status {status}"),
    }
}
