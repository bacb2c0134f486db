//! The program alone: its replies on the pipe, and when it ends.

use std::io::Write;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use oriel_core::WorkerCommand;
use oriel_core::frame::{exactly, read_head, write_head};
use oriel_wire::RemoteError;
use oriel_wire::remote::{Fetch, PIECE, Reply, Request};

use crate::server::Fault;
use crate::setup::Setup;

fn start(command: &WorkerCommand) -> (Child, ChildStdin, ChildStdout) {
    let mut child = Command::new(&command.program)
        .args(&command.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, stdin, stdout)
}

fn ask(stdin: &mut ChildStdin, setup: &Setup, from: u64, etag: Option<&str>) {
    let fetch = Fetch {
        url: setup.files[0].url.clone(),
        from,
        etag: etag.map(str::to_owned),
        size: setup.files[0].size,
        silence: 60,
    };
    write_head(stdin, &Request::Fetch(fetch)).unwrap();
    stdin.flush().unwrap();
}

/// Everything up to the last reply to a request.
fn answer(stdout: &mut ChildStdout) -> (Reply, Vec<u8>, Reply) {
    let start = read_head(stdout).unwrap().unwrap();
    let mut bytes = Vec::new();
    loop {
        match read_head(stdout).unwrap().unwrap() {
            Reply::Bytes { length } => {
                assert!(length <= PIECE);
                bytes.extend(exactly(stdout, u64::from(length)).unwrap());
            }
            last => return (start, bytes, last),
        }
    }
}

#[test]
fn it_answers_one_request_after_the_other() {
    let setup = Setup::new(500_000);
    let (mut child, mut stdin, mut stdout) = start(&setup.server.remote(&[]));
    let etag = || Some("\"one\"".to_owned());
    ask(&mut stdin, &setup, 0, None);
    let (first, bytes, last) = answer(&mut stdout);
    assert_eq!(first, Reply::Start { from: 0, etag: etag(), total: 500_000 });
    assert!(bytes == setup.content);
    assert_eq!(last, Reply::End);
    ask(&mut stdin, &setup, 499_000, Some("\"one\""));
    let (first, bytes, _) = answer(&mut stdout);
    assert_eq!(first, Reply::Start { from: 499_000, etag: etag(), total: 500_000 });
    assert!(bytes == setup.content[499_000..]);
    // A weak tag is not sent, and a part of another file is not used.
    ask(&mut stdin, &setup, 499_000, Some("W/\"zero\""));
    let (first, bytes, _) = answer(&mut stdout);
    assert_eq!(first, Reply::Start { from: 0, etag: etag(), total: 500_000 });
    assert!(bytes == setup.content);
    assert!(!setup.server.state().requests[2].to_lowercase().contains("if-range"));
    setup.server.state().faults = [Fault::Status(404)].into();
    ask(&mut stdin, &setup, 0, None);
    let failed = Reply::Failed(RemoteError::Status { host: "127.0.0.1".into(), status: 404 });
    assert_eq!(read_head::<Reply>(&mut stdout).unwrap(), Some(failed));
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn it_ends_at_once_when_its_pipe_closes() {
    let setup = Setup::new(500_000);
    for is_busy in [false, true] {
        let (mut child, mut stdin, mut stdout) = start(&setup.server.remote(&[]));
        if is_busy {
            setup.server.state().faults = [Fault::Stall(1_000)].into();
            ask(&mut stdin, &setup, 0, None);
            assert!(matches!(read_head(&mut stdout).unwrap(), Some(Reply::Start { .. })));
        }
        let begun = Instant::now();
        drop(stdin);
        child.wait().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}
