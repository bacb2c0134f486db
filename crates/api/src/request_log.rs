//! What other programs asked: kept in the library's folder for thirty days, so that the user can see who asked what.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use oriel_core::Verdict;
use oriel_engine::now;
use serde::{Deserialize, Serialize};

use crate::error::AppError;

/// In the library's folder, one JSON object a line, oldest first.
const FILE: &str = "asked-by-programs.jsonl";
/// Milliseconds that a line is kept.
const KEPT: i64 = 30 * 24 * 3_600_000;
/// Characters that are kept of what was asked, and of why nothing was given.
const MAX_TEXT: usize = 1_000;
/// Characters that are kept of a program's name.
const MAX_NAME: usize = 100;

/// A request of another program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct ProgramRequest {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The program's name as it gives it.
    pub program: String,
    /// The tool: `search`, `ask`, `verify`, `mentions`, `fetch`, `status`, `list` of the documents, `embed`, or `models`.
    pub tool: String,
    /// What was asked, the name of the document that was read, or the first text that got a vector; empty for `status`, `list`
    /// and `models`.
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
pub struct RequestLog(PathBuf);

impl RequestLog {
    /// The log of the library in this folder.
    pub fn of(library: &Path) -> Self {
        Self(library.join(FILE))
    }

    /// Adds a request. Several processes may do so at once.
    pub fn add(&self, asked: &ProgramRequest) -> Result<(), AppError> {
        let cut = |text: &str, most| text.chars().take(most).collect::<String>();
        let asked = ProgramRequest {
            program: cut(&asked.program, MAX_NAME),
            text: cut(&asked.text, MAX_TEXT),
            error: asked.error.as_ref().map(|error| cut(error, MAX_TEXT)),
            ..asked.clone()
        };
        let mut line = serde_json::to_vec(&asked).unwrap_or_default();
        line.push(b'\n');
        let write = |mut file: File| {
            let mut last = [b'\n'];
            if file.seek(SeekFrom::End(-1)).is_ok() {
                file.read_exact(&mut last)?;
            }
            // A line that was cut off must not spoil the next one.
            if last != *b"\n" {
                line.insert(0, b'\n');
            }
            file.write_all(&line)
        };
        self.lock(true).and_then(write).map_err(|error| AppError::cannot_be_written(&self.0, &error))
    }

    /// The requests of the last thirty days, newest first. Older ones are deleted.
    pub fn read(&self) -> Result<Vec<ProgramRequest>, AppError> {
        let mut bytes = Vec::new();
        let opened = self.lock(false).and_then(|mut file| file.read_to_end(&mut bytes).map(|_| file));
        let mut file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(AppError::cannot_be_read(&self.0, &error)),
        };
        let text = String::from_utf8_lossy(&bytes);
        let oldest = now() - KEPT;
        let read =
            |line: &str| serde_json::from_str::<ProgramRequest>(line).ok().filter(|asked| asked.at >= oldest);
        let (mut kept, mut asked) = (String::new(), Vec::new());
        for line in text.split_inclusive('\n') {
            if let Some(one) = read(line) {
                kept.push_str(line);
                asked.push(one);
            }
        }
        if kept.len() < text.len() {
            let written = file.rewind().and_then(|()| file.write_all(kept.as_bytes()));
            let cut = written.and_then(|()| file.set_len(kept.len() as u64));
            cut.map_err(|error| AppError::cannot_be_written(&self.0, &error))?;
        }
        asked.reverse();
        Ok(asked)
    }

    /// Deletes all requests.
    pub fn clear(&self) -> Result<(), AppError> {
        match std::fs::remove_file(&self.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(AppError::cannot_be_written(&self.0, &error))
            }
            _ => Ok(()),
        }
    }

    /// The file, for this process alone while it is open.
    fn lock(&self, create: bool) -> io::Result<File> {
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.read(true).write(true).create(create).truncate(false).open(&self.0)?;
        file.lock()?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str, at: i64) -> ProgramRequest {
        ProgramRequest {
            at,
            program: "cursor".into(),
            tool: "search".into(),
            text: text.into(),
            places: 3,
            documents: 2,
            verdict: None,
            error: None,
        }
    }

    #[test]
    fn requests_are_kept_for_thirty_days_and_can_be_cleared() {
        let place = tempfile::tempdir().unwrap();
        let log = RequestLog::of(place.path());
        assert_eq!(log.read().unwrap(), []);
        let (old, first, last) = (asked("old", now() - KEPT - 1), asked("a\nb", now()), asked("last", now()));
        for one in [&old, &first, &last] {
            log.add(one).unwrap();
        }
        // Cut off within a character.
        OpenOptions::new().append(true).open(&log.0).unwrap().write_all(b"half of a l\xc3").unwrap();
        assert_eq!(log.read().unwrap(), [last.clone(), first.clone()]);
        assert_eq!(std::fs::read_to_string(&log.0).unwrap().lines().count(), 2, "the rest is deleted");
        OpenOptions::new().append(true).open(&log.0).unwrap().write_all(b"half of a l").unwrap();
        log.add(&asked(&"x".repeat(2_000), now())).unwrap();
        let kept = log.read().unwrap();
        assert_eq!((kept.len(), kept[0].text.len()), (3, MAX_TEXT));
        log.clear().unwrap();
        log.clear().unwrap();
        assert_eq!(log.read().unwrap(), []);
    }

    #[test]
    fn no_request_is_lost_while_old_ones_are_deleted() {
        let place = tempfile::tempdir().unwrap();
        let log = RequestLog::of(place.path());
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        log.add(&asked("old", now() - KEPT - 1)).unwrap();
                        log.add(&asked("new", now())).unwrap();
                    }
                });
            }
            for _ in 0..100 {
                log.read().unwrap();
            }
        });
        assert_eq!(log.read().unwrap().len(), 200);
    }
}
