//! Writes a library into one file: a consistent copy, even while the library is in use. `restore` reads it.
//!
//! The file is a plain tar archive: `data.mdb` as LMDB copies it, the conversations, the settings, the list of folders and the
//! documents that were copied into the library. `contents.json` comes last, with the length and BLAKE3 of each file; an
//! archive without it is incomplete.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, Notice};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::error::EngineError;
use crate::files::{name_of, now, sync_folder};
use crate::library::{
    CONVERSATIONS_FOLDER, DATA_FILE, EVALUATION_FILE, FILES_FOLDER, FOLDERS_FILE, GLOSSARY_FILE, Library,
    PROGRAMS_FILE, QUESTIONS_FILE, SETTINGS_FILE,
};

pub(crate) const FORMAT_VERSION: u32 = 1;
pub(crate) const CONTENTS: &str = "contents.json";
/// Files in the library's folder that cannot be recreated.
const WRITTEN_BY_HAND: [&str; 6] =
    [EVALUATION_FILE, FOLDERS_FILE, GLOSSARY_FILE, PROGRAMS_FILE, QUESTIONS_FILE, SETTINGS_FILE];
/// The block size of a tar archive: the size of a header, and the unit that file lengths are rounded up to.
const TAR_BLOCK: u64 = 512;

/// The content of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct BackedUp {
    pub bytes: u64,
    pub conversations: usize,
}

/// The last file of the archive.
#[derive(Serialize, Deserialize)]
pub(crate) struct Contents {
    pub(crate) version: u32,
    /// Milliseconds since 1970.
    created: u64,
    pub(crate) files: BTreeMap<String, BackupEntry>,
    /// The original names of documents that were copied into the library, by their names in the archive.
    #[serde(default)]
    pub(crate) names: BTreeMap<String, String>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BackupEntry {
    pub(crate) bytes: u64,
    /// BLAKE3, in hexadecimal.
    pub(crate) hash: String,
}

impl Library {
    /// Writes the whole library into one file, as of one moment. Other writers may continue meanwhile. The file is
    /// complete or does not exist. An existing file is replaced only if it is a backup. `progress` gets the bytes
    /// written so far and an upper bound.
    ///
    /// # Errors
    /// If the file cannot be written or is not a backup, a file of the library cannot be read, or after a cancellation.
    pub fn backup(
        &self,
        to: &Path,
        progress: &mut dyn FnMut(u64, u64),
        cancel: &CancelToken,
    ) -> Result<BackedUp, EngineError> {
        let wrong = |why: Notice| EngineError::Path { path: to.to_owned(), why };
        let failed =
            |error: io::Error| wrong(Notice::BackupCannotBeWritten { cause: Notice::io(&error).into() });
        if to.exists() && !is_backup(to) {
            return Err(wrong(Notice::TargetIsNoBackup));
        }
        let folder = to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = to.file_name().ok_or_else(|| wrong(Notice::IsNoFileName))?;
        let mut file = unfinished(folder, name).map_err(failed)?;
        let mut files = BTreeMap::new();
        // The length of LMDB's copy is not known beforehand, so the header is written afterwards.
        file.write_all(&[0; TAR_BLOCK as usize]).map_err(failed)?;
        let mut hasher = blake3::Hasher::new();
        let (mut done, total) = (0, self.store.size_on_disk()?);
        let bytes = self.store.copy(|piece| {
            cancel.check()?;
            hasher.update(piece);
            file.write_all(piece).map_err(failed)?;
            done += piece.len() as u64;
            progress(done, total);
            Ok::<_, EngineError>(())
        })?;
        let padding = usize::try_from(bytes.next_multiple_of(TAR_BLOCK) - bytes).unwrap_or(0);
        file.write_all(&[0; TAR_BLOCK as usize][..padding]).map_err(failed)?;
        let end = file.stream_position().map_err(failed)?;
        file.rewind().map_err(failed)?;
        file.write_all(header(DATA_FILE, bytes).map_err(failed)?.as_bytes()).map_err(failed)?;
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        files.insert(
            DATA_FILE.to_owned(),
            BackupEntry { bytes, hash: hasher.finalize().to_hex().to_string() },
        );

        let mut archive = tar::Builder::new(file);
        let mut conversations = 0;
        let mut names = BTreeMap::new();
        for (name, path) in written_by_hand(self.path())?.into_iter().chain(copied(self.path())?) {
            cancel.check()?;
            let bytes = match fs::read(&path) {
                Ok(bytes) => bytes,
                // The file was just deleted.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(cause) => return Err(unreadable(&path, &cause)),
            };
            conversations += usize::from(name.starts_with(CONVERSATIONS_FOLDER));
            if name.starts_with(FILES_FOLDER) {
                names.insert(name.clone(), name_of(&path));
            }
            append(&mut archive, &name, &bytes).map_err(failed)?;
            let hash = blake3::hash(&bytes).to_hex().to_string();
            files.insert(name, BackupEntry { bytes: bytes.len() as u64, hash });
        }
        let contents = Contents { version: FORMAT_VERSION, created: now(), files, names };
        let contents = serde_json::to_vec_pretty(&contents).map_err(|error| failed(error.into()))?;
        append(&mut archive, CONTENTS, &contents).map_err(failed)?;
        let file = archive.into_inner().map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        let bytes = file.as_file().metadata().map_err(failed)?.len();
        file.persist(to).map_err(|error| failed(error.error))?;
        sync_folder(folder).map_err(failed)?;
        Ok(BackedUp { bytes, conversations })
    }
}

/// The locked temporary file for a backup until it is complete. Removes files that killed processes left of earlier
/// backups with the same name.
fn unfinished(folder: &Path, name: &OsStr) -> io::Result<NamedTempFile> {
    let mut prefix = OsStr::new(".").to_owned();
    prefix.push(name);
    prefix.push(".writing-");
    // If the folder cannot be listed, nothing is removed.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_one = entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_one && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            fs::remove_file(entry.path())?;
        }
    }
    let file = tempfile::Builder::new().prefix(&prefix).tempfile_in(folder)?;
    match file.as_file().try_lock() {
        // If files cannot be locked here, no process can mistake this one for a left-over.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::ResourceBusy.into()),
    }
}

/// Conversations and other files that cannot be recreated from documents, by their names in the library and in the
/// archive.
fn written_by_hand(library: &Path) -> Result<Vec<(String, PathBuf)>, EngineError> {
    let mut names = WRITTEN_BY_HAND.map(str::to_owned).to_vec();
    for path in entries(&library.join(CONVERSATIONS_FOLDER))? {
        names
            .extend(Some(format!("{CONVERSATIONS_FOLDER}/{}", name_of(&path))).filter(|name| is_known(name)));
    }
    names.sort_unstable();
    Ok(names.into_iter().map(|name| (name.clone(), library.join(name))).collect())
}

/// The documents that were copied into the library, by their numbers in the archive. Names in the archive are short and
/// plain, while names of documents can be anything.
fn copied(library: &Path) -> Result<Vec<(String, PathBuf)>, EngineError> {
    let mut files = entries(&library.join(FILES_FOLDER))?;
    files.retain(|path| path.is_file());
    files.sort_unstable();
    Ok(files
        .into_iter()
        .enumerate()
        .map(|(number, path)| (format!("{FILES_FOLDER}/{number}"), path))
        .collect())
}

/// The entries of a folder, which may not exist.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let unreadable = |cause: io::Error| unreadable(folder, &cause);
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry.map_err(unreadable)?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(cause) => Err(unreadable(cause)),
    }
}

fn unreadable(path: &Path, cause: &io::Error) -> EngineError {
    let why = Notice::MissingInBackup { cause: Notice::io(cause).into() };
    EngineError::Path { path: path.to_owned(), why }
}

/// Whether a backup may contain this name, which decides where the file is unpacked.
pub(crate) fn is_known(name: &str) -> bool {
    let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    match name.split_once('/') {
        None => [DATA_FILE, CONTENTS].contains(&name) || WRITTEN_BY_HAND.contains(&name),
        Some((CONVERSATIONS_FOLDER, file)) => {
            file.rsplit_once('.').is_some_and(|(id, kind)| plain(id) && matches!(kind, "json" | "broken"))
        }
        Some((FILES_FOLDER, number)) => {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        }
        Some(_) => false,
    }
}

fn is_backup(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut archive = tar::Archive::new(file);
    let first = archive.entries().ok().and_then(|entries| entries.raw(true).next());
    first
        .and_then(Result::ok)
        .is_some_and(|entry| entry.path().is_ok_and(|name| name == Path::new(DATA_FILE)))
}

fn header(name: &str, bytes: u64) -> io::Result<tar::Header> {
    let mut header = tar::Header::new_gnu();
    header.set_path(name)?;
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_mtime(now() / 1000);
    header.set_cksum();
    Ok(header)
}

fn append(archive: &mut tar::Builder<impl Write>, name: &str, bytes: &[u8]) -> io::Result<()> {
    archive.append(&header(name, bytes.len() as u64)?, bytes)
}
