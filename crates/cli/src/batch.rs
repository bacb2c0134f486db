//! Many questions at once: a line in, a line out, models loaded once.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use anyhow::{Context as _, bail};
use oriel_core::CancelToken;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output;

/// One line of a file of questions; other members are passed over.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    id: Value,
    question: String,
}

#[derive(Serialize)]
struct Line<'a, T> {
    id: &'a Value,
    #[serde(flatten)]
    result: T,
}

/// Reads all questions, so that a wrong line is said before the first answer.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Question>> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("the questions {name} cannot be opened"))?;
    let mut questions = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.with_context(|| format!("the questions {name} cannot be read"))?;
        if line.trim().is_empty() {
            continue;
        }
        let question: Question = serde_json::from_str(&line)
            .with_context(|| format!("{name}, line {number}, is no {{\"id\", \"question\"}}"))?;
        if question.question.trim().is_empty() {
            bail!("{name}, line {number}: the question is empty");
        }
        questions.push(question);
    }
    Ok(questions)
}

/// Prints one result a question, each with its id.
pub(crate) fn answer<T: Serialize>(
    questions: &[Question],
    cancel: &CancelToken,
    mut answer: impl FnMut(&str) -> anyhow::Result<T>,
) -> anyhow::Result<()> {
    for Question { id, question } in questions {
        cancel.check()?;
        output::json(&Line { id, result: answer(question)? })?;
    }
    Ok(())
}
