//! Opening the environment, running transactions, growing the memory map.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use fs4::FileExt as _;
use heed::types::Bytes;
use heed::{CommitOrAbort, Env, EnvFlags, EnvOpenOptions, WithoutTls};
use oriel_core::notice::IoKind;

use crate::error::{is_full, unusable};
use crate::lock::OpenLock;
use crate::schema::{DATA_FILE, Databases, NAMES, Raw, UPGRADED, UPGRADED_NAMES, VERSION, meta};
use crate::upgrades::{UpgradedVectors, upgrade};
use crate::{Edit, StoreError, View, WriterLock, keys};

/// The name of a compacted copy until it replaces the original. After a kill it stays until the next opening.
pub(crate) const COMPACTED_FILE: &str = "data.mdb.compacted";
/// If fewer bytes than this are free, a failed write counts as a full disk.
const MIN_FREE_BYTES: u64 = 1 << 20;
/// Maximum number of readers in all processes together.
const MAX_READERS: u32 = 512;
/// The size of LMDB's lock file in bytes, estimated generously: a header, and a cache line per reader.
const LOCK_FILE_BYTES: u64 = (MAX_READERS as u64 + 64) * 128;

/// How a store is opened.
#[derive(Clone, Copy, Debug)]
pub struct StoreOptions {
    /// Initial size of the map in bytes, beyond the existing data; it grows when needed.
    pub map_size: usize,
    /// How long opening waits while another process replaces the data file.
    pub patience: Duration,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { map_size: 1 << 30, patience: Duration::from_secs(15) }
    }
}

/// The data of an open library. Several processes may open it at once, each only once.
pub struct Store {
    env: Env<WithoutTls>,
    databases: Databases,
    path: PathBuf,
    /// Whether this user may not write it.
    read_only: bool,
    /// Locked shared by every transaction, and exclusively while the map is resized, because LMDB forbids a resize
    /// during a transaction.
    map: RwLock<()>,
    /// Released last, so that nobody replaces the data file while it is open here.
    open: OpenLock,
}

impl Store {
    /// Opens the store in the folder `path`; creates both if they are missing. A store that this user may not write is
    /// opened read-only.
    ///
    /// # Errors
    /// If the folder cannot be used, holds something else, or was written by a newer Oriel or by an unreleased one.
    pub fn open(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        if is_read_only(path) {
            return Self::open_to_read(path, options);
        }
        std::fs::create_dir_all(path).map_err(|cause| unusable(path, cause))?;
        let path = &path.canonicalize().map_err(|cause| unusable(path, cause))?;
        let open = OpenLock::shared(path, options.patience)?;
        // Compacting holds this lock exclusively, so a copy that exists now was left by a kill.
        remove_leftover(&path.join(COMPACTED_FILE));
        reserve_lock(path)?;
        let env = environment(path, options, EnvFlags::empty())?;
        // Otherwise the pages of a process that was killed while reading could never be reused.
        env.clear_stale_readers()?;
        fill_up(&env, path)?;
        let databases = open_databases(&env, path).map_err(|error| named(path, error))?;
        let path = path.clone();
        let store = Self { env, databases, path, read_only: false, map: RwLock::new(()), open };
        store.check_version()?;
        Ok(store)
    }

    /// Opens a store that this user may not write, and changes nothing in its folder: it takes no slot in LMDB's reader
    /// table. A writer reuses freed pages after one more commit at the earliest; [`Store::read`] discards what it may
    /// have read after that.
    fn open_to_read(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        let path = &path.canonicalize().map_err(|cause| unusable(path, cause))?;
        let open = OpenLock::of_reader(path, options.patience)?;
        let env = environment(path, options, EnvFlags::READ_ONLY | EnvFlags::NO_LOCK)?;
        let damaged = |what: &str| StoreError::Damaged { path: path.clone(), what: what.to_owned() };
        if missing(&env)?.is_some() {
            return Err(damaged("its data file is cut off"));
        }
        let databases =
            existing_databases(&env, path)?.ok_or_else(|| StoreError::Older { path: path.clone() })?;
        let path = path.clone();
        let store = Self { env, databases, path, read_only: true, map: RwLock::new(()), open };
        match store.read(|view| view.number(meta::VERSION))? {
            Some(VERSION) => Ok(store),
            _ => Err(StoreError::Older { path: store.path }),
        }
    }

    /// Whether this user may not write it.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Fails if this user may not write the store.
    pub fn writable(&self) -> Result<(), StoreError> {
        if self.read_only { Err(read_only(&self.path)) } else { Ok(()) }
    }

    /// The library's folder, absolute.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the lock for indexing; one process has it at a time.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another process has it.
    pub fn lock_writer(&self) -> Result<WriterLock, StoreError> {
        self.writable()?;
        let lock = WriterLock::take(&self.path)?;
        // Pages held by a reader that was killed would let the file grow with every write.
        self.env.clear_stale_readers()?;
        Ok(lock)
    }

    /// Runs `read` on one state of the store. It should be short: pages that it may see cannot be reused meanwhile. It
    /// must not call [`Store::write`].
    ///
    /// # Errors
    /// What `read` returns, or an error of LMDB; [`StoreError::Overtaken`] if this user may not write the store and it
    /// was changed meanwhile, so that the result may be wrong.
    pub fn read<T, E: From<StoreError>>(&self, read: impl FnOnce(View<'_>) -> Result<T, E>) -> Result<T, E> {
        let mut guard = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let mut txn = self.env.read_txn().map_err(StoreError::from);
        if txn.as_ref().is_err_and(StoreError::is_map_resized) {
            drop((txn, guard));
            self.resize(0)?;
            guard = self.map.read().unwrap_or_else(PoisonError::into_inner);
            txn = self.env.read_txn().map_err(StoreError::from);
        }
        let txn = txn?;
        let result = read(View::new(&self.databases, &txn));
        let is_overtaken = self.read_only && self.env.info().last_txn_id > txn.id() + 1;
        drop((txn, guard));
        if is_overtaken { Err(StoreError::Overtaken { path: self.path.clone() }.into()) } else { result }
    }

    /// Runs `write` in one transaction: all of it is stored, or nothing. It runs again if the map had to grow, so it
    /// must not change anything outside the store.
    ///
    /// # Errors
    /// What `write` returns (nothing is stored then), or [`StoreError::DiskFull`].
    pub fn write<T>(
        &self,
        mut write: impl FnMut(&mut Edit<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.writable()?;
        loop {
            match self.write_once(&mut write) {
                Err(error) if error.is_map_full() => self.resize(self.env.info().map_size * 2)?,
                Err(error) if error.is_map_resized() => self.resize(0)?,
                other => return other.map_err(|error| named(&self.path, error)),
            }
        }
    }

    fn write_once<T>(
        &self,
        write: &mut impl FnMut(&mut Edit<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let _guard = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let mut edit = Edit::new(&self.databases, self.env.write_txn()?);
        let value = write(&mut edit)?;
        edit.commit()?;
        Ok(value)
    }

    /// Sets the size of the map in bytes; 0 adopts the size that another process chose.
    pub(crate) fn resize(&self, size: usize) -> Result<(), StoreError> {
        let _exclusive = self.map.write().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock is held exclusively, so this process has no transaction open.
        #[expect(unsafe_code, reason = "LMDB cannot check that no transaction is open; the lock does")]
        unsafe { self.env.resize(size) }?;
        tracing::debug!(bytes = self.env.info().map_size, "the map has grown");
        Ok(())
    }

    /// The size of the data on disk in bytes.
    ///
    /// # Errors
    /// If the file cannot be measured.
    pub fn size_on_disk(&self) -> Result<u64, StoreError> {
        Ok(self.env.real_disk_size()?)
    }

    pub(crate) fn env(&self) -> &Env<WithoutTls> {
        &self.env
    }

    /// Held while LMDB reads without a transaction of ours: the map must not be resized meanwhile.
    pub(crate) fn map_in_use(&self) -> impl Drop {
        self.map.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prevents others from opening the library from now on.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another process has it open.
    pub fn exclusive(&self) -> Result<(), StoreError> {
        self.writable()?;
        self.open.exclusive()
    }

    /// Closes the data file but keeps the lock on it.
    #[must_use]
    pub fn close(self) -> OpenLock {
        self.env.prepare_for_closing().wait();
        self.open
    }

    /// Upgrades a store of version 1; writes the version to a new store.
    fn check_version(&self) -> Result<(), StoreError> {
        let (databases, found) = (self.databases, self.read(|view| view.number(meta::VERSION))?);
        if found == Some(VERSION) {
            return Ok(());
        }
        if found.is_none() {
            let put = |edit: &mut Edit<'_>| databases.meta.put(edit.txn(), meta::VERSION, &keys::id(VERSION));
            return self.write(|edit| Ok(put(edit)?));
        }
        // An older Oriel must not have it open: it would go on writing its own format.
        self.open.exclusive()?;
        // One transaction moves vectors and postings, and it starts over whenever the map is full. A larger map avoids
        // that.
        self.resize(self.env.info().map_size * 2)?;
        let made = create_databases(&self.env, UPGRADED_NAMES);
        let [unindexed, stale, trees] = made.map_err(|error| named(&self.path, error))?;
        let from = UpgradedVectors { unindexed, stale, trees };
        self.write(|edit| match edit.view().number(meta::VERSION)? {
            // Another process upgraded it before this one had the lock.
            Some(VERSION) => Ok(()),
            _ => upgrade(edit, &from),
        })?;
        self.open.share_again()
    }
}

fn environment(path: &Path, options: StoreOptions, flags: EnvFlags) -> Result<Env<WithoutTls>, StoreError> {
    let page = page_size::get();
    let on_disk = std::fs::metadata(path.join(DATA_FILE)).map_or(0, |data| data.len());
    // Leaves room beyond the file: another process may let it grow at any time.
    let wanted = usize::try_from(on_disk).unwrap_or(usize::MAX / 4).saturating_add(options.map_size);
    let mut opening = EnvOpenOptions::new().read_txn_without_tls();
    opening
        .map_size(wanted.div_ceil(page) * page)
        .max_dbs((NAMES.len() + UPGRADED_NAMES.len()) as u32)
        .max_readers(MAX_READERS);
    // SAFETY: only LMDB changes the map: the folder is the library's own, and LMDB's lock file keeps several processes
    // apart. A read-only store has no lock file: if a writer in another process commits twice during one read, pages
    // change while they are read. LMDB checks the numbers of pages but not all of their content, so such a read may
    // also crash; see `docs/limits.md`.
    #[expect(unsafe_code, reason = "a memory map is unsafe by its nature")]
    let env = unsafe { opening.flags(flags).open(path) };
    env.map_err(|error| opening_failed(path, error))
}

fn open_databases(env: &Env<WithoutTls>, path: &Path) -> Result<Databases, StoreError> {
    // If all databases exist, no write transaction is needed, and opening does not wait for a writer.
    match existing_databases(env, path)? {
        Some(found) => Ok(found),
        None => create_databases(env, NAMES).map(Databases::new),
    }
}

/// Opens the databases and creates those that are missing.
fn create_databases<const N: usize>(env: &Env<WithoutTls>, names: [&str; N]) -> Result<[Raw; N], StoreError> {
    let wtxn = env.write_txn()?;
    let made = env.create_databases_and_commit(wtxn, |opener, wtxn| -> Result<_, StoreError> {
        let mut handles = Vec::with_capacity(N);
        for name in names {
            handles.push(opener.create_database::<Bytes, Bytes>(wtxn, Some(name))?);
        }
        all(handles).map(CommitOrAbort::<_, ()>::Commit)
    })?;
    match made {
        CommitOrAbort::Commit(handles) => Ok(handles),
        CommitOrAbort::Abort(()) => Err(StoreError::Corrupt("the databases could not be made".into())),
    }
}

fn all<T, const N: usize>(handles: Vec<T>) -> Result<[T; N], StoreError> {
    let count = handles.len();
    handles.try_into().map_err(|_: Vec<T>| StoreError::Corrupt(format!("{count} databases instead of {N}")))
}

/// The databases, if all are there.
fn existing_databases(env: &Env<WithoutTls>, path: &Path) -> Result<Option<Databases>, StoreError> {
    let rtxn = env.read_txn()?;
    let found = env.open_databases_and_commit(rtxn, |opener, rtxn| -> Result<_, StoreError> {
        let mut handles = Vec::with_capacity(NAMES.len());
        for name in NAMES {
            let Some(handle) = opener.open_database::<Bytes, Bytes>(rtxn, Some(name))? else {
                return Ok(CommitOrAbort::Abort(()));
            };
            if handles.is_empty() {
                // The first database is `meta`. A store of an unsupported version is not touched.
                match handle.get(rtxn, meta::VERSION)?.map(keys::read_id).transpose()? {
                    None | Some(VERSION | UPGRADED) => {}
                    Some(found) if found > VERSION => {
                        return Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION });
                    }
                    Some(found) => return Err(StoreError::Unreleased { path: path.to_owned(), found }),
                }
            }
            handles.push(handle);
        }
        all(handles).map(CommitOrAbort::Commit)
    })?;
    match found {
        CommitOrAbort::Commit(handles) => Ok(Some(Databases::new(handles))),
        CommitOrAbort::Abort(()) => Ok(None),
    }
}

/// Extends a data file that was cut off. Touching a page that is missing would crash the process; LMDB detects and
/// reports pages of zeros.
fn fill_up(env: &Env<WithoutTls>, path: &Path) -> Result<(), StoreError> {
    if missing(env)?.is_none() {
        return Ok(());
    }
    // While another process writes, the last known page and the file's length may be from different moments, and
    // setting the length could cut off what was written between them.
    let _exclusive = env.write_txn()?;
    if let Some(wanted) = missing(env)? {
        let data = OpenOptions::new().write(true).open(path.join(DATA_FILE));
        data.and_then(|file| file.set_len(wanted)).map_err(|cause| unusable(path, cause))?;
    }
    Ok(())
}

/// The length in bytes that the data file should have, if it is shorter.
fn missing(env: &Env<WithoutTls>) -> Result<Option<u64>, StoreError> {
    let pages = env.info().last_page_number as u64 + 1;
    let wanted = pages * u64::from(env.unnamed_database_stat().page_size);
    Ok((env.real_disk_size()? < wanted).then_some(wanted))
}

fn remove_leftover(path: &Path) {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            tracing::warn!(%error, "files of an interrupted compaction cannot be removed");
        }
        _ => {}
    }
}

fn opening_failed(path: &Path, error: heed::Error) -> StoreError {
    match error {
        heed::Error::Io(cause) => unusable(path, cause),
        heed::Error::Mdb(what) => StoreError::Damaged { path: path.to_owned(), what: what.to_string() },
        other => StoreError::Database(other),
    }
}

/// Adds the library's path to an error that lacks it. LMDB reports a short write as an input/output error; if hardly
/// any space is left, it becomes "disk full".
pub(crate) fn named(path: &Path, error: StoreError) -> StoreError {
    let full = error
        .io()
        .is_some_and(|cause| is_full(cause) || (IoKind::of(cause) == IoKind::InputOutput && no_room(path)));
    if full { StoreError::DiskFull { path: path.to_owned() } } else { error }
}

fn no_room(path: &Path) -> bool {
    fs4::available_space(path).is_ok_and(|bytes| bytes < MIN_FREE_BYTES)
}

/// Allocates disk space for LMDB's lock file before it is mapped. Touching a mapped page without disk space would crash
/// the process instead of returning an error.
fn reserve_lock(path: &Path) -> Result<(), StoreError> {
    let lock = path.join("lock.mdb");
    let reserved = OpenOptions::new().write(true).create(true).truncate(false).open(lock).and_then(|file| {
        // Allocates only what is missing and overwrites nothing.
        file.allocate(LOCK_FILE_BYTES)
    });
    match reserved {
        Err(error) if is_full(&error) => Err(StoreError::DiskFull { path: path.to_owned() }),
        // Some file systems cannot reserve space. LMDB itself reports one that cannot be written.
        _ => Ok(()),
    }
}

/// Whether the folder `path` has a store that this user may not write.
#[must_use]
pub fn is_read_only(path: &Path) -> bool {
    let data = path.join(DATA_FILE);
    OpenOptions::new().write(true).open(&data).is_err_and(|cause| is_refused(&cause)) && data.is_file()
}

fn read_only(path: &Path) -> StoreError {
    StoreError::ReadOnly { path: path.to_owned() }
}

/// Whether the system refused to write.
fn is_refused(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::mpsc;

    use super::*;

    /// Extending would cut off what another process writes meanwhile.
    #[test]
    fn a_file_that_was_cut_off_is_filled_up_while_nobody_writes() {
        let place = tempfile::tempdir().unwrap();
        let store = Store::open(place.path(), StoreOptions::default()).unwrap();
        let file = File::options().write(true).open(place.path().join(DATA_FILE)).unwrap();
        let length = file.metadata().unwrap().len();
        let writing = store.env.write_txn().unwrap();
        file.set_len(length - 4096).unwrap();
        let (told, done) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| told.send(fill_up(&store.env, place.path())).unwrap());
            let early = done.recv_timeout(Duration::from_millis(200));
            assert!(early.is_err(), "it did not wait for the writer");
            // Like a writer that adds pages to the file.
            file.set_len(length + 8 * 4096).unwrap();
            drop(writing);
            done.recv().unwrap().unwrap();
        });
        assert_eq!(file.metadata().unwrap().len(), length + 8 * 4096, "pages were cut off");
    }

    #[test]
    fn a_store_that_is_only_read_is_never_written_and_notices_a_writer() {
        let (own, shared) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let writer = Store::open(own.path(), StoreOptions::default()).unwrap();
        // The same file at another path, since LMDB opens a path only once in a process.
        std::fs::hard_link(own.path().join(DATA_FILE), shared.path().join(DATA_FILE)).unwrap();
        let reader = Store::open_to_read(shared.path(), StoreOptions::default()).unwrap();
        let write = || writer.write(|edit| edit.set_scan(&crate::ScanRecord::default())).unwrap();
        let read = |during: &dyn Fn()| {
            reader.read(|view| {
                during();
                view.number(meta::VERSION)
            })
        };
        assert_eq!(read(&|| ()).unwrap(), Some(VERSION));
        assert_eq!(read(&write).unwrap(), Some(VERSION), "what one write frees is not reused yet");
        let overtaken = read(&|| (0..2).for_each(|_| write()));
        assert!(matches!(overtaken, Err(StoreError::Overtaken { .. })), "{overtaken:?}");
        assert_eq!(read(&|| ()).unwrap(), Some(VERSION));
        for refused in [reader.write(|_| Ok(())), reader.exclusive(), reader.lock_writer().map(drop)] {
            assert!(matches!(refused, Err(StoreError::ReadOnly { .. })), "{refused:?}");
        }
        let files: Vec<_> =
            std::fs::read_dir(shared.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
        assert_eq!(files, [DATA_FILE]);
    }
}
