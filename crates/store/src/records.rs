//! The records that are stored as JSON: few per document, readable in dumps, tolerant of new fields.

use std::collections::BTreeMap;
use std::path::PathBuf;

use oriel_core::{About, DocumentId, Failure, Kind, Notice, kept_notice};
use serde::{Deserialize, Serialize};

/// Size, time and inode of a file. If they are unchanged, the file is unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub modified: i64,
    /// The file's inode; 0 on systems without inodes.
    pub inode: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentState {
    /// The file was found and has not been read yet.
    Waiting,
    /// Its text and sentences are in the store.
    Indexed,
    /// It could not be read, and is not tried again until the file changes.
    Failed(Failure),
}

/// A watched file, or a file inside one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// Its absolute path. For a member: the path of the file that contains it, followed by its name inside.
    #[serde(with = "path_bytes")]
    pub path: PathBuf,
    /// The file on disk that contains it, if it is a member: an attachment, or a file in an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<DocumentId>,
    /// Its members, including members of members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<DocumentId>,
    /// The file's stamp at the last scan.
    pub stamp: Stamp,
    /// BLAKE3 of the bytes that were read, in hex; `None` before the first read.
    pub hash: Option<String>,
    /// The format: by its name at first, by its content after it was read.
    pub kind: Kind,
    /// The number of pages; 0 in formats without pages.
    #[serde(default)]
    pub pages: u32,
    /// The number of sentences.
    #[serde(default)]
    pub sentences: u32,
    /// What the file says about itself.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
    /// What its first lines say about it; `None` if an earlier version read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<HeadRecord>,
    /// Whether it was read with a password.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
    /// The languages of text recognition, by their names in Tesseract; `None` if no text was recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognised: Option<String>,
    /// Whether an earlier version read it. It is then read again even if its bytes are unchanged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outdated: bool,
    pub state: DocumentState,
}

impl DocumentRecord {
    /// Identifies the text that was read: the hash of the bytes, and the languages of text recognition.
    #[must_use]
    pub fn text_hash(&self) -> Option<String> {
        let hash = self.hash.clone()?;
        Some(self.recognised.iter().fold(hash, |hash, languages| format!("{hash}:{languages}")))
    }

    /// A document that was found and not read yet.
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

    /// The sender; `None` if it is not a mail.
    #[must_use]
    pub fn sender(&self) -> Option<&str> {
        self.about.author.as_deref().filter(|_| self.kind.is_mail())
    }

    /// When a mail was sent or another file was last changed, in nanoseconds since 1970.
    #[must_use]
    pub fn dated(&self) -> i64 {
        let sent = self.about.date.filter(|_| self.kind.is_mail());
        sent.map_or(self.stamp.modified, |seconds| seconds.saturating_mul(1_000_000_000))
    }
}

/// What the first lines of a document say about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadRecord {
    /// Its title, or its first line; empty if that is too long for a title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The first and the last day of the date that they give, as `2026-10-14`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<(String, String)>,
}

/// Which pages of a document need or got text recognition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PicturedRecord {
    /// The pages, from 1; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<u32>,
    /// The script of the text, by its name in Tesseract; `None` while unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The languages of the pages that an unfinished recognition has stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognising: Option<String>,
}

/// A followed folder, or a single followed file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderRecord {
    /// Absolute path.
    #[serde(with = "path_bytes")]
    pub path: PathBuf,
    /// Whether it is a single file.
    #[serde(default)]
    pub is_file: bool,
    /// Exclusion patterns, as in a `.gitignore` in the folder.
    #[serde(default)]
    pub excludes: Vec<String>,
    /// Whether symbolic links in it are followed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follow_links: bool,
    /// Why all or a part of it could not be read at the last scan.
    #[serde(flatten, with = "unreachable")]
    pub unreachable: Option<Notice>,
    /// Why it is scanned periodically instead of watched; one of the engine's words.
    #[serde(default)]
    pub timed: Option<String>,
    /// Where other file systems were mounted inside at the last scan.
    #[serde(default)]
    pub mounts: Vec<MountRecord>,
}

kept_notice!(unreachable, "unreachable", "unreachable_notice");

/// A mount point inside a folder, perhaps of a removable drive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MountRecord {
    /// Absolute path.
    #[serde(with = "path_bytes")]
    pub path: PathBuf,
    /// The device number (`st_dev`).
    pub device: u64,
}

/// What the last full scan found besides documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanRecord {
    /// The number of files in other formats.
    pub skipped: u64,
    /// Their most frequent extensions, in lower case, with counts; the empty extension stands for files without one.
    #[serde(default)]
    pub extensions: BTreeMap<String, u64>,
    /// The first of these files, by extension.
    #[serde(default)]
    pub examples: BTreeMap<String, Vec<String>>,
    /// Symbolic links that were not followed.
    #[serde(default)]
    pub links: LeftOut,
    /// Symbolic links that should be followed, but lead nowhere.
    #[serde(default)]
    pub dangling: LeftOut,
    /// Parts of saved web pages, which are not documents: files, and folders with their content.
    #[serde(default)]
    pub page_parts: u64,
    /// Their most frequent names, with counts.
    #[serde(default)]
    pub part_names: BTreeMap<String, u64>,
}

/// Files that a scan left out for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct LeftOut {
    pub count: u64,
    /// The first paths, to show to the user.
    pub paths: Vec<String>,
}

/// Which embedder made a set of vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderRecord {
    pub fingerprint: String,
    pub dimensions: usize,
}

/// The vectors that were active before a change of embedder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Previous {
    pub embedder: EmbedderRecord,
    /// When they may be deleted, in milliseconds since 1970.
    pub until: u64,
    /// Sentences that were added since and have no vector in this set.
    pub waiting: u64,
}

/// Sums over the store, updated with every write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    pub sentences: u64,
    pub terms: u64,
}

/// Serialises a path as a string if it is UTF-8, and as bytes otherwise.
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

    /// Deserialises both forms. An untagged enum would copy every path once more.
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
