//! Finds Oriel's other programs, and runs `oriel-remote` from its parent.
//!
//! Dropping the handle ends the process; it also ends when its parent dies.

use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use oriel_core::frame::{exactly, read_head, write_head};
use oriel_core::{CancelToken, Cancelled, WorkerCommand};

use crate::RemoteError;
use crate::index::{Call, CallReply, MAX_JSON, MAX_VECTORS};
use crate::remote::{PIECE, Reply, Request};

/// How often to check for cancellation while no data arrives.
const LOOK: Duration = Duration::from_millis(100);

/// The program that downloads, and sends requests to servers that write answers.
pub const REMOTE: &str = "oriel-remote";
/// The program for remote indexes. Packages contain it; a build from source makes it only on request.
pub const REMOTE_INDEX: &str = "oriel-remote-index";

/// A program of Oriel's is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingProgram(pub String);

/// The command for another program of Oriel's, which must be beside this one; `name` is without `.exe`.
///
/// # Errors
/// If the program does not exist.
pub fn shipped_program(name: &str) -> Result<WorkerCommand, MissingProgram> {
    let own = std::env::current_exe().unwrap_or_default();
    let found = places(name, &own).into_iter().find(|path| path.is_file());
    let found = found.ok_or_else(|| MissingProgram(name.into()))?;
    Ok(WorkerCommand::new(found, [""; 0]))
}

/// Where the program may be, most likely first.
fn places(name: &str, own: &Path) -> Vec<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folder = own.parent().unwrap_or(Path::new(""));
    let mut places = vec![folder.join(&name)];
    // Tests and benches are one folder below the programs.
    if folder.ends_with("deps") {
        places.push(folder.with_file_name(&name));
    }
    places
}

/// Starts a program with pipes to and from it.
///
/// # Errors
/// If the program cannot be started.
pub fn spawn(command: &WorkerCommand) -> io::Result<(Child, ChildStdin, ChildStdout)> {
    let mut child = command.command().stderr(Stdio::inherit()).spawn()?;
    let piped = || io::Error::other("a pipe is missing");
    let stdin = child.stdin.take().ok_or_else(piped)?;
    let stdout = child.stdout.take().ok_or_else(piped)?;
    Ok((child, stdin, stdout))
}

/// The running `oriel-remote`.
pub struct Remote {
    child: Child,
    stdin: ChildStdin,
    replies: Receiver<io::Result<(Reply, Vec<u8>)>>,
}

impl Remote {
    /// Starts it. On Linux it dies with the thread that starts it.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(command: &WorkerCommand) -> io::Result<Self> {
        let (child, stdin, stdout) = spawn(command)?;
        // At most one reply is buffered: buffered replies are lost when this process is killed.
        let (sender, replies) = sync_channel(1);
        std::thread::Builder::new()
            .name(REMOTE.into())
            .spawn(move || read_replies(&mut BufReader::new(stdout), &sender))?;
        Ok(Self { child, stdin, replies })
    }

    /// Sends a request, and the raw bytes that its head announces.
    ///
    /// # Errors
    /// If the process has ended.
    pub fn ask(&mut self, request: &Request, bytes: &[&[u8]]) -> io::Result<()> {
        write_head(&mut self.stdin, request)?;
        bytes.iter().try_for_each(|bytes| self.stdin.write_all(bytes))?;
        self.stdin.flush()
    }

    /// Sends a call to an index with its vectors, and waits for the reply.
    ///
    /// # Errors
    /// [`CallError`]. After a cancellation the reply is still to come, so the process must be dropped.
    pub fn call(
        &mut self,
        call: &Call,
        vectors: &[f32],
        cancel: &CancelToken,
    ) -> Result<CallReply, CallError> {
        let json = serde_json::to_vec(call).map_err(io::Error::from)?;
        let vectors: Vec<u8> = vectors.iter().flat_map(|number| number.to_le_bytes()).collect();
        let length = |bytes: &[u8], most: u32| {
            let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= most);
            length.ok_or_else(|| io::Error::other("a call is too long"))
        };
        let head = Request::Index { json: length(&json, MAX_JSON)?, vectors: length(&vectors, MAX_VECTORS)? };
        self.ask(&head, &[&json, &vectors])?;
        match self.next(cancel)?? {
            (Reply::Index { .. }, json) => Ok(serde_json::from_slice(&json).map_err(io::Error::from)?),
            (Reply::Failed(error), _) => Err(CallError::Failed(error)),
            _ => Err(io::Error::other("it answers what was not asked").into()),
        }
    }

    /// The next reply with its raw bytes; the inner error if the process died or violated the protocol.
    ///
    /// # Errors
    /// If it was cancelled. The process must then be dropped, which ends its work.
    pub fn next(&mut self, cancel: &CancelToken) -> Result<io::Result<(Reply, Vec<u8>)>, Cancelled> {
        loop {
            cancel.check()?;
            match self.replies.recv_timeout(LOOK) {
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Err(io::Error::other("it has ended"))),
            }
        }
    }
}

/// Why a call to an index failed.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The index or the connection failed.
    #[error(transparent)]
    Failed(#[from] RemoteError),
    /// The process ended, or violated the protocol.
    #[error(transparent)]
    Broken(#[from] io::Error),
}

impl Drop for Remote {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads replies until the process ends, violates the protocol, or the receiver is gone.
fn read_replies(input: &mut impl io::Read, sender: &SyncSender<io::Result<(Reply, Vec<u8>)>>) {
    while let Some(reply) = read_reply(input).transpose() {
        let is_broken = reply.is_err();
        if sender.send(reply).is_err() || is_broken {
            break;
        }
    }
}

fn read_reply(input: &mut impl io::Read) -> io::Result<Option<(Reply, Vec<u8>)>> {
    let Some(reply) = read_head::<Reply>(input)? else { return Ok(None) };
    let bytes = match reply {
        Reply::Bytes { length } if length > PIECE => {
            return Err(io::Error::other("it sends more than it may"));
        }
        Reply::Index { json } if json > MAX_JSON => {
            return Err(io::Error::other("it sends more than it may"));
        }
        Reply::Bytes { length } | Reply::Index { json: length } => exactly(input, u64::from(length))?,
        _ => Vec::new(),
    };
    Ok(Some((reply, bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_beside_the_program() {
        let root = tempfile::tempdir().unwrap();
        let name = format!("{REMOTE}{}", std::env::consts::EXE_SUFFIX);
        let own = root.path().join("target/debug/deps/test");
        let found = || places(REMOTE, &own).into_iter().find(|path| path.is_file());
        assert_eq!(found(), None);
        for place in ["target/debug", "target/debug/deps"] {
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
        assert!(read_reply(&mut pipe.as_slice()).is_err());
        let mut pipe = Vec::new();
        write_head(&mut pipe, &Reply::Bytes { length: 9 }).unwrap();
        pipe.extend_from_slice(b"short");
        assert!(read_reply(&mut pipe.as_slice()).is_err());
        assert!(read_reply(&mut &b"\x03\0\0\0abc"[..]).is_err());
        assert!(read_reply(&mut &b""[..]).unwrap().is_none());
    }
}
