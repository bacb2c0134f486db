//! Requests to an OpenAI-compatible server: its models, and an answer while it is written.
//!
//! Requests go only to paths below the server's address; a redirect is an error.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::time::Duration;

use oriel_core::frame::write_head;
use oriel_wire::RemoteError;
use oriel_wire::remote::{Prompt, Reply, Server, Written};
use serde_json::{Value, json};
use ureq::Body;
use ureq::http::header::{AUTHORIZATION, CONTENT_TYPE};
use ureq::http::{Method, Request, Response};

use crate::client::{Client, Stop, host_of};
use crate::errors::{named, while_receiving};

/// Maximum number of a server's models; further ones are not shown.
const MAX_MODELS: usize = 200;
/// Maximum bytes of a model's name; longer ones are not shown.
const MAX_NAME: usize = 200;
/// Maximum bytes of a reply that comes at once.
const MAX_BODY: u64 = 16 << 20;
/// Maximum bytes of a line in a streamed reply.
const MAX_LINE: u64 = 1 << 20;
/// Maximum bytes of a server's own error message.
const MAX_MESSAGE: usize = 300;
/// The fields of a request that ask a model not to reason first.
const NO_THINKING: [&str; 2] = ["chat_template_kwargs", "reasoning_effort"];
/// Maximum bytes of a token; a server that sends more text than this allows is rejected.
const MAX_TOKEN: u64 = 64;

impl Client {
    /// The names of the server's models, with `wanted` first.
    pub(crate) fn describe(&self, server: &Server, wanted: Option<&str>) -> Result<Vec<String>, RemoteError> {
        let host = server.host.clone();
        let listed = self.json(server, &below(server, "models"))?;
        let Some(listed) = listed["data"].as_array() else {
            return Err(RemoteError::Unexpected { host, what: "it lists no models".into() });
        };
        let mut names: Vec<&str> = listed.iter().filter_map(|model| model["id"].as_str()).collect();
        names.retain(|name| name.len() <= MAX_NAME);
        names.sort_by_key(|name| Some(*name) != wanted);
        Ok(names.into_iter().take(MAX_MODELS).map(str::to_owned).collect())
    }

    /// Lets the model answer, and forwards the text to `output` as it comes.
    pub(crate) fn write(
        &self,
        prompt: &Prompt,
        texts: &[String; 2],
        max_tokens: u32,
        output: &mut impl Write,
    ) -> Result<Written, Stop> {
        let host = prompt.server.host.clone();
        let body = self.begin(prompt, texts, max_tokens)?;
        let mut lines = BufReader::new(body.into_reader());
        let mut written = Written { prompt_tokens: None, tokens: None, is_complete: false };
        let (mut has_ended, mut left) = (false, u64::from(max_tokens) * MAX_TOKEN);
        while let Some(event) = next_event(&mut lines, &host)? {
            let Event::Data(data) = event else {
                has_ended = true;
                break;
            };
            if let Some(message) = said(&data) {
                return Err(RemoteError::Said { host, status: 200, message }.into());
            }
            let choice = &data["choices"][0];
            if let Some(text) = choice["delta"]["content"].as_str().filter(|text| !text.is_empty()) {
                left = left.checked_sub(text.len() as u64).ok_or_else(|| RemoteError::Unexpected {
                    host: host.clone(),
                    what: "it writes without end".into(),
                })?;
                write_text(output, text).map_err(Stop::Pipe)?;
            }
            if let Some(reason) = choice["finish_reason"].as_str() {
                (has_ended, written.is_complete) = (true, reason == "stop");
            }
            written.prompt_tokens = tokens(&data["usage"]["prompt_tokens"]).or(written.prompt_tokens);
            written.tokens = tokens(&data["usage"]["completion_tokens"]).or(written.tokens);
        }
        if has_ended { Ok(written) } else { Err(RemoteError::Cut { host }.into()) }
    }

    /// Requests an answer. Reasoning models are asked not to reason: the reasoning is not shown, and takes tokens from
    /// the answer. Servers that do not know these fields may reject them; then the request is sent without.
    fn begin(&self, prompt: &Prompt, texts: &[String; 2], max_tokens: u32) -> Result<Body, RemoteError> {
        let server = &prompt.server;
        let url = below(server, "chat/completions");
        let mut body = json!({
            "model": prompt.model, "messages": messages(texts), "max_tokens": max_tokens, "temperature": 0,
            "stream": true, "stream_options": { "include_usage": true },
            // The first field is for llama-server and vLLM, the second for others.
            "chat_template_kwargs": { "enable_thinking": false }, "reasoning_effort": "none",
        });
        match self.call(server, &url, Some(&body)) {
            Err(
                RemoteError::Said { status: 400 | 422, .. } | RemoteError::Status { status: 400 | 422, .. },
            ) => {
                if let Some(fields) = body.as_object_mut() {
                    fields.retain(|name, _| !NO_THINKING.contains(&name.as_str()));
                }
                self.call(server, &url, Some(&body))
            }
            answered => answered,
        }
        .map(Response::into_body)
    }

    /// Requests the JSON at a URL.
    fn json(&self, server: &Server, url: &str) -> Result<Value, RemoteError> {
        let host = server.host.clone();
        let response = self.call(server, url, None)?;
        let mut bytes = Vec::new();
        let mut reader = response.into_body().into_reader().take(MAX_BODY);
        reader.read_to_end(&mut bytes).map_err(|error| while_receiving(&error, &host))?;
        let no_json = |_| RemoteError::Unexpected { host, what: "its answer is no JSON".into() };
        serde_json::from_slice(&bytes).map_err(no_json)
    }

    /// Sends a POST request with a body, or a GET request without.
    fn call(&self, server: &Server, url: &str, body: Option<&Value>) -> Result<Response<Body>, RemoteError> {
        let host = server.host.clone();
        let other = |reason: String| RemoteError::Other { host: host.clone(), reason };
        let proxy = if server.is_local { None } else { self.proxies.for_host(&host_of(&server.url))? };
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let mut request = Request::builder().method(method).uri(url);
        if let Some(key) = &server.key {
            request = request.header(AUTHORIZATION, format!("Bearer {}", key.0));
        }
        let bytes = match body {
            Some(body) => {
                request = request.header(CONTENT_TYPE, "application/json");
                serde_json::to_vec(body).map_err(|error| other(error.to_string()))?
            }
            None => Vec::new(),
        };
        let request = request.body(bytes).map_err(|error| other(error.to_string()))?;
        let silence = Duration::from_secs(server.silence);
        let request = self
            .agent
            .configure_request(request)
            .https_only(false)
            .proxy(proxy.clone())
            .timeout_per_read(Some(silence))
            .timeout_per_write(Some(silence))
            .build();
        let response = self.agent.run(request).map_err(|error| named(&error, &host, proxy.as_ref()))?;
        let status = response.status().as_u16();
        if response.status().is_success() {
            return Ok(response);
        }
        let mut bytes = Vec::new();
        // Without the server's message, the status has to suffice.
        let _ = response.into_body().into_reader().take(MAX_LINE).read_to_end(&mut bytes);
        let words = serde_json::from_slice(&bytes).ok().and_then(|body: Value| said(&body));
        Err(match words {
            Some(message) if ![401, 403, 404, 429].contains(&status) => {
                RemoteError::Said { host, status, message }
            }
            _ => RemoteError::Status { host, status },
        })
    }
}

/// A URL below the server's: `https://host/v1/models`.
fn below(server: &Server, path: &str) -> String {
    format!("{}/{path}", server.url)
}

fn messages([system, user]: &[String; 2]) -> Value {
    json!([{ "role": "system", "content": system }, { "role": "user", "content": user }])
}

/// A positive number of tokens.
fn tokens(value: &Value) -> Option<u32> {
    value.as_u64().filter(|tokens| *tokens > 0).and_then(|tokens| u32::try_from(tokens).ok())
}

/// The error message in a reply, as one line.
fn said(reply: &Value) -> Option<String> {
    let error = &reply["error"];
    let words = error["message"].as_str().or(error.as_str()).or(reply["message"].as_str())?;
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(line[..line.floor_char_boundary(MAX_MESSAGE)].to_owned()).filter(|line| !line.is_empty())
}

/// An event of a streamed reply.
enum Event {
    Data(Value),
    Done,
}

/// The next event; `None` at the end of the reply.
fn next_event(lines: &mut impl BufRead, host: &str) -> Result<Option<Event>, RemoteError> {
    let unexpected = |what: &str| RemoteError::Unexpected { host: host.to_owned(), what: what.to_owned() };
    loop {
        let mut line = Vec::new();
        let read = lines.take(MAX_LINE).read_until(b'\n', &mut line);
        match read.map_err(|error| while_receiving(&error, host))? as u64 {
            0 => return Ok(None),
            MAX_LINE => return Err(unexpected("a line has no end")),
            _ => {}
        }
        // Comments keep the connection open, and other fields do not matter here.
        let Some(data) = line.trim_ascii().strip_prefix(b"data:") else { continue };
        if data.trim_ascii() == b"[DONE]" {
            return Ok(Some(Event::Done));
        }
        return serde_json::from_slice(data)
            .map(|data| Some(Event::Data(data)))
            .map_err(|_| unexpected("a piece of its answer is no JSON"));
    }
}

/// Sends text on in heads that are not too long.
fn write_text(output: &mut impl Write, mut text: &str) -> io::Result<()> {
    /// Escapes may take six bytes for one.
    const PIECE: usize = 8 << 10;
    while !text.is_empty() {
        let (head, rest) = text.split_at(text.floor_char_boundary(PIECE));
        write_head(output, &Reply::Text(head.to_owned()))?;
        text = rest;
    }
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_between_comments_and_other_fields() {
        let mut lines = &b": waiting\n\nevent: x\r\ndata: {\"a\":1}\r\n\r\ndata:[DONE]\n"[..];
        let event = next_event(&mut lines, "h").unwrap();
        assert!(matches!(event, Some(Event::Data(data)) if data["a"] == 1));
        assert!(matches!(next_event(&mut lines, "h").unwrap(), Some(Event::Done)));
        assert!(next_event(&mut lines, "h").unwrap().is_none());
        assert!(next_event(&mut &b"data: {\n"[..], "h").is_err());
        assert!(next_event(&mut &vec![b'x'; 2 << 20][..], "h").is_err());
    }

    #[test]
    fn a_servers_words_are_one_short_line() {
        let openai = json!({ "error": { "message": "no\nsuch  model" } });
        assert_eq!(said(&openai).as_deref(), Some("no such model"));
        assert_eq!(said(&json!({ "error": "busy" })).as_deref(), Some("busy"));
        assert_eq!(said(&json!({ "message": "ä".repeat(500) })).unwrap().len(), 300);
        assert_eq!(said(&json!({ "choices": [] })), None);
    }
}
