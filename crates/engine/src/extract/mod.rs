//! The worker process that extracts text, as its parent sees it.
//!
//! `load` reads a file's bytes. `process` sends them to the worker and survives its crashes. `members` reads the files
//! inside a file, `unlock` PDFs that are locked, `bytes` gives what was read once more. `highlights` asks the worker
//! where sentences are on their pages. `tesseract` recognises text in pictures that the worker drew. `single` reads a file
//! that is not in the library.

pub(crate) mod bytes;
pub(crate) mod highlights;
pub(crate) mod load;
pub(crate) mod members;
pub(crate) mod process;
pub(crate) mod single;
pub(crate) mod tesseract;
pub(crate) mod unlock;
