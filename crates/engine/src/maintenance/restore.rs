//! Restores a backup: reads and checks the whole file before anything is replaced, and keeps the library that was
//! there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use oriel_core::{CancelToken, Notice};
use oriel_store::{OpenLock, Store, StoreError, StoreOptions};
use serde::Serialize;

use crate::error::EngineError;
use crate::files::{absolute, sync_folder, unwritable};
use crate::library::folders::is_empty_list;
use crate::library::swap::{Unpacking, keep, put_back};
use crate::library::{CONVERSATIONS_FOLDER, DATA_FILE, FILES_FOLDER, FOLDERS_FILE, PROGRAMS_FILE};
use crate::maintenance::backup::{BackupEntry, CONTENTS, Contents, FORMAT_VERSION, is_known};

/// Maximum size of the archive's last file; enough for some hundred thousand conversations.
const MAX_CONTENTS_BYTES: u64 = 64 << 20;
/// The files that the store creates in a library's folder.
const STORE_FILES: [&str; 6] =
    [DATA_FILE, "data.mdb.compacted", "lock.mdb", "writer.lock", "building.lock", "open.lock"];

/// The result of a restore.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Restored {
    /// Bytes written.
    pub bytes: u64,
    /// Conversations restored.
    pub conversations: usize,
    /// The new path of the library that was there before; `None` if there was none, or an empty one.
    #[serde(serialize_with = "oriel_core::lossy::optional_path")]
    #[cfg_attr(feature = "ts", ts(type = "string | null"))]
    pub replaced: Option<PathBuf>,
}

/// A backup that was unpacked beside a library and checked, and has not replaced it yet. Dropping it without
/// [`Unpacked::put`] removes it.
pub struct Unpacked {
    place: Unpacking,
    library: PathBuf,
    contents: Contents,
}

/// Restores the backup `from` to the folder `library`. Nothing is replaced before the whole file has been read and
/// checked. An existing library that is not empty is replaced only with `replace`, and is then kept beside it.
///
/// # Errors
/// If the file is not a backup or is damaged, the library is open or not empty, or the disk is full, and after a
/// cancellation. Everything is then unchanged, or the error says where it is.
pub fn restore(
    from: &Path,
    library: &Path,
    replace: bool,
    progress: &mut dyn FnMut(u64, u64),
    cancel: &CancelToken,
) -> Result<Restored, EngineError> {
    put_back(library)?;
    if library.exists() {
        drop(vacated(&absolute(library), replace)?);
    }
    unpack_backup(from, library, progress, cancel)?.put(replace)
}

/// The first part of [`restore`], which takes long. The existing library may be in use meanwhile.
///
/// # Errors
/// If the file is not a backup or is damaged, or the disk is full, and after a cancellation. Everything is then
/// unchanged.
pub fn unpack_backup(
    from: &Path,
    library: &Path,
    progress: &mut dyn FnMut(u64, u64),
    cancel: &CancelToken,
) -> Result<Unpacked, EngineError> {
    put_back(library)?;
    // If it is a link, its target is replaced.
    let library = absolute(library);
    let parent = library.parent().unwrap_or(&library);
    fs::create_dir_all(parent).map_err(|cause| unwritable(parent, &cause))?;
    let place = Unpacking::beside(&library).map_err(|cause| unwritable(parent, &cause))?;
    let contents = unpack(from, place.path(), progress, cancel)?;
    // Refuses a store that is damaged or of an unsupported version before anything is replaced.
    drop(Store::open(place.path(), StoreOptions::default()).map_err(|error| {
        let why = match error {
            StoreError::Newer { .. } => Notice::BackupNewer,
            StoreError::Unreleased { .. } => Notice::BackupUnreleased,
            other => return EngineError::from(other),
        };
        EngineError::Path { path: from.to_owned(), why }
    })?);
    for folder in
        [place.path().join(CONVERSATIONS_FOLDER), place.path().join(FILES_FOLDER), place.path().to_owned()]
    {
        if folder.exists() {
            sync_folder(&folder).map_err(|cause| unwritable(&library, &cause))?;
        }
    }
    Ok(Unpacked { place, library, contents })
}

impl Unpacked {
    /// The second part of [`restore`], which is fast. The existing library must be closed.
    ///
    /// # Errors
    /// If the library is open, or contains something that must not be replaced. Everything is then unchanged, or the
    /// error says where it is.
    pub fn put(self, replace: bool) -> Result<Restored, EngineError> {
        let Self { place, library, contents } = self;
        let replaced = if library.exists() {
            // The library may have changed while the file was unpacked.
            let (_alone, is_blank) = vacated(&library, replace)?;
            // Documents that are hidden from other programs stay hidden.
            let hidden = library.join(PROGRAMS_FILE);
            if hidden.exists() {
                fs::copy(&hidden, place.path().join(PROGRAMS_FILE))
                    .map_err(|cause| unwritable(&hidden, &cause))?;
            }
            let old = place.swap(&library)?;
            if is_blank && remove_blank(&old).is_ok() { None } else { Some(keep(old, &library)) }
        } else {
            place.place(&library).map_err(|cause| unwritable(&library, &cause))?;
            None
        };
        sync_folder(library.parent().unwrap_or(&library)).map_err(|cause| {
            let why = Notice::RestoreUnconfirmed { cause: Notice::io(&cause).into() };
            EngineError::Path { path: library.clone(), why }
        })?;
        Ok(Restored {
            bytes: contents.files.values().map(|entry| entry.bytes).sum(),
            conversations: contents
                .files
                .keys()
                .filter(|name| name.starts_with(CONVERSATIONS_FOLDER))
                .count(),
            replaced,
        })
    }
}

/// Locks a folder to replace. Returns the lock, and whether the folder has nothing worth keeping.
fn vacated(library: &Path, replace: bool) -> Result<(OpenLock, bool), EngineError> {
    let occupied = || EngineError::Occupied { path: library.to_owned() };
    let looks_blank = || looks_blank(library).map_err(|cause| unwritable(library, &cause));
    let is_candidate = looks_blank()?;
    if !is_candidate && !replace {
        return Err(occupied());
    }
    let (lock, follows_nothing) = if is_candidate && library.join(DATA_FILE).exists() {
        match Store::open(library, StoreOptions::default()) {
            Ok(store) => {
                store.exclusive()?;
                let blank = store.read(|view| {
                    Ok::<_, StoreError>(view.folders()?.is_empty() && view.documents()?.next().is_none())
                });
                (store.close(), blank.unwrap_or(false))
            }
            Err(error) if says_nothing(&error) => return Err(error.into()),
            // It is damaged or of an unsupported version: unusable now, but it must not be lost.
            Err(_) => (OpenLock::of_folder(library)?, false),
        }
    } else {
        (OpenLock::of_folder(library)?, true)
    };
    let is_blank = follows_nothing && looks_blank()?;
    if is_blank || replace { Ok((lock, is_blank)) } else { Err(occupied()) }
}

/// Whether the error is temporary and tells nothing about the store's content.
fn says_nothing(error: &StoreError) -> bool {
    match error {
        StoreError::Replacing { .. } | StoreError::DiskFull { .. } => true,
        StoreError::Unusable { cause, .. } => cause.kind() == io::ErrorKind::PermissionDenied,
        _ => false,
    }
}

/// Whether the folder has only the files of an unused library. The store itself has to be checked too.
fn looks_blank(library: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(library)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        let is_blank = match entry.file_name().to_str() {
            Some(CONVERSATIONS_FOLDER) => kind.is_dir() && fs::read_dir(path)?.next().is_none(),
            Some(FOLDERS_FILE) => kind.is_file() && is_empty_list(&fs::read(path)?),
            Some(name) => kind.is_file() && STORE_FILES.contains(&name),
            None => false,
        };
        if !is_blank {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes a folder for which [`looks_blank`] was true, file by file, so that any new file in it is kept.
fn remove_blank(folder: &Path) -> io::Result<()> {
    let gone = |outcome: io::Result<()>| match outcome {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    gone(fs::remove_dir(folder.join(CONVERSATIONS_FOLDER)))?;
    for name in STORE_FILES.iter().chain([&FOLDERS_FILE]) {
        gone(fs::remove_file(folder.join(name)))?;
    }
    fs::remove_dir(folder)
}

/// Unpacks the archive and checks every file against the contents at its end.
fn unpack(
    from: &Path,
    into: &Path,
    progress: &mut dyn FnMut(u64, u64),
    cancel: &CancelToken,
) -> Result<Contents, EngineError> {
    let wrong = |why: Notice| EngineError::Path { path: from.to_owned(), why };
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => wrong(Notice::DoesNotExist),
        io::ErrorKind::PermissionDenied => wrong(Notice::BackupForbidden),
        _ => wrong(Notice::IsNoWholeBackup),
    };
    let file = File::open(from).map_err(unreadable)?;
    let total = file.metadata().map_err(unreadable)?.len();
    let mut archive = tar::Archive::new(io::BufReader::with_capacity(1 << 20, file));
    let (mut found, mut contents, mut done) = (BTreeMap::new(), None, 0);
    // Raw entries: a backup has no entries for long names.
    for entry in archive.entries().map_err(unreadable)?.raw(true) {
        let mut entry = entry.map_err(unreadable)?;
        let name = entry.path().ok().and_then(|path| path.to_str().map(str::to_owned)).unwrap_or_default();
        if contents.is_some() || !(is_known(&name) && entry.header().entry_type().is_file()) {
            return Err(wrong(Notice::IsNoBackup));
        }
        if name == CONTENTS {
            if entry.size() > MAX_CONTENTS_BYTES {
                return Err(wrong(Notice::IsNoBackup));
            }
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
        found.insert(name, BackupEntry { bytes, hash: hasher.finalize().to_hex().to_string() });
    }
    let contents = contents.ok_or_else(|| wrong(Notice::IsNoWholeBackup))?;
    if contents.version != FORMAT_VERSION {
        return Err(wrong(Notice::BackupNewer));
    }
    let copied = found.keys().filter(|name| name.starts_with(FILES_FOLDER));
    let are_named = contents.names.keys().eq(copied) && contents.names.values().all(|name| is_plain(name));
    if contents.files != found || !found.contains_key(DATA_FILE) || !are_named {
        return Err(wrong(Notice::BackupDamaged));
    }
    name(into, &contents).map_err(|cause| unwritable(into, &cause))?;
    Ok(contents)
}

/// Whether it is a plain file name, not a path.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

/// Renames the documents that were copied into the library to their original names.
fn name(into: &Path, contents: &Contents) -> io::Result<()> {
    let (numbered, named) = (into.join(FILES_FOLDER), into.join("named"));
    if !numbered.exists() {
        return Ok(());
    }
    fs::create_dir(&named)?;
    for (number, name) in &contents.names {
        let target = named.join(name);
        if target.exists() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(into.join(number), target)?;
    }
    fs::remove_dir(&numbered)?;
    fs::rename(named, numbered)
}
