//! What the app holds while it runs.
//!
//! `app` is the root: one `App`, which Tauri manages. The library and everything that depends on it are a
//! `LibrarySession` (`session`). It lies in a `slot`, from which commands lease it and from which it can be taken to close
//! the library. A session has its `settings`, the `counts` of the library and the `answers` in progress. `jobs` and
//! `downloads` outlive a session, and so do the `shown_pages`. `sample` and `copies` are the folders that the library keeps for itself.

pub(crate) mod app;
pub(crate) mod copies;
pub(crate) mod counts;
pub(crate) mod downloads;
pub(crate) mod jobs;
pub(crate) mod sample;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod shown_pages;
pub(crate) mod slot;
