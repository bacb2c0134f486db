//! The parent side of the worker process that extracts text: starts it, sends it files, survives its crashes.
//!
//! A file that takes longer than a minute, or kills its process, is recorded as failed with the reason, and not tried
//! again until it changes. The process is replaced and the next file continues.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, BufWriter};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use oriel_core::{
    CancelToken, Extracted, Failure, FailureCode, Kind, Notice, RecognisedPages, WorkerCommand,
};
use oriel_text::worker::{self, Reply};
use oriel_text::{Limits, Mark, MarkRequest, Picture};
use parking_lot::Mutex;

use crate::error::EngineError;
use crate::library::limits::ExtractorLimits;

/// How often a waiting parent checks for cancellation.
const CANCEL_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Number of files after which a process is replaced, so that leaks in parsers stay small.
const MAX_FILES_PER_PROCESS: usize = 2_000;

type Answer = std::io::Result<Result<Reply, Failure>>;

/// A worker process that extracts text, replaced when it dies. Dropping this ends the process.
pub(crate) struct Extractor {
    command: WorkerCommand,
    limits: ExtractorLimits,
    process: Option<Process>,
}

struct Process {
    child: Child,
    input: BufWriter<ChildStdin>,
    answers: Receiver<Answer>,
    /// The last lines of the process's standard error.
    last_words: Arc<Mutex<VecDeque<String>>>,
    files: usize,
    /// Whether the process has the file whose pages are drawn.
    is_drawing: bool,
}

impl Extractor {
    pub(crate) fn new(command: WorkerCommand, limits: ExtractorLimits) -> Self {
        Self { command, limits, process: None }
    }

    /// Extracts one file, within limits that are no wider than the process's own. The inner error is about the
    /// document, the outer one about the program.
    pub(crate) fn extract(
        &mut self,
        kind: Kind,
        bytes: &[u8],
        limits: &Limits,
        cancel: &CancelToken,
    ) -> Result<Result<Extracted, Failure>, EngineError> {
        self.read(|process| worker::send(&mut process.input, kind, bytes, limits), cancel)
    }

    /// Extracts a PDF or image file with its recognised pages. Errors are those of [`Extractor::extract`].
    pub(crate) fn extract_recognised(
        &mut self,
        kind: Kind,
        bytes: &[u8],
        pages: &RecognisedPages,
        cancel: &CancelToken,
    ) -> Result<Result<Extracted, Failure>, EngineError> {
        let limits = self.limits.text;
        let send =
            |process: &mut Process| worker::send_recognised(&mut process.input, kind, bytes, pages, &limits);
        self.read(send, cancel)
    }

    fn read(
        &mut self,
        send: impl Fn(&mut Process) -> std::io::Result<()>,
        cancel: &CancelToken,
    ) -> Result<Result<Extracted, Failure>, EngineError> {
        let reply = self.ask_again(send, cancel)?;
        Ok(reply.and_then(|reply| match reply {
            Reply::Read(extracted) => Ok(*extracted),
            _ => Err(self.bury()),
        }))
    }

    /// Finds where spans of a text are on its pages; `None` if the text is not that of the file and its recognised
    /// pages. If all pages of the request were recognised, the file is not needed. Errors are those of
    /// [`Extractor::extract`].
    pub(crate) fn mark(
        &mut self,
        bytes: &[u8],
        recognised: &RecognisedPages,
        request: &MarkRequest,
        cancel: &CancelToken,
    ) -> Result<Result<Option<Vec<Mark>>, Failure>, EngineError> {
        let send =
            |process: &mut Process| worker::send_marking(&mut process.input, bytes, recognised, request);
        let reply = self.ask(send, cancel)?;
        Ok(reply.and_then(|reply| match reply {
            Reply::Marked(None) => Ok(None),
            Reply::Marked(Some(marks)) if request.admits(&marks) => Ok(Some(marks)),
            _ => Err(self.bury()),
        }))
    }

    /// Finds the words on recognised pages that may be wrong, each as a mark of span 0. Errors are those of
    /// [`Extractor::extract`].
    pub(crate) fn unsure_words(
        &mut self,
        recognised: &RecognisedPages,
        cancel: &CancelToken,
    ) -> Result<Result<Vec<Mark>, Failure>, EngineError> {
        let reply = self.ask(|process| worker::send_unsure(&mut process.input, recognised), cancel)?;
        let fits = |mark: &Mark| mark.is_on_page() && recognised.contains_key(&mark.page);
        Ok(reply.and_then(|reply| match reply {
            Reply::Marked(Some(marks)) if marks.iter().all(fits) => Ok(marks),
            _ => Err(self.bury()),
        }))
    }

    /// A copy of a PDF without its password. Errors are those of [`Extractor::extract`].
    pub(crate) fn unlock(
        &mut self,
        bytes: &[u8],
        password: &str,
        cancel: &CancelToken,
    ) -> Result<Result<Vec<u8>, Failure>, EngineError> {
        self.make(|process| worker::send_unlocking(&mut process.input, bytes, password), cancel)
    }

    /// A PDF that shows the pages of an image, or of a document of iWork. Errors are those of [`Extractor::extract`].
    pub(crate) fn pages_as_pdf(
        &mut self,
        bytes: &[u8],
        cancel: &CancelToken,
    ) -> Result<Result<Vec<u8>, Failure>, EngineError> {
        self.make(|process| worker::send_showing(&mut process.input, bytes), cancel)
    }

    fn make(
        &mut self,
        send: impl Fn(&mut Process) -> std::io::Result<()>,
        cancel: &CancelToken,
    ) -> Result<Result<Vec<u8>, Failure>, EngineError> {
        let reply = self.ask(send, cancel)?;
        Ok(reply.and_then(|reply| match reply {
            Reply::Made(file) => Ok(file),
            _ => Err(self.bury()),
        }))
    }

    /// Draws the pages of a PDF or image file one by one. Each process gets the file once.
    pub(crate) fn drawing<'a>(&'a mut self, kind: Kind, bytes: &'a [u8]) -> PageDrawing<'a> {
        if let Some(process) = &mut self.process {
            process.is_drawing = false;
        }
        PageDrawing { extractor: self, kind, bytes }
    }

    /// Sends a request and waits for the answer; tries again if the process dies. Earlier files may be the cause, so
    /// only the crash of a new process counts against this file.
    fn ask_again(
        &mut self,
        send: impl Fn(&mut Process) -> std::io::Result<()>,
        cancel: &CancelToken,
    ) -> Result<Result<Reply, Failure>, EngineError> {
        if self.process.as_ref().is_some_and(|process| process.files >= MAX_FILES_PER_PROCESS) {
            self.process = None;
        }
        let used = self.process.is_some();
        match self.ask(&send, cancel)? {
            Err(failure) if used && self.process.is_none() && failure.code != FailureCode::TimedOut => {
                self.ask(&send, cancel)
            }
            reply => Ok(reply),
        }
    }

    /// Sends a request and waits for the answer.
    fn ask(
        &mut self,
        send: impl Fn(&mut Process) -> std::io::Result<()>,
        cancel: &CancelToken,
    ) -> Result<Result<Reply, Failure>, EngineError> {
        let process = match &mut self.process {
            Some(process) => process,
            empty => empty.insert(Process::start(&self.command, self.limits.text)?),
        };
        process.files += 1;
        let begun = Instant::now();
        if send(process).is_err() {
            cancel.check()?;
            return Ok(Err(self.bury()));
        }
        loop {
            match process.answers.recv_timeout(CANCEL_POLL_INTERVAL) {
                Ok(Ok(reply)) => return Ok(reply),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                    cancel.check()?;
                    return Ok(Err(self.bury()));
                }
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    self.process = None;
                    return Err(EngineError::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) if begun.elapsed() > self.limits.time => {
                    self.process = None;
                    let seconds = usize::try_from(self.limits.time.as_secs()).unwrap_or(usize::MAX);
                    let reason = Notice::ReadingTookTooLong { seconds };
                    return Ok(Err(Failure::new(FailureCode::TimedOut, reason)));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Removes the dead process and describes how it died.
    fn bury(&mut self) -> Failure {
        let Some(mut process) = self.process.take() else {
            return Failure::new(FailureCode::Crashed, Notice::ReaderGone);
        };
        let status = process.end();
        let words = process.last_words.lock();
        describe_death(status, words.iter().map(String::as_str))
    }
}

/// A file whose pages are drawn.
pub(crate) struct PageDrawing<'a> {
    extractor: &'a mut Extractor,
    kind: Kind,
    bytes: &'a [u8],
}

impl PageDrawing<'_> {
    /// Draws a page (from 1). Errors are those of [`Extractor::extract`].
    pub(crate) fn page(
        &mut self,
        page: u32,
        cancel: &CancelToken,
    ) -> Result<Result<Picture, Failure>, EngineError> {
        let (kind, bytes) = (self.kind, self.bytes);
        let send = |process: &mut Process| {
            let file = (!process.is_drawing).then_some(bytes);
            process.is_drawing = true;
            worker::send_drawing(&mut process.input, kind, file, page)
        };
        let reply = self.extractor.ask_again(send, cancel)?;
        Ok(reply.and_then(|reply| match reply {
            Reply::Drawn(picture) => Ok(picture),
            _ => Err(self.extractor.bury()),
        }))
    }
}

impl Process {
    fn start(command: &WorkerCommand, limits: Limits) -> Result<Self, EngineError> {
        let failed = |cause| EngineError::Worker { program: command.program.clone(), cause };
        let mut child = command.command().spawn().map_err(failed)?;
        let missing = || failed(std::io::Error::other("its pipes are missing"));
        let input = BufWriter::new(child.stdin.take().ok_or_else(missing)?);
        let mut output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let errors = BufReader::new(child.stderr.take().ok_or_else(missing)?);
        let (sender, answers) = bounded(1);
        // Both threads end with the pipe, when the child exits.
        std::thread::spawn(move || {
            loop {
                let answer = worker::receive(&mut output, &limits);
                let over = answer.is_err();
                if sender.send(answer).is_err() || over {
                    break;
                }
            }
        });
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let words = Arc::clone(&last_words);
        std::thread::spawn(move || {
            for line in errors.lines().map_while(Result::ok) {
                let mut words = words.lock();
                if words.len() == 20 {
                    words.pop_front();
                }
                words.push_back(line.chars().take(500).collect());
            }
        });
        Ok(Self { child, input, answers, last_words, files: 0, is_drawing: false })
    }

    fn end(&mut self) -> Option<ExitStatus> {
        // The process may have exited by itself: wait briefly, since the pipe closes before the process ends.
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            #[expect(clippy::disallowed_methods, reason = "there is no event for another process's end")]
            std::thread::sleep(Duration::from_millis(5));
        }
        self.child.kill().and_then(|()| self.child.wait()).ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that the process has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn describe_death<'a>(status: Option<ExitStatus>, words: impl Iterator<Item = &'a str>) -> Failure {
    let words: Vec<&str> = words.collect();
    if words.iter().any(|line| line.contains("memory allocation") || line.contains("out of memory")) {
        return Failure::new(FailureCode::TooLarge, Notice::NeededTooMuchMemory);
    }
    if words.iter().any(|line| line.contains("overflowed its stack")) {
        return Failure::new(FailureCode::Crashed, Notice::NestedTooDeeply);
    }
    let status = status.map(|status| status.to_string());
    Failure::new(FailureCode::Crashed, Notice::ReaderEnded { status })
}
