//! Why a download failed: a code with fields for a UI, one line for a terminal.

use std::io;
use std::path::{Path, PathBuf};

use oriel_core::notice::shown;
use oriel_core::{Cancelled, ModelError, Notice};
use oriel_wire::{MissingProgram, RemoteError};

use crate::failed;

/// Why a download failed.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.notice())]
pub enum DownloadError {
    /// The caller cancelled; downloaded bytes are kept.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The network or the server failed; `kept` bytes of the file are kept.
    Fetch {
        cause: RemoteError,
        /// Bytes of this file on disk, from which the next download continues.
        kept: u64,
    },
    /// The files do not fit on the disk; nothing was fetched.
    NoSpace {
        /// Bytes still to download.
        needed: u64,
        /// Free bytes.
        free: u64,
        path: PathBuf,
    },
    /// The checksum differs from the published one.
    Mismatch { name: String },
    /// Another process is downloading the same file.
    InUse { name: String },
    /// A local file cannot be read or written; downloaded bytes are kept.
    File {
        path: PathBuf,
        #[source]
        cause: io::Error,
        /// Bytes of this file on disk.
        kept: u64,
    },
    /// The program that uses the network is missing.
    NoRemote { program: String },
    /// The program that uses the network does not work.
    Process {
        reason: String,
        /// Bytes of this file on disk.
        kept: u64,
    },
    /// The files could not be installed.
    #[error(transparent)]
    Install(ModelError),
}

impl DownloadError {
    /// The message for the user.
    #[must_use]
    pub fn notice(&self) -> Notice {
        match self {
            Self::Cancelled(_) => Notice::Cancelled,
            Self::Fetch { cause, kept } => Notice::DownloadFailed {
                cause: cause.notice().into(),
                kept: *kept > 0,
                advice: cause.advice(),
            },
            &Self::NoSpace { needed, free, ref path } => {
                Notice::DownloadNeedsRoom { needed, free, path: shown(path) }
            }
            Self::Mismatch { .. } => Notice::DownloadMismatch,
            Self::InUse { name } => Notice::DownloadInUse { name: name.clone() },
            Self::File { path, cause, kept: 0 } => failed(path, cause).notice(),
            Self::File { path, cause, .. } => {
                Notice::DownloadKept { what: failed(path, cause).notice().into() }
            }
            Self::NoRemote { program } => Notice::NetworkProgramMissing { program: program.clone() },
            Self::Process { reason, kept } => {
                Notice::DownloaderFailed { reason: reason.clone(), kept: *kept > 0 }
            }
            Self::Install(error) => error.notice(),
        }
    }

    /// A stable name of this kind of error, independent of its message.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Cancelled(_) => "cancelled",
            Self::Fetch { cause, .. } => match cause {
                RemoteError::Insecure { .. } => "insecure",
                RemoteError::ForeignRedirect { .. } | RemoteError::TooManyRedirects { .. } => "redirect",
                RemoteError::UnknownHost { .. } | RemoteError::Unreachable { .. } => "offline",
                RemoteError::Refused { .. } => "refused",
                RemoteError::Silent { .. } => "silent",
                RemoteError::Cut { .. } => "cut",
                RemoteError::Certificate { .. } => "certificate",
                RemoteError::Tls { .. } => "tls",
                RemoteError::Proxy { .. } => "proxy",
                RemoteError::Status { status: 401 | 403, .. } => "denied",
                RemoteError::Status { status: 404, .. } => "not_found",
                RemoteError::Status { .. } | RemoteError::Said { .. } => "server",
                RemoteError::Length { .. } => "length",
                RemoteError::Range { .. } => "range",
                RemoteError::Unexpected { .. } | RemoteError::Other { .. } => "other",
            },
            Self::NoSpace { .. } => "no_space",
            Self::Mismatch { .. } => "mismatch",
            Self::InUse { .. } => "in_use",
            Self::File { cause, .. } => match cause.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "disk_full",
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "permission",
                _ => "file",
            },
            Self::NoRemote { .. } => "no_remote",
            Self::Process { .. } => "process",
            Self::Install(_) => "install",
        }
    }

    /// A file error at `path`, without downloaded bytes to keep.
    pub(crate) fn file(path: &Path, cause: io::Error) -> Self {
        Self::File { path: path.to_owned(), cause, kept: 0 }
    }
}

impl From<MissingProgram> for DownloadError {
    fn from(MissingProgram(program): MissingProgram) -> Self {
        Self::NoRemote { program }
    }
}

impl From<ModelError> for DownloadError {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Install(other),
        }
    }
}

impl From<DownloadError> for ModelError {
    fn from(error: DownloadError) -> Self {
        match error {
            DownloadError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            DownloadError::Install(other) => other,
            other => Self::Failed(other.notice()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_host_the_reason_and_the_way_out() {
        let host = || "huggingface.co".to_owned();
        let silent = DownloadError::Fetch { cause: RemoteError::Silent { host: host() }, kept: 5 };
        assert_eq!(
            silent.to_string(),
            "huggingface.co does not answer; what was downloaded is kept; check the network and try again"
        );
        let cause = RemoteError::Status { host: host(), status: 404 };
        assert_eq!(
            DownloadError::Fetch { cause, kept: 0 }.to_string(),
            "huggingface.co does not have this file (status 404); nothing was downloaded yet; update Oriel, or choose another model"
        );
        let full = DownloadError::NoSpace { needed: 491_400_064, free: 212_000_000, path: "/m".into() };
        assert_eq!(
            full.to_string(),
            "The download needs 491 MB; 212 MB are free in /m; make room and try again"
        );
        let full = DownloadError::file(Path::new("/m"), io::ErrorKind::StorageFull.into());
        assert_eq!((full.code(), full.to_string().lines().count()), ("disk_full", 1));
    }
}
