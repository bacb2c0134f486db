//! Reads one JSON-RPC message per line. An invalid line is answered with an error, and the next line is read.

use std::future::Future;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::thread;

use rmcp::model::{ClientRequest, ErrorCode, ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, channel};

/// Maximum bytes of a line; requests are short.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// Number of lines to read ahead.
const READ_AHEAD: usize = 64;

/// The standard streams, line by line.
pub(crate) struct Lines {
    lines: Receiver<Result<Vec<u8>, ErrorData>>,
}

impl Lines {
    /// Reads on a separate thread, because nothing can interrupt the read.
    pub(crate) fn of_standard_streams() -> Self {
        let (sender, lines) = channel(READ_AHEAD);
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            while let Some(line) = next_line(&mut input) {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self { lines }
    }
}

/// The next line; an error if it is too long; `None` at the end.
fn next_line(input: &mut impl io::BufRead) -> Option<Result<Vec<u8>, ErrorData>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    if read as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
        input.skip_until(b'\n').ok()?;
        let why = format!("a message may have {} KiB; ask with fewer words", MAX_LINE_BYTES >> 10);
        return Some(Err(ErrorData::invalid_request(why, None)));
    }
    Some(Ok(line))
}

/// The message in a line, or the error with the message's id.
fn parse(line: &[u8]) -> Result<RxJsonRpcMessage<RoleServer>, (ErrorData, Option<RequestId>)> {
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        let why = format!("the line is no JSON: {error}");
        (ErrorData::new(ErrorCode::PARSE_ERROR, why, None), None)
    })?;
    let id: Option<RequestId> = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
    let method = value.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_batch = value.is_array();
    match serde_json::from_value::<RxJsonRpcMessage<RoleServer>>(value) {
        // The library reports a known method with wrong parameters as an unknown method.
        Ok(RxJsonRpcMessage::<RoleServer>::Request(request))
            if matches!(&request.request, ClientRequest::CustomRequest(_)) && is_known(&method) =>
        {
            let why = format!("the parameters of {method} are not those of the protocol");
            Err((ErrorData::invalid_params(why, None), id))
        }
        Ok(message) => Ok(message),
        Err(_) => {
            let why = match is_batch {
                true => "send one message a line; batches are not supported",
                false => "the line is no JSON-RPC message with a method or a result",
            };
            Err((ErrorData::invalid_request(why, None), id))
        }
    }
}

fn is_known(method: &str) -> bool {
    ["initialize", "tools/call", "resources/read", "completion/complete", "prompts/get", "logging/setLevel"]
        .contains(&method)
}

/// Writes a message. It may block while the client does not read, because there is no other client.
fn write(message: &TxJsonRpcMessage<RoleServer>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, message)?;
    out.write_all(b"\n")?;
    out.flush()
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        std::future::ready(write(&message))
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let parsed = match self.lines.recv().await? {
                Ok(line) if line.trim_ascii().is_empty() => continue,
                Ok(line) => parse(&line),
                Err(error) => Err((error, None)),
            };
            match parsed {
                Ok(message) => return Some(message),
                Err((error, id)) => write(&TxJsonRpcMessage::<RoleServer>::error(error, id)).ok()?,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
