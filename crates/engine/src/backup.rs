//! A library in one file: a consistent copy of a library in use, and back.
//!
//! The file is a tar archive that any tool can open: `data.mdb` as LMDB copies it, the conversations, the settings, the
//! list of folders, and at its end `contents.json` with the length and BLAKE3 of each. A copy without it is not whole.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use oriel_core::CancelToken;
use oriel_store::{Store, StoreError, StoreOptions};
use serde::{Deserialize, Serialize};

use crate::EngineError;
use crate::library::{CONVERSATIONS, DATA, FOLDERS, Library, SETTINGS};
use crate::replace::sync_folder;

const VERSION: u32 = 1;
const CONTENTS: &str = "contents.json";
/// The size of a tar archive's header, and what the length of every file in it is rounded up to.
const BLOCK: u64 = 512;

/// What a backup holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BackedUp {
    /// Bytes of the file.
    pub bytes: u64,
    /// Conversations in it.
    pub conversations: usize,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// Bytes that were written.
    pub bytes: u64,
    /// Conversations among them.
    pub conversations: usize,
    /// Where the library lies now that was there before; `None` where there was none, or an empty one.
    #[serde(serialize_with = "oriel_core::lossy::optional_path")]
    pub replaced: Option<PathBuf>,
}

/// The last file of the archive.
#[derive(Serialize, Deserialize)]
struct Contents {
    version: u32,
    /// Milliseconds since 1970.
    created: u64,
    files: BTreeMap<String, Entry>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    bytes: u64,
    /// BLAKE3, in hexadecimal.
    hash: String,
}

impl Library {
    /// Writes everything the library holds into one file, as of one moment; others may go on writing meanwhile. The file
    /// is whole or not there. One that is there is replaced only if it is a backup. `progress` is told how many bytes
    /// have been written, of how many at most.
    ///
    /// # Errors
    /// Where the file cannot be written, is something else, or `cancel` came.
    pub fn backup(
        &self,
        to: &Path,
        progress: &mut dyn FnMut(u64, u64),
        cancel: &CancelToken,
    ) -> Result<BackedUp, EngineError> {
        let wrong = |why: String| EngineError::Path { path: to.to_owned(), why };
        let failed = |error: io::Error| {
            wrong(format!("cannot be written: {error}; check the folder and the room on its disk"))
        };
        if to.exists() && !is_backup(to) {
            return Err(wrong("is there and is no backup of Oriel; choose another name".into()));
        }
        let folder = to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new().suffix(".new").tempfile_in(folder).map_err(failed)?;
        let mut files = BTreeMap::new();
        // LMDB does not say beforehand how long its copy is: the header is written when it is there.
        file.write_all(&[0; BLOCK as usize]).map_err(failed)?;
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
        let padding = usize::try_from(bytes.next_multiple_of(BLOCK) - bytes).unwrap_or(0);
        file.write_all(&[0; BLOCK as usize][..padding]).map_err(failed)?;
        let end = file.stream_position().map_err(failed)?;
        file.rewind().map_err(failed)?;
        file.write_all(header(DATA, bytes).map_err(failed)?.as_bytes()).map_err(failed)?;
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        files.insert(DATA.to_owned(), Entry { bytes, hash: hasher.finalize().to_hex().to_string() });

        let mut archive = tar::Builder::new(file);
        let mut conversations = 0;
        for name in written_by_hand(self.path()) {
            cancel.check()?;
            // One that was deleted a moment ago is not missed.
            let Ok(bytes) = fs::read(self.path().join(&name)) else { continue };
            conversations += usize::from(name.starts_with(CONVERSATIONS));
            append(&mut archive, &name, &bytes).map_err(failed)?;
            let hash = blake3::hash(&bytes).to_hex().to_string();
            files.insert(name, Entry { bytes: bytes.len() as u64, hash });
        }
        let contents = Contents { version: VERSION, created: now(), files };
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

/// Puts the library in the file `from` in the place of the folder `library`. Nothing is touched before the whole file has
/// been read and found sound. A library that is there already is replaced only where `replace` says so, and lies beside
/// it then, whole.
///
/// # Errors
/// Where the file is no backup or is damaged, the library is open or holds something, the disk is full, or `cancel` came;
/// everything is as before then.
pub fn restore(
    from: &Path,
    library: &Path,
    replace: bool,
    progress: &mut dyn FnMut(u64, u64),
    cancel: &CancelToken,
) -> Result<Restored, EngineError> {
    let library = std::path::absolute(library).map_err(|cause| unwritable(library, &cause))?;
    let parent = library.parent().unwrap_or(&library);
    let is_blank = is_blank(&library)?;
    if !is_blank && !replace {
        return Err(EngineError::Occupied { path: library });
    }
    fs::create_dir_all(parent).map_err(|cause| unwritable(parent, &cause))?;
    let place = tempfile::Builder::new()
        .prefix(&beside(&library, "restoring"))
        .tempdir_in(parent)
        .map_err(|cause| unwritable(parent, &cause))?;
    let contents = unpack(from, place.path(), progress, cancel)?;
    // A store of a newer Oriel, or one that is damaged all the same, is refused before anything is replaced.
    drop(Store::open(place.path(), StoreOptions::default())?);
    let failed = |cause: io::Error| unwritable(&library, &cause);
    sync_folder(place.path()).map_err(failed)?;
    let replaced = if library.exists() {
        let _alone = oriel_store::OpenLock::of_folder(&library)?;
        exchange(place.path(), &library).map_err(failed)?;
        // The temporary folder is now the library that was there before.
        if is_blank {
            None
        } else {
            let kept = library.with_file_name(format!("{}{}", beside(&library, "replaced"), now()));
            fs::rename(place.keep(), &kept).map_err(failed)?;
            Some(kept)
        }
    } else {
        fs::rename(place.keep(), &library).map_err(failed)?;
        None
    };
    sync_folder(parent).map_err(failed)?;
    Ok(Restored {
        bytes: contents.files.values().map(|entry| entry.bytes).sum(),
        conversations: contents.files.keys().filter(|name| name.starts_with(CONVERSATIONS)).count(),
        replaced,
    })
}

/// Unpacks the archive and holds every file to what its end says of it.
fn unpack(
    from: &Path,
    into: &Path,
    progress: &mut dyn FnMut(u64, u64),
    cancel: &CancelToken,
) -> Result<Contents, EngineError> {
    let wrong = |why: &str| EngineError::Path { path: from.to_owned(), why: why.to_owned() };
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => wrong("does not exist; check the spelling"),
        io::ErrorKind::PermissionDenied => wrong("cannot be read; give your user the right to read it"),
        _ => wrong("is no backup of Oriel, or is cut off; choose another file"),
    };
    let file = File::open(from).map_err(unreadable)?;
    let total = file.metadata().map_err(unreadable)?.len();
    let mut archive = tar::Archive::new(io::BufReader::with_capacity(1 << 20, file));
    let (mut found, mut contents, mut done) = (BTreeMap::new(), None, 0);
    for entry in archive.entries().map_err(unreadable)? {
        let mut entry = entry.map_err(unreadable)?;
        let name = entry.path().ok().and_then(|path| path.to_str().map(str::to_owned)).unwrap_or_default();
        if contents.is_some() || !(is_known(&name) && entry.header().entry_type().is_file()) {
            return Err(wrong("is no backup of Oriel; choose another file"));
        }
        if name == CONTENTS {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(unreadable)?;
            contents = serde_json::from_slice::<Contents>(&bytes).ok();
            continue;
        }
        let path = into.join(&name);
        let unwritable = |cause: io::Error| unwritable(&path, &cause);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(unwritable)?;
        }
        let mut out = File::create_new(&path).map_err(unwritable)?;
        let mut hasher = blake3::Hasher::new();
        let mut piece = vec![0; 256 << 10];
        let mut bytes = 0;
        loop {
            cancel.check()?;
            let read = entry.read(&mut piece).map_err(unreadable)?;
            if read == 0 {
                break;
            }
            hasher.update(&piece[..read]);
            out.write_all(&piece[..read]).map_err(unwritable)?;
            bytes += read as u64;
            done += read as u64;
            progress(done, total);
        }
        out.sync_all().map_err(unwritable)?;
        found.insert(name, Entry { bytes, hash: hasher.finalize().to_hex().to_string() });
    }
    let contents =
        contents.ok_or_else(|| wrong("is no backup of Oriel, or is cut off; choose another file"))?;
    if contents.version != VERSION {
        return Err(wrong("was written by a newer Oriel; use that one to restore it"));
    }
    if contents.files != found || !found.contains_key(DATA) {
        return Err(wrong("is damaged: its files are not what its list says; choose another backup"));
    }
    Ok(contents)
}

/// The files of a library that a person wrote, by their names in its folder.
fn written_by_hand(library: &Path) -> Vec<String> {
    let mut names = vec![FOLDERS.to_owned(), SETTINGS.to_owned()];
    let kept = fs::read_dir(library.join(CONVERSATIONS)).into_iter().flatten().flatten();
    let files = kept.filter_map(|entry| entry.file_name().into_string().ok());
    names.extend(files.map(|name| format!("{CONVERSATIONS}/{name}")).filter(|name| is_known(name)));
    names.sort_unstable();
    names
}

/// Whether a name is one that a backup may hold: what it says is where the file will lie.
fn is_known(name: &str) -> bool {
    let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    match name.split_once('/') {
        None => [DATA, FOLDERS, SETTINGS, CONTENTS].contains(&name),
        Some((CONVERSATIONS, file)) => {
            file.rsplit_once('.').is_some_and(|(id, kind)| plain(id) && matches!(kind, "json" | "broken"))
        }
        Some(_) => false,
    }
}

fn is_backup(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut archive = tar::Archive::new(file);
    let first = archive.entries().ok().and_then(|mut entries| entries.next());
    first.and_then(Result::ok).is_some_and(|entry| entry.path().is_ok_and(|name| name == Path::new(DATA)))
}

/// Whether nothing would be lost if the folder were not there.
fn is_blank(library: &Path) -> Result<bool, EngineError> {
    let mut entries = match fs::read_dir(library) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(cause) => return Err(unwritable(library, &cause)),
    };
    if entries.next().is_none() {
        return Ok(true);
    }
    let has_conversations =
        fs::read_dir(library.join(CONVERSATIONS)).is_ok_and(|mut kept| kept.next().is_some());
    if has_conversations || !library.join(DATA).exists() {
        return Ok(false);
    }
    let store = match Store::open(library, StoreOptions::default()) {
        Ok(store) => store,
        // Of no use as it is, and still the person's.
        Err(error) if error.is_damage() => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    Ok(store
        .read(|view| Ok::<_, StoreError>(view.folders()?.is_empty() && view.documents()?.next().is_none()))?)
}

/// Puts each of two folders in the other's place, in one step where the system can.
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok(()),
            // Some file systems have no such step.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let between = b.with_file_name(format!("{}{}", beside(b, "replacing"), now()));
    fs::rename(b, &between)?;
    fs::rename(a, b)?;
    fs::rename(&between, a)
}

/// The beginning of a name beside the library.
fn beside(library: &Path, what: &str) -> String {
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}.{what}-")
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

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn unwritable(path: &Path, cause: &io::Error) -> EngineError {
    let why = format!("cannot be written: {cause}; check its permissions and the room on the disk");
    EngineError::Path { path: path.to_owned(), why }
}
