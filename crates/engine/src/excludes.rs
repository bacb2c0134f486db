//! What a person leaves out of a folder: patterns as in a `.gitignore` that lies in it.
//!
//! It knows paths and patterns and looks at no disk.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::EngineError;

/// The patterns of one folder, ready to be asked.
pub(crate) struct Excludes {
    root: PathBuf,
    rules: Gitignore,
}

impl Excludes {
    /// For the folder `root`.
    pub(crate) fn new(root: &Path, patterns: &[String]) -> Result<Self, EngineError> {
        let wrong = |pattern: &str, why: &str| {
            let (pattern, why) = (pattern.to_owned(), why.to_owned());
            EngineError::Pattern { pattern, why }
        };
        let mut rules = GitignoreBuilder::new(root);
        // Git takes a bracket without its end for a letter; here it is more likely a slip.
        rules.allow_unclosed_class(false);
        for pattern in patterns {
            if pattern.contains(['\n', '\r']) {
                return Err(wrong(pattern, "it has more than one line; give each line by itself"));
            }
            rules.add_line(None, pattern).map_err(|error| {
                let why = match &error {
                    ignore::Error::Glob { err, .. } => err.clone(),
                    other => other.to_string(),
                };
                wrong(pattern, &why)
            })?;
        }
        let rules = rules.build().map_err(|error| wrong(&patterns.join(" "), &error.to_string()))?;
        Ok(Self { root: root.to_owned(), rules })
    }

    /// Whether a walk that has come to `path` leaves it out, with everything in it.
    pub(crate) fn prune(&self, path: &Path, is_dir: bool) -> bool {
        self.rules.matched(path, is_dir).is_ignore()
    }

    /// Whether a walk of the folder comes to the file `path`: it lies in the folder, and neither it nor a folder above
    /// it is left out.
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
            // What lies in a folder that is left out is never come to.
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
}
