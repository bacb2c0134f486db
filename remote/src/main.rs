//! `oriel-remote`: the only program of Oriel that speaks to other computers.
//!
//! It downloads what its parent requests over standard input, or puts the parent's question to a server that a person named,
//! and sends what comes back over standard output; see [`oriel_wire::remote`]. It writes no file, starts no program, and ends
//! with its parent.

mod client;
mod errors;
mod proxy;
mod server;

use std::io::{self, BufWriter, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::sync_channel;

use oriel_core::frame::{exactly, read_head, write_head};
use oriel_sandbox::Network;
use oriel_wire::remote::{MAX_PROMPT, PIECE, Reply, Request};

use crate::client::{Client, Stop};

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
    let mut output = BufWriter::with_capacity(PIECE as usize, io::stdout().lock());
    while let Ok((request, texts)) = requests.recv() {
        let reply = match answer(&client, &request, &texts, &mut output) {
            Ok(reply) => reply,
            Err(Stop::Failed(cause)) => Reply::Failed(cause),
            Err(Stop::Pipe(error)) => return Err(error),
        };
        write_head(&mut output, &reply)?;
        output.flush()?;
    }
    Ok(())
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
    })
}

/// The next request with the texts of its prompt.
fn read_request(input: &mut impl Read) -> io::Result<Option<(Request, [String; 2])>> {
    let Some(request) = read_head::<Request>(input)? else { return Ok(None) };
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
    Ok(Some((request, texts)))
}
