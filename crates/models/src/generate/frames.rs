//! The protocol between parent and worker: one JSON object per line.
//!
//! Both sides limit what they read: neither trusts the other.

use std::io::{self, BufRead, Read, Write};

use oriel_core::{Finish, Notice};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Maximum bytes of a line.
const MAX_LINE: u64 = 16 << 20;

/// From parent to worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ask {
    /// The first message, sent once.
    Load { path: String, threads: usize, cpu: bool, context_length: usize, repeat_penalty: f32 },
    /// How many tokens the prompt has.
    Count { system: String, user: String },
    /// Write; `number` is what [`Ask::Cancel`] refers to.
    Generate { number: u64, system: String, user: String, passages: usize, max_tokens: usize },
    /// Stop writing. May arrive late, for a generation that has ended.
    Cancel { number: u64 },
}

/// From worker to parent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reply {
    Loaded {
        context_length: usize,
        /// The device: `CPU`, or the graphics card's name.
        device: String,
        /// Why the model's own chat template is not used.
        notice: Option<String>,
    },
    Count {
        tokens: usize,
    },
    Piece {
        text: String,
    },
    Done {
        prompt_tokens: usize,
        tokens: usize,
        finish: End,
    },
    TooLong {
        tokens: usize,
        limit: usize,
    },
    /// Names no file; the parent adds it.
    Failed {
        why: Notice,
    },
}

/// [`Finish`] on the wire.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum End {
    Stop,
    Length,
    Cancelled,
}

impl From<End> for Finish {
    fn from(end: End) -> Self {
        match end {
            End::Stop => Self::Stop,
            End::Length => Self::Length,
            End::Cancelled => Self::Cancelled,
        }
    }
}

/// Writes a frame and flushes it.
pub(super) fn write(to: &mut dyn Write, frame: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(frame)?;
    if line.len() as u64 >= MAX_LINE {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the text is too long"));
    }
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// Reads a frame; `None` at the end of the stream. Anything else is [`io::ErrorKind::InvalidData`].
pub(super) fn read<T: DeserializeOwned>(from: &mut dyn BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    from.take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    serde_json::from_slice(&line).map(Some).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_and_garbage_is_an_error() {
        let mut wire = Vec::new();
        write(&mut wire, &Reply::Piece { text: "line\nbreak \u{1F989}".into() }).unwrap();
        write(&mut wire, &Reply::Count { tokens: 7 }).unwrap();
        assert_eq!(wire.iter().filter(|byte| **byte == b'\n').count(), 2, "a frame is one line");
        let mut wire = wire.as_slice();
        let first = read::<Reply>(&mut wire).unwrap().unwrap();
        assert!(matches!(first, Reply::Piece { text } if text == "line\nbreak \u{1F989}"));
        assert!(matches!(read::<Reply>(&mut wire).unwrap(), Some(Reply::Count { tokens: 7 })));
        assert!(read::<Reply>(&mut wire).unwrap().is_none());
        for garbage in [&b"{\"piece\":\n"[..], b"\xff\xfe\n", b"hello", b"{\"count\":{\"tokens\":-1}}\n"] {
            assert!(read::<Reply>(&mut &*garbage).is_err());
        }
    }
}
