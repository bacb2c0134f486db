//! Errors in the format of the OpenAI API.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use oriel_wire::serve::FailureKind;
use serde_json::{Value, json};

/// Seconds until a client may try again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// Why a request is refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// The invalid parameter.
    parameter: Option<&'static str>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), parameter: None }
    }

    /// A parameter of the body is invalid.
    pub(crate) fn parameter(name: &'static str, message: impl Into<String>) -> Self {
        Self { parameter: Some(name), ..Self::new(StatusCode::BAD_REQUEST, "invalid_value", message) }
    }

    /// There is no such model.
    pub(crate) fn no_model(message: impl Into<String>) -> Self {
        Self { parameter: Some("model"), ..Self::new(StatusCode::NOT_FOUND, "model_not_found", message) }
    }

    /// The request may be tried again soon.
    pub(crate) fn unavailable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
    }

    /// The parent has closed the pipe.
    pub(crate) fn closing() -> Self {
        Self::unavailable("closing", "Oriel is ending; start it and try again")
    }

    /// The error that the parent reported.
    pub(crate) fn of(kind: FailureKind, message: String) -> Self {
        match kind {
            FailureKind::Invalid => Self::new(StatusCode::BAD_REQUEST, "invalid_value", message),
            FailureKind::NoModel => Self::no_model(message),
            FailureKind::Unavailable => Self::unavailable("unavailable", message),
            FailureKind::Failed => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", message),
        }
    }

    /// The body of the response.
    pub(crate) fn json(&self) -> Value {
        let kind = match self.status {
            StatusCode::UNAUTHORIZED => "authentication_error",
            StatusCode::FORBIDDEN => "permission_error",
            status if status.is_server_error() => "server_error",
            _ => "invalid_request_error",
        };
        json!({ "error": { "message": self.message, "type": kind, "param": self.parameter, "code": self.code } })
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.json())).into_response();
        match self.status {
            StatusCode::UNAUTHORIZED => {
                response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::SERVICE_UNAVAILABLE => {
                response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
            }
            _ => {}
        }
        response
    }
}
