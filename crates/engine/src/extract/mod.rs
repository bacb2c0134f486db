//! The worker process that extracts text, seen from its parent.
//!
//! `load` reads a file's bytes. `process` sends them to the worker and survives its crashes. `members` reads the files
//! inside a file, `unlock` PDFs with a password; `bytes` returns the bytes that were read. `highlights` asks the worker
//! where sentences are on their pages. `tesseract` recognises text in images that the worker drew. `single` reads a
//! file that is not in the library.

pub(crate) mod bytes;
pub(crate) mod highlights;
pub(crate) mod load;
pub(crate) mod members;
pub(crate) mod process;
pub(crate) mod single;
pub(crate) mod tesseract;
pub(crate) mod unlock;
