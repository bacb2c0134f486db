//! `oriel mcp`: lets another program on this computer ask the library, by the Model Context Protocol over standard input and
//! output. It reads only, and opens no socket.
//!
//! - `transport` turns lines into messages and back.
//! - `server` is the protocol: which tools and resources there are, progress, cancellation.
//! - `arguments` is what a tool is asked, `tools`, `documents` and `mentions` do it. docs/mcp.md describes them.

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

/// Requests that are worked on at once; further ones wait.
const MAX_WORKERS: usize = 8;

pub(crate) fn run(session: &Session, arguments: &McpArguments) -> anyhow::Result<()> {
    if std::io::stdin().is_terminal() {
        eprintln!("oriel: a program that speaks MCP starts this command, see docs/mcp.md; Ctrl-C ends it");
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
            // A client that goes away before or after the handshake has seen enough.
            if let Ok(service) = Server::new(Tools::new(access)).serve(Lines::of_standard_streams()).await {
                let _ = service.waiting().await;
            }
        });
        // What is still worked on is for nobody.
        runtime.shutdown_background();
    });
    // By the end of the server, or Ctrl-C.
    let _ = session.woken.recv();
    if !session.cancel.is_cancelled() && served.join().is_err() {
        anyhow::bail!("the server ended in an error of Oriel's own; start it anew");
    }
    Ok(())
}

/// Wakes the main thread when the server has ended, however it ended.
struct WakeOnDrop(SyncSender<()>);

impl Drop for WakeOnDrop {
    fn drop(&mut self) {
        wake_up(&self.0);
    }
}
