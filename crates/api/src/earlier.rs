//! The questions that the command line asked last, so that it can ask on: a list of questions, not a conversation.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use oriel_engine::{Library, replace_file};

/// In the user's folder of the library, a JSON array, oldest first.
const FILE: &str = "asked.json";

/// How many questions are kept.
const MAX_QUESTIONS: usize = 8;

/// The last questions of a library, each as it was typed.
pub struct EarlierQuestions(PathBuf);

impl EarlierQuestions {
    /// Those of a library.
    pub fn of(library: &Library) -> Self {
        Self(library.personal_folder().join(FILE))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Oldest first; none if nothing was asked, or the file holds something else.
    pub fn read(&self) -> io::Result<Vec<String>> {
        match std::fs::read(&self.0) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Keeps a question; the ones before only if it is `asked_on` from them.
    pub fn add(&self, question: &str, asked_on: bool) -> io::Result<()> {
        let mut questions = if asked_on { self.read()? } else { Vec::new() };
        questions.push(question.to_owned());
        let first = questions.len().saturating_sub(MAX_QUESTIONS);
        let json = serde_json::to_vec(&questions[first..]).unwrap_or_default();
        replace_file(&self.0, &json)
    }
}
