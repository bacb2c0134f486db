//! A long run: a process watches a folder that keeps changing, is asked from outside, changes its embedder, is
//! suspended and resumed. At the end it uses no more memory, open files or disk than at the beginning, and the library
//! equals the folder.
//!
//! `ORIEL_SOAK_SECONDS` sets the time (25 by default; `make soak` takes an hour), `ORIEL_SEED` the seed of the random
//! numbers.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use oriel_core::CancelToken;
use oriel_engine::{EngineError, LazyEmbedder, Library, Query, SearchModels};

use crate::fake_embedder::embedder;
use crate::oriel::{Oriel, differences, open};
use crate::prng::{Prng, change, from_environment};
use crate::process::{Sample, Sampling, median, megabytes, processor_time};
use crate::watch_command::PATIENCE;

/// A measured size in bytes.
type Size = fn(&Sample) -> u64;

/// Interval between two samples of the process.
const LOOK: Duration = Duration::from_millis(100);
/// Interval between two changes of the embedder, so that both halves of the shortest run have some.
const SWAP: Duration = Duration::from_secs(4);

/// Reasons for the watched process to run.
enum Wake {
    Noticed,
    Embedder(String),
}

/// The watched process: this test's own program, because it needs the test's embedders. It keeps up with a folder and
/// reads from standard input the name of the embedder to use from now on.
#[test]
#[ignore = "a process of the test below"]
fn live() {
    let Ok(path) = std::env::var("ORIEL_SOAK_LIBRARY") else { return };
    let library = Arc::new(open(&PathBuf::from(path)));
    let (sender, woken) = channel();
    let noticed = sender.clone();
    let watch = library.watch(move || drop(noticed.send(Some(Wake::Noticed))));
    std::thread::spawn(move || {
        for name in std::io::stdin().lines().map_while(Result::ok) {
            drop(sender.send(Some(Wake::Embedder(name))));
        }
        drop(sender.send(None));
    });
    let mut current = embedder("first");
    loop {
        let due = watch.next_look().unwrap_or_else(|| Instant::now() + PATIENCE);
        match woken.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(None) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(Some(Wake::Embedder(name))) => current = embedder(&name),
            Ok(Some(Wake::Noticed)) | Err(RecvTimeoutError::Timeout) if !watch.is_due() => continue,
            Ok(Some(Wake::Noticed)) | Err(RecvTimeoutError::Timeout) => {}
        }
        let load = || Ok(Arc::clone(&current));
        let lazy = LazyEmbedder { fingerprint: Some(current.fingerprint().to_owned()), load: &load };
        library.keep_up(&watch, &lazy, &mut |_| {}, &CancelToken::new(), &|| false).unwrap();
        println!("kept up");
    }
}

/// A running process, and its output.
struct Living {
    child: Child,
    kept_up: Receiver<()>,
}

impl Living {
    fn begin(oriel: &Oriel) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "soak::live", "--ignored", "--nocapture"])
            .env("ORIEL_SOAK_LIBRARY", oriel.library())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let (sender, kept_up) = channel();
        std::thread::spawn(move || {
            lines.filter(|line| line.ends_with("kept up")).try_for_each(|_| sender.send(()))
        });
        Self { child, kept_up }
    }

    /// Waits until it has caught up again, at most so long. Returns whether it has.
    fn waits(&self, longest: Duration) -> bool {
        let heard = self.kept_up.recv_timeout(longest);
        assert_ne!(heard, Err(RecvTimeoutError::Disconnected), "the process has ended");
        heard.is_ok()
    }

    fn use_embedder(&mut self, name: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{name}").unwrap();
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Living {
    fn drop(&mut self) {
        // No effect if it has already ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Asks with the embedder of the stored vectors; returns the number of passages.
fn ask(library: &Library, prng: &mut Prng) -> usize {
    let question =
        format!("Entry 7 of read_queue {} names {} barrels of oil.", prng.below(30), prng.below(20));
    loop {
        let name = library.embedder_fingerprint().unwrap();
        let embedder = name.map(|name| embedder(&name));
        let models = SearchModels { embedder: embedder.as_deref(), reranker: None };
        match library.search(&Query::new(question.clone()), &models, &CancelToken::new()) {
            Ok(found) => return found.passages.len(),
            // The embedder changed between the two reads.
            Err(EngineError::OtherEmbedder { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Counts of what happened during the run.
#[derive(Debug, Default)]
struct Life {
    changes: u64,
    asked: usize,
    answered: usize,
    swaps: usize,
    naps: usize,
    kept_up: usize,
}

/// Runs it for so long.
fn live_for(length: Duration, oriel: &Oriel, living: &mut Living, prng: &mut Prng) -> Life {
    let (library, mut life) = (oriel.open(), Life::default());
    let (begun, mut swapped) = (Instant::now(), Instant::now());
    while begun.elapsed() < length {
        let changes = prng.below(12);
        (0..changes).for_each(|_| change(&oriel.documents(), prng));
        life.changes += changes;
        match prng.below(8) {
            0..=2 => {
                life.asked += 1;
                life.answered += usize::from(ask(&library, prng) > 0);
            }
            3 if swapped.elapsed() > SWAP => {
                life.swaps += 1;
                swapped = Instant::now();
                living.use_embedder(["first", "second"][life.swaps % 2]);
            }
            4 => {
                living.signal("-STOP");
                (0..changes).for_each(|_| change(&oriel.documents(), prng));
                life.naps += 1;
                living.waits(Duration::from_millis(prng.below(800)));
                living.signal("-CONT");
            }
            _ => {}
        }
        life.kept_up += usize::from(living.waits(Duration::from_millis(prng.below(700))));
    }
    life
}

#[test]
#[ignore = "long: make soak"]
fn a_library_that_is_kept_for_long_takes_no_more_at_the_end_and_is_the_folder() {
    let length = Duration::from_secs(from_environment("ORIEL_SOAK_SECONDS", 25));
    let mut prng = Prng(from_environment("ORIEL_SEED", 0x9e37_79b9_7f4a_7c15));
    let oriel = Oriel::new();
    for _ in 0..200 {
        change(&oriel.documents(), &mut prng);
    }
    oriel.open().add(&[oriel.documents()]).unwrap();
    let mut living = Living::begin(&oriel);
    assert!(living.waits(PATIENCE), "it never kept up with what was there");
    let sampling = Sampling::begin(living.child.id(), oriel.library(), LOOK);
    let life = live_for(length, &oriel, &mut living, &mut prng);
    let samples = sampling.end();
    println!("{} s: {life:?}, {:.0?} of the processor", length.as_secs(), processor_time(living.child.id()));

    let library = oriel.open();
    let begun = Instant::now();
    while !(differences(&library, &oriel.documents()).is_empty() && library.status().unwrap().pending == 0) {
        let left = PATIENCE.saturating_sub(begun.elapsed());
        assert!(living.waits(left), "{:?}", differences(&library, &oriel.documents()));
    }
    drop(living.child.stdin.take());
    assert!(living.child.wait().unwrap().success());
    assert_eq!(library.check(&CancelToken::new()).unwrap().problems, []);
    assert_eq!(differences(&library, &oriel.documents()), [""; 0]);
    assert!(life.swaps > 1 && life.naps > 1 && life.answered > 1, "{life:?}");
    takes_no_more(&samples);
}

/// Compares the two halves of a run, in which the folder has about the same size. For memory and store it compares the
/// medians; for handles the minimum, which is the value at rest, because reading opens pipes for varying times. The
/// store reuses the pages that it frees; a reader that is never closed would make it grow with every commit.
fn takes_no_more(samples: &[Sample]) {
    let (first, second) = samples.split_at(samples.len() / 2);
    let least = |half: &[Sample]| half.iter().map(|sample| sample.handles).min().unwrap();
    let middle = |half: &[Sample], of: Size| median(half.iter().map(of));
    let most = |half: &[Sample], of: Size| half.iter().map(of).max().unwrap();
    println!("handles: {} and {} at rest", least(first), least(second));
    let mut grown = Vec::new();
    if least(second) > least(first) {
        grown.push("handles");
    }
    let own: Size = |sample| sample.own;
    let memory: Size = |sample| sample.memory;
    let store: Size = |sample| sample.store;
    // Memory varies by some hundred kilobytes with the files that were read last.
    let kinds =
        [("memory of its own", own, 2 << 20), ("all memory", memory, 4 << 20), ("store", store, 2 << 20)];
    for (name, of, more) in kinds {
        let [before, after] = [first, second].map(|half| middle(half, of));
        let peaks = [first, second].map(|half| megabytes(most(half, of)));
        println!("{name}: {} and {}, {peaks:?} at most", megabytes(before), megabytes(after));
        if after > before + more {
            grown.push(name);
        }
    }
    assert!(grown.is_empty(), "the second half takes more than the first: {grown:?}");
}
