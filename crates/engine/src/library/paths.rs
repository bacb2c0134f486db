//! Resolves a path as a user writes it: through links, in another normal form of Unicode, or as a name alone.

use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use crate::files::absolute;
use crate::library::Library;
use crate::library::overview::Catalogue;

impl Library {
    /// The path of a document or folder as the library has it. A path that matches none is made absolute.
    #[must_use]
    pub fn path_of(&self, path: &Path) -> PathBuf {
        let real = absolute(path);
        let Ok(catalogue) = self.catalogue() else { return real };
        let written = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let meant = [Some(real.clone()), through_links(&catalogue, &written), Some(written)];
        let meant: Vec<PathBuf> = meant.into_iter().flatten().collect();
        if let Some(known) = meant.iter().find(|path| is_known(&catalogue, path)) {
            return known.clone();
        }
        let in_other_form = meant.iter().find_map(|path| in_other_form(&catalogue, path));
        let found = in_other_form.or_else(|| same_behind_links(&catalogue, &real));
        // A path that exists on the disk takes precedence over a document of this name elsewhere.
        let by_name = || if real.exists() { None } else { only_one_named(&catalogue, path) };
        found.or_else(by_name).unwrap_or(real)
    }
}

/// Whether this is a document, or a folder with one.
fn is_known(catalogue: &Catalogue, path: &Path) -> bool {
    catalogue.rows().any(|row| row.path.starts_with(path))
}

/// The path below a followed folder that is written through links to that folder. Links in the folder stay: it may follow them.
fn through_links(catalogue: &Catalogue, written: &Path) -> Option<PathBuf> {
    written.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        let folder = catalogue.overview.folders.iter().find(|folder| folder.path == real)?;
        Some(folder.path.join(written.strip_prefix(above).ok()?))
    })
}

/// The document or folder whose path has the same letters.
fn in_other_form(catalogue: &Catalogue, path: &Path) -> Option<PathBuf> {
    let (wanted, depth) = (composed(path), path.components().count());
    catalogue.rows().find_map(|row| {
        let same: PathBuf = row.path.components().take(depth).collect();
        (composed(&same) == wanted).then_some(same)
    })
}

/// The document or folder that a followed link leads to, where another link leads there, too.
fn same_behind_links(catalogue: &Catalogue, real: &Path) -> Option<PathBuf> {
    let following = catalogue.overview.folders.iter().filter(|folder| folder.follow_links);
    let mut rows = following.flat_map(|folder| {
        catalogue.rows().filter(|row| row.within.is_none() && row.path.starts_with(&folder.path))
    });
    rows.find_map(|row| {
        let leads_to = row.path.canonicalize().ok()?;
        let inside = leads_to.strip_prefix(real).ok()?.components().count();
        row.path.ancestors().nth(inside).map(Path::to_owned)
    })
}

/// The only document or folder whose path ends with `name`.
fn only_one_named(catalogue: &Catalogue, name: &Path) -> Option<PathBuf> {
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let wanted = composed(name);
    let ends_so = |path: &&Path| Path::new(&composed(path)).ends_with(&wanted);
    let mut found = None;
    for row in catalogue.rows() {
        let Some(path) = row.path.ancestors().find(ends_so) else { continue };
        if found.get_or_insert_with(|| path.to_owned()) != path {
            return None;
        }
    }
    found
}

/// A path with composed letters.
fn composed(path: &Path) -> String {
    path.to_string_lossy().nfc().collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::TestLibrary;

    use super::*;

    #[test]
    fn a_path_is_found_in_any_form_and_by_its_name_alone() {
        // An Ä of two letters, as macOS writes it, and an É of one.
        let place = TestLibrary::with(&[
            ("A\u{308}mter/Bre\u{301}da.txt", "The tide is low."),
            ("É/x.txt", "The tide is high."),
            ("y/x.txt", "The tide turns."),
        ]);
        let (library, root) = (&place.library, place.documents());
        let is = |path: PathBuf, found: &str| assert_eq!(library.path_of(&path), root.join(found));
        is(root.join("Ämter/Bréda.txt"), "A\u{308}mter/Bre\u{301}da.txt");
        is(root.join("Ämter"), "A\u{308}mter");
        is(root.join("E\u{301}/x.txt"), "É/x.txt");
        is("Bréda.txt".into(), "A\u{308}mter/Bre\u{301}da.txt");
        is("y/x.txt".into(), "y/x.txt");
        assert_eq!(library.show(Path::new("Ämter/Bréda.txt")).unwrap().text, "The tide is low.");
        library.show(Path::new("x.txt")).unwrap_err();
        assert_eq!(library.documents("bréda ämter", 5).unwrap().len(), 1, "as names are looked for");
    }
}
