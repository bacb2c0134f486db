//! Lets programs on this computer ask a library by an API like OpenAI's.
//!
//! `oriel-serve` speaks to them and this module to it, over a pipe: it answers what comes, each request on a thread of
//! its own. `key` is what a program must know, `requests` what is done for it, `shared` what all requests use. A front
//! says which library is asked.

mod key;
mod requests;
mod shared;

use std::io::BufReader;
use std::process::{Child, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, TryLockError};
use std::thread;
use std::time::Duration;

use oriel_core::{CancelToken, Notice, WorkerCommand};
use oriel_wire::serve::{FailureKind, FromServer, SERVE, ToServer, read_from_server, write_frame};
use oriel_wire::{MissingProgram, shipped_program, spawn};

use crate::error::AppError;
use crate::lock::lock;
use shared::Shared;

pub use key::ServeKey;
pub use shared::ServedLibrary;

/// The port unless another is asked for.
pub const DEFAULT_PORT: u16 = 7766;

/// Maximum number of requests in progress, including cancelled ones that are about to end. `oriel-serve` admits fewer.
const MAX_REQUESTS: usize = 16;
/// How long the program may take to tell its clients that it ends.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// The running `oriel-serve`. Dropping it ends it.
pub struct Serving {
    shared: Arc<Shared>,
    child: Child,
    port: u16,
    /// Disconnected once the program has ended.
    ended: Receiver<()>,
}

impl Serving {
    /// Starts it, and returns when it listens. `on_end` hears if it ends by itself later.
    pub fn start(
        library: Arc<dyn ServedLibrary>,
        key: &ServeKey,
        port: u16,
        on_end: impl FnOnce() + Send + 'static,
    ) -> Result<Self, AppError> {
        let command =
            shipped_program(SERVE).map_err(|MissingProgram(program)| Notice::ServerMissing { program })?;
        let listen = ToServer::Listen { port, token: key.token().to_owned() };
        let (started, starting) = sync_channel(1);
        let (ending, ended) = sync_channel(0);
        // On Linux the program dies with the thread that starts it, so that is the one that listens to it.
        let run = move || run(&command, &listen, library, &started, on_end, ending);
        thread::Builder::new().name(SERVE.into()).spawn(run).map_err(failed)?;
        let (shared, child, port) = starting.recv().map_err(failed)??;
        Ok(Self { shared, child, port, ended })
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&self) -> bool {
        matches!(self.ended.try_recv(), Err(TryRecvError::Disconnected))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.shared.is_ending.store(true, Ordering::Release);
        self.shared.cancel_all();
        // A program that no longer reads blocks the thread that writes to it. It is killed then.
        match self.shared.pipe.try_lock() {
            Ok(mut pipe) => *pipe = None,
            Err(TryLockError::Poisoned(pipe)) => *pipe.into_inner() = None,
            Err(TryLockError::WouldBlock) => {}
        }
        let _ = self.ended.recv_timeout(END_TIMEOUT);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

type Started = Result<(Arc<Shared>, Child, u16), AppError>;

fn failed(error: impl std::fmt::Display) -> AppError {
    Notice::ServerFailed { cause: Notice::text(error).into() }.into()
}

/// Starts the program, reports the result to `started`, and answers requests until the program ends.
fn run(
    command: &WorkerCommand,
    listen: &ToServer,
    library: Arc<dyn ServedLibrary>,
    started: &SyncSender<Started>,
    on_end: impl FnOnce(),
    ending: SyncSender<()>,
) {
    let (mut child, mut stdin, stdout) = match spawn(command) {
        Ok(spawned) => spawned,
        Err(error) => {
            let _ = started.send(Err(failed(error)));
            return;
        }
    };
    let mut output = BufReader::new(stdout);
    let first = write_frame(&mut stdin, listen, &[]).and_then(|()| read_from_server(&mut output));
    let port = match first {
        Ok(Some((FromServer::Listening { port }, _))) => port,
        other => {
            let why = match (other, listen) {
                (
                    Ok(Some((FromServer::NotListening { is_taken: true, .. }, _))),
                    &ToServer::Listen { port, .. },
                ) => Notice::PortTaken { port }.into(),
                (Ok(Some((FromServer::NotListening { reason, .. }, _))), _) => failed(reason),
                (Err(error), _) => failed(error),
                _ => failed("it said nothing"),
            };
            let _ = child.kill();
            let _ = child.wait();
            let _ = started.send(Err(why));
            return;
        }
    };
    let shared = Arc::new(Shared {
        pipe: Mutex::new(Some(stdin)),
        library,
        in_progress: Mutex::default(),
        is_ending: AtomicBool::new(false),
    });
    if started.send(Ok((Arc::clone(&shared), child, port))).is_err() {
        return;
    }
    answer_all(&shared, &mut output);
    shared.cancel_all();
    drop(ending);
    if !shared.is_ending.load(Ordering::Acquire) {
        on_end();
    }
}

/// Answers requests until the program ends or violates the protocol.
fn answer_all(shared: &Arc<Shared>, output: &mut BufReader<ChildStdout>) {
    loop {
        match read_from_server(output) {
            Ok(Some((FromServer::Asked { number, program, .. }, asked))) => {
                begin(shared, number, program, asked);
            }
            Ok(Some((FromServer::Cancel { number }, _))) => {
                if let Some(cancel) = lock(&shared.in_progress).get(&number) {
                    cancel.cancel();
                }
            }
            Ok(Some(_)) => tracing::warn!("{SERVE} violates the protocol"),
            Ok(None) => return,
            Err(error) => {
                tracing::warn!(%error, "{SERVE} cannot be understood");
                return;
            }
        }
    }
}

fn begin(shared: &Arc<Shared>, number: u64, program: String, asked: Vec<u8>) {
    let cancel = CancelToken::new();
    {
        let mut in_progress = lock(&shared.in_progress);
        if in_progress.len() >= MAX_REQUESTS {
            drop(in_progress);
            let why = "Oriel works on too many requests already; try again soon";
            shared.fail(number, FailureKind::Unavailable, why);
            return;
        }
        in_progress.insert(number, cancel.clone());
    }
    let working = Arc::clone(shared);
    let work = move || {
        // What fails here must not leave a client waiting.
        let answered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            requests::answer(&working, number, &program, &asked, &cancel);
        }));
        if answered.is_err() {
            let why = "this request ended in an error of Oriel's own; try another";
            working.fail(number, FailureKind::Failed, why);
        }
        lock(&working.in_progress).remove(&number);
    };
    if let Err(error) = thread::Builder::new().name("asked by a program".into()).spawn(work) {
        lock(&shared.in_progress).remove(&number);
        shared.fail(number, FailureKind::Unavailable, &format!("{error}; try again soon"));
    }
}
