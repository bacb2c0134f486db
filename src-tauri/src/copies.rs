//! Documents that are copied into the library because the person wants them there.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use oriel_core::{CancelToken, Cancelled, ModelError};

use crate::ipc::IpcError;

/// Bytes between two looks at whether it is given up.
const BLOCK: usize = 1 << 20;

/// Copies files into a folder, each under its own name or the next that is free; all of them or none. `copied` is told the
/// bytes that are done, and those in all.
pub(crate) fn make(
    files: &[PathBuf],
    folder: &Path,
    copied: &mut dyn FnMut(u64, u64),
    cancel: &CancelToken,
) -> Result<Vec<PathBuf>, IpcError> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made; check the disk", folder.display()))?;
    // What cannot be looked at is told when it is to be copied.
    let sizes = files.iter().filter_map(|file| Some(file.metadata().ok()?.len()));
    let (mut made, mut done, total) = (Vec::new(), 0, sizes.sum());
    for file in files {
        let mut step = |bytes: usize| {
            done += bytes as u64;
            copied(done, total);
            cancel.check()
        };
        match copy_to(file, folder, &mut step) {
            Ok(copy) => made.push(copy),
            Err(error) => {
                take_back(&made);
                return Err(match error.downcast::<Cancelled>() {
                    Ok(cancelled) => ModelError::from(cancelled).into(),
                    Err(error) => error.into(),
                });
            }
        }
    }
    Ok(made)
}

/// Deletes copies that were made just now.
pub(crate) fn take_back(made: &[PathBuf]) {
    for copy in made {
        if let Err(error) = std::fs::remove_file(copy) {
            tracing::warn!(%error, copy = %copy.display(), "a copy stays");
        }
    }
}

/// Deletes one of the library's own folders with all there is in it, where it is there.
pub(crate) fn delete(folder: &Path) -> anyhow::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be deleted; delete it by hand", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Copies a file under its own name, or the next that is free.
fn copy_to(
    file: &Path,
    folder: &Path,
    step: &mut dyn FnMut(usize) -> Result<(), Cancelled>,
) -> anyhow::Result<PathBuf> {
    let (stem, extension) = (file.file_stem().unwrap_or_default(), file.extension().unwrap_or_default());
    for number in 1u32.. {
        let mut name = stem.to_owned();
        if number > 1 {
            name.push(format!(" {number}"));
        }
        name.push(".");
        name.push(extension);
        let target = folder.join(name);
        match std::fs::OpenOptions::new().write(true).create_new(true).open(&target) {
            Ok(mut made) => {
                return match copy(file, &mut made, step) {
                    Ok(()) => Ok(target),
                    Err(error) => {
                        // Half a copy would be read as if it were the document.
                        std::fs::remove_file(&target).ok();
                        Err(error)
                    }
                };
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(error).with_context(|| format!("{} cannot be written", target.display()));
            }
        }
    }
    anyhow::bail!("{} has too many namesakes in the library", file.display())
}

fn copy(
    file: &Path,
    to: &mut File,
    step: &mut dyn FnMut(usize) -> Result<(), Cancelled>,
) -> anyhow::Result<()> {
    let failed = || format!("{} cannot be copied; check the disk", file.display());
    let mut from = File::open(file).with_context(failed)?;
    let mut block = vec![0; BLOCK];
    loop {
        let read = match from.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error).with_context(failed),
        };
        to.write_all(&block[..read]).with_context(failed)?;
        step(read)?;
    }
}

#[cfg(test)]
mod tests {
    use crate::ipc::ErrorCode;

    use super::*;

    fn copy_to(file: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
        super::copy_to(file, folder, &mut |_| Ok(()))
    }

    fn make(files: &[PathBuf], folder: &Path) -> Result<Vec<PathBuf>, IpcError> {
        super::make(files, folder, &mut |_, _| (), &CancelToken::new())
    }

    #[test]
    fn a_copy_never_replaces_a_namesake() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = from.path().join("Brief 7%#ä.md");
        std::fs::write(&file, "one").unwrap();
        assert_eq!(copy_to(&file, to.path()).unwrap(), to.path().join("Brief 7%#ä.md"));
        std::fs::write(&file, "two").unwrap();
        assert_eq!(copy_to(&file, to.path()).unwrap(), to.path().join("Brief 7%#ä 2.md"));
        assert_eq!(std::fs::read_to_string(to.path().join("Brief 7%#ä.md")).unwrap(), "one");
    }

    #[test]
    fn where_one_cannot_be_copied_none_is() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = from.path().join("a.md");
        std::fs::write(&file, "one").unwrap();
        let own = to.path().join("files");
        assert!(make(&[file.clone(), from.path().join("gone.md")], &own).is_err());
        assert_eq!(std::fs::read_dir(&own).unwrap().count(), 0);
        assert_eq!(make(&[file], &own).unwrap(), [own.join("a.md")], "and it can be tried again");
        delete(&own).unwrap();
        assert!(!own.exists());
        delete(&own).unwrap();
    }

    #[test]
    fn half_a_copy_is_not_left_behind() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert!(copy_to(&from.path().join("gone.md"), to.path()).is_err());
        assert_eq!(std::fs::read_dir(to.path()).unwrap().count(), 0);
    }

    #[test]
    fn it_tells_how_far_it_is_and_whoever_gives_it_up_keeps_no_copy() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = ["a.txt", "b.txt"].map(|name| from.path().join(name));
        files.iter().for_each(|file| std::fs::write(file, vec![b'x'; BLOCK + 1]).unwrap());
        let all = 2 * (BLOCK as u64 + 1);
        let mut told = Vec::new();
        let cancel = CancelToken::new();
        super::make(&files, to.path(), &mut |done, total| told.push((done, total)), &cancel).unwrap();
        let (one, two) = (BLOCK as u64, BLOCK as u64 + 1);
        assert_eq!(told, [(one, all), (two, all), (one + two, all), (all, all)]);
        let own = to.path().join("own");
        let mut stop = |done, _| {
            if done == one + two {
                cancel.cancel();
            }
        };
        let ended = super::make(&files, &own, &mut stop, &cancel).unwrap_err();
        assert_eq!(ended.code, ErrorCode::Cancelled);
        assert_eq!(std::fs::read_dir(&own).unwrap().count(), 0);
    }
}
