//! A parent for the program, and a client that writes its requests byte by byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use oriel_wire::serve::{Asked, FromServer, ToServer, read_from_server, write_frame};
use serde_json::Value;

pub const TOKEN: &str = "or-0123456789abcdef";

/// The timeout for what should happen at once, even on a busy machine.
pub const SOON: Duration = Duration::from_secs(10);

/// The program, and its parent's ends of the pipes.
pub struct Parent {
    pub child: Child,
    pub stdin: Option<ChildStdin>,
    pub frames: Receiver<(FromServer, Vec<u8>)>,
    pub port: u16,
}

/// Starts the program, and returns its first message.
pub fn start(port: u16) -> (Parent, FromServer) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_oriel-serve"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (sender, frames) = channel();
    std::thread::spawn(move || {
        while let Ok(Some(frame)) = read_from_server(&mut stdout) {
            if sender.send(frame).is_err() {
                break;
            }
        }
    });
    write_frame(&mut stdin, &ToServer::Listen { port, token: TOKEN.into() }, &[]).unwrap();
    let first = frames.recv_timeout(SOON).unwrap().0;
    (Parent { child, stdin: Some(stdin), frames, port }, first)
}

impl Parent {
    /// Starts the program on a free port.
    pub fn new() -> Self {
        let (mut parent, first) = start(0);
        let FromServer::Listening { port } = first else { panic!("{first:?}") };
        parent.port = port;
        parent
    }

    /// The next request: its number, the client's name, and its content.
    pub fn asked(&self) -> (u64, String, Asked) {
        let (head, bytes) = self.frames.recv_timeout(SOON).unwrap();
        let FromServer::Asked { number, program, .. } = head else { panic!("{head:?}") };
        (number, program, serde_json::from_slice(&bytes).unwrap())
    }

    /// Sends a message with the bytes that its head announces.
    pub fn say(&mut self, head: &ToServer, bytes: &[u8]) {
        write_frame(self.stdin.as_mut().unwrap(), head, bytes).unwrap();
    }

    pub fn draft(&mut self, number: u64, text: &str) {
        self.say(&ToServer::Draft { number, length: u32::try_from(text.len()).unwrap() }, text.as_bytes());
    }

    pub fn answer(&mut self, number: u64, answer: &impl serde::Serialize) {
        let json = serde_json::to_vec(answer).unwrap();
        self.say(&ToServer::Answered { number, length: u32::try_from(json.len()).unwrap() }, &json);
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a request with these lines in its head.
    pub fn send(&self, first: &str, lines: &[&str], body: &str) -> TcpStream {
        let mut stream = self.connect();
        let mut head = format!("{first} HTTP/1.1\r\n");
        lines.iter().for_each(|line| head += &format!("{line}\r\n"));
        write!(stream, "{head}content-length: {}\r\nconnection: close\r\n\r\n", body.len()).unwrap();
        // The program may have refused the request already.
        let _ = stream.write_all(body.as_bytes());
        stream
    }

    /// Sends a request as a correct client does.
    pub fn request(&self, first: &str, body: &str) -> TcpStream {
        let [host, key] = self.good();
        self.send(first, &[&host, &key, "user-agent: Test/1.0"], body)
    }

    /// The lines that every request needs.
    pub fn good(&self) -> [String; 2] {
        [format!("host: 127.0.0.1:{}", self.port), format!("authorization: Bearer {TOKEN}")]
    }
}

impl Drop for Parent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The status and the head of a response; the stream is then at its body.
pub fn head(stream: &mut BufReader<TcpStream>) -> (u16, String) {
    let mut text = String::new();
    while !text.ends_with("\r\n\r\n") {
        assert!(stream.read_line(&mut text).unwrap() > 0, "the connection ended: {text}");
    }
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    (status, text.to_lowercase())
}

/// The status, the head and the JSON of a response.
pub fn response(stream: TcpStream) -> (u16, String, Value) {
    let mut stream = BufReader::new(stream);
    let (status, head) = head(&mut stream);
    let mut body = String::new();
    stream.read_to_string(&mut body).unwrap();
    (status, head, serde_json::from_str(&body).unwrap_or(Value::Null))
}
