//! The user's own glossary: a file in the library's folder.

use std::io::ErrorKind;
use std::path::PathBuf;

use oriel_engine::{BadEntry, GLOSSARY_FILE, Glossary, Library, replace_file};

use crate::error::AppError;

/// The user's own wordings for names in questions.
pub struct UserGlossary {
    path: PathBuf,
}

impl UserGlossary {
    pub fn of(library: &Library) -> Self {
        Self { path: library.path().join(GLOSSARY_FILE) }
    }

    /// Its text; empty if there is no such file.
    pub fn text(&self) -> Result<String, AppError> {
        match std::fs::read_to_string(&self.path) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(AppError::cannot_be_read(&self.path, &error)),
        }
    }

    /// Replaces its text, and returns the lines that are no entries. They are kept, and do nothing.
    pub fn replace(&self, text: &str) -> Result<Vec<BadEntry>, AppError> {
        replace_file(&self.path, text.as_bytes())
            .map_err(|error| AppError::cannot_be_written(&self.path, &error))?;
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
}
