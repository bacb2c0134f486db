//! A file that is published for download.

/// A file with its published size and checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteFile {
    /// Its https address.
    pub url: String,
    /// Its name in the model's folder.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}
