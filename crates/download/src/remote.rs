//! The network process, seen from its parent: where it is, how it starts, what it says.
//!
//! Dropping the handle ends the process; it also ends when its parent dies.

use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use oriel_core::frame::{exactly, read_head, write_head};
use oriel_core::{CancelToken, Cancelled, WorkerCommand};

use crate::DownloadError;
use crate::wire::{Fetch, FetchError, PIECE, Reply, Request};

/// How often to check for cancellation while nothing arrives.
const LOOK: Duration = Duration::from_millis(100);

/// The program's name, without `.exe`.
const PROGRAM: &str = "oriel-remote";

/// How to start `oriel-remote`: it is beside this program, or where a checkout builds it.
///
/// # Errors
/// [`DownloadError::NoRemote`] if it is in neither place.
pub fn remote_command() -> Result<WorkerCommand, DownloadError> {
    let own = std::env::current_exe().unwrap_or_default();
    let found = places(&own).into_iter().find(|path| path.is_file());
    let found = found.ok_or_else(|| DownloadError::NoRemote { program: PROGRAM.into() })?;
    Ok(WorkerCommand::new(found, [""; 0]))
}

/// Where the program may be, the best place first.
fn places(own: &Path) -> Vec<PathBuf> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    // A debug build can use the release program and vice versa.
    let builds = if cfg!(debug_assertions) { ["debug", "release"] } else { ["release", "debug"] };
    let mut places: Vec<PathBuf> = own.parent().map(|folder| folder.join(&name)).into_iter().collect();
    for ancestor in own.ancestors().skip(1).take(4) {
        for target in ["remote", "remote/target"] {
            places.extend(builds.map(|build| ancestor.join(target).join(build).join(&name)));
        }
    }
    places
}

/// An event from the process.
#[derive(Debug)]
pub(crate) enum Event {
    Start { from: u64, etag: Option<String>, total: u64 },
    Bytes(Vec<u8>),
    End,
    Failed(FetchError),
}

/// The running process.
pub(crate) struct Remote {
    child: Child,
    stdin: ChildStdin,
    events: Receiver<io::Result<Event>>,
}

impl Remote {
    /// Starts it. On Linux it dies with the thread that starts it.
    pub(crate) fn start(command: &WorkerCommand) -> io::Result<Self> {
        let mut child = command.command().stderr(Stdio::inherit()).spawn()?;
        let piped = || io::Error::other("a pipe is missing");
        let stdin = child.stdin.take().ok_or_else(piped)?;
        let stdout = child.stdout.take().ok_or_else(piped)?;
        // At most one event waits: queued events are lost when this process is killed.
        let (sender, events) = sync_channel(1);
        std::thread::Builder::new()
            .name("download".into())
            .spawn(move || read_events(&mut BufReader::new(stdout), &sender))?;
        Ok(Self { child, stdin, events })
    }

    /// Requests a file.
    pub(crate) fn ask(&mut self, fetch: Fetch) -> io::Result<()> {
        write_head(&mut self.stdin, &Request::Fetch(fetch))?;
        self.stdin.flush()
    }

    /// Its next reply; the inner error if it died or violated the protocol.
    pub(crate) fn next(&mut self, cancel: &CancelToken) -> Result<io::Result<Event>, Cancelled> {
        loop {
            cancel.check()?;
            match self.events.recv_timeout(LOOK) {
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Err(io::Error::other("it has ended"))),
            }
        }
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads events until the process ends, violates the protocol, or nobody listens.
fn read_events(input: &mut impl io::Read, sender: &SyncSender<io::Result<Event>>) {
    while let Some(event) = read_event(input).transpose() {
        let is_broken = event.is_err();
        if sender.send(event).is_err() || is_broken {
            break;
        }
    }
}

fn read_event(input: &mut impl io::Read) -> io::Result<Option<Event>> {
    let Some(reply) = read_head::<Reply>(input)? else { return Ok(None) };
    Ok(Some(match reply {
        Reply::Start { from, etag, total } => Event::Start { from, etag, total },
        Reply::Bytes { length } if length > PIECE => {
            return Err(io::Error::other("it sends more than it may"));
        }
        Reply::Bytes { length } => Event::Bytes(exactly(input, u64::from(length))?),
        Reply::End => Event::End,
        Reply::Failed(cause) => Event::Failed(cause),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_beside_the_program_and_in_a_checkout() {
        let root = tempfile::tempdir().unwrap();
        let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
        let own = root.path().join("target/debug/deps/test");
        let found = || places(&own).into_iter().find(|path| path.is_file());
        assert_eq!(found(), None);
        for place in ["remote/target/debug", "target/remote/debug", "target/debug/deps"] {
            let folder = root.path().join(place);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(&name), "").unwrap();
            assert_eq!(found(), Some(folder.join(&name)), "the better place is taken");
        }
    }

    #[test]
    fn what_the_process_must_not_say_is_an_error() {
        let mut pipe = Vec::new();
        write_head(&mut pipe, &Reply::Bytes { length: PIECE + 1 }).unwrap();
        assert!(read_event(&mut pipe.as_slice()).is_err());
        let mut pipe = Vec::new();
        write_head(&mut pipe, &Reply::Bytes { length: 9 }).unwrap();
        pipe.extend_from_slice(b"short");
        assert!(read_event(&mut pipe.as_slice()).is_err());
        assert!(read_event(&mut &b"\x03\0\0\0abc"[..]).is_err());
        assert!(read_event(&mut &b""[..]).unwrap().is_none());
    }
}
