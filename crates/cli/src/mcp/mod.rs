//! `oriel mcp`: lets another program on this computer query the library, with the Model Context Protocol over standard
//! input and output. It only reads, and opens no socket.
//!
//! - `transport` converts lines to messages and back.
//! - `server` implements the protocol: tools, resources, progress, cancellation.
//! - `arguments` has the arguments of the tools; `tools`, `documents` and `mentions` implement them. See docs/mcp.md.
//!
//! `rmcp` implements the protocol, without its HTTP parts. Its runtime has one thread, which only passes messages on;
//! each request runs on a blocking thread. Its logs are off, because they would contain questions. A path that the user
//! hides is a condition of the search (`Filter::without`), not a filter of its results, so hidden documents take no
//! place among them.

mod arguments;
mod documents;
mod mentions;
mod server;
mod tools;
mod transport;

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread;

use anyhow::Context as _;
use oriel_api::ProgramAccess;
use rmcp::ServiceExt as _;

use crate::arguments::McpArguments;
use crate::session::{Session, wake_up};
use server::Server;
use tools::Tools;
use transport::Lines;

/// Maximum number of requests that are processed at once; further ones wait.
const MAX_WORKERS: usize = 8;

pub(crate) fn run(session: &Session, arguments: &McpArguments) -> anyhow::Result<()> {
    if std::io::stdin().is_terminal() {
        eprintln!("oriel: an MCP client starts this command, see docs/mcp.md; Ctrl-C ends it");
    }
    let access = Arc::new(session.program_access(&arguments.access)?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(MAX_WORKERS)
        .build()
        .context("the server cannot be started")?;
    let waker = WakeOnDrop(session.waker.clone());
    let served = thread::spawn(move || {
        let _waker = waker;
        runtime.block_on(async {
            let idle = Arc::clone(&access);
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(ProgramAccess::IDLE_CHECK_INTERVAL).await;
                    idle.close_idle(ProgramAccess::IDLE);
                }
            });
            // A client may disconnect during or after the handshake; that is not an error.
            if let Ok(service) = Server::new(Tools::new(access)).serve(Lines::of_standard_streams()).await {
                let _ = service.waiting().await;
            }
        });
        // The client is gone, so nobody needs the requests in progress.
        runtime.shutdown_background();
    });
    // Woken by the end of the server, or by Ctrl-C.
    let _ = session.woken.recv();
    if !session.cancel.is_cancelled() && served.join().is_err() {
        anyhow::bail!("an internal error of Oriel ended the server; start it again");
    }
    Ok(())
}

/// Wakes the main thread when the server ends for any reason.
struct WakeOnDrop(SyncSender<()>);

impl Drop for WakeOnDrop {
    fn drop(&mut self) {
        wake_up(&self.0);
    }
}
