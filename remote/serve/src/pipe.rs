//! Passes requests to the parent, several at once, each with a number.

use std::collections::HashMap;
use std::io::{self, BufReader};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oriel_wire::serve::{Asked, FailureKind, FromServer, ToServer, read_from_parent, write_frame};
use tokio::sync::{mpsc, oneshot};

/// Maximum number of frames that wait for a slow client; if there are more, the request is dropped.
const MAX_WAITING: usize = 4_096;

/// A reply of the parent to a request.
#[derive(Debug)]
pub(crate) enum Said {
    /// A piece of an answer that is not checked yet.
    Draft(String),
    /// The answer, as JSON.
    Answered(Vec<u8>),
    /// Vectors, one after the other.
    Vectors { dimensions: usize, tokens: u64, bytes: Vec<u8> },
    /// There is no answer.
    Failed(FailureKind, String),
}

/// The pipe to the parent.
pub(crate) struct Pipe {
    requests: Mutex<Requests>,
}

/// The requests that wait for the parent; `None` after the pipe is closed.
struct Requests {
    last: u64,
    waiting: Option<HashMap<u64, mpsc::Sender<Said>>>,
}

impl Pipe {
    /// Reads the parent's replies on a separate thread. The receiver is notified when the parent closes the pipe.
    pub(crate) fn open() -> (Arc<Self>, oneshot::Receiver<()>) {
        let pipe =
            Arc::new(Self { requests: Mutex::new(Requests { last: 0, waiting: Some(HashMap::new()) }) });
        let (close, closed) = oneshot::channel();
        let reading = Arc::clone(&pipe);
        std::thread::spawn(move || {
            let mut input = BufReader::new(io::stdin().lock());
            loop {
                match read_from_parent(&mut input) {
                    Ok(Some((head, bytes))) => reading.pass_on(head, bytes),
                    Ok(None) => break,
                    Err(error) => {
                        eprintln!("oriel-serve: {error}");
                        break;
                    }
                }
            }
            // All waiting requests learn that no reply will come.
            reading.requests().waiting = None;
            let _ = close.send(());
        });
        (pipe, closed)
    }

    /// Sends a request of the program `program` to the parent.
    ///
    /// # Errors
    /// If the pipe is closed.
    pub(crate) fn ask(self: &Arc<Self>, program: String, asked: &Asked) -> io::Result<Request> {
        let json = serde_json::to_vec(asked)?;
        let length = u32::try_from(json.len()).map_err(io::Error::other)?;
        let (sender, said) = mpsc::channel(MAX_WAITING);
        let number = {
            let mut requests = self.requests();
            requests.last += 1;
            let number = requests.last;
            let waiting = requests.waiting.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            waiting.insert(number, sender);
            number
        };
        let request = Request { pipe: Arc::clone(self), number, said };
        // The parent reads at any time, so this does not block.
        write_frame(&mut io::stdout().lock(), &FromServer::Asked { number, program, length }, &json)?;
        Ok(request)
    }

    fn pass_on(&self, head: ToServer, bytes: Vec<u8>) {
        let (number, said) = match head {
            // Only the first frame may be this one.
            ToServer::Listen { .. } => return,
            ToServer::Draft { number, .. } => {
                (number, Said::Draft(String::from_utf8_lossy(&bytes).into_owned()))
            }
            ToServer::Answered { number, .. } => (number, Said::Answered(bytes)),
            ToServer::Vectors { number, dimensions, tokens, .. } => {
                (number, Said::Vectors { dimensions: dimensions as usize, tokens, bytes })
            }
            ToServer::Failed { number, kind, message } => (number, Said::Failed(kind, message)),
        };
        let mut requests = self.requests();
        let Some(waiting) = requests.waiting.as_mut() else { return };
        let is_last = !matches!(said, Said::Draft(_));
        let is_lost = waiting.get(&number).is_some_and(|sender| sender.try_send(said).is_err());
        if is_last || is_lost {
            waiting.remove(&number);
        }
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request to the parent. Dropping it cancels it.
pub(crate) struct Request {
    pipe: Arc<Pipe>,
    number: u64,
    said: mpsc::Receiver<Said>,
}

impl Request {
    /// The next reply of the parent; `None` if there will be no more.
    pub(crate) async fn next(&mut self) -> Option<Said> {
        self.said.recv().await
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        let is_open = match &mut self.pipe.requests().waiting {
            // The request was answered, or its client was too slow; then the parent may still be working on it.
            Some(waiting) => waiting.remove(&self.number).is_some() || !self.said.is_empty(),
            None => false,
        };
        if is_open {
            let cancel = FromServer::Cancel { number: self.number };
            // If the parent is gone, everything is cancelled anyway.
            let _ = write_frame(&mut io::stdout().lock(), &cancel, &[]);
        }
    }
}
