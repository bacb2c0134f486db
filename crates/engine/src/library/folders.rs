//! The folders and files that a library follows: adding, removing, and what is ignored in them.

use std::io;
use std::path::{Path, PathBuf};

use oriel_core::{Kind, Notice};
use oriel_store::{Edit, FolderRecord, StoreError};
use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::files::{absolute, move_aside, replace_file};
use crate::library::ignore_rules::Excludes;
use crate::library::{FOLDERS_FILE, Library};

/// The format version of the list of folders.
const LIST_VERSION: u32 = 1;

/// The list of folders as it is written beside the index.
#[derive(Serialize, Deserialize)]
struct Followed {
    version: u32,
    folders: Vec<FolderRecord>,
}

/// The list of folders as it was read.
enum List {
    Folders(Vec<FolderRecord>),
    /// A newer version of Oriel wrote it.
    Newer,
    /// It cannot be parsed.
    Broken,
}

impl List {
    fn read(bytes: &[u8]) -> Self {
        /// The part that every version has.
        #[derive(Deserialize)]
        struct Any {
            version: u32,
        }
        match serde_json::from_slice(bytes) {
            Ok(Any { version }) if version > LIST_VERSION => Self::Newer,
            _ => match serde_json::from_slice::<Followed>(bytes) {
                Ok(Followed { version: LIST_VERSION, folders }) => Self::Folders(folders),
                _ => Self::Broken,
            },
        }
    }
}

/// Whether a list of folders is valid and empty.
pub(crate) fn is_empty_list(bytes: &[u8]) -> bool {
    matches!(List::read(bytes), List::Folders(folders) if folders.is_empty())
}

impl Library {
    /// The followed folders and files, in the order in which they were added.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn folders(&self) -> Result<Vec<PathBuf>, EngineError> {
        Ok(self.store.read(|view| view.folders())?.into_iter().map(|(_, folder)| folder.path).collect())
    }

    /// Follows these folders and files from now on; nothing is read yet. Paths that are already followed are skipped.
    /// Either all are added or none.
    ///
    /// # Errors
    /// If one does not exist, cannot be read, or is a file of an unsupported kind.
    pub fn add(&self, paths: &[PathBuf]) -> Result<(), EngineError> {
        let store = self.own_index()?;
        let folders = paths.iter().map(|path| readable(path)).collect::<Result<Vec<_>, _>>()?;
        store.write(|edit| {
            for folder in &folders {
                if !edit.view().folders()?.iter().any(|(_, known)| known.path == folder.path) {
                    edit.add_folder(folder)?;
                }
            }
            Ok(())
        })?;
        self.note_folders();
        Ok(())
    }

    /// The number of what was added at `path`.
    ///
    /// # Errors
    /// If it is not followed.
    pub fn folder_at(&self, path: &Path) -> Result<u32, EngineError> {
        let wanted = absolute(path);
        let folders = self.store.read(|view| view.folders())?;
        let found = folders.iter().find(|(_, known)| known.path == wanted || known.path == path);
        found.map(|(number, _)| *number).ok_or_else(|| EngineError::NotFollowed { path: path.to_owned() })
    }

    /// Stops following a folder or file and removes its documents from the library, except those that another followed
    /// folder holds. The files themselves are not touched.
    ///
    /// # Errors
    /// If it is not followed.
    pub fn remove(&self, number: u32) -> Result<(), EngineError> {
        let folders = self.store.read(|view| view.folders())?;
        let removed = folders.iter().find(|(other, _)| *other == number);
        let Some((_, removed)) = removed else { return Err(EngineError::NoFolder { number }) };
        let others = all_but(number, &folders)?;
        self.store.write(|edit| {
            forget_below(edit, &removed.path, &others)?;
            edit.remove_folder(number)
        })?;
        self.note_folders();
        Ok(())
    }

    /// Sets the ignore patterns of a folder, in the syntax of `.gitignore`. Ignored documents are removed at once, except
    /// those that another followed folder holds. The next indexing reads documents that are no longer ignored.
    ///
    /// # Errors
    /// If a pattern is invalid, or the number belongs to no folder or to a single file.
    pub fn set_excludes(&self, number: u32, patterns: &[String]) -> Result<(), EngineError> {
        let (_, followed) = self.followed_with(number, patterns)?;
        self.store.write(|edit| match edit.view().folder(number)? {
            Some(folder) => {
                forget_below(edit, &folder.path, &followed)?;
                edit.put_folder(number, &FolderRecord { excludes: patterns.to_vec(), ..folder })
            }
            None => Ok(()),
        })?;
        self.note_folders();
        Ok(())
    }

    /// Sets whether symbolic links in a folder are followed. The next indexing reads, or forgets, what they lead to.
    ///
    /// # Errors
    /// If the number belongs to no folder or to a single file.
    pub fn set_follow_links(&self, number: u32, follow_links: bool) -> Result<(), EngineError> {
        self.excludable(number, &[])?;
        self.store.write(|edit| match edit.view().folder(number)? {
            Some(folder) => edit.put_folder(number, &FolderRecord { follow_links, ..folder }),
            None => Ok(()),
        })?;
        self.note_folders();
        Ok(())
    }

    /// How many of the folder's documents these patterns would remove.
    ///
    /// # Errors
    /// As [`Library::set_excludes`].
    pub fn excluded_by(&self, number: u32, patterns: &[String]) -> Result<usize, EngineError> {
        let (folder, followed) = self.followed_with(number, patterns)?;
        let catalogue = self.catalogue()?;
        let files = catalogue.rows().filter(|row| row.within.is_none());
        let inside = files.filter(|row| row.path.starts_with(&folder.path));
        Ok(inside.filter(|row| !followed.iter().any(|one| one.admit(&row.path))).count())
    }

    /// A folder, and the ignore rules of everything that is followed if it had these patterns.
    fn followed_with(
        &self,
        number: u32,
        patterns: &[String],
    ) -> Result<(FolderRecord, Vec<Excludes>), EngineError> {
        let (folder, excludes) = self.excludable(number, patterns)?;
        let mut followed = all_but(number, &self.store.read(|view| view.folders())?)?;
        followed.push(excludes);
        Ok((folder, followed))
    }

    /// Writes the list of folders beside the index, so that it survives the loss of the index. The index is authoritative;
    /// if the list cannot be written now, the next indexing writes it.
    pub(crate) fn note_folders(&self) {
        if let Err(error) = self.write_folders() {
            tracing::warn!(%error, "the list of folders could not be noted beside the index");
        }
    }

    /// A list from a newer version, or one that cannot be read now, stays as it is. A list that cannot be parsed is moved
    /// aside.
    fn write_folders(&self) -> Result<(), EngineError> {
        let folders = self.store.read(|view| view.folders())?;
        let folders = folders.into_iter().map(|(_, folder)| FolderRecord { unreachable: None, ..folder });
        let followed = Followed { version: LIST_VERSION, folders: folders.collect() };
        let path = self.path().join(FOLDERS_FILE);
        let failed = |error: io::Error| EngineError::Path {
            path: path.clone(),
            why: Notice::CannotBeWritten { cause: Notice::io(&error).into() },
        };
        match self.list()? {
            Some(List::Folders(before)) if before == followed.folders => return Ok(()),
            Some(List::Newer) => {
                return Err(EngineError::Path { path, why: Notice::FolderListNewer });
            }
            Some(List::Broken) => {
                let aside = move_aside(&path).map_err(failed)?;
                tracing::warn!("the list of folders cannot be understood and is set aside");
                tracing::debug!(aside = %aside.display());
            }
            Some(List::Folders(_)) | None => {}
        }
        let bytes = serde_json::to_vec_pretty(&followed).map_err(|error| failed(error.into()))?;
        replace_file(&path, &bytes).map_err(failed)
    }

    /// Reads the list beside the index; `None` if there is none.
    fn list(&self) -> Result<Option<List>, EngineError> {
        let path = self.path().join(FOLDERS_FILE);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(List::read(&bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => {
                let why = Notice::CannotBeRead { cause: Notice::io(&error).into() };
                Err(EngineError::Path { path, why })
            }
        }
    }

    /// The folders in the list beside the index; `None` if there is no valid list.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    pub(crate) fn listed_folders(&self) -> Result<Option<Vec<FolderRecord>>, EngineError> {
        match self.list()? {
            Some(List::Folders(folders)) => Ok(Some(folders)),
            Some(List::Newer | List::Broken) => {
                tracing::warn!("the list of folders beside the index cannot be understood");
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// Follows the folders in the list beside the index again, if the index is new.
    ///
    /// # Errors
    /// If the list exists and cannot be read: without it the library would follow nothing.
    pub(crate) fn follow_again(&self) -> Result<(), EngineError> {
        if self.is_read_only() || !self.store.read(|view| view.is_new())? {
            return Ok(());
        }
        let Some(folders) = self.listed_folders()? else { return Ok(()) };
        self.store.write(|edit| {
            if edit.view().is_new()? {
                folders.iter().try_for_each(|folder| edit.add_folder(folder))?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn excludable(&self, number: u32, patterns: &[String]) -> Result<(FolderRecord, Excludes), EngineError> {
        let folder = self.store.read(|view| view.folder(number))?.ok_or(EngineError::NoFolder { number })?;
        if folder.is_file {
            return Err(EngineError::Path { path: folder.path, why: Notice::IsSingleFile });
        }
        let excludes = Excludes::new(&folder.path, patterns)?;
        Ok((folder, excludes))
    }
}

fn readable(path: &Path) -> Result<FolderRecord, EngineError> {
    let wrong = |why: Notice| EngineError::Path { path: path.to_owned(), why };
    let found = path.canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => wrong(Notice::DoesNotExist),
        _ => wrong(Notice::CannotBeReached { cause: Notice::io(&error).into() }),
    })?;
    let is_file = !found.is_dir();
    if is_file && (!found.is_file() || Kind::of_path(&found).is_none()) {
        return Err(wrong(kind_not_read()));
    }
    let opened =
        if is_file { std::fs::File::open(&found).map(drop) } else { std::fs::read_dir(&found).map(drop) };
    opened.map_err(|error| wrong(Notice::NoRightToRead { cause: Notice::io(&error).into() }))?;
    Ok(FolderRecord { path: found, is_file, ..FolderRecord::default() })
}

/// Says which formats Oriel reads.
pub(crate) fn kind_not_read() -> Notice {
    let kinds: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    Notice::KindNotRead { kinds: kinds.join(", ") }
}

/// The ignore rules of everything followed except the folder with this number.
fn all_but(number: u32, folders: &[(u32, FolderRecord)]) -> Result<Vec<Excludes>, EngineError> {
    let others = folders.iter().filter(|(other, _)| *other != number);
    others.map(|(_, known)| Excludes::new(&known.path, &known.excludes)).collect()
}

/// Removes the documents below `path` that no walk of these folders reaches.
fn forget_below(edit: &mut Edit<'_>, path: &Path, followed: &[Excludes]) -> Result<(), StoreError> {
    let mut forgotten = Vec::new();
    for entry in edit.view().documents()? {
        let (id, record) = entry?;
        let is_inside = record.within.is_none() && record.path.starts_with(path);
        if is_inside && !followed.iter().any(|one| one.admit(&record.path)) {
            forgotten.push(id);
        }
    }
    forgotten.into_iter().try_for_each(|id| edit.remove_document(id))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::TestLibrary;

    fn patterns(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|pattern| (*pattern).to_owned()).collect()
    }

    #[test]
    fn what_is_left_out_is_forgotten_at_once_and_comes_back() {
        let place = TestLibrary::with(&[
            ("a.txt", "The tide is low."),
            ("old/b.txt", "The tide is high."),
            ("c.md", "The tide turns."),
        ]);
        let library = &place.library;
        assert_eq!(library.excluded_by(0, &patterns(&["old/", "*.md"])).unwrap(), 2);
        assert_eq!(place.names(), ["a.txt", "b.txt", "c.md"], "counting changes nothing");
        library.set_excludes(0, &patterns(&["old/", "*.md"])).unwrap();
        assert_eq!(place.names(), ["a.txt"]);
        place.read();
        assert_eq!(place.names(), ["a.txt"]);
        assert_eq!(library.overview().unwrap().folders[0].excludes, ["old/", "*.md"]);
        library.set_excludes(0, &patterns(&["old/"])).unwrap();
        place.read();
        assert_eq!(place.names(), ["a.txt", "c.md"]);
    }

    #[test]
    fn what_one_folder_leaves_out_another_may_hold() {
        let place =
            TestLibrary::with(&[("inner/a.txt", "The tide is low."), ("inner/b.md", "The tide turns.")]);
        let library = &place.library;
        library.add(&[place.documents().join("inner")]).unwrap();
        assert_eq!(library.excluded_by(0, &patterns(&["inner/"])).unwrap(), 0, "the other holds them");
        library.set_excludes(0, &patterns(&["inner/"])).unwrap();
        library.set_excludes(1, &patterns(&["*.md"])).unwrap();
        place.read();
        assert_eq!(place.names(), ["a.txt"]);
        // Both folders contain a.txt by path, but only the inner one by its patterns.
        library.remove(1).unwrap();
        assert_eq!(place.names(), [""; 0]);
    }

    #[test]
    fn patterns_are_refused_with_their_reason() {
        let place = TestLibrary::with(&[("a.txt", "The tide is low.")]);
        let error = place.library.set_excludes(0, &patterns(&["a["])).unwrap_err();
        assert!(error.to_string().contains("'a['"), "{error}");
        assert_eq!(place.library.overview().unwrap().folders[0].excludes, [""; 0]);
        let error = place.library.set_excludes(7, &[]).unwrap_err();
        assert!(matches!(error, EngineError::NoFolder { number: 7 }), "{error}");
        place.library.add(&[place.documents().join("a.txt")]).unwrap();
        let error = place.library.set_excludes(1, &patterns(&["*"])).unwrap_err();
        assert!(error.to_string().contains("single file"), "{error}");
    }

    #[test]
    fn a_list_of_folders_that_is_not_understood_is_not_written_over() {
        let place = TestLibrary::with(&[("a.txt", "The tide is low.")]);
        let library = &place.library;
        let list = library.path().join(FOLDERS_FILE);
        let ours = fs::read(&list).unwrap();
        let newer = r#"{"version": 2, "roots": ["/documents"]}"#;
        fs::write(&list, newer).unwrap();
        library.note_folders();
        assert_eq!(fs::read_to_string(&list).unwrap(), newer);
        // An unreadable list: a folder of that name.
        fs::remove_file(&list).unwrap();
        fs::create_dir(&list).unwrap();
        library.note_folders();
        assert!(list.is_dir());
        library.repair(&oriel_core::CancelToken::new()).unwrap_err();
        fs::remove_dir(&list).unwrap();
        for number in [1, 2] {
            fs::write(&list, "half of a l").unwrap();
            library.note_folders();
            assert_eq!(fs::read(&list).unwrap(), ours);
            let aside = library.path().join(format!("{FOLDERS_FILE}.broken-{number}"));
            assert_eq!(fs::read_to_string(aside).unwrap(), "half of a l");
        }
    }

    #[test]
    fn a_single_file_is_followed_by_itself() {
        let place = TestLibrary::new();
        let wanted = place.write("a.txt", "The tide is low.");
        place.write("b.txt", "The tide is high.");
        let library = &place.library;
        library.add(&[wanted.clone(), wanted.clone()]).unwrap();
        place.read();
        assert_eq!(place.names(), ["a.txt"]);
        let overview = library.overview().unwrap();
        assert_eq!(overview.folders.len(), 1, "it was added twice");
        assert!(overview.folders[0].is_file);
        assert_eq!(overview.folders[0].documents, 1);
        // A deleted file is forgotten but stays on the list; once it is back, it is read again.
        fs::remove_file(&wanted).unwrap();
        place.read();
        assert_eq!(place.names(), [""; 0]);
        let reason = library.overview().unwrap().folders[0].unreachable.clone();
        assert_eq!(reason, Some(Notice::FileNotThereAnyMore));
        place.write("a.txt", "The tide is back.");
        place.read();
        assert_eq!(place.names(), ["a.txt"]);
        assert_eq!(library.overview().unwrap().folders[0].unreachable, None);
        library.remove(library.folder_at(&wanted).unwrap()).unwrap();
        assert_eq!((place.names(), library.folders().unwrap()), (vec![], vec![]));
    }

    #[test]
    fn a_file_that_is_not_read_is_refused_with_those_that_are() {
        let place = TestLibrary::new();
        let good = place.write("a.txt", "The tide is low.");
        let picture = place.write("picture.xyz", "no text");
        let error = place.library.add(&[good, picture]).unwrap_err().to_string();
        assert!(error.contains("picture.xyz") && error.contains("pdf"), "{error}");
        assert_eq!(place.library.folders().unwrap(), Vec::<PathBuf>::new(), "all are added or none");
    }

    #[test]
    fn a_folder_out_of_reach_says_so_and_keeps_its_documents() {
        let place = TestLibrary::with(&[("a.txt", "The tide is low.")]);
        let away = place.documents().with_file_name("away");
        fs::rename(place.documents(), &away).unwrap();
        place.read();
        let overview = place.library.overview().unwrap();
        assert!(overview.folders[0].unreachable.is_some());
        assert_eq!((overview.documents, overview.folders[0].documents), (1, 1));
        fs::rename(&away, place.documents()).unwrap();
        place.read();
        assert_eq!(place.library.overview().unwrap().folders[0].unreachable, None);
    }
}
