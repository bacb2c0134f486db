//! The protocol between Oriel and `oriel-generator`: one JSON object per line.
//!
//! Both sides limit what they read: neither trusts the other.

use std::io::{self, BufRead, Read, Write};

use oriel_core::{Finish, Notice, Refusal, TextForm};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The program that runs llama.cpp. It has other builds for other processors, called `oriel-generator-…`.
pub const GENERATOR: &str = "oriel-generator";

/// The program's argument to print the free bytes of the graphics card with the most of them, in place of serving.
pub const CARDS: &str = "cards";

/// The version of both sides. The program may be a newer one than its parent, if Oriel was updated while it ran.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Maximum bytes of a line.
const MAX_LINE: u64 = 16 << 20;

/// From parent to worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The first message, sent once.
    Load {
        /// [`VERSION`] of the parent.
        version: String,
        /// The model's file.
        path: String,
        /// The file of its adapter, if it has one.
        adapter: Option<String>,
        /// Processor threads for the prompt.
        threads: usize,
        /// Whether it stays on the processor even if there is a usable card.
        cpu: bool,
        /// Maximum tokens of prompt and answer, up to the model's trained context.
        context_length: usize,
        /// Repetition penalty; 1 is off.
        repeat_penalty: f32,
    },
    /// How many tokens the prompt has.
    Count {
        /// What the model is to be.
        system: String,
        /// What it is asked.
        user: String,
    },
    /// Write.
    Generate {
        /// What [`Ask::Cancel`] refers to.
        number: u64,
        /// What the model is to be.
        system: String,
        /// What it is asked.
        user: String,
        /// What may be written.
        form: TextForm,
        /// Maximum tokens to write.
        max_tokens: usize,
        /// How it refuses if the adapter takes part; without, it does not.
        refusal: Option<Refusal>,
    },
    /// Stop writing. May arrive late, for a generation that has ended.
    Cancel {
        /// The generation.
        number: u64,
    },
}

/// From worker to parent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The model is loaded.
    Loaded {
        /// Maximum tokens of prompt and answer together.
        context_length: usize,
        /// The device: `CPU`, or the graphics card's name.
        device: String,
        /// Why the model's own chat template is not used.
        notice: Option<String>,
    },
    /// Answers [`Ask::Count`].
    Count {
        /// Tokens of the prompt.
        tokens: usize,
    },
    /// A piece of what the model writes.
    Piece {
        /// Whole characters.
        text: String,
    },
    /// The text has ended.
    Done {
        /// Tokens of the prompt.
        prompt_tokens: usize,
        /// Tokens that were written.
        tokens: usize,
        /// How likely it was to refuse.
        refusal: Option<f32>,
        /// Why it ended.
        finish: End,
    },
    /// Prompt and answer do not fit.
    TooLong {
        /// Tokens of both.
        tokens: usize,
        /// What fits.
        limit: usize,
    },
    /// A request failed.
    Failed {
        /// Names no file; the parent adds it.
        why: Notice,
    },
}

/// [`Finish`] on the wire.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The model ended it.
    Stop,
    /// It is as long as it may be.
    Length,
    /// The parent cancelled it.
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
///
/// # Errors
/// If it is too long ([`io::ErrorKind::InvalidInput`]) or the pipe is broken.
pub fn write(to: &mut dyn Write, frame: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(frame)?;
    if line.len() as u64 >= MAX_LINE {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the text is too long"));
    }
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// Reads a frame; `None` at the end of the stream.
///
/// # Errors
/// If the pipe breaks, or what arrives is no frame ([`io::ErrorKind::InvalidData`]).
pub fn read<T: DeserializeOwned>(from: &mut dyn BufRead) -> io::Result<Option<T>> {
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
