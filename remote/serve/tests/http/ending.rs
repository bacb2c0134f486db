//! How requests and the program end.

use std::io::BufReader;
use std::net::TcpListener;
use std::time::Instant;

use oriel_wire::serve::FromServer;
use serde_json::json;

use crate::setup::{Parent, SOON, head, response, start};

fn chat(parent: &Parent, stream: bool) -> std::net::TcpStream {
    let messages = json!([{ "role": "user", "content": "Why?" }]);
    let body = json!({ "model": "oriel", "stream": stream, "messages": messages });
    parent.request("POST /v1/chat/completions", &body.to_string())
}

#[test]
fn an_answer_is_cancelled_when_its_client_goes_away() {
    let mut parent = Parent::new();
    for streams in [false, true] {
        let mut client = BufReader::new(chat(&parent, streams));
        let number = parent.asked().0;
        if streams {
            parent.draft(number, "It");
            head(&mut client);
        }
        let left = Instant::now();
        drop(client);
        assert_eq!(parent.frames.recv_timeout(SOON).unwrap().0, FromServer::Cancel { number });
        assert!(left.elapsed().as_secs() < 1, "{:?}", left.elapsed());
    }
}

#[test]
fn more_than_eight_requests_at_once_are_told_to_wait() {
    let parent = Parent::new();
    let mut clients: Vec<_> = (0..8).map(|_| (chat(&parent, false), parent.asked().0)).collect();
    let (status, lines, body) = response(chat(&parent, false));
    assert_eq!((status, &body["error"]["code"]), (503, &json!("busy")));
    assert!(lines.contains("retry-after: 1"), "{lines}");
    let (client, number) = clients.remove(3);
    drop(client);
    assert_eq!(parent.frames.recv_timeout(SOON).unwrap().0, FromServer::Cancel { number });
    let _client = chat(&parent, false);
    parent.asked();
}

#[test]
fn it_ends_with_the_pipe_and_says_so_to_who_waits() {
    let mut parent = Parent::new();
    let client = chat(&parent, false);
    parent.asked();
    let closed = Instant::now();
    drop(parent.stdin.take());
    let (status, _, body) = response(client);
    assert_eq!((status, &body["error"]["code"]), (503, &json!("closing")));
    assert!(parent.child.wait().unwrap().success());
    assert!(closed.elapsed() < SOON, "{:?}", closed.elapsed());
}

#[test]
fn a_port_that_is_taken_is_said() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let (mut parent, first) = start(taken.local_addr().unwrap().port());
    assert!(matches!(first, FromServer::NotListening { is_taken: true, .. }), "{first:?}");
    assert!(parent.child.wait().unwrap().success());
}

/// Its use of files and sockets once it listens; see also the tests of `oriel-sandbox`.
#[cfg(target_os = "linux")]
#[test]
fn it_is_confined_while_it_serves() {
    let parent = Parent::new();
    let status = std::fs::read_to_string(format!("/proc/{}/status", parent.child.id())).unwrap();
    let seccomp = status.lines().find(|line| line.starts_with("Seccomp:")).unwrap();
    assert!(seccomp.ends_with('2'), "{seccomp}");
}
