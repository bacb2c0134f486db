//! A cache, a partial file, and downloads into it.

use std::path::PathBuf;
use std::time::Duration;

use oriel_core::{CancelToken, WorkerCommand};
use oriel_download::{Download, DownloadError, Progress, RemoteFile};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::server::Server;

/// How long the tests wait for a silent server, even on a busy machine.
pub const SILENCE: Duration = Duration::from_secs(20);

/// Bytes without any repetition.
pub fn content(size: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    let mut bytes: Vec<u8> = std::iter::repeat_with(&mut next).take(size.div_ceil(8)).flatten().collect();
    bytes.truncate(size);
    bytes
}

/// The published data of a file with this content at `url`.
pub fn published(url: String, name: &str, content: &[u8]) -> RemoteFile {
    let sha256 = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    RemoteFile { url, name: name.into(), size: content.len() as u64, sha256 }
}

/// A server with one file, and a cache that does not have it.
pub struct Setup {
    pub server: Server,
    pub files: Vec<RemoteFile>,
    pub content: Vec<u8>,
    pub cache: PathBuf,
    pub silence: Duration,
    _folder: TempDir,
}

impl Setup {
    /// A setup with one file of this size.
    pub fn new(size: usize) -> Self {
        let content = content(size);
        let server = Server::start(content.clone());
        let files = vec![published(server.url("model.gguf"), "model.gguf", &content)];
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("models");
        Self { server, files, content, cache, silence: SILENCE, _folder: folder }
    }

    /// Downloads the file.
    pub fn download(&self) -> Result<PathBuf, DownloadError> {
        self.download_with(&self.server.remote(&[]), &mut |_| (), &CancelToken::new())
    }

    /// Downloads the file with this program.
    pub fn download_with(
        &self,
        remote: &WorkerCommand,
        progress: &mut dyn FnMut(Progress),
        cancel: &CancelToken,
    ) -> Result<PathBuf, DownloadError> {
        let pause = Duration::from_millis(10);
        Download { id: "m", files: &self.files, cache: &self.cache, remote, silence: self.silence, pause }
            .run(progress, cancel)
    }

    /// Bytes of the partial file.
    pub fn partial(&self) -> Option<u64> {
        let path = self.cache.join(".partial").join(&self.files[0].sha256);
        path.metadata().ok().map(|found| found.len())
    }

    /// Asserts that the cache contains the correct file and nothing else.
    pub fn check_installed(&self) {
        let file = std::fs::read(self.cache.join("m/model.gguf")).unwrap();
        assert!(file == self.content, "another file was installed");
        let left = std::fs::read_dir(self.cache.join(".partial")).unwrap().count();
        assert_eq!(left, 0, "partial files stay");
    }

    /// The error of a download; asserts that nothing was installed.
    pub fn failure(&self) -> DownloadError {
        let error = self.download().unwrap_err();
        assert!(!self.cache.join("m").exists(), "a failed download installs nothing");
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
        error
    }
}
