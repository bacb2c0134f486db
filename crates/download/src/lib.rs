//! How a model's files get into their folder.
//!
//! [`download`] fetches them through `oriel-remote`, a process of its own that alone speaks to the network: this crate
//! writes, checks and renames, and holds no network code. It resumes what an earlier download left. [`Staging`]
//! installs files all at once, also those that were imported. [`wire`] is what both ends of the pipe say.

mod download;
mod error;
mod hub;
mod install;
mod partial;
mod progress;
mod remote;
pub mod wire;

pub use download::{Download, RemoteFile, download, free_space};
pub use error::DownloadError;
pub use hub::{endpoint_host, hub_url};
pub use install::{Staging, copy_hashed, failed, hex};
pub use partial::{downloaded, sweep};
pub use progress::{Progress, Stage};
pub use remote::remote_command;
