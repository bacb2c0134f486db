//! `oriel-serve`: answers OpenAI-compatible requests of programs on this computer.
//!
//! It speaks HTTP on the loopback and passes each request to its parent over the pipe; see [`oriel_wire::serve`]. It
//! has no engine, and on Linux it opens neither files nor sockets once it listens, so that an attacker who takes it
//! over finds nothing. It ends with its parent.
//!
//! - `connections` accepts connections and limits them.
//! - `guard` lets in requests that know the token.
//! - `routes` has the paths, `chat` and `embeddings` their bodies, `errors` the error responses.
//! - `pipe` passes requests to the parent.

mod asker;
mod chat;
mod connections;
mod embeddings;
mod errors;
mod guard;
mod pipe;
mod routes;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::process::ExitCode;
use std::sync::Arc;

use oriel_sandbox::Program;
use oriel_wire::serve::{FromServer, ToServer, read_from_parent, write_frame};
use tokio::runtime::Builder;

use crate::guard::Guard;
use crate::pipe::Pipe;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("oriel-serve: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Listens as the parent requests, and serves until the pipe closes.
fn serve() -> io::Result<()> {
    let first = read_from_parent(&mut io::stdin().lock())?;
    let Some((ToServer::Listen { port, token }, _)) = first else {
        return Err(io::Error::other("only Oriel starts this program"));
    };
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(listener) => listener,
        Err(error) => {
            let is_taken = error.kind() == io::ErrorKind::AddrInUse;
            let head = FromServer::NotListening { is_taken, reason: error.to_string() };
            return write_frame(&mut io::stdout().lock(), &head, &[]);
        }
    };
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
    let listener = {
        let _runtime = runtime.enter();
        tokio::net::TcpListener::from_std(listener)?
    };
    oriel_sandbox::enter(Program::Server)?;
    write_frame(&mut io::stdout().lock(), &FromServer::Listening { port }, &[])?;
    let (pipe, closed) = Pipe::open();
    let routes = routes::routes(Arc::new(Guard::new(&token, port)), pipe);
    runtime.block_on(connections::serve(listener, routes, closed));
    Ok(())
}
