//! The protocol between Oriel and `oriel-serve`, in the framing of [`oriel_core::frame`].
//!
//! The parent sends [`ToServer::Listen`]; the program answers [`FromServer::Listening`] or why it cannot listen. From
//! then on both sides send at any time. Each [`FromServer::Asked`] has a number. Unless it is cancelled, it gets any
//! number of [`ToServer::Draft`] and then one of the other messages, with the same number. A closed pipe ends the
//! program.

use std::io::{self, Read, Write};

use oriel_core::frame::{exactly, read_head, write_head};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The program that answers requests on the loopback.
pub const SERVE: &str = "oriel-serve";

/// The name of the chat model for other programs; it answers from the documents.
pub const CHAT_MODEL: &str = "oriel";

/// Maximum number of texts in a request for vectors.
pub const MAX_TEXTS: usize = 2_048;

/// Maximum characters of a question.
pub const MAX_QUESTION_CHARS: usize = 16_000;

/// Maximum bytes after the head of a request: a body of 1 MiB, encoded again.
const MAX_ASKED_BYTES: u32 = 4 << 20;

/// Maximum bytes after the head of an answer.
const MAX_ANSWER_BYTES: u32 = 64 << 20;

/// Messages of the parent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToServer {
    /// The first frame: listen on the loopback.
    Listen {
        /// The port; 0 for any free one.
        port: u16,
        /// The key that requests must have. It is sent in this frame because other users can read arguments and
        /// environment.
        token: String,
    },
    /// A piece of an answer that is not checked yet; its text follows.
    Draft {
        number: u64,
        /// Bytes that follow.
        length: u32,
    },
    /// The answer to a request. JSON follows: [`Models`] or [`ChatAnswer`].
    Answered {
        number: u64,
        /// Bytes that follow.
        length: u32,
    },
    /// The answer to a request for vectors. Their numbers follow as `f32` in little endian.
    Vectors {
        number: u64,
        /// The length of each vector.
        dimensions: u32,
        /// Tokens of all texts.
        tokens: u64,
        /// Bytes that follow.
        length: u32,
    },
    /// A request failed.
    Failed {
        number: u64,
        kind: FailureKind,
        /// What is wrong and what to do, in one line.
        message: String,
    },
}

impl ToServer {
    /// The number of bytes that follow the head.
    fn length(&self) -> u32 {
        match *self {
            Self::Listen { .. } | Self::Failed { .. } => 0,
            Self::Draft { length, .. } | Self::Answered { length, .. } | Self::Vectors { length, .. } => {
                length
            }
        }
    }
}

/// The kind of a request's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The request is invalid.
    Invalid,
    /// There is no such model.
    NoModel,
    /// The request cannot be answered at the moment.
    Unavailable,
    /// An error occurred.
    Failed,
}

/// Messages of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromServer {
    Listening {
        port: u16,
    },
    /// It cannot listen, and ends.
    NotListening {
        /// Whether another program uses the port.
        is_taken: bool,
        /// The system's error.
        reason: String,
    },
    /// A request. Its JSON follows: [`Asked`].
    Asked {
        /// The unique number of the request.
        number: u64,
        /// The name that the other program gives itself; may be empty.
        program: String,
        /// Bytes that follow.
        length: u32,
    },
    /// The client no longer waits for this request.
    Cancel {
        number: u64,
    },
}

impl FromServer {
    fn length(&self) -> u32 {
        match *self {
            Self::Asked { length, .. } => length,
            _ => 0,
        }
    }
}

/// A request of another program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// List the models.
    Models,
    /// Answer a question.
    Chat {
        /// The questions of the conversation, oldest first; the last one is to be answered. Never empty.
        questions: Vec<String>,
    },
    /// Embed texts.
    Embeddings {
        /// The embedder's id.
        model: String,
        /// At most [`MAX_TEXTS`].
        texts: Vec<String>,
        /// Whether the texts are queries rather than passages.
        are_queries: bool,
    },
}

/// The available models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Models {
    /// The model for the answers of [`CHAT_MODEL`]: a generator's id, or `quotes`.
    pub generator: String,
    /// The id of the embedder that made the library's vectors; `None` if it is not installed.
    pub embedder: Option<String>,
}

/// An answer from the documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatAnswer {
    /// The checked answer with citations such as `[1]`, followed by the sentences that no passage supports.
    pub text: String,
    /// The cited passages with number `n`, `title` and `url`; see docs/serve.md.
    pub citations: Vec<Value>,
    /// Further fields of the response.
    pub details: Map<String, Value>,
    pub prompt_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
}

/// Sends a frame with the bytes that its head announces.
///
/// # Errors
/// If the pipe is broken.
pub fn write_frame(output: &mut impl Write, head: &impl Serialize, bytes: &[u8]) -> io::Result<()> {
    write_head(output, head)?;
    output.write_all(bytes)?;
    output.flush()
}

/// The next frame of the parent, or `None` if it closed the pipe.
///
/// # Errors
/// If the pipe breaks inside a frame, or the data is not a frame.
pub fn read_from_parent(input: &mut impl Read) -> io::Result<Option<(ToServer, Vec<u8>)>> {
    let Some(head) = read_head::<ToServer>(input)? else { return Ok(None) };
    let bytes = bounded(input, head.length(), MAX_ANSWER_BYTES)?;
    Ok(Some((head, bytes)))
}

/// The next frame of the program, or `None` if it has ended.
///
/// # Errors
/// If the pipe breaks inside a frame, or the data is not a frame.
pub fn read_from_server(input: &mut impl Read) -> io::Result<Option<(FromServer, Vec<u8>)>> {
    let Some(head) = read_head::<FromServer>(input)? else { return Ok(None) };
    let bytes = bounded(input, head.length(), MAX_ASKED_BYTES)?;
    Ok(Some((head, bytes)))
}

fn bounded(input: &mut impl Read, length: u32, most: u32) -> io::Result<Vec<u8>> {
    if length > most {
        return Err(io::Error::other("a frame is longer than it may be"));
    }
    exactly(input, u64::from(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_comes_back_and_one_that_is_too_long_is_refused() {
        let mut pipe = Vec::new();
        let draft = ToServer::Draft { number: 7, length: 3 };
        write_frame(&mut pipe, &draft, b"abc").unwrap();
        let listening = FromServer::Listening { port: 1 };
        write_frame(&mut pipe, &listening, b"").unwrap();
        let mut input = pipe.as_slice();
        assert_eq!(read_from_parent(&mut input).unwrap(), Some((draft, b"abc".to_vec())));
        assert_eq!(read_from_server(&mut input).unwrap(), Some((listening, Vec::new())));
        assert!(read_from_server(&mut input).unwrap().is_none());
        let long = FromServer::Asked { number: 1, program: String::new(), length: MAX_ASKED_BYTES + 1 };
        let mut pipe = Vec::new();
        write_head(&mut pipe, &long).unwrap();
        assert!(read_from_server(&mut pipe.as_slice()).is_err());
    }
}
