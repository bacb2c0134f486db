//! The programs that have a sandbox.

/// A program that has a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Reads the bytes of documents from a pipe. It opens no file and no socket.
    Extractor {
        /// Bytes of address space that it may use.
        memory: u64,
    },
    /// Reads a model file, and uses no network. It may write files: the driver of a graphics card does.
    Generator,
    /// Connects to servers. It accepts no connections and changes no file, but reads the system's certificates and name
    /// servers.
    Client,
    /// Accepts connections at a socket that listens already. It opens no file and no other socket, so it connects to nobody.
    Server,
}
