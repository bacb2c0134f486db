//! The protocol between Oriel and `oriel-generator`: one JSON object per line.
//!
//! Each side limits what it reads, because neither trusts the other.

use std::io::{self, BufRead, Read, Write};

use oriel_core::{Finish, Notice, Refusal, TextForm};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The program that runs llama.cpp. Its builds for other processors are called `oriel-generator-…`.
pub const GENERATOR: &str = "oriel-generator";

/// The argument that prints the free bytes of the graphics card with the most free memory, instead of serving.
pub const CARDS: &str = "cards";

/// The version of both sides. The program may be newer than its parent, if Oriel was updated while it ran.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Maximum bytes of a line.
const MAX_LINE: u64 = 16 << 20;

/// Messages from parent to worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The first message, sent once.
    Load {
        /// [`VERSION`] of the parent.
        version: String,
        path: String,
        adapter: Option<String>,
        /// Processor threads for the prompt.
        threads: usize,
        /// Whether it uses the CPU even if there is a usable graphics card.
        cpu: bool,
        /// Maximum number of tokens of prompt and answer, up to the model's own limit.
        context_length: usize,
        /// Repetition penalty; 1 is off.
        repeat_penalty: f32,
    },
    /// Count the tokens of a prompt.
    Count {
        /// The system prompt.
        system: String,
        /// The user prompt.
        user: String,
    },
    /// Generate an answer.
    Generate {
        /// The number for [`Ask::Cancel`].
        number: u64,
        /// The system prompt.
        system: String,
        /// The user prompt.
        user: String,
        /// What may be written.
        form: TextForm,
        /// Maximum number of tokens to write.
        max_tokens: usize,
        /// The refusal if the adapter is active; `None` turns the adapter off.
        refusal: Option<Refusal>,
    },
    /// Stop the generation. It may have ended already.
    Cancel {
        /// The number of the generation.
        number: u64,
    },
}

/// Messages from worker to parent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The model is loaded.
    Loaded {
        /// Maximum number of tokens of prompt and answer together.
        context_length: usize,
        /// The device: `CPU`, or the graphics card's name.
        device: String,
        /// Why the model's own chat template is not used.
        notice: Option<String>,
    },
    /// The answer to [`Ask::Count`].
    Count { tokens: usize },
    /// A piece of the generated text.
    Piece {
        /// Whole characters.
        text: String,
    },
    /// The text is complete.
    Done {
        prompt_tokens: usize,
        /// Tokens written.
        tokens: usize,
        /// The probability of a refusal.
        refusal: Option<f32>,
        /// The mean logarithm of the probabilities of the tokens before each citation, if it was made with the adapter.
        certainties: Vec<f32>,
        finish: End,
    },
    /// Prompt and answer do not fit into the context.
    TooLong {
        /// Tokens of both.
        tokens: usize,
        /// The maximum.
        limit: usize,
    },
    /// A request failed.
    Failed {
        /// The reason without the file's name, which the parent adds.
        why: Notice,
    },
}

/// [`Finish`] in the protocol.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The model wrote its end token.
    Stop,
    /// It reached the maximum length.
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
/// If the pipe breaks, or the data is not a frame ([`io::ErrorKind::InvalidData`]).
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
