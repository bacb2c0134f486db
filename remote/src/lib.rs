//! The only programs of Oriel that connect to other computers: `oriel-remote` downloads files and requests answers from
//! servers, `oriel-remote-index` (feature `index`) sends calls to remote indexes.
//!
//! Each receives requests from its parent on standard input and sends the replies to standard output; see
//! [`oriel_wire::remote`]. It writes no file, starts no program, and ends with its parent.

mod client;
mod errors;
#[cfg(feature = "index")]
mod index;
#[cfg(feature = "index")]
mod index_client;
#[cfg(feature = "index")]
mod milvus;
#[cfg(feature = "index")]
mod postgres;
mod proxy;
mod server;
#[cfg(feature = "index")]
mod stored;

use std::io::{self, BufWriter, Read, StdoutLock, Write};
use std::process::ExitCode;
use std::sync::mpsc::sync_channel;

use oriel_core::frame::{exactly, read_head, write_head};
use oriel_sandbox::Program;
use oriel_wire::remote::{MAX_PROMPT, PIECE, Reply, Request};

use crate::client::{Client, Stop};

/// The output for replies.
type Output = BufWriter<StdoutLock<'static>>;

/// The program that downloads files and requests answers from servers.
#[must_use]
pub fn answer_requests() -> ExitCode {
    let client = Client::new();
    run("oriel-remote", read_request, |(request, texts), output| {
        answer(&client, &request, &texts, output).map(|reply| (reply, Vec::new()))
    })
}

/// The program that sends calls to remote indexes.
#[cfg(feature = "index")]
#[must_use]
pub fn answer_index_calls() -> ExitCode {
    let mut index = None;
    run("oriel-remote-index", index::read_call, |(call, vectors), _| index::call(&mut index, call, &vectors))
}

/// Enters the sandbox and answers requests until the pipe closes.
fn run<T: Send + 'static>(
    name: &str,
    read: fn(&mut dyn Read) -> io::Result<Option<T>>,
    answer: impl FnMut(T, &mut Output) -> Result<(Reply, Vec<u8>), Stop>,
) -> ExitCode {
    match serve(read, answer) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve<T: Send + 'static>(
    read: fn(&mut dyn Read) -> io::Result<Option<T>>,
    mut answer: impl FnMut(T, &mut Output) -> Result<(Reply, Vec<u8>), Stop>,
) -> io::Result<()> {
    oriel_sandbox::enter(Program::Client)?;
    let (sender, requests) = sync_channel(1);
    // The process ends at once, even in the middle of a request, when the parent closes the pipe or dies.
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(request)) = read(&mut input) {
            if sender.send(request).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    let mut output = BufWriter::with_capacity(PIECE as usize, io::stdout().lock());
    while let Ok(request) = requests.recv() {
        let (head, bytes) = match answer(request, &mut output) {
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

/// Processes a request and returns the last reply.
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
        Request::Index { .. } => {
            return Err(Stop::Pipe(io::Error::other("an index is asked by another program")));
        }
    })
}

/// The next request with the texts of its prompt.
fn read_request(mut input: &mut dyn Read) -> io::Result<Option<(Request, [String; 2])>> {
    let Some(request) = read_head::<Request>(&mut input)? else { return Ok(None) };
    let mut text = |length: u32| {
        if length > MAX_PROMPT {
            return Err(io::Error::other("a prompt is too long"));
        }
        String::from_utf8(exactly(&mut input, u64::from(length))?).map_err(io::Error::other)
    };
    let texts = match request.prompt() {
        Some(prompt) => [text(prompt.system)?, text(prompt.user)?],
        None => Default::default(),
    };
    Ok(Some((request, texts)))
}
