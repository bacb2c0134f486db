//! What is ignored in a folder: patterns as in a `.gitignore`, set by the user or read from `.orielignore` files, and the parts of
//! web pages, which are no documents of their own.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use oriel_core::Notice;

use crate::error::EngineError;

/// The compiled patterns of one followed folder.
pub(crate) struct Excludes {
    root: PathBuf,
    rules: Gitignore,
}

impl Excludes {
    /// For the folder `root`.
    pub(crate) fn new(root: &Path, patterns: &[String]) -> Result<Self, EngineError> {
        let wrong = |pattern: &str, why: Notice| EngineError::Pattern { pattern: pattern.to_owned(), why };
        let mut rules = GitignoreBuilder::new(root);
        // Git reads an unclosed bracket as a letter; here it is more likely a typo.
        rules.allow_unclosed_class(false);
        for pattern in patterns {
            if pattern.contains(['\n', '\r']) {
                return Err(wrong(pattern, Notice::PatternOfManyLines));
            }
            rules.add_line(None, pattern).map_err(|error| {
                let why = match &error {
                    ignore::Error::Glob { err, .. } => err.clone(),
                    other => other.to_string(),
                };
                wrong(pattern, Notice::text(why))
            })?;
        }
        let rules = rules.build().map_err(|error| wrong(&patterns.join(" "), Notice::text(error)))?;
        Ok(Self { root: root.to_owned(), rules })
    }

    /// Whether a walk skips `path` and everything below it.
    pub(crate) fn prune(&self, path: &Path, is_dir: bool) -> bool {
        self.rules.matched(path, is_dir).is_ignore()
    }

    /// Whether a pattern asks for `path` with an exclamation mark.
    pub(crate) fn asks_for(&self, path: &Path, is_dir: bool) -> bool {
        self.rules.matched(path, is_dir).is_whitelist()
    }

    /// Whether a walk of the folder reaches the file `path`: it is in the folder, and neither it nor a parent is ignored.
    pub(crate) fn admit(&self, path: &Path) -> bool {
        let Ok(inside) = path.strip_prefix(&self.root) else { return false };
        if self.rules.is_empty() {
            return true;
        }
        let mut above = self.root.clone();
        let mut parts = inside.components().peekable();
        while let Some(part) = parts.next() {
            above.push(part);
            if self.prune(&above, parts.peek().is_some()) {
                return false;
            }
        }
        true
    }
}

/// The name of a file whose patterns apply to its own folder and everything below.
pub const IGNORE_FILE: &str = ".orielignore";
/// A larger ignore file is not read.
const MAX_IGNORE_FILE_BYTES: u64 = 1 << 20;

/// Whether a file is hidden, or the lock file of a word processor.
pub(crate) fn is_hidden(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") || name.starts_with(b"~$")
}

/// The patterns of the ignore files in a folder and its parents, up to the followed folder.
#[derive(Clone, Default)]
pub(crate) struct NestedIgnore(Option<Rc<Level>>);

struct Level {
    rules: Gitignore,
    above: NestedIgnore,
}

impl NestedIgnore {
    /// Adds the patterns of the ignore file in `folder`.
    pub(crate) fn within(&self, folder: &Path) -> Self {
        let path = folder.join(IGNORE_FILE);
        let text = match read(&path) {
            Ok(Some(text)) => text,
            Ok(None) => return self.clone(),
            Err(error) => {
                tracing::warn!(%error, "patterns cannot be read");
                tracing::debug!(path = %path.display(), "these");
                return self.clone();
            }
        };
        let mut rules = GitignoreBuilder::new(folder);
        for line in text.lines() {
            // An invalid line matches nothing; the other lines still apply.
            if let Err(error) = rules.add_line(None, line) {
                tracing::warn!(%error, "a pattern cannot be understood");
            }
        }
        match rules.build() {
            Ok(rules) => Self(Some(Rc::new(Level { rules, above: self.clone() }))),
            Err(error) => {
                tracing::warn!(%error, "patterns cannot be understood");
                self.clone()
            }
        }
    }

    /// Whether `path` is ignored or asked for; `None` if no pattern matches. The nearest file with a matching pattern decides, as
    /// in git.
    pub(crate) fn prune(&self, path: &Path, is_dir: bool) -> Option<bool> {
        let mut next = self;
        while let Some(level) = &next.0 {
            let matched = level.rules.matched(path, is_dir);
            if !matched.is_none() {
                return Some(matched.is_ignore());
            }
            next = &level.above;
        }
        None
    }
}

/// Folders of libraries that a package manager fetched.
const FETCHED: &[&str] = &["node_modules", "bower_components"];
/// What generators of manuals put beside their pages: styles, icons, scripts, and the sources of the pages.
const BESIDE_PAGES: &[&str] = &["_static", "_sources", "Common_Content"];
/// Beginnings of the names of third-party scripts.
const VENDORED: &[&str] = &[
    "searchindex",
    "searchtools",
    "search_index",
    "language_data",
    "doctools",
    "documentation_options",
    "sphinx_highlight",
    "jquery",
    "underscore",
    "bootstrap",
    "modernizr",
    "html5shiv",
    "popper",
    "require",
    "mathjax",
    "highlight",
    "prism",
    "clipboard",
    "lunr",
];
/// What browsers append to a saved page's name for the folder with its parts.
const OF_SAVED_PAGE: &[&str] = &["_files", "-files", "_Dateien", "-Dateien", "_fichiers", "_archivos"];
/// Extensions of web pages.
const PAGES: &[&str] = &["html", "htm", "xhtml"];

/// Extensions of folders that programs show as one document of iWork.
const PACKAGES: &[&str] = &["pages", "numbers", "key"];
/// The file in such a folder that shows its pages.
const PACKAGE_PREVIEW: &str = "QuickLook/Preview.pdf";
/// The file in such a folder that holds its text.
const PACKAGE_TEXT: &str = "Index.zip";

/// Whether `path` is a part of a web page or of a program, and no document of its own. A pattern can ask for it all the same.
pub(crate) fn is_page_part(path: &Path, is_dir: bool) -> bool {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return false };
    if !is_dir {
        let is_style = name.ends_with(".css");
        let is_vendored = name.ends_with(".js") && VENDORED.iter().any(|script| name.starts_with(script));
        return name.ends_with(".min.js")
            || name.ends_with(".min.css")
            || ((is_style || is_vendored) && is_beside_page(path));
    }
    let saved = OF_SAVED_PAGE.iter().find_map(|ending| name.strip_suffix(ending));
    FETCHED.contains(&name)
        || (BESIDE_PAGES.contains(&name) && is_beside_page(path))
        || saved.is_some_and(|page| {
            PAGES.iter().any(|ending| path.with_file_name(format!("{page}.{ending}")).is_file())
        })
}

/// Whether `path` is a part of a document of iWork that is a folder, and not the one that is read.
pub(crate) fn is_package_part(path: &Path) -> bool {
    package(path).is_some_and(|package| {
        let has_preview = package.join(PACKAGE_PREVIEW).is_file();
        !package.join(if has_preview { PACKAGE_PREVIEW } else { PACKAGE_TEXT }).starts_with(path)
    })
}

/// The document of iWork in whose folder `path` lies.
fn package(path: &Path) -> Option<&Path> {
    let is_named = |folder: &&Path| {
        folder.extension().and_then(OsStr::to_str).is_some_and(|ending| PACKAGES.contains(&ending))
    };
    let holds =
        |folder: &&Path| [PACKAGE_PREVIEW, PACKAGE_TEXT].iter().any(|part| folder.join(part).is_file());
    path.ancestors().skip(1).filter(is_named).find(holds)
}

/// Whether there is a web page in the folder of `path`.
fn is_beside_page(path: &Path) -> bool {
    let is_page = |path: PathBuf| {
        path.extension().and_then(OsStr::to_str).is_some_and(|ending| PAGES.contains(&ending))
    };
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    entries.into_iter().flatten().flatten().any(|entry| is_page(entry.path()))
}

/// The text of an ignore file; `None` if there is none, or if it is too large or not a file.
fn read(path: &Path) -> std::io::Result<Option<String>> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_file() && found.len() <= MAX_IGNORE_FILE_BYTES => {
            std::fs::read(path).map(|bytes| Some(String::from_utf8_lossy(&bytes).into_owned()))
        }
        Ok(_) => Ok(None),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excludes(patterns: &[&str]) -> Excludes {
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        Excludes::new(Path::new("/documents"), &patterns).unwrap()
    }

    #[test]
    fn patterns_mean_what_they_mean_in_a_gitignore() {
        for (patterns, path, admitted) in [
            (&["*.log"][..], "a/b.log", false),
            (&["*.log"], "a/b.txt", true),
            (&["build/"], "build/a.txt", false),
            (&["build/"], "deep/build/a.txt", false),
            (&["/build/"], "deep/build/a.txt", true),
            (&["build/"], "build", true),
            (&["*.log", "!keep.log"], "keep.log", true),
            // A walk never enters an ignored folder.
            (&["old/", "!old/keep.txt"], "old/keep.txt", false),
            (&["# a remark", ""], "# a remark", true),
            (&[], "a.txt", true),
        ] {
            let path = Path::new("/documents").join(path);
            assert_eq!(excludes(patterns).admit(&path), admitted, "{patterns:?} {}", path.display());
        }
        assert!(!excludes(&[]).admit(Path::new("/elsewhere/a.txt")));
    }

    #[test]
    fn a_pattern_that_is_none_is_named() {
        for (wrong, word) in [("a[", "'a['"), ("a\nb", "more than one line")] {
            let error = Excludes::new(Path::new("/d"), &["*.txt".into(), wrong.into()]).err().unwrap();
            assert!(error.to_string().contains(word), "{error}");
        }
    }

    #[test]
    fn patterns_that_lie_nearer_have_the_last_word() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        let inner = root.join("inner");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(root.join(IGNORE_FILE), "*.log\na[\n/drafts/\n").unwrap();
        std::fs::write(inner.join(IGNORE_FILE), "!keep.log\n").unwrap();
        let above = NestedIgnore::default().within(root);
        let below = above.within(&inner);
        assert_eq!(above.prune(&root.join("a.log"), false), Some(true));
        assert_eq!(above.prune(&root.join("drafts"), true), Some(true));
        assert_eq!(
            above.prune(&root.join("a.txt"), false),
            None,
            "a line that is no pattern spoils the others"
        );
        assert_eq!(below.prune(&inner.join("a.log"), false), Some(true));
        assert_eq!(below.prune(&inner.join("keep.log"), false), Some(false));
        assert_eq!(below.prune(&inner.join("drafts"), true), None, "only the one beside the file was meant");
    }

    #[test]
    fn parts_of_a_page_are_told_from_folders_of_the_same_name() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let is_part = |name: &str, is_dir| is_page_part(&at(name), is_dir);
        for folder in ["_static", "_sources", "Common_Content", "Tax_files"] {
            assert!(!is_part(folder, true), "{folder} of a person");
        }
        assert!(is_part("node_modules", true) && !is_part("node_modules", false));
        assert!(is_part("jquery.min.js", false) && !is_part("jquery.js", false));
        assert!(!is_part("searchindex.js", false) && !is_part("style.css", false));
        std::fs::write(at("index.html"), "").unwrap();
        std::fs::write(at("Tax.htm"), "").unwrap();
        for folder in ["_static", "_sources", "Common_Content", "Tax_files"] {
            assert!(is_part(folder, true), "{folder} of a page");
        }
        for file in ["searchindex.js", "jquery-3.6.0.js", "style.css"] {
            assert!(is_part(file, false), "{file}");
        }
        assert!(!is_part("rules.js", false));
        assert!(!is_part("Case_files", true), "no page has its name");
    }

    #[test]
    fn of_a_folder_of_iwork_one_file_is_the_document() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let parts = [
            "Plan.pages/QuickLook/Preview.pdf",
            "Plan.pages/Index.zip",
            "Plan.pages/preview.jpg",
            "New.key/Index.zip",
        ];
        for part in parts.iter().chain(&["My.pages/letter.txt"]) {
            std::fs::create_dir_all(at(part).parent().unwrap()).unwrap();
            std::fs::write(at(part), "").unwrap();
        }
        let documents = parts.map(|part| !is_package_part(&at(part)));
        assert_eq!(documents, [true, false, false, true]);
        let folders = ["Plan.pages", "Plan.pages/QuickLook", "Plan.pages/Data"];
        assert_eq!(folders.map(|folder| is_package_part(&at(folder))), [false, false, true]);
        assert!(!is_package_part(&at("My.pages/letter.txt")), "a folder of a person");
    }
}
