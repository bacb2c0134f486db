//! The paths, and the limits of each request.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use oriel_wire::serve::{Asked, CHAT_MODEL, Models};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::errors::Refusal;
use crate::guard::{Guard, let_in};
use crate::pipe::{Pipe, Request as Asking, Said};
use crate::{chat, embeddings};

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
    request: Asking,
    _permit: OwnedSemaphorePermit,
}

impl Asker {
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

/// All paths. Every request passes the guard first.
pub(crate) fn routes(guard: Arc<Guard>, pipe: Arc<Pipe>) -> Router {
    let asker = Asker { pipe, free: Arc::new(Semaphore::new(MAX_REQUESTS)) };
    Router::new()
        .route("/v1/models", get(models))
        .route("/v1/models/{id}", get(model))
        .route("/v1/chat/completions", post(chat::complete))
        .route("/v1/embeddings", post(embeddings::embed))
        .method_not_allowed_fallback(wrong_method)
        .fallback(no_address)
        .with_state(asker)
        .layer(middleware::from_fn_with_state(guard, let_in))
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

async fn models(State(asker): State<Asker>, headers: HeaderMap) -> Result<Response, Refusal> {
    Ok(Json(json!({ "object": "list", "data": list(&asker, &headers).await? })).into_response())
}

async fn model(
    State(asker): State<Asker>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let found = list(&asker, &headers).await?.into_iter().find(|model| model["id"] == *id);
    let found =
        found.ok_or_else(|| Refusal::no_model("there is no such model; GET /v1/models lists them"))?;
    Ok(Json(found).into_response())
}

async fn list(asker: &Asker, headers: &HeaderMap) -> Result<Vec<Value>, Refusal> {
    let Said::Answered(json) = asker.ask(headers, &Asked::Models)?.next().await? else {
        return Err(Refusal::closing());
    };
    let models: Models = of_parent(&json)?;
    let mut list = vec![json!({
        "id": CHAT_MODEL, "object": "model", "created": 0, "owned_by": "oriel", "generator": models.generator,
    })];
    list.extend(
        models.embedder.map(|id| json!({ "id": id, "object": "model", "created": 0, "owned_by": "oriel" })),
    );
    Ok(list)
}

/// Parses a reply of the parent as JSON.
pub(crate) fn of_parent<T: DeserializeOwned>(json: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(json).map_err(|_| {
        let why = "the programs of Oriel are not of one version; install Oriel again";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", why)
    })
}

async fn wrong_method(method: Method, request: Request) -> Refusal {
    let why = format!("{} is not for {method}", request.uri().path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", why)
}

async fn no_address() -> Refusal {
    let why = "there are GET /v1/models, POST /v1/chat/completions and POST /v1/embeddings";
    Refusal::new(StatusCode::NOT_FOUND, "unknown_url", why)
}
