//! Documents that are copied into the library because the person wants them there.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Copies files into a folder, each under its own name or the next that is free; all of them or none.
pub(crate) fn make(files: &[PathBuf], folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made; check the disk", folder.display()))?;
    let mut made = Vec::new();
    for file in files {
        match copy_to(file, folder) {
            Ok(copy) => made.push(copy),
            Err(error) => {
                take_back(&made);
                return Err(error);
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
fn copy_to(file: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
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
                let copied =
                    std::fs::File::open(file).and_then(|mut from| std::io::copy(&mut from, &mut made));
                if let Err(error) = copied {
                    // Half a copy would be read as if it were the document.
                    std::fs::remove_file(&target).ok();
                    return Err(error)
                        .with_context(|| format!("{} cannot be copied; check the disk", file.display()));
                }
                return Ok(target);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(error).with_context(|| format!("{} cannot be written", target.display()));
            }
        }
    }
    anyhow::bail!("{} has too many namesakes in the library", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
