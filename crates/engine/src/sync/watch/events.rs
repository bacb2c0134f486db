//! Filters file system events: which of them concern a library.

use std::path::Path;

use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind};
use notify::{Event, EventKind};
use oriel_core::Kind;
use oriel_store::FolderRecord;

use crate::library::ignore_rules::{IGNORE_FILE, is_hidden};
use crate::sync::watch::debounce::PathChange;

/// The paths that an event concerns. `library` is the library's own folder, `folders` are followed.
pub(crate) fn concerned<'e>(
    event: &'e Event,
    library: &Path,
    folders: &[FolderRecord],
) -> Vec<(&'e Path, PathChange)> {
    let Some(change) = path_change(event.kind) else { return Vec::new() };
    let paths = event.paths.iter().filter_map(|path| place_to_scan(path, event.kind, library, folders));
    paths.map(|path| (path, change)).collect()
}

/// The path to scan because of an event at `path`.
fn place_to_scan<'e>(
    path: &'e Path,
    kind: EventKind,
    library: &Path,
    folders: &[FolderRecord],
) -> Option<&'e Path> {
    let roots = folders.iter().filter(|folder| path.starts_with(&folder.path));
    let FolderRecord { path: root, follow_links, .. } =
        roots.max_by_key(|folder| folder.path.as_os_str().len())?;
    // A followed folder may be inside the library's own folder, as the sample is.
    let is_own = path.starts_with(library) && !root.starts_with(library);
    let inside = path.strip_prefix(root).ok()?;
    if is_own {
        return None;
    }
    if path.file_name().is_some_and(|name| name == IGNORE_FILE) {
        // New patterns affect the whole folder that contains them.
        let above = path.parent()?;
        return (!inside.parent()?.iter().any(is_hidden)).then_some(above);
    }
    // Where links are followed, events about a link to a folder look like those about a file.
    let is_other = is_file(kind) && Kind::of_path(path).is_none() && !follow_links;
    let is_passed_over = inside.iter().any(is_hidden) || is_other;
    (!is_passed_over).then_some(path)
}

/// What an event of this kind means for its paths; `None` for read access.
fn path_change(kind: EventKind) -> Option<PathChange> {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(PathChange::Closed),
        EventKind::Access(_) => None,
        // Other systems do not report when a file is closed.
        EventKind::Modify(ModifyKind::Data(_)) if cfg!(target_os = "linux") => Some(PathChange::Written),
        EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Any
        | EventKind::Other => Some(PathChange::Touched),
    }
}

/// Whether the event can only be about a file, not a folder.
fn is_file(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Create(CreateKind::File)
            | EventKind::Remove(RemoveKind::File)
            | EventKind::Modify(ModifyKind::Data(_))
            | EventKind::Access(_)
    )
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessMode, DataChange, MetadataKind, RenameMode};

    use super::*;

    const DATA: EventKind = EventKind::Modify(ModifyKind::Data(DataChange::Any));
    const NAME: EventKind = EventKind::Modify(ModifyKind::Name(RenameMode::To));

    fn concerned(kind: EventKind, path: &str) -> Vec<(String, PathChange)> {
        let folders = ["/home", "/home/library/sample", "/else/a.txt", "/l"].map(|path| FolderRecord {
            path: path.into(),
            follow_links: path == "/l",
            ..FolderRecord::default()
        });
        let event = Event::new(kind).add_path(path.into());
        let concerned = super::concerned(&event, "/home/library".as_ref(), &folders).into_iter();
        concerned.map(|(path, change)| (path.to_string_lossy().into_owned(), change)).collect()
    }

    #[test]
    fn reading_a_file_is_no_sign_and_closing_what_was_written_is() {
        let read = EventKind::Access(AccessKind::Open(AccessMode::Any));
        assert_eq!(concerned(read, "/home/a.txt"), []);
        let closed = EventKind::Access(AccessKind::Close(AccessMode::Write));
        assert_eq!(concerned(closed, "/home/a.txt"), [("/home/a.txt".to_owned(), PathChange::Closed)]);
        let rights = EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any));
        assert_eq!(concerned(rights, "/home/folder"), [("/home/folder".to_owned(), PathChange::Touched)]);
    }

    #[test]
    fn what_is_passed_over_wakes_nobody() {
        for path in [
            "/home/.git/a.txt",
            "/home/a/.a.txt.swp",
            "/home/~$a.docx",
            "/home/library/data.txt",
            "/else/b.txt",
            "/home/a.xyz",
        ] {
            assert_eq!(concerned(DATA, path), [], "{path}");
        }
        for path in ["/home/a.txt", "/home/library/sample/a.txt", "/else/a.txt"] {
            assert_eq!(concerned(DATA, path).len(), 1, "{path}");
        }
        assert_eq!(concerned(NAME, "/home/folder.xyz").len(), 1, "a folder may have any name");
        let link = EventKind::Create(CreateKind::File);
        assert_eq!(concerned(link, "/l/folder").len(), 1, "it may be a link to a folder");
        assert_eq!(concerned(link, "/home/folder"), []);
    }

    #[test]
    fn patterns_concern_the_folder_that_they_lie_in() {
        assert_eq!(concerned(DATA, "/home/a/.orielignore")[0].0, "/home/a");
        assert_eq!(concerned(NAME, "/home/.orielignore")[0].0, "/home");
        assert_eq!(concerned(DATA, "/home/.git/.orielignore"), []);
    }
}
