//! Decides which requests are let in: those of programs on this computer that know the token, and none from a web page.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use subtle::ConstantTimeEq as _;

use crate::errors::Refusal;

/// The conditions on a request.
pub(crate) struct Guard {
    token: Box<[u8]>,
    /// The names of this computer, each with the port.
    hosts: [String; 2],
    port: u16,
}

impl Guard {
    pub(crate) fn new(token: &str, port: u16) -> Self {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        Self { token: token.as_bytes().into(), hosts, port }
    }

    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let hosts = headers.get_all(header::HOST).iter().map(HeaderValue::to_str);
        let hosts: Vec<&str> = hosts.map(Result::unwrap_or_default).collect();
        let is_own = |host: &str| {
            // Clients leave out the default port of HTTP.
            let whole =
                if self.port == 80 && !host.contains(':') { format!("{host}:80") } else { host.into() };
            self.hosts.iter().any(|own| own.eq_ignore_ascii_case(&whole))
        };
        // Under another name, a web page could reach this address as its own.
        if hosts.len() != 1 || !is_own(hosts[0]) || uri.authority().is_some_and(|host| !is_own(host.as_str()))
        {
            let why = format!("ask for http://{}; requests for other hosts are refused", self.hosts[0]);
            return Err(Refusal::new(StatusCode::FORBIDDEN, "wrong_host", why));
        }
        if headers.contains_key(header::ORIGIN) || *method == Method::OPTIONS {
            let why = "pages in a browser are refused; ask from a program";
            return Err(Refusal::new(StatusCode::FORBIDDEN, "no_browser", why));
        }
        let given = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes).unwrap_or_default();
        let given = match given.split_at_checked(b"Bearer ".len()) {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case(b"Bearer ") => token.trim_ascii(),
            _ => &[],
        };
        if !bool::from(given.ct_eq(&self.token)) {
            let why = match given {
                [] => {
                    "the key is missing; send it as 'Authorization: Bearer KEY'. Oriel says which file has it"
                }
                _ => "the key is wrong; Oriel says which file has the right one",
            };
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, "invalid_api_key", why));
        }
        Ok(())
    }
}

/// Refuses a request before its body is read.
pub(crate) async fn let_in(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    guard.check(request.method(), request.uri(), request.headers())?;
    Ok(next.run(request).await)
}
