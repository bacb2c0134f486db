//! Runs `oriel watch` and reads its output.

use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};

use oriel_core::DocumentId;
use serde_json::Value;

use crate::oriel::{Oriel, said, text};

/// Time limit of waits; ample for a busy machine too.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running `oriel watch --json`.
pub struct Watching {
    pub child: Child,
    lines: Receiver<String>,
    said: Receiver<String>,
}

impl Watching {
    /// Watches the documents of `oriel`, of which none is indexed, until they are indexed and reported.
    pub fn begin(oriel: &Oriel) -> Self {
        oriel.json(&["add", oriel.documents().to_str().unwrap()]);
        let watching = Self::spawn(oriel.command(&["watch", "--json"]));
        let line = watching.says("up to date");
        let documents: usize = line.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
        for _ in 0..documents {
            assert!(watching.lines.recv_timeout(PATIENCE).unwrap().contains("indexed"));
        }
        watching
    }

    pub fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = lines_of(child.stdout.take().unwrap());
        let said = lines_of(child.stderr.take().unwrap());
        Self { child, lines, said }
    }

    /// Waits for a line on standard error that contains `word`.
    pub fn says(&self, word: &str) -> String {
        self.says_at_last(word).pop().unwrap()
    }

    /// Waits for such a line; returns it after the other lines until then.
    pub fn says_at_last(&self, word: &str) -> Vec<String> {
        let begun = Instant::now();
        let mut heard = Vec::new();
        while let Ok(line) = self.said.recv_timeout(PATIENCE.saturating_sub(begun.elapsed())) {
            let is_it = line.contains(word);
            heard.push(line);
            if is_it {
                return heard;
            }
        }
        panic!("it never said '{word}': {heard:?}");
    }

    /// Waits until `is_so`, which is checked after each event and now and then.
    pub fn until_true(&self, longest: Duration, is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < longest, "it is not so after {longest:?}");
            let _ = self.lines.recv_timeout(Duration::from_millis(200));
            self.lines.try_iter().for_each(drop);
        }
    }

    /// Waits so long; it must print nothing.
    pub fn rests(&self, long: Duration) {
        assert_eq!(self.lines.recv_timeout(long), Err(RecvTimeoutError::Timeout));
        assert_eq!(self.said.try_recv(), Err(TryRecvError::Empty));
    }

    /// Waits for this event of the document at `path`; returns it after the other events until then.
    pub fn until(&self, event: &str, path: &Path) -> Vec<Value> {
        let begun = Instant::now();
        let mut told = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE.saturating_sub(begun.elapsed())) {
            let line: Value = serde_json::from_str(&line).unwrap();
            let is_it = line["event"] == event && Path::new(text(&line["path"])) == path;
            told.push(line);
            if is_it {
                return told;
            }
        }
        let said: Vec<_> = self.said.try_iter().collect();
        panic!("{event} {} never came, only {told:?} {said:?}", path.display());
    }

    pub fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Ends it as Ctrl-C does.
    pub fn end(self) {
        self.end_by("-INT");
    }

    pub fn end_by(mut self, signal: &str) {
        self.signal(signal);
        let status = self.child.wait().unwrap();
        let said: Vec<_> = self.said.try_iter().collect();
        assert_eq!(status.code(), Some(0), "{said:?}");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // No effect if it has already ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn lines_of(from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// The documents with their ids, by path.
pub fn documents(oriel: &Oriel) -> Vec<(String, DocumentId)> {
    let rows = oriel.open().documents("", usize::MAX).unwrap().into_iter();
    let inside = |path: &Path| path.strip_prefix(oriel.documents()).unwrap().to_str().unwrap().to_owned();
    let mut documents: Vec<_> = rows.map(|row| (inside(&row.path), row.id)).collect();
    documents.sort();
    documents
}

pub fn names(oriel: &Oriel) -> Vec<String> {
    documents(oriel).into_iter().map(|(name, _)| name).collect()
}

pub fn says(oriel: &Oriel, question: &str, wanted: &str) -> bool {
    oriel.search(&[question]).iter().any(|passage| text(&passage["text"]).contains(wanted))
}

/// Indexes once the watching process has finished its work.
pub fn index(oriel: &Oriel) -> Value {
    let begun = Instant::now();
    loop {
        let output = oriel.run(&["index", "--json"]);
        if output.status.success() {
            return serde_json::from_slice(&output.stdout).unwrap();
        }
        assert!(begun.elapsed() < PATIENCE && said(&output).contains("another Oriel"), "{}", said(&output));
    }
}
