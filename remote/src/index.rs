//! Remote indexes: the code that all kinds share, and the dispatch of calls.

use std::io::{self, Read};
use std::time::Instant;

use oriel_core::frame::{exactly, read_head};
use oriel_wire::RemoteError;
use oriel_wire::index::{Call, CallReply, IndexServer, MAX_JSON, MAX_VECTORS};
use oriel_wire::remote::{Reply, Request};
use tokio::runtime::{Builder, Runtime};

use crate::client::{Stop, host_of};
use crate::milvus::Milvus;
use crate::postgres::{Postgres, SCHEME};

/// Maximum bytes of a server's own error message.
const MAX_REASON: usize = 300;

/// A connection to an index.
pub(crate) enum Index {
    /// A collection of Milvus.
    Milvus(Milvus),
    /// A schema of PostgreSQL.
    Postgres(Postgres),
}

impl Index {
    /// Connects to the kind of server that the address names. Returns the properties of the index, if it exists.
    pub(crate) fn open(server: &IndexServer) -> Result<(Self, CallReply), RemoteError> {
        // A socket of this computer has no host.
        let host = Some(host_of(&server.url)).filter(|host| !host.is_empty());
        let host = host.unwrap_or_else(|| server.url.clone());
        let runtime = runtime(&host)?;
        if server.url.starts_with(SCHEME) {
            let (index, opened) = Postgres::open(server, host, runtime)?;
            return Ok((Self::Postgres(index), opened));
        }
        let (index, opened) = Milvus::open(server, host, runtime)?;
        Ok((Self::Milvus(index), opened))
    }

    /// Answers a call; `vectors` are those of the call, one after the other.
    pub(crate) fn answer(&self, call: Call, vectors: &[f32]) -> Result<CallReply, RemoteError> {
        match self {
            Self::Milvus(index) => index.answer(call, vectors),
            Self::Postgres(index) => index.answer(call, vectors),
        }
    }
}

/// The next call with its vectors, one after the other.
pub(crate) fn read_call(mut input: &mut dyn Read) -> io::Result<Option<(Call, Vec<f32>)>> {
    let (json, vectors) = match read_head::<Request>(&mut input)? {
        Some(Request::Index { json, vectors }) if json <= MAX_JSON && vectors <= MAX_VECTORS => {
            (json, vectors)
        }
        Some(Request::Index { .. }) => return Err(io::Error::other("a call is too long")),
        Some(_) => return Err(io::Error::other("only calls to an index are answered here")),
        None => return Ok(None),
    };
    let call = serde_json::from_slice(&exactly(&mut input, u64::from(json))?)?;
    let bytes = exactly(&mut input, u64::from(vectors))?;
    let vectors = bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    Ok(Some((call, vectors)))
}

/// Sends a call to the index of the last [`Call::Open`].
pub(crate) fn call(index: &mut Option<Index>, call: Call, vectors: &[f32]) -> Result<(Reply, Vec<u8>), Stop> {
    let reply = match (call, &*index) {
        (Call::Open(server), _) => {
            *index = None;
            let (opened, reply) = Index::open(&server)?;
            *index = Some(opened);
            reply
        }
        (call, Some(index)) => index.answer(call, vectors)?,
        (_, None) => return Err(unexpected("", "no index is open").into()),
    };
    let json = serde_json::to_vec(&reply).map_err(|error| Stop::Pipe(error.into()))?;
    let length = u32::try_from(json.len()).ok().filter(|length| *length <= MAX_JSON);
    let length = length.ok_or_else(|| Stop::Pipe(io::Error::other("a reply of the index is too long")))?;
    Ok((Reply::Index { json: length }, json))
}

/// The runtime of a server's client; it uses only this thread.
fn runtime(host: &str) -> Result<Runtime, RemoteError> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| other(host, error.to_string()))
}

/// The result of a task, with its time in milliseconds.
pub(crate) async fn timed<T>(
    task: impl Future<Output = Result<T, RemoteError>>,
) -> Result<(T, f64), RemoteError> {
    let begun = Instant::now();
    Ok((task.await?, begun.elapsed().as_secs_f64() * 1000.0))
}

/// The error for a reply with an unexpected form.
pub(crate) fn unexpected(host: &str, what: &str) -> RemoteError {
    RemoteError::Unexpected { host: host.to_owned(), what: what.into() }
}

/// The error with the server's own message.
pub(crate) fn said(host: &str, status: u16, reason: &str) -> RemoteError {
    let end = reason.floor_char_boundary(MAX_REASON);
    RemoteError::Said { host: host.to_owned(), status, message: reason[..end].to_owned() }
}

/// Any other error.
pub(crate) fn other(host: &str, reason: String) -> RemoteError {
    RemoteError::Other { host: host.to_owned(), reason }
}
