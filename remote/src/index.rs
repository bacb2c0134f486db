//! A remote index: reads calls from the pipe and gives each to the client of the server.

use std::io::{self, Read};

use oriel_core::frame::{exactly, read_head};
use oriel_wire::RemoteError;
use oriel_wire::index::{Call, CallReply, IndexServer, MAX_JSON, MAX_VECTORS};
use oriel_wire::remote::{Reply, Request};
use tokio::runtime::{Builder, Runtime};

use crate::client::{Stop, host_of};
use crate::index_client::{IndexClient as _, answer, other, unexpected};
use crate::milvus::Milvus;
use crate::postgres::{Postgres, SCHEME};

/// A connection to an index.
pub(crate) struct Index {
    /// This thread alone.
    runtime: Runtime,
    client: Client,
}

/// What the address of a server names.
enum Client {
    /// A collection of Milvus.
    Milvus(Milvus),
    /// A schema of PostgreSQL.
    Postgres(Postgres),
}

impl Index {
    /// Connects to the kind of server that the address names. Returns the properties of the index, if it exists.
    fn open(server: IndexServer) -> Result<(Self, CallReply), RemoteError> {
        // A socket of this computer has no host.
        let host = Some(host_of(&server.url)).filter(|host| !host.is_empty());
        let host = host.unwrap_or_else(|| server.url.clone());
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| other(&host, error.to_string()))?;
        let client = runtime.block_on(async {
            if server.url.starts_with(SCHEME) {
                Postgres::connect(&server, host).await.map(Client::Postgres)
            } else {
                Milvus::connect(&server, host).await.map(Client::Milvus)
            }
        })?;
        let index = Self { runtime, client };
        let opened = index.answer(Call::Open(server), &[])?;
        Ok((index, opened))
    }

    /// Answers a call; `vectors` are those of the call, one after the other.
    fn answer(&self, call: Call, vectors: &[f32]) -> Result<CallReply, RemoteError> {
        self.runtime.block_on(async {
            match &self.client {
                Client::Milvus(client) => answer(client, call, vectors).await,
                Client::Postgres(client) => answer(client, call, vectors).await,
            }
        })
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
            let (opened, reply) = Index::open(server)?;
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
