//! Embeds texts.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use oriel_wire::serve::{Asked, MAX_TEXTS};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::asker::{Asker, body};
use crate::errors::Refusal;
use crate::pipe::Said;

#[derive(Debug, Deserialize)]
pub(crate) struct EmbeddingsBody {
    model: String,
    input: Value,
    encoding_format: Option<String>,
    dimensions: Option<usize>,
    /// `query` or `passage`, which some embedders treat differently. OpenAI has no such field, others do.
    input_type: Option<String>,
}

pub(crate) async fn embed(
    State(asker): State<Asker>,
    headers: HeaderMap,
    request: Body,
) -> Result<Response, Refusal> {
    let body: EmbeddingsBody = body(request).await?;
    let is_base64 = match body.encoding_format.as_deref() {
        None | Some("float") => false,
        Some("base64") => true,
        Some(_) => return Err(Refusal::parameter("encoding_format", "encoding_format is float or base64")),
    };
    let are_queries = match body.input_type.as_deref() {
        None | Some("passage") => false,
        Some("query") => true,
        Some(_) => return Err(Refusal::parameter("input_type", "input_type is passage or query")),
    };
    let (model, texts) = (body.model, texts(body.input)?);
    let asked = Asked::Embeddings { model: model.clone(), texts, are_queries };
    let Said::Vectors { dimensions, tokens, bytes } = asker.ask(&headers, &asked)?.next().await? else {
        return Err(Refusal::closing());
    };
    if body.dimensions.is_some_and(|wanted| wanted != dimensions) {
        let why = format!("the vectors of {model} have {dimensions} dimensions, no other number");
        return Err(Refusal::parameter("dimensions", why));
    }
    let vector = |bytes: &[u8]| match is_base64 {
        true => Value::from(STANDARD.encode(bytes)),
        false => bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect(),
    };
    let data: Vec<Value> = (0..)
        .zip(bytes.chunks_exact((dimensions * size_of::<f32>()).max(1)))
        .map(|(index, bytes)| json!({ "object": "embedding", "index": index, "embedding": vector(bytes) }))
        .collect();
    let usage = json!({ "prompt_tokens": tokens, "total_tokens": tokens });
    Ok(Json(json!({ "object": "list", "data": data, "model": model, "usage": usage })).into_response())
}

fn texts(input: Value) -> Result<Vec<String>, Refusal> {
    let wrong = || Refusal::parameter("input", "input is a text or a list of texts; tokens are not read");
    let text = |value: Value| match value {
        Value::String(text) if text.trim().is_empty() => {
            Err(Refusal::parameter("input", "a text of input is empty"))
        }
        Value::String(text) => Ok(text),
        _ => Err(wrong()),
    };
    match input {
        Value::Array(list) if list.is_empty() => Err(Refusal::parameter("input", "input is empty")),
        Value::Array(list) if list.len() > MAX_TEXTS => {
            let why = format!("input has {} texts, at most {MAX_TEXTS} are read at once", list.len());
            Err(Refusal::parameter("input", why))
        }
        Value::Array(list) => list.into_iter().map(text).collect(),
        one => Ok(vec![text(one)?]),
    }
}
