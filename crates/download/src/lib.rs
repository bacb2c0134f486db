//! Downloads and installs a model's files.
//!
//! [`download`] fetches files through `oriel-remote`, a separate process and the only one that uses the network. This
//! crate writes, checks and renames files, and has no network code. It resumes earlier downloads. [`Staging`] installs
//! files all at once, also imported ones. `oriel_wire` has the protocol of the pipe.

mod download;
mod error;
mod hub;
mod install;
mod partial;
mod progress;
mod remote_file;

pub use download::{Download, download, free_space};
pub use error::DownloadError;
pub use hub::{endpoint_host, hub_url};
pub use install::{Staging, copy_hashed, failed, hex};
pub use partial::{downloaded, sweep};
pub use progress::{Progress, Stage};
pub use remote_file::RemoteFile;
