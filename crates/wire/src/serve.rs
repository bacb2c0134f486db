//! The protocol between Oriel and `oriel-serve`, in the framing of [`oriel_core::frame`].
//!
//! The parent says [`ToServer::Listen`], and the program answers [`FromServer::Listening`] or why it cannot. From then
//! on both sides speak at any time: each [`FromServer::Asked`] has a number, and gets any number of
//! [`ToServer::Draft`] and one of the others with it, unless it is cancelled. A closed pipe ends the program.

use std::io::{self, Read, Write};

use oriel_core::frame::{exactly, read_head, write_head};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The program that answers requests on the loopback.
pub const SERVE: &str = "oriel-serve";

/// The chat model that other programs ask: answers from the documents.
pub const CHAT_MODEL: &str = "oriel";

/// Most texts of one request for vectors.
pub const MAX_TEXTS: usize = 2_048;

/// Most characters of a question.
pub const MAX_QUESTION_CHARS: usize = 16_000;

/// Most bytes after the head of a request: a body of 1 MiB, written anew.
const MAX_ASKED_BYTES: u32 = 4 << 20;

/// Most bytes after the head of an answer.
const MAX_ANSWER_BYTES: u32 = 64 << 20;

/// What the parent says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToServer {
    /// The first frame: listen on the loopback.
    Listen {
        /// The port; 0 for any that is free.
        port: u16,
        /// What a request must know. Only this frame has it: arguments and environment can be read by others.
        token: String,
    },
    /// A piece of an answer that is not checked yet. Its text follows.
    Draft {
        /// The request.
        number: u64,
        /// Bytes that follow.
        length: u32,
    },
    /// The request is answered. JSON follows: [`Models`] or [`ChatAnswer`].
    Answered {
        /// The request.
        number: u64,
        /// Bytes that follow.
        length: u32,
    },
    /// A request for vectors is answered. Their numbers follow, `f32` in little endian.
    Vectors {
        /// The request.
        number: u64,
        /// The length of each vector.
        dimensions: u32,
        /// Tokens of all texts.
        tokens: u64,
        /// Bytes that follow.
        length: u32,
    },
    /// The request is not answered.
    Failed {
        /// The request.
        number: u64,
        /// What kind of failure it is.
        kind: FailureKind,
        /// What is wrong and what to do, in one line.
        message: String,
    },
}

impl ToServer {
    /// How many bytes follow the head.
    fn length(&self) -> u32 {
        match *self {
            Self::Listen { .. } | Self::Failed { .. } => 0,
            Self::Draft { length, .. } | Self::Answered { length, .. } | Self::Vectors { length, .. } => {
                length
            }
        }
    }
}

/// What kind of failure a request met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The request cannot be answered as it is.
    Invalid,
    /// There is no such model.
    NoModel,
    /// It cannot be answered now.
    Unavailable,
    /// Something failed.
    Failed,
}

/// What the program says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromServer {
    /// It listens.
    Listening {
        /// The port.
        port: u16,
    },
    /// It cannot listen, and ends.
    NotListening {
        /// Whether another program has the port.
        is_taken: bool,
        /// What the system says.
        reason: String,
    },
    /// A request. Its JSON follows: [`Asked`].
    Asked {
        /// Its number, which no other has.
        number: u64,
        /// What the other program calls itself; empty if it does not say.
        program: String,
        /// Bytes that follow.
        length: u32,
    },
    /// Nobody waits for this request any more.
    Cancel {
        /// The request.
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

/// What another program asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Which models there are.
    Models,
    /// The answer to a question.
    Chat {
        /// The questions of the conversation, oldest first; the last one is asked. Never empty.
        questions: Vec<String>,
    },
    /// The vectors of texts.
    Embeddings {
        /// The embedder's id.
        model: String,
        /// At most [`MAX_TEXTS`].
        texts: Vec<String>,
        /// Whether they are questions, not texts that are searched.
        are_queries: bool,
    },
}

/// The models that answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Models {
    /// What writes the answers of [`CHAT_MODEL`]: a generator's id, or `quotes`.
    pub generator: String,
    /// The id of the embedder that made the library's vectors; `None` if it is not here.
    pub embedder: Option<String>,
}

/// An answer from the documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatAnswer {
    /// The checked answer with citations such as `[1]`, and below it what no passage supports.
    pub text: String,
    /// The cited passages with number `n`, `title` and `url`; see docs/serve.md.
    pub citations: Vec<Value>,
    /// More about the answer, which stands beside the citations.
    pub details: Map<String, Value>,
    /// Tokens that the generator read.
    pub prompt_tokens: u64,
    /// Tokens that it wrote.
    pub completion_tokens: u64,
}

/// Sends a frame; `bytes` are what its head announces.
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
/// If the pipe breaks inside a frame, or the data is no frame.
pub fn read_from_parent(input: &mut impl Read) -> io::Result<Option<(ToServer, Vec<u8>)>> {
    let Some(head) = read_head::<ToServer>(input)? else { return Ok(None) };
    let bytes = bounded(input, head.length(), MAX_ANSWER_BYTES)?;
    Ok(Some((head, bytes)))
}

/// The next frame of the program, or `None` if it has ended.
///
/// # Errors
/// If the pipe breaks inside a frame, or the data is no frame.
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
