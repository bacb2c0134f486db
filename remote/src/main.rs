//! `oriel-remote`: the only program of Oriel that speaks to other computers.
//!
//! It downloads what its parent requests over standard input, or puts the parent's question to a server that a person named,
//! and sends what comes back over standard output; see [`oriel_wire::remote`]. Such a server writes an answer or holds an index.
//! It writes no file, starts no program, and ends with its parent.

mod client;
mod errors;
mod index;
mod milvus;
mod postgres;
mod proxy;
mod server;
mod stored;

use std::io::{self, BufWriter, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::sync_channel;

use oriel_core::frame::{exactly, read_head, write_head};
use oriel_sandbox::Network;
use oriel_wire::RemoteError;
use oriel_wire::index::{Call, MAX_JSON, MAX_VECTORS};
use oriel_wire::remote::{MAX_PROMPT, PIECE, Reply, Request};

use crate::client::{Client, Stop};
use crate::index::Index;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("oriel-remote: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Answers requests until the pipe closes.
fn serve() -> io::Result<()> {
    oriel_sandbox::enter(Network::Connect)?;
    let (sender, requests) = sync_channel(1);
    // A request in progress is abandoned as soon as the parent closes the pipe or dies.
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(request)) = read_request(&mut input) {
            if sender.send(request).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    let client = Client::new();
    let mut index = None;
    let mut output = BufWriter::with_capacity(PIECE as usize, io::stdout().lock());
    while let Ok(asked) = requests.recv() {
        let reply = match asked {
            Asked::Server(request, texts) => {
                answer(&client, &request, &texts, &mut output).map(|reply| (reply, Vec::new()))
            }
            Asked::Index(call, vectors) => call_index(&mut index, call, &vectors),
        };
        let (head, bytes) = match reply {
            Ok(reply) => reply,
            Err(Stop::Failed(cause)) => (Reply::Failed(cause), Vec::new()),
            Err(Stop::Pipe(error)) => return Err(error),
        };
        write_head(&mut output, &head)?;
        output.write_all(&bytes)?;
        output.flush()?;
    }
    Ok(())
}

/// What the parent asks.
enum Asked {
    /// A request to a server that is none of an index, with the texts of its prompt.
    Server(Request, [String; 2]),
    /// A call to an index, with its vectors.
    Index(Call, Vec<f32>),
}

/// Sends a call to the index that the last [`Call::Open`] named.
fn call_index(index: &mut Option<Index>, call: Call, vectors: &[f32]) -> Result<(Reply, Vec<u8>), Stop> {
    let reply = match (call, &*index) {
        (Call::Open(server), _) => {
            *index = None;
            let (opened, reply) = Index::open(&server)?;
            *index = Some(opened);
            reply
        }
        (call, Some(index)) => index.answer(call, vectors)?,
        (_, None) => {
            let what = "no index is open".into();
            return Err(RemoteError::Unexpected { host: String::new(), what }.into());
        }
    };
    let json = serde_json::to_vec(&reply).map_err(|error| Stop::Pipe(error.into()))?;
    let length = u32::try_from(json.len()).ok().filter(|length| *length <= MAX_JSON);
    let length = length.ok_or_else(|| Stop::Pipe(io::Error::other("a reply of the index is too long")))?;
    Ok((Reply::Index { json: length }, json))
}

/// Answers a request; the last reply is returned.
fn answer(
    client: &Client,
    request: &Request,
    texts: &[String; 2],
    output: &mut impl Write,
) -> Result<Reply, Stop> {
    Ok(match request {
        Request::Fetch(fetch) => {
            client.fetch(fetch, output)?;
            Reply::End
        }
        Request::Describe { server, wanted } => Reply::Described(client.describe(server, wanted.as_deref())?),
        Request::Write { prompt, max_tokens } => {
            Reply::Wrote(client.write(prompt, texts, *max_tokens, output)?)
        }
        Request::Index { .. } => return Err(Stop::Pipe(io::Error::other("a call comes with its bytes"))),
    })
}

/// The next request with the bytes that its head names.
fn read_request(input: &mut impl Read) -> io::Result<Option<Asked>> {
    let Some(request) = read_head::<Request>(input)? else { return Ok(None) };
    if let Request::Index { json, vectors } = request {
        if json > MAX_JSON || vectors > MAX_VECTORS {
            return Err(io::Error::other("a call is too long"));
        }
        let call = serde_json::from_slice(&exactly(input, u64::from(json))?)?;
        let bytes = exactly(input, u64::from(vectors))?;
        let vectors = bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        return Ok(Some(Asked::Index(call, vectors)));
    }
    let mut text = |length: u32| {
        if length > MAX_PROMPT {
            return Err(io::Error::other("a prompt is too long"));
        }
        String::from_utf8(exactly(input, u64::from(length))?).map_err(io::Error::other)
    };
    let texts = match request.prompt() {
        Some(prompt) => [text(prompt.system)?, text(prompt.user)?],
        None => Default::default(),
    };
    Ok(Some(Asked::Server(request, texts)))
}
