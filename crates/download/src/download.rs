//! Downloads a model's files and installs them in its folder.
//!
//! It verifies and resumes earlier downloads. All files are installed at once, when every one has its published size
//! and checksum.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Cancelled, WorkerCommand};
use oriel_wire::Remote;
use oriel_wire::remote::{Fetch, Reply, Request};

use crate::install::{BLOCK, copy_hashed};
use crate::partial::{Partial, sweep};
use crate::{DownloadError, Progress, RemoteFile, Stage, Staging};

/// How often a file is retried without a megabyte of progress in between.
const RETRIES: u32 = 5;

/// How often progress is reported.
const REPORT: Duration = Duration::from_millis(100);

/// What to download, and with which timeouts.
#[derive(Clone, Debug)]
pub struct Download<'a> {
    /// The model; its folder has this name.
    pub id: &'a str,
    pub files: &'a [RemoteFile],
    /// The model cache, which contains partial files and will contain the model's folder.
    pub cache: &'a Path,
    /// How to start `oriel-remote`.
    pub remote: &'a WorkerCommand,
    /// How long a server may send nothing before the download fails; whole seconds.
    pub silence: Duration,
    /// The pause before the first retry; each further pause is twice as long.
    pub pause: Duration,
}

/// Downloads `files` and installs them as `cache/id`; returns that folder.
///
/// # Errors
/// See [`DownloadError`]; nothing is installed then. Downloaded bytes are kept for the next call, except those of a
/// file with a wrong checksum.
pub fn download(
    id: &str,
    files: &[RemoteFile],
    cache: &Path,
    remote: &WorkerCommand,
    progress: &mut dyn FnMut(Progress),
    cancel: &CancelToken,
) -> Result<PathBuf, DownloadError> {
    let (silence, pause) = (Duration::from_secs(30), Duration::from_millis(500));
    Download { id, files, cache, remote, silence, pause }.run(progress, cancel)
}

impl Download<'_> {
    /// Runs the download.
    ///
    /// # Errors
    /// Those of [`download`].
    pub fn run(
        &self,
        progress: &mut dyn FnMut(Progress),
        cancel: &CancelToken,
    ) -> Result<PathBuf, DownloadError> {
        fs::create_dir_all(self.cache).map_err(|e| DownloadError::file(self.cache, e))?;
        sweep(self.cache, self.files);
        let mut partials: Vec<Partial<'_>> = Vec::new();
        for file in self.files {
            // Two files with the same content are downloaded once.
            if !partials.iter().any(|partial| partial.wanted.sha256 == file.sha256) {
                partials.push(Partial::open(self.cache, file)?);
            }
        }
        let total = partials.iter().map(|partial| partial.wanted.size).sum();
        let here: u64 = partials.iter().map(Partial::have).sum();
        self.check_space(total - here)?;

        let mut report = Report { progress, before: here, total, last: None };
        report.now(0);
        let mut remote = None;
        for partial in &mut partials {
            report.before -= partial.have();
            partial.rehash(cancel)?;
            self.fetch(partial, &mut remote, &mut report, cancel)?;
            partial.verify()?;
            partial.flush()?;
            report.before += partial.have();
        }
        (report.progress)(Progress { stage: Stage::Installing, done: total, total });
        self.install(&partials, cancel)
    }

    fn check_space(&self, needed: u64) -> Result<(), DownloadError> {
        match free_space(self.cache) {
            Some(free) if free < needed => {
                Err(DownloadError::NoSpace { needed, free, path: self.cache.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Downloads the missing bytes, and retries after a lost connection.
    fn fetch(
        &self,
        partial: &mut Partial<'_>,
        remote: &mut Option<Remote>,
        report: &mut Report<'_>,
        cancel: &CancelToken,
    ) -> Result<(), DownloadError> {
        let (mut failures, mut has_begun) = (0, false);
        while !partial.is_complete() {
            let before = partial.have();
            let error = match self.attempt(partial, remote, report, cancel) {
                Ok(()) => continue,
                Err(error) => error,
            };
            has_begun |= partial.have() > before;
            if partial.have() >= before + BLOCK as u64 {
                failures = 0;
            }
            failures += 1;
            let may_pass = match &error {
                DownloadError::Fetch { cause, .. } => cause.is_passing() || (has_begun && cause.is_offline()),
                DownloadError::Process { .. } => has_begun,
                _ => false,
            };
            if !may_pass || failures > RETRIES {
                return Err(error);
            }
            wait(self.pause * 2_u32.pow(failures - 1), cancel)?;
        }
        Ok(())
    }

    /// Downloads the missing bytes with one request.
    fn attempt(
        &self,
        partial: &mut Partial<'_>,
        remote: &mut Option<Remote>,
        report: &mut Report<'_>,
        cancel: &CancelToken,
    ) -> Result<(), DownloadError> {
        cancel.check()?;
        let mut running = match remote.take() {
            Some(running) => running,
            None => Remote::start(self.remote).map_err(|e| self.not_started(&e))?,
        };
        let size = partial.wanted.size;
        let broken = |partial: &Partial<'_>, error: &io::Error| DownloadError::Process {
            reason: error.to_string(),
            kept: partial.have(),
        };
        let fetch = Fetch {
            url: partial.wanted.url.clone(),
            from: partial.have(),
            etag: partial.etag(),
            size,
            silence: self.silence.as_secs().max(1),
        };
        running.ask(&Request::Fetch(fetch), &[]).map_err(|e| broken(partial, &e))?;
        let mut has_started = false;
        loop {
            let (reply, bytes) = running.next(cancel)?.map_err(|e| broken(partial, &e))?;
            match reply {
                Reply::Start { from, etag, total }
                    if !has_started && total == size && [0, partial.have()].contains(&from) =>
                {
                    partial.begin(from, etag)?;
                    has_started = true;
                }
                Reply::Bytes { .. } if has_started && bytes.len() as u64 <= size - partial.have() => {
                    partial.append(&bytes)?;
                    report.due(partial.have());
                }
                Reply::End if partial.is_complete() => {
                    *remote = Some(running);
                    return Ok(());
                }
                Reply::Failed(cause) => {
                    *remote = Some(running);
                    return Err(DownloadError::Fetch { cause, kept: partial.have() });
                }
                _ => return Err(broken(partial, &io::Error::other("it breaks the protocol"))),
            }
        }
    }

    fn not_started(&self, error: &io::Error) -> DownloadError {
        let program = self.remote.program.display().to_string();
        match error.kind() {
            io::ErrorKind::NotFound => DownloadError::NoRemote { program },
            _ => DownloadError::Process { reason: format!("{program}: {error}"), kept: 0 },
        }
    }

    /// Installs the checked files. They also stay in the cache until the end, so that a download after a kill finds
    /// them complete.
    fn install(&self, partials: &[Partial<'_>], cancel: &CancelToken) -> Result<PathBuf, DownloadError> {
        // Cancelling is not possible afterwards: a file that was moved into the folder would be deleted with it.
        cancel.check()?;
        let staging = Staging::new(self.cache, self.id)?;
        for file in self.files {
            let Some(partial) = partials.iter().find(|partial| partial.wanted.sha256 == file.sha256) else {
                continue;
            };
            place(partial.path(), &staging.folder().join(&file.name), cancel)?;
        }
        // The rest is fast, because the files have been flushed.
        let folder = staging.finish(&CancelToken::new())?;
        for partial in partials {
            // If this fails, a later download deletes the rest.
            let _ = partial.remove();
        }
        Ok(folder)
    }
}

/// Links the file to its place; without support for links it is moved, and copied from another disk.
fn place(from: &Path, to: &Path, cancel: &CancelToken) -> Result<(), DownloadError> {
    if fs::hard_link(from, to).or_else(|_| fs::rename(from, to)).is_ok() {
        return Ok(());
    }
    let mut source = fs::File::open(from).map_err(|e| DownloadError::file(from, e))?;
    let mut target = fs::File::create(to).map_err(|e| DownloadError::file(to, e))?;
    let copied = copy_hashed(&mut source, &mut target, u64::MAX, cancel, &mut |_| ())?;
    copied.map(drop).map_err(|e| DownloadError::file(to, e))
}

/// The free space in bytes for this user at `path`; `None` if the system does not report it.
#[cfg(unix)]
#[must_use]
pub fn free_space(path: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Not supported on this system.
#[cfg(not(unix))]
#[must_use]
pub fn free_space(_path: &Path) -> Option<u64> {
    None
}

/// Waits until the pause is over or the token is cancelled.
fn wait(pause: Duration, cancel: &CancelToken) -> Result<(), Cancelled> {
    let until = Instant::now() + pause;
    while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        cancel.check()?;
        std::thread::park_timeout(left.min(REPORT));
    }
    cancel.check()
}

/// Reports the progress of a download, with a minimum interval.
struct Report<'a> {
    progress: &'a mut dyn FnMut(Progress),
    /// The bytes of the other files.
    before: u64,
    total: u64,
    last: Option<Instant>,
}

impl Report<'_> {
    fn due(&mut self, bytes: u64) {
        if self.last.is_none_or(|last| last.elapsed() >= REPORT) {
            self.now(bytes);
        }
    }

    fn now(&mut self, bytes: u64) {
        let done = self.before + bytes;
        (self.progress)(Progress { stage: Stage::Downloading, done, total: self.total });
        self.last = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_when_it_is_cancelled() {
        let token = CancelToken::new();
        let begun = Instant::now();
        wait(Duration::from_millis(20), &token).unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(20));
        token.cancel();
        assert!(wait(Duration::from_mins(1), &token).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_fit_on_the_disk_is_not_begun() {
        let cache = tempfile::tempdir().unwrap();
        let files = [RemoteFile {
            url: "https://h/f".into(),
            name: "f".into(),
            size: 1 << 60,
            sha256: "0".repeat(64),
        }];
        let remote = WorkerCommand::new("no-such-program", [""; 0]);
        let error =
            download("m", &files, cache.path(), &remote, &mut |_| (), &CancelToken::new()).unwrap_err();
        let DownloadError::NoSpace { needed, free, path } = error else { panic!("{error}") };
        assert!(needed == 1 << 60 && free < needed && path == cache.path());
    }
}
