//! What the generator proposes to search for after a search found no answer: the parts of a question that the rules left whole, and
//! sentences with which a document might answer.
//!
//! It is asked only where Oriel would otherwise say that it found nothing, so it delays no answer. Proposals decide what is searched
//! for, never what is answered: the reranker still reads the question as it was asked.

use std::collections::HashSet;
use std::iter::once_with;
use std::time::Duration;

use oriel_core::{CancelToken, Finish, GenerationRequest, Generator, ModelError, TextForm};
use oriel_text::terms;

use crate::question::QueryPart;
use crate::question::words::is_stop_word;
use crate::question::writing::written_within;

/// How long the generator may write.
const WRITING_TIME: Duration = Duration::from_secs(4);
/// Maximum tokens of a proposal.
const MAX_TOKENS: usize = 72;
/// Maximum number of wordings.
const MAX_WORDINGS: usize = 3;
/// Maximum bytes of a wording.
const MAX_WORDING_BYTES: usize = 240;
/// Maximum number of parts.
const MAX_PARTS: usize = 3;
/// A question with fewer terms asks one thing.
const MIN_TERMS_OF_PARTS: usize = 5;

const SYSTEM: &str = "You help to search a person's documents. You write short lines and nothing else.";

/// What to search for instead of `parts`, of which none was found; one proposal after the other.
pub(crate) fn proposals<'a>(
    generator: &'a dyn Generator,
    parts: &'a [QueryPart],
    cancel: &'a CancelToken,
) -> impl Iterator<Item = Result<Vec<QueryPart>, ModelError>> + 'a {
    let divided = move || match parts {
        [whole] => divided(generator, &whole.question, cancel).transpose(),
        _ => None,
    };
    let reworded = move |part: &QueryPart| {
        let mut part = part.clone();
        part.wordings.extend(wordings(generator, &part.question, cancel)?);
        Ok(part)
    };
    once_with(divided).flatten().chain(once_with(move || parts.iter().map(reworded).collect()))
}

/// The parts of a question, each standing alone, all in words of the question; `None` if it asks one thing.
fn divided(
    generator: &dyn Generator,
    question: &str,
    cancel: &CancelToken,
) -> Result<Option<Vec<QueryPart>>, ModelError> {
    let own: HashSet<String> = terms(question).into_iter().collect();
    let joined = question.to_lowercase();
    let is_joined = [" and ", " und ", ", ", "; "].iter().any(|joint| joined.contains(joint));
    if !is_joined || own.len() < MIN_TERMS_OF_PARTS {
        return Ok(None);
    }
    let user = format!(
        "Write each thing that this question asks as a complete question of its own, one a line, in the words of the question.\n\n\
        {question}"
    );
    let lines = written(generator, user, cancel)?;
    let is_part = |line: &String| {
        let words = terms(line).into_iter().filter(|word| !is_stop_word(word));
        let (known, new): (Vec<String>, Vec<String>) = words.partition(|word| own.contains(word));
        line.ends_with('?') && !known.is_empty() && new.len() <= 1
    };
    let good = (2..=MAX_PARTS).contains(&lines.len()) && lines.iter().all(is_part);
    Ok(good.then(|| lines.into_iter().map(QueryPart::plain).collect()))
}

/// Sentences with which a document might answer the question.
fn wordings(
    generator: &dyn Generator,
    question: &str,
    cancel: &CancelToken,
) -> Result<Vec<String>, ModelError> {
    let user = format!(
        "Write three short sentences as they could stand in a document that answers this question, one a line. Use other words \
        for the same things, as a formal document has them.\n\n{question}"
    );
    let mut lines = written(generator, user, cancel)?;
    lines.retain(|line| line.len() <= MAX_WORDING_BYTES && !terms(line).is_empty());
    lines.truncate(MAX_WORDINGS);
    Ok(lines)
}

/// The lines that the generator writes in its time, each once and without its number or bullet.
fn written(generator: &dyn Generator, user: String, cancel: &CancelToken) -> Result<Vec<String>, ModelError> {
    let request = GenerationRequest {
        system: SYSTEM.to_owned(),
        user,
        form: TextForm::Free,
        max_tokens: MAX_TOKENS,
        refusal: None,
    };
    let (text, finish) = written_within(WRITING_TIME, generator, &request, cancel)?;
    // A line that was cut is half a sentence.
    let whole = match finish {
        Finish::Stop => text.as_str(),
        _ => text.rsplit_once('\n').map_or("", |(whole, _)| whole),
    };
    let mut lines: Vec<String> = Vec::new();
    for line in whole.lines() {
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || "-*•.) ".contains(c)).trim();
        if !line.is_empty() && !lines.iter().any(|other| other == line) {
            lines.push(line.to_owned());
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use oriel_core::Generation;

    use super::*;

    /// Writes the same whatever it is asked.
    struct Writes(&'static str, Finish);

    impl Generator for Writes {
        fn id(&self) -> &str {
            "writes"
        }
        fn context_length(&self, _: &CancelToken) -> Result<usize, ModelError> {
            Ok(1000)
        }
        fn prompt_tokens(&self, _: &GenerationRequest, _: &CancelToken) -> Result<usize, ModelError> {
            Ok(10)
        }
        fn generate(
            &self,
            _: &GenerationRequest,
            piece: &mut dyn FnMut(&str),
            _: &CancelToken,
        ) -> Result<Generation, ModelError> {
            piece(self.0);
            Ok(Generation {
                prompt_tokens: 10,
                tokens: 10,
                refusal: None,
                certainties: Vec::new(),
                finish: self.1,
            })
        }
    }

    #[test]
    fn wordings_are_whole_lines_without_numbers() {
        let all = "1. The lessee pays £900.\n2. The lessee pays £900.\n- Rent is due monthly.\nThe sum";
        let of = |finish| wordings(&Writes(all, finish), "What is the rent?", &CancelToken::new()).unwrap();
        assert_eq!(of(Finish::Length), ["The lessee pays £900.", "Rent is due monthly."]);
        assert_eq!(of(Finish::Stop).len(), 3);
    }

    #[test]
    fn parts_are_questions_in_words_of_the_question() {
        let asked = "Tell me who signed the lease of the mill, the length of its term";
        let of = |text, question: &str| {
            let parts = divided(&Writes(text, Finish::Stop), question, &CancelToken::new()).unwrap();
            parts.map_or(0, |parts| parts.len())
        };
        let good = "Who signed the lease of the mill?\nWhat is the length of the term of the lease?";
        assert_eq!(of(good, asked), 2);
        assert_eq!(of("Who signed the lease of the mill?", asked), 0, "one thing");
        let invented = "Who signed the lease of the mill?\nWhich bank financed the harbour tower?";
        assert_eq!(of(invented, asked), 0);
        assert_eq!(of(good, "Who signed the lease?"), 0, "nothing joins two things");
    }
}
