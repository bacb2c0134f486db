//! `oriel-remote`: the only program of Oriel that speaks to other computers.
//!
//! It downloads what its parent requests over standard input and sends the bytes over standard output; see
//! [`oriel_wire::remote`]. It writes no file, starts no program, and ends with its parent.

mod client;
mod errors;
mod proxy;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::mpsc::sync_channel;

use oriel_core::frame::{read_head, write_head};
use oriel_sandbox::Network;
use oriel_wire::remote::{PIECE, Reply, Request};

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
        while let Ok(Some(request)) = read_head::<Request>(&mut input) {
            if sender.send(request).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    let client = Client::new();
    let mut output = BufWriter::with_capacity(PIECE as usize, io::stdout().lock());
    while let Ok(Request::Fetch(fetch)) = requests.recv() {
        let reply = match client.fetch(&fetch, &mut output) {
            Ok(()) => Reply::End,
            Err(Stop::Failed(cause)) => Reply::Failed(cause),
            Err(Stop::Pipe(error)) => return Err(error),
        };
        write_head(&mut output, &reply)?;
        output.flush()?;
    }
    Ok(())
}
