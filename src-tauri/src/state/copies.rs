//! Copies of documents in the library's own folder.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use oriel_api::AppError;
use oriel_core::{CancelToken, Cancelled, Notice};
use tempfile::TempPath;

/// Bytes that are copied between two checks for cancellation.
const BLOCK_BYTES: usize = 1 << 20;
/// Prefix of an unfinished copy's name. Hidden files are not indexed.
const PARTIAL_PREFIX: &str = ".copying-";

/// Copies files into a folder, each under its own name or the next free one: all of them or none. One call at a time for
/// each folder. `copied` gets the bytes that are done and the bytes in all.
pub(crate) fn copy_all(
    files: &[PathBuf],
    folder: &Path,
    copied: &mut dyn FnMut(u64, u64),
    cancel: &CancelToken,
) -> Result<Vec<PathBuf>, AppError> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Notice::of_path(folder, Notice::FolderNotMade { cause: Notice::io(&error).into() })
    })?;
    sweep(folder);
    // A file that cannot be read is reported when it is copied.
    let sizes = files.iter().filter_map(|file| Some(file.metadata().ok()?.len()));
    let (mut done, total) = (0, sizes.sum());
    let mut step = |bytes: usize| {
        done += bytes as u64;
        copied(done, total);
        cancel.check()
    };
    let whole: Result<Vec<_>, _> = files.iter().map(|file| copy(file, folder, &mut step)).collect();
    let mut made = Vec::new();
    for (copy, file) in whole?.into_iter().zip(files) {
        match move_to_free_name(copy, file, folder) {
            Ok(place) => made.push(place),
            Err(error) => {
                undo(&made);
                return Err(error);
            }
        }
    }
    Ok(made)
}

/// Deletes unfinished copies of an earlier run that was killed.
fn sweep(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let left = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PARTIAL_PREFIX));
    undo(&left.map(|entry| entry.path()).collect::<Vec<_>>());
}

/// Deletes copies that were just made.
pub(crate) fn undo(made: &[PathBuf]) {
    for copy in made {
        if let Err(error) = std::fs::remove_file(copy) {
            tracing::warn!(%error, copy = %copy.display(), "a copy stays");
        }
    }
}

/// Deletes one of the library's own folders and everything in it.
pub(crate) fn delete_folder(folder: &Path) -> Result<(), AppError> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Notice::of_path(folder, Notice::NotDeleted { cause: Notice::io(&error).into() }).into())
        }
        _ => Ok(()),
    }
}

/// Copies a file under a hidden name. The copy is deleted when the result is dropped.
fn copy(
    file: &Path,
    folder: &Path,
    step: &mut dyn FnMut(usize) -> Result<(), Cancelled>,
) -> Result<TempPath, AppError> {
    let failed =
        |error: io::Error| Notice::of_path(file, Notice::NotCopied { cause: Notice::io(&error).into() });
    let mut from = File::open(file).map_err(failed)?;
    let mut to = tempfile::Builder::new()
        .prefix(PARTIAL_PREFIX)
        .tempfile_in(folder)
        .map_err(|error| not_written(folder, &error))?;
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        let read = match from.read(&mut block) {
            Ok(0) => return Ok(to.into_temp_path()),
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(failed(error).into()),
        };
        to.write_all(&block[..read]).map_err(failed)?;
        step(read)?;
    }
}

/// Gives a finished copy the name of its file, or the next free one.
fn move_to_free_name(mut copy: TempPath, file: &Path, folder: &Path) -> Result<PathBuf, AppError> {
    let (stem, extension) = (file.file_stem().unwrap_or_default(), file.extension().unwrap_or_default());
    for number in 1u32.. {
        let mut name = stem.to_owned();
        if number > 1 {
            name.push(format!(" {number}"));
        }
        name.push(".");
        name.push(extension);
        let target = folder.join(name);
        match copy.persist_noclobber(&target) {
            Ok(()) => return Ok(target),
            Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => copy = taken.path,
            Err(failed) => return Err(not_written(&target, &failed.error).into()),
        }
    }
    Err(Notice::of_path(file, Notice::TooManyNamesakes).into())
}

fn not_written(path: &Path, error: &io::Error) -> Notice {
    Notice::of_path(path, Notice::NotWritten { cause: Notice::io(error).into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy_all(files: &[PathBuf], folder: &Path) -> Result<Vec<PathBuf>, AppError> {
        super::copy_all(files, folder, &mut |_, _| (), &CancelToken::new())
    }

    #[test]
    fn a_copy_never_replaces_a_namesake() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = from.path().join("Brief 7%#ä.md");
        std::fs::write(&file, "one").unwrap();
        let copy = || copy_all(std::slice::from_ref(&file), to.path()).unwrap().remove(0);
        assert_eq!(copy(), to.path().join("Brief 7%#ä.md"));
        std::fs::write(&file, "two").unwrap();
        assert_eq!(copy(), to.path().join("Brief 7%#ä 2.md"));
        assert_eq!(std::fs::read_to_string(to.path().join("Brief 7%#ä.md")).unwrap(), "one");
    }

    #[test]
    fn if_one_file_cannot_be_copied_none_is() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = from.path().join("a.md");
        std::fs::write(&file, "one").unwrap();
        let own = to.path().join("files");
        assert!(copy_all(&[file.clone(), from.path().join("gone.md")], &own).is_err());
        assert_eq!(std::fs::read_dir(&own).unwrap().count(), 0);
        assert_eq!(copy_all(&[file], &own).unwrap(), [own.join("a.md")], "and it can be tried again");
        delete_folder(&own).unwrap();
        assert!(!own.exists());
        delete_folder(&own).unwrap();
    }

    #[test]
    fn an_unfinished_copy_is_hidden_and_deleted_by_the_next_run() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = from.path().join("a.txt");
        std::fs::write(&file, vec![b'x'; BLOCK_BYTES + 1]).unwrap();
        let mut seen = Vec::new();
        let mut look = |_, _| {
            let entries = std::fs::read_dir(to.path()).unwrap().flatten();
            seen.extend(entries.map(|entry| entry.file_name().to_string_lossy().into_owned()));
        };
        std::fs::write(to.path().join(".copying-killed"), "half").unwrap();
        super::copy_all(std::slice::from_ref(&file), to.path(), &mut look, &CancelToken::new()).unwrap();
        assert!(seen.len() == 2 && seen.iter().all(|name| name.starts_with('.')), "{seen:?}");
        let left: Vec<_> =
            std::fs::read_dir(to.path()).unwrap().flatten().map(|one| one.file_name()).collect();
        assert_eq!(left, ["a.txt"]);
    }

    #[test]
    fn progress_is_reported_and_cancelling_leaves_no_copy() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = ["a.txt", "b.txt"].map(|name| from.path().join(name));
        files.iter().for_each(|file| std::fs::write(file, vec![b'x'; BLOCK_BYTES + 1]).unwrap());
        let all = 2 * (BLOCK_BYTES as u64 + 1);
        let mut reported = Vec::new();
        let cancel = CancelToken::new();
        super::copy_all(&files, to.path(), &mut |done, total| reported.push((done, total)), &cancel).unwrap();
        let (one, two) = (BLOCK_BYTES as u64, BLOCK_BYTES as u64 + 1);
        assert_eq!(reported, [(one, all), (two, all), (one + two, all), (all, all)]);
        let own = to.path().join("own");
        let mut stop = |done, _| {
            if done == one + two {
                cancel.cancel();
            }
        };
        let ended = super::copy_all(&files, &own, &mut stop, &cancel).unwrap_err();
        assert!(ended.is_cancelled());
        assert_eq!(std::fs::read_dir(&own).unwrap().count(), 0);
    }
}
