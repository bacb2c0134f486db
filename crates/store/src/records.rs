//! The records that are stored as JSON: few per document, read by people in dumps, tolerant of new fields.

use std::collections::BTreeMap;
use std::path::PathBuf;

use oriel_core::{About, DocumentId, Failure, Kind, Notice, kept_notice};
use serde::{Deserialize, Serialize};

/// Tells whether a file has changed without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i64,
    /// The file's inode; 0 on systems without.
    pub inode: u64,
}

/// The state of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentState {
    /// Seen, not read yet.
    Waiting,
    /// Its text and sentences are in the store.
    Indexed,
    /// Could not be read; not tried again until the file changes.
    Failed(Failure),
}

/// One watched file, or a file inside one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// Absolute path; of a member, the path of the file that holds it and its name inside.
    #[serde(with = "path_bytes")]
    pub path: PathBuf,
    /// The file on the disk that holds it, if it is a member: an attachment, a file in an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<DocumentId>,
    /// Its members, also those of its members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<DocumentId>,
    /// The file as it was when it was last seen.
    pub stamp: Stamp,
    /// BLAKE3 of the bytes that were read, in hex; `None` before the first reading.
    pub hash: Option<String>,
    /// The format: by its name, and by its content once it was read.
    pub kind: Kind,
    /// Pages; 0 in formats without pages.
    #[serde(default)]
    pub pages: u32,
    /// Sentences.
    #[serde(default)]
    pub sentences: u32,
    /// What the file says about itself.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
    /// What its first lines say of it; `None` if an earlier version read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<HeadRecord>,
    /// Whether it was read with a password.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    /// The languages in which its text, or that of some pages, was recognised, as Tesseract names them; `None` if all was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognised: Option<String>,
    /// Whether an earlier version read it. It is read again even if its bytes are the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outdated: bool,
    /// Its state.
    pub state: DocumentState,
}

impl DocumentRecord {
    /// Identifies the text that was read: the hash of the bytes, and the languages that it was recognised in.
    #[must_use]
    pub fn text_hash(&self) -> Option<String> {
        let hash = self.hash.clone()?;
        Some(self.recognised.iter().fold(hash, |hash, languages| format!("{hash}:{languages}")))
    }

    /// A document whose file was seen and has not been read.
    #[must_use]
    pub fn unread(path: PathBuf, kind: Kind, stamp: Stamp) -> Self {
        Self {
            path,
            within: None,
            members: Vec::new(),
            stamp,
            hash: None,
            kind,
            pages: 0,
            sentences: 0,
            about: About::default(),
            head: None,
            locked: false,
            recognised: None,
            outdated: false,
            state: DocumentState::Waiting,
        }
    }

    /// Who sent it; `None` if it is no mail.
    #[must_use]
    pub fn sender(&self) -> Option<&str> {
        self.about.author.as_deref().filter(|_| self.kind.is_mail())
    }

    /// When a mail was sent, or another file last changed, in nanoseconds since 1970.
    #[must_use]
    pub fn dated(&self) -> i64 {
        let sent = self.about.date.filter(|_| self.kind.is_mail());
        sent.map_or(self.stamp.modified, |seconds| seconds.saturating_mul(1_000_000_000))
    }
}

/// What the first lines of a document say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadRecord {
    /// Its title, or its first line; empty if that is too long for a title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The first and the last day that they date it to, as `2026-10-14`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<(String, String)>,
}

/// What is to be recognised in a document, or was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PicturedRecord {
    /// The pages, from 1; empty if it is all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<u32>,
    /// The script that they are written in, as Tesseract names it; `None` while it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The languages of the pages that are kept of a recognition that is not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognising: Option<String>,
}

/// A folder that is followed, or a file that is followed by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderRecord {
    /// Absolute path.
    #[serde(with = "path_bytes")]
    pub path: PathBuf,
    /// Whether it is one file.
    #[serde(default)]
    pub is_file: bool,
    /// Exclusion patterns, as in a `.gitignore` in the folder.
    #[serde(default)]
    pub excludes: Vec<String>,
    /// Whether symbolic links in it are followed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follow_links: bool,
    /// Why it, or a part of it, could not be read at the last scan.
    #[serde(flatten, with = "unreachable")]
    pub unreachable: Option<Notice>,
    /// Why it is scanned periodically instead of watched; a word that the engine knows.
    #[serde(default)]
    pub timed: Option<String>,
    /// Where other file systems were mounted in it at the last scan.
    #[serde(default)]
    pub mounts: Vec<MountRecord>,
}

kept_notice!(unreachable, "unreachable", "unreachable_notice");

/// A folder with another file system mounted on it, perhaps a removable drive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MountRecord {
    /// Absolute path.
    #[serde(with = "path_bytes")]
    pub path: PathBuf,
    /// The number of the device (`st_dev`).
    pub device: u64,
}

/// What the last full scan saw besides documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanRecord {
    /// Files of other formats.
    pub skipped: u64,
    /// The most frequent extensions among them, in lower case, with their counts; empty for files without one.
    #[serde(default)]
    pub extensions: BTreeMap<String, u64>,
    /// The first of these files, by extension.
    #[serde(default)]
    pub examples: BTreeMap<String, Vec<String>>,
    /// Symbolic links that were not followed.
    #[serde(default)]
    pub links: LeftOut,
    /// Symbolic links that were to be followed and lead nowhere.
    #[serde(default)]
    pub dangling: LeftOut,
    /// Parts of web pages, which are no documents of their own: folders and files with all that is below them.
    #[serde(default)]
    pub page_parts: u64,
    /// The most frequent names among them, with their counts.
    #[serde(default)]
    pub part_names: BTreeMap<String, u64>,
}

/// Files that a scan left out for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// How many.
    pub count: u64,
    /// The paths of the first, for people.
    pub paths: Vec<String>,
}

/// Which embedder made the vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderRecord {
    /// The embedder's fingerprint.
    pub fingerprint: String,
    /// The length of its vectors.
    pub dimensions: usize,
}

/// Vectors that were active before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Previous {
    /// Their embedder.
    pub embedder: EmbedderRecord,
    /// Until when they are kept, in milliseconds since 1970.
    pub until: u64,
    /// Sentences that were added since and have no such vector.
    pub waiting: u64,
}

/// Sums over the store, updated with every write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Sentences of all documents.
    pub sentences: u64,
    /// Terms of all sentences.
    pub terms: u64,
}

/// A path, as a string if it is UTF-8 and as bytes otherwise: file names may be anything.
mod path_bytes {
    use std::fmt;
    use std::path::{Path, PathBuf};

    use serde::de::{SeqAccess, Visitor};
    use serde::{Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        match path.to_str() {
            Some(text) => text.serialize(serializer),
            None => path.as_os_str().as_encoded_bytes().serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        deserializer.deserialize_any(Either)
    }

    /// Reads what [`serialize`] wrote; an untagged enum would copy every path once more.
    struct Either;

    impl<'de> Visitor<'de> for Either {
        type Value = PathBuf;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a string or an array of bytes")
        }

        fn visit_str<E>(self, text: &str) -> Result<PathBuf, E> {
            Ok(PathBuf::from(text))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<PathBuf, A::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = sequence.next_element()? {
                bytes.push(byte);
            }
            Ok(from_bytes(bytes))
        }
    }

    #[cfg(unix)]
    fn from_bytes(bytes: Vec<u8>) -> PathBuf {
        use std::os::unix::ffi::OsStringExt;
        PathBuf::from(std::ffi::OsString::from_vec(bytes))
    }

    #[cfg(not(unix))]
    fn from_bytes(bytes: Vec<u8>) -> PathBuf {
        PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf8_comes_back() {
        use std::os::unix::ffi::OsStringExt;
        let path = PathBuf::from(std::ffi::OsString::from_vec(b"/x/\xff\xfe.txt".to_vec()));
        let json =
            serde_json::to_vec(&FolderRecord { path: path.clone(), ..FolderRecord::default() }).unwrap();
        assert_eq!(serde_json::from_slice::<FolderRecord>(&json).unwrap().path, path);
    }

    #[test]
    fn a_folder_of_the_first_oriel_is_read() {
        let folder: FolderRecord = serde_json::from_str(r#"{"path":"/documents"}"#).unwrap();
        assert_eq!(folder, FolderRecord { path: "/documents".into(), ..FolderRecord::default() });
    }

    #[test]
    fn the_note_of_a_folder_is_read_with_and_without_its_code() {
        let old: FolderRecord =
            serde_json::from_str(r#"{"path":"/documents","unreachable":"it is away"}"#).unwrap();
        assert_eq!(old.unreachable, Some(Notice::text("it is away")));
        let folder = FolderRecord { unreachable: Some(Notice::DriveNotConnected), ..old };
        let json = serde_json::to_value(&folder).unwrap();
        assert!(json["unreachable"].is_string(), "older versions read only that");
        assert_eq!(serde_json::from_value::<FolderRecord>(json).unwrap(), folder);
    }

    #[test]
    fn a_scan_of_the_first_oriel_is_read() {
        let scan: ScanRecord = serde_json::from_str(r#"{"skipped":3}"#).unwrap();
        assert_eq!(scan, ScanRecord { skipped: 3, ..ScanRecord::default() });
    }
}
