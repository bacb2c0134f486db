//! The last questions of the command line, to which a follow-up may refer. They are a list, not a conversation.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use oriel_engine::{Library, replace_file};

/// In the user's folder of the library, a JSON array, oldest first.
const FILE: &str = "asked.json";

/// Maximum number of questions to which a follow-up may refer.
pub(crate) const MAX_EARLIER_QUESTIONS: usize = 8;

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

    /// Keeps a question; the earlier ones only if it is a follow-up.
    pub fn add(&self, question: &str, is_follow_up: bool) -> io::Result<()> {
        let mut questions = if is_follow_up { self.read()? } else { Vec::new() };
        questions.push(question.to_owned());
        let first = questions.len().saturating_sub(MAX_EARLIER_QUESTIONS);
        let json = serde_json::to_vec(&questions[first..]).unwrap_or_default();
        replace_file(&self.0, &json)
    }
}
