//! The extractor process: both ends of its pipe.
//!
//! The parent reads the file, so that it hashes exactly the bytes that are extracted, and sends them; this process
//! never opens anything. It gives up files, sockets and other programs before the first byte arrives, see `oriel_sandbox`.
//! Frames are a length, a JSON head and raw bytes; replies are checked.

use std::io::{self, Read, Write};

use oriel_core::frame::{exactly, read_head, write_head};
use oriel_core::{
    About, ByteSpan, Extracted, Failure, Kind, Member, Outline, PageMap, RecognisedPages, Sentence,
};
use oriel_sandbox::Program;
use serde::{Deserialize, Serialize};

use crate::extract::MAX_SIDE;
use crate::{
    Drawing, Limits, Mark, MarkRequest, Picture, marks, pages_as_pdf, read, read_recognised, unlock,
    unsure_words,
};

/// The address space of the extractor process in bytes; a document that needs more fails.
const MEMORY_LIMIT: u64 = 2 << 30;

/// Maximum bytes of the boxes in one reply: far more than a user can view.
const MAX_MARKS_BYTES: u64 = 16 << 20;

/// A request of the parent. The request for marks, the recognised pages or the password follow, if any, and then the
/// file's bytes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Request {
    Read {
        kind: Kind,
        size: u64,
        limits: Limits,
    },
    ReadRecognised {
        kind: Kind,
        recognised: u64,
        size: u64,
        limits: Limits,
    },
    Mark {
        request: u64,
        recognised: u64,
        size: u64,
    },
    Unsure {
        recognised: u64,
    },
    /// Draws a page. If there is a size, the file follows; otherwise it is the file that was opened last.
    Draw {
        kind: Kind,
        page: u32,
        size: Option<u64>,
    },
    Show {
        size: u64,
    },
    Unlock {
        password: u64,
        size: u64,
    },
}

/// A reply of the process. It is followed by text, pages, sentences, structure and members, or by the marks, the pixels
/// or a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Response {
    Read { kind: Kind, text: u64, pages: u64, sentences: u64, structure: u64, members: u64 },
    Marked { marks: u64 },
    Made { size: u64 },
    Drawn { pages: u32, width: u32, height: u32, dpi: u32 },
    Failed(Failure),
}

/// A member of a file, followed by its bytes.
#[derive(Serialize, Deserialize)]
struct MemberHead {
    name: String,
    size: u64,
    failure: Option<Failure>,
}

/// The structure of a text, as JSON.
#[derive(Serialize, Deserialize)]
struct Structure {
    pictures: Vec<u32>,
    outline: Outline,
    about: About,
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The file's text.
    Read(Box<Extracted>),
    /// The marks, not yet checked against the request ([`MarkRequest::admits`]); `None` if the requested text is not
    /// that of the file.
    Marked(Option<Vec<Mark>>),
    /// The PDF without its password, or one that shows the pages of another file.
    Made(Vec<u8>),
    /// A page.
    Drawn(Picture),
}

/// Runs the process: restricts itself, then answers requests until the pipe closes.
///
/// # Errors
/// If the restrictions cannot be set, or the pipe breaks.
pub fn serve(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    oriel_sandbox::enter(Program::Extractor { memory: MEMORY_LIMIT })?;
    let mut drawing = None;
    while let Some(head) = read_head::<Request>(input)? {
        // Another request may need the memory.
        drawing = drawing.filter(|_| matches!(head, Request::Draw { .. }));
        let answered = match head {
            Request::Read { kind, size, limits } => {
                read(kind, &file(input, size)?, &limits).map(|extracted| write_extracted(output, &extracted))
            }
            Request::ReadRecognised { kind, recognised, size, limits } => {
                let recognised: RecognisedPages = serde_json::from_slice(&exactly(input, recognised)?)?;
                let bytes = file(input, size)?;
                read_recognised(kind, &bytes, &recognised, &limits)
                    .map(|extracted| write_extracted(output, &extracted))
            }
            Request::Mark { request, recognised, size } => {
                let request: MarkRequest = serde_json::from_slice(&exactly(input, request)?)?;
                let recognised: RecognisedPages = serde_json::from_slice(&exactly(input, recognised)?)?;
                let bytes = file(input, size)?;
                marks(&bytes, &recognised, &request).map(|marks| write_marks(output, marks.as_deref()))
            }
            Request::Unsure { recognised } => {
                let recognised: RecognisedPages = serde_json::from_slice(&exactly(input, recognised)?)?;
                Ok(write_marks(output, Some(&unsure_words(&recognised))))
            }
            Request::Draw { kind, page, size } => {
                if let Some(size) = size {
                    drawing = Some(Drawing::open(kind, file(input, size)?));
                }
                let opened = drawing.as_mut().ok_or_else(|| io::Error::other("no file to draw"))?;
                let drawn =
                    opened.as_mut().map_err(|failure| failure.clone()).and_then(|file| file.page(page));
                drawn.map(|picture| write_picture(output, &picture))
            }
            Request::Show { size } => {
                pages_as_pdf(file(input, size)?).map(|pages| write_file(output, &pages))
            }
            Request::Unlock { password, size } => {
                let password = exactly(input, password)?;
                let bytes = file(input, size)?;
                unlock(&bytes, &String::from_utf8_lossy(&password)).map(|copy| write_file(output, &copy))
            }
        };
        answered.unwrap_or_else(|failure| write_head(output, &Response::Failed(failure)))?;
        output.flush()?;
    }
    Ok(())
}

/// Reads the bytes of a file without allocating more memory than they need.
fn file(input: &mut impl Read, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(size).map_err(io::Error::other)?).map_err(io::Error::other)?;
    input.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Sends a file to the process for extraction.
///
/// # Errors
/// If the pipe is broken, because the process has died.
pub fn send(output: &mut impl Write, kind: Kind, bytes: &[u8], limits: &Limits) -> io::Result<()> {
    write_head(output, &Request::Read { kind, size: bytes.len() as u64, limits: *limits })?;
    output.write_all(bytes)?;
    output.flush()
}

/// Sends a PDF or image file with its recognised pages to the process for extraction.
///
/// # Errors
/// If the pipe is broken, because the process has died.
pub fn send_recognised(
    output: &mut impl Write,
    kind: Kind,
    bytes: &[u8],
    recognised: &RecognisedPages,
    limits: &Limits,
) -> io::Result<()> {
    let pages = serde_json::to_vec(recognised)?;
    let (recognised, size) = (pages.len() as u64, bytes.len() as u64);
    write_head(output, &Request::ReadRecognised { kind, recognised, size, limits: *limits })?;
    output.write_all(&pages)?;
    output.write_all(bytes)?;
    output.flush()
}

/// Sends a PDF file with its recognised pages to the process to locate the spans of `request` on them. If all pages of
/// the request were recognised, the file may be empty.
///
/// # Errors
/// If the pipe is broken, because the process has died.
pub fn send_marking(
    output: &mut impl Write,
    bytes: &[u8],
    recognised: &RecognisedPages,
    request: &MarkRequest,
) -> io::Result<()> {
    let (request, pages) = (serde_json::to_vec(request)?, serde_json::to_vec(recognised)?);
    let (recognised, size) = (pages.len() as u64, bytes.len() as u64);
    write_head(output, &Request::Mark { request: request.len() as u64, recognised, size })?;
    output.write_all(&request)?;
    output.write_all(&pages)?;
    output.write_all(bytes)?;
    output.flush()
}

/// Sends a PDF file to the process to remove its password.
///
/// # Errors
/// If the pipe is broken, because the process has died.
pub fn send_unlocking(output: &mut impl Write, bytes: &[u8], password: &str) -> io::Result<()> {
    write_head(output, &Request::Unlock { password: password.len() as u64, size: bytes.len() as u64 })?;
    output.write_all(password.as_bytes())?;
    output.write_all(bytes)?;
    output.flush()
}

/// Sends recognised pages to the process to find the words that may be wrong.
///
/// # Errors
/// If the pipe is broken, because the process has died.
pub fn send_unsure(output: &mut impl Write, recognised: &RecognisedPages) -> io::Result<()> {
    let pages = serde_json::to_vec(recognised)?;
    write_head(output, &Request::Unsure { recognised: pages.len() as u64 })?;
    output.write_all(&pages)?;
    output.flush()
}

/// Asks the process to draw a page (from 1) of a PDF or image file; without a file, of the one that was sent last.
///
/// # Errors
/// If the pipe is broken, because the process has died.
pub fn send_drawing(output: &mut impl Write, kind: Kind, file: Option<&[u8]>, page: u32) -> io::Result<()> {
    let size = file.map(|bytes| bytes.len() as u64);
    write_head(output, &Request::Draw { kind, page, size })?;
    output.write_all(file.unwrap_or_default())?;
    output.flush()
}

/// Sends an image file to the process to make a PDF that shows it.
///
/// # Errors
/// If the pipe is broken, because the process has died.
pub fn send_showing(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write_head(output, &Request::Show { size: bytes.len() as u64 })?;
    output.write_all(bytes)?;
    output.flush()
}

/// Receives the result for a file and checks that spans and pages fit the text, and that everything is within `limits`.
///
/// # Errors
/// The outer error if the process died or violated the protocol; the inner one if it could not read the file.
pub fn receive(input: &mut impl Read, limits: &Limits) -> io::Result<Result<Reply, Failure>> {
    let head = read_head::<Response>(input)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    let (kind, text, pages, sentences, structure, members) = match head {
        Response::Failed(failure) => return Ok(Err(failure)),
        Response::Marked { marks } if marks > MAX_MARKS_BYTES => {
            return Err(io::Error::other("a reply beyond the limits"));
        }
        Response::Marked { marks } => {
            return Ok(Ok(Reply::Marked(serde_json::from_slice(&exactly(input, marks)?)?)));
        }
        Response::Made { size } if size > limits.unpacked_bytes => {
            return Err(io::Error::other("a reply beyond the limits"));
        }
        Response::Made { size } => return Ok(Ok(Reply::Made(exactly(input, size)?))),
        Response::Drawn { width, height, .. } if width.max(height) > MAX_SIDE => {
            return Err(io::Error::other("a reply beyond the limits"));
        }
        Response::Drawn { pages, width, height, dpi } => {
            let grey = exactly(input, u64::from(width) * u64::from(height))?;
            return Ok(Ok(Reply::Drawn(Picture { pages, width, height, dpi, grey })));
        }
        Response::Read { kind, text, pages, sentences, structure, members } => {
            (kind, text, pages, sentences, structure, members)
        }
    };
    let most = limits.text_bytes as u64;
    if text > most || pages > most || sentences > most || structure > most {
        return Err(io::Error::other("a reply beyond the limits"));
    }
    let text = String::from_utf8(exactly(input, text)?).map_err(io::Error::other)?;
    let pages = PageMap(numbers(&exactly(input, pages * 4)?));
    let rows = numbers(&exactly(input, sentences * 12)?);
    let sentences = rows
        .chunks_exact(3)
        .map(|row| Sentence { span: ByteSpan::new(row[0], row[1]), page: (row[2] > 0).then_some(row[2]) })
        .collect();
    let Structure { pictures, outline, about } = serde_json::from_slice(&exactly(input, structure)?)?;
    let members = receive_members(input, members, limits)?;
    Ok(Extracted { pages, pictures, outline, about, members, sentences, ..Extracted::new(kind, text) }
        .validated()
        .map(|extracted| Reply::Read(Box::new(extracted))))
}

/// Receives the members of a file, if all of them together are within `limits`.
fn receive_members(input: &mut impl Read, count: u64, limits: &Limits) -> io::Result<Vec<Member>> {
    let mut members = Vec::new();
    let mut left = limits.member_bytes;
    for _ in 0..count {
        let MemberHead { name, size, failure } =
            read_head(input)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
        // An empty member takes memory too.
        let taken = size.saturating_add(name.len() as u64).saturating_add(1);
        left = left.checked_sub(taken).ok_or_else(|| io::Error::other("a reply beyond the limits"))?;
        let bytes = exactly(input, size)?;
        members.push(Member { name, bytes: failure.map_or(Ok(bytes), Err) });
    }
    Ok(members)
}

fn write_extracted(output: &mut impl Write, extracted: &Extracted) -> io::Result<()> {
    let structure = serde_json::to_vec(&Structure {
        pictures: extracted.pictures.clone(),
        outline: extracted.outline.clone(),
        about: extracted.about.clone(),
    })?;
    let head = Response::Read {
        kind: extracted.kind,
        structure: structure.len() as u64,
        text: extracted.text.len() as u64,
        pages: extracted.pages.len() as u64,
        sentences: extracted.sentences.len() as u64,
        members: extracted.members.len() as u64,
    };
    write_head(output, &head)?;
    output.write_all(extracted.text.as_bytes())?;
    let mut bytes = Vec::with_capacity(extracted.pages.len() * 4 + extracted.sentences.len() * 12);
    for start in &extracted.pages.0 {
        bytes.extend_from_slice(&start.to_le_bytes());
    }
    for sentence in &extracted.sentences {
        for value in [sentence.span.start, sentence.span.end, sentence.page.unwrap_or(0)] {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
    }
    output.write_all(&bytes)?;
    output.write_all(&structure)?;
    for Member { name, bytes } in &extracted.members {
        let (bytes, failure) = match bytes {
            Ok(bytes) => (bytes.as_slice(), None),
            Err(failure) => (&[][..], Some(failure.clone())),
        };
        write_head(output, &MemberHead { name: name.clone(), size: bytes.len() as u64, failure })?;
        output.write_all(bytes)?;
    }
    Ok(())
}

fn write_marks(output: &mut impl Write, marks: Option<&[Mark]>) -> io::Result<()> {
    let json = serde_json::to_vec(&marks)?;
    write_head(output, &Response::Marked { marks: json.len() as u64 })?;
    output.write_all(&json)
}

fn write_file(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write_head(output, &Response::Made { size: bytes.len() as u64 })?;
    output.write_all(bytes)
}

fn write_picture(output: &mut impl Write, picture: &Picture) -> io::Result<()> {
    let &Picture { pages, width, height, dpi, ref grey } = picture;
    write_head(output, &Response::Drawn { pages, width, height, dpi })?;
    output.write_all(grey)
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

#[cfg(test)]
mod tests {
    use oriel_core::{FailureCode, Heading, Notice};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_written_is_received() {
        let extracted = Extracted {
            pages: PageMap(vec![0, 6]),
            pictures: vec![2],
            outline: Outline {
                headings: vec![Heading { span: ByteSpan::new(0, 4), level: 1, end: Some(11) }],
                ..Outline::default()
            },
            about: About { title: Some("Zahlen".into()), ..About::default() },
            sentences: vec![
                Sentence { span: ByteSpan::new(0, 5), page: Some(1) },
                Sentence { span: ByteSpan::new(6, 11), page: None },
            ],
            members: vec![
                Member { name: "a/b.txt".into(), bytes: Ok(b"Drei.".to_vec()) },
                Member {
                    name: "c.txt".into(),
                    bytes: Err(Failure::new(FailureCode::Broken, Notice::NestedTooDeeply)),
                },
            ],
            ..Extracted::new(Kind::Docx, "Eins. Zwei.".into())
        };
        let mut pipe = Vec::new();
        write_extracted(&mut pipe, &extracted).unwrap();
        let received = receive(&mut pipe.as_slice(), &Limits::default()).unwrap().unwrap();
        assert_eq!(received, Reply::Read(Box::new(extracted)));
    }

    fn box_at(page: u32) -> Mark {
        Mark { span: 0, page, left: 0.25, top: 0.1, right: 0.75, bottom: 0.125 }
    }

    /// Reads the marks from the pipe, if there are any.
    fn received(json: &[u8]) -> Option<Vec<Mark>> {
        let mut pipe = Vec::new();
        write_head(&mut pipe, &Response::Marked { marks: json.len() as u64 }).unwrap();
        pipe.extend_from_slice(json);
        match receive(&mut pipe.as_slice(), &Limits::default()) {
            Ok(Ok(Reply::Marked(marks))) => marks,
            _ => None,
        }
    }

    #[test]
    fn marks_are_received_as_they_were_written() {
        for marks in [None, Some(vec![]), Some(vec![box_at(1), box_at(2)])] {
            let mut pipe = Vec::new();
            write_marks(&mut pipe, marks.as_deref()).unwrap();
            let received = receive(&mut pipe.as_slice(), &Limits::default()).unwrap().unwrap();
            assert_eq!(received, Reply::Marked(marks));
        }
    }

    #[test]
    fn marks_that_are_no_numbers_or_beyond_the_limit_do_not_arrive() {
        let json = |left: &str| {
            format!(r#"[{{"span":0,"page":1,"left":{left},"top":0.1,"right":0.7,"bottom":0.2}}]"#)
                .into_bytes()
        };
        assert!(received(&json("0.5")).is_some());
        for left in ["null", "NaN", "\"0\"", "1e999"] {
            assert_eq!(received(&json(left)), None, "{left}");
        }
        let mut pipe = Vec::new();
        write_head(&mut pipe, &Response::Marked { marks: u64::MAX }).unwrap();
        assert!(receive(&mut pipe.as_slice(), &Limits::default()).is_err());
    }

    #[test]
    fn marks_that_were_not_asked_for_are_refused() {
        let pages = PageMap(vec![0, 5, 10]);
        let request = MarkRequest::new("one. two. three.", &pages, &[ByteSpan::new(5, 9)]);
        assert_eq!(request.pages.iter().map(|page| page.page).collect::<Vec<_>>(), [2]);
        let good = box_at(2);
        assert!(request.admits(&[good]));
        let bad = [
            Mark { page: 1, ..good },
            Mark { page: 0, ..good },
            Mark { page: 4, ..good },
            Mark { span: 1, ..good },
            Mark { left: f32::NAN, ..good },
            Mark { bottom: f32::NAN, ..good },
            Mark { right: f32::INFINITY, ..good },
            Mark { left: -0.1, ..good },
            Mark { bottom: 1.1, ..good },
            Mark { left: 0.75, ..good },
        ];
        for mark in bad {
            assert!(!request.admits(&[mark]), "{mark:?}");
        }
        assert!(!request.admits(&[good; 5]), "more boxes than bytes");
    }

    #[test]
    fn a_text_beyond_the_limit_is_not_read_into_memory() {
        let mut pipe = Vec::new();
        write_head(
            &mut pipe,
            &Response::Read {
                kind: Kind::Text,
                text: u64::MAX,
                pages: 0,
                sentences: 0,
                structure: 0,
                members: 0,
            },
        )
        .unwrap();
        assert!(receive(&mut pipe.as_slice(), &Limits::default()).is_err());
    }

    proptest! {
        #[test]
        fn garbage_on_the_pipe_is_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = receive(&mut bytes.as_slice(), &Limits::default());
        }
    }
}
