//! `oriel-remote` with good and bad OpenAI-compatible servers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails may say so by panicking")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use oriel_core::{CancelToken, WorkerCommand};
use oriel_wire::remote::{Key, Prompt, Reply, Request, Server, Written};
use oriel_wire::{Remote, RemoteError};
use serde_json::{Value, json};

const HOST: &str = "127.0.0.1";
const PATIENCE: Duration = Duration::from_secs(20);

/// The answers to a path; several come one after the other, and the last is repeated.
type Answers = HashMap<&'static str, Vec<(u16, String)>>;

/// A request as the server saw it.
struct Seen {
    authorization: Option<String>,
    body: Value,
    /// Whether the client was still connected when the answer was sent.
    was_heard: bool,
}

struct FakeServer {
    address: SocketAddr,
    seen: Receiver<Seen>,
}

impl FakeServer {
    fn start(answers: &[(&'static str, u16, String)]) -> Self {
        let mut by_path = Answers::new();
        for (path, status, body) in answers {
            by_path.entry(path).or_default().push((*status, body.clone()));
        }
        let listener = TcpListener::bind((HOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, seen) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that disconnects is not an error of the server.
                let _ = serve(stream, &mut by_path, &sender);
            }
        });
        Self { address, seen }
    }

    fn server(&self) -> Server {
        let url = format!("http://{}/v1", self.address);
        Server { url, host: HOST.into(), key: Some(Key("secret".into())), is_local: true, silence: 20 }
    }

    /// The last reply to a request, and the text before it.
    fn answer(&self, request: &Request, texts: [&str; 2]) -> (Reply, String) {
        let mut remote = program();
        remote.ask(request, &texts.map(str::as_bytes)).unwrap();
        let mut text = String::new();
        loop {
            match remote.next(&CancelToken::new()).unwrap().unwrap().0 {
                Reply::Text(piece) => text.push_str(&piece),
                last => return (last, text),
            }
        }
    }

    fn describe(&self, wanted: Option<&str>) -> Reply {
        let request = Request::Describe { server: self.server(), wanted: wanted.map(str::to_owned) };
        self.answer(&request, ["", ""]).0
    }

    fn write(&self) -> (Reply, String) {
        self.answer(&Request::Write { prompt: self.prompt(), max_tokens: 5 }, ["Be brief.", "Why?"])
    }

    fn prompt(&self) -> Prompt {
        Prompt { server: self.server(), model: "small".into(), system: 9, user: 4 }
    }

    fn next(&self) -> Seen {
        self.seen.recv_timeout(PATIENCE).unwrap()
    }
}

fn program() -> Remote {
    Remote::start(&WorkerCommand::new(env!("CARGO_BIN_EXE_oriel-remote"), [""; 0])).unwrap()
}

fn serve(stream: TcpStream, answers: &mut Answers, seen: &Sender<Seen>) -> std::io::Result<()> {
    let mut input = BufReader::new(stream.try_clone()?);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let header = |name: &str| {
        let of = |line: &String| {
            Some(line.split_once(": ").filter(|(own, _)| own.eq_ignore_ascii_case(name))?.1.to_owned())
        };
        lines.iter().find_map(of)
    };
    let length = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    let path = lines.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
    let (status, answer) = match answers.get_mut(path.as_str()) {
        Some(all) if all.len() > 1 => all.remove(0),
        Some(all) => all[0].clone(),
        None => (404, String::new()),
    };
    let mut output = stream;
    // Without a length, the end of the connection is the end of the answer.
    write!(output, "HTTP/1.1 {status} x\r\nconnection: close\r\nlocation: http://other.example/\r\n\r\n")?;
    let was_heard = match answer.as_str() {
        // Continues until the client disconnects.
        "forever" => {
            let piece = events(&["So"], "");
            let mut pieces = std::iter::repeat_with(|| output.write_all(piece.as_bytes()));
            pieces.by_ref().take(2_000).all(|written| {
                pause(Duration::from_millis(5));
                written.is_ok()
            })
        }
        answer => output.write_all(answer.as_bytes()).is_ok(),
    };
    let seen_now = Seen {
        authorization: header("authorization"),
        body: serde_json::from_slice(&body).unwrap_or_default(),
        was_heard,
    };
    let _ = seen.send(seen_now);
    Ok(())
}

/// The pause of a server between two pieces.
#[expect(clippy::disallowed_methods, reason = "a server that goes on writing is what is tested")]
fn pause(pace: Duration) {
    std::thread::sleep(pace);
}

fn failed(reply: Reply) -> RemoteError {
    let Reply::Failed(error) = reply else { panic!("{reply:?}") };
    error
}

/// Events with these pieces of text, and the reason why the answer ended.
fn events(pieces: &[&str], end: &str) -> String {
    let event = |choice: Value| format!("data: {}\n\n", json!({ "choices": [choice] }));
    let text: String = pieces.iter().map(|text| event(json!({ "delta": { "content": text } }))).collect();
    text + &event(json!({ "delta": {}, "finish_reason": "stop" })) + end
}

#[test]
fn models_are_told_the_wanted_one_first() {
    let all: Vec<Value> = (0..300).map(|number| json!({ "id": format!("model-{number}") })).collect();
    let server = FakeServer::start(&[("/v1/models", 200, json!({ "data": all }).to_string())]);
    let Reply::Described(names) = server.describe(Some("model-299")) else { panic!("the server has models") };
    assert_eq!((names.len(), names[0].as_str(), names[1].as_str()), (200, "model-299", "model-0"));
    assert_eq!(server.next().authorization.as_deref(), Some("Bearer secret"));
}

#[test]
fn an_answer_comes_piece_by_piece() {
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 3 } });
    let body = events(&["Because ", "of §1."], &format!("data: {usage}\n\ndata: [DONE]\n\n"));
    let server = FakeServer::start(&[("/v1/chat/completions", 200, body)]);
    let written = Written { prompt_tokens: Some(7), tokens: Some(3), is_complete: true };
    assert_eq!(server.write(), (Reply::Wrote(written), "Because of §1.".into()));
    let Seen { body, authorization, .. } = server.next();
    assert_eq!(authorization.as_deref(), Some("Bearer secret"));
    assert_eq!(
        (&body["model"], &body["max_tokens"], &body["stream"]),
        (&json!("small"), &json!(5), &json!(true))
    );
    let messages =
        json!([{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Why?" }]);
    assert_eq!(body["messages"], messages);
}

#[test]
fn a_server_that_knows_no_thinking_is_asked_without() {
    let refused = json!({ "error": { "message": "unknown field" } }).to_string();
    let path = "/v1/chat/completions";
    let server = FakeServer::start(&[(path, 400, refused), (path, 200, events(&["Yes."], ""))]);
    assert_eq!(server.write().1, "Yes.");
    assert!(server.next().body["chat_template_kwargs"].is_object());
    assert!(server.next().body["chat_template_kwargs"].is_null());
}

#[test]
fn what_is_wrong_with_a_server_is_told() {
    let path = "/v1/chat/completions";
    let of = |status, body: &str| failed(FakeServer::start(&[(path, status, body.to_owned())]).write().0);
    let host = || HOST.to_owned();
    assert_eq!(of(401, "no"), RemoteError::Status { host: host(), status: 401 });
    // A redirect may lead to another host, which the user has not confirmed.
    assert_eq!(of(302, ""), RemoteError::Status { host: host(), status: 302 });
    let full = json!({ "error": { "message": "the context\nis full" } }).to_string();
    let said = |status| RemoteError::Said { host: host(), status, message: "the context is full".into() };
    assert_eq!(of(500, &full), said(500));
    assert_eq!(of(200, &format!("data: {full}\n\n")), said(200));
    assert_eq!(
        of(200, "data: {\"choices\":[{\"delta\":{\"content\":\"cut\"}}]}\n\n"),
        RemoteError::Cut { host: host() }
    );
    assert!(matches!(of(200, "data: <html>\n\n"), RemoteError::Unexpected { .. }));
    assert!(matches!(of(200, &events(&["endless "; 200], "")), RemoteError::Unexpected { .. }));
    let no_list = FakeServer::start(&[("/v1/models", 200, "<html>".into())]);
    assert!(matches!(failed(no_list.describe(None)), RemoteError::Unexpected { .. }));
    let nobody = TcpListener::bind((HOST, 0)).unwrap().local_addr().unwrap();
    let gone = FakeServer { address: nobody, seen: channel().1 };
    assert_eq!(failed(gone.write().0), RemoteError::Refused { host: host() });
}

#[test]
fn a_server_is_left_when_nobody_waits_any_more() {
    let server = FakeServer::start(&[("/v1/chat/completions", 200, "forever".into())]);
    let mut remote = program();
    let request = Request::Write { prompt: server.prompt(), max_tokens: 9_000 };
    remote.ask(&request, &[b"Be brief.", b"Why?"]).unwrap();
    assert_eq!(remote.next(&CancelToken::new()).unwrap().unwrap().0, Reply::Text("So".into()));
    drop(remote);
    assert!(!server.next().was_heard, "the server goes on writing for nobody");
}
