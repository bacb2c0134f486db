//! What other programs asked: kept in the library's folder for thirty days, so that the person can see who asked what.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use oriel_core::{Notice, Verdict};
use oriel_engine::{now, replace_file};
use serde::{Deserialize, Serialize};

use crate::error::AppError;

/// In the library's folder, one JSON object a line, oldest first.
const FILE: &str = "asked-by-programs.jsonl";
/// Milliseconds that a line is kept.
const KEPT: i64 = 30 * 24 * 3_600_000;

/// A request of another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct AskedByProgram {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The program's name as it gives it.
    pub program: String,
    /// The tool: `search`, `ask`, `verify`, `mentions` or `fetch`.
    pub tool: String,
    /// What was asked, or the name of the document that was read.
    pub text: String,
    /// Places that it was given.
    pub places: usize,
    /// Documents that they are in.
    pub documents: usize,
    /// What was found of a claim.
    pub verdict: Option<Verdict>,
    /// Why it was given nothing, in English.
    pub error: Option<String>,
}

/// The log of a library.
pub struct AskedLog(PathBuf);

impl AskedLog {
    /// That of the library in the folder `library`.
    #[must_use]
    pub fn of(library: &Path) -> Self {
        Self(library.join(FILE))
    }

    /// Adds a request. Several processes may do so at once.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&self, asked: &AskedByProgram) -> Result<(), AppError> {
        let mut line = serde_json::to_vec(asked).unwrap_or_default();
        line.push(b'\n');
        let file = OpenOptions::new().create(true).append(true).open(&self.0);
        file.and_then(|mut file| file.write_all(&line)).map_err(|error| self.cannot_be_written(&error))
    }

    /// The requests of the last thirty days, newest first. Older ones are deleted.
    ///
    /// # Errors
    /// If the file cannot be read, or an older request cannot be deleted.
    pub fn read(&self) -> Result<Vec<AskedByProgram>, AppError> {
        let text = match std::fs::read_to_string(&self.0) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => {
                let why = Notice::CannotBeRead { cause: Notice::io(&error).into() };
                return Err(AppError::File { path: self.0.clone(), why });
            }
        };
        let oldest = now() - KEPT;
        let read =
            |line: &str| serde_json::from_str::<AskedByProgram>(line).ok().filter(|asked| asked.at >= oldest);
        let (mut kept, mut asked) = (String::new(), Vec::new());
        for line in text.split_inclusive('\n') {
            if let Some(one) = read(line) {
                kept.push_str(line);
                asked.push(one);
            }
        }
        if kept.len() < text.len() {
            replace_file(&self.0, kept.as_bytes()).map_err(|error| self.cannot_be_written(&error))?;
        }
        asked.reverse();
        Ok(asked)
    }

    /// Deletes all.
    ///
    /// # Errors
    /// If the file cannot be deleted.
    pub fn clear(&self) -> Result<(), AppError> {
        match std::fs::remove_file(&self.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.cannot_be_written(&error)),
            _ => Ok(()),
        }
    }

    fn cannot_be_written(&self, error: &std::io::Error) -> AppError {
        let why = Notice::CannotBeWritten { cause: Notice::io(error).into() };
        AppError::File { path: self.0.clone(), why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_kept_for_thirty_days_and_can_be_cleared() {
        let place = tempfile::tempdir().unwrap();
        let log = AskedLog::of(place.path());
        let asked = |text: &str, at| AskedByProgram {
            at,
            program: "cursor".into(),
            tool: "search".into(),
            text: text.into(),
            places: 3,
            documents: 2,
            verdict: None,
            error: None,
        };
        assert_eq!(log.read().unwrap(), []);
        let (old, first, last) = (asked("old", now() - KEPT - 1), asked("a\nb", now()), asked("last", now()));
        for one in [&old, &first, &last] {
            log.add(one).unwrap();
        }
        OpenOptions::new().append(true).open(&log.0).unwrap().write_all(b"half of a l").unwrap();
        assert_eq!(log.read().unwrap(), [last.clone(), first.clone()]);
        assert_eq!(std::fs::read_to_string(&log.0).unwrap().lines().count(), 2, "the rest is deleted");
        log.clear().unwrap();
        log.clear().unwrap();
        assert_eq!(log.read().unwrap(), []);
    }
}
