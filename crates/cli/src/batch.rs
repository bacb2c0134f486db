//! Many questions at once: one line in, one line out, with models loaded once.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use oriel_core::CancelToken;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output;

/// One line of a file of questions; other members are ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    id: Value,
    question: String,
}

/// One line of a file of claims.
#[derive(Debug, Deserialize)]
pub(crate) struct Claim {
    id: Value,
    pub claim: String,
    /// The folder or document to compare it with.
    #[serde(rename = "in")]
    pub within: Option<PathBuf>,
}

/// A line of a batch.
pub(crate) trait BatchLine: DeserializeOwned {
    /// Names for messages: of the lines of the file, and of the members of a line.
    const WHAT: (&'static str, &'static str);

    fn id(&self) -> &Value;

    /// The text that must not be empty.
    fn text(&self) -> &str;
}

impl BatchLine for Question {
    const WHAT: (&'static str, &'static str) = ("question", "{\"id\", \"question\"}");

    fn id(&self) -> &Value {
        &self.id
    }

    fn text(&self) -> &str {
        &self.question
    }
}

impl BatchLine for Claim {
    const WHAT: (&'static str, &'static str) = ("claim", "{\"id\", \"claim\"}");

    fn id(&self) -> &Value {
        &self.id
    }

    fn text(&self) -> &str {
        &self.claim
    }
}

#[derive(Serialize)]
struct Line<'a, T> {
    id: &'a Value,
    #[serde(flatten)]
    result: T,
}

/// Reads all lines first, so that a wrong line is reported before the first answer.
pub(crate) fn read<L: BatchLine>(path: &Path) -> anyhow::Result<Vec<L>> {
    let name = path.display();
    let (what, members) = L::WHAT;
    let file = File::open(path).with_context(|| format!("the {what}s {name} cannot be opened"))?;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.with_context(|| format!("the {what}s {name} cannot be read"))?;
        if line.trim().is_empty() {
            continue;
        }
        let line: L =
            serde_json::from_str(&line).with_context(|| format!("{name}, line {number}, is no {members}"))?;
        if line.text().trim().is_empty() {
            bail!("{name}, line {number}: the {what} is empty");
        }
        lines.push(line);
    }
    Ok(lines)
}

/// Prints one result per line, with its id.
pub(crate) fn answer<L: BatchLine, T: Serialize>(
    lines: &[L],
    cancel: &CancelToken,
    mut answer: impl FnMut(&L) -> anyhow::Result<T>,
) -> anyhow::Result<()> {
    for line in lines {
        cancel.check()?;
        output::json(&Line { id: line.id(), result: answer(line)? })?;
    }
    Ok(())
}
