//! A faulty TLS server that counts what it sends.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use oriel_core::WorkerCommand;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

type Stream = StreamOwned<ServerConnection, TcpStream>;

/// What a server does with the next request; after the last one it behaves correctly.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Sends this many bytes and cuts the connection.
    Cut(usize),
    /// Sends this many bytes and then nothing.
    Stall(usize),
    /// Answers with this status.
    Status(u16),
    /// Redirects to this address.
    Redirect(String),
    /// States a wrong length.
    Length(u64),
    /// Sends more than the file, chunked without a length.
    TooMuch,
    /// Names no length, sends this many bytes and ends properly.
    NoLength(usize),
    /// Sends the file from its beginning whatever was requested.
    NoRanges,
    /// Sends another range than the requested one.
    WrongRange,
    /// Sends the rest although the file has changed.
    IgnoresIfRange,
}

/// A server's files, faults and record of requests.
#[derive(Default)]
pub struct State {
    /// The file, under every path except those of `others`.
    pub body: Vec<u8>,
    /// Files under their own paths.
    pub others: HashMap<String, Vec<u8>>,
    /// Its entity tag.
    pub etag: String,
    /// The faults, one per request.
    pub faults: VecDeque<Fault>,
    /// The pause after each 64 KiB.
    pub pace: Duration,
    /// Bytes of bodies that were sent.
    pub served: u64,
    /// The number of accepted connections.
    pub connections: usize,
    /// The heads of the requests.
    pub requests: Vec<String>,
}

/// A server on the loopback, with its own certificate authority.
pub struct Server {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    authority: PathBuf,
    _folder: TempDir,
}

impl Server {
    /// Serves `body`.
    pub fn start(body: Vec<u8>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let authority = folder.path().join("authority.pem");
        let tls = Arc::new(certified(&authority));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State { body, etag: "\"one\"".into(), ..State::default() }));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (tls, state) = (Arc::clone(&tls), Arc::clone(&shared));
                std::thread::spawn(move || {
                    // A client that disconnects is not an error of the server.
                    let _ = serve(stream, tls, &state);
                });
            }
        });
        Self { address, state, authority, _folder: folder }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// The address of a file.
    pub fn url(&self, name: &str) -> String {
        format!("https://{}/{name}", self.address)
    }

    /// The program, with a trust store for only this server, and with variables of its environment.
    pub fn remote(&self, variables: &[&str]) -> WorkerCommand {
        let trusts = format!("SSL_CERT_FILE={}", self.authority.display());
        remote(&[&[trusts.as_str()], variables].concat())
    }

    /// Running programs that trust this server.
    pub fn programs(&self) -> usize {
        let authority = self.authority.to_str().unwrap();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let is_ours = |path: &Path| {
            let is_program =
                std::fs::read_link(path.join("exe")).is_ok_and(|exe| exe.ends_with("oriel-remote"));
            let environment = std::fs::read(path.join("environ")).unwrap_or_default();
            is_program && String::from_utf8_lossy(&environment).contains(authority)
        };
        processes.filter(|process| is_ours(&process.path())).count()
    }
}

/// The program with only these variables in its environment.
pub fn remote(variables: &[&str]) -> WorkerCommand {
    let arguments = ["-i"].iter().chain(variables).chain([&env!("CARGO_BIN_EXE_oriel-remote")]);
    WorkerCommand::new("env", arguments)
}

/// Creates an authority and a certificate by it for the loopback; writes the authority's certificate to a file.
fn certified(authority: &Path) -> ServerConfig {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let root = params.self_signed(&key).unwrap();
    std::fs::write(authority, root.pem()).unwrap();
    let issuer = Issuer::new(params, key);
    let own = KeyPair::generate().unwrap();
    let names = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
    let certificate = CertificateParams::new(names).unwrap().signed_by(&own, &issuer).unwrap();
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate.der().clone()],
            PrivateKeyDer::try_from(own.serialize_der()).unwrap(),
        )
        .unwrap()
}

/// Answers requests on one connection.
fn serve(stream: TcpStream, tls: Arc<ServerConfig>, state: &Mutex<State>) -> std::io::Result<()> {
    state.lock().unwrap().connections += 1;
    // Data in the kernel's buffer counts as sent, and is lost when the client is killed.
    rustix::net::sockopt::set_socket_send_buffer_size(&stream, 32 << 10)?;
    stream.set_nodelay(true)?;
    let connection = ServerConnection::new(tls).map_err(std::io::Error::other)?;
    let mut stream = BufReader::new(StreamOwned::new(connection, stream));
    while let Some(head) = read_head(&mut stream)? {
        let (fault, body, etag, pace) = {
            let mut state = state.lock().unwrap();
            state.requests.push(head.clone());
            let path = head.split(' ').nth(1).unwrap_or_default();
            let body = state.others.get(path).unwrap_or(&state.body).clone();
            (state.faults.pop_front(), body, state.etag.clone(), state.pace)
        };
        let from = ranged(&head, &etag, fault.as_ref());
        let stream = stream.get_mut();
        match fault {
            Some(Fault::Status(status)) => {
                write!(stream, "HTTP/1.1 {status} Fault\r\nContent-Length: 0\r\n\r\n")?;
                stream.flush()?;
                continue;
            }
            Some(Fault::Redirect(to)) => {
                write!(stream, "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")?;
                stream.flush()?;
                continue;
            }
            Some(Fault::NoLength(bytes)) => {
                write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
                send(stream, &body[..bytes], pace, state)?;
                stream.conn.send_close_notify();
                return stream.flush();
            }
            Some(Fault::TooMuch) => {
                write!(stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
                let more = [body.as_slice(), b"more"].concat();
                write!(stream, "{:x}\r\n", more.len())?;
                stream.write_all(&more)?;
                write!(stream, "\r\n0\r\n\r\n")?;
                stream.flush()?;
                continue;
            }
            _ => {}
        }
        let total = if let Some(Fault::Length(length)) = fault { length } else { body.len() as u64 };
        let mut answer = String::new();
        match from {
            Some(from) => {
                let named = if matches!(fault, Some(Fault::WrongRange)) { from - 1 } else { from };
                let last = total - 1;
                write!(
                    answer,
                    "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {named}-{last}/{total}\r\n"
                )
                .unwrap();
            }
            None => answer.push_str("HTTP/1.1 200 OK\r\n"),
        }
        let from = from.unwrap_or_default();
        write!(answer, "ETag: {etag}\r\nContent-Length: {}\r\n\r\n", total - from as u64).unwrap();
        stream.write_all(answer.as_bytes())?;
        let rest = &body[from..];
        match fault {
            Some(Fault::Cut(after)) => {
                send(stream, &rest[..after.min(rest.len())], pace, state)?;
                return stream.sock.shutdown(Shutdown::Both);
            }
            Some(Fault::Stall(after)) => {
                send(stream, &rest[..after.min(rest.len())], pace, state)?;
                // Until the client disconnects.
                let _ = stream.read(&mut [0]);
                return Ok(());
            }
            _ => send(stream, rest, pace, state)?,
        }
    }
    Ok(())
}

fn read_head(stream: &mut BufReader<Stream>) -> std::io::Result<Option<String>> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Ok(None);
        }
    }
    Ok(Some(head))
}

/// Where the answer begins, if it is partial.
fn ranged(head: &str, etag: &str, fault: Option<&Fault>) -> Option<usize> {
    let value = |name: &str| {
        head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let from = value("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()?;
    let is_same =
        value("if-range").is_none_or(|tag| tag == etag) || matches!(fault, Some(Fault::IgnoresIfRange));
    (is_same && !matches!(fault, Some(Fault::NoRanges))).then_some(from)
}

fn send(stream: &mut Stream, body: &[u8], pace: Duration, state: &Mutex<State>) -> std::io::Result<()> {
    for piece in body.chunks(64 << 10) {
        stream.write_all(piece)?;
        stream.flush()?;
        state.lock().unwrap().served += piece.len() as u64;
        std::thread::park_timeout(pace);
    }
    Ok(())
}
