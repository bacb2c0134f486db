//! Keeps conversations: one JSON file each, beside the index and independent of it.
//!
//! The index is written in long transactions and can be rebuilt; conversations must not wait for the one or be lost
//! with the other. A file is replaced as a whole, by one writer at a time. A file that cannot be parsed is moved aside,
//! never deleted.
//!
//! A writer holds a lock file while it reads, changes and writes a conversation. So a new title and a new turn do not
//! undo each other, in one process or in two.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use oriel_core::Notice;
use oriel_core::notice::shown;
use oriel_store::Stamp;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::conversation::{Conversation, ConversationId, Turn, now, one_line};
use crate::files::{replace_file, stamp};

/// The format version of the files. Optional fields do not raise it.
const FORMAT_VERSION: u32 = 1;
const EXTENSION: &str = "json";
/// The extension of a file that could not be parsed.
const BROKEN_EXTENSION: &str = "broken";
/// An empty file that a writer holds locked.
const LOCK_FILE: &str = "writing.lock";

/// Why a conversation was not read or written. Every message is one line.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.notice())]
pub enum ConversationError {
    /// A file or the folder cannot be read or written.
    Unusable { path: PathBuf, cause: std::io::Error },
    /// There is no conversation of this id (any more).
    Unknown { id: ConversationId },
    /// The file cannot be parsed; it was moved aside.
    Broken {
        /// The file at its new path.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The file was written by a newer version; it stays where it is.
    Newer { path: PathBuf },
}

impl ConversationError {
    /// The message for a user.
    #[must_use]
    pub fn notice(&self) -> Notice {
        match self {
            Self::Unusable { path, cause } => {
                Notice::ConversationUnusable { path: shown(path), cause: Notice::io(cause).into() }
            }
            Self::Unknown { id } => Notice::ConversationGone { id: id.to_string() },
            Self::Broken { path, why } => Notice::ConversationDamaged { path: shown(path), why: why.clone() },
            Self::Newer { path } => Notice::ConversationNewer { path: shown(path) },
        }
    }
}

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct ConversationRow {
    /// Its id.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub id: ConversationId,
    /// Its title.
    pub title: String,
    /// When its turns last changed, in milliseconds since 1970.
    pub changed: i64,
}

/// The conversations of one library. Several processes may open the same ones.
#[derive(Debug)]
pub struct Conversations {
    folder: PathBuf,
    /// A cache of each file, valid while its stamp is unchanged.
    known: Mutex<HashMap<ConversationId, Known>>,
}

#[derive(Debug)]
struct Known {
    stamp: Stamp,
    /// `None` if a newer version wrote it.
    row: Option<ConversationRow>,
    /// Title, questions and answers in lower case.
    words: String,
}

/// The part of a file that a list needs.
#[derive(Deserialize)]
struct Slim {
    version: u32,
    title: String,
    changed: i64,
    turns: Vec<SlimTurn>,
}

#[derive(Deserialize)]
struct SlimTurn {
    question: String,
    #[serde(default)]
    answer: Option<SlimAnswer>,
}

#[derive(Deserialize)]
struct SlimAnswer {
    answer: String,
}

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// A whole file without its id, which comes from the file name: the file may have been copied by hand.
#[derive(Deserialize)]
struct Whole {
    version: u32,
    title: String,
    created: i64,
    changed: i64,
    turns: Vec<Turn>,
}

/// A whole file as it is written.
#[derive(Serialize)]
struct Stored<'a> {
    version: u32,
    id: &'a ConversationId,
    title: &'a str,
    created: i64,
    changed: i64,
    turns: &'a [Turn],
}

impl Conversations {
    /// Opens the folder of conversations, and creates it if it is missing. A library's own is `conversations` in its
    /// folder.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn open(folder: &Path) -> Result<Self, ConversationError> {
        fs::create_dir_all(folder).map_err(|cause| unusable(folder, cause))?;
        Ok(Self { folder: folder.to_owned(), known: Mutex::default() })
    }

    /// The conversations whose title, questions and answers together contain every word of `query`, ignoring case; all
    /// if it is empty. The last changed come first. A file that cannot be parsed is moved aside, see
    /// [`Conversations::set_aside`].
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn list(&self, query: &str) -> Result<Vec<ConversationRow>, ConversationError> {
        let query = query.to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let mut known = self.known.lock();
        self.refresh(&mut known)?;
        let mut rows: Vec<_> = known
            .values()
            .filter(|one| words.iter().all(|word| one.words.contains(word)))
            .filter_map(|one| one.row.clone())
            .collect();
        rows.sort_unstable_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.id.cmp(&b.id)));
        Ok(rows)
    }

    /// Files that could not be parsed and were moved aside.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn set_aside(&self) -> Result<Vec<PathBuf>, ConversationError> {
        let entries = fs::read_dir(&self.folder).map_err(|cause| unusable(&self.folder, cause))?;
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        let mut found: Vec<_> = paths
            .filter(|path| path.extension().is_some_and(|extension| extension == BROKEN_EXTENSION))
            .collect();
        found.sort();
        Ok(found)
    }

    /// One conversation.
    ///
    /// # Errors
    /// If it does not exist, cannot be read, or cannot be parsed.
    pub fn get(&self, id: &ConversationId) -> Result<Conversation, ConversationError> {
        let bytes = self.bytes_of(id)?;
        let Whole { title, created, changed, turns, .. } =
            self.understood(id, parse(&bytes, |whole: &Whole| whole.version))?;
        Ok(Conversation { id: id.clone(), title, created, changed, turns })
    }

    /// Creates a conversation without turns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(&self, title: &str) -> Result<Conversation, ConversationError> {
        let now = now();
        let conversation = Conversation {
            id: ConversationId::random(),
            title: one_line(title),
            created: now,
            changed: now,
            turns: Vec::new(),
        };
        self.write(&conversation)?;
        Ok(conversation)
    }

    /// Reads, changes and writes a conversation, and updates its time. No other writer in any process intervenes. If
    /// `change` fails, everything stays as it was.
    ///
    /// # Errors
    /// That of `change`; [`ConversationError::Unknown`] if it was deleted meanwhile; others if it cannot be read or
    /// written.
    pub fn update<T, E: From<ConversationError>>(
        &self,
        id: &ConversationId,
        change: impl FnOnce(&mut Conversation) -> Result<T, E>,
    ) -> Result<T, E> {
        let _alone = self.alone()?;
        let mut conversation = self.get(id)?;
        let done = change(&mut conversation)?;
        conversation.changed = now();
        self.write(&conversation)?;
        Ok(done)
    }

    /// Renames a conversation. Its position in the list stays.
    ///
    /// # Errors
    /// If it does not exist (any more), or cannot be written.
    pub fn rename(&self, id: &ConversationId, title: &str) -> Result<(), ConversationError> {
        let _alone = self.alone()?;
        let conversation = self.get(id)?;
        self.write(&Conversation { title: one_line(title), ..conversation })
    }

    /// Deletes a conversation permanently.
    ///
    /// # Errors
    /// If it does not exist (any more), or cannot be deleted.
    pub fn delete(&self, id: &ConversationId) -> Result<(), ConversationError> {
        let path = self.path(id);
        let _alone = self.alone()?;
        fs::remove_file(&path).map_err(|cause| missing(id, &path, cause))
    }

    /// Takes the write lock, which is held until the value is dropped; waits while another thread or process has it. The
    /// system releases it when a process ends.
    fn alone(&self) -> Result<File, ConversationError> {
        let path = self.folder.join(LOCK_FILE);
        let locked = || {
            let file = File::options().write(true).create(true).truncate(false).open(&path)?;
            file.lock()?;
            Ok(file)
        };
        locked().map_err(|cause| unusable(&path, cause))
    }

    fn path(&self, id: &ConversationId) -> PathBuf {
        self.folder.join(id.as_str()).with_extension(EXTENSION)
    }

    fn bytes_of(&self, id: &ConversationId) -> Result<Vec<u8>, ConversationError> {
        let path = self.path(id);
        fs::read(&path).map_err(|cause| missing(id, &path, cause))
    }

    /// Reads every file that has changed since the last call.
    fn refresh(&self, known: &mut HashMap<ConversationId, Known>) -> Result<(), ConversationError> {
        let entries = fs::read_dir(&self.folder).map_err(|cause| unusable(&self.folder, cause))?;
        let mut before = std::mem::take(known);
        for entry in entries.filter_map(Result::ok) {
            let Some((id, stamp)) = conversation_file(&entry) else { continue };
            if let Some(same) = before.remove(&id).filter(|known| known.stamp == stamp) {
                known.insert(id, same);
                continue;
            }
            let read = self
                .bytes_of(&id)
                .and_then(|bytes| self.understood(&id, parse(&bytes, |slim: &Slim| slim.version)));
            match read {
                Ok(slim) => {
                    let (row, words) = slim.listed(&id);
                    known.insert(id, Known { stamp, row: Some(row), words });
                }
                Err(ConversationError::Newer { .. }) => {
                    known.insert(id, Known { stamp, row: None, words: String::new() });
                }
                // Deleted meanwhile, moved aside, or unreadable.
                Err(error) => tracing::warn!(%error, "a conversation is not listed"),
            }
        }
        Ok(())
    }

    /// Moves a file aside that could not be parsed.
    fn understood<T>(&self, id: &ConversationId, parsed: Result<T, Misread>) -> Result<T, ConversationError> {
        let path = self.path(id);
        match parsed {
            Ok(value) => Ok(value),
            Err(Misread::Newer) => Err(ConversationError::Newer { path }),
            Err(Misread::Broken(why)) => {
                // A unique name, so that nothing that was moved aside before is overwritten.
                let aside = self.folder.join(format!("{id}-{}.{BROKEN_EXTENSION}", ConversationId::random()));
                fs::rename(&path, &aside).map_err(|cause| unusable(&path, cause))?;
                Err(ConversationError::Broken { path: aside, why })
            }
        }
    }

    fn write(&self, conversation: &Conversation) -> Result<(), ConversationError> {
        let path = self.path(&conversation.id);
        let Conversation { id, title, created, changed, turns } = conversation;
        let stored = Stored {
            version: FORMAT_VERSION,
            id,
            title,
            created: *created,
            changed: *changed,
            turns: turns.as_slice(),
        };
        let failed = |cause| unusable(&path, cause);
        let bytes = serde_json::to_vec(&stored).map_err(|error| failed(error.into()))?;
        replace_file(&path, &bytes).map_err(failed)
    }
}

impl Slim {
    fn listed(self, id: &ConversationId) -> (ConversationRow, String) {
        let mut words = self.title.to_lowercase();
        for turn in &self.turns {
            words.push('\n');
            words.push_str(&turn.question.to_lowercase());
            if let Some(answer) = &turn.answer {
                words.push('\n');
                words.push_str(&answer.answer.to_lowercase());
            }
        }
        let row = ConversationRow { id: id.clone(), title: self.title, changed: self.changed };
        (row, words)
    }
}

/// Why bytes could not be parsed.
enum Misread {
    Newer,
    Broken(String),
}

/// Parses the bytes, if their version is supported.
fn parse<'b, T: Deserialize<'b>>(bytes: &'b [u8], version: impl Fn(&T) -> u32) -> Result<T, Misread> {
    match serde_json::from_slice(bytes) {
        Ok(parsed) if version(&parsed) <= FORMAT_VERSION => Ok(parsed),
        Ok(_) => Err(Misread::Newer),
        // A newer format may look quite different.
        Err(error) => match serde_json::from_slice::<Versioned>(bytes) {
            Ok(found) if found.version > FORMAT_VERSION => Err(Misread::Newer),
            _ => Err(Misread::Broken(error.to_string())),
        },
    }
}

/// Id and stamp of a file that has the name of a conversation.
fn conversation_file(entry: &fs::DirEntry) -> Option<(ConversationId, Stamp)> {
    let name = entry.file_name();
    let id = name.to_str()?.strip_suffix(EXTENSION)?.strip_suffix('.')?.parse().ok()?;
    let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
    Some((id, stamp(&metadata)))
}

fn unusable(path: &Path, cause: std::io::Error) -> ConversationError {
    ConversationError::Unusable { path: path.to_owned(), cause }
}

fn missing(id: &ConversationId, path: &Path, cause: std::io::Error) -> ConversationError {
    match cause.kind() {
        ErrorKind::NotFound => ConversationError::Unknown { id: id.clone() },
        _ => unusable(path, cause),
    }
}

#[cfg(test)]
mod tests;
