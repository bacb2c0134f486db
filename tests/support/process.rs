//! Measurements of a running process: memory, open files, processor time.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Ticks a second in `/proc/PID/stat`, on every Linux.
const TICKS: u64 = 100;

/// Resources of a process and its library at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Bytes of private memory, without mapped files such as the store's, which the system can reclaim.
    pub own: u64,
    /// Bytes of memory including its share of mapped files (PSS).
    pub memory: u64,
    /// Open files, pipes and sockets.
    pub handles: u64,
    /// Bytes of the library's folder on the disk.
    pub store: u64,
}

/// Samples a process repeatedly.
pub struct Sampling {
    end: Sender<()>,
    samples: JoinHandle<Vec<Sample>>,
}

impl Sampling {
    pub fn begin(process: u32, library: PathBuf, every: Duration) -> Self {
        let (end, ended) = channel();
        let samples = std::thread::spawn(move || run(process, &library, every, &ended));
        Self { end, samples }
    }

    pub fn end(self) -> Vec<Sample> {
        drop(self.end);
        self.samples.join().unwrap()
    }
}

fn run(process: u32, library: &Path, every: Duration, ended: &Receiver<()>) -> Vec<Sample> {
    let mut samples = Vec::new();
    while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
        samples.push(sample(process, library));
    }
    samples
}

/// Takes a sample of a running process.
pub fn sample(process: u32, library: &Path) -> Sample {
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap();
    let bytes = |name: &str| {
        let line = rollup.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10
    };
    Sample {
        own: bytes("Pss_Anon:"),
        memory: bytes("Pss:"),
        handles: fs::read_dir(format!("/proc/{process}/fd")).unwrap().count() as u64,
        store: on_disk(library),
    }
}

/// Processor time of a process, including its ended children.
pub fn processor_time(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name is in parentheses and can contain anything; user and system time are the 14th field and the next three.
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks: u64 = fields[11..15].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 1_000 / TICKS)
}

/// Bytes of a folder on the disk, without its subfolders.
fn on_disk(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().flatten();
    // A file that is being replaced may be gone.
    let found = entries.filter_map(|entry| entry.metadata().ok()).filter(fs::Metadata::is_file);
    found.map(|found| std::os::unix::fs::MetadataExt::blocks(&found) * 512).sum()
}

pub fn median(values: impl Iterator<Item = u64>) -> u64 {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values[values.len() / 2]
}

/// Bytes as megabytes, for printing.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / f64::from(1 << 20))
}
