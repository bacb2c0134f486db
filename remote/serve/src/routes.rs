//! The addresses.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use oriel_wire::serve::{Asked, CHAT_MODEL, Models};
use serde_json::{Value, json};

use crate::asker::{Asker, of_parent};
use crate::errors::Refusal;
use crate::guard::{Guard, let_in};
use crate::pipe::{Pipe, Said};
use crate::{chat, embeddings};

/// All paths. Every request passes the guard first.
pub(crate) fn routes(guard: Arc<Guard>, pipe: Arc<Pipe>) -> Router {
    Router::new()
        .route("/v1/models", get(models))
        .route("/v1/models/{id}", get(model))
        .route("/v1/chat/completions", post(chat::complete))
        .route("/v1/embeddings", post(embeddings::embed))
        .method_not_allowed_fallback(wrong_method)
        .fallback(no_address)
        .with_state(Asker::new(pipe))
        .layer(middleware::from_fn_with_state(guard, let_in))
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

async fn wrong_method(method: Method, request: Request) -> Refusal {
    let why = format!("{} is not for {method}", request.uri().path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", why)
}

async fn no_address() -> Refusal {
    let why = "there are GET /v1/models, POST /v1/chat/completions and POST /v1/embeddings";
    Refusal::new(StatusCode::NOT_FOUND, "unknown_url", why)
}
