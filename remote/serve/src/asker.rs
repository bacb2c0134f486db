//! Asks the parent for what a request needs, within the limits of each request.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, StatusCode, header};
use oriel_wire::serve::Asked;
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::errors::Refusal;
use crate::pipe::{Pipe, Request, Said};

/// Maximum number of requests at once; further ones are refused.
const MAX_REQUESTS: usize = 8;
const MAX_BODY_BYTES: usize = 1 << 20;
/// How long a client may take to send a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum characters of a program's name.
const MAX_PROGRAM_CHARS: usize = 60;

/// Sends requests to the parent, a few at once.
#[derive(Clone)]
pub(crate) struct Asker {
    pipe: Arc<Pipe>,
    free: Arc<Semaphore>,
}

/// A request that the parent works on. Dropping it cancels it and allows another one.
pub(crate) struct Working {
    request: Request,
    _permit: OwnedSemaphorePermit,
}

impl Asker {
    pub(crate) fn new(pipe: Arc<Pipe>) -> Self {
        Self { pipe, free: Arc::new(Semaphore::new(MAX_REQUESTS)) }
    }

    /// Sends a request of the program that `headers` name.
    pub(crate) fn ask(&self, headers: &HeaderMap, asked: &Asked) -> Result<Working, Refusal> {
        let permit = Arc::clone(&self.free).try_acquire_owned().map_err(|_| {
            let why = format!("Oriel works on {MAX_REQUESTS} requests already; try again soon");
            Refusal::unavailable("busy", why)
        })?;
        let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
        let program = agent.chars().take(MAX_PROGRAM_CHARS).collect();
        let request = self.pipe.ask(program, asked).map_err(|_| Refusal::closing())?;
        Ok(Working { request, _permit: permit })
    }
}

impl Working {
    /// The next reply of the parent. A failure is an error, and so is the end of the replies.
    pub(crate) async fn next(&mut self) -> Result<Said, Refusal> {
        match self.request.next().await {
            Some(Said::Failed(kind, message)) => Err(Refusal::of(kind, message)),
            Some(said) => Ok(said),
            None => Err(Refusal::closing()),
        }
    }
}

/// The body of a request as JSON.
pub(crate) async fn body<T: DeserializeOwned>(body: Body) -> Result<T, Refusal> {
    let bytes: Bytes = timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES))
        .await
        .map_err(|_| {
            Refusal::new(StatusCode::REQUEST_TIMEOUT, "timeout", "the body did not come; send it again")
        })?
        .map_err(|_| {
            let why = format!("the body is longer than {} KiB, or broke off", MAX_BODY_BYTES >> 10);
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", why)
        })?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let why = format!("the body is not the JSON of this request: {error}");
        Refusal::new(StatusCode::BAD_REQUEST, "invalid_json", why)
    })
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Parses a reply of the parent as JSON.
pub(crate) fn of_parent<T: DeserializeOwned>(json: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(json).map_err(|_| {
        let why = "the programs of Oriel are not of one version; install Oriel again";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", why)
    })
}
