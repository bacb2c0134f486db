//! The parent's side: a handle that starts the child on first use, and restarts it after it died.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use oriel_core::notice::{ModelSpoke, shown};
use oriel_core::{
    CancelToken, Cancelled, Finish, Generation, GenerationRequest, Generator, ModelError, Notice,
    PhraseCalibration, TextForm,
};
use oriel_wire::generator::{self as frames, Ask, Reply, VERSION};

use super::{LlamaSettings, WorkerCommand};
use crate::gguf;

/// How often to check for cancellation while no data arrives.
const LOOK: Duration = Duration::from_millis(10);
/// How long a cancelled child may take to stop before it is killed; a large model may be in the middle of a long batch.
const PATIENCE: Duration = Duration::from_millis(700);
/// How often a thread of llama.cpp polls for work before it sleeps.
const SPINS: &str = "1000";
/// The number of lines of llama.cpp's log that are kept for error messages.
const LOG_LINES: usize = 60;

/// A generator in its own process. Dropping the handle ends the process.
pub struct LlamaProcess {
    worker: WorkerCommand,
    path: PathBuf,
    /// The file of its adapter, and how to compute the confidence of its answers.
    adapter: Option<(PathBuf, PhraseCalibration)>,
    id: String,
    settings: LlamaSettings,
    /// Holds the running process while no thread uses it.
    idle: (Sender<Option<Running>>, Receiver<Option<Running>>),
}

impl LlamaProcess {
    /// A handle for the model file at `path`. It does not start the process yet.
    #[must_use]
    pub fn new(worker: WorkerCommand, path: PathBuf, id: &str, settings: LlamaSettings) -> Self {
        let idle = bounded(1);
        // The channel has capacity for one, so this cannot fail.
        let _ = idle.0.send(None);
        Self { worker, path, adapter: None, id: id.to_owned(), settings, idle }
    }

    /// The same model with an adapter that lets it answer in phrases.
    #[must_use]
    pub fn with_adapter(self, adapter: Option<(PathBuf, PhraseCalibration)>) -> Self {
        Self { adapter, ..self }
    }

    /// Waits until no other thread uses the process, and starts one if none runs.
    fn hold(&self, cancel: &CancelToken) -> Result<Held<'_>, ModelError> {
        let running = loop {
            match self.idle.1.recv_timeout(LOOK) {
                Ok(running) => break running,
                Err(_) => cancel.check()?,
            }
        };
        // From here on `Drop` returns the process on every path.
        let mut held = Held { process: self, running };
        if held.running.as_mut().is_some_and(|running| matches!(running.child.try_wait(), Ok(None))) {
            return Ok(held);
        }
        held.running = None;
        held.running = Some(Running::start(self, cancel)?);
        Ok(held)
    }

    /// The loaded model's properties; loads it if needed.
    ///
    /// # Errors
    /// If it cannot be loaded.
    pub fn loaded(&self, cancel: &CancelToken) -> Result<Loaded, ModelError> {
        let held = self.hold(cancel)?;
        held.running.as_ref().map(|running| running.loaded.clone()).ok_or_else(|| self.gone())
    }

    fn named(&self, what: Notice) -> Notice {
        Notice::about(self.path.display(), what)
    }
}

/// A loaded generator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Maximum tokens of prompt and answer together.
    pub context_length: usize,
    /// The device: `CPU`, or the graphics card's name.
    pub device: String,
    /// Why its own chat template is not used, in one line; `None` if it is used.
    pub notice: Option<String>,
}

impl Generator for LlamaProcess {
    fn id(&self) -> &str {
        &self.id
    }

    fn answers_in_phrases(&self) -> Option<PhraseCalibration> {
        self.adapter.as_ref().map(|(_, calibration)| *calibration)
    }

    fn keeps_grammar(&self) -> bool {
        true
    }

    fn context_length(&self, cancel: &CancelToken) -> Result<usize, ModelError> {
        self.loaded(cancel).map(|loaded| loaded.context_length)
    }

    fn prompt_tokens(&self, request: &GenerationRequest, cancel: &CancelToken) -> Result<usize, ModelError> {
        let mut held = self.hold(cancel)?;
        held.say(&Ask::Count { system: request.system.clone(), user: request.user.clone() })?;
        let mut deadline = None;
        loop {
            if cancel.is_cancelled() {
                deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
            }
            match held.hear(LOOK)? {
                // The reply must be read even after a cancellation, or the next request would receive it.
                Some(Reply::Count { tokens }) => return cancel.check().map(|()| tokens).map_err(Into::into),
                None if deadline.is_none_or(|deadline| Instant::now() < deadline) => {}
                None => {
                    held.running = None;
                    return Err(Cancelled.into());
                }
                other => return Err(held.unexpected(other)),
            }
        }
    }

    fn prepare(&self, request: &GenerationRequest, cancel: &CancelToken) -> Result<(), ModelError> {
        // If another thread uses the process, the model is loaded or being loaded.
        let Ok(running) = self.idle.1.try_recv() else { return Ok(()) };
        let has_written = running.as_ref().is_some_and(|running| running.generations > 0);
        drop(Held { process: self, running });
        if has_written { Ok(()) } else { self.generate(request, &mut |_| (), cancel).map(drop) }
    }

    fn generate(
        &self,
        request: &GenerationRequest,
        piece: &mut dyn FnMut(&str),
        cancel: &CancelToken,
    ) -> Result<Generation, ModelError> {
        let cancelled = |tokens| Generation {
            prompt_tokens: 0,
            tokens,
            refusal: None,
            certainties: Vec::new(),
            finish: Finish::Cancelled,
        };
        let mut held = match self.hold(cancel) {
            Ok(held) => held,
            Err(ModelError::Cancelled(_)) => return Ok(cancelled(0)),
            Err(e) => return Err(e),
        };
        let number = held.next_number();
        held.say(&Ask::Generate {
            number,
            system: request.system.clone(),
            user: request.user.clone(),
            form: request.form.clone(),
            max_tokens: request.max_tokens,
            refusal: request.refusal.clone(),
        })?;
        let mut pieces = 0;
        let mut deadline = None;
        loop {
            if deadline.is_none() && cancel.is_cancelled() {
                held.say(&Ask::Cancel { number })?;
                deadline = Some(Instant::now() + PATIENCE);
            }
            match held.hear(LOOK)? {
                // Discards text that was already sent when the caller cancelled.
                Some(Reply::Piece { .. }) if deadline.is_some() => {}
                Some(Reply::Piece { text }) => {
                    pieces += 1;
                    piece(&text);
                }
                Some(Reply::Done { prompt_tokens, tokens, refusal, certainties, finish }) => {
                    return Ok(Generation {
                        prompt_tokens,
                        tokens,
                        refusal,
                        certainties,
                        finish: finish.into(),
                    });
                }
                Some(Reply::TooLong { tokens, limit }) => return Err(ModelError::TooLong { tokens, limit }),
                None if deadline.is_none_or(|deadline| Instant::now() < deadline) => {}
                None => {
                    held.running = None;
                    return Ok(cancelled(pieces));
                }
                other => return Err(held.unexpected(other)),
            }
        }
    }
}

impl LlamaProcess {
    fn gone(&self) -> ModelError {
        ModelError::Died(self.named(Notice::RunnerGone))
    }
}

/// Exclusive use of the process. Dropping it returns the process.
struct Held<'a> {
    process: &'a LlamaProcess,
    running: Option<Running>,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // The channel has capacity: this guard took the only value.
        let _ = self.process.idle.0.send(self.running.take());
    }
}

impl Held<'_> {
    fn next_number(&mut self) -> u64 {
        self.running.as_mut().map_or(0, |running| {
            running.generations += 1;
            running.generations
        })
    }

    fn say(&mut self, ask: &Ask) -> Result<(), ModelError> {
        let running = self.running.as_mut().ok_or_else(|| self.process.gone())?;
        match frames::write(&mut running.stdin, ask) {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::InvalidInput => {
                Err(ModelError::Failed(self.process.named(Notice::io(&e))))
            }
            Err(_) => Err(self.died(None)),
        }
    }

    /// The next reply; `None` if none arrives within `wait`.
    fn hear(&mut self, wait: Duration) -> Result<Option<Reply>, ModelError> {
        let running = self.running.as_mut().ok_or_else(|| self.process.gone())?;
        match running.replies.recv_timeout(wait) {
            Ok(Ok(Reply::Failed { why })) => Err(ModelError::Failed(self.process.named(why))),
            Ok(Ok(reply)) => Ok(Some(reply)),
            Ok(Err(_)) => Err(self.died(Some(ModelSpoke::Garbage))),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.died(None)),
        }
    }

    fn unexpected(&mut self, _: Option<Reply>) -> ModelError {
        self.died(Some(ModelSpoke::OutOfTurn))
    }

    /// Ends the process if it still runs, and returns the error that describes its death.
    fn died(&mut self, spoke: Option<ModelSpoke>) -> ModelError {
        let Some(running) = self.running.take() else { return self.process.gone() };
        let status = running.end();
        ModelError::Died(self.process.named(Notice::RunnerDied { spoke, status }))
    }
}

/// A child and the pipes to it.
struct Running {
    child: Child,
    stdin: ChildStdin,
    replies: Receiver<io::Result<Reply>>,
    log: Option<JoinHandle<VecDeque<String>>>,
    loaded: Loaded,
    generations: u64,
}

impl Running {
    /// Starts the child and lets it load the model.
    fn start(process: &LlamaProcess, cancel: &CancelToken) -> Result<Self, ModelError> {
        let failed = |what: Notice| ModelError::Failed(process.named(what));
        let text =
            |path: &Path| path.to_str().map(str::to_owned).ok_or_else(|| failed(Notice::PathNotUnicode));
        let path = text(&process.path)?;
        let adapter = process.adapter.as_ref().map(|(path, _)| text(path)).transpose()?;
        if !process.path.is_file() {
            return Err(failed(Notice::NoSuchFile));
        }
        gguf::Header::read(&process.path).map_err(failed)?;
        let mut running = Self::spawn(&process.worker).map_err(|e| {
            let program = shown(&process.worker.program);
            failed(Notice::RunnerCannotStart { program, cause: Notice::io(&e).into() })
        })?;
        let load = Ask::Load {
            version: VERSION.to_owned(),
            path,
            adapter,
            threads: crate::backend::threads(process.settings.threads),
            cpu: process.settings.cpu,
            context_length: process.settings.context_length,
            repeat_penalty: process.settings.repeat_penalty,
        };
        // If the child died at once, its error stream has the reason.
        let _ = frames::write(&mut running.stdin, &load);
        loop {
            match running.replies.recv_timeout(LOOK) {
                Ok(Ok(Reply::Loaded { context_length, device, notice })) => {
                    running.loaded = Loaded { context_length, device, notice };
                    return Ok(running);
                }
                Ok(Ok(Reply::Failed { why })) => {
                    return Err(failed(match running.last_words() {
                        Some(line) => Notice::WithLogLine { what: why.into(), line },
                        None => why,
                    }));
                }
                Err(RecvTimeoutError::Timeout) => cancel.check()?,
                Ok(_) => {
                    return Err(failed(Notice::RunnerSpokeGarbage { status: running.end() }));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let what = Notice::RunnerDiedLoading { status: running.end() };
                    return Err(ModelError::Died(process.named(what)));
                }
            }
        }
    }

    fn spawn(worker: &WorkerCommand) -> io::Result<Self> {
        let mut command = worker.command();
        // How long OpenMP polls before a waiting thread sleeps. The default is so long that threads block each other on
        // a busy machine: 2 tokens a second instead of 25.
        command.env("GOMP_SPINCOUNT", SPINS);
        let (started, child) = bounded(1);
        let (sender, replies) = bounded(64);
        // This thread starts the child and lives as long: on Linux the child asks to be killed when the thread that
        // started it ends.
        std::thread::Builder::new().name("generator".into()).spawn(move || {
            let mut child = match command.spawn() {
                Ok(child) => child,
                Err(e) => {
                    let _ = started.send(Err(e));
                    return;
                }
            };
            let stdout = child.stdout.take();
            let _ = started.send(Ok(child));
            let Some(stdout) = stdout else { return };
            let mut stdout = BufReader::new(stdout);
            while let Some(reply) = frames::read(&mut stdout).transpose() {
                let garbage = reply.is_err();
                if sender.send(reply).is_err() || garbage {
                    break;
                }
            }
            // The receiver is gone, or the data is invalid: the pipe is drained until the child ends.
            drop(sender);
            let _ = io::copy(&mut stdout, &mut io::sink());
        })?;
        let mut child = child.recv().map_err(io::Error::other)??;
        let piped = || io::Error::other("a pipe is missing");
        let stdin = child.stdin.take().ok_or_else(piped)?;
        let stderr = child.stderr.take().ok_or_else(piped)?;
        let log = std::thread::spawn(move || {
            let mut lines = VecDeque::new();
            for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
                if lines.len() == LOG_LINES {
                    lines.pop_front();
                }
                lines.push_back(String::from_utf8_lossy(&line).trim().to_owned());
            }
            lines
        });
        Ok(Self { child, stdin, replies, log: Some(log), loaded: Loaded::default(), generations: 0 })
    }

    /// Ends the child and describes its exit.
    fn end(mut self) -> String {
        // If the child died by itself, it already has a status, and killing it changes nothing.
        let status = match self.child.try_wait() {
            Ok(Some(status)) => Some(status),
            _ => {
                let _ = self.child.kill();
                self.child.wait().ok()
            }
        };
        let status = status.map_or_else(|| "no status".to_owned(), |status| status.to_string());
        match self.last_words() {
            Some(line) => format!("{status}: {line}"),
            None => status,
        }
    }

    /// Ends the child and returns the most informative line of llama.cpp's log.
    fn last_words(&mut self) -> Option<String> {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let lines = self.log.take()?.join().ok()?;
        let tells = |line: &&String| {
            let line = line.to_lowercase();
            ["error", "assert", "failed", "abort"].iter().any(|word| line.contains(word))
        };
        lines.iter().find(tells).map(|line| line.chars().take(200).collect())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Loads the model at `path` in a process, generates one token, and returns its properties.
pub(crate) fn trial(worker: &WorkerCommand, path: &Path, cancel: &CancelToken) -> Result<Loaded, ModelError> {
    let settings = LlamaSettings { context_length: 64, ..LlamaSettings::default() };
    let process = LlamaProcess::new(worker.clone(), path.to_owned(), "trial", settings);
    // Not every template leaves room for a question in 64 tokens; this only tests that the model writes at all.
    let request = GenerationRequest {
        system: String::new(),
        user: "Hello".into(),
        form: TextForm::Free,
        max_tokens: 1,
        refusal: None,
    };
    match process.generate(&request, &mut |_| (), cancel) {
        Ok(_) | Err(ModelError::TooLong { .. }) => process.loaded(cancel),
        Err(e) => Err(e),
    }
}
