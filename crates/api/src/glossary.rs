//! The user's own glossary: a file in the library's folder.

use std::io::ErrorKind;
use std::path::PathBuf;

use oriel_core::Notice;
use oriel_engine::{BadEntry, GLOSSARY_FILE, Glossary, Library, replace_file};

use crate::error::AppError;

/// The user's own other words for what questions name.
pub struct OwnGlossary {
    path: PathBuf,
}

impl OwnGlossary {
    pub fn of(library: &Library) -> Self {
        Self { path: library.path().join(GLOSSARY_FILE) }
    }

    /// Its text; empty if there is no such file.
    pub fn text(&self) -> Result<String, AppError> {
        match std::fs::read_to_string(&self.path) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Replaces its text, and returns the lines that are no entries. They are kept, and do nothing.
    pub fn replace(&self, text: &str) -> Result<Vec<BadEntry>, AppError> {
        replace_file(&self.path, text.as_bytes()).map_err(|error| self.failed(&error))?;
        Ok(Glossary::parse(text).1)
    }

    /// Its entries; none if it cannot be read.
    pub(crate) fn entries(&self) -> Glossary {
        let text = self.text().unwrap_or_else(|error| {
            tracing::warn!(%error, "the glossary is not used");
            String::new()
        });
        let (glossary, bad) = Glossary::parse(&text);
        for bad in bad {
            tracing::warn!(path = %self.path.display(), line = bad.line, "no entry: it needs a name, a colon and a wording");
        }
        glossary
    }

    fn failed(&self, error: &std::io::Error) -> AppError {
        AppError::File { path: self.path.clone(), why: Notice::io(error) }
    }
}
